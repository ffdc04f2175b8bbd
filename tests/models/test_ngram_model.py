"""The language model of word trigrams: against plain counting, and it is a distribution."""

from collections import Counter
from math import log
from pathlib import Path

import numpy as np
import pytest

import nlgauge
from nlgauge import DataError
from nlgauge.cli import main
from nlgauge.models.files.trained_model import write_model
from nlgauge.models.lexicon.kneser_ney import estimate_trigrams
from nlgauge.models.lexicon.ngram_model import METRIC, NGramModel, find_language_model
from nlgauge.train.ngrams import fit_language_model, train_language_model

TEXTS = [
    "the cat sat on the mat",
    "the cat sat on the sofa",
    "a dog sat on the mat",
    "the dog ran",
    "a cat ran on the mat and the cat sat",
    "green ideas",
]


def plain(texts: list[str], once: float = 1.0):
    """The probability of a word after two others, by the formula, without anything left out."""
    counts = Counter(word for text in texts for word in text.split())
    known = {word for word, n in counts.items() if n > 1}
    rare = len(counts) - len(known)
    runs = [["<", "<", *(w if w in known else "?" for w in t.split()), ">"] for t in texts]
    triples = Counter(gram for run in runs for gram in zip(run, run[1:], run[2:], strict=False))
    pairs = Counter(gram[1:] for gram in triples)
    singles = Counter(gram[1:] for gram in pairs)
    size = len(known) + 3

    def taken(n):
        return once if n == 1 else 0.75

    def one(word):
        total = sum(singles.values())
        own = singles[(word,)]
        rest = sum(min(n, 0.75) for n in singles.values()) / total
        return max(own - 0.75, 0) / total + rest / (size + rare)

    def higher(table, gram, below):
        own = {g: n for g, n in table.items() if g[:-1] == gram[:-1]}
        if not own:
            return below
        total = sum(own.values())
        seen = (table[gram] - taken(table[gram])) / total if gram in table else 0.0
        return seen + sum(map(taken, own.values())) / total * below

    def probability(first, second, third):
        two = higher(pairs, (second, third), one(third))
        found = higher(triples, (first, second, third), two)
        return found / rare if third == "?" else found

    return probability, known


def loss(texts: list[str], text: str, once: float = 1.0) -> float:
    probability, known = plain(texts, once)
    run = ["<", "<", *(w if w in known else "?" for w in text.split()), ">"]
    logs = [log(probability(*gram)) for gram in zip(run, run[1:], run[2:], strict=False)]
    return -sum(logs) / len(logs)


@pytest.mark.parametrize(
    "text", ["the cat sat", "a dog ran on the sofa", "", "mat the on", "new words the cat"]
)
def test_losses_are_those_of_plain_counting(text: str) -> None:
    model = NGramModel(fit_language_model(TEXTS))
    assert model.losses([text])[0] == pytest.approx(loss(TEXTS, text), abs=5e-3)  # half precision


@pytest.mark.parametrize("text", ["the cat sat", "a dog ran on the sofa", "mat the on", "zebra"])
def test_n_grams_that_occur_once_can_be_kept(text: str) -> None:
    arrays = estimate_trigrams([t.split() for t in TEXTS], once=0.75)
    assert NGramModel(arrays).losses([text])[0] == pytest.approx(loss(TEXTS, text, 0.75))
    with pytest.raises(DataError, match="no word occurs 9 times"):
        estimate_trigrams([["a"]], least=9)


def test_a_text_does_not_depend_on_others() -> None:
    model = NGramModel(fit_language_model(TEXTS))
    texts = ["the cat sat", "", "on the mat", "zebra"]
    assert model.losses(texts).tolist() == [model.losses([text])[0] for text in texts]


def test_shuffled_words_are_less_usual() -> None:
    model = find_language_model()
    usual = model.losses(["A man is playing a guitar on the street."])
    assert model.losses(["Street the on guitar a playing is man a."]) > usual + 2


