"""Fit models over the scores of other metrics as the package ships them: BLEND's and gauge's.

    python weights/feature_models.py gauge "gauge(inputs=shared)" "blend(inputs=match)" \\
        --ratings wmt15_da_seg.jsonl.gz --test wmt16_da_seg.jsonl.gz --kept FOLDER --out FOLDER

Of both files, translations into English count. Scores that were computed once are kept in a folder:
when one network changes, only its scores are computed again. Gauge must be fitted anew whenever a
metric that it looks at has other weights; its file says so by refusing them.
"""

from __future__ import annotations

import argparse
import hashlib
from pathlib import Path
from typing import Any

import numpy as np

from nlgauge.core import registry
from nlgauge.core.signature import identity
from nlgauge.data.corpus import Corpus
from nlgauge.kernels import Floats
from nlgauge.metrics.trained.gauge import NETWORKS
from nlgauge.models.files.trained_model import write_model
from nlgauge.train.feature_recipe import features_of
from nlgauge.train.judged_rows import JudgedRows, read_judged_rows
from nlgauge.train.recipes import recipe_of
from nlgauge.train.synthetic import KINDS, changed_reference
from nlgauge.train.trainer import TrainedMetric, TrainSettings, copies, percentile, train_metric

SENSE_ROWS = 100  # of the test, for each kind of change


class KeptScores:
    """Kept scores are files, one for each metric, with what it says of rows by their texts.

    Metrics that learn something from a whole corpus are computed anew for each.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)

    def features_of(self, features: list[Any], corpus: Corpus, *, threads: int) -> Floats:
        """Return features as the trainer computes them, from files where they are known."""
        texts = [
            [hyp, *refs] for hyp, refs in zip(corpus.hypotheses, corpus.references, strict=True)
        ]
        rows = [hashlib.sha256(repr(row).encode()).hexdigest()[:24] for row in texts]
        found = np.empty((len(corpus), len(features)))
        known, missing = [], {}
        for metric in dict.fromkeys(metric for metric, _ in features):
            own = [k for k, (other, _) in enumerate(features) if other == metric]
            if metric.fitted(corpus) is not None:
                missing[metric] = own, list(range(len(rows)))
                continue
            known.append((own, path := self._path(metric, [features[k][1] for k in own])))
            said = self._read(path)
            missing[metric] = own, [k for k, row in enumerate(rows) if row not in said]
            for k, row in enumerate(rows):
                if row in said:
                    found[k, own] = said[row]
        for places in {tuple(places) for _, places in missing.values() if places}:
            columns = [k for own, some in missing.values() if tuple(some) == places for k in own]
            wanted = [features[k] for k in columns]
            some = corpus if len(places) == len(corpus) else corpus.take(list(places))
            found[np.ix_(places, columns)] = features_of(wanted, some, threads=threads)
        for own, path in known:
            said = {**self._read(path), **dict(zip(rows, found[:, own], strict=True))}
            np.savez(path, rows=np.array(list(said)), values=np.array(list(said.values())))
        return found

    def _path(self, metric: Any, parts: list[str | None]) -> Path:
        said = repr((identity(metric), parts))
        return self.folder / f"{metric.info.name}-{hashlib.sha256(said.encode()).hexdigest()}.npz"

    def _read(self, path: Path) -> dict[str, Floats]:
        if not path.is_file():
            return {}
        with np.load(path) as file:
            return dict(zip(file["rows"].tolist(), file["values"], strict=True))


def into_english(path: Path, licence: str) -> JudgedRows:
    """Read rated translations into English."""
    rows = read_judged_rows([str(path)], split="lang_pair", licence=licence)
    english = np.array([name.endswith("-en") for name in rows.parts.names])
    return rows.take(english[rows.parts.codes])


def placed(recipe: Any, found: TrainedMetric, test: JudgedRows) -> dict[str, float]:
    """Return where changed references stand among the scores of the test's outputs, in percent."""

    def said(corpus: Corpus) -> Floats:
        predicted: Floats = recipe.predict(found.arrays, recipe.prepare(corpus, threads=1))
        return predicted

    references = [texts[0] for texts in test.corpus.references]
    drawn = np.random.default_rng(7).permutation(len(test))[:SENSE_ROWS].tolist()
    real = np.sort(said(test.corpus)[~copies(test.corpus)])
    places = {}
    for kind in KINDS:
        texts = {k: changed_reference(kind, references, k, seed=7) for k in drawn}
        rows = [k for k, text in texts.items() if text is not None]
        changed = Corpus.build([texts[k] for k in rows], [[references[k]] for k in rows])
        places[kind] = percentile(said(changed), real)
    return places


def main() -> None:
    """Fit the models, and write each with its figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("specs", nargs="+")
    parser.add_argument("--ratings", type=Path, required=True)
    parser.add_argument("--test", type=Path)
    parser.add_argument("--licence", default="MIT (packaging of WMT research data)")
    parser.add_argument("--kept", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()
    kept = KeptScores(args.kept)
    rows = into_english(args.ratings, args.licence)
    test = args.test and into_english(args.test, args.licence)
    for spec in args.specs:
        metric: Any = registry.metric(spec)
        recipe: Any = recipe_of(metric)
        recipe.features_of = kept.features_of
        # Networks that saw these ratings would look too good in folds of them.
        folds = 0 if any(term.info.name in NETWORKS for term, _ in metric.looked_at()) else 5
        settings = TrainSettings(folds=folds, threads=1)
        found = train_metric(recipe, rows, settings, test=test, progress=print)
        header = dict(found.header)
        if test is not None:
            header["common_sense"] = placed(recipe, found, test)
        write_model(args.out / f"{metric.shipped()}.safetensors", header, found.arrays)
        print(
            spec, header["figures"], header["common_sense"], *header["notes"], sep="\n", flush=True
        )


if __name__ == "__main__":
    main()
