"""Write docs/reference/commands.md from the options of all commands."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from nlgauge.cli import GROUPS, parser

EXAMPLE = re.compile(r"^\s*(nlgauge |cat |\$ )")


def page() -> str:
    """Return the text of the page."""
    lines = [
        "# Commands",
        "",
        "Made from the program by `make docs`; `nlgauge COMMAND --help` shows the same.",
        "",
        "Next: [recipes](../index.md#recipes-one-task-one-page) show the commands at work.",
        "",
        "| command | does |",
        "|---|---|",
    ]
    names = {name: text for _, commands in GROUPS.values() for name, text in commands.items()}
    lines += [f"| [{name}](#nlgauge-{name}) | {text} |" for name, text in names.items()]
    for name in names:
        for command in _with_subcommands(_commands(parser([name]))[name]):
            level = "##" if command.prog.count(" ") == 1 else "###"
            lines += ["", f"{level} {command.prog}", *_described(command), *_options(command)]
    return "\n".join(lines) + "\n"


def _with_subcommands(command: argparse.ArgumentParser) -> Iterator[argparse.ArgumentParser]:
    """Yield the parser of a command, and those of its own commands."""
    yield command
    for below in _commands(command).values():
        yield from _with_subcommands(below)


def _commands(command: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    """Return the parsers below one, by their names."""
    for action in command._actions:
        if isinstance(action, argparse._SubParsersAction):
            return dict(action.choices)
    return {}


def _described(command: argparse.ArgumentParser) -> Iterator[str]:
    """Yield what the command is for, with its examples as code."""
    for block in (command.description or "").strip().split("\n\n"):
        lines = block.splitlines()
        if lines and all(map(EXAMPLE.match, lines)):
            yield from ("", "```text", *(line.strip() for line in lines), "```")
        elif lines:
            yield from ("", *(line.strip().replace("<", "&lt;") for line in lines))


def _options(command: argparse.ArgumentParser) -> Iterator[str]:
    """Yield a table of what the command takes."""
    rows = [row for action in command._actions if (row := _row(command, action))]
    if rows:
        yield from ("", "| option | meaning |", "|---|---|", *rows)


def _row(command: argparse.ArgumentParser, action: argparse.Action) -> str:
    if isinstance(action, argparse._SubParsersAction | argparse._HelpAction):
        return ""
    if action.help is None or action.help == argparse.SUPPRESS:
        return ""
    text = " ".join(command._get_formatter()._expand_help(action).split())
    value = action.metavar or ("" if action.nargs == 0 else action.dest.upper())
    value = " ".join(value) if isinstance(value, tuple) else value
    several = " ..." if action.nargs in ("+", "*") else ""
    called = ", ".join(f"`{name}`" for name in action.option_strings)
    shown = f" `{value}{several}`" if value and action.nargs != 0 else ""
    return f"| {called}{shown} | {_cell(text)} |".replace("|  ", "| ")


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("<", "&lt;").replace("*", "\\*")


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(page(), encoding="utf-8")
