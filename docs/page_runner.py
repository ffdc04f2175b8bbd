"""Run the commands and the code of a page, and tell what comes out beside what the page shows.

In a page that runs,

- a block `console` has commands after `$ `, each followed by what it prints, errors included;
- a block `python` is run in the names that earlier ones left, and what it prints stands in the
  block `text` that follows it;
- a bold file name before a block says that the block is this file.

All of it happens in one folder of its own with the example data. In what a page shows, a line
`...` stands for any lines.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import nlgauge

ROOT = Path(__file__).parents[1]
BLOCK = re.compile(
    r"(?:^\*\*(?P<file>\S+)\*\*\n+)?^```(?P<kind>\w*)\n(?P<text>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)
# After each command, with its exit code kept for the next one to ask for.
MARK = "--- end of output ---"
STEP = "{command}\n__code=$?; echo '" + MARK + "'; (exit $__code)\n"
# Runs each line that it is given, a string in JSON, and answers with what that printed.
INTERPRETER = """
import contextlib, io, json, sys
names = {"__name__": "__main__"}
for line in sys.stdin:
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
        try:
            exec(compile(json.loads(line), "page", "exec"), names)
        except Exception as error:
            print(f"{type(error).__name__}: {error}")
    print(json.dumps(printed.getvalue()), flush=True)
"""


@dataclass(frozen=True)
class Step:
    """What was run, where its output stands in the page, and what came out."""

    ran: str
    found: str
    shown: str
    place: tuple[int, int]

    @property
    def agrees(self) -> bool:
        """Whether the page shows what came out."""
        lines = (".*" if line == "..." else re.escape(line) for line in self.shown.splitlines())
        return re.fullmatch("\n".join(lines), self.found.rstrip("\n"), re.DOTALL) is not None


def run_page(text: str, folder: Path) -> list[Step]:
    """Run all blocks of a page in that folder, which gets a copy of the example data."""
    shutil.copytree(ROOT / "examples", folder / "examples", dirs_exist_ok=True)
    session = _Session(folder)
    steps: list[Step] = []
    waiting: tuple[str, str] | None = None  # code and its output, which the next block shows
    end = 0  # of this code's block
    for block in BLOCK.finditer(text):
        kind, content = block["kind"], block["text"]
        if waiting is not None:
            shown = kind == "text" and not block["file"]
            place = block.span("text") if shown else (end, end)
            steps.append(Step(*waiting, content if shown else "", place))
            waiting = None
            if shown:
                continue
        if block["file"]:
            (folder / block["file"]).write_text(content, encoding="utf-8")
        elif kind == "console":
            steps += session.commands(content, block.start("text"))
        elif kind == "python":
            waiting = content, session.python(content)
            end = block.end() + 1
    if waiting is not None:
        steps.append(Step(*waiting, "", (end, end)))
    session.close()
    return steps


def renewed(text: str, folder: Path) -> str:
    """Return the page with what comes out today, where it shows something else."""
    for step in reversed(run_page(text, folder)):
        if not step.agrees:
            first, last = step.place
            found = step.found
            if first == last and text[:first].endswith("```\n"):  # there was no block for it
                found = f"\n```text\n{found}```\n"
            text = text[:first] + found + text[last:]
    return text


class _Session:
    """Commands and code that share a folder and an environment."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.interpreter: subprocess.Popen[str] | None = None
        programs = folder / ".programs"
        programs.mkdir(exist_ok=True)
        for name, module in (("nlgauge", "nlgauge"), ("pytest", "pytest"), ("python", "")):
            start = f"-m {module}" if module else ""
            program = programs / name
            program.write_text(f'#!/bin/sh\nexec "{sys.executable}" {start} "$@"\n', "utf-8")
            program.chmod(0o755)
        kept = {k: v for k, v in os.environ.items() if not k.startswith(("PYTEST_", "GITHUB_"))}
        # The package that runs this, which need not be the one in the repository.
        package = str(Path(nlgauge.__file__).parents[1])
        paths = [package, *filter(None, [os.environ.get("PYTHONPATH")])]
        self.environment = {
            **kept,
            "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
            "PYTHONPATH": os.pathsep.join(paths),
            "COLUMNS": "80",
            "NO_COLOR": "1",
            "LC_ALL": "C.UTF-8",
        }

    def commands(self, content: str, start: int) -> list[Step]:
        """Run the commands of a block in one shell."""
        ran: list[str] = []
        shown: list[tuple[int, str]] = []  # where the output of each command begins, and it
        for line in content.splitlines(keepends=True):
            start += len(line)
            if line.startswith("$ "):
                ran.append(line[2:].rstrip("\n"))
                shown.append((start, ""))
            elif ran and ran[-1].endswith("\\"):  # the command goes on
                ran[-1] += "\n" + line.rstrip("\n")
                shown[-1] = (start, "")
            else:
                shown[-1] = (shown[-1][0], shown[-1][1] + line)
        script = "".join(STEP.format(command=command) for command in ran)
        outputs = map(_tidy, self._run(["bash", "-c", script]).split(MARK)[: len(ran)])
        return [
            Step(command, found, text, (place, place + len(text)))
            for command, (place, text), found in zip(ran, shown, outputs, strict=True)
        ]

    def python(self, code: str) -> str:
        """Run code among the names that earlier code left."""
        if self.interpreter is None:
            self.interpreter = subprocess.Popen(
                [sys.executable, "-c", INTERPRETER], cwd=self.folder, env=self.environment,
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8",
            )  # fmt: skip
        assert self.interpreter.stdin is not None and self.interpreter.stdout is not None
        print(json.dumps(code), file=self.interpreter.stdin, flush=True)
        return _tidy(json.loads(self.interpreter.stdout.readline()))

    def close(self) -> None:
        """End the interpreter."""
        if self.interpreter is not None:
            self.interpreter.communicate()

    def _run(self, command: list[str]) -> str:
        done = subprocess.run(
            command, cwd=self.folder, env=self.environment, text=True, encoding="utf-8",
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            timeout=300, check=False,
        )  # fmt: skip
        return done.stdout


def _tidy(output: str) -> str:
    """Return output without blanks at the ends of lines, and without empty lines around it."""
    lines = "\n".join(line.rstrip() for line in output.splitlines()).strip("\n")
    return f"{lines}\n" if lines else ""
