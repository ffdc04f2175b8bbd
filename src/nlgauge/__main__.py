"""Run the command line with `python -m nlgauge`."""

import sys

from nlgauge.cli import program

sys.exit(program())
