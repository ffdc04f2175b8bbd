"""Files that stay are read once; a file that has changed is read again."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.artefact_files import trained

from nlgauge.core.file_cache import FileCache
from nlgauge.core.resources import digest
from nlgauge.errors import ResourceMissing
from nlgauge.metrics.alignment.meteor_files import read_table
from nlgauge.metrics.edit.terp_files import read_phrases
from nlgauge.models.encoders.paraphrase_encoder import find_paraphrase_encoder
from nlgauge.models.lexicon.translations import find_table
from nlgauge.models.syntax.annotators import find_frames, find_trees
from nlgauge.models.syntax.parsers import find_parser
from nlgauge.models.vectors.word_vectors import find_vectors


def counted(most: int = 2) -> tuple[FileCache[Any, list[str]], list[str]]:
    read: list[str] = []

    def load(path: str) -> list[str]:
        read.append(Path(path).name)
        return [Path(path).read_text()]

    return FileCache(load, most=most), read


def test_a_file_that_stays_is_read_once(tmp_path: Path) -> None:
    cache, read = counted()
    path = str(tmp_path / "a")
    Path(path).write_text("one")
    assert cache.get([path], path) is cache.get([path], path)
    Path(path).write_text("other")
    assert cache.get([path], path) == ["other"]
    # Another file of the same size and time takes its place.
    state = Path(path).stat()
    new = tmp_path / "new"
    new.write_text("third")
    os.utime(new, ns=(state.st_atime_ns, state.st_mtime_ns))
    new.replace(path)
    assert cache.get([path], path) == ["third"]
    assert read == ["a", "a", "a"]
    cache.clear()
    assert cache.get([path], path) == ["third"]
    assert len(read) == 4


def test_only_the_last_results_are_kept(tmp_path: Path) -> None:
    cache, read = counted(most=2)
    paths = [str(tmp_path / name) for name in "abc"]
    for path in paths:
        Path(path).write_text(path)
        cache.get([path], path)
    for path in (paths[2], paths[1], paths[0]):
        cache.get([path], path)
    assert read == ["a", "b", "c", "a"]


def test_an_error_is_not_kept(tmp_path: Path) -> None:
    cache, _ = counted()
    path = str(tmp_path / "a")
    with pytest.raises(FileNotFoundError):
        cache.get([path], path)
    Path(path).write_text("there")
    assert cache.get([path], path) == ["there"]


def test_a_folder_stands_for_its_files(tmp_path: Path) -> None:
    cache = FileCache(lambda folder: sorted(p.name for p in Path(folder).iterdir()), most=2)
    (tmp_path / "a").write_text("x")
    first = cache.get([tmp_path], str(tmp_path))
    assert cache.get([tmp_path], str(tmp_path)) is first
    (tmp_path / "a").write_text("longer")
    assert cache.get([tmp_path], str(tmp_path)) is not first
    (tmp_path / "b").write_text("x")
    assert cache.get([tmp_path], str(tmp_path)) == ["a", "b"]


CONLLU = "# text = a\n1\ta\t_\t_\t_\t_\t0\troot\t_\t_\n\n"
FRAMES = '{"words": ["a"], "frames": []}\n'
FINDERS: dict[str, tuple[Callable[[str], object], str]] = {
    "a.conllu": (find_parser, CONLLU),
    "a.mrg": (find_trees, "(TOP (X a))\n"),
    "a.jsonl": (find_frames, FRAMES),
    "a.table": (lambda path: find_table("table", path), "a b 0.5\n"),
    "a.txt": (find_vectors, "a 1 2\nb 3 4\n"),
    "a.paraphrases": (read_table, "0.5\na b\nc\n"),
    "a.phrases": (read_phrases, "0.8 <p>a b</p> <p>c</p>\n"),
    "a.npz": (find_paraphrase_encoder, ""),
}


@pytest.mark.parametrize("name", FINDERS)
def test_whatever_is_read_from_a_file_follows_it(name: str, tmp_path: Path) -> None:
    find, text = FINDERS[name]
    path = tmp_path / name
    if text:
        path.write_text(text)
    else:
        trained().write(str(path))
    first = find(str(path))
    assert find(str(path)) is first
    os.utime(path, ns=(0, 0))  # as if it had been written at another time
    assert find(str(path)) is not first


def test_hashes_follow_files(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"abc")
    # sha256 of "abc", as FIPS 180-2 has it
    assert digest("option", str(path)) == "ba7816bf8f01cfea"
    path.write_bytes(b"")
    assert digest("option", str(path)) == "e3b0c44298fc1c14"
    with pytest.raises(ResourceMissing, match="option=nowhere"):
        digest("option", "nowhere")
