"""The plugin that pytest loads: it has options and the fixture `nlgauge`, and imports them late."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from nlgauge.testing.text_gate import TextGate

FOLDER = "nlgauge_baselines"
UPDATE = "--nlgauge-update"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option that stores new baselines, and the folder they are stored in."""
    group = parser.getgroup("nlgauge")
    group.addoption(
        UPDATE,
        action="store_true",
        help="store the outputs of assert_not_worse as the new baselines",
    )
    parser.addini(FOLDER, "folder of stored baselines", default="nlgauge-baselines")


@pytest.fixture(name="nlgauge")
def nlgauge_fixture(request: pytest.FixtureRequest) -> TextGate:
    """Return what asserts that texts are good enough, and not worse than before."""
    from nlgauge.testing.text_gate import TextGate

    config = request.config
    return TextGate(
        baselines=Path(config.rootpath, config.getini(FOLDER)),
        update=config.getoption(UPDATE),
        properties=request.node.user_properties,
    )
