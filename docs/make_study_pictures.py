"""Take the pictures of docs/guide/annotate.md: python docs/make_study_pictures.py FOLDER

Needs Chromium. The pages are those of real studies, served for the purpose.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from support.studies.study_browser import StudyBrowser
from support.studies.study_server import StudyServer, make_study

from nlgauge.annotate import open_database
from nlgauge.annotate.web.owner import set_password

SOURCE = "Der Fluss stieg über Nacht um zwei Meter; die Brücke bei Wehr ist bis Montag gesperrt."
TEXTS = {
    "north": "The river rose by two metres overnight; the bridge at Wehr is closed until Monday.",
    "south": "Overnight the river rised two meters, the bridge near weir is locked until Monday.",
}
RECORDS = [
    {"id": "1", "source": SOURCE, "system": system, "hypothesis": text}
    for system, text in TEXTS.items()
]
HEAD = 'title = "River news: does it say the same?"\nshow = ["source"]\ninstructions = "# Read"\n'
RATING = f"""{HEAD}
[[question]]
protocol = "fluency"
[[question]]
protocol = "slider"
criterion = "adequacy"
question = "How much of the meaning of the source does the text express?"
[assignment]
most_tasks = 40
"""
MQM = f'{HEAD}[[question]]\nprotocol = "mqm"\n'
PAIRWISE = f'{HEAD}[[question]]\nprotocol = "pairwise"\n'
STATUS = 'title = "Status"\nmetrics = ["chrf"]\n[[question]]\nprotocol = "fluency"\n'
MARK = ["Tab:button[data-add]", "Enter"]
ERROR = [*["ArrowRight"] * 4, "Enter", "text:Fluency/G", "Tab", "ArrowDown", *MARK,
         *["ArrowRight"] * 7, "Enter", "text:Accuracy/M", "Tab", "ArrowUp", *MARK]  # fmt: skip


def picture(
    browser: StudyBrowser, path: Path, toml: str, records: list[dict[str, Any]], keys: list[str],
    **window: Any,
) -> None:  # fmt: skip
    """Serve a study, fill in its first page and take a picture of it."""
    with tempfile.TemporaryDirectory() as folder:
        study = make_study(Path(folder), toml, records)
        server = StudyServer(study)
        with server:
            browser.served = (server.url,)
            browser.enter(server.links()[0], **window)
            browser.to_form()
            for key in keys:
                browser.press(key)
            browser.evaluate("document.activeElement.blur(); scrollTo(0, 0)")
            browser.screenshot(path)


def status_picture(browser: StudyBrowser, path: Path) -> None:
    """Simulate some annotators and take a picture of the owner's page."""
    records = [
        {"id": k, "references": ["the quick brown fox"], "system": s, "hypothesis": f"{text} {k}"}
        for k in range(40)
        for s, text in (("north", "the quick brown fox"), ("south", "quick fox brown"))
    ]
    with tempfile.TemporaryDirectory() as folder:
        name = make_study(Path(folder), STATUS, records)
        with open_database(name) as database:
            set_password(database, "for the picture only")
        with StudyServer(name) as server:
            for number in range(3):
                person = server.annotator(names=[f"annotator {number + 1}"])
                for k in range(70):
                    if person.open():
                        good = person.texts()[-1].startswith("the")
                        step = (4 if good else 3) + (k * 7 + number) % 3 - 1
                        person.answer({"q0.fluency": str(step)})
            browser.served = (server.url,)
            browser.visit(f"{server.url}/owner", width=1000, height=1150)
            browser.tab_to("input[type=password]")
            browser.press("text:for the picture only")
            browser.press("Enter")
            browser.until("document.body.innerText.includes('annotator 1')")
            browser.screenshot(path, whole=False)


def main() -> None:
    """Take all pictures."""
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    with StudyBrowser() as browser:
        fluent = ["4", "Tab:input[type=range]", *["ArrowRight"] * 22]
        picture(browser, folder / "annotate-rating.png", RATING, RECORDS[:1], fluent, width=1000,
                height=760)  # fmt: skip
        picture(browser, folder / "annotate-mqm.png", MQM, RECORDS[1:], ERROR, width=1000,
                height=680)  # fmt: skip
        picture(browser, folder / "annotate-phone.png", PAIRWISE, RECORDS, ["1"], width=390,
                height=760, dark=True)  # fmt: skip
        status_picture(browser, folder / "annotate-status.png")


if __name__ == "__main__":
    main()
