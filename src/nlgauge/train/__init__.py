"""Fit the models that trained metrics use."""

from typing import TYPE_CHECKING

from nlgauge.lazy import exports

if TYPE_CHECKING:
    from nlgauge.train.judged_rows import JudgedRows as JudgedRows
    from nlgauge.train.judged_rows import read_judged_rows as read_judged_rows
    from nlgauge.train.recipes import recipe_of as recipe_of
    from nlgauge.train.trainer import TrainedMetric as TrainedMetric
    from nlgauge.train.trainer import TrainSettings as TrainSettings
    from nlgauge.train.trainer import train_metric as train_metric

__all__, __getattr__, __dir__ = exports(
    __name__,
    {
        "nlgauge.train.judged_rows": ["JudgedRows", "read_judged_rows"],
        "nlgauge.train.recipes": ["recipe_of"],
        "nlgauge.train.trainer": ["TrainSettings", "TrainedMetric", "train_metric"],
    },
)
