"""Tuples from parses that are written out: examples of the papers, and what their rules say."""

import pytest

from nlgauge import NlgaugeWarning
from nlgauge.data.parses import Parse
from nlgauge.metrics.syntax.scene_parser import facts_of


def parse(lines: str) -> Parse:
    """Words as `form lemma tag head label`; NOUN+ is a plural."""
    words = [line.split() for line in lines.strip().split("\n")]
    forms, lemmas, tags, heads, labels = zip(*words, strict=True)
    return Parse(
        words=forms,
        lemmas=lemmas,
        tags=tuple(tag.rstrip("+") for tag in tags),
        fine_tags=tuple("NNS" if tag.endswith("+") else "" for tag in tags),
        heads=tuple(map(int, heads)),
        relations=labels,
    )


def said(*sentences: str) -> set[str]:
    return {" ".join(f"{x}," for x in fact)[:-1] for fact in facts_of(list(map(parse, sentences)))}


# Figure 1 of the paper: (girl), (court), (girl, young), (girl, standing), (court, tennis),
# (girl, on top of, court).
GIRL = {"girl", "court", "girl, young", "girl, stand", "court, tennis", "girl, on top of, court"}

GIRL_SPACY = """
A a DET 3 det
young young ADJ 3 amod
girl girl NOUN 0 ROOT
standing stand VERB 3 acl
on on ADP 4 prep
top top NOUN 5 pobj
of of ADP 6 prep
a a DET 10 det
tennis tennis NOUN 10 compound
court court NOUN 7 pobj
"""
GIRL_UD = """
A a DET 3 det
young young ADJ 3 amod
girl girl NOUN 0 root
standing stand VERB 3 acl
on on ADP 6 case
top top NOUN 4 obl
of of ADP 10 case
a a DET 10 det
tennis tennis NOUN 10 compound
court court NOUN 6 nmod
"""


@pytest.mark.parametrize("sentence", [GIRL_SPACY, GIRL_UD], ids=["spacy", "ud"])
def test_the_example_of_the_paper(sentence: str) -> None:
    assert said(sentence) == GIRL


