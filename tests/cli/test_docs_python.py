"""The Python examples of the documentation run as they stand."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

import nlgauge

ROOT = Path(__file__).parents[2]
# Those that need neither another library nor files of the reader.
PAGES = [
    "README.md",
    *(
        f"docs/guide/{page}.md"
        for page in "baselines experiments explain meta plane qarla report robustness".split()
    ),
    "docs/reference/vectors.md",
]
TEXTS = ["the cat sat on the mat", "a dog barked at night"]


@pytest.mark.parametrize("page", PAGES)
def test_examples(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    shutil.copytree(ROOT / "examples", "examples")
    shutil.copy("examples/judged.jsonl", ".")
    text = (ROOT / page).read_text(encoding="utf-8")
    names = {"nlgauge": nlgauge, "hyp": TEXTS[0], "ref": TEXTS[0], "document": ". ".join(TEXTS)}
    names |= dict.fromkeys(("hyps", "hyps_a", "hyps_b", "refs", "refs1", "refs2"), TEXTS)
    blocks = re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    assert blocks
    for block in blocks:
        exec(compile(block, page, "exec"), dict(names))
