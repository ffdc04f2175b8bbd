"""Parse arguments: nothing is abbreviated in silence, and what is mistyped gets a suggestion."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any, NoReturn

from nlgauge.cli.help_text import HelpFormatter
from nlgauge.errors import close_words

_REFERENCES = ("--ref", "--refs", "--reference", "--references", "--gold", "--target")
# What other programs call options, and what a command that has the option beside it would take.
_ELSEWHERE = {
    "--json": ("-f", "-f json"),
    "--tsv": ("-f", "-f tsv"),
    "--latex": ("-f", "-f latex"),
    "--markdown": ("-f", "-f markdown"),
    "--html": ("--report", "--report FILE"),
    "--version": ("-h", "nlgauge --version"),
}
MOST_LIKE = 3  # options that begin like a mistyped one
ALIKE = 0.7  # share of letters that an option has with a mistyped one
_OUTPUTS = ("--hyp", "--hyps", "--hypothesis", "--hypotheses", "--prediction", "--predictions")


class _StoreAll(argparse._StoreAction):
    """Keep what an option of several values was given before: -i a -i b means -i a b; and take
    -m a,b for -m a b.
    """

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: Any,
        option_string: str | None = None,
    ) -> None:
        if self.dest == "metrics" and self.nargs in ("+", "*"):
            from nlgauge.run.metric_lists import split_metrics

            values = [one for text in values for one in split_metrics(text)]
        before = getattr(namespace, self.dest, self.default)
        if self.nargs == "+" and option_string and before is not self.default:
            values = [*before, *values]
        super().__call__(parser, namespace, values, option_string)


class CommandParser(argparse.ArgumentParser):
    """A parser that takes options only by their whole names, such as -tok, but not -t for it."""

    def __init__(self, **settings: Any) -> None:
        settings.setdefault("formatter_class", HelpFormatter)
        super().__init__(allow_abbrev=False, **settings)
        self.register("action", None, _StoreAll)

    def _get_option_tuples(self, option_string: str) -> list[Any]:
        """Leave the value behind a letter, as in -w3, and no name that merely begins alike."""
        found = super()._get_option_tuples(option_string)
        return [match for match in found if match[1] == option_string[:2]]

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Refuse unknown options here, where it is known which command has which."""
        found, unknown = super().parse_known_args(args, namespace)
        if unknown and self._subparsers is None:
            self.error(self._unknown(unknown))
        return found, unknown

    def _unknown(self, arguments: Sequence[str]) -> str:
        name = arguments[0].partition("=")[0]
        if not name.startswith("-"):
            return f"unrecognized arguments: {' '.join(arguments)}"
        known = [option for action in self._actions for option in action.option_strings]
        if "--input" in known and name in _REFERENCES + _OUTPUTS:
            what = "references come first" if name in _REFERENCES else "outputs are -i FILE"
            return f"no option {name}; {what}: {self.prog} ref.txt -i mine.txt"
        beside, instead = _ELSEWHERE.get(name, ("", ""))
        if beside in known:
            return f"no option {name}; did you mean {instead}?"
        hint = _like(name, known) or f"see: {self.prog} --help"
        if "--metrics" in known:
            hint = _as_metric_option(name) or hint
        return f"no option {name}; {hint}"

    def error(self, message: str) -> NoReturn:
        """Say what is wrong and where help is, without the long usage."""
        self.exit(2, f"{self.prog}: error: {message}{self._values_missing(message)}\n")

    def _values_missing(self, message: str) -> str:
        """Return the names of the values that the option in a message asks for, if it says so."""
        for action in self._actions:
            names = action.metavar
            if (
                isinstance(names, tuple)
                and f"{'/'.join(action.option_strings)}: expected" in message
            ):
                return f": {action.option_strings[-1]} {' '.join(names)}"
        return ""


def _like(name: str, known: Sequence[str]) -> str:
    """Return the options that begin like a mistyped one or have its letters, as a question."""
    by_letters = {option.lstrip("-"): option for option in known}
    close = [option for option in known if option.startswith(name)][:MOST_LIKE] or [
        by_letters[word] for word in close_words(name.lstrip("-"), by_letters, cutoff=ALIKE)
    ]
    return f"did you mean {' or '.join(close)}?" if close else ""


def _as_metric_option(name: str) -> str:
    """Return where an option such as --chrf-word-order of sacreBLEU stands here, if a metric has
    it.
    """
    from nlgauge.core.facts.metric_names import METRICS
    from nlgauge.core.options import types_of
    from nlgauge.core.registry import metric_class

    metric, _, option = name.removeprefix("--").partition("-")
    option = option.replace("-", "_")
    if metric not in METRICS or option not in types_of(metric_class(metric)):
        return ""
    return f"options of a metric stand behind its name: -m '{metric}({option}=...)'"
