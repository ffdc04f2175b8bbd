"""How well metrics on trees and semantic roles agree with people: docs/reference/roles.md.

    python benchmarks/studies/structure_tables.py FOLDER [-o TABLE.md] [--cache FOLDER]
        [-m METRIC ...]

FOLDER holds wmt16_da_seg.jsonl.gz, as for embedding_tables.py. Trees and roles are found once for
all metrics; what a metric gave is kept in the cache under its signature.
"""

from __future__ import annotations

import argparse
import warnings
from pathlib import Path

from embedding_tables import TRANSLATION, section

from nlgauge.errors import NlgaugeWarning
from nlgauge.version import __version__

METRICS = (
    *("sentbleu", "chrf", "stm", "tkm", "stm-asiya", "cp-oc"),
    *("meant", "umeant", "meant-2(sentence=0)", "meant-2"),
    *("yisi-1(similarity=vectors)", "yisi-1(similarity=vectors,roles=en)"),
    *("yisi-1", "yisi-1(roles=en)"),
)


def main() -> None:
    """Measure and write."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("-o", "--output", type=Path, help="default: standard output")
    parser.add_argument("--cache", type=Path, help="keeps what was scored")
    parser.add_argument("-m", "--metrics", nargs="+", default=list(METRICS))
    arguments = parser.parse_args()
    warnings.simplefilter("ignore", NlgaugeWarning)
    head = f"Written by `benchmarks/studies/structure_tables.py` with nlgauge {__version__}.\n"
    made = section(arguments.folder, TRANSLATION, arguments.metrics, arguments.cache)
    text = f"{head}\n{made}"
    if arguments.output:
        arguments.output.write_text(text, encoding="utf-8")
    else:
        print(text)


if __name__ == "__main__":
    main()
