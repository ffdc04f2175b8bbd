"""The table of tasks and criteria: one spelling inside, many outside."""

import json

import pytest
from support.command_line import run

from nlgauge import SpecError
from nlgauge.cli import main
from nlgauge.core import registry
from nlgauge.core.facts.cells import cell_words
from nlgauge.core.facts.tasks import CRITERIA, TASKS, find_criterion, find_task, normal
from nlgauge.core.metric import Info
from nlgauge.meta.choose import axes
from nlgauge.meta.choose.taxonomy import survey_names, survey_role

# Sai et al. (2022), section 3.2: what people judge beside fluency.
SURVEY = {
    "MT": {"adequacy"},
    "AS": {"informativeness", "non-redundancy", "referential clarity", "focus", "coherence"},
    "QA": {"correctness"},
    "QG": {"answerability", "relevance"},
    "D2T": {"faithfulness", "informativeness"},
    "DG": {
        *("making sense", "engagingness", "interestingness", "inquisitiveness", "listening"),
        *("avoiding repetition", "humanness"),
    },
    "IC": {"relevance", "thoroughness"},
}


def test_the_criteria_of_the_survey() -> None:
    for short, criteria in SURVEY.items():
        assert criteria <= set(TASKS[short].criteria)
    for task in TASKS.values():
        assert task.criteria[0] == "fluency"
        assert set(task.criteria) <= set(CRITERIA)


@pytest.mark.parametrize("command", ["metrics", "recommend"])
def test_all_spellings_of_a_task_mean_the_same(command: str, capsys) -> None:
    for short in ("AS", "MT", "D2T"):
        task = TASKS[short]
        spellings = (short, short.lower(), task.name, task.name.upper(), *task.spellings)
        asked = [run(capsys, command, "--task", name, "-f", "json") for name in spellings]
        assert json.loads(asked[0]) and len(set(asked)) == 1


@pytest.mark.parametrize("command", ["metrics", "recommend"])
def test_unknown_tasks_get_the_nearest_names(command: str, capsys) -> None:
    for name, told in (
        ("summarisaton", "did you mean summarisation"),
        ("knitting", "known are MT"),
    ):
        assert main([command, "--task", name]) == 2
        assert told in capsys.readouterr().err
    assert main(["metrics", "--task", "paraphrasing"]) == 2
    assert "no metric was proposed for paraphrasing" in capsys.readouterr().err


def test_no_spelling_means_two_things() -> None:
    written = [
        spelling
        for task in TASKS.values()
        for spelling in (normal(task.short), normal(task.name), *task.spellings)
    ]
    assert len(set(written)) == len(written)
    names = [n for c in CRITERIA.values() for n in (normal(c.name), *c.spellings)]
    assert len(set(names)) == len(names)
    assert all(normal(name) == name for name in (*written, *names))


def test_names_of_criteria() -> None:
    assert find_criterion("Writing_quality") == CRITERIA["writing quality"]
    assert find_criterion("fluency_expert") == CRITERIA["fluency"]
    assert find_criterion("DA") == CRITERIA["adequacy"]
    assert find_criterion("zap") is None
    assert find_task("Text Simplification") == "PARA"


def test_what_uses_the_table() -> None:
    assert set(axes.TASKS) == set(TASKS)
    assert {c.guideline for c in CRITERIA.values()} == {*axes.GUIDELINES, None}
    for cls in registry.classes():
        surveyed = {t for t in TASKS if survey_role(cls.info.name, t)}
        assert surveyed <= set(cls.info.tasks), cls
    assert len(survey_names()) > 30


@pytest.mark.parametrize(
    ("facts", "told"),
    [
        ({"tasks": ("summarization",)}, "'summarization' is not one of MT, AS"),
        ({"tasks": ("MT",), "cell": "CF·word-ngram"}, "not of the form CF·U·word-ngram"),
        ({"tasks": ("MT",), "criteria": ("adequasy",)}, "did you mean adequacy"),
        ({"tasks": ("MT",), "family": "n-gram"}, "family: 'n-gram' is not one of ngram, alignment"),
    ],
)
def test_facts_of_a_metric_are_checked(facts, told: str) -> None:
    given = {"title": "", "family": "", "cell": "", "paper": "", "checked_against": ""} | facts
    with pytest.raises(SpecError, match=f"^lepor: .*{told}"):
        Info(name="lepor", **given)


def test_cells_are_shown_in_words(capsys) -> None:
    assert "ngram (context-free, untrained, word n-grams)" in run(capsys, "metrics", "bleu")
    facts = json.loads(run(capsys, "metrics", "bertscore", "-f", "json"))
    assert facts["cell"] == "context-free, untrained, contextual embeddings"
    assert all("·" not in cell_words(cls.info.cell) for cls in registry.classes())
