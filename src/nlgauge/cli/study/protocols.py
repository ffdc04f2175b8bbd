"""List the protocols that a study file can ask for, with their options."""

from __future__ import annotations

import argparse
import json
from dataclasses import fields


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `nlgauge annotate protocols`."""
    parser.add_argument("names", nargs="*", metavar="NAME", help="protocols to tell all options of")


def run(arguments: argparse.Namespace) -> None:
    """Print the table, or the options of some protocols."""
    from nlgauge.annotate.protocols.registry import PRESETS, PROTOCOLS, protocol_class
    from nlgauge.report.tables.terminal import console, print_wrapped

    out = console()
    if not arguments.names:
        for name in PROTOCOLS:
            info = protocol_class(name).info
            print_wrapped(out, f"{info.title}. {info.paper}", f"{name:<22}")
        for name, (base, _) in PRESETS.items():
            print_wrapped(out, f"a preset of {base}", f"{name:<22}")
        return
    for name in arguments.names:
        base, preset = PRESETS.get(name, (name, {}))
        cls = protocol_class(base)
        print_wrapped(out, f"{cls.info.title}. {cls.info.paper}", f"{name}: ")
        for field in fields(cls):
            value = json.dumps(preset.get(field.name, field.default))  # which is TOML, too
            help, low, high = map(field.metadata.get, ("help", "low", "high"))
            ends = "" if low is None or high is None else f" ({low:g} to {high:g})"
            print_wrapped(out, value, f"    {field.name} = ")
            print_wrapped(out, f"{help}{ends}", " " * 8)
