"""Models of judgements: statsmodels and published coefficients as oracles."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from statsmodels.api import OLS, add_constant
from statsmodels.stats.diagnostic import het_breuschpagan
from statsmodels.stats.outliers_influence import variance_inflation_factor
from statsmodels.stats.stattools import durbin_watson, jarque_bera
from support.command_line import run
from support.judged_records import paired, records

from nlgauge import DataError, SpecError
from nlgauge.cli import main
from nlgauge.core import registry
from nlgauge.io.judgements.judged_outputs import read_outputs
from nlgauge.meta.choose.metric_regression import metrics_of, model_of, regress, with_length
from nlgauge.metrics.trained.linear import LinearModel, ModelTerm
from nlgauge.stats.regression import f_statistic, least_squares
from nlgauge.stats.selection import stepwise


@pytest.mark.parametrize(("r2", "expected"), [(0.51, 6.59), (0.53, 7.14)])
def test_f_of_bangalore_et_al(r2: float, expected: float) -> None:
    f, p = f_statistic(r2, 3, 23)
    assert f == pytest.approx(expected, abs=5e-3)
    assert p < 0.005


def drawn(seed: int, n: int, k: int) -> tuple[np.ndarray, np.ndarray, list[str]]:
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, k))
    x[:, -1] += x[:, 0] * rng.normal()
    x *= 10.0 ** rng.integers(-2, 3, k)
    y = x @ rng.normal(size=k) * rng.integers(0, 2) + rng.normal(size=n)
    return y, x, [f"x{j}" for j in range(k)]


@given(seed=st.integers(0, 10**6), n=st.integers(8, 80), k=st.integers(1, 4))
@settings(max_examples=40, deadline=None)
@pytest.mark.filterwarnings("ignore:The design matrix")
def test_least_squares_against_statsmodels(seed: int, n: int, k: int) -> None:
    y, x, names = drawn(seed, n, k)
    fit, other = least_squares(y, x, names), OLS(y, add_constant(x)).fit()

    def same(found, expected) -> None:
        np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-9)

    same([c.value for c in fit.coefficients], other.params)
    same([c.error for c in fit.coefficients], other.bse)
    same([c.t for c in fit.coefficients], other.tvalues)
    same([c.p for c in fit.coefficients], other.pvalues)
    same([(c.low, c.high) for c in fit.coefficients], other.conf_int())
    same([fit.r2, fit.adjusted_r2], [other.rsquared, other.rsquared_adj])
    same([fit.f, fit.p], [other.fvalue, other.f_pvalue])
    assert (fit.df_model, fit.df_residual) == (other.df_model, other.df_resid)
    influence = other.get_influence()
    same(fit.cooks, influence.cooks_distance[0])
    same(fit.leverage, influence.hat_matrix_diag)
    d = fit.diagnostics
    same(d.durbin_watson, durbin_watson(other.resid))
    same([d.breusch_pagan, d.breusch_pagan_p], het_breuschpagan(other.resid, add_constant(x))[:2])
    press = (influence.resid_press**2).sum()
    same(d.left_out_r2, 1 - press / ((y - y.mean()) ** 2).sum())
    design = add_constant(x)
    vif = [variance_inflation_factor(design, j + 1) for j in range(k)]
    same([c.vif for c in fit.coefficients[1:]], vif)


def test_many_points_are_tested_for_normality_by_jarque_bera() -> None:
    y, x, names = drawn(3, 6000, 2)
    found = least_squares(y, x, names).diagnostics
    expected = jarque_bera(OLS(y, add_constant(x)).fit().resid)
    assert found.normality_test == "Jarque–Bera"
    assert found.normality == pytest.approx(expected[0])


def test_cross_validation_keeps_groups_together() -> None:
    """One value per group that the term tells exactly only inside the group."""
    rng = np.random.default_rng(5)
    groups = np.repeat(np.arange(20), 10)
    x = rng.normal(size=(20, 15))[groups] + rng.normal(size=(200, 15)) * 1e-3
    y = rng.normal(size=20)[groups]
    names = [f"x{j}" for j in range(15)]
    together = least_squares(y, x, names, groups=groups).diagnostics
    apart = least_squares(y, x, names).diagnostics
    assert together.cross_validated_r2 < 0 < apart.cross_validated_r2


@pytest.mark.parametrize(
    ("x", "message"),
    [
        ([[1.0, 2.0], [2.0, 4.0], [3.0, 6.0], [4.0, 8.0], [5.5, 11.0]], "b follows exactly from a"),
        ([[1.0, 7.0], [2.0, 7.0], [3.0, 7.0], [4.0, 7.0], [5.0, 7.0]], "b is 7 everywhere"),
        ([[1.0, 2.0], [2.0, 3.0], [3.0, 1.0]], "3 points are too few for 2 terms"),
        ([[1.0, np.nan], [2.0, 3.0], [3.0, 1.0], [0.0, 1.0], [0.0, 2.0]], "finite"),
    ],
)
def test_models_that_cannot_be(x: list[list[float]], message: str) -> None:
    with pytest.raises(DataError, match=message):
        least_squares(np.arange(len(x)), x, ["a", "b"])


def test_constant_ratings() -> None:
    with pytest.raises(DataError, match="all ratings are 3"):
        least_squares([3.0] * 5, [[1.0], [2.0], [4.0], [3.0], [9.0]], ["a"])


def test_stepwise_finds_the_terms_that_matter() -> None:
    rng = np.random.default_rng(11)
    x = rng.normal(size=(300, 6))
    x[:, 5] = x[:, 1]  # says the same again
    y = 2 * x[:, 1] - 1.5 * x[:, 3] + rng.normal(size=300)
    chosen, steps = stepwise(y, x, list("abcdef"))
    assert chosen in ([1, 3], [3, 5])
    assert [s.added for s in steps] == [True, True] and steps[1].r2 > steps[0].r2
    p = OLS(y, add_constant(x[:, chosen])).fit()
    assert steps[-1].r2 == pytest.approx(p.rsquared)
    with pytest.raises(SpecError, match="enter"):
        stepwise(y, x, list("abcdef"), enter=0.2, leave=0.1)


def test_stepwise_removes_what_has_become_useless() -> None:
    """c is a noisy sum of a and b: the best alone, useless beside both."""
    rng = np.random.default_rng(2)
    a, b = rng.normal(size=(2, 400))
    x = np.column_stack([a, b, a + b + rng.normal(size=400) * 0.5])
    chosen, steps = stepwise(a + b + rng.normal(size=400) * 0.1, x, ["a", "b", "c"])
    assert chosen == [0, 1]
    assert (steps[0].term, steps[0].added) == ("c", True)
    assert ("c", False) in [(s.term, s.added) for s in steps]


@pytest.mark.parametrize(
    ("weights", "intercept", "divisor", "poor"),
    [((1.3147, -0.1039), -0.4458, 0.8689, -0.1283), ((1.0192, -0.0869), -0.3553, 0.6639, -0.1543)],
    ids=["UA", "QLA"],
)
def test_the_recipe_gives_ua_and_qla(weights, intercept, divisor, poor) -> None:
    """Published models without length, of tree accuracy (STA) and substitutions (S)."""
    terms = (ModelTerm("sta", None, weights[0]), ModelTerm("ssa", "S", weights[1]))
    metric = LinearModel(terms=terms, intercept=intercept).calibrated([1.0, 0.0])
    assert metric.divisor == pytest.approx(divisor, abs=1e-12)
    assert metric.predict(np.array([1.0, 0.0])) == pytest.approx(1, abs=1e-12)
    assert metric.predict(np.array([1 / 3, 1.0])) == pytest.approx(poor, abs=5e-5)
    values = np.random.default_rng(1).normal(size=(50, 2))
    expected = (weights[0] * values[:, 0] + weights[1] * values[:, 1] + intercept) / divisor
    np.testing.assert_allclose(metric.predict(values), expected, rtol=1e-12)
    # The models with length as printed would put a perfect sentence of 24 words elsewhere.
    with pytest.raises(DataError, match="perfect text"):
        LinearModel(terms=terms, intercept=-5.0).calibrated([1.0, 0.0])


@pytest.fixture
def path(tmp_path: Path) -> Path:
    file = tmp_path / "judged.jsonl"
    rows = records(systems=8, items=12)
    file.write_text("".join(json.dumps(r) + "\n" for r in rows), encoding="utf-8")
    return file


TERMS = ["ssa", "ssa.S", "length"]


def test_regression_of_ratings(path: Path) -> None:
    outputs, _ = read_outputs(path)
    given = paired(path, "ssa")
    both = type(given)(
        scores=with_length(given.scores, outputs), judgements=given.judgements, groups={}
    )
    found = regress(both, TERMS, criterion="fluency")
    rows = records(systems=8, items=12)
    ratings = np.array([r["human"]["fluency"] for r in rows], float)
    human = ((ratings - ratings.mean(axis=0)) / ratings.std(axis=0)).mean(axis=1)
    ssa = [registry.metric("ssa").sentence_score(r["hypothesis"], r["references"]) for r in rows]
    x = [
        [s.value, s.parts["substitutions"], len(r["hypothesis"].split())]
        for s, r in zip(ssa, rows, strict=True)
    ]
    expected = OLS(human, add_constant(np.array(x, float))).fit()
    assert [c.value for c in found.fit.coefficients] == pytest.approx(expected.params.tolist())
    assert found.fit.r2 == pytest.approx(expected.rsquared)
    # The metric: without length, 1 for a perfect text.
    model = model_of(found)
    short = OLS(human, add_constant(np.array(x, float)[:, :2])).fit().params
    assert model.divisor == pytest.approx(short[0] + short[1])
    assert [t.coefficient for t in model.terms] == pytest.approx(short[1:].tolist())


def test_terms() -> None:
    terms = ["ssa", "ssa.S", "length", "bleu(tokenizer=none).precisions.2", "rouge-w-1.2.precision"]
    assert metrics_of(terms) == ["ssa", "bleu(tokenizer=none)", "rouge-w-1.2"]
    with pytest.raises(SpecError, match="did you mean ssa"):
        metrics_of(["sssa.S"])


def test_from_ratings_to_a_metric(path: Path, tmp_path: Path, capsys) -> None:
    model = tmp_path / "model.json"
    out = run(
        capsys, "regress", str(path), "-m", *TERMS, "--criterion", "adequacy", "--save", str(model)
    )
    assert "Model of adequacy" in out and "F(3, 92)" in out and "1 for a perfect text" in out
    refs, worse = tmp_path / "ref.txt", tmp_path / "worse.txt"
    refs.write_text("a b c d\ne f g h i\n", encoding="utf-8")
    worse.write_text("a x c d\ne f g h i\n", encoding="utf-8")
    spec = f"regression(path={model})"
    same = tmp_path / "same.txt"
    same.write_text("a b  c d\ne f g h i\n", encoding="utf-8")  # in words
    assert run(capsys, "score", str(refs), "-i", str(same), "-m", spec, "-b") == "1.0000\n"
    scored = json.loads(run(capsys, "score", str(refs), "-i", str(worse), "-m", spec, "-f", "json"))
    written = json.loads(model.read_text(encoding="utf-8"))
    b, (s, subs) = written["intercept"], [t["coefficient"] for t in written["terms"]]
    expected = ((b + s * 0.75 + subs) / written["divisor"] + 1) / 2
    score = scored["systems"]["worse"][spec]
    assert score["score"] == pytest.approx(expected)
    # Another model in the same file is another signature.
    model.write_text(json.dumps({**written, "intercept": b + 1}), encoding="utf-8")
    other = registry.metric(spec).signature()
    assert other.replace("|nlgauge", "") not in score["signature"]
    assert score["signature"].split("with.path:")[1][:16] != other.split("with.path:")[1][:16]


def test_stepwise_and_groups_on_the_command_line(path: Path, capsys) -> None:
    out = run(capsys, "regress", str(path), "-m", *TERMS, "chrf", "--stepwise", "--raw")
    assert "Stepwise selection for fluency" in out and "Model of adequacy" in out
    record = json.loads(run(capsys, "regress", str(path), "-m", "chrf", "-f", "json"))
    assert [m["criterion"] for m in record["models"]] == ["fluency", "adequacy"]
    assert len(record["models"][0]["fit"]["residuals"]) == 96


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-m", "length"], "at least one metric"),
        (["-m", "ssa", "ssa"], "given twice"),
        (["-m", "ssa.zeal"], "its parts are: substitutions"),
        (["-m", "blue"], "did you mean bleu"),
        (["-m", "ssa", "--save", "x.json"], "give one --criterion"),
        (["-m", "nist", "--criterion", "fluency", "--save", "x.json"], "nist=VALUE"),
        (["-m", "ssa", "--criterion", "fluency", "--save", "x", "--perfect", "a=1"], "no term a"),
        (
            ["-m", "ssa", "--criterion", "fluency", "--save", "x", "--perfect", "ssa=y"],
            "NAME=NUMBER",
        ),
        (["-m", "ssa", "--criterion", "fun"], "no criterion 'fun'"),
    ],
)
def test_wrong_use(path: Path, arguments: list[str], message: str, capsys) -> None:
    assert main(["regress", str(path), *arguments]) in (2, 3)
    assert message in capsys.readouterr().err


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{}", "no linear model"),
        ("[", "not valid JSON"),
        ('{"kind": "nlgauge linear model", "terms": []}', "at least one"),
        ('{"kind": "nlgauge linear model", "terms": [{"metric": "ssa"}], "intercept": 1}', "num"),
        ('{"kind": "nlgauge linear model", "terms": [{"metric": 3}], "intercept": 1}', "term 1"),
    ],
)
def test_broken_model_files(tmp_path: Path, content: str, message: str) -> None:
    file = tmp_path / "model.json"
    file.write_text(content, encoding="utf-8")
    with pytest.raises(DataError, match=message):
        registry.metric(f"regression(path={file})").sentence_score("a", ["a"])


def test_a_model_is_needed() -> None:
    with pytest.raises(SpecError, match="nlgauge regress --save"):
        registry.metric("regression").sentence_score("a", ["a"])
