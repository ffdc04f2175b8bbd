"""The help of every command: whole phrases, with the names that the library knows."""

import argparse
from collections.abc import Iterator

import pytest

from nlgauge.cli import COMMANDS, GROUPS, parser
from nlgauge.io.judgements import judgement_files
from nlgauge.io.texts import suites
from nlgauge.meta.correlation.settings import COEFFICIENTS


def parsers(made: argparse.ArgumentParser) -> Iterator[argparse.ArgumentParser]:
    yield made
    for action in made._actions:
        if isinstance(action, argparse._SubParsersAction):
            for sub in action.choices.values():
                yield from parsers(sub)


def command(name: str) -> argparse.ArgumentParser:
    (commands,) = (a for a in parser([name])._actions if isinstance(a.choices, dict))
    return commands.choices[name]


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_says_what_it_is(name: str) -> None:
    for made in parsers(command(name)):
        assert made.format_help()  # no stray % in it
        for action in made._actions:
            if isinstance(action, argparse._SubParsersAction) or action.help == argparse.SUPPRESS:
                continue
            help = action.help or ""
            assert len(help.split()) >= 3, (made.prog, action.dest, help)
            assert not help.startswith(("of ", "(", "default")), (made.prog, action.dest, help)


def test_names_are_those_of_the_library() -> None:
    def shown(name: str) -> str:
        return " ".join(command(name).format_help().split())

    assert f"input format: {', '.join(suites.FORMATS)} (default" in shown("score")
    assert f"input format: {', '.join(judgement_files.FORMATS)} (default" in shown("agree")
    assert f"coefficients of agreement: {', '.join(COEFFICIENTS)} (default" in shown("meta")


def test_groups_are_listed() -> None:
    text = parser().format_help()
    for title, commands in GROUPS.values():
        assert f"\n{title}:\n" in text
        assert all(f"\n  {name} " in text for name in commands)
