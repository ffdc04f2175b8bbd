"""The examples with data frames in the guide run, on frames that have the columns they name."""

from __future__ import annotations

import re
from pathlib import Path

import pandas

import nlgauge

PAGE = Path(__file__).parents[2] / "docs" / "guide" / "python.md"


def test_examples_with_frames() -> None:
    docs = [f"doc-{i}" for i in range(10, 16)]
    frame = pandas.DataFrame(
        [
            {
                "doc": doc, "model": model, "summary": f"a {model} text {i * k}",
                "ref1": f"a text {i}", "ref2": f"one text {i}", "coherence": i + k,
                "fluency": i, "comet": i * k, "judge": i, "lang": "de" if i < 3 else "fr",
                "ann": i, "bob": i // 2,
            }
            for k, model in enumerate(("north", "south"), 1)
            for i, doc in enumerate(docs)
        ]
    )  # fmt: skip
    ratings = frame.melt(["doc"], ["ann", "bob"], "who", "answer").drop_duplicates(["doc", "who"])
    ratings["question"] = "clear?"
    names = {"nlgauge": nlgauge, "frame": frame, "ratings": ratings, "pandas": pandas}
    names["scores"] = frame[["doc", "model", "comet"]]
    text = PAGE.read_text(encoding="utf-8").partition("## Data frames")[2]
    blocks = re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    names["hyps"] = names["refs"] = ["the cat sat on the mat", "a dog barked"]
    assert len(blocks) == 3
    for block in blocks:
        exec(compile(block, "python.md", "exec"), names)
    assert names["table"].segment("doc-13", "north")["chrf"] > 0
