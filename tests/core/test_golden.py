"""Every golden case: the corpus score, its parts, and every segment."""

import pytest
from support.golden_files import Case, cases, metrics_with_golden_files, served
from support.minilm import skip_without_weights

from nlgauge.core import registry
from nlgauge.core.metric import totals


@pytest.mark.filterwarnings("ignore:.*pieces at their ends:nlgauge.errors.NlgaugeWarning")
@pytest.mark.filterwarnings("ignore:.*have no verdict:nlgauge.errors.NlgaugeWarning")
@pytest.mark.filterwarnings("ignore::nlgauge.errors.TextWarning")  # some corpora are odd on purpose
@pytest.mark.parametrize("case", list(cases()), ids=str)
def test_golden(case: Case) -> None:
    skip_without_weights(case.spec)
    with served(case) as corpus:
        score = registry.metric(case.spec).evaluate(corpus, threads=2).to_dict()
        for part, expected in case.expected.items():
            assert score[part] == pytest.approx(expected, rel=0, abs=case.tolerance), part
        if case.segments is not None:
            metric = registry.metric(case.segment_spec or case.spec)
            rows = metric.rows(corpus, metric.fit(corpus))
            found = metric.score(rows) * metric.info.scale
            assert found.tolist() == pytest.approx(case.segments, rel=0, abs=case.tolerance)
            assert totals(rows).shape == (rows.shape[1],)


def test_every_metric_has_a_golden_file() -> None:
    assert metrics_with_golden_files() == set(registry.METRICS)
