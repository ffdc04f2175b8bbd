"""List the metrics by family, or explain one: its facts, options, paper and what it needs.

nlgauge metrics
nlgauge metrics bleu
nlgauge metrics --task summarization
nlgauge metrics --lang th
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from nlgauge.cli import shared
from nlgauge.cli.outputs import write_report

if TYPE_CHECKING:
    from nlgauge.core.metric import Metric
    from nlgauge.report.pages.page import Section
    from nlgauge.text.languages import Language

MOST_OPTION = 24  # letters of an option and its value beside which its meaning stands


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `nlgauge metrics`: a name, or what to list."""
    parser.add_argument("name", nargs="?", help="metric, preset or alias to explain")
    parser.add_argument(
        "--task",
        metavar="NAME",
        help="task, such as mt, that the listed metrics were proposed for or are used in",
    )
    parser.add_argument(
        "--lang",
        metavar="CODE",
        help="language, such as th or en-de: show what it chooses for each metric, and what it "
        "refuses",
    )
    parser.add_argument("--tokenizers", action="store_true", help="list the tokenisers instead")
    shared.add_output_format(parser, ("text", "json"))
    shared.add_report(parser)


def run(arguments: argparse.Namespace) -> None:
    """Look up what was asked for, and print it."""
    if arguments.tokenizers:
        _print_tokenizers(arguments.output_format)
    elif arguments.lang:
        _print_language(arguments)
    elif arguments.name:
        _print_one(arguments.name, arguments.output_format)
    else:
        _print_all(arguments.task, arguments.output_format)
    write_report(arguments, lambda: _sections(arguments))


def _sections(arguments: argparse.Namespace) -> list[Section]:
    from nlgauge.report.pages import catalogue_page as catalogue
    from nlgauge.text.preparation import TOKENIZERS

    if arguments.tokenizers:
        return catalogue.tokenizer_sections({t.name: t.description for t in TOKENIZERS.values()})
    if arguments.name:
        found = facts(arguments.name)
        return catalogue.metric_sections(found, _lines(found))
    return catalogue.catalogue_sections(_chosen(arguments.task))


def _print_tokenizers(output_format: str) -> None:
    from nlgauge.text.preparation import TOKENIZERS

    if output_format == "json":
        print(json.dumps({t.name: t.description for t in TOKENIZERS.values()}, indent=1))
        return
    from nlgauge.report.tables.terminal import console, print_wrapped

    out = console()
    for t in TOKENIZERS.values():
        print_wrapped(out, t.description, f"{t.name:<10} ")


def _print_language(arguments: argparse.Namespace) -> None:
    """Show what a language chooses for one metric, for those of a task, or for all."""
    from nlgauge.core.language_options import choice
    from nlgauge.text.languages import find_pair

    source, language = find_pair(arguments.lang)
    names = [arguments.name] if arguments.name else [c.info.name for c in _chosen(arguments.task)]
    found = {name: choice(name, language, source) for name in names}
    if arguments.output_format == "json":
        record = {
            name: {"options": each.options, "refused": each.refused} for name, each in found.items()
        }
        print(json.dumps({"language": language.code, "metrics": record}, indent=1))
        return
    from rich.markup import escape
    from rich.table import Table

    from nlgauge.report.tables.terminal import console

    out = console()
    out.print(f"[bold]{language.code}[/bold]  {language.name}, {language.script} script")
    for label, text in _language_lines(language).items():
        out.print(f"  {label:<10} {escape(text)}")
    grid = Table("metric", "", "with --lang", box=None, pad_edge=False, padding=(0, 2))
    for name, each in found.items():
        grid.add_row(name, "refused" if each.refused else "", escape(each.shown()))
    out.print()
    out.print(grid)


def _language_lines(language: Language) -> dict[str, str]:
    """Return what there is for a language, in words."""
    lines = {
        "words": f"tokenizer={language.words}",
        "case": "lower and upper" if language.cased else "none",
        "stems": language.stem,
        "stop words": language.stop,
        "WordNet": language.wordnet,
        "encoder": language.encoder or "none",
        "parser": language.parser,
    }
    return {**lines, **({"note": language.note} if language.note else {})}


def facts(name: str) -> dict[str, Any]:
    """Return all that the registry knows of a metric, preset or alias."""
    import dataclasses

    from nlgauge.core import options, registry
    from nlgauge.core.facts.cells import cell_words

    made = registry.metric(name)
    hints = options.types_of(type(made))
    return {
        **vars(made.info),
        "cell": cell_words(made.info.cell),
        "spec": registry.spec(made),
        "presets": registry.presets_of(made.info.name),
        "aliases": registry.aliases_of(made.info.name),
        "description": made.description(),
        "options": {
            f.name: {
                "value": options.encode(getattr(made, f.name), hints[f.name]),
                "values": options.describe(hints[f.name]),
                "help": f.metadata["help"],
            }
            for f in dataclasses.fields(made)
        },
        "signature": _signature(made),
        "files": made.shown_files(),
    }


