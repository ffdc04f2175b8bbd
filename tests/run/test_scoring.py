"""The three ways in: nlgauge.score, sacreBLEU's methods, Hugging Face's load and compute."""

import pytest
from support import peer

import nlgauge
from nlgauge import BLEU, TER, ChrF, Corpus, DataError, NlgaugeWarning, RunContext, SpecError, Suite
from nlgauge.core import registry

HYPS = ["the cat sat on the mat today", "a dog runs in the park", "it rains"]
REFS = [
    ["the cat sat on a mat today", "a cat was on the mat"],
    ["the dog runs in a park", "a dog ran in the park"],
    ["it is raining", "it rains"],
]
SETS = [list(column) for column in zip(*REFS, strict=True)]
OTHER = ["the cat sat", "a dog", "rain"]


def expected(metric, hyps=HYPS, refs=REFS) -> float:
    return peer.score(metric, hyps, refs).score


def test_one_system_with_a_list_of_references() -> None:
    first = [refs[0] for refs in REFS]
    table = nlgauge.score(HYPS, first)
    assert [column.name for column in table.columns] == ["bleu", "chrf", "ter"]
    one = [[r] for r in first]
    assert table["bleu"].score == pytest.approx(expected(peer.bleu(tokenize="13a"), refs=one))
    assert table["chrf"].score == pytest.approx(expected(peer.chrf(), refs=one))
    assert table["ter"].score == pytest.approx(expected(peer.ter(), refs=one))
    assert float(table["ter"]) == table["ter"].score == table["ter"].value * 100


def test_layouts_of_references_agree() -> None:
    nested, sets = nlgauge.score(HYPS, REFS), nlgauge.score(HYPS, reference_sets=SETS)
    assert list(nested) == list(sets)
    assert nested["bleu"].score == pytest.approx(expected(peer.bleu(tokenize="13a")))


def test_several_systems() -> None:
    table = nlgauge.score({"A": HYPS, "B": OTHER}, REFS, metrics=["ter", BLEU(max_order=2)])
    assert table.systems == ["A", "B"]
    assert table["B", "ter"].score == pytest.approx(expected(peer.ter(), OTHER))
    bleu2 = peer.bleu(tokenize="13a", max_ngram_order=2)
    assert table["B", "bleu(max_order=2)"].score == pytest.approx(expected(bleu2, OTHER))
    assert table.best("ter") == ["A"]
    assert [s.name for s in table] == ["ter", "bleu(max_order=2)"] * 2


def test_segment_scores_are_those_of_single_segments() -> None:
    table = nlgauge.score(HYPS, REFS, metrics=["sentbleu", "chrf++", "ter"], ids=["x", "y", "z"])
    tools = {
        "sentbleu": peer.bleu(tokenize="13a", effective_order=True),
        "chrf++": peer.chrf(word_order=2),
        "ter": peer.ter(),
    }
    records = list(table.records())
    assert [(r["system"], r["id"]) for r in records] == [("system", i) for i in "xyz"]
    for name, tool in tools.items():
        theirs = [expected(tool, [h], [r]) for h, r in zip(HYPS, REFS, strict=True)]
        assert table.segment_scores("system", name).tolist() == pytest.approx(theirs)
        assert [r["scores"][name]["score"] for r in records] == pytest.approx(theirs)
    assert records[2]["scores"]["ter"] == {"score": 0.0, "edits": 0, "ref_len": 2.5}


def test_metrics_scored_together_and_alone_agree() -> None:
    specs = ["bleu", "bleu(tokenizer=none)", "chrf", "chrf++", "ter", "ter(normalized=yes)"]
    together = nlgauge.score(HYPS, REFS, metrics=specs)
    for spec in specs:
        assert together[spec].value == nlgauge.score(HYPS, REFS, metrics=[spec])[spec].value


