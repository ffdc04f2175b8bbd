import sys
from pathlib import Path

# The programs that train what ships; at the end, as one of them is called like a package.
sys.path.append(str(Path(__file__).parents[2] / "weights"))
