"""Write what baselines learnt to files, and read it again; what does not fit is refused."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from nlgauge.baselines.feature_based.mixture import GaussianMixture
from nlgauge.baselines.feature_based.summariser import FeatureSummariser
from nlgauge.baselines.realisation.fergus import Fergus
from nlgauge.baselines.realisation.tree_tables import TreeTables
from nlgauge.baselines.realisation.word_search import WordSearch
from nlgauge.baselines.reranking.candidate_features import FeatureSettings
from nlgauge.baselines.reranking.reranker import Reranker
from nlgauge.core.resources import contents_hash
from nlgauge.models.files.artefacts import reading
from nlgauge.models.files.trained_model import read_model, training_command, write_model

Arrays = dict[str, npt.NDArray[Any]]
_TRIGRAMS = "trigrams."
_MIXTURES = ("extracted", "others")
_PARTS = ("weights", "means", "covariances")


def save_fergus(path: str, realiser: Fergus, trained_on: Sequence[str] = ()) -> None:
    """Write what a realiser counted; `trained_on` names the files of the treebank."""
    tables = realiser.tables
    arrays: Arrays = {
        "edges": tables.edges,
        "frames": tables.framed,
        "sisters": tables.sisters,
        "random_sides": realiser.random_sides,
        **{_TRIGRAMS + name: array for name, array in realiser.trigrams.items()},
    }
    _write(path, "fergus", trained_on, {"names": tables.names()}, arrays)


def load_fergus(path: str) -> Fergus:
    """Read a realiser that `save_fergus` wrote."""
    model = read_model(path, "fergus")
    with reading(path, "no usable model of fergus", _again("fergus")):
        tables = TreeTables.restored(model.header["names"], model.arrays)
        sides = np.asarray(model.arrays["random_sides"], np.int32)
        tops = (len(tables.words), len(tables.words), 2, np.iinfo(np.int32).max)
        if sides.ndim != 2 or sides.shape[1] != 4 or (sides < 0).any() or (sides >= tops).any():
            raise ValueError("its sides of random trees stand for nothing")
        trigrams = {
            name.removeprefix(_TRIGRAMS): np.asarray(array)
            for name, array in model.arrays.items()
            if name.startswith(_TRIGRAMS)
        }
        WordSearch(trigrams)
        return Fergus(tables, sides, trigrams)


def save_summarisers(
    path: str, models: Mapping[str, FeatureSummariser], trained_on: Sequence[str] = ()
) -> None:
    """Write FB1 and FB2, which were fitted to the same documents."""
    arrays: Arrays = {}
    for name, model in models.items():
        arrays |= {f"{name}.centre": model.centre, f"{name}.spread": model.spread}
        for kind in _MIXTURES:
            mixture = getattr(model, kind)
            arrays |= {f"{name}.{kind}.{part}": getattr(mixture, part) for part in _PARTS}
    flags = {name: [model.latent, model.prosodic] for name, model in models.items()}
    _write(path, "fb", trained_on, {"names": flags}, arrays)


def load_summarisers(path: str) -> dict[str, FeatureSummariser]:
    """Read FB1 and FB2 as `save_summarisers` wrote them."""
    model = read_model(path, "fb")
    with reading(path, "no usable model of fb", _again("fb")):
        found = {}
        for name, (latent, prosodic) in model.header["names"].items():
            own = {
                key.removeprefix(f"{name}."): np.asarray(array, np.float64)
                for key, array in model.arrays.items()
                if key.startswith(f"{name}.")
            }
            size = 2 + latent + 6 * prosodic
            mixtures = [_mixture(own, kind, size) for kind in _MIXTURES]
            if own["centre"].shape != (size,) or own["spread"].shape != (size,):
                raise ValueError(f"{name} has not {size} features")
            if (own["spread"] <= 0).any():
                raise ValueError(f"{name} has a deviation that is not positive")
            found[name] = FeatureSummariser(
                bool(latent), bool(prosodic), own["centre"], own["spread"], *mixtures
            )
        return found


def _mixture(own: Mapping[str, npt.NDArray[Any]], kind: str, size: int) -> GaussianMixture:
    weights, means, covariances = (own[f"{kind}.{part}"] for part in _PARTS)
    count = len(weights)
    if means.shape != (count, size) or covariances.shape != (count, size, size) or not count:
        raise ValueError(f"its mixture of {kind} sentences has arrays of other shapes")
    if (weights <= 0).any():
        raise ValueError(f"its mixture of {kind} sentences has a weight that is not positive")
    np.linalg.cholesky(covariances)  # refuses what is no covariance
    return GaussianMixture(weights, means, covariances)


def save_reranker(path: str, reranker: Reranker, trained_on: Sequence[str] = ()) -> None:
    """Write the weights of a reranker's features, and which features these are."""
    settings = reranker.settings
    header = {
        "names": list(reranker.names),
        "settings": {
            "orders": list(settings.orders),
            "least": settings.least,
            "metrics": list(settings.metrics),
        },
        "fit": [reranker.objective, reranker.tried, reranker.all_features],
    }
    arrays = {"weights": reranker.weights, "scales": reranker.scales}
    _write(path, "rerank", trained_on, header, arrays)


def load_reranker(path: str) -> Reranker:
    """Read a reranker that `save_reranker` wrote."""
    model = read_model(path, "rerank")
    with reading(path, "no usable model of rerank", _again("rerank")):
        names = tuple(map(str, model.header["names"]))
        given = model.header["settings"]
        settings = FeatureSettings(
            tuple(map(int, given["orders"])), int(given["least"]), tuple(map(str, given["metrics"]))
        )
        weights, scales = (np.asarray(model.array(n, 1), np.float64) for n in ("weights", "scales"))
        if weights.shape != (len(names),) or scales.shape != (len(names),) or (scales <= 0).any():
            raise ValueError("its weights and scales do not fit its features")
        objective, tried, all_features = model.header["fit"]
        return Reranker(
            settings, names, weights, scales, float(objective), int(tried), int(all_features)
        )


def _again(kind: str) -> str:
    return f"train it again: {training_command(kind)}"


def _write(
    path: str, kind: str, trained_on: Sequence[str], more: Mapping[str, Any], arrays: Arrays
) -> None:
    data = [{"name": Path(f).name, "sha256": contents_hash(Path(f))} for f in trained_on]
    header = {
        "metric": kind,
        "options": {},
        "features": [],
        "data": data,
        "split": {},
        "figures": [],
        **more,
    }
    write_model(path, header, arrays)
