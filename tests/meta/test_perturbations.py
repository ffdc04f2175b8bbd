"""Each perturbation on sentences whose change was written by hand, and what holds for any text."""

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.strategies import odd_texts, texts

from nlgauge.errors import SpecError
from nlgauge.meta.stress.perturbations import PERTURBATIONS, Original, perturbation
from nlgauge.meta.stress.perturbations.content import PLEAS
from nlgauge.meta.stress.perturbations.meaning import Antonyms
from nlgauge.meta.stress.perturbations.morphology import base_of_past, plural, verb

CASES = [
    # From Isozaki et al. (2010): the pairs of their sections 1 and 2.
    ("roles", "John hit Bob yesterday", "Bob hit John yesterday"),
    ("roles", "Mary killed John", "John killed Mary"),
    ("voice", "the boy read the book", "the book was read by the boy"),
    ("roles", "The officers arrested him on Monday.", "He arrested the officers on Monday."),
    ("roles", "The plan was made by her.", "She was made by the plan."),
    ("voice", "The book was read by the boy.", "The boy read the book."),
    ("voice", "He has taken the keys.", "The keys have been taken by him."),
    ("voice", "They will see me in May.", "I will be seen by them in May."),
    ("voice", "She likes them.", "They are liked by her."),
    ("voice", "She went home.", None),
    ("voice", "He has a car.", None),
    ("voice", "He saw the man who left.", None),
    ("reverse", "a b c", "c b a"),
    ("reverse", "我喜欢", "欢喜我"),
    ("negation", "It is cold.", "It is not cold."),
    ("negation", "It is not cold.", "It is cold."),
    ("negation", "He doesn't care.", "He does care."),
    ("negation", "I ca n't see .", "I can see ."),
    ("negation", "She went home.", "She did not go home."),
    ("negation", "He has seen it.", "He has not seen it."),
    ("negation", "She has a dog.", "She does not have a dog."),
    ("negation", "They like cake.", "They do not like cake."),
    ("negation", "We met on 3 May 2015.", "We did not meet on 3 May 2015."),
    ("negation", "Never mind.", "Always mind."),
    ("negation", "Oui, bien sûr.", None),
    ("antonyms", "It was bought.", "It was sold."),
    ("antonyms", "An old tune", "A new tune"),
    ("antonyms", "Peter hums.", None),
    ("entities", "He told Anna that Ben Nevis called.", "He told Ben Nevis that Anna called."),
    ("entities", "It rains a lot.", None),
    ("numbers", "It rains a lot.", None),
    (
        "agreement",
        "It has never been easy to have a talk.",
        "It have never been easy to have a talk.",
    ),
    ("agreement", "They aren't late.", "They isn't late."),
    ("agreement", "Does he know?", "Do he know?"),
    ("agreement", "The man says hello.", "The man say hello."),
    ("agreement", "He will have the keys.", None),
    ("repeat", "word", "word word"),
    ("generic", "The train leaves at nine.", "I don't know."),
    ("empty", "The train leaves at nine.", ""),
    ("synonyms", "A car.", "An automobile."),
    ("synonyms", "It had begun.", "It had started."),
    ("synonyms", "It had started.", "It had begun."),
    ("synonyms", "It started.", "It began."),
    ("synonyms", "Tell Huge Films.", None),
    ("contractions", "I can't, but they're sure.", "I can not, but they are sure."),
    ("contractions", "It's late; he's gone.", "It is late; he has gone."),
    ("contractions", "We'd go, but I'd seen it.", "We would go, but I had seen it."),
    ("contractions", "You do n't , I wo n't .", "You do not , I will not ."),
    ("contractions", "Peter's car won’t start.", "Peter's car will not start."),
    ("contractions", "No problem.", None),
    ("punctuation", '"Well," he said, "3.5 - don\'t!"', "Well he said 3.5 don't"),
    ("case", "Hello World", "hello world"),
    ("case", "hello", "Hello"),
    ("paraphrase", "He stayed because of the rain.", "He stayed due to the rain."),
    ("paraphrase", "He left today.", "Today, he left."),
    ("paraphrase", "In order to win, he ran.", "To win, he ran."),
]


@pytest.mark.parametrize(("name", "text", "expected"), CASES)
def test_cases(name: str, text: str, expected: str | None) -> None:
    assert perturbation(name)(text) == expected


def test_all_of_the_list_are_there() -> None:
    broken = {name for name, p in PERTURBATIONS.items() if p.breaking}
    assert len(broken) == 15  # the list, agreement, and pleading
    assert len(PERTURBATIONS) == 22


