"""Checkpoints of others: what their own packages say of the same files, in any company.

This needs torch, transformers and unbabel-comet, which the usual tests do without: make
test-checkpoints runs it in an environment of its own.
"""

from __future__ import annotations

import pickle
import socket
from importlib.util import find_spec
from pathlib import Path

import pytest
from support import tiny_checkpoints
from support.tiny_checkpoints import write_classifier, write_comet, write_encoder, write_metricx

from nlgauge import Corpus, DataError, ResourceMissing
from nlgauge.core import options, registry, signature
from nlgauge.models.checkpoints import rater
from nlgauge.models.checkpoints.comet_model import SETTINGS, WEIGHTS
from nlgauge.models.checkpoints.transformers_raters import LAYOUTS

needs_transformers = pytest.mark.skipif(
    not all(map(find_spec, ("torch", "transformers"))), reason="needs: nlgauge fetch transformers"
)
needs_comet = pytest.mark.skipif(
    find_spec("comet") is None or not find_spec("pytorch_lightning"),
    reason="needs: nlgauge fetch comet",
)
HYPS = ["The talks go on.", "Japan is far away 😀, they say, " * 3, "", "one"]
REFS = [["Talks continue.", "The talks go on."], ["Japan is far."], ["two", ""], ["one"]]
SOURCES = ["Die Gespräche gehen weiter.", "日本は遠い", "x", ""]
CORPUS = Corpus.build(HYPS, REFS, sources=SOURCES)
TOLERANCE = 1e-4


@pytest.fixture
def no_network(monkeypatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("something asked the network")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)


@pytest.fixture(scope="module")
def comets(tmp_path_factory) -> Path:
    pytest.importorskip("comet")
    folder = tmp_path_factory.mktemp("comets")
    write_encoder(folder / "encoder")
    for name in tiny_checkpoints.COMETS:
        write_comet(folder / name, folder / "encoder", name, seed=7)
    return folder


def scores(spec: str, **given: object) -> list[float]:
    named = ",".join(f"{k}={options.encode(str(v))}" for k, v in given.items())
    metric = registry.metric(f"{spec}({named})")
    metric.check_inputs(CORPUS)
    assert "licence" in metric.signature()
    return metric.score(metric.rows(CORPUS)).tolist()


def official(folder: Path, name: str, roles: tuple[str, ...]) -> list[float]:
    """What the package says, the best of the references counted."""
    import comet
    import yaml

    kind = yaml.safe_load((folder / name / SETTINGS).read_text())["class_identifier"]
    model = comet.models.str2model[kind].load_from_checkpoint(
        str(folder / name / WEIGHTS),
        pretrained_model=str(folder / "encoder"),
        load_pretrained_weights=False,
        local_files_only=True,
        weights_only=True,
        strict=False,
    )
    samples = [
        {"src": source, "mt": hyp, **({"ref": ref} if "ref" in roles else {})}
        for source, hyp, refs in zip(SOURCES, HYPS, REFS, strict=True)
        for ref in (refs if "ref" in roles else [""])
    ]
    said = iter(model.predict(samples, gpus=0, batch_size=3, progress_bar=False).scores)
    return [max(next(said) for _ in (refs if "ref" in roles else "1")) for refs in REFS]


@needs_comet
@pytest.mark.usefixtures("no_network")
@pytest.mark.parametrize("batch", [1, 16])
@pytest.mark.parametrize(
    ("metric", "name", "roles"),
    [
        ("comet", "comet", ("src", "ref")),
        ("comet", "comet-unified", ("src", "ref")),
        ("comet-kiwi", "comet-kiwi", ("src",)),
        ("comet-kiwi", "comet-qe", ("src",)),
        ("xcomet", "xcomet", ("src", "ref")),
    ],
)
def test_scores_are_those_of_the_official_package(
    comets: Path, metric: str, name: str, roles: tuple[str, ...], batch: int, monkeypatch
) -> None:
    monkeypatch.setattr(rater, "BATCH", batch)
    found = scores(metric, model=comets / name, encoder=comets / "encoder")
    assert found == pytest.approx(official(comets, name, roles), abs=TOLERANCE)
    assert len(set(found)) > 2


@needs_comet
def test_checkpoints_that_do_not_fit_are_refused(comets: Path, tmp_path: Path) -> None:
    with pytest.raises(DataError, match="kind xcomet_metric, and comet needs"):
        scores("comet", model=comets / "xcomet", encoder=comets / "encoder")
    with pytest.raises(DataError, match="encoder=FOLDER if the encoder"):
        scores("comet", model=comets / "comet")  # its encoder is nowhere
    import torch

    for name in (SETTINGS, WEIGHTS):
        target = tmp_path / "comet" / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes((comets / "comet" / name).read_bytes())
    content = torch.load(tmp_path / "comet" / WEIGHTS, weights_only=True)
    del content["state_dict"]["estimator.ff.0.weight"]
    torch.save(content, tmp_path / "comet" / WEIGHTS)
    with pytest.raises(DataError, match=r"it lacks estimator\.ff\.0\.weight"):
        scores("comet", model=tmp_path / "comet", encoder=comets / "encoder")


