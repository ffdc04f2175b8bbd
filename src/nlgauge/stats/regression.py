"""Ordinary least squares, with what tells whether to believe it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from nlgauge.core.facts.defaults import CONFIDENCE, SEED
from nlgauge.errors import DataError, SpecError
from nlgauge.kernels import Floats

INTERCEPT = "(intercept)"


@dataclass(frozen=True)
class Coefficient:
    """A coefficient is one term of a model, with its error and its test."""

    name: str
    value: float
    error: float  # standard error
    t: float
    p: float  # two-sided
    low: float
    high: float
    vif: float  # variance inflation; NaN for the intercept


@dataclass(frozen=True)
class Diagnostics:
    """Diagnostics check the residuals; small p speak against the model's assumptions."""

    durbin_watson: float  # near 2: neighbours are independent
    breusch_pagan: float  # constant variance
    breusch_pagan_p: float
    normality: float
    normality_p: float
    normality_test: str  # Shapiro–Wilk, or Jarque–Bera above 5000 points
    influential: int  # points with a Cook's distance above 4 / n
    largest_cook: float
    left_out_r2: float  # each point predicted by a model without it
    cross_validated_r2: float  # tenths of the groups predicted by a model without them


@dataclass(frozen=True, eq=False, kw_only=True)
class Fit:
    """A fit is a model y = intercept + sum of coefficient · term, and how well it suits n
    points.
    """

    coefficients: tuple[Coefficient, ...]  # the intercept first
    n: int
    r2: float
    adjusted_r2: float
    f: float
    df_model: int
    df_residual: int
    p: float
    residual_error: float
    level: float  # of the coefficients' intervals
    diagnostics: Diagnostics
    observed: Floats  # [n]
    fitted: Floats
    residuals: Floats
    leverage: Floats
    cooks: Floats

    @property
    def intercept(self) -> float:
        """Return the constant term of the model."""
        return self.coefficients[0].value

    @property
    def names(self) -> list[str]:
        """Return the names of the terms, without the intercept."""
        return [c.name for c in self.coefficients[1:]]


def f_statistic(r2: float, terms: int, n: int) -> tuple[float, float]:
    """Return F(terms, n - terms - 1) of a model with that R², and its p."""
    from scipy.special import fdtrc

    rest = n - terms - 1
    if rest < 1 or terms < 1:
        raise SpecError(f"F of {terms} terms on {n} points is not defined")
    f = np.inf if r2 >= 1 else r2 / terms / ((1 - r2) / rest)
    return float(f), float(fdtrc(terms, rest, f))


def solve(design: Floats, observed: Floats) -> tuple[Floats, Floats, Floats]:
    """Return coefficients of the design's columns, their standard errors, and its orthonormal
    basis.
    """
    q, r = np.linalg.qr(design)
    values = np.linalg.solve(r, q.T @ observed)
    residuals = observed - design @ values
    variance = residuals @ residuals / (len(design) - design.shape[1])
    errors = np.sqrt(variance * (np.linalg.inv(r) ** 2).sum(axis=1))
    return values, errors, q


def least_squares(
    y: npt.ArrayLike,
    x: npt.ArrayLike,
    names: Sequence[str],
    *,
    groups: npt.ArrayLike | None = None,
    level: float = CONFIDENCE,
    seed: int = SEED,
) -> Fit:
    """Fit y [n] on the columns of x [n, k], called `names`; points of one of the `groups` stay
    together in cross-validation.
    """
    observed, terms = np.asarray(y, np.float64), np.asarray(x, np.float64)
    n, k = terms.shape
    if observed.shape != (n,) or len(names) != k:
        raise DataError(f"{observed.shape} values, {terms.shape} terms and {len(names)} names")
    if not 0 < level < 1:
        raise SpecError(f"level={level}: must lie between 0 and 1")
    _check(observed, terms, names)
    design = np.column_stack([np.ones(n), terms])
    values, errors, q = solve(design, observed)
    fitted = design @ values
    residuals = observed - fitted
    rest = n - k - 1
    total = float(((observed - observed.mean()) ** 2).sum())
    squares = float(residuals @ residuals)
    if squares <= 1e-20 * total:
        raise DataError(
            f"{', '.join(names)} give the ratings exactly, so there is nothing to test; "
            "is a rating among the terms?"
        )
    r2 = 1 - squares / total
    f, p = f_statistic(r2, k, n)
    variance = squares / rest
    leverage = (q**2).sum(axis=1)
    free = np.maximum(1 - leverage, np.finfo(float).eps)
    cooks = residuals**2 / ((k + 1) * variance) * leverage / free**2
    varied, varied_p = _variance_test(residuals, design)
    normal, normal_p, test = _normality_test(residuals)
    return Fit(
        coefficients=_coefficients(values, errors, _inflation(terms), names, rest, level),
        n=n,
        r2=r2,
        adjusted_r2=1 - (1 - r2) * (n - 1) / rest,
        f=f,
        df_model=k,
        df_residual=rest,
        p=p,
        residual_error=float(np.sqrt(variance)),
        level=level,
        diagnostics=Diagnostics(
            durbin_watson=float((np.diff(residuals) ** 2).sum() / squares),
            breusch_pagan=varied,
            breusch_pagan_p=varied_p,
            normality=normal,
            normality_p=normal_p,
            normality_test=test,
            influential=int((cooks > 4 / n).sum()),
            largest_cook=float(cooks.max()),
            left_out_r2=1 - float(((residuals / free) ** 2).sum()) / total,
            cross_validated_r2=_cross_validated(observed, design, groups, seed),
        ),
        observed=observed,
        fitted=fitted,
        residuals=residuals,
        leverage=leverage,
        cooks=cooks,
    )


