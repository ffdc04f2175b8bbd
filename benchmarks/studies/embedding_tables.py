"""How well metrics by vectors agree with people, beside those by words: tables for
docs/results/embeddings.md.

    python benchmarks/studies/embedding_tables.py FOLDER [-o TABLES.md] [--cache FOLDER]
        [-m METRIC ...] [--data wmt16_da_seg ...]

FOLDER holds judged outputs as for human_correlation.py. What a metric gave to a data set is kept in
the cache under its signature, so that a run can be broken off and taken up again.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
import time
import warnings
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from human_correlation import STUDIES, Study, renumbered, short, table

from nlgauge.core import registry
from nlgauge.core.outputs import Outputs, OutputScores
from nlgauge.errors import NlgaugeError, NlgaugeWarning
from nlgauge.kernels import Floats
from nlgauge.meta.correlation.meta_result import MetaResult, correlate
from nlgauge.meta.correlation.metric_agreement import MetricAgreement
from nlgauge.meta.correlation.paired_scores import PairedScores
from nlgauge.meta.correlation.reading import read_texts
from nlgauge.meta.correlation.settings import MetaSettings
from nlgauge.run.scoring import score_outputs
from nlgauge.version import __version__

BY_WORDS = ("sentbleu", "chrf", "rouge-l", "meteor")
BY_VECTORS = (
    *("greedy", "emb-avg", "extrema", "wmd", "wmd-o", "we-wpi"),
    *("bertr", "bertscore", "moverscore", "moverscore-v2", "yisi-1", "sim", "simile"),
)
TRANSLATION = Study(
    "WMT16: segments of machine translation into English",
    "wmt16_da_seg",
    "pearson",
    ("segment",),
    ("da_z",),
    "lang_pair",
    note="Pearson's r with standardised direct assessments, 560 segments for each language pair. "
    "The interval of the mean takes the language pairs as independent.",
)
FILES = ("wmt16_da_seg", "summeval", "flickr8k_expert", "grade_dialogue")
LEVELS = {"segment": "outputs", "segment-by-item": "among the outputs of an item (mean)"}
INTERVALS = "95 % bootstrap intervals (1,000 resamples of {})."


def read(folder: Path, study: Study) -> tuple[Outputs, PairedScores, str]:
    """Texts, judgements without scores, and a hash of the file."""
    path = folder / f"{study.file}.jsonl.gz"
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    with TemporaryDirectory() as scratch:
        if study.numbered:
            path = renumbered(path, Path(scratch) / "numbered.jsonl")
        outputs, judgements = read_texts(path, split=study.split)
    if study.split == "lang_pair":
        pairs = outputs.groups["lang_pair"]
        outputs = outputs.take([k for k, pair in enumerate(pairs) if str(pair).endswith("-en")])
        outputs = replace(outputs, groups={"lang_pair": outputs.groups["lang_pair"].used()})
    none = OutputScores(items=outputs.items, systems=outputs.systems, columns=(), rows=())
    return outputs, PairedScores(scores=none, judgements=judgements, groups=outputs.groups), digest


def scored(
    outputs: Outputs, metrics: list[str], digest: str, cache: Path | None
) -> tuple[OutputScores, dict[str, str]]:
    """All scores, one metric after the other (vectors of the texts are shared), and the metrics
    that could not run, with the reason.
    """
    found, failed = None, {}
    for name in metrics:
        start = time.perf_counter()
        try:
            made = _kept(outputs, name, digest, cache)
        except NlgaugeError as error:
            failed[name] = str(error)
            print(f"  {name}: {error}", file=sys.stderr)
            continue
        print(f"  {name} {time.perf_counter() - start:.1f} s", file=sys.stderr, flush=True)
        found = made if found is None else _joined(found, made)
    if found is None:
        sys.exit("no metric could run")
    return found, failed


def _kept(outputs: Outputs, name: str, digest: str, cache: Path | None) -> OutputScores:
    if cache is None:
        return score_outputs(outputs, [name])
    key = f"{digest} {len(outputs)} {registry.metric(name).signature(outputs.corpus)}"
    path = cache / f"{hashlib.sha256(key.encode()).hexdigest()[:24]}.npy"
    if path.exists():
        rows: Floats = np.load(path)
        # The column without its rows, from an output or two.
        few = score_outputs(outputs.take([0]), [name])
        return replace(few, items=outputs.items, systems=outputs.systems, rows=(rows,))
    made = score_outputs(outputs, [name])
    cache.mkdir(parents=True, exist_ok=True)
    partial = path.with_suffix(".part.npy")
    np.save(partial, made.rows[0])
    partial.replace(path)
    return made


def _joined(a: OutputScores, b: OutputScores) -> OutputScores:
    return replace(a, columns=(*a.columns, *b.columns), rows=(*a.rows, *b.rows))


def cell(agreement: MetricAgreement) -> str:
    """A number with its interval."""
    return f"{short(agreement.value)} [{short(agreement.low, 2)}, {short(agreement.high, 2)}]"


def translation(result: MetaResult) -> str:
    """One column for each language pair, and the mean."""
    rows = []
    for metric in result.metrics:
        own = [result.agreement(metric, part=part) for part in result.parts]
        values = [a.value for a in own]
        mean = float(np.mean(values))
        half = float(np.sqrt(sum(((a.high - a.low) / 2) ** 2 for a in own))) / len(own)
        text = f"{short(mean)} [{short(mean - half, 2)}, {short(mean + half, 2)}]"
        rows.append((metric, [mean, *values], [text, *map(cell, own)]))
    return table(["mean", *result.parts], rows)


def other(result: MetaResult, study: Study) -> str:
    """One table for each level, one column for each criterion."""
    part = (study.parts or result.parts)[0]
    texts = []
    for level in study.levels:
        rows = []
        for metric in result.metrics:
            own = [
                result.agreement(metric, part=part, criterion=criterion, level=level)
                for criterion in study.criteria
            ]
            rows.append((metric, [a.value for a in own], [cell(a) for a in own]))
        points = max(a.points for a in result.agreements if a.level == level and a.part == part)
        head = f"{LEVELS.get(level, 'systems')}, n = {points}"
        texts.append(f"{head}:\n\n" + table(study.criteria, rows))
    return "\n".join(texts)


def section(folder: Path, study: Study, metrics: list[str], cache: Path | None) -> str:
    """Read, score and correlate one data set."""
    print(study.title, file=sys.stderr)
    outputs, paired, digest = read(folder, study)
    scores, failed = scored(outputs, metrics, digest, cache)
    alone = study.levels == ("segment",)
    settings = MetaSettings(
        levels=study.levels,
        coefficients=(study.coefficient,),
        test="none",
        over="items" if alone else "both",
    )
    result = correlate(
        replace(paired, scores=scores),
        criteria=study.criteria,
        split=study.split,
        settings=settings,
    )
    body = translation(result) if study is TRANSLATION else other(result, study)
    left_out = "".join(f"\nLeft out: {name}: {reason}.\n" for name, reason in failed.items())
    intervals = INTERVALS.format("items" if alone else "items and systems")
    return f"## {study.title}\n\n{study.note} {intervals}\n\n{body}{left_out}"


def main() -> None:
    """Measure and write."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("-o", "--output", type=Path, help="default: standard output")
    parser.add_argument("--cache", type=Path, help="keeps what was scored")
    parser.add_argument("-m", "--metrics", nargs="+", default=[*BY_WORDS, *BY_VECTORS])
    parser.add_argument("--data", nargs="+", default=FILES, choices=FILES, help="default: all")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore", NlgaugeWarning)
    studies = [s for s in (TRANSLATION, *STUDIES) if s.file in arguments.data]
    head = f"Written by `benchmarks/studies/embedding_tables.py` with nlgauge {__version__}.\n"
    made = [section(arguments.folder, s, arguments.metrics, arguments.cache) for s in studies]
    text = "\n".join([head, *made])
    if arguments.output:
        arguments.output.write_text(text, encoding="utf-8")
    else:
        print(text)


if __name__ == "__main__":
    main()