class Harmful:
    def __reduce__(self) -> object:
        return (open, ("harm.txt", "w"))


@needs_comet
def test_a_pickle_runs_no_code(comets: Path, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "checkpoints").mkdir()
    (tmp_path / SETTINGS).write_bytes((comets / "comet" / SETTINGS).read_bytes())
    (tmp_path / WEIGHTS).write_bytes(pickle.dumps({"state_dict": Harmful()}, protocol=2))
    with pytest.raises(DataError, match="COMET cannot read it"):
        scores("comet", model=tmp_path, encoder=comets / "encoder")
    assert not (tmp_path / "harm.txt").exists()


@needs_transformers
@pytest.mark.usefixtures("no_network")
@pytest.mark.parametrize("batch", [1, 16])
@pytest.mark.parametrize("version", ["23", "24"])
@pytest.mark.parametrize("metric", ["metricx", "metricx-qe"])
def test_metricx(tmp_path: Path, metric: str, version: str, batch: int, monkeypatch) -> None:
    import torch
    from transformers import AutoTokenizer, MT5ForConditionalGeneration

    write_metricx(tmp_path, seed=3)
    monkeypatch.setattr(rater, "BATCH", batch)
    found = scores(metric, model=tmp_path, version=version, token=9)
    tokenizer = AutoTokenizer.from_pretrained(tmp_path)
    model = MT5ForConditionalGeneration.from_pretrained(tmp_path).eval()
    layouts = {  # as the authors' program writes them
        ("metricx", "23"): "candidate: {mt} reference: {ref}",
        ("metricx-qe", "23"): "candidate: {mt} source: {src}",
        ("metricx", "24"): "source: {src} candidate: {mt} reference: {ref}",
        ("metricx-qe", "24"): "source: {src} candidate: {mt}",
    }
    expected = []
    for src, mt, refs in zip(SOURCES, HYPS, REFS, strict=True):
        ratings = []
        for ref in refs:
            text = layouts[metric, version].format(src=src, mt=mt, ref=ref)
            ids = tokenizer(text, return_tensors="pt")["input_ids"][:, :-1]
            with torch.inference_mode():
                logits = model(input_ids=ids, decoder_input_ids=torch.tensor([[0]])).logits
            ratings.append(min(25.0, max(0.0, float(logits[0, 0, 9]))))
        expected.append(min(ratings))
    assert found == pytest.approx(expected, abs=TOLERANCE)
    assert set(LAYOUTS) == {"23", "24"} and len(set(found)) > 2


@needs_transformers
def test_options_and_weights_change_the_signature(tmp_path: Path) -> None:
    write_classifier(tmp_path)
    path = options.encode(str(tmp_path))
    texts = ("", ",version=23", ",token=3", ",device=cuda")
    specs = [f"{name}(model={path}{more})" for name in ("metricx", "metricx-qe") for more in texts]
    signatures = [registry.metric(spec).signature() for spec in specs]
    assert len(set(signatures)) == len(specs)
    (tmp_path / "config.json").write_text("{}")
    assert registry.metric(specs[0]).signature() != signatures[0]
    assert signature.parse(signatures[1]).version == "23"


@needs_transformers
@pytest.mark.usefixtures("no_network")
@pytest.mark.parametrize("batch", [1, 16])
def test_bleurt(tmp_path: Path, batch: int, monkeypatch) -> None:
    import torch
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    write_classifier(tmp_path, seed=3)
    monkeypatch.setattr(rater, "BATCH", batch)
    found = scores("bleurt-hf", model=tmp_path)
    tokenizer = AutoTokenizer.from_pretrained(tmp_path)
    model = AutoModelForSequenceClassification.from_pretrained(tmp_path).eval()

    def said(ref: str, hyp: str) -> float:
        inputs = tokenizer([ref], [hyp], return_tensors="pt", truncation=True)
        with torch.inference_mode():
            return float(model(**inputs).logits[0, 0])

    expected = [max(said(ref, hyp) for ref in refs) for hyp, refs in zip(HYPS, REFS, strict=True)]
    assert found == pytest.approx(expected, abs=TOLERANCE)


@pytest.mark.parametrize("name", ["comet", "comet-kiwi", "xcomet", "metricx", "bleurt-hf"])
def test_what_to_give(name: str, tmp_path: Path) -> None:
    with pytest.raises(ResourceMissing, match=rf"give the folder that has it: {name}\(model=FOLD"):
        registry.metric(name).check_resources()
    path = options.encode(str(tmp_path / "nowhere"))
    with pytest.raises(ResourceMissing, match="nothing is downloaded"):
        registry.metric(f"{name}(model={path})").check_resources()


@pytest.mark.parametrize("name", ["comet", "comet-kiwi", "metricx", "metricx-qe"])
def test_sources_are_asked_for(name: str, tmp_path: Path) -> None:
    metric = registry.metric(f"{name}(model={options.encode(str(tmp_path))})")
    with pytest.raises(DataError, match="needs sources"):
        metric.check_inputs(Corpus.build(["a"], [["b"]]))
