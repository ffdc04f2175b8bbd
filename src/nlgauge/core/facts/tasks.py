"""The tasks and the criteria that nlgauge knows, and all the ways to write their names.

Whatever speaks of tasks or criteria (facts of metrics, recommendations, the evaluation plane,
questionnaires, commands) takes the names from here.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from nlgauge.errors import SpecError


class Task(NamedTuple):
    """A kind of text generation, with what people look at when they judge its outputs."""

    short: str  # as in `Info.tasks`
    name: str
    description: str
    context: str  # what people see beside an output
    criteria: tuple[str, ...]  # what they judge (Sai et al., 2022, section 3.2)
    spellings: tuple[str, ...]  # other names, as `normal` writes them


class Criterion(NamedTuple):
    """A quality that people judge, and the guideline that its judges follow in effect."""

    name: str  # as in `Info.criteria`
    description: str
    guideline: str | None = None  # None: nothing can be said
    spellings: tuple[str, ...] = ()  # other names, as `normal` writes them


def _task(
    short: str, name: str, description: str, context: str, criteria: str, spellings: str
) -> Task:
    judged = ("fluency", *filter(None, criteria.split(", ")))
    return Task(short, name, description, context, judged, tuple(spellings.split()))


TASKS = {
    task.short: task
    for task in (
        _task(
            "MT",
            "machine translation",
            "says a text in another language",
            "source sentence",
            "adequacy",
            "translation nmt",
        ),
        _task(
            "AS",
            "abstractive summarisation",
            "says the main content of a document in few words",
            "document",
            "informativeness, non-redundancy, referential clarity, focus, structure, coherence, "
            "coverage, relevance, consistency",
            "summarisation summarization summary summaries abstractive-summarization "
            "automatic-summarisation automatic-summarization sum",
        ),
        _task(
            "DG",
            "dialogue generation",
            "answers in a conversation",
            "conversation so far",
            "making sense, engagingness, interestingness, inquisitiveness, listening, "
            "avoiding repetition, humanness, relevance, coherence",
            "dialogue dialog dialog-generation conversation chat response",
        ),
        _task(
            "IC",
            "image captioning",
            "describes an image",
            "image",
            "relevance, thoroughness",
            "captioning caption captions image-caption",
        ),
        _task(
            "QA",
            "question answering",
            "answers a question",
            "question, and passage or image",
            "correctness",
            "answering",
        ),
        _task(
            "QG",
            "question generation",
            "asks a question about a text, a knowledge base or an image",
            "passage, knowledge base or image",
            "answerability, relevance",
            "questions",
        ),
        _task(
            "D2T",
            "data to text",
            "says the content of a table or graph",
            "table or graph",
            "faithfulness, informativeness, coverage, naturalness",
            "data2text table-to-text graph-to-text",
        ),
        _task(
            "NLG",
            "realisation",
            "makes sentences of a tree or another representation",
            "tree or other representation",
            "understandability, writing quality",  # Bangalore et al. (2000), section 4
            "realization surface-realisation surface-realization generation",
        ),
        _task(
            "ASR",
            "speech recognition",
            "writes down what is spoken",
            "recording",
            "",
            "speech transcription",
        ),
        _task(
            "PARA",
            "paraphrasing",
            "says a text in other or simpler words",
            "original text",
            "",
            "paraphrase paraphrases simplification text-simplification",
        ),
        _task(
            "VIEW",
            "summarisation with a viewpoint",
            "says what documents tell about one matter",
            "documents and viewpoint",
            "",
            "viewpoint query-focused-summarisation query-focused-summarization",
        ),
    )
}


def _criterion(
    name: str, guideline: str | None, description: str, spellings: str = ""
) -> Criterion:
    return Criterion(name, description, guideline, tuple(spellings.split()))


CRITERIA = {
    criterion.name: criterion
    for criterion in (
        _criterion("fluency", "fluency", "the language is good"),
        _criterion("wording", "wording", "it is well put"),
        _criterion("naturalness", "wording", "a person could have written it"),
        _criterion("grammaticality", "wording", "it follows the grammar", "grammar"),
        _criterion("well-formedness", "wording", "its sentences are complete and well built"),
        _criterion("readability", "wording", "it is easy to read"),
        _criterion("understandability", "wording", "it is easy to understand", "understanding"),
        _criterion("clarity", "wording", "it leaves no doubt about what is meant"),
        _criterion("coherence", "wording", "its sentences belong together"),
        _criterion("structure", "wording", "its parts stand in a good order"),
        _criterion("focus", "wording", "its sentences keep to the matter"),
        _criterion("non-redundancy", "wording", "it says nothing twice"),
        _criterion("writing quality", "wording", "it is well written", "writing"),
        _criterion("faithfulness", "faithfulness", "the input bears out all it says", "support"),
        _criterion("consistency", "faithfulness", "no fact contradicts the input", "factuality"),
        _criterion("precision", "faithfulness", "what it says is right"),
        _criterion("correctness", "correctness", "it is right, without ado", "accuracy"),
        _criterion("answerability", "correctness", "the input answers the question"),
        _criterion("quality", "quality", "it is good", "score rating rank"),
        _criterion("overall", "quality", "it is good all in all", "overall-quality"),
        _criterion("humanness", "quality", "it seems to come from a person"),
        _criterion("relevance", "relevance", "it is about what matters"),
        _criterion(
            "adequacy",
            "adequacy",
            "it says what the source or reference says",
            "meaning meaning-preservation da da-z direct-assessment",
        ),
        _criterion("coverage", "coverage", "it has the content of the reference", "completeness"),
        _criterion("informativeness", "coverage", "it has the important points", "informativity"),
        _criterion("thoroughness", "coverage", "it leaves out nothing of weight"),
        _criterion("content", "coverage", "it has the right content"),
        _criterion("recall", "coverage", "it has all of the reference"),
        _criterion("recall of facts", "coverage", "it has the facts that were asked for"),
        _criterion("brevity", None, "it has no more words than needed"),
        _criterion("consensus", None, "it says what most people would"),
        _criterion("lexical choice", None, "its words are the right ones"),
        _criterion("post-editing effort", None, "it takes little work to put right"),
        _criterion("referential clarity", None, "it is clear whom and what it speaks of"),
        _criterion("making sense", None, "it makes sense in the conversation"),
        _criterion("engagingness", None, "one would like to go on talking"),
        _criterion("interestingness", None, "it is interesting"),
        _criterion("inquisitiveness", None, "it asks enough, and not too much"),
        _criterion("listening", None, "it takes up what was said"),
        _criterion("avoiding repetition", None, "it does not repeat what it said before"),
    )
}


def normal(name: str) -> str:
    """Return a name in lower case, with hyphens for blanks and underscores."""
    return "-".join(name.lower().replace("_", " ").replace("-", " ").split())


_TASK_SPELLINGS = {
    spelling: task.short
    for task in TASKS.values()
    for spelling in (task.short.lower(), normal(task.name), *task.spellings)
}
_CRITERION_SPELLINGS = {
    spelling: criterion
    for criterion in CRITERIA.values()
    for spelling in (normal(criterion.name), *criterion.spellings)
}


def find_task(name: str) -> str:
    """Return the short name of a task (a key of `TASKS`), whichever way it is written."""
    key = normal(name)
    if key not in _TASK_SPELLINGS:
        known = (f"{task.short} ({task.name})" for task in TASKS.values())
        raise SpecError(f"task {name!r} is not known; {nearest(key, _TASK_SPELLINGS, known)}")
    return _TASK_SPELLINGS[key]


def find_criterion(name: str) -> Criterion | None:
    """Return the criterion that a name tells, or None; `fluency_expert`, too, is fluency."""
    key = normal(name)
    while key not in _CRITERION_SPELLINGS and "-" in key:
        key = key.rpartition("-")[0]
    return _CRITERION_SPELLINGS.get(key)


def near_criteria(name: str) -> list[str]:
    """Return the known names of criteria that look most like a name."""
    return _close(normal(name), _CRITERION_SPELLINGS)


def nearest(key: str, spellings: Iterable[str], known: Iterable[str]) -> str:
    """Return a question with the spellings most like a key, or a sentence with all `known`."""
    close = _close(key, spellings)
    return f"did you mean {' or '.join(close)}?" if close else f"known are {', '.join(known)}."


def _close(key: str, spellings: Iterable[str]) -> list[str]:
    import difflib

    return difflib.get_close_matches(key, spellings, n=3)


def check_facts(metric: str, tasks: Iterable[str], criteria: Iterable[str]) -> None:
    """Refuse tasks and criteria of a metric that are not written as in the tables."""
    for task in tasks:
        if task not in TASKS:
            raise SpecError(f"{metric}: tasks: {task!r} is not one of {', '.join(TASKS)}")
    for criterion in criteria:
        if criterion not in CRITERIA:
            hint = nearest(normal(criterion), CRITERIA, CRITERIA)
            raise SpecError(f"{metric}: criteria: {criterion!r} is not known; {hint}")