def test_what_comes_from_elsewhere() -> None:
    others = ["It rains.", "We saw Carla."]
    assert perturbation("copy")(Original("yes", "Is it cold?")) == "Is it cold?"
    assert perturbation("copy")("yes") is None
    assert perturbation("entities")(Original("We met Ben.", None, others)) == "We met Carla."
    assert perturbation("entities")("We met Ben.") is None
    assert perturbation("flood")(Original("Ask Ben.", None, ["Ask Ben.", "It rains. Yes."])) in (
        "Ask Ben. It rains.",
    )
    assert perturbation("flood")("Ask Ben.").startswith("Ask Ben. The weather")
    assert perturbation("plead")("Ask Ben.").removeprefix("Ask Ben. ") in PLEAS


def test_numbers_keep_their_shape() -> None:
    changed = perturbation("numbers")("In 1990 about 3,000 men and two women came.", 1.0)
    year, men, word = (changed.split()[i] for i in (1, 3, 6))
    assert year != "1990" and len(year) == 4 and year.isdecimal() and year[0] != "0"
    assert men != "3,000" and men[1] == "," and men.replace(",", "").isdecimal()
    assert word in "three four five six seven eight nine ten eleven twelve".split()


def test_severity_is_a_share_of_words() -> None:
    text = " ".join(f"w{i}" for i in range(40))
    for severity in (0.1, 0.25, 0.5):
        kept = perturbation("drop")(text, severity).split()
        assert len(kept) == 40 - round(40 * severity)
        moved = perturbation("jumble")(text, severity).split()
        pairs = zip(moved, text.split(), strict=True)
        assert sum(a != b for a, b in pairs) == round(40 * severity)
        assert len(perturbation("repeat")(text, severity).split()) == 40 + round(40 * severity)
    # More severity drops the same words and more.
    few, many = (set(perturbation("drop")(text, s).split()) for s in (0.2, 0.4))
    assert many < few


def test_another_lexicon_can_stand_in() -> None:
    class Tiny:
        def synonym(self, pieces, i):  # noqa: ARG002
            return None

        def antonym(self, pieces, i):
            return "fade" if pieces[i] == "glow" else None

    assert Antonyms(lexicon=Tiny())("They glow .") == "They fade ."


@pytest.mark.parametrize("name", PERTURBATIONS)
@settings(max_examples=60, deadline=None)
@given(text=odd_texts(), severity=st.sampled_from([0.1, 0.5, 1.0]), seed=st.integers(0, 9))
def test_any_text(name: str, text: str, severity: float, seed: int) -> None:
    change = perturbation(name)
    item = Original(text, "context", [text, "Another One.", ""])
    changed = change(item, severity, seed=seed)
    assert changed == change(item, severity, seed=seed)
    assert changed is None or changed != text
    if change.graded:
        assert change(item, 0.0, seed=seed) is None


@settings(max_examples=100, deadline=None)
@given(texts(), st.sampled_from([0.1, 0.3, 0.5, 1.0]))
def test_order_keeps_the_characters(text: str, severity: float) -> None:
    for name in ("jumble", "reverse"):
        changed = perturbation(name)(text, severity)
        if changed is not None:
            assert Counter("".join(changed.split())) == Counter("".join(text.split()))


@settings(max_examples=100, deadline=None)
@given(st.lists(st.sampled_from("the cat. sat on, a mat".split()), max_size=12))
def test_jumble_keeps_the_words(words: list[str]) -> None:
    changed = perturbation("jumble")(" ".join(words), 0.5)
    assert changed is None or Counter(changed.split()) == Counter(words)


def test_forms() -> None:
    assert verb("stop")[1:] == ("stops", "stopped", "stopped", "stopping")
    assert verb("carry")[1:] == ("carries", "carried", "carried", "carrying")
    assert verb("take")[1:] == ("takes", "took", "taken", "taking")
    assert [plural(n) for n in ("city", "wife", "man", "box")] == [
        "cities",
        "wives",
        "men",
        "boxes",
    ]
    pasts = "stopped tried moved walked announced called used created reduced offered"
    bases = "stop try move walk announce call use create reduce offer"
    assert [base_of_past(past) for past in pasts.split()] == bases.split()


def test_unknown_name() -> None:
    with pytest.raises(SpecError, match=r"'jumbel'; there are: jumble"):
        perturbation("jumbel")
