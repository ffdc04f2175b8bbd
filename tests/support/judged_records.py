"""Systems with ratings by two criteria, for what needs judged outputs."""

from __future__ import annotations

from pathlib import Path

from nlgauge.io.judgements.judged_outputs import read_outputs
from nlgauge.meta.correlation.paired_scores import PairedScores
from nlgauge.run.scoring import score_outputs

WORDS = "the coast guard found a small red boat near old north harbour after heavy storms".split()


def records(systems: int = 5, items: int = 6) -> list[dict]:
    """Systems that drop, repeat or swap ever more words."""
    found = []
    for i in range(items):
        ref = WORDS[i:] + WORDS[:i]
        for k in range(systems):
            hyp = [w for j, w in enumerate(ref) if (j * (i + 2)) % 9 >= k] + ref[: (i * k) % 4]
            found.append(
                {
                    "id": str(i),
                    "system": f"s{k}",
                    "references": [" ".join(ref)],
                    "hypothesis": " ".join(hyp),
                    "human": {"fluency": [5 - k + i % 2, 4 - k % 3], "adequacy": 7 - k * 1.5 + i},
                }
            )
    return found


def paired(path: Path, spec: str = "aev") -> PairedScores:
    outputs, judgements = read_outputs(path)
    assert judgements is not None
    scores = score_outputs(outputs, [spec])
    return PairedScores(scores=scores, judgements=judgements, groups=outputs.groups)
