"""Run a command and print its wall time in seconds and its peak resident size in bytes.

A process starts with the peak of the one that forked it, so that a large parent would hide what its
child uses. `measure` therefore starts this small program, which starts the command.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Sequence


def measure(command: Sequence[str], bytecode: str) -> tuple[float, int]:
    """Wall time and peak memory of a command that keeps compiled modules in a folder of its own.

    Otherwise a package would be compiled each time where it was installed without bytecode.
    """
    environment = {**os.environ, "PYTHONPYCACHEPREFIX": bytecode}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    run = [sys.executable, "-S", __file__, *command]
    done = subprocess.run(run, check=True, capture_output=True, text=True, env=environment)
    seconds, peak = done.stdout.split()
    return float(seconds), int(peak)


def main(command: list[str]) -> None:
    """Fork, execute, wait."""
    start = time.perf_counter()
    pid = os.fork()
    if pid == 0:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        os.execvp(command[0], command)
    _, status, usage = os.wait4(pid, 0)
    seconds = time.perf_counter() - start
    if status != 0:
        sys.exit(f"{' '.join(command)} failed")
    scale = 1 if sys.platform == "darwin" else 1024
    print(seconds, usage.ru_maxrss * scale)


if __name__ == "__main__":
    main(sys.argv[1:])
