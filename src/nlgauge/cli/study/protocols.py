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

    if not arguments.names:
        for name in PROTOCOLS:
            info = protocol_class(name).info
            print(f"{name:<22}{info.title}. {info.paper}")
        for name, (base, _) in PRESETS.items():
            print(f"{name:<22}a preset of {base}")
        return
    for name in arguments.names:
        cls = protocol_class(PRESETS.get(name, (name,))[0])
        print(f"{name}: {cls.info.title}. {cls.info.paper}")
        print("\n".join(listed(cls)))
