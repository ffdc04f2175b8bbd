"""WordNet: facts looked up with NLTK 3.10 on the same dictionary, or by hand."""

from pathlib import Path

import pytest

from nlgauge import DataError
from nlgauge.models.lexicon.wordnet import read_omw, wordnet

WN = wordnet()


def test_sizes() -> None:
    assert len(WN.lexicon) == 147306  # the words of the dictionary's index files
    assert WN.arrays["synset_offsets"].size == 117659
    assert WN.arrays["part_starts"].tolist() == [0, 82115, 95882, 114038, 117659]


@pytest.mark.parametrize(
    ("word", "part", "bases"),
    [
        ("dogs", "n", ["dog"]),
        ("geese", "n", ["goose"]),
        ("men", "n", ["men", "man"]),
        ("boxesful", "n", ["boxful"]),
        ("pass", "n", ["pass"]),
        ("was", "v", ["be"]),
        ("running", "v", ["run"]),
        ("better", "a", ["better", "good", "well"]),
        ("happier", "a", ["happy"]),
        ("best", "r", ["best", "well"]),
        ("qwertz", None, []),
    ],
)
def test_base_forms(word, part, bases) -> None:
    assert WN.morphy(word, part) == bases


def test_synsets_in_the_order_of_senses() -> None:
    keys = [WN.key(s) for s in WN.synsets("dog", "n")]
    assert keys[:3] == ["02084071-n", "10114209-n", "10023039-n"]
    assert WN.words(WN.synset("02084071-n")) == ["canis_familiaris", "dog", "domestic_dog"]
    with pytest.raises(DataError, match="no synset '99999999-n'"):
        WN.synset("99999999-n")


def test_synonyms_and_antonyms() -> None:
    assert WN.are_synonyms("car", "automobiles")
    assert WN.are_synonyms("begin", "started")
    assert not WN.are_synonyms("car", "banana")
    assert WN.antonyms("good") == {"bad", "evil"}
    assert WN.antonyms("hot") == {"cold"}


@pytest.mark.parametrize(
    ("word", "other", "linked"),
    [
        ("nearly", "almost", True),
        ("wolves", "wolf", True),  # an ending of NLTK's own
        ("as", "a", True),  # short words are plurals, too
        ("boxesful", "boxful", False),
        ("xmas", "Christmas", True),
        ("xmas", "christmas", False),
        ("dog", "domestic_dog", False),
        ("French_capital", "Paris", True),
    ],
)
def test_words_of_synsets_as_nltk_looks_them_up(word, other, linked) -> None:
    names = WN.lexicon.sets([word], "nltk")[1]
    assert (WN.lexicon.sets([other], "name")[1] in names) is linked


@pytest.mark.parametrize(
    ("one", "other", "path", "wup"),
    [
        ("02084071-n", "02121620-n", 0.2, 6 / 7),  # dog and cat
        ("02084071-n", "02084071-n", 1.0, 1.0),
        ("02084071-n", "01926311-v", None, None),  # dog and run
    ],
)
def test_similarity(one, other, path, wup) -> None:
    a, b = WN.synset(one), WN.synset(other)
    assert WN.path_similarity(a, b) == path
    assert WN.wup_similarity(a, b) == (wup if wup is None else pytest.approx(wup))


def test_verbs_that_are_above_each_other() -> None:
    a, b = WN.synset("02422663-v"), WN.synset("02423762-v")
    assert b in WN.hypernyms(a) and a in WN.hypernyms(b)
    assert WN.path_similarity(a, b) == 0.5


def test_sets_of_many_words() -> None:
    starts, numbers = WN.sets(["dogs", "qwertz", "dog"])
    assert numbers[: starts[1]].tolist() == sorted(WN.synsets("dogs"))
    assert starts[1] == starts[2]


def test_omw(tmp_path: Path) -> None:
    path = tmp_path / "wn-data-fra.tab"
    path.write_text(
        "# a wordnet\tfra\n02084071-n\tfra:lemma\tchien\n02084071-n\tfra:lemma\tToutou\n"
        "02121620-n\tfra:lemma\tchat\n02121620-n\tfra:def\t0\tanimal\n",
        encoding="utf-8",
    )
    french = read_omw(str(path))
    assert french.are_synonyms("chien", "toutou")
    assert not french.are_synonyms("chien", "chat")
    assert french.morphy("chiens") == []
    bad = tmp_path / "bad.tab"
    bad.write_text("00000001-n\tlemma\tx\n", encoding="utf-8")
    with pytest.raises(DataError, match="line 1: WordNet has no synset"):
        read_omw(str(bad))
