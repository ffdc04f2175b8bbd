"""Fit predictors to ratings. These fits are convex: the same rows give the same predictor."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from nlgauge.errors import ResourceMissing
from nlgauge.kernels import Floats
from nlgauge.models.predictors.common_sense import CLASSES, CommonSense, with_squares
from nlgauge.models.predictors.kernel_predictor import KernelPredictor
from nlgauge.models.predictors.linear_predictor import LinearPredictor
from nlgauge.models.predictors.predictor import Scaler

RIDGE = 50.0  # penalty of a squared weight of standardised features
VECTORS = 3000.0  # the same of numbers of sentence vectors, of which there are many
MARGIN = 0.1  # the same, beside the mean loss of a support vector machine
RANKING = 0.03  # the same, beside the mean loss of pairs
# How much rows count in common sense: what systems wrote is to be left alone.
_COUNTS = {"written": 30.0, "identical": 8.0}
_DECAY = 10.0  # penalty of a squared weight there


def fit_ridge(
    features: Floats, ratings: Floats, *, penalty: float | Floats = RIDGE
) -> LinearPredictor:
    """Return the linear predictor with the least squared error and penalty, which may be another
    for each feature.
    """
    scaler = Scaler.standard(features)
    x, centre = scaler(features), ratings.mean()
    gram = x.T @ x + penalty * np.eye(x.shape[1])
    return LinearPredictor(scaler, np.linalg.solve(gram, x.T @ (ratings - centre)), float(centre))


def vector_penalties(features: int, vectors: int) -> Floats:
    """Return penalties of features and of the numbers of vectors behind them."""
    return np.repeat([RIDGE, VECTORS], [features, vectors])


def fit_ranking(better: Floats, worse: Floats, *, penalty: float = RANKING) -> Floats:
    """Return the weights of a logistic regression on the differences of features of better and of
    worse rows, pair by pair: the mean loss and the penalty are least.
    """
    from scipy.optimize import minimize
    from scipy.special import expit

    differences = better - worse

    def loss(w: Floats) -> tuple[float, Floats]:
        margins = differences @ w
        slope = differences.T @ -expit(-margins) / len(margins) + penalty * w
        return float(np.logaddexp(0, -margins).mean() + penalty / 2 * w @ w), slope

    start = np.zeros(differences.shape[1])
    options = {"maxiter": 500, "ftol": 1e-12, "gtol": 1e-8}
    found: Floats = minimize(loss, start, jac=True, method="L-BFGS-B", options=options).x
    return found


def fit_margin(features: Floats, signs: Floats, *, penalty: float = MARGIN) -> LinearPredictor:
    """Return the plane of a linear support vector machine with squared hinge loss, as a predictor
    of signed distances in standardised features.
    """
    from scipy.optimize import minimize

    scaler = Scaler.standard(features)
    x = scaler(features)
    # Both classes weigh alike, however many rows they have.
    counts = np.where(signs > 0, 0.5 / (signs > 0).sum(), 0.5 / max((signs < 0).sum(), 1))

    def loss(both: Floats) -> tuple[float, Floats]:
        w, b = both[1:], both[0]
        short = np.maximum(0, 1 - signs * (x @ w + b))
        slope = -2 * counts * signs * short
        own = np.concatenate([[slope.sum()], x.T @ slope + penalty * w])
        return float((counts * short**2).sum() + penalty / 2 * w @ w), own

    start = np.zeros(x.shape[1] + 1)
    options = {"maxiter": 1000, "ftol": 1e-14, "gtol": 1e-9}
    found = minimize(loss, start, jac=True, method="L-BFGS-B", options=options).x
    length = max(float(np.linalg.norm(found[1:])), 1e-12)
    return LinearPredictor(scaler, found[1:] / length, float(found[0]) / length)


def fit_svr(
    features: Floats,
    ratings: Floats,
    *,
    cost: float = 1.0,
    gamma: float | None = None,
    epsilon: float = 0.1,
) -> KernelPredictor:
    """Return the epsilon-SVR with a radial kernel; what is not given is as LIBSVM has it: features
    scaled to [-1, 1], gamma one over their number.
    """
    scaler = Scaler.bounded(features)
    gamma = 1 / features.shape[1] if gamma is None else gamma
    x = scaler(features).astype(np.float32).astype(np.float64)
    svm: Any = _scikit().svm
    fitted = svm.SVR(C=cost, gamma=gamma, epsilon=epsilon).fit(x, ratings)
    vectors, weights = fitted.support_vectors_, fitted.dual_coef_[0]
    return KernelPredictor(scaler, vectors, weights, float(fitted.intercept_[0]), gamma)


def fit_common_sense(
    features: Floats,
    classes: Sequence[str],
    *,
    names: Sequence[str] | None = None,
    weights: Mapping[str, float] | None = None,
    decay: float = _DECAY,
) -> CommonSense:
    """Return the classifier of rows of the given CLASSES, or of classes with other names; rows
    count by the weights of their classes.
    """
    from scipy.optimize import minimize
    from scipy.special import log_softmax

    scaler = Scaler.standard(features)
    x = with_squares(scaler(features))
    known = list(CLASSES if names is None else names)
    wanted = np.array([known.index(name) for name in classes])
    if names is None:  # not every model knows all classes
        known = known[: int(wanted.max()) + 1]
    counts = np.array([{**_COUNTS, **(weights or {})}.get(name, 1.0) for name in classes])
    shape = (len(known), x.shape[1] + 1)
    target = np.eye(len(known))[wanted]

    def loss(flat: Floats) -> tuple[float, Floats]:
        both = flat.reshape(shape)
        logs = log_softmax(x @ both[:, 1:].T + both[:, 0], axis=1)
        error = (np.exp(logs) - target) * counts[:, None]
        slope = np.column_stack([error.sum(axis=0), error.T @ x + decay * both[:, 1:]])
        value = -(logs * target * counts[:, None]).sum() + decay / 2 * (both[:, 1:] ** 2).sum()
        return float(value), slope.ravel()

    start = np.zeros(shape).ravel()
    found = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": 300})
    both = found.x.reshape(shape)
    return CommonSense(scaler, both[:, 1:].copy(), both[:, 0].copy())


def _scikit() -> Any:
    try:
        import sklearn.svm
    except ImportError:
        raise ResourceMissing(
            "support vectors are fitted by scikit-learn, which is not installed",
            remedy="pip install 'nlgauge[train]'",
        ) from None
    return sklearn
