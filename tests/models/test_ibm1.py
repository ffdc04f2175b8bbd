"""Lexical translation tables: against plain loops, and NLTK's numbers."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles.ibm1 import ibm1

from nlgauge.cli import main
from nlgauge.errors import DataError, SpecError
from nlgauge.models.lexicon.ibm1 import learn_translations
from nlgauge.models.lexicon.translations import find_table

GERMAN = ["das haus", "das buch", "ein buch", "das kleine haus", "ein kleines buch"]
ENGLISH = ["the house", "the book", "a book", "the small house", "a small book"]
# It counts words that a text repeats as fractions of one, so that none is repeated here.
# nltk 3.9.1: IBMModel1([AlignedSent(english.split(), german.split()), ...], 5).translation_table
NLTK = {
    ("das", "the"): 0.79410027413,
    ("das", "house"): 0.186712406247,
    ("das", "book"): 0.008078109222,
    ("das", "small"): 0.011109210401,
    ("haus", "the"): 0.237315557239,
    ("haus", "house"): 0.719853825523,
    ("haus", "small"): 0.042830617238,
    ("buch", "the"): 0.008078109222,
    ("buch", "book"): 0.79410027413,
    ("buch", "a"): 0.186712406247,
    ("buch", "small"): 0.011109210401,
    ("ein", "book"): 0.237315557239,
    ("ein", "a"): 0.719853825523,
    ("ein", "small"): 0.042830617238,
    ("kleine", "the"): 0.077961874466,
    ("kleine", "house"): 0.186913372621,
    ("kleine", "small"): 0.735124752913,
    ("kleines", "book"): 0.077961874466,
    ("kleines", "a"): 0.186913372621,
    ("kleines", "small"): 0.735124752913,
    ("NULL", "the"): 0.342710020223,
    ("NULL", "house"): 0.08057951194,
    ("NULL", "book"): 0.342710020223,
    ("NULL", "a"): 0.08057951194,
    ("NULL", "small"): 0.153420935673,
}


def split(texts: list[str]) -> list[list[str]]:
    return [text.split() for text in texts]


def learnt(sources: list[list[str]], texts: list[list[str]], **options: object) -> dict:
    found = learn_translations(sources, texts, least=1e-300, **options)
    return {(t.given, t.word): t.probability for t in found}


def test_nltk() -> None:
    found = learnt(split(GERMAN), split(ENGLISH), iterations=5)
    assert {pair: found[pair] for pair in NLTK} == pytest.approx(NLTK, rel=0, abs=1e-9)


words = st.lists(st.sampled_from("abcd"), max_size=5)


@given(st.lists(st.tuples(words, words.filter(bool)), min_size=1, max_size=8), st.integers(1, 6))
def test_plain_loops(pairs: list[tuple[list[str], list[str]]], iterations: int) -> None:
    sources, texts = [a for a, _ in pairs], [b for _, b in pairs]
    expected = ibm1(sources, texts, iterations)
    found = learnt(sources, texts, iterations=iterations)
    # Counts are whole numbers of 2^-36: what is far below that is 0.
    assert {k: found.get(k, 0.0) for k in expected} == pytest.approx(expected, rel=0, abs=1e-8)
    for given_word in {a for a, _ in found}:
        total = sum(p for (a, _), p in found.items() if a == given_word)
        assert total == pytest.approx(1)


@given(st.lists(st.tuples(words, words.filter(bool)), min_size=1, max_size=60), st.randoms())
def test_neither_threads_nor_order_change_a_number(
    pairs: list[tuple[list[str], list[str]]], random: object
) -> None:
    first = learnt([a for a, _ in pairs], [b for _, b in pairs], threads=1)
    random.shuffle(pairs)  # type: ignore[attr-defined]
    assert learnt([a for a, _ in pairs], [b for _, b in pairs], threads=4) == first


def test_pruning() -> None:
    sources, texts = split(GERMAN), split(ENGLISH)
    everything = learn_translations(sources, texts, least=1e-9)
    assert learn_translations(sources, texts, least=0.2) == [
        t for t in everything if t.probability >= 0.2
    ]
    frequent = learn_translations(sources, texts, occurrences=3, least=1e-9)
    assert {t.given for t in frequent} == {"NULL", "das", "buch"}
    assert {t.word for t in frequent} == {"the", "book"}


def test_perplexity_falls() -> None:
    heard: list[tuple[int, float]] = []
    learn_translations(
        split(GERMAN), split(ENGLISH), iterations=4, progress=lambda *event: heard.append(event)
    )
    assert [number for number, _ in heard] == [1, 2, 3, 4]
    # Before the first iteration every word of five has the same probability.
    assert heard[0][1] == pytest.approx(5)
    assert all(a > b for (_, a), (_, b) in pairwise(heard))


def test_limits() -> None:
    sources, texts = split(GERMAN), split(ENGLISH)
    with pytest.raises(DataError, match="more than 10 pairs"):
        learn_translations(sources, texts, most_pairs=10)
    with pytest.raises(DataError, match="5 texts have 4 translations"):
        learn_translations(sources, texts[1:])
    with pytest.raises(DataError, match="no words"):
        learn_translations([["a"]], [[]])
    with pytest.raises(SpecError, match="iterations=0"):
        learn_translations(sources, texts, iterations=0)
    with pytest.raises(SpecError, match="least=0"):
        learn_translations(sources, texts, least=0.0)


def test_from_raw_text_to_xmeant(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, texts in (("de.txt", GERMAN), ("en.txt", ENGLISH)):
        lines = [text.capitalize() + "." for text in texts]
        (tmp_path / name).write_text("\n".join([*lines, "x " * 200, ""]), encoding="utf-8")
    paths = [str(tmp_path / name) for name in ("de.txt", "en.txt", "table.txt", "inverse.txt")]
    command = ["build", "translations", *paths[:2], "-o", paths[2], "--inverse", paths[3]]
    assert main(command) == 0
    out = capsys.readouterr()
    assert "table.txt: iteration 5, perplexity" in out.err
    assert "1 of 6 pairs are longer and skipped" in out.err
    there, back = (find_table("table", path).by_given for path in paths[2:])
    assert max(there["haus"], key=there["haus"].__getitem__) == "house"
    assert max(back["book"], key=back["book"].__getitem__) == "buch"
    assert there["."]["."] > 0.5
    for name, text, roles in (
        ("src", "das haus", [["das", "haus"]]),
        ("hyp", "the house", [["the", "house"]]),
    ):
        (tmp_path / f"{name}.txt").write_text(text + "\n", encoding="utf-8")
        frame = '{"words": ["%s", "%s"], "frames": [{"predicate": 1, "roles": [["A0", 0, 1]]}]}'
        (tmp_path / f"{name}.jsonl").write_text(frame % tuple(roles[0]) + "\n", encoding="utf-8")
    spec = (
        f"xmeant(table={paths[2]},inverse={paths[3]},roles={tmp_path / 'hyp.jsonl'},"
        f"source_roles={tmp_path / 'src.jsonl'})"
    )
    hyp, src = str(tmp_path / "hyp.txt"), str(tmp_path / "src.txt")
    assert main(["score", hyp, "-i", hyp, "--source", src, "-m", spec, "-b"]) == 0
    assert 0 < float(capsys.readouterr().out) <= 1


def test_lines_must_fit(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, text in (("a", "x\ny\n"), ("b", "x\n")):
        (tmp_path / name).write_text(text, encoding="utf-8")
    command = ["build", "translations", str(tmp_path / "a"), str(tmp_path / "b")]
    assert main([*command, "-o", str(tmp_path / "c")]) == 3
    assert "has 2 lines and" in capsys.readouterr().err
    assert not (tmp_path / "c").exists()
