from hypothesis import settings

# Machines that run tests are busy; how long an example takes says nothing.
settings.register_profile("nlgauge", deadline=None)
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
