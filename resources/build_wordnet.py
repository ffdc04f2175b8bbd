"""Turns WordNet's dictionary files into the one file that nlgauge reads.

    python resources/build_wordnet.py dict src/nlgauge/models/data/wordnet-3.0.bin

`dict` holds WNDB 3.0: data.{noun,verb,adj,adv}, index.* and *.exc. Synsets are known by their
offsets in Princeton's own files, which OMW's tables and METEOR use; Debian's `wordnet-base` has
corrected glosses, and with them other offsets. Glosses, examples and sense counts are left out.
The same input gives the same bytes.

The file: a line that says what it is, a line of JSON with the name, type, place and length of each
array, and the arrays, each at a multiple of eight bytes:

    lemma_bytes, lemma_starts        all lemmas, sorted as bytes, without separators
    sense_starts, senses             the synsets of each lemma: nouns, verbs, adjectives, adverbs,
                                     the frequent ones of each first
    synset_offsets                   of each synset in its data file; nouns come first, and so on
    part_starts                      the first synset of each part of speech
    hypernym_starts, hypernyms       of each synset, those of instances too
    antonyms                         rows of lemma, synset, lemma, synset
    spelled_senses, spelled_starts,  places in `senses` where a lemma without "_" is not written in
    spelled_bytes                    lower case, and how it is written
    exceptions                       lines of a part of speech, a form and its bases
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from pathlib import Path

import numpy as np

PARTS = ("noun", "verb", "adj", "adv")
LETTERS = {"n": 0, "v": 1, "a": 2, "s": 2, "r": 3}
MAGIC = b"nlgauge wordnet 2\n"


def lines(path: Path) -> list[str]:
    """The lines of a dictionary file without the licence at its start."""
    return [x for x in path.read_text(encoding="ascii").splitlines() if not x.startswith("  ")]


def starts_of(lists: list[list[int]]) -> np.ndarray:
    """Where each list starts when they are joined."""
    return np.concatenate([[0], np.cumsum([len(x) for x in lists])]).astype("<u4")


def joined(lists: list[list[int]]) -> np.ndarray:
    """The lists, joined."""
    return np.array([x for row in lists for x in row], "<u4")


def read_synsets(folder: Path) -> tuple[dict[tuple[int, int], int], list[list[str]], list[int]]:
    """Numbers by part of speech and offset, the fields of each synset, and where parts start."""
    numbers: dict[tuple[int, int], int] = {}
    fields: list[list[str]] = []
    part_starts = [0]
    for part, name in enumerate(PARTS):
        for line in lines(folder / f"data.{name}"):
            entry = line.partition(" | ")[0].split()
            numbers[part, int(entry[0])] = len(fields)
            fields.append(entry)
        part_starts.append(len(fields))
    return numbers, fields, part_starts


def read_senses(folder: Path, numbers: dict[tuple[int, int], int]) -> dict[str, list[int]]:
    """The synsets of every lemma."""
    senses: dict[str, list[int]] = {}
    for part, name in enumerate(PARTS):
        for line in lines(folder / f"index.{name}"):
            entry = line.split()
            offsets = entry[-int(entry[2]) :]
            senses.setdefault(entry[0], []).extend(numbers[part, int(x)] for x in offsets)
    return senses


def build(folder: Path) -> dict[str, np.ndarray]:
    """All arrays."""
    numbers, fields, part_starts = read_synsets(folder)
    senses = read_senses(folder, numbers)
    lemmas = sorted(senses)
    places = {lemma: k for k, lemma in enumerate(lemmas)}
    hypernyms: list[list[int]] = []
    antonyms: list[tuple[int, int, int, int]] = []
    written = [
        # "(p)", "(a)" and "(ip)" tell where an adjective may stand
        [x.partition("(")[0] for x in entry[4 : 4 + 2 * int(entry[3], 16) : 2]]
        for entry in fields
    ]
    words = [[x.lower() for x in row] for row in written]
    for number, entry in enumerate(fields):
        at = 4 + 2 * int(entry[3], 16)
        pointers = [entry[at + 1 + 4 * k : at + 5 + 4 * k] for k in range(int(entry[at]))]
        above = []
        for kind, offset, letter, place in pointers:
            other = numbers[LETTERS[letter], int(offset)]
            if kind in ("@", "@i"):
                above.append(other)
            elif kind == "!":
                mine, yours = int(place[:2], 16) - 1, int(place[2:], 16) - 1
                row = (places[words[number][mine]], number, places[words[other][yours]], other)
                antonyms.append(row)
        hypernyms.append(above)
    exceptions = "".join(
        f"{'nvar'[part]} {line}\n"
        for part, name in enumerate(PARTS)
        for line in sorted(set(lines(folder / f"{name}.exc")))
    )
    lists = [senses[lemma] for lemma in lemmas]
    encoded = [lemma.encode() for lemma in lemmas]
    spelled = spellings(zip(lemmas, lists, strict=True), written)
    spelled_forms = [form.encode() for _, form in spelled]
    return {
        "lemma_bytes": np.frombuffer(b"".join(encoded), "u1"),
        "lemma_starts": starts_of([[0] * len(x) for x in encoded]),
        "sense_starts": starts_of(lists),
        "senses": joined(lists),
        "synset_offsets": np.array([int(entry[0]) for entry in fields], "<u4"),
        "part_starts": np.array(part_starts, "<u4"),
        "hypernym_starts": starts_of(hypernyms),
        "hypernyms": joined(hypernyms),
        "antonyms": np.array(sorted(antonyms), "<u4").reshape(-1),
        "exceptions": np.frombuffer(exceptions.encode(), "u1"),
        "spelled_senses": np.array([place for place, _ in spelled], "<u4"),
        "spelled_starts": starts_of([[0] * len(x) for x in spelled_forms]),
        "spelled_bytes": np.frombuffer(b"".join(spelled_forms), "u1"),
    }


def spellings(
    senses: Iterable[tuple[str, list[int]]], written: list[list[str]]
) -> list[tuple[int, str]]:
    """Return how lemmas of one word are written where that is not their lower case.

    A place that has several spellings, the lower case maybe among them, is listed with each.
    """
    found = []
    place = 0
    for lemma, synsets in senses:
        for synset in synsets:
            forms = sorted({x for x in written[synset] if x.lower() == lemma})
            if "_" not in lemma and forms != [lemma]:
                found += [(place, form) for form in forms]
            place += 1
    return found


def write(path: Path, arrays: dict[str, np.ndarray]) -> None:
    """Header and arrays."""
    places, at = {}, 0
    for name, array in arrays.items():
        places[name] = [array.dtype.str, at, array.size]
        at += -(-array.nbytes // 8) * 8
    header = MAGIC + json.dumps(places).encode()
    header += b" " * (-(len(header) + 1) % 8) + b"\n"
    with path.open("wb") as out:
        out.write(header)
        for array in arrays.values():
            out.write(array.tobytes() + b"\0" * (-array.nbytes % 8))


if __name__ == "__main__":
    write(Path(sys.argv[2]), build(Path(sys.argv[1])))