def test_ties_have_several_winners() -> None:
    table = nlgauge.score({"A": HYPS, "B": HYPS, "C": OTHER}, REFS, metrics=["bleu", "ter"])
    assert table.best("bleu") == table.best("ter") == ["A", "B"]


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: nlgauge.score(HYPS, REFS, metrics=[]), SpecError, "no metric"),
        (
            lambda: nlgauge.score(HYPS, REFS, metrics=["bleu", "bleu"]),
            SpecError,
            "bleu is given twice",
        ),
        (lambda: nlgauge.score(HYPS, REFS, metrics=["blue"]), SpecError, "did you mean bleu"),
        (lambda: nlgauge.score(HYPS, REFS, threads=0), SpecError, "threads=0: must be at least 1"),
        (lambda: nlgauge.score(HYPS), DataError, r"bleu needs references.*segment 1.*3 of 3"),
        (lambda: nlgauge.score(HYPS, SETS), DataError, "transposed"),
        (lambda: nlgauge.score(HYPS, REFS, ids=["a", "b", "a"]), DataError, "id 'a'"),
        (lambda: nlgauge.score({"A": HYPS, "B": ["x"]}, REFS), DataError, "A: 3, B: 1"),
        (
            lambda: nlgauge.score(HYPS, REFS, metrics=["delta-bleu"]),
            DataError,
            "needs reference_weights",
        ),
        (lambda: nlgauge.score(HYPS, REFS)["nist"], SpecError, "no metric 'nist'.*bleu, chrf, ter"),
        (lambda: nlgauge.score({"A": HYPS, "B": HYPS}, REFS)["bleu"], SpecError, "several systems"),
        (
            lambda: nlgauge.score(HYPS, REFS)["B", "bleu"],
            SpecError,
            "no system 'B'; there are system",
        ),
        (lambda: BLEU().sentence_score("a", "b"), DataError, "list of str"),
        (
            lambda: BLEU().corpus_score(HYPS, REFS[:2]),
            DataError,
            "set 1 has 2 entries.*3 hypotheses",
        ),
        (lambda: BLEU().corpus_score("the cat", [["the cat"]]), DataError, "single str"),
    ],
)
def test_faults_are_named(call, error, message: str) -> None:
    with pytest.raises(error, match=message):
        call()


def test_gaps_in_the_references() -> None:
    sets = [["the cat", "a dog"], [None, "the dog"]]
    found = ChrF().corpus_score(["cat", "dog"], sets)
    assert found.score == pytest.approx(peer.chrf().corpus_score(["cat", "dog"], sets).score)
    assert "|nrefs:var|" in found.signature
    with pytest.raises(DataError, match="segment 1 of system has none"):
        ChrF().corpus_score(["cat", "dog"], [[None, "a dog"]])


def test_tokenised_text_is_warned_about() -> None:
    tokenised = ["This is it .", "So is that .", "And this ."]
    with pytest.warns(NlgaugeWarning, match="3 of 3 sentences.*tokenizer=none"):
        nlgauge.score(tokenised, tokenised, metrics=["bleu"])
    # Any warning is an error here: these give none.
    nlgauge.score(tokenised, tokenised, metrics=["bleu(tokenizer=none)", "chrf", "ter"])
    nlgauge.score(tokenised[:2] * 2, ["This is it."] * 4, metrics=["chrf"])
    nlgauge.score(["This is it.", *tokenised[:2]], ["x", "y", "z"], metrics=["bleu"])


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (BLEU(), peer.bleu(tokenize="13a")),
        (
            BLEU(lowercase=True, smooth="floor"),
            peer.bleu(tokenize="13a", lowercase=True, smooth_method="floor"),
        ),
        (ChrF(word_order=2), peer.chrf(word_order=2)),
        (TER(), peer.ter()),
    ],
    ids=["bleu", "bleu-floor", "chrf++", "ter"],
)
def test_methods_shaped_as_in_sacrebleu(ours, theirs) -> None:
    assert ours.corpus_score(HYPS, SETS).score == pytest.approx(
        theirs.corpus_score(HYPS, SETS).score
    )
    one = theirs.sentence_score(HYPS[0], REFS[0]).score
    assert ours.sentence_score(HYPS[0], REFS[0]).score == pytest.approx(one)
    assert str(ours.sentence_score(HYPS[0], REFS[0])) == f"{ours.info.name} = {one:.2f}"


