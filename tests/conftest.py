from collections.abc import Iterator

import pytest
from hypothesis import settings

from nlgauge.core import registry

# Machines that run tests are busy; how long an example takes says nothing. Examples are the same in
# every run, so that a test that fails has a cause in the change; `make test-random` draws others.
settings.register_profile("nlgauge", deadline=None, derandomize=True)
settings.register_profile("random", deadline=None, print_blob=True)
settings.load_profile("nlgauge")


def pytest_sessionstart() -> None:
    """Fail at once where continuous integration demands a program that tests would skip without."""
    import os

    from support.chromium import BINARY
    from support.studies.postgres_server import FOLDER
    from support.studies.study_browser import axe_source

    there = {"chromium": BINARY, "postgresql": FOLDER, "axe": axe_source()}
    missing = [
        name for name in os.environ.get("NLGAUGE_TEST_DEMANDS", "").split() if not there[name]
    ]
    if missing:
        raise RuntimeError(f"demanded for these tests, and not installed: {', '.join(missing)}")


@pytest.fixture(autouse=True)
def _metrics_made_by_a_test_are_its_own() -> Iterator[None]:
    """Forget the metrics that a test made of functions: other tests list all that are known."""
    made, before = registry._MADE, dict(registry._MADE)
    yield
    if made != before:
        made.clear()
        made.update(before)
        registry.metric_class.cache_clear()
