"""One small study for every protocol: what is answered, as fields and as keys, and what follows.

Expected values are computed by hand in the comments beside them. A key is one that is pressed;
"text:..." types. Before the keys, the focus is on the first field of the form.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

HEAD = 'title = "A study"\n'


@dataclass(frozen=True)
class Case:
    """A study of one protocol, with one task."""

    question: str  # the table [[question]] of the study file
    records: list[dict[str, Any]]
    fields: dict[str, Any]  # what a browser would send
    keys: list[str]
    expected: list[tuple[Any, ...]]  # item, system, criterion, value or label, against
    more: str = ""  # of the study file
    show: list[str] = field(default_factory=list)

    @property
    def toml(self) -> str:
        return f"{HEAD}show = {self.show!r}\n{self.more}\n[[question]]\n{self.question}\n"


def output(text: str = "The dog sleeps.", system: str = "north", **more: Any) -> dict[str, Any]:
    return {"id": "i1", "system": system, "hypothesis": text, **more}


def usual(criterion: str) -> Case:
    """The usual wording of a criterion: the second step is chosen."""
    name = criterion.replace(" ", "-")
    return Case(
        f'protocol = "{name}"', [output()], {f"q0.{criterion}": "2"}, ["2"],
        [("i1", "north", criterion, 2.0, None)],
    )  # fmt: skip


EMOJI = "Ein 👩‍🚀 fliegt, e\u0301t ça"  # an astronaut of three code points, and a combining accent
ARABIC = "القط نائم الآن"
UNITS = [{"id": "u1", "text": "It rained.", "weight": 3}, {"id": "u2", "text": "It snowed.",
    "weight": 2}, {"id": "u3", "text": "The sun shone.", "weight": 1}]  # fmt: skip

CASES: dict[str, Case] = {
    **{
        name.replace(" ", "-"): usual(name)
        for name in (
            "adequacy",
            "fluency",
            "naturalness",
            "understandability",
            "writing quality",
        )
    },
    "likert": Case(
        'protocol = "likert"\ncriterion = "coherence"\npoints = 6\neven = true\n'
        'anchors = ["none", "full"]',
        [output(source="Der Hund schläft.", references=["The dog is asleep."])],
        {"q0.coherence": "4"}, ["4"], [("i1", "north", "coherence", 4.0, None)],
        show=["source", "references"],
    ),
    "slider": Case(
        'protocol = "slider"\ncriterion = "adequacy"',
        [output(context=[{"speaker": "A", "text": "Hello?"}, {"speaker": "B", "text": "Yes!"}])],
        # The slider starts in the middle, at 50, without an answer.
        {"q0.adequacy": "53"}, ["ArrowRight", "ArrowRight", "ArrowRight"],
        [("i1", "north", "adequacy", 53.0, None)],
        show=["context"],
    ),
    "direct-assessment": Case(
        'protocol = "direct-assessment"', [output()], {"q0.adequacy": "48"},
        ["ArrowLeft", "ArrowLeft"], [("i1", "north", "adequacy", 48.0, None)],
    ),
    "magnitude-estimation": Case(
        'protocol = "magnitude-estimation"\ncriterion = "grammar"\nmodulus = "Dog sleep."',
        [output()],
        {"q0.grammar": "200"}, ["text:200"],
        [("i1", "north", "grammar", 0.6931471805599453, None)],  # ln(200 / 100) = ln 2
    ),
    "pairwise": Case(
        'protocol = "pairwise"', [output(), output("Dog.", "south")],
        {"q0.preference": "tie"}, ["3"], [("i1", "north", "preference", 0.5, "south")],
    ),
    "ranking": Case(
        'protocol = "ranking"',
        [output(), output("Dog sleeps.", "south"), output("Dog.", "west")],
        {"q0.rank.0": "2", "q0.rank.1": "2", "q0.rank.2": "2"},
        ["text:2", "Tab", "text:2", "Tab", "text:2"],
        [("i1", "north", "rank", 0.5, "south"), ("i1", "north", "rank", 0.5, "west"),
         ("i1", "south", "rank", 0.5, "west")],
    ),
    "best-worst": Case(
        'protocol = "best-worst"\nwithin_items = true\nsize = 3\ntimes = 1',
        # One tuple of all three. Whatever the order, equal outputs make the sums known.
        [output(), output("Dog sleeps.", "south"), output("Dog.", "west")],
        {"q0.quality.best": "0", "q0.quality.worst": "2"},
        ["Space", "Tab", "ArrowDown"],
        # By browser: first shown is best, second shown is worst; by fields: north and west.
        [("i1", "north", "quality", 1.0, None), ("i1", "south", "quality", 0.0, None),
         ("i1", "west", "quality", -1.0, None)],
    ),
    "mqm": Case(
        'protocol = "mqm"', [output(EMOJI)],
        {"q0.errors": '[{"text":"0","start":4,"end":9,"label":"Fluency/Spelling",'
         '"severity":"major"},{"text":"0","start":18,"end":21,"label":"Fluency/Punctuation",'
         '"severity":"minor"}]'},
        [],
        # major 5, minor punctuation 0.1
        [("i1", "north", "mqm", -5.1, None), ("i1", "north", "mqm-errors", "Fluency/Punctuation",
          None), ("i1", "north", "mqm-errors", "Fluency/Spelling", None)],
    ),
    "esa": Case(
        'protocol = "esa"', [output(ARABIC)],
        {"q0.errors": '[{"text":"0","start":5,"end":9,"severity":"minor"}]', "q0.score": "70"},
        [],
        [("i1", "north", "esa", 70.0, None), ("i1", "north", "esa-errors", "minor", None)],
    ),
    "answer-correctness": Case(
        'protocol = "answer-correctness"', [output("In 1912.", question="When did it sink?")],
        {"q0.grade": "related"}, ["2"], [("i1", "north", "correctness", 0.5, None)],
    ),
    "nuggets": Case(
        'protocol = "nuggets"\nbeta = 5.0',
        [output("It rained all day.", nuggets=[
            {"id": 1, "text": "It rained.", "vital": True},
            {"id": 2, "text": "It was cold.", "vital": True},
            {"id": 3, "text": "It was day.", "vital": False}])],
        {"q0.found": ["1", "3"]}, ["Space", "Tab", "Tab", "Space"],
        # Recall 1/2; length 15 < 200, so precision 1; F5 = 26 * 0.5 / (25 * 1 + 0.5) = 13/25.5
        [("i1", "north", "nugget-f", 13 / 25.5, None), ("i1", "north", "nuggets", "1", None),
         ("i1", "north", "nuggets", "3", None)],
    ),
    "content-units": Case(
        'protocol = "content-units"', [output(units=UNITS)],
        {"q0.peer": ["u1", "u3"]}, ["Space", "Tab", "Tab", "Space"],
        # Weight 3 + 1 of at most 3 + 2 for two units.
        [("i1", "north", "pyramid", 0.8, None), ("i1", "north", "pyramid units", "u1", None),
         ("i1", "north", "pyramid units", "u3", None)],
    ),
    "factoids": Case(
        'protocol = "factoids"\nthreshold = 0.5',
        [output(summaries=3, units=[
            {"id": "f1", "text": "It rained.", "models": [1, 2, 3]},
            {"id": "f2", "text": "It snowed.", "models": [1, 3]},
            {"id": "f3", "text": "It hailed.", "models": [2]}])],
        {"q0.peer": ["f1", "f3"]}, ["Space", "Tab", "Tab", "Space"],
        # In half of three summaries, that is two: f1 and f2; one of them was found.
        [("i1", "north", "factoid", 0.5, None), ("i1", "north", "factoid units", "f1", None),
         ("i1", "north", "factoid units", "f3", None)],
    ),
    "pyramid": Case(
        'protocol = "pyramid"',
        [{"id": "i1", "references": ["It rained hard.", "Hard rain fell.", "The sun shone."]}],
        {"q0.units": '[{"text":"1","start":0,"end":9,"label":"rain"},'
         '{"text":"2","start":5,"end":9,"label":"rain"},'
         '{"text":"3","start":4,"end":7,"label":"sun"}]'},
        [],
        [("i1", None, "unit weight", 2.0, None), ("i1", None, "unit weight", 1.0, None)],
    ),
    "coverage": Case(
        'protocol = "coverage"',
        [output(units=[{"id": "a", "text": "It rained."}, {"id": "b", "text": "It snowed."}])],
        {"q0.a": "all", "q0.b": "hardly any"},
        ["Space", "Tab", "ArrowDown", "ArrowDown", "ArrowDown"],
        [("i1/a", "north", "i1", 1.0, None), ("i1/b", "north", "i1", 0.25, None)],
    ),
    "meeting": Case(
        'protocol = "meeting"\npoints = 5', [output()],
        {f"q0.{key}": str(1 + k % 5) for k, key in enumerate((
            "important", "concise", "relevant", "balanced", "repetitive", "unnecessary",
            "referents", "continuity", "clear", "disjointed", "incoherent", "clumsy"))},
        [str(1 + k % 5) for k in range(12)],
        [("i1", "north", key, float(1 + k % 5), None) for k, key in enumerate((
            "important", "concise", "relevant", "balanced", "repetitive", "unnecessary",
            "referents", "continuity", "clear", "disjointed", "incoherent", "clumsy"))],
    ),
    "relevance-prediction": Case(
        'protocol = "relevance-prediction"',
        [output("Flood in the north", "headline", event="floods", label="relevant"),
         output("A flood came. " * 20, "full", event="floods", label="relevant")],
        {"q0.relevance": "relevant"}, ["1"],
        [("i1", "headline", "floods", "relevant", None), ("i1", None, "floods", "relevant", None)],
        more="[assignment]\nslots = 2",
    ),
    "ldc-agreement": Case(
        'protocol = "ldc-agreement"',
        [output("Flood in the north", "headline", event="floods", label="relevant")],
        {"q0.relevance": "not relevant"}, ["2"],
        [("i1", "headline", "floods", "not relevant", None),
         ("i1", None, "floods", "relevant", None)],
    ),
    "cross-comprehension": Case(
        'protocol = "cross-comprehension"\nfewest = 1\nmost = 1',
        [{"id": "i1", "document": "It rained for a week, and the river rose by two metres."}],
        {"q0.summary": "A river rose.", "q0.question1": "What rose?", "q0.answer1": "A river."},
        ["text:A river rose.", "Tab", "text:What rose?", "Tab", "text:A river."],
        [],
    ),
    "post-editing": Case(
        'protocol = "post-editing"', [output("the dog sleep")],
        {"q0.text": "the dog sleeps", "q0.text.keys": "1", "q0.effort": "4"},
        ["Control+End", "text:s", "Tab", "ArrowDown", "ArrowDown", "ArrowDown"],
        # One of three words differs.
        [("i1", "north", "hter", 1 / 3, None), ("i1", "north", "keys", 1.0, None),
         ("i1", "north", "effort", 4.0, None)],
    ),
}  # fmt: skip
