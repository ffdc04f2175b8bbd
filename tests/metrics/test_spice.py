"""SPICE's graphs, its score with given tuples, and what it says about itself."""

import io
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from nlgauge import Corpus, DataError
from nlgauge.core import registry
from nlgauge.explain.explanation import explain
from nlgauge.explain.traces import GraphItem, Graphs, Relation
from nlgauge.metrics.syntax.scene_graph import SceneGraph, compare, senses_of
from nlgauge.report.explain.explanation_html import sections, to_svg
from nlgauge.report.explain.explanation_text import print_explanations
from nlgauge.report.pages.page import to_html

FACTS = [("girl",), ("girl", "young"), ("girl", "on", "court"), ("court",), ("court", "tennis")]


def annotated(hypothesis, *references) -> Corpus:
    annotation = {"hypothesis": hypothesis, "references": list(references)}
    return Corpus.build([""], [[""]], annotations=[annotation])


def test_synonyms_are_one_object_and_share_their_attributes() -> None:
    facts = [("car", "blue"), ("automobile",), ("automobile", "near", "house"), ("car", "blue")]
    graph = SceneGraph.build(facts, senses_of(facts))
    assert [c.words for c in graph.objects] == [{"car", "automobile"}, {"house"}]
    assert [[str(a) for a in attributes] for attributes in graph.attributes] == [["blue"], []]
    assert len(SceneGraph.build(facts, senses_of(facts), merging=False).objects) == 3


def test_be_before_a_relation_is_dropped() -> None:
    counts = compare([("man", "be on", "horse")], [[("man", "on", "horse")]]).counts()
    assert (counts.matched, counts.f1) == (3, 1.0)


def test_every_part_of_a_tuple_must_match() -> None:
    found = compare(FACTS, [[("girl",), ("boy", "young"), ("court", "on", "girl")]])
    # girl and court are there; young is said of a boy, and on stands the other way round.
    assert found.counts().matched == 2
    assert [found.counts(name).matched for name in ("object", "attribute", "relation")] == [2, 0, 0]


def test_several_tuples_may_match_the_same_one() -> None:
    """Cat and kitty share no synset with each other here, but each with what they are merged to."""
    senses = {"a": {1}, "b": {2}, "c": {1, 2}}
    counts = compare([("a",), ("b",)], [[("c",)]], senses=senses).counts()
    assert (counts.precision, counts.recall) == (1.0, 2.0)
    assert counts.f1 == pytest.approx(4 / 3)


def test_identical_tuples_are_perfect_and_nothing_is_zero() -> None:
    metric = registry.metric("spice(graphs=given)")
    assert metric.evaluate(annotated(FACTS, FACTS)).value == 1.0
    assert metric.evaluate(annotated([], FACTS)).value == 0.0
    nothing = metric.evaluate(annotated(FACTS, []))
    assert nothing.value == 0.0
    assert nothing.parts["object"] is None  # undefined, as no reference has any


def test_colours_counts_and_sizes() -> None:
    hyp = [("dog", "two"), ("dog", "brown"), ("dog", "big")]
    ref = [("dog", "two"), ("dog", "black"), ("dog", "big"), ("cat", "tiny")]
    parts = registry.metric("spice(graphs=given)").evaluate(annotated(hyp, ref)).parts
    assert (parts["count"], parts["colour"]) == (1.0, 0.0)
    assert parts["size"] == pytest.approx(2 / 3)  # 1 of 1 and 1 of 2


@pytest.mark.parametrize(
    ("annotation", "message"),
    [
        (None, "expected an object"),
        ({"references": []}, "'hypothesis' is missing"),
        ({"hypothesis": [["a", "b", "c", "d"]], "references": []}, "expected tuples like"),
        ({"hypothesis": ["girl"], "references": []}, "expected tuples like"),
        ({"hypothesis": [], "references": ["girl"]}, "for each reference tuples like"),
    ],
)
def test_wrong_tuples_are_refused(annotation, message: str) -> None:
    corpus = Corpus.build(["x"], [["y"]], annotations=[annotation])
    with pytest.raises(DataError, match=message):
        registry.metric("spice(graphs=given)").evaluate(corpus)


def test_given_tuples_must_be_there() -> None:
    with pytest.raises(DataError, match="needs annotations"):
        registry.metric("spice(graphs=given)").evaluate(Corpus.build(["x"], [["y"]]))


