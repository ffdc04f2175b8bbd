"""Simulated annotators: they open their links and fill in the forms, over HTTP, as people would.

python examples/annotate/annotators.py links.tsv

They judge by what they read on the page. Adequacy is the share of the reference's words that the
text has, less what it gets wrong about numbers; fluency is how far its words stand in the order of
the reference. Each annotator is a little stricter or milder than the others, and not always sure.
"""

from __future__ import annotations

import http.client
import random
import re
import sys
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from difflib import SequenceMatcher
from html import unescape
from pathlib import Path
from urllib.parse import urlencode, urlsplit


class Annotator:
    """An annotator with a link, a cookie and a temper."""

    def __init__(self, name: str, link: str) -> None:
        address = urlsplit(link)
        self.connection = http.client.HTTPConnection(address.netloc, timeout=60)
        self.name, self.seen = name, Counter[str]()
        self.mildness = random.Random(f"temper {name}").gauss(0, 0.3)
        self.cookie = ""
        self.request("GET", address.path)
        page = self.request("GET", "/work")
        self.request("POST", "/consent", {"csrf": hidden(page, "csrf")})

    def request(self, method: str, path: str, fields: dict[str, str] | None = None) -> str:
        """Send a request and return the page."""
        headers = {"Cookie": self.cookie, "Content-Type": "application/x-www-form-urlencoded"}
        while True:
            self.connection.request(method, path, urlencode(fields or {}), headers)
            answer = self.connection.getresponse()
            if answer.status != 429:
                break
            answer.read()
            time.sleep(1)  # faster than any person
        if answer.status >= 400:
            raise SystemExit(f"{path}: {answer.status} {answer.read().decode()[:200]}")
        if cookie := answer.getheader("set-cookie"):
            self.cookie = cookie.partition(";")[0]
        return answer.read().decode()

    def work(self) -> int:
        """Answer until there is nothing more to do; return the number of answers."""
        count = 0
        while 'action="/answer"' in (page := self.request("GET", "/work")):
            *references, text = shown_texts(page)
            adequacy, fluency = impression(references, text)
            answer = {name: hidden(page, name) for name in ("csrf", "given", "key", "seconds")}
            # The order of tasks changes nothing about what they say of a text, the first time or
            # when it is there again.
            self.seen[text] += 1
            mood = random.Random(f"{self.name} reads {text} for time {self.seen[text]}")
            answer["q0.adequacy"] = self.step(adequacy, mood)
            answer["q1.fluency"] = self.step(fluency, mood)
            self.request("POST", "/answer", answer)
            count += 1
        return count

    def step(self, impression: float, mood: random.Random) -> str:
        """Return a step from 1 to 5."""
        said = 1 + 4 * impression + self.mildness + mood.gauss(0, 0.5)
        return str(min(5, max(1, round(said))))


def impression(references: list[str], text: str) -> tuple[float, float]:
    """Return how much of the nearest reference a text says, and how much of it is in order."""
    found = []
    for reference in references:
        theirs, own = re.findall(r"\w+", reference.lower()), re.findall(r"\w+", text.lower())
        said = sum(word in own for word in theirs) / len(theirs)
        wrong = sum(word.isdigit() and word not in theirs for word in own)
        order = sum(b.size for b in SequenceMatcher(None, theirs, own, False).get_matching_blocks())
        found.append((max(0.0, said - 0.15 * wrong), order / max(len(own), 1)))
    return max(found)


def shown_texts(page: str) -> list[str]:
    """Return the texts that a page shows."""
    return [unescape(t) for t in re.findall(r'<p class="text"[^>]*>(.*?)</p>', page, re.DOTALL)]


def hidden(page: str, name: str) -> str:
    """Return the value of a hidden field."""
    found = re.search(rf'<input type="hidden" name="{name}" value="([^"]*)"', page)
    return unescape(found[1]) if found else ""


if __name__ == "__main__":
    people = [line.split("\t") for line in Path(sys.argv[1]).read_text("utf-8").splitlines()]
    with ThreadPoolExecutor() as threads:
        counts = threads.map(lambda person: Annotator(*person).work(), people)
        for (name, _), count in zip(people, counts, strict=True):
            print(name, count, "answers")
