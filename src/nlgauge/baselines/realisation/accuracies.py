"""Score realisations of a treebank's trees with SSA, GSA, STA and GTA."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from nlgauge.core.table import ScoreTable
from nlgauge.data.corpus import Suite
from nlgauge.data.parses import Parse
from nlgauge.io.annotations.conllu import write_conllu
from nlgauge.metrics.edit.accuracy import GSA, SSA
from nlgauge.metrics.syntax.treelets import GTA, STA
from nlgauge.run.scoring import score_suite

ACCURACIES = ("ssa", "gsa", "sta", "gta")


def score_realisations(
    parses: Sequence[Parse], realised: Mapping[str, Sequence[str]], *, threads: int | None = None
) -> tuple[ScoreTable, Suite]:
    """Return the scores of systems against the sentences that the trees come from, and the texts.

    The trees that STA and GTA look at are those of the parses.
    """
    suite = Suite.build(realised, [" ".join(parse.words) for parse in parses])
    with TemporaryDirectory() as folder:
        path = Path(folder) / "references.conllu"
        with path.open("w", encoding="utf-8", errors="surrogatepass") as file:
            write_conllu(file, parses)
        metrics = [SSA(), GSA(), STA(parser=str(path)), GTA(parser=str(path))]
        table = score_suite(suite, metrics, threads=threads)
    # The file is gone; its hash stays in the signatures.
    columns = (
        replace(c, name=name, signature=c.signature.replace(str(path), "references"))
        for c, name in zip(table.columns, ACCURACIES, strict=True)
    )
    return replace(table, columns=tuple(columns)), suite
