"""One figure of every kind from made-up numbers; run as a program, it writes them to a folder:

python tests/figure_samples.py FOLDER [svg|png|pdf ...]
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from nlgauge.report.figures import (
    Contour,
    Dendrogram,
    Distribution,
    Figure,
    HeatMap,
    IntervalPlot,
    ScatterPlot,
)

NAMES = ["bleu", "chrf++", "ter", "meteor", "rouge-l"]


def samples() -> dict[str, Figure]:
    rng = np.random.default_rng(1)
    human = rng.normal(size=300)
    metrics = human[:, None] + rng.normal(size=(300, 5)) * [0.4, 0.6, 0.9, 0.5, 0.8]
    r = np.corrcoef(metrics.T)
    values = np.array([0.62, 0.55, 0.43, 0.58, np.nan])
    p = np.array([[np.nan, 0.2, 1e-4], [0.2, np.nan, 0.04], [1e-4, 0.04, np.nan]])
    systems = ["<b>A</b> & co", "B", "a system with a really long name, v1.2-beta"]
    alpha, order = np.linspace(0, 1, 11), np.arange(1, 9)
    plane = 0.8 - (alpha - 0.6) ** 2 - 0.01 * (order[:, None] - 3) ** 2
    merges = [[0, 1, 0.1, 2], [3, 4, 0.15, 2], [2, 6, 0.3, 3], [5, 7, 0.45, 5]]
    return {
        "intervals": IntervalPlot(
            title="Correlation with fluency",
            labels=NAMES,
            values=values,
            lows=values - 0.05,
            highs=values + 0.04,
            axis="Pearson's r",
            format=".3f",
            reference=0.5,
            groups=[0, 1, 2, 0, 1],
        ),
        "distribution": Distribution(
            title="Segment scores: bleu",
            labels=systems,
            samples=[rng.beta(2, 5, 400) * 100, rng.beta(3, 4, 400) * 100, [np.nan, 50]],
            axis="bleu",
        ),
        "scatter": ScatterPlot(
            title="bleu × fluency, systems",
            x_label="bleu",
            y_label="fluency",
            x=metrics[:12, 0],
            y=human[:12],
            labels=[f"system {i}" for i in range(12)],
            groups=[i % 3 for i in range(12)],
            group_names=["news", "web", "talks"],
        ),
        "scatter-many": ScatterPlot(
            title="bleu × fluency, segments",
            x_label="bleu",
            y_label="fluency",
            x=rng.normal(size=20000),
            y=rng.normal(size=20000),
        ),
        "correlations": HeatMap.of_correlations(
            "Correlation between metrics",
            NAMES,
            r,
            marked=r > 0.7,
            mark_note="p < 0.05",
        ),
        "p-values": HeatMap.of_p_values("bleu: is the row better?", systems, systems, p),
        "large": HeatMap(
            title="A large matrix",
            rows=[f"metric {i}" for i in range(30)],
            columns=[f"metric {i}" for i in range(30)],
            values=rng.normal(size=(30, 30)),
            colours="diverging",
            marked=rng.random((30, 30)) < 0.1,
        ),
        "dendrogram": Dendrogram(
            title="Metrics by their correlation", labels=NAMES, merges=merges, axis="1 − |r|"
        ),
        "contour": Contour(
            title="Evaluation plane: coverage",
            x_label="α",
            y_label="N",
            x=alpha,
            y=order,
            values=plane,
            value_label="R²",
            maximum=(0.6, 3),
            region=(0.5, 1.0, 1, 2),
            region_label="predicted for summarisation by coverage",
        ),
    }


if __name__ == "__main__":
    from nlgauge.report.figures.plots import rendered

    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for name, figure in samples().items():
        for format in sys.argv[2:] or ["svg"]:
            (folder / f"{name}.{format}").write_bytes(rendered(figure, format))
