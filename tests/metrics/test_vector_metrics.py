"""RUSE, ESIM and NUBIA: which reference counts, and which files are refused."""

from pathlib import Path

import numpy as np
import pytest
from support.minilm import needs_minilm

from nlgauge import Corpus, DataError, ResourceMissing
from nlgauge.core import registry
from nlgauge.models.encoders.bert import Bert
from nlgauge.models.files.shipped import shipped_file
from nlgauge.models.files.trained_model import read_any_model, write_model
from nlgauge.run.scoring import compute_rows

pytestmark = needs_minilm
NAMES = ["ruse", "esim", "nubia"]
REFERENCE = "The council postponed its decision on the new bridge until spring."
GOOD = "The council put off its decision about the new bridge until spring."
BAD = "A bridge decided spring council."


def scores(spec: str, hyps: list[str], refs: list[list[str]]) -> list[float]:
    metric = registry.metric(spec)
    return metric.score(metric.rows(Corpus.build(hyps, refs))).tolist()


@pytest.mark.parametrize("name", NAMES)
def test_better_texts_score_higher(name: str) -> None:
    texts = [REFERENCE, GOOD, BAD, ""]
    found = scores(name, texts, [[REFERENCE]] * 4)
    assert found[0] >= found[1] > found[2] >= found[3]


@pytest.mark.parametrize("name", NAMES)
def test_the_best_reference_counts(name: str) -> None:
    other = "Nobody knows when the train to the coast will leave."
    alone = scores(name, [GOOD, GOOD], [[REFERENCE], [other]])
    together = scores(name, [GOOD, GOOD], [[REFERENCE, other], [other, REFERENCE]])
    assert together == [max(alone)] * 2


def test_one_pass_of_the_encoder_feeds_all(monkeypatch) -> None:
    texts: list[int] = []
    encode = Bert.encode

    def counted(self, pieces, layers, **options):
        texts.append(len(pieces))
        return encode(self, pieces, layers, **options)

    monkeypatch.setattr(Bert, "encode", counted)
    corpus = Corpus.build([GOOD, BAD], [[REFERENCE], [GOOD]])
    specs = ("bertscore", "sim", "ruse", "esim", "nubia")
    compute_rows([registry.metric(spec) for spec in specs], corpus, 1)
    assert sum(texts) == 3


@pytest.mark.parametrize("name", NAMES)
def test_files_that_do_not_fit_are_refused(name: str, tmp_path: Path) -> None:
    file = read_any_model(str(shipped_file(f"{name}.safetensors")))
    path = tmp_path / "model.safetensors"

    def refused(error: type[Exception], match: str, header=None, arrays=None) -> None:
        write_model(path, {**file.header, **(header or {})}, arrays or file.arrays)
        with pytest.raises(error, match=match):
            scores(f"{name}(model={path})", [GOOD], [[REFERENCE]])

    refused(DataError, f"{name} needs one of its own", {"metric": "blend"})
    refused((DataError, ResourceMissing), "trained with", {"encoder": "another 0123"})
    for lost in list(file.arrays):
        if lost != "ratings" and not lost.startswith("sense."):
            rest = {k: v for k, v in file.arrays.items() if k != lost}
            refused(DataError, "train it again|do not fit", arrays=rest)
    for cut in ("layer.0.bias", "first.bias", "sense.limits", "own"):
        if cut in file.arrays:
            broken = {**file.arrays, cut: np.asarray(file.arrays[cut])[:-1]}
            refused(DataError, "train it again|do not fit", arrays=broken)
    if name != "nubia":
        refused(DataError, "which layers", {"layers": []})
        refused(DataError, "mean and deviation", arrays={**file.arrays, "ratings": np.ones(3)})
