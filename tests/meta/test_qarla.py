"""QARLA and ORANGE: Asiya's numbers, the specification's examples, definitions written out."""

import json
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles import qarla as oracle

from nlgauge import DataError, SpecError, Suite
from nlgauge.core import registry
from nlgauge.data.topic_similarities import TopicSimilarities
from nlgauge.io.scores.topic_similarities import read_similarities
from nlgauge.meta.without_people import qarla
from nlgauge.meta.without_people.metric_sets import agreement, search
from nlgauge.meta.without_people.metric_sets import qarla as whole
from nlgauge.meta.without_people.orange import leave_one_out, orange
from nlgauge.meta.without_people.similarities import similarities

FILES = Path(__file__).parents[1] / "golden" / "stats"
ASIYA = json.loads((FILES / "asiya_qarla.json").read_text())["records"]


@pytest.fixture(scope="module")
def asiya() -> TopicSimilarities:
    return read_similarities(str(FILES / "similarities.json"))


def made(values, peers: int) -> TopicSimilarities:
    """From [metrics, topics, texts, texts]."""
    values = np.array(values, float)
    texts = values.shape[2]
    values[:, :, np.arange(texts), np.arange(texts)] = np.nan
    return TopicSimilarities(
        metrics=tuple(f"x{i}" for i in range(values.shape[0])),
        topics=tuple(f"t{i}" for i in range(values.shape[1])),
        peers=tuple(f"a{i}" for i in range(peers)),
        models=tuple(f"m{i}" for i in range(texts - peers)),
        values=values,
    )