def test_files_that_are_no_language_model_are_refused(tmp_path: Path) -> None:
    arrays = fit_language_model(TEXTS)
    about = {
        "metric": METRIC,
        "options": {},
        "features": [],
        "data": [],
        "split": {},
        "figures": [],
    }
    path = tmp_path / "language.safetensors"
    write_model(path, about, arrays)
    assert find_language_model(str(path)).losses(["the cat"]).shape == (1,)
    changes = {
        "words": arrays["words"][:-8],
        "1.logs": arrays["1.logs"][1:],
        "2.keys": arrays["2.keys"][::-1],
        "3.logs": arrays["3.logs"][:-1],
        "3.keys": np.zeros(0, np.int64),
    }
    for k, (name, array) in enumerate(changes.items()):
        broken = tmp_path / f"{k}.safetensors"
        write_model(broken, about, {**arrays, name: array})
        with pytest.raises(DataError, match="no language model"):
            find_language_model(str(broken))
    missing = {k: v for k, v in arrays.items() if k != "unknown"}
    write_model(tmp_path / "missing.safetensors", about, missing)
    with pytest.raises(DataError, match="no language model"):
        find_language_model(str(tmp_path / "missing.safetensors"))


def test_texts_without_words_cannot_be_learnt_from() -> None:
    with pytest.raises(DataError, match="no word occurs"):
        fit_language_model(["", "once only"])


def test_train_lm_measures_on_other_texts(tmp_path: Path, capsys) -> None:
    text, dev = tmp_path / "text.txt", tmp_path / "dev.txt"
    text.write_text("\n".join([*TEXTS, "", TEXTS[0]]) + "\n")
    dev.write_text(f"the dog sat on the mat\n{TEXTS[0]}\na zebra\n")  # one line is known
    out = tmp_path / "mine.safetensors"
    command = ["train", "lm", str(text), "--dev", str(dev), "--licence", "CC0", "-o", str(out)]
    assert main(command) == 0
    model = train_language_model([str(text)], dev=str(dev))
    held = ["the dog sat on the mat", "a zebra"]
    words = [len(t.split()) + 1 for t in held]
    expected = sum(loss(TEXTS, t) * n for t, n in zip(held, words, strict=True)) / sum(words)
    found, control = model.header["figures"]
    assert found["value"] == pytest.approx(expected, abs=5e-3)
    # Words, ends and unknown words counted by hand: 35 words, of which 3 occur once; 6 texts.
    counts = Counter(w for t in TEXTS for w in t.split())
    rare = [w for w, n in counts.items() if n == 1]
    total = counts.total() + len(TEXTS) + (len(counts) - len(rare) + 2)
    logs = [log((counts[w] + 1) / total) for w in held[0].split()]
    logs += [log((counts["a"] + 1) / total), log((len(rare) + 1) / total / len(rare))]
    logs += [log((len(TEXTS) + 1) / total)] * 2
    assert control["value"] == pytest.approx(-sum(logs) / len(logs))
    said = capsys.readouterr().out
    assert "fitted to 6 texts" in said and "on dev.txt" in said
    scores = nlgauge.score(["the cat sat"], metrics=[f"perplexity(model={out})"])
    assert log(next(iter(scores)).score) == pytest.approx(loss(TEXTS, "the cat sat"), abs=5e-3)
    assert main(["train", "card", str(out)]) == 0
    assert "CC0" in capsys.readouterr().out


def test_train_lm_holds_lines_out(tmp_path: Path) -> None:
    text = tmp_path / "text.txt"
    lines = [f"{a} {b} sat on the {c}" for a in "ab" for b in ("cat", "dog") for c in "xyzvwu"]
    text.write_text("\n".join(lines))
    model = train_language_model([str(text)])
    kept = [line for k, line in enumerate(lines) if k % 20]
    held = lines[::20]
    expected = np.mean([loss(kept, line) for line in held])
    assert model.header["figures"][0]["value"] == pytest.approx(expected, abs=5e-3)
    text.write_text("one line\n")
    with pytest.raises(DataError, match="no text is left to measure it on, of 1"):
        train_language_model([str(text)])
