"""What the native core is handed is checked: it refuses, and never reads what is not there."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from typing import Any

import numpy as np
import pytest
from support.artefact_files import small_wordnet

import nlgauge
from nlgauge import Corpus, SpecError
from nlgauge.core import registry
from nlgauge.kernels import MOST_THREADS, Texts, native

BLEU = native.Bleu(order=4, ref_length="closest", start=False, end=False, weighted=False)
TWO = Texts(["a b", "c"])


def starts(*values: int) -> np.ndarray:
    return np.array(values, np.int64)


@pytest.mark.parametrize(
    "places", [(0, 5, 2), (-1, 1, 2), (0, 1, 3), (0, 2, 1), (0, 1), (2, 1, 2), (0, -(2**62), 2)]
)
def test_places_of_references(places: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="ref_starts"):
        native.compute_rows(TWO, TWO, starts(*places), None, "space", False, [BLEU], 1)


def test_frequencies_check_the_places_of_references() -> None:
    for places in ((0, 5, 2), (-1, 2), (0, 3), ()):
        with pytest.raises(ValueError, match="ref_starts"):
            native.Frequencies.count(
                TWO, starts(*places), "space", False, None, order=1, unit="token", least=1
            )
    with pytest.raises(ValueError, match="orders"):
        native.Frequencies.count(
            TWO, starts(0, 2), "space", False, None, order=0, unit="token", least=1
        )


def test_none_is_no_kernel() -> None:
    with pytest.raises(TypeError):
        native.compute_rows(TWO, TWO, starts(0, 1, 2), None, "space", False, [None], 1)  # type: ignore[list-item]
    with pytest.raises(TypeError):
        native.Joined([BLEU, None])  # type: ignore[list-item]
    with pytest.raises(TypeError):
        native.align_stages(["a"], ["a"], [None], "best")  # type: ignore[list-item]


@pytest.mark.parametrize(
    "data", [b"\xff", b"ab\xc3", b"ok\n\xf0\x9f\x98", b"\xed\xa0\x80", b"\xc0\x80"]
)
def test_lines_must_be_utf8(data: bytes) -> None:
    with pytest.raises(ValueError, match="is not valid UTF-8"):
        Texts.from_lines(data)


LEXICON = {
    "lemma_starts": [0, 6, 3, 11],
    "sense_starts": [0, 1, 2, 9],
    "senses": [0, 1, 7],
    "part_starts": [0, 3, 3, 3],
    "synset_offsets": [5],
}


@pytest.mark.parametrize(("name", "values"), [*LEXICON.items(), ("lemma_starts", [])])
def test_a_lexicon_checks_its_arrays(name: str, values: list[int]) -> None:
    arrays: dict[str, Any] = {**small_wordnet(), name: np.array(values, np.uint32)}
    given = {
        k: v for k, v in arrays.items() if k not in ("hypernyms", "hypernym_starts", "antonyms")
    }
    given["offsets"] = given.pop("synset_offsets")
    with pytest.raises(ValueError, match="do not fit each other"):
        native.Lexicon(**given, inflected=True)


def test_a_table_of_words_is_checked_before_it_is_used() -> None:
    words, places = np.frombuffer(b"abc", np.uint8), starts(0, 1, 3)
    table, _ = native.index_words(words, places)
    assert native.WordTable(words, places, table).find(Texts(["bc", "x"])).tolist() == [1, -1]
    full = np.ones_like(table)
    beyond = table.copy()
    beyond[beyond == 2] = 3
    for bad, at in (
        (full, places),
        (beyond, places),
        (table[:8], places),
        (table, starts(0, 4, 3)),
    ):
        with pytest.raises(ValueError, match="its "):
            native.WordTable(words, at, bad)
    for at in (starts(0, 4, 3), starts(0, 1), starts()):
        with pytest.raises(ValueError):
            native.index_words(words, at)


def test_sizes_that_overflow() -> None:
    ones = np.ones(4, np.float64)
    for size in (2**62, -1):
        with pytest.raises(ValueError):
            native.ngram_similarities(
                ones, ones, starts(size, size), ones, starts(2, 2), order=1, threads=1
            )
    with pytest.raises(ValueError, match="too few random words"):
        native.Picks(np.ones(4, np.uint32), 2**62, 2**62)
    empty = np.zeros((3, 0), np.float32)
    with pytest.raises(ValueError):
        native.Bert(empty, empty, empty[0], empty[0], heads=1, epsilon=1e-5)
    for counts in ([-1.0], [float("nan")], [float("inf")]):
        with pytest.raises(ValueError, match="finite"):
            native.Cooccurrence(Texts(["a"]), counts)


def test_half_a_character_is_no_text_for_meteor() -> None:
    normaliser = native.MeteorNormaliser(apostrophes="english", punctuation=True, prefixes={})
    assert normaliser("a\ud800b").split() == ["a", "\ud800", "b"]
    with pytest.raises(TypeError):
        normaliser(b"\xf0")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "threads",
    [0, -1, 1.5, 2.0, "2", True, False, 2**32, 2**70, MOST_THREADS + 1, [1], np.float64(2)],
)
def test_threads_are_a_whole_number_within_limits(threads: Any) -> None:
    with pytest.raises(SpecError, match=r"threads=.*(whole number|must be at)"):
        nlgauge.score(["a b"], ["a b"], metrics=["bleu"], threads=threads)
    with pytest.raises(SpecError, match=r"threads="):
        registry.metric("bleu").rows(Corpus.build(["a"], ["a"]), threads=threads)


def test_numbers_of_numpy_are_whole_numbers() -> None:
    table = nlgauge.score(["a b"], ["a b"], metrics=["bleu"], threads=np.int64(2))  # type: ignore[arg-type]
    assert len(table.systems) == 1


LIMITED = """
import resource, sys
import numpy as np
from nlgauge import Corpus
from nlgauge.core import registry
corpus = Corpus.build(["a b c d", "x"] * 6000, ["a b d c", "y"] * 6000)
metric = registry.metric("ter")
expected = metric.rows(corpus, threads=1)
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + (30 << 20), -1))
assert np.array_equal(metric.rows(corpus, threads=64), expected)
print("fine")
"""


@pytest.mark.skipif(
    sys.platform != "linux" or "libasan" in os.environ.get("LD_PRELOAD", ""),
    reason="limits of address space are Linux's, and sanitizers need more than any",
)
def test_threads_that_cannot_be_made_are_done_without() -> None:
    run = subprocess.run(
        [sys.executable, "-c", LIMITED], capture_output=True, text=True, check=False, timeout=300
    )
    assert (run.returncode, run.stdout.strip()) == (0, "fine"), run.stderr[-500:]


def buffers(*texts: bytes) -> tuple[np.ndarray, np.ndarray]:
    """Texts in one block, and where they begin and end."""
    offsets = np.cumsum([0, *map(len, texts)]).astype(np.uint64)
    return np.frombuffer(b"".join(texts), np.uint8), offsets


def test_texts_of_buffers() -> None:
    data, offsets = buffers(b"left out", "über".encode(), b"", "東京".encode(), b"left out")
    found = native.Texts.from_buffers(data, offsets[1:-1])
    assert list(found) == ["über", "", "東京"]
    assert list(pickle.loads(pickle.dumps(found))) == list(found)
    assert len(native.Texts.from_buffers(data, offsets[:1])) == 0


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        ((b"a", b"b\xff", b"c"), "text 1 is not valid"),
        ((b"a", b"\xc3", b"\xbc"), "text 2 is not valid"),  # cut within a character
        ((b"a", b"\xe6\x9d"), "text 1 is not valid"),
    ],
)
def test_buffers_that_are_not_utf8(texts: tuple[bytes, ...], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        native.Texts.from_buffers(*buffers(*texts))


@pytest.mark.parametrize("offsets", [[], [0, 9], [2, 1], [5, 3, 4]])
def test_offsets_that_lead_out_of_the_data(offsets: list[int]) -> None:
    with pytest.raises(ValueError, match="offsets do not fit"):
        native.Texts.from_buffers(np.zeros(3, np.uint8), np.array(offsets, np.uint64))


def test_states_that_do_not_fit() -> None:
    texts: Any = Texts.__new__(Texts)
    with pytest.raises(ValueError, match="offsets do not fit"):
        texts.__setstate__((b"abc", np.array([0, 4], np.uint64)))
    frequencies: Any = native.Frequencies.__new__(native.Frequencies)
    with pytest.raises(ValueError, match="one count per n-gram"):
        frequencies.__setstate__((np.zeros(2, np.uint64), np.zeros(1, np.uint32), 1, 1))


def test_generator_states_have_four_words() -> None:
    with pytest.raises(ValueError, match="four words"):
        native.bootstrap_totals(np.ones((2, 2)), np.zeros(3, np.uint64), 5)
