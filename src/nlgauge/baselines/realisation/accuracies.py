"""Score realisations of a treebank's trees with string and tree accuracies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from nlgauge.core.metric import Metric
from nlgauge.core.table import ScoreTable
from nlgauge.data.corpus import Suite
from nlgauge.data.parses import Parse
from nlgauge.io.annotations.conllu import write_conllu
from nlgauge.metrics.edit.accuracy import GSA, SSA
from nlgauge.metrics.syntax.treelets import GTA, QLA, STA, UA
from nlgauge.run.scoring import score_suite

ACCURACIES = ("ssa", "gsa", "sta", "gta")
_STRINGS = {"ssa": SSA, "gsa": GSA}
_TREES = {"sta": STA, "gta": GTA, "ua": UA, "qla": QLA}


def score_realisations(
    parses: Sequence[Parse],
    realised: Mapping[str, Sequence[str]],
    *,
    metrics: Sequence[str] = ACCURACIES,
    threads: int | None = None,
) -> tuple[ScoreTable, Suite]:
    """Return the scores of systems against the sentences that the trees come from, and the texts.

    The trees that metrics look at are those of the parses.
    """
    suite = Suite.build(realised, [" ".join(parse.words) for parse in parses])
    with TemporaryDirectory() as folder:
        path = Path(folder) / "references.conllu"
        with path.open("w", encoding="utf-8", errors="surrogatepass") as file:
            write_conllu(file, parses)
        chosen: list[Metric] = [
            _STRINGS[name]() if name in _STRINGS else _TREES[name](parser=str(path))
            for name in metrics
        ]
        table = score_suite(suite, chosen, threads=threads)
    # The file is gone; its hash stays in the signatures.
    columns = (
        c._replace(name=name, signature=c.signature.replace(str(path), "references"))
        for c, name in zip(table.columns, metrics, strict=True)
    )
    return replace(table, columns=tuple(columns)), suite