CASES = {
    # Schuster et al.: "A man is riding a horse"; the lemmatiser lost an e.
    "object": (
        "A a DET 2 det\nman man NOUN 4 nsubj\nis be AUX 4 aux\nriding rid VERB 0 ROOT\n"
        "a a DET 6 det\nhorse horse NOUN 4 dobj",
        {"man", "horse", "man, ride, horse"},
    ),
    # "A woman is smiling"
    "no object": (
        "A a DET 2 det\nwoman woman NOUN 4 nsubj\nis be AUX 4 aux\nsmiling smile VERB 0 ROOT",
        {"woman", "woman, smile"},
    ),
    # "The man is a rider"
    "copula, spacy": (
        "The the DET 2 det\nman man NOUN 3 nsubj\nis be AUX 0 ROOT\na a DET 5 det\n"
        "rider rider NOUN 3 attr",
        {"man", "rider", "man, rider"},
    ),
    "copula, ud": (
        "The the DET 2 det\nman man NOUN 5 nsubj\nis be AUX 5 cop\na a DET 5 det\n"
        "rider rider NOUN 0 root",
        {"man", "rider", "man, rider"},
    ),
    # "The man is tall and happy"
    "adjectives, spacy": (
        "The the DET 2 det\nman man NOUN 3 nsubj\nis be AUX 0 ROOT\ntall tall ADJ 3 acomp\n"
        "and and CCONJ 4 cc\nhappy happy ADJ 4 conj",
        {"man", "man, tall", "man, happy"},
    ),
    "adjectives, ud": (
        "The the DET 2 det\nman man NOUN 4 nsubj\nis be AUX 4 cop\ntall tall ADJ 0 root\n"
        "and and CCONJ 6 cc\nhappy happy ADJ 4 conj",
        {"man", "man, tall", "man, happy"},
    ),
    # "A woman is in the house"
    "place, spacy": (
        "A a DET 2 det\nwoman woman NOUN 3 nsubj\nis be AUX 0 ROOT\nin in ADP 3 prep\n"
        "the the DET 6 det\nhouse house NOUN 4 pobj",
        {"woman", "house", "woman, in, house"},
    ),
    "place, ud": (
        "A a DET 2 det\nwoman woman NOUN 6 nsubj\nis be AUX 6 cop\nin in ADP 6 case\n"
        "the the DET 6 det\nhouse house NOUN 0 root",
        {"woman", "house", "woman, in, house"},
    ),
    # "There is a dog on the beach"
    "there is": (
        "There there PRON 2 expl\nis be AUX 0 ROOT\na a DET 4 det\ndog dog NOUN 2 attr\n"
        "on on ADP 2 prep\nthe the DET 7 det\nbeach beach NOUN 5 pobj",
        {"dog", "beach", "dog, on, beach"},
    ),
    # "a child held by a woman" and "The horse is ridden by a cowboy"
    "agent of a participle": (
        "a a DET 2 det\nchild child NOUN 0 ROOT\nheld hold VERB 2 acl\nby by ADP 3 agent\n"
        "a a DET 6 det\nwoman woman NOUN 4 pobj",
        {"child", "woman", "woman, hold, child"},
    ),
    "passive, ud": (
        "The the DET 2 det\nhorse horse NOUN 4 nsubj:pass\nis be AUX 4 aux:pass\n"
        "ridden ride VERB 0 root\nby by ADP 7 case\na a DET 7 det\ncowboy cowboy NOUN 4 obl",
        {"horse", "cowboy", "cowboy, ride, horse"},
    ),
    # "The car is parked"
    "passive without agent": (
        "The the DET 2 det\ncar car NOUN 4 nsubjpass\nis be AUX 4 auxpass\nparked park VERB 0 ROOT",
        {"car", "car, park"},
    ),
    # "Two dogs and 3 cats sleep"
    "numbers and coordination": (
        "Two two NUM 2 nummod\ndogs dog NOUN+ 6 nsubj\nand and CCONJ 2 cc\n3 3 NUM 5 nummod\n"
        "cats cat NOUN+ 2 conj\nsleep sleep VERB 0 ROOT",
        {"dog", "cat", "dog, two", "cat, three", "dog, sleep", "cat, sleep"},
    ),
    # "A man eats pizza and drinks beer", where the parser joins drinks to pizza
    "a second verb": (
        "A a DET 2 det\nman man NOUN 3 nsubj\neats eat VERB 0 ROOT\npizza pizza NOUN 3 dobj\n"
        "and and CCONJ 4 cc\ndrinks drink VERB 4 conj\nbeer beer NOUN 6 dobj",
        {"man", "pizza", "beer", "man, eat, pizza", "man, drink, beer"},
    ),
    # "A lot of dogs run": about dogs, of which there are a lot
    "a lot of": (
        "A a DET 2 det\nlot lot NOUN 5 nsubj\nof of ADP 2 prep\ndogs dog NOUN+ 3 pobj\n"
        "run run VERB 0 ROOT",
        {"dog", "dog, lot", "dog, run"},
    ),
    # "Two pairs of skis": two pairs, not two skis
    "two pairs of": (
        "Two two NUM 2 nummod\npairs pair NOUN+ 0 root\nof of ADP 4 case\nskis ski NOUN+ 2 nmod",
        {"ski", "ski, pair"},
    ),
    # "a woman who holds a cup"
    "relative clause": (
        "a a DET 2 det\nwoman woman NOUN 0 ROOT\nwho who PRON 4 nsubj\nholds hold VERB 2 relcl\n"
        "a a DET 6 det\ncup cup NOUN 4 dobj",
        {"woman", "cup", "woman, hold, cup"},
    ),
    # "the ball the boy throws"
    "relative clause without pronoun": (
        "the the DET 2 det\nball ball NOUN 0 root\nthe the DET 4 det\nboy boy NOUN 5 nsubj\n"
        "throws throw VERB 2 acl:relcl",
        {"ball", "boy", "boy, throw, ball"},
    ),
    # "A dog that is small"
    "relative clause of be": (
        "A a DET 2 det\ndog dog NOUN 0 ROOT\nthat that PRON 4 nsubj\nis be AUX 2 relcl\n"
        "small small ADJ 4 acomp",
        {"dog", "dog, small"},
    ),
    # "A boy 's hat", "A man and his dog"
    "owner": (
        "A a DET 2 det\nboy boy NOUN 4 poss\n's 's PART 2 case\nhat hat NOUN 0 ROOT",
        {"boy", "hat", "boy, have, hat"},
    ),
    "pronoun": (
        "A a DET 2 det\nman man NOUN 3 nsubj\nwalks walk VERB 0 root\nhis his PRON 5 nmod:poss\n"
        "dog dog NOUN 3 obj",
        {"man", "dog", "man, have, dog", "man, walk, dog"},
    ),
    # "Dogs fetch its ball": its cannot be several dogs
    "no antecedent": (
        "Dogs dog NOUN+ 2 nsubj\nfetch fetch VERB 0 ROOT\nits its PRON 4 poss\n"
        "ball ball NOUN 2 dobj",
        {"dog", "ball", "dog, fetch, ball"},
    ),
    # "A hat is next to a bench"
    "next to": (
        "A a DET 2 det\nhat hat NOUN 3 nsubj\nis be AUX 0 ROOT\nnext next ADJ 3 acomp\n"
        "to to ADP 4 prep\na a DET 7 det\nbench bench NOUN 5 pobj",
        {"hat", "bench", "hat, next to, bench"},
    ),
    # "A man falls off while taking off a hat"
    "particles and shared subjects": (
        "A a DET 2 det\nman man NOUN 3 nsubj\nfalls fall VERB 0 ROOT\noff off ADP 3 prt\n"
        "while while SCONJ 6 mark\ntaking take VERB 3 advcl\noff off ADP 6 prt\na a DET 9 det\n"
        "hat hat NOUN 6 dobj",
        {"man", "hat", "man, fall off", "man, take off, hat"},
    ),
    # Only tags of the Penn treebank's kind, no lemmas
    "nothing to go by": ("dog _ _ 0 root\nred _ ADJ 1 amod", set()),
}


