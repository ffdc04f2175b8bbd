"""Measure how time and memory of every metric grow with the length of a text, whatever the text.

python benchmarks/speed/growth.py                            # all metrics and texts, some minutes
python benchmarks/speed/growth.py --only "ter meteor-1.5" --shapes equal,random
python benchmarks/speed/growth.py --write                    # and update docs/reference/limits.md

Each pair of texts is scored in a process of its own, stopped at twice the limit. The program
fails if a pair of the longest texts needs more than 5 s or 500 MB; several references may take as
much for each.
"""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
import math
import multiprocessing
import os
import random
import re
import resource
import signal
import sys
import tempfile
import typing
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from nlgauge import Metric, NlgaugeError
from nlgauge.core import options, registry

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tests"))

from support import inputs  # noqa: E402

SIZES = (500, 1000, 2000, 5000)  # words of each text
SECONDS, MEGABYTES = 5.0, 500.0
BEGIN, END = "<!-- table: benchmarks/speed/growth.py -->\n", "<!-- end of table -->\n"

# Options whose code differs from that of the metrics' defaults and of `inputs.VARIANTS`.
MORE = (
    "ter(profile=tercom)",
    "ter(profile=tercom,max_shift_size=2147483647)",
    "hwcm(parser=chain,profile=asiya-i)",
    "stm(trees=flat,profile=asiya-i)",
    "eed(profile=python)",
    "eed(profile=official)",
    "rouge-l(profile=rouge155)",
    "rouge-w(profile=rouge155)",
    "invwer(max_length=64)",
)

Pair = tuple[str, list[str]]


def _draw(rng: random.Random, words: Sequence[str], n: int) -> str:
    return " ".join(rng.choices(words, k=n))


def _random(rng: random.Random, n: int) -> Pair:
    return _draw(rng, WORDS, n), [_draw(rng, WORDS, n)]


def _shuffled(rng: random.Random, n: int) -> Pair:
    words = _draw(rng, WORDS, n).split()
    return " ".join(rng.sample(words, n)), [" ".join(words)]


def _reversed(rng: random.Random, n: int) -> Pair:
    words = _draw(rng, WORDS, n).split()
    return " ".join(reversed(words)), [" ".join(words)]


def _near(rng: random.Random, n: int) -> Pair:
    """Return a text, and one with every tenth word changed and every other tenth moved."""
    words = _draw(rng, WORDS, n).split()
    moved = list(words)
    for i in range(0, n - 10, 20):
        moved[i] = rng.choice(WORDS)
        moved.insert(i + 19, moved.pop(i + 10))
    return " ".join(moved), [" ".join(words)]


def _references(rng: random.Random, n: int) -> Pair:
    return _draw(rng, WORDS, n), [_draw(rng, WORDS, n) for _ in range(4)]


