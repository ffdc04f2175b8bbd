"""What the literature uses for which task: table 3 of the survey of Sai et al. (2022)."""

from __future__ import annotations

from typing import Literal

Role = Literal["proposed", "adopted"]

_ALL_BUT_MT = "AS* DG* IC* QA* D2T* QG*"
_ROUGE = "AS MT* DG* IC* QA* D2T* QG*"
_EMBEDDING = "MT* AS* DG* IC* QA* D2T*"

# By name, as registered here or, for what is not, as the survey has it. A star: adopted for the
# task, otherwise proposed for it. PARENT's mark stands in the row of ROUGE-C there, by mistake.
_TABLE_3 = {
    **dict.fromkeys(("bleu", "nist", "meteor"), f"MT {_ALL_BUT_MT}"),
    **dict.fromkeys(("rouge-n", "rouge-l", "rouge-w", "rouge-s", "rouge-su"), _ROUGE),
    "gtm": "MT AS* QA*",
    **dict.fromkeys(("cider", "spice", "spider", "leic", "composite"), "IC"),
    **dict.fromkeys(("wer", "mwer", "per", "mper", "ter", "iter", "cder", "invwer"), "MT"),
    "chrf": "MT AS* IC*",
    **dict.fromkeys(("extrema", "emb-avg"), _EMBEDDING),
    "wmd": "MT* AS* IC*",
    "bertr": "MT*",
    "bertscore": "MT IC DG* QA*",
    "moverscore": "MT AS IC D2T",
    **dict.fromkeys(("beer", "blend", "simile", "esim", "ruse", "bert-mte"), "MT"),
    "q-metric": "QG",
    "bleurt": "MT D2T",
    "nubia": "MT IC",
    "rouge-c": "AS",
    "parent": "D2T",
    **dict.fromkeys(("adem", "ruber", "ruber-bert", "ssrem", "maude", "roberta-eval"), "DG"),
}


# What was measured best of all metrics here, by task: the metric, and on what.
_MEASURED = {"MT": ("gauge", "WMT16, see docs/reference/learned.md")}


def measured_best(name: str, task: str) -> str | None:
    """Return on what data a metric was measured best for a task; None if it was not."""
    best, where = _MEASURED.get(task, (None, None))
    return where if best == name else None


def survey_role(name: str, task: str) -> Role | None:
    """Return whether the survey has a metric as proposed or adopted for a task, or neither."""
    marks = _TABLE_3.get(name, "").split()
    return "proposed" if task in marks else "adopted" if f"{task}*" in marks else None


def survey_names() -> list[str]:
    """Return the names of all metrics in the survey's table."""
    return list(_TABLE_3)