@st.composite
def drawn(draw, metrics: int = 3, peers: int = 3, models: int = 4, topics: int = 2):
    """Few levels, so that ties are common."""
    seed = draw(st.integers(0, 2**32 - 1))
    levels = draw(st.sampled_from([2, 4, 1000]))
    rng = np.random.default_rng(seed)
    texts = peers + models
    values = rng.integers(0, levels, (metrics, topics, texts, texts)).astype(float)
    values[:, :, peers:, peers:] += draw(st.sampled_from([0, 1, levels // 2]))
    return made(values, peers)


@pytest.mark.parametrize("name", ASIYA["QUEEN"])
def test_queen_equals_asiya(asiya: TopicSimilarities, name: str) -> None:
    found = qarla.assess(asiya, [name.split("+")])[0]
    for i, system in enumerate(asiya.peers):
        expected = ASIYA["QUEEN"][name][system]
        assert found.queen[:, i] == pytest.approx(expected["seg"], abs=1e-12)
        assert found.queens[i] == pytest.approx(expected["sys"], abs=1e-12)


@pytest.mark.parametrize("name", ASIYA["KING_QUEEN"])
def test_king_equals_asiya(asiya: TopicSimilarities, name: str) -> None:
    share, hits, count = ASIYA["KING_QUEEN"][name]
    found = qarla.assess(asiya, [name.split("+")], strict=False)[0]
    assert (found.kings.sum(), found.kings.size) == (hits, count)
    assert found.king == pytest.approx(share)


def test_orange_and_king_of_single_metrics_equal_asiya(asiya: TopicSimilarities) -> None:
    found = orange(asiya)
    for i, name in enumerate(asiya.metrics):
        assert found.probability[i] == pytest.approx(ASIYA["ORANGE"][name][0], abs=1e-12)
        assert found.king[i] == pytest.approx(ASIYA["KING"][name][0], abs=1e-12)


def test_queen_of_the_specification() -> None:
    places = np.array([1.5, 5, 0, 1, 3])
    values = -np.abs(places[:, None] - places)
    found = qarla.queen(made(values[None, None], peers=2))
    assert found[0, :2] == pytest.approx([7 / 9, 2 / 9])


@given(drawn(), st.booleans())
@settings(max_examples=20)
def test_as_the_definitions_read(sims: TopicSimilarities, strict: bool) -> None:
    peers, models = [0, 1, 2], [3, 4, 5, 6]
    sets = [s for n in (1, 2, 3) for s in combinations(range(3), n)]
    found = qarla.assess(sims, [[f"x{i}" for i in s] for s in sets], strict=strict)
    shares = search(sims, sims.metrics, strict=strict)
    for one, chosen in zip(found, sets, strict=True):
        for topic in range(2):
            x = sims.values[:, topic]
            queens = [oracle.queen(x, chosen, a, models) for a in peers + models]
            assert one.queen[topic] == pytest.approx(queens)
            kings = oracle.kings(x, chosen, peers, models, strict)
            assert one.kings[topic].tolist() == kings
            assert one.jacks[topic].tolist() == oracle.jacks(x, chosen, peers, models)
        both = [oracle.kings(sims.values[:, t], chosen, peers, models, strict) for t in range(2)]
        assert shares[sum(1 << i for i in chosen)] == pytest.approx(np.mean(both))
    said = [oracle.agreement(sims.values[:, t], 0, 2, peers, models) for t in range(2)]
    assert agreement(sims)[0, 2] == pytest.approx(np.mean(said))


@given(drawn())
@settings(max_examples=25)
def test_scale_repeated_metrics_and_repeated_peers_change_nothing(sims: TopicSimilarities) -> None:
    before = qarla.assess(sims, [sims.metrics])[0]
    scaled = replace(sims, values=np.exp(sims.values / 500) * 7 - 3)
    after = qarla.assess(scaled, [sims.metrics])[0]
    for name in ("queen", "kings", "jacks"):
        assert np.array_equal(getattr(before, name), getattr(after, name))
    doubled = replace(
        sims,
        metrics=(*sims.metrics, "again"),
        values=np.concatenate([sims.values, sims.values[:1]]),
    )
    after = qarla.assess(doubled, [doubled.metrics])[0]
    for name in ("queen", "kings", "jacks"):
        assert np.array_equal(getattr(before, name), getattr(after, name))
    order = [0, 0, 1, 2, 3, 4, 5, 6]
    repeated = made(sims.values[:, :, order][..., order], peers=4)
    # A text is as like its copy as can be.
    repeated.values[:, :, [0, 1], [1, 0]] = 1e6
    assert np.array_equal(qarla.assess(repeated, [sims.metrics])[0].kings, before.kings)


@given(drawn(peers=5))
@settings(max_examples=25)
def test_jack_grows_with_peers(sims: TopicSimilarities) -> None:
    fewer = [0, 1, 2, 5, 6, 7, 8]
    part = made(sims.values[:, :, fewer][..., fewer], peers=3)
    more = qarla.assess(sims, [sims.metrics])[0].jacks
    assert (more >= qarla.assess(part, [sims.metrics])[0].jacks).all()


def test_a_constant_metric_has_no_king() -> None:
    sims = made(np.ones((1, 3, 6, 6)), peers=2)
    found = qarla.assess(sims, [["x0"]])[0]
    assert found.king == 0
    assert found.queens == pytest.approx(1)
    assert qarla.king(sims, strict=False) == 1


def test_missing_texts_are_as_if_never_there() -> None:
    rng = np.random.default_rng(3)
    values = rng.random((2, 2, 7, 7))
    whole_topic = values[:, 1:].copy()
    values[:, 0, [1, 6]] = values[:, 0, :, [1, 6]] = np.nan  # one peer and one model
    found = qarla.assess(made(values, peers=3), [["x0", "x1"]])[0]
    kept = [0, 2, 3, 4, 5]
    small = made(values[:, :1][:, :, kept][..., kept], peers=2)
    alone = qarla.assess(small, [["x0", "x1"]])[0]
    assert found.queen[0, kept] == pytest.approx(alone.queen[0])
    assert np.isnan(found.queen[0, [1, 6]]).all()
    assert found.kings[0, :3].tolist() == alone.kings[0].tolist()
    assert np.isnan(found.kings[0, 3])
    other = qarla.assess(made(whole_topic, peers=3), [["x0", "x1"]])[0]
    assert found.queen[1] == pytest.approx(other.queen[0])


def test_large_topics_are_taken_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(4)
    sims = made(rng.integers(0, 9, (3, 2, 9, 9)), peers=4)
    expected = whole(sims)
    monkeypatch.setattr(qarla, "CHUNK", 1)
    monkeypatch.setattr("nlgauge.meta.without_people.metric_sets.CELLS", 1)
    found = whole(sims)
    assert np.array_equal(found.kings, expected.kings, equal_nan=True)
    assert np.array_equal(found.tree.distances, expected.tree.distances)
    assert np.array_equal(found.best.queen, expected.best.queen)


def test_the_best_set_and_clusters() -> None:
    rng = np.random.default_rng(5)
    values = rng.random((1, 8, 7, 7))
    good = values.copy()
    good[:, :, 4:, 4:] = 3  # an ideal metric puts all models together
    good[:, :, :4, 4:] -= 2
    sims = made(np.concatenate([values, good, good**3, rng.random((1, 8, 7, 7))]), peers=4)
    found = whole(sims, clusters=3)
    assert [c.metrics for c in found.clusters] == [("x0",), ("x1", "x2"), ("x3",)]
    assert found.clusters[1].best == "x1"
    assert found.best.metrics == ("x1",)  # of equals, the smallest
    assert found.best.king == 1
    assert sorted(found.tree.order) == [0, 1, 2, 3]
    assert np.isnan(found.kings[0])
    assert len(found.kings) == 8


SUITE = Suite.build(
    {"north": ["a cat sat here", "the dog runs"], "south": ["cat", "a dog ran in the park"]},
    [
        ["the cat sat here", "a cat sat there", "here sat a cat"],
        ["the dog runs fast", "a dog runs", "dogs run fast"],
    ],
)


@pytest.mark.parametrize("spec", ["rouge-1", "ter", "bleu(effective_order=yes)"])
def test_similarities_are_scores_with_one_reference(spec: str) -> None:
    sims = similarities(SUITE, [spec])
    metric = registry.metric(spec)
    sign = 1 if metric.info.higher_is_better else -1
    for topic in range(2):
        refs = next(iter(SUITE)).references[topic]
        texts = [*(c.hypotheses[topic] for c in SUITE), *refs]
        for a in range(5):
            for b in range(5):
                if a == b or (a >= 2 and b < 2):
                    assert np.isnan(sims.values[0, topic, a, b])
                    continue
                expected = sign * metric.sentence_score(texts[a], [texts[b]]).score
                assert sims.values[0, topic, a, b] == pytest.approx(expected)


def test_metrics_of_the_whole_test_set_are_fitted_on_it() -> None:
    values = similarities(SUITE, ["cider"]).values
    assert np.nanmax(values) > 0  # one segment alone has no document frequencies


def test_orange_by_hand() -> None:
    found = orange(leave_one_out(SUITE, ["rouge-1(measure=recall,references=best)"]))
    # "the cat sat here" by "a cat sat there" and "here sat a cat": 3/4 by the second;
    # north "a cat sat here" 1, south "cat" 1/4: second of three.
    assert found.ranks[0, 0].tolist()[0] == 2
    assert found.lengths.tolist() == [[3, 3, 3], [3, 3, 3]]
    assert found.orange[0] == pytest.approx((found.ranks[0] / 3).mean())


def test_orange_shares_ranks_between_equals() -> None:
    found = orange(made(np.ones((1, 1, 5, 5)), peers=3))
    assert found.ranks.tolist() == [[[2.5, 2.5]]]  # of 1, 2, 3, 4
    assert found.orange.tolist() == [0.625]
    assert found.probability.tolist() == [1.0]


def test_the_papers_similarities() -> None:
    names = registry.SETS["qarla"]
    assert len(set(names)) == 24 + 24 + 9 + 1
    sims = similarities(SUITE, ["qarla"])
    assert len(sims.metrics) == 49  # those of the source's words need a source
    assert whole(sims).searched


def test_refusals(tmp_path: Path) -> None:
    two = Suite.build({"a": ["x"]}, [["x y", "y"]])
    with pytest.raises(DataError, match="none has more than 2"):
        whole(similarities(two, ["rouge-1"]))
    one = Suite.build({"a": ["x"]}, [["x y"]])
    with pytest.raises(DataError, match="two references or more"):
        leave_one_out(one, ["rouge-1"])
    with pytest.raises(DataError, match="no reference"):
        similarities(Suite.build({"a": ["x"]}), ["rouge-1"], peers=False)
    sims = made(np.ones((1, 1, 5, 5)), peers=2)
    with pytest.raises(SpecError, match="no similarity by 'y'"):
        qarla.king(sims, ["y"])
    with pytest.raises(SpecError, match="clusters=17"):
        whole(sims, clusters=17)
    holes = np.ones((2, 1, 5, 5))
    holes[1, 0, 0, 3] = np.nan
    with pytest.raises(DataError, match="x1: no similarity of a0 to m1 for t0"):
        made(holes, peers=2)
    file = tmp_path / "s.json"
    start = '{"systems": ["a"], "references": ["r"], "scores": '
    for text, message in {
        "[]": "an object with systems",
        start + "{}}": "scores: an object",
        start + '{"x": {"b": {"r": [1]}}}}': "'b' is no system",
        start + '{"x": {"a": {"r": [true]}}}}': "segment 1: True",
        start + '{"x": {"a": {"r": [1]}, "r": {"a": [1, 2]}}}}': r"lists of \[1, 2\]",
        '{"systems": ["a"], "references": ["a"], "scores": {}}': "names of their own",
    }.items():
        file.write_text(text)
        with pytest.raises(DataError, match=message):
            read_similarities(str(file))
