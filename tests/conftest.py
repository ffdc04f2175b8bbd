import sys
from pathlib import Path

from hypothesis import settings

sys.path.insert(0, str(Path(__file__).parent))

# Machines that run tests are busy; how long an example takes says nothing.
settings.register_profile("nlgauge", deadline=None)
settings.load_profile("nlgauge")