def _signature(metric: Metric) -> str:
    """Return the signature, or what would have to be installed to have one."""
    from nlgauge.errors import ResourceMissing

    try:
        return metric.signature()
    except ResourceMissing as error:
        return f"unknown ({error})"


def _print_one(name: str, output_format: str) -> None:
    found = facts(name)
    if output_format == "json":
        found["bounds"] = [b if abs(b) != float("inf") else str(b) for b in found["bounds"]]
        print(json.dumps(found, indent=1, ensure_ascii=False))
        return
    from rich.text import Text

    from nlgauge.report.tables.terminal import console, print_wrapped

    out = console()
    out.print(Text(found["name"], style="bold").append(f"  {found['title']}", style="not bold"))
    print_wrapped(out, " ".join(str(found["description"]).split()), style="dim")
    for label, text in _lines(found).items():
        if text:
            print_wrapped(out, text, f"  {label:<10} ")
    named = {f"{name}={entry['value']}": entry for name, entry in found["options"].items()}
    out.print("options" if named else "")
    wide = min(MOST_OPTION, max(map(len, named), default=0))
    for name, entry in named.items():
        print_wrapped(out, f"{entry['help']} ({entry['values']})", f"  {name:<{wide}}  ")
    for what, text in found["files"].items():
        out.print()
        out.print(Text(what, style="bold"))
        out.print(Text(text))


def _lines(found: dict[str, Any]) -> dict[str, str]:
    """Return the facts in words; those that are empty say nothing."""
    from nlgauge.core.facts.tasks import TASKS

    direction = "higher is better" if found["higher_is_better"] else "lower is better"
    low, high = (bound * found["scale"] for bound in found["bounds"])
    return {
        "family": found["family"] + (f" ({found['cell']})" if found["cell"] else ""),
        "tasks": ", ".join(f"{t} ({TASKS[t].name})" for t in found["tasks"]),
        "criteria": ", ".join(found["criteria"]),
        "scale": f"{low:g} to {high:g}, {direction}",
        "needs": ", ".join(found["needs"]),
        "extras": ", ".join(found["extras"]),
        "paper": found["paper"],
        "checked": found["checked_against"],
        "presets": ", ".join(f"{k} = {v}" for k, v in found["presets"].items()),
        "aliases": ", ".join(f"{k} = {v}" for k, v in found["aliases"].items()),
        "signature": found["signature"],
    }


def _chosen(task: str | None) -> list[type[Metric]]:
    from nlgauge.core import registry
    from nlgauge.core.facts.tasks import TASKS, find_task
    from nlgauge.errors import SpecError

    if task is None:
        return list(registry.classes())
    short = find_task(task)
    found = [cls for cls in registry.classes() if short in cls.info.tasks]
    if not found:
        raise SpecError(f"no metric was proposed for {TASKS[short].name} or is used in it")
    return found


def _print_all(task: str | None, output_format: str) -> None:
    from nlgauge.core import registry

    chosen = _chosen(task)
    if output_format == "json":
        print(json.dumps([facts(cls.info.name) for cls in chosen], indent=1, default=str))
        return
    from rich.text import Text

    from nlgauge.report.tables.terminal import console, print_wrapped

    out = console()
    families: dict[str, list[type[Metric]]] = {}
    for cls in chosen:
        families.setdefault(cls.info.family, []).append(cls)
    names = [cls.info.name for cls in chosen]
    names += (preset for name in [*names] for preset in registry.presets_of(name))
    wide = max(map(len, names))
    for family, members in families.items():
        out.print(Text(family, style="bold"))
        for cls in members:
            info = cls.info
            arrow = "↑" if info.higher_is_better else "↓"
            said = Text(f"{info.title} ")
            notes = "; ".join(filter(None, [", ".join(info.tasks), _needed(info.needs)]))
            said.append(f"({notes})" if notes else "", style="dim")
            print_wrapped(out, said, f"  {info.name:<{wide}} {arrow}  ")
            for preset, spec in registry.presets_of(info.name).items():
                print_wrapped(out, Text(spec, style="dim"), f"  {preset:<{wide}} {arrow}  ")
    out.print(Text("↑ higher is better, ↓ lower is better", style="dim"))


def _needed(needs: Sequence[str]) -> str:
    """Return what a metric needs, unless it is references, as most need."""
    return "" if tuple(needs) == ("references",) else f"needs {', '.join(needs) or 'nothing'}"