@pytest.mark.parametrize("name", CASES)
def test_rules(name: str) -> None:
    sentence, expected = CASES[name]
    assert said(sentence) == expected


def test_pronouns_look_back_to_earlier_sentences() -> None:
    first = "Children child NOUN+ 2 nsubj\nplay play VERB 0 ROOT"
    second = "They they PRON 2 nsubj\nare be AUX 0 ROOT\nhappy happy ADJ 2 acomp"
    assert said(first, second) == {"child", "child, play", "child, happy"}


@pytest.mark.parametrize(
    ("word", "lemma", "expected"),
    [
        ("rides", "rid", "ride"),
        ("riding", "rid", "ride"),
        ("used", "us", "use"),
        ("ridding", "rid", "rid"),
        ("eating", "eat", "eat"),
        ("swinging", "swing", "swing"),
        ("gases", "gas", "gas"),
        ("opening", "open", "open"),
    ],
)
def test_a_lost_e_is_put_back(word: str, lemma: str, expected: str) -> None:
    assert f"man, {expected}" in said(f"man man NOUN 2 nsubj\n{word} {lemma} VERB 0 root")


def test_missing_tags_are_read_from_the_fine_ones() -> None:
    bare = Parse(("red", "dogs"), ("_", "dog"), ("_", "_"), ("JJ", "NNS"), (2, 0), ("amod", "root"))
    assert facts_of([bare]) == [("dog",), ("dog", "red")]


def test_no_sentence_says_nothing() -> None:
    assert facts_of([]) == []


def lists(subjects: int, objects: int) -> Parse:
    """Noun and noun ... see noun and noun ..."""
    size = subjects + objects
    words = (*(f"n{i}" for i in range(size)), "see")
    heads = list(range(size))
    heads[0] = heads[subjects] = size + 1
    labels = ["conj"] * size
    labels[0], labels[subjects] = "nsubj", "obj"
    tags = (*["NOUN"] * size, "VERB")
    return Parse(words, words, tags, tags, (*heads, 0), (*labels, "root"))


def test_long_lists() -> None:
    assert len(facts_of([lists(50, 60)])) == 50 + 60 + 50 * 60
    with pytest.warns(NlgaugeWarning, match="says more than 10,000 things"):
        assert len(facts_of([lists(400, 400)])) == 10_000