CONLLU = """# text = a red dog
1\ta\ta\tDET\tDT\t_\t3\tdet\t_\t_
2\tred\tred\tADJ\tJJ\t_\t3\tamod\t_\t_
3\tdog\tdog\tNOUN\tNN\t_\t0\troot\t_\t_

# text = a dog on <grass>
1\ta\ta\tDET\tDT\t_\t2\tdet\t_\t_
2\tdog\tdog\tNOUN\tNN\t_\t0\troot\t_\t_
3\ton\ton\tADP\tIN\t_\t4\tcase\t_\t_
4\t<grass>\t<grass>\tNOUN\tNN\t_\t2\tnmod\t_\t_

"""


@pytest.fixture
def parses(tmp_path) -> str:
    path = tmp_path / "captions.conllu"
    path.write_text(CONLLU, encoding="utf-8")
    return str(path)


def test_captions_parsed_elsewhere(parses: str) -> None:
    metric = registry.metric("spice", parser=parses)
    corpus = Corpus.build(
        ["a red dog", "a red dog", ""], [["a red dog"], ["a dog on <grass>"], ["a red dog"]]
    )
    # (dog) of (dog), (dog, red) and of (dog), (grass), (dog, on, grass): 2 · 1/2 · 1/3 / (5/6)
    assert metric.score(metric.rows(corpus)).tolist() == pytest.approx([1.0, 0.4, 0.0])
    assert metric.evaluate(corpus).value == pytest.approx(1.4 / 3)


def test_explain_draws_both_graphs(parses: str) -> None:
    metric = registry.metric("spice", parser=parses)
    found = explain("a red dog", ["a dog on <grass>"], [metric])
    trace = found[0].trace
    assert isinstance(trace, Graphs)
    assert trace.hyp.objects == (GraphItem("dog", True, (GraphItem("red", False),)),)
    assert trace.ref.objects == (GraphItem("dog", True), GraphItem("<grass>", False))
    assert trace.ref.relations == (Relation(0, "on", 1, False),)
    out = io.StringIO()
    print_explanations(found, Console(file=out, width=100))
    lines = out.getvalue().split("\n")
    assert "    [dog]" in lines and "      └ red" in lines and "      └ on → <grass>" in lines
    ElementTree.fromstring(to_svg(trace))
    page = to_html("x", sections(found))
    assert "&lt;grass&gt;" in page and "<grass>" not in page


def test_the_signature_names_what_matters(parses: str) -> None:
    signature = registry.metric("spice", parser=parses).signature()
    assert "with.wordnet:3.0" in signature and "with.parser:file" in signature
    assert "with." not in registry.metric("spice(graphs=given,synonyms=no)").signature()


WORDS = st.sampled_from(["dog", "cat", "red", "on", "big"])
TUPLES = st.lists(st.lists(WORDS, min_size=1, max_size=3).map(tuple), max_size=12)


def closed(facts) -> set[tuple[str, ...]]:
    """With the objects that attributes and relations are of."""
    ends = {(fact[0],) for fact in facts} | {(fact[2],) for fact in facts if len(fact) == 3}
    return {*facts, *ends}


@given(hyp=TUPLES, refs=st.lists(TUPLES, min_size=1, max_size=3))
def test_without_synonyms_tuples_are_sets(hyp, refs) -> None:
    ours, theirs = closed(hyp), closed([fact for facts in refs for fact in facts])
    counts = compare(hyp, refs, synonyms=False).counts()
    found = (counts.candidate, counts.references, counts.matched)
    assert found == (len(ours), len(theirs), len(ours & theirs))


@given(facts=TUPLES, references=st.integers(1, 3))
def test_what_all_references_say_is_perfect(facts, references: int) -> None:
    counts = compare(facts, [facts] * references).counts()
    assert counts.matched == counts.candidate == counts.references


def test_english_captions() -> None:
    """With the pipeline that the extra `syntax` brings."""
    hyp, ref = "A young man is riding two horses.", "A man rides a horse on the beach."
    metric = registry.metric("spice")
    (found,) = metric.comparisons(Corpus.build([hyp], [[ref]]))
    said = [" ".join(map(str, found.candidate.concepts(p))) for p in found.candidate.facts()]
    assert said == ["man", "horse", "man young", "horse two", "man ride horse"]
    # Of the reference's man, horse, beach, (man, ride, horse) and (man, on, beach): 3 of 5 and 5.
    assert found.counts().f1 == pytest.approx(0.6)
    assert metric.sentence_score("", [ref]).value == metric.sentence_score(hyp, [""]).value == 0.0
