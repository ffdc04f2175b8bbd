"""The report card: known facts, hand calculations and the command."""

import json
import math
from pathlib import Path

import numpy as np
import pytest
from support.command_line import prepare, run

from nlgauge import Corpus, DataError, SpecError
from nlgauge.cli import main
from nlgauge.meta.stress.perturbations import Perturbation
from nlgauge.meta.stress.robustness import robustness

# Isozaki et al. (2010), R0 and H0.
R0 = "he was interested in world history because he read the book"
H0 = "he read the book because he was interested in world history"
REFS = [R0, "the quick brown fox jumps over the lazy dog", "she sold old books in the new shop"]


class ClauseSwap(Perturbation):
    """`A because B` -> `B because A`."""

    name = "clauses"
    summary = "clauses exchanged"

    def change(self, given, severity, rng):  # noqa: ARG002
        first, because, second = given.text.partition(" because ")
        return f"{second}{because}{first}" if because else None


def test_clause_swap_of_the_paper() -> None:
    result = robustness(Corpus.build(REFS, REFS), ["bleu", "nkt"], perturbations=[ClauseSwap()])
    assert result.trials[0].texts == ((H0, None, None),)
    assert result.trials[0].coverage == pytest.approx(1 / 3)
    bleu, nkt = (result.outcomes[name, "clauses"] for name in ("bleu", "nkt"))
    assert bleu.texts == 1
    assert 1 - bleu.drop == pytest.approx(0.740, abs=5e-4)
    assert bleu.change == pytest.approx(-26.0, abs=0.05)
    assert 1 - nkt.drop == pytest.approx(0.382, abs=5e-4)


def test_unigram_metrics_are_blind_to_order() -> None:
    names = ["per", "gtm(exponent=1)", "rouge-1", "nkt", "ter"]
    result = robustness(Corpus.build(REFS, REFS), names, perturbations=["jumble", "reverse"])
    for order in ("jumble", "reverse"):
        for blind in names[:3]:
            outcome = result.outcomes[blind, order]
            assert outcome.drop == outcome.ranked == outcome.passing == 0
            assert not outcome.passed
        for sighted in names[3:]:
            assert result.outcomes[sighted, order].passed


def test_numbers_by_hand() -> None:
    # Words as they are; one reference of 4 and one of 2 words, so one and two of them repeated.
    refs = ["a b c d", "p q"]
    result = robustness(
        Corpus.build(refs, refs),
        ["wer", "ol(tokenizer=none)"],
        perturbations=["repeat", "empty", "numbers"],
        severities=[0.5],
    )
    wer = result.outcomes["wer", "repeat"]
    np.testing.assert_allclose(wer.drops, [[2 / 4, 1 / 2]])  # as far as empty texts are: 1
    assert result.ranges["wer"] == 1
    assert (wer.change, wer.drop, wer.ranked, wer.passing) == (0.5, 0.5, 1, 1)
    np.testing.assert_allclose(result.trials[0].touched, [[0.5, 0.5]])
    assert result.outcomes["wer", "empty"].drop == 1
    nothing = result.outcomes["wer", "numbers"]
    assert (nothing.texts, nothing.passed) == (0, False)
    assert math.isnan(nothing.drop) and result.trials[2].coverage == 0


def test_drop_follows_severity() -> None:
    refs = [" ".join(f"w{i}x{k}" for i in range(20)) for k in range(10)]
    result = robustness(Corpus.build(refs, refs), ["wer"], perturbations=["drop"])
    outcome = result.outcomes["wer", "drop"]
    # Each dropped word is one deletion.
    np.testing.assert_allclose(outcome.by_severity, [0.1, 0.2, 0.3, 0.4, 0.5])
    assert outcome.correlation == pytest.approx(1)


@pytest.mark.filterwarnings("ignore:.*looks raw:nlgauge.errors.TextWarning")
def test_kept_meaning_and_separation() -> None:
    refs = ["The Cat sat.", "A Dog ran off."]
    result = robustness(
        Corpus.build(refs, refs), ["wer", "wer(lowercase=yes)"], perturbations=["case", "empty"]
    )
    # In the first, two of three and two of four words change; all are lost by emptying.
    assert result.outcomes["wer", "case"].size == pytest.approx((2 / 3 + 2 / 4) / 2)
    assert result.outcomes["wer", "case"].passing == 0
    assert result.outcomes["wer(lowercase=yes)", "case"].passing == 1
    assert result.separation == {"wer": 1, "wer(lowercase=yes)": 1}


