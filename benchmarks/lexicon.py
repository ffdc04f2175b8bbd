"""An invented vocabulary whose words, lengths and frequencies look like those of a language."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

TYPES = 60_000
LONGEST = 12  # letters
GRAMMAR = 150  # short words without other forms, such as articles and prepositions
SIMPLE = 17  # onsets of one letter

ONSETS = (
    "b c d f g h j k l m n p r s t v w br ch cl cr dr fl gr pl pr qu sh sl st str th tr".split()
)
VOWELS = "a a a e e e e i i i o o o u u ai ea ee ie io ou y".split()
CODAS = ["", "", "", "", *"n n r r s t t l d m nd nt st ck ng rt ss th c p".split()]
SUFFIXES = ("", "s", "ed", "ing", "er", "ly", "ion", "able")
ACCENTS = str.maketrans("aeioucn", "áéïöüçñ")
FOREIGN = "Straße Łódź Škoda Ångström œuvre Αθήνα λόγος Москва слово 東京 – “ ” … €50".split()
SPECIAL = "&quot; &amp; U.S. e.g. Mr. ... http://www.example.org/a?b=1 R&D and/or C++".split()

# Shares of a text's pieces; the rest are plain words.
NAMES, NUMBERS, QUOTED, ACCENTED, ENTITIES = 0.04, 0.02, 0.03, 0.004, 0.003
MARKS = {",": 0.042, " -": 0.002, ":": 0.001, ";": 0.001}

Ids = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Lexicon:
    """Pieces of text, each with the space before it, and how to draw them."""

    pieces: list[str]
    cumulative: npt.NDArray[np.float64]  # of the probabilities of all pieces but the full stops
    variants: Ids  # another form of the same word, or the piece itself
    stops: Ids  # ". ? !"

    def draw(self, rng: np.random.Generator, n: int) -> Ids:
        """Ids of `n` pieces."""
        return np.searchsorted(self.cumulative, rng.random(n), side="right").astype(np.int64)


def zipf(n: int, shift: float = 1.0) -> npt.NDArray[np.float64]:
    """Zipf-Mandelbrot probabilities of ranks 1 to n."""
    weights = 1.0 / (np.arange(n) + 1.0 + shift)
    return np.asarray(weights / weights.sum(), np.float64)


def build(seed: int = 0) -> Lexicon:
    """The vocabulary; the same for the same seed."""
    rng = np.random.default_rng(seed)
    words, variants = _words(rng)
    pieces = [" " + word for word in words]
    shares = [
        zipf(TYPES) * (1 - NAMES - NUMBERS - QUOTED - ACCENTED - ENTITIES - sum(MARKS.values()))
    ]

    def add(texts: list[str], share: float, *, even: bool = False) -> None:
        pieces.extend(" " + text for text in texts)
        n = len(texts)
        shares.append(share * (np.full(n, 1 / n) if even else zipf(n)))

    add([words[i].capitalize() for i in rng.integers(200, 20_000, 4000)], NAMES)
    add(_numbers(rng, 1500), NUMBERS)
    add([_decorated(rng, words) for _ in range(1500)], QUOTED, even=True)
    accented = [words[i].translate(ACCENTS) for i in rng.integers(200, 20_000, 300)]
    add([*accented, *FOREIGN], ACCENTED, even=True)
    add(SPECIAL, ENTITIES, even=True)
    pieces.extend(MARKS)
    shares.append(np.array(list(MARKS.values())))

    cumulative = np.cumsum(np.concatenate(shares))
    cumulative /= cumulative[-1]
    identity = np.arange(len(pieces), dtype=np.int64)
    identity[:TYPES] = variants
    stops = np.arange(3, dtype=np.int64) + len(pieces)
    return Lexicon([*pieces, ".", "?", "!"], cumulative, identity, stops)


def _words(rng: np.random.Generator) -> tuple[list[str], Ids]:
    """Distinct words, most frequent first, and for each the rank of another form of its stem."""
    found: dict[str, tuple[float, int]] = {}  # word -> how rare, stem
    stem = 0
    while len(found) < TYPES * 1.2:
        stem += 1
        text = _stem(rng, stem)
        forms = SUFFIXES[: 1 + int(rng.integers(len(SUFFIXES)))] if stem > GRAMMAR else ("",)
        for k, suffix in enumerate(forms):
            word = text + suffix
            if len(word) <= LONGEST:
                found.setdefault(word, (stem * (1 + 2 * k) * (0.5 + rng.random()), stem))
    ranked = sorted(found, key=found.__getitem__)[:TYPES]
    families: dict[int, list[int]] = {}
    for rank, word in enumerate(ranked):
        families.setdefault(found[word][1], []).append(rank)
    variants = np.arange(TYPES, dtype=np.int64)
    for ranks in families.values():
        variants[ranks] = np.roll(ranks, 1)
    return ranked, variants


def _stem(rng: np.random.Generator, rank: int) -> str:
    """Frequent words are short: one syllable of the simplest sounds, later up to four."""
    if rank <= GRAMMAR:
        onset = _pick(rng, ["", "", *ONSETS[:SIMPLE]])
        return onset + _pick(rng, list("aeiou")) + _pick(rng, ["", *"nrstd"])
    chances = (0.5, 0.4 if rank > 1000 else 0.1, 0.2 if rank > 5000 else 0.0)
    text = "" if rng.random() < 0.25 else _pick(rng, ONSETS)
    text += _pick(rng, VOWELS)
    for chance in chances:
        if rng.random() < chance:
            text += _pick(rng, ONSETS[:SIMPLE]) + _pick(rng, VOWELS)
    return (text + _pick(rng, CODAS))[:LONGEST]


def _pick(rng: np.random.Generator, choices: list[str]) -> str:
    return choices[int(rng.integers(len(choices)))]


def _numbers(rng: np.random.Generator, n: int) -> list[str]:
    texts = []
    for _ in range(n):
        a, b = int(rng.integers(1, 3000)), int(rng.integers(100, 1000))
        shapes = [f"{a}", f"{a / 10:.1f}", f"{a % 100},{b}", f"{a % 100}%", f"${a}", f"{a}-{a + 1}"]
        texts.append(_pick(rng, shapes))
    return texts


def _decorated(rng: np.random.Generator, words: list[str]) -> str:
    """A word with quotes, brackets, a hyphen or a genitive."""
    a, b = (words[int(i)] for i in rng.integers(100, 5000, 2))
    return _pick(rng, [f'"{a}', f'{a}"', f"({a})", f"{a}-{b}", f"{a}'s"])
