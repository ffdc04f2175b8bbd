"""The report card of all lexical metrics on the references of a file of records.

python benchmarks/studies/robustness.py DATA_FILE [--split FIELD] [--items N]
"""

from __future__ import annotations

import argparse
import time

from nlgauge.io.judgements.judged_outputs import read_outputs
from nlgauge.meta.stress.robustness import robustness
from nlgauge.report.tables.grid import to_markdown
from nlgauge.report.tables.meta.robustness_tables import card


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", help="tsv, csv, jsonl or parquet with references")
    parser.add_argument("--split", help="a field by which ids repeat, such as lang_pair")
    parser.add_argument("--items", type=int, default=500, help="evenly spaced over the file (500)")
    parser.add_argument("--metrics", nargs="+", default=["all-lexical"])
    arguments = parser.parse_args()
    corpus = read_outputs(arguments.data, split=arguments.split)[0].distinct_items()
    corpus = corpus.take(range(0, len(corpus), max(1, len(corpus) // arguments.items)))
    start = time.perf_counter()
    result = robustness(corpus, arguments.metrics)
    print(to_markdown(card(result)))
    print(f"{time.perf_counter() - start:.0f} s")


if __name__ == "__main__":
    main()