def _equal_references(_: random.Random, n: int) -> Pair:
    return "cat " * n, ["cat " * (n - k * n // 10) for k in range(4)]


def _different(rng: random.Random, n: int) -> Pair:
    """Return n different words, and the same words in another order."""
    words = [a + b for a in WORDS[: n // 2 + 1] for b in SYLLABLES[:2]][:n]
    return " ".join(rng.sample(words, n)), [" ".join(words)]


def _apart(_: random.Random, n: int) -> Pair:
    """Return n different words, and n others."""
    return " ".join(APART[:n]), [" ".join(APART[-n:])]


def _prose(rng: random.Random, n: int) -> Pair:
    """Return two texts of sentences as news have them, drawn from the example systems."""
    folder = ROOT / "examples" / "news"
    texts = [
        (folder / name).read_text("utf-8").splitlines() for name in ("reference1.txt", "north.txt")
    ]
    order = [rng.randrange(len(texts[0])) for _ in range(n)]
    ref, hyp = (" ".join(lines[k] for k in order).split()[:n] for lines in texts)
    return " ".join(hyp), [" ".join(ref)]


def _long(rng: random.Random, n: int) -> Pair:
    """Return texts of words of twenty letters, a tenth of which are in both."""
    words, other = (["".join(rng.choices(LETTERS, k=20)) for _ in range(n)] for _ in "ab")
    other[::10] = words[::10]
    return " ".join(words), [" ".join(other)]


def _forms(rng: random.Random, n: int) -> Pair:
    """Return texts of a few words in many forms, for stems and synonyms."""
    return _draw(rng, FORMS, n), [_draw(rng, FORMS, n)]


def _mix(rng: random.Random, n: int) -> Pair:
    """Return an eighth of a text of each of eight other shapes, in two orders."""
    parts = [SHAPES[name](rng, n // 8) for name in MIXED]
    return " ".join(hyp for hyp, _ in parts), [" ".join(refs[0] for _, refs in reversed(parts))]


def _pair(hyp: Callable[[int], str], ref: Callable[[int], str]) -> Callable[..., Pair]:
    return lambda _, n: (hyp(n), [ref(n)])


def _drawn(words: Sequence[str], blank: str = " ") -> Callable[..., Pair]:
    return lambda rng, n: (
        blank.join(rng.choices(words, k=n)),
        [blank.join(rng.choices(words, k=n))],
    )


SYLLABLES = [c + v for c in "bdfgklmnprstvz" for v in "aeiou"]
WORDS = [a + b for a in SYLLABLES for b in SYLLABLES]  # 4,900
APART = [word + end for end in SYLLABLES[:3] for word in WORDS][:10_000]
LETTERS = "abcdefghijklmnopqrstuvwxyz"
MARKS = ".,;:!?-()'\"%&"
ENDINGS = ("", "s", "ed", "ing", "er", "ers", "ion", "ions", "ive", "able")
FORMS = [f"{word}{end}" for word in ("connect", "start", "walk") for end in ENDINGS]
TRANSLATIONS = options.encode(str(ROOT / "tests" / "golden" / "srl" / "lex.txt"))

SHAPES: dict[str, Callable[[random.Random, int], Pair]] = {
    "random": _random,
    "shuffled": _shuffled,
    "reversed": _reversed,
    "near": _near,
    "few": _drawn(WORDS[:10]),
    "letters": _drawn(LETTERS),
    "forms": _forms,
    "equal": _pair(lambda n: "cat " * n, lambda n: "cat " * n),
    "unequal": _pair(lambda n: "cat " * n, lambda n: "cat " * (n - n // 10)),
    "two": _pair(lambda n: "cat dog " * (n // 2), lambda n: "dog cat " * (n // 2)),
    "blocks": _pair(
        lambda n: "cat " * (n // 2) + "dog " * (n // 2),
        lambda n: "dog " * (n // 2) + "cat " * (n // 2),
    ),
    "different": _different,
    "apart": _apart,
    "prose": _prose,
    "long words": _long,
    "huge": _drawn(LETTERS, ""),
    "one long word": _pair(lambda n: "ab" * (3 * n), lambda n: "ba" * (3 * n)),
    "marks": _pair(lambda n: "\u0301" * n, lambda n: "\u0301" * (n - 1)),
    "marks apart": _pair(lambda n: "\u0301 " * n, lambda n: "\u0301 " * (n - 1)),
    "punctuation": _drawn(MARKS, ""),
    "punctuation apart": _drawn(MARKS),
    "references": _references,
    "equal references": _equal_references,
    "mix": _mix,
}
MIXED = ("random", "few", "letters", "forms", "unequal", "two", "marks apart", "punctuation apart")


@dataclass(frozen=True)
class Cost:
    """What one pair of texts took, or why there is no score."""

    seconds: float
    megabytes: float
    references: int = 1
    failure: str = ""

    def fits(self) -> bool:
        """Return whether the pairs were scored, or refused by an error of ours, within limits."""
        refused = self.failure == "refused"
        return (
            self.seconds <= SECONDS * self.references
            and self.megabytes <= MEGABYTES * self.references
            and (refused or not self.failure)
        )


def measure(metric: Metric, pair: Pair) -> Cost:
    """Score a pair in a child process, which inherits what is loaded and nothing else."""
    child = os.fork()
    if child == 0:
        os._exit(_score(metric, pair))
    _, status, usage = os.wait4(child, 0)
    seconds = usage.ru_utime + usage.ru_stime
    scale = 1e6 if sys.platform == "darwin" else 1e6 / 1024
    failure = {0: "", 3: "refused"}.get(os.waitstatus_to_exitcode(status), "failed")
    if os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL:
        failure = "stopped"
    return Cost(seconds, usage.ru_maxrss / scale, len(pair[1]), failure)


def _score(metric: Metric, pair: Pair) -> int:
    hyp, refs = pair
    resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(2 * SECONDS * len(refs)),) * 2)
    resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30))
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    try:
        metric.evaluate(inputs.corpus_for(metric, [hyp], [refs]))
    except NlgaugeError:
        return 3
    except BaseException:
        return 4
    return 0


def exponent(costs: Sequence[Cost], sizes: Sequence[int]) -> float:
    """Return the growth of the time between the last two sizes: n to the power of this."""
    last, before = costs[-1].seconds, costs[-2].seconds
    return math.log(last / before) / math.log(sizes[-1] / sizes[-2])


@dataclass(frozen=True)
class Row:
    """One metric and one shape of text."""

    spec: str
    shape: str
    sizes: Sequence[int]
    costs: Sequence[Cost]

    def cells(self) -> list[str]:
        """Return the row as text, with an exponent where the time is more than starting costs."""
        last = self.costs[-1]
        times = [f"{c.seconds:.2f}{' ' + c.failure if c.failure else ''}" for c in self.costs]
        several = len(self.sizes) > 1 and last.seconds >= 0.1
        power = f"{exponent(self.costs, self.sizes):.1f}" if several else ""
        return [f"`{self.spec}`", self.shape, *times, power, f"{last.megabytes:.0f}"]

    def fits(self) -> bool:
        """Return whether every length kept to the limits."""
        return all(cost.fits() for cost in self.costs)


class OurFiles:
    """Word vectors and a table of translations that know all words of our texts."""

    def __init__(self, folder: Path, width: int = 50) -> None:
        rng = random.Random(1)
        words = list(
            dict.fromkeys([*WORDS, *APART, *LETTERS, *MARKS, *FORMS, "cat", "dog", "\u0301"])
        )
        rows = ([word, *(f"{rng.gauss(0, 1):.3f}" for _ in range(width))] for word in words)
        self.instead = {
            inputs.WORDS: self._write(folder / "vectors.txt", rows),
            TRANSLATIONS: self._write(folder / "table.txt", ([w, w, "0.5"] for w in words)),
        }

    @staticmethod
    def _write(path: Path, rows: Iterable[Sequence[str]]) -> str:
        path.write_text("".join(" ".join(row) + "\n" for row in rows), encoding="utf-8")
        return options.encode(str(path))

    def metric(self, spec: str) -> Metric:
        """Return the metric with these files in place of those of the tests."""
        spec = inputs.WITH_FILE.get(spec, spec)
        for theirs, ours in self.instead.items():
            spec = spec.replace(theirs, ours)
        return registry.metric(spec)

    def shown(self, spec: str) -> str:
        """Return the spec without the paths of files."""
        for theirs in self.instead:
            spec = spec.replace(theirs, "…")
        return re.sub("=/[^,)]+", "=…", spec)


def with_choices(spec: str, metric: Metric) -> Iterator[str]:
    """Name the metric with every other value of each option that has a list of them."""
    for name, kind in options.types_of(type(metric)).items():
        listed = typing.get_origin(kind) is typing.Literal
        values = (True, False) if kind is bool else typing.get_args(kind) if listed else ()
        for value in values:
            if value == getattr(metric, name) or f"{name}=" in spec:
                continue
            with contextlib.suppress(NlgaugeError):  # what does not go together, or is not here
                dataclasses.replace(metric, **{name: value}).resources()
                told = {True: "yes", False: "no"}.get(value, value)
                yield spec[:-1] + f",{name}={told})" if "(" in spec else f"{spec}({name}={told})"


Result = typing.TypeVar("Result")


def apart(function: Callable[[], Result]) -> Result:
    """Call a function in a process of its own, whose memory ends with it."""
    fork = multiprocessing.get_context("fork")
    with fork.Pool(1, initializer=_kept.append, initargs=(function,)) as one:
        found: Result = one.apply(_call)
        return found


def _call() -> object:
    return _kept[-1]()


_kept: list[Callable[[], object]] = []


def all_specs() -> list[str]:
    """Name all metrics that can be measured, and their variants."""
    return list(dict.fromkeys((*inputs.SPECS, *MORE)))


def changed_specs(specs: Sequence[str], files: OurFiles) -> Iterator[str]:
    """Name the metrics among these with every other choice of an option."""
    seen = set(specs)
    for spec in specs:
        if re.match("[^(]*", spec)[0] in registry.METRICS:
            for changed in with_choices(spec, files.metric(spec)):
                if changed not in seen:
                    seen.add(changed)
                    yield changed


def measured(spec: str, files: OurFiles, shapes: Sequence[str], sizes: Sequence[int]) -> list[Row]:
    """Measure a metric on texts of all shapes and sizes."""
    metric = files.metric(spec)
    with warnings.catch_warnings(), contextlib.suppress(NlgaugeError):
        warnings.simplefilter("ignore")
        # Loads what the metric needs, so that the children do not.
        metric.evaluate(inputs.corpus_for(metric, ["cat dog"], [["cat dog"]]))
    found = []
    for shape in shapes:
        pairs = [SHAPES[shape](random.Random(7), n) for n in sizes]
        costs = [measure(metric, pair) for pair in pairs]
        found.append(Row(files.shown(spec), shape, sizes, costs))
    return found


def table(rows: Iterable[Row], sizes: Sequence[int]) -> str:
    """Return the table in Markdown."""
    titles = ["metric", "text", *(f"{n:,} words, s" for n in sizes), "exponent", "MB"]
    lines = ["| " + " | ".join(titles) + " |", "|---|---|" + "---:|" * (len(titles) - 2)]
    return "\n".join([*lines, *("| " + " | ".join(row.cells()) + " |" for row in rows), ""])


def worst(rows: Sequence[Row]) -> list[Row]:
    """Return, for every metric, the text that took it longest, if it is worth a line."""
    found: dict[str, Row] = {}
    for row in rows:
        other = found.get(row.spec)
        if other is None or row.costs[-1].seconds > other.costs[-1].seconds:
            found[row.spec] = row
    return list(found.values())


def main() -> None:
    """Measure, print, and fail where a limit is exceeded."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--only", help="specs of metrics, separated by blanks")
    parser.add_argument("--shapes", help=f"some of: {', '.join(SHAPES)}")
    parser.add_argument("--sizes", default=",".join(map(str, SIZES)), help="words of a text")
    parser.add_argument(
        "--choices", action="store_true", help="every value of each option that lists them, too"
    )
    parser.add_argument(
        "--write", action="store_true", help="update the table of docs/reference/limits.md"
    )
    arguments = parser.parse_args()
    sizes = [int(n) for n in arguments.sizes.split(",")]
    shapes = arguments.shapes.split(",") if arguments.shapes else list(SHAPES)
    only = arguments.only.split() if arguments.only else None
    rows: list[Row] = []
    with tempfile.TemporaryDirectory() as folder:
        files = OurFiles(Path(folder))
        specs = only or apart(all_specs)
        if arguments.choices:
            specs += apart(lambda: list(changed_specs(specs, files)))
        for spec in specs:
            found = apart(lambda spec=spec: measured(spec, files, shapes, sizes))
            rows += found
            for row in found:
                if not row.fits() or only:
                    print("  ".join(row.cells()), flush=True)
    rendered = table(worst(rows), sizes)
    print(rendered)
    if arguments.write:
        page = ROOT / "docs" / "reference" / "limits.md"
        before, _, rest = page.read_text(encoding="utf-8").partition(BEGIN)
        page.write_text(before + BEGIN + rendered + END + rest.partition(END)[2], encoding="utf-8")
    failed = sum(not row.fits() for row in rows)
    if failed:
        sys.exit(f"{failed} of {len(rows)} rows exceed {SECONDS:g} s or {MEGABYTES:g} MB")


if __name__ == "__main__":
    main()