def test_compute_of_our_own_metrics() -> None:
    found = nlgauge.load("bleu()").compute(predictions=HYPS, references=REFS)
    theirs = peer.score(peer.bleu(tokenize="13a"), HYPS, REFS)
    assert found["score"] == pytest.approx(theirs.score)
    assert (found["counts"], found["totals"]) == (theirs.counts, theirs.totals)
    assert found["signature"].startswith("bleu|nrefs:2|tokenizer:13a|")
    single = nlgauge.load("ter()").compute(predictions=["a b"], references=["a c"])
    assert (single["score"], single["edits"]) == (50.0, 1)


def test_batches_add_up_and_are_used_up() -> None:
    loaded = nlgauge.load("chrf", word_order=2)
    loaded.add_batch(predictions=HYPS[:2], references=REFS[:2])
    loaded.add(prediction=HYPS[2], reference=REFS[2])
    assert loaded.compute()["score"] == pytest.approx(expected(peer.chrf(word_order=2)))
    with pytest.raises(DataError, match="no segments"):
        loaded.compute()


def test_options_hold_for_one_computation() -> None:
    loaded = nlgauge.load("bleu()")
    arguments = {"predictions": ["A B c d e"], "references": ["a b c d e"]}
    assert loaded.compute(**arguments, lowercase=True)["score"] == pytest.approx(100)
    assert loaded.compute(**arguments)["score"] < 99


def test_faults_of_compute() -> None:
    loaded = nlgauge.load("bleu")
    with pytest.raises(DataError, match="both"):
        loaded.compute(predictions=["a"])
    with pytest.raises(DataError, match="2 predictions but 1 references"):
        loaded.add_batch(predictions=["a", "b"], references=["a"])
    with pytest.raises(SpecError, match="lowercse"):
        loaded.compute(predictions=["a"], references=["a"], lowercse=True)


def test_a_failed_computation_leaves_nothing_behind() -> None:
    loaded = nlgauge.load("ter")
    with pytest.raises(DataError):
        loaded.compute(predictions=["a"], references=[[]])
    assert loaded.compute(predictions=["a b"], references=["a c"])["score"] == 50


def test_evaluate_of_a_corpus_is_the_score() -> None:
    corpus = Corpus.build(HYPS, REFS)
    assert registry.metric("ter").evaluate(corpus).value == nlgauge.score(HYPS, REFS)["ter"].value


def test_a_run_has_settings_of_its_own(tmp_path) -> None:
    heard: list[str] = []
    suite = Suite.build({"one": ["a b"], "two": ["b a"]}, ["a b"])
    metrics = ["hwcm(parser=chain,order=2)"]
    context = RunContext(threads=1, parse_cache=str(tmp_path), on_system=heard.append)
    with_cache = nlgauge.score_suite(suite, metrics, context=context)
    assert heard == ["one", "two"]
    assert list(tmp_path.glob("*.parses"))
    # The settings are the run's: the texts are as they were, and another run hears nothing.
    assert all(corpus.context == RunContext() for corpus in suite)
    without = nlgauge.score_suite(suite, metrics)
    assert heard == ["one", "two"]
    assert without.printed() == with_cache.printed()


def test_threads_go_before_those_of_the_context() -> None:
    suite = Suite.build({"one": ["a b"]}, ["a b"])
    with pytest.raises(SpecError, match="threads=0"):
        nlgauge.score_suite(suite, ["bleu"], context=RunContext(threads=0))
    assert nlgauge.score_suite(suite, ["bleu"], threads=1, context=RunContext(threads=0))