def test_what_texts_are_scored_against() -> None:
    refs = [["a b c d", "a b x d"], ["p q r s", "p q r t"]]
    hyps = ["a b c z", "p q z z"]
    corpus = Corpus.build(hyps, refs)
    held_out = robustness(corpus, ["wer"], perturbations=["empty"])
    assert held_out.originals == ("a b c d", "p q r s")
    assert held_out.outcomes["wer", "empty"].change == pytest.approx(1 - 1 / 4)
    system = robustness(corpus, ["wer"], perturbations=["empty"], on="system")
    assert system.originals == tuple(hyps)
    assert system.outcomes["wer", "empty"].change == pytest.approx(1 - (1 / 4 + 2 / 4) / 2)
    ragged = Corpus.build(hyps, [refs[0], refs[1][:1]])
    assert robustness(ragged, ["wer"], perturbations=["empty"]).outcomes["wer", "empty"].change == 1


def test_same_seed_same_card() -> None:
    corpus = Corpus.build(REFS, REFS)
    one, two, other = (
        robustness(corpus, ["chrf"], seed=seed, threads=threads).to_dict()
        for seed, threads in ((1, 1), (1, 2), (2, 1))
    )
    assert repr(one) == repr(two) != repr(other)


def test_bad_input() -> None:
    corpus = Corpus.build(["a b"], ["a b"])
    with pytest.raises(SpecError, match=r"severities=\[0, 0.5\]"):
        robustness(corpus, ["wer"], severities=[0, 0.5])
    with pytest.raises(SpecError, match="jumble is given twice"):
        robustness(corpus, ["wer"], perturbations=["jumble", "empty", "jumble"])
    with pytest.raises(SpecError, match="threshold=2"):
        robustness(corpus, ["wer"], threshold=2)
    with pytest.raises(DataError, match="no reference to perturb"):
        robustness(Corpus.build(["a b"]), ["wer"])


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return prepare(tmp_path, monkeypatch)


def test_command(capsys: pytest.CaptureFixture[str]) -> None:
    shown = run(
        capsys, "robustness", "ref.txt", "-m", "bleu", "per", "--show", "1", "--details", "-q"
    )
    assert "✗ 0%" in shown
    assert "The cat sat on a mat today." in shown
    assert "3 texts: first references against all references" in shown
    system = run(capsys, "robustness", "ref.txt", "-i", "sysA.txt", "-m", "ter", "-f", "json")
    record = json.loads(system)
    assert record["scored_against"] == "outputs of sysA against the references"
    assert record["metrics"]["ter"]["outcomes"]["empty"]["passed"] is True
    assert record["perturbations"]["copy"]["coverage"] == 0
    many = run(
        capsys, "robustness", "ref.txt", "-m", "all-lexical", "--perturbations", "empty", "-q"
    )
    assert "(coverage)" in many and "left out: parent: parent needs tables" in many
    assert main(["robustness", "ref.txt", "--perturbations", "jumbel"]) == 2
    assert "there are: jumble" in capsys.readouterr().err


def test_command_on_records(capsys: pytest.CaptureFixture[str]) -> None:
    rows = [
        {"id": 1, "system": s, "pair": p, "source": "Wo?", "reference": "Is it far?", "hyp": h}
        for s, p, h in (("a", "x", "It far?"), ("a", "y", "Far?"), ("b", "y", "Is it far?"))
    ]
    Path("data.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    options = ["--split", "pair", "-m", "wer", "--perturbations", "copy", "-f", "json", "-q"]
    for more, items in (([], 2), (["--on", "system"], 3), (["--system", "b"], 1)):
        record = json.loads(run(capsys, "robustness", "data.jsonl", *options, *more))
        assert record["items"] == items
        assert record["perturbations"]["copy"]["coverage"] == 1
    assert main(["robustness", "data.jsonl", *options, "--system", "c"]) == 2
    assert "no system 'c'; there are a, b" in capsys.readouterr().err


def test_segments_with_ids_are_changed_too() -> None:
    named = Corpus.build(REFS, REFS, ids=[f"s{k}" for k in range(len(REFS))])
    found, plain = (
        robustness(corpus, ["bleu"], perturbations=["drop"])
        for corpus in (named, Corpus.build(REFS, REFS))
    )
    assert found.to_dict() == plain.to_dict()
