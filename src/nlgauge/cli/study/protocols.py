"""List the protocols that a study file can ask for, with their options."""

from __future__ import annotations

import argparse


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `nlgauge annotate protocols`."""
    parser.add_argument("names", nargs="*", metavar="NAME", help="protocols to tell all options of")


def run(arguments: argparse.Namespace) -> None:
    """Print the table, or the options of some protocols."""
    from nlgauge.annotate.protocols.registry import PRESETS, PROTOCOLS, protocol_class
    from nlgauge.core.options import listed
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
        cls = protocol_class(PRESETS.get(name, (name,))[0])
        print_wrapped(out, f"{cls.info.title}. {cls.info.paper}", f"{name}: ")
        print("\n".join(listed(cls)))