def _check(observed: Floats, terms: Floats, names: Sequence[str]) -> None:
    n, k = terms.shape
    if k == 0:
        raise SpecError("a model needs at least one term")
    if n < k + 3:
        raise DataError(f"{n} points are too few for {k} terms; at least {k + 3} are needed")
    if not (np.isfinite(observed).all() and np.isfinite(terms).all()):
        raise DataError("a model needs finite numbers; leave out points without a value")
    if np.ptp(observed) == 0:
        raise DataError(f"all ratings are {observed[0]:g}, so there is nothing to explain")
    kept: list[int] = []
    for j, name in enumerate(names):
        if np.ptp(terms[:, j]) == 0:
            raise DataError(f"term {name} is {terms[0, j]:g} everywhere; leave it out")
        scaled = terms[:, [*kept, j]]
        scaled = (scaled - scaled.mean(axis=0)) / scaled.std(axis=0)
        if np.linalg.matrix_rank(scaled, tol=1e-9 * np.sqrt(n)) <= len(kept):
            others = ", ".join(names[i] for i in kept)
            raise DataError(f"term {name} follows exactly from {others}; leave one of them out")
        kept.append(j)


def _coefficients(
    values: Floats, errors: Floats, vif: list[float], names: Sequence[str], rest: int, level: float
) -> tuple[Coefficient, ...]:
    from scipy.special import stdtr, stdtrit

    reach = float(stdtrit(rest, (1 + level) / 2))
    found = []
    for name, value, error, inflation in zip(
        [INTERCEPT, *names], values.tolist(), errors.tolist(), [float("nan"), *vif], strict=True
    ):
        t = value / error
        found.append(
            Coefficient(
                name,
                value,
                error,
                t,
                float(2 * stdtr(rest, -abs(t))),
                value - reach * error,
                value + reach * error,
                inflation,
            )
        )
    return tuple(found)


def _inflation(terms: Floats) -> list[float]:
    """Return 1 / (1 − R²) of each term on the others: the diagonal of their inverse
    correlations.
    """
    if terms.shape[1] == 1:
        return [1.0]
    inverse = np.linalg.inv(np.corrcoef(terms, rowvar=False))
    diagonal: list[float] = np.diag(inverse).tolist()
    return diagonal


def _variance_test(residuals: Floats, design: Floats) -> tuple[float, float]:
    """Return Breusch and Pagan's test in Koenker's form, which does not need normal residuals."""
    from scipy.special import chdtrc

    n, columns = design.shape
    squares = residuals**2
    total = ((squares - squares.mean()) ** 2).sum()
    missed = squares - design @ np.linalg.lstsq(design, squares, rcond=None)[0]
    statistic = float(n * (1 - missed @ missed / total))
    return statistic, float(chdtrc(columns - 1, statistic))


def _normality_test(residuals: Floats) -> tuple[float, float, str]:
    from scipy import stats

    few = len(residuals) <= 5000  # Shapiro and Wilk's approximation holds up to there
    found = stats.shapiro(residuals) if few else stats.jarque_bera(residuals)
    name = "Shapiro–Wilk" if few else "Jarque–Bera"
    return float(found.statistic), float(found.pvalue), name


def _cross_validated(
    observed: Floats, design: Floats, groups: npt.ArrayLike | None, seed: int, folds: int = 10
) -> float:
    _, codes = np.unique(
        np.arange(len(observed)) if groups is None else np.asarray(groups), return_inverse=True
    )
    count = int(codes.max()) + 1
    folds = min(folds, count)
    if folds < 2:
        return float("nan")
    fold = np.random.default_rng(seed).permutation(count) % folds
    missed = 0.0
    for part in range(folds):
        out = fold[codes] == part
        if np.linalg.matrix_rank(design[~out]) < design.shape[1]:
            return float("nan")
        values = np.linalg.lstsq(design[~out], observed[~out], rcond=None)[0]
        missed += float(((observed[out] - design[out] @ values) ** 2).sum())
    return 1 - missed / float(((observed - observed.mean()) ** 2).sum())
