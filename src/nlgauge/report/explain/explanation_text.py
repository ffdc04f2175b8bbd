"""Print explanations as coloured text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from nlgauge.core.signature import shortened
from nlgauge.explain.explanation import Explanation
from nlgauge.explain.traces import (
    Alignment,
    Edits,
    Frames,
    Graphs,
    MarkedText,
    TokenSimilarities,
    Trees,
)
from nlgauge.report.tables.terminal import console, print_wrapped
from nlgauge.text.scripts import may_be_unbroken

RUN_STYLES = (
    "bold cyan",
    "bold green",
    "bold magenta",
    "bold yellow",
    "bold blue",
    "bold bright_red",
)
EDIT_STYLES = {"match": "", "substitute": "yellow", "delete": "cyan", "insert": "red"}
EDIT_MARKS = {"match": "", "substitute": "S", "delete": "D", "insert": "I"}
SEVERITY_STYLES = {"minor": "bold yellow", "major": "bold red", "critical": "bold bright_red"}
NO_WORD = "·"
MOST_RUNS = 12  # whose lengths are listed


def print_explanations(explanations: Iterable[Explanation], out: Console | None = None) -> None:
    """Print the score and the comparison of each metric."""
    out = out or console()
    for explanation in explanations:
        score = explanation.score
        head = Text(f"{explanation.name} {score.shown()}", style="bold")
        head.append(f"  {explanation.against}", style="dim")
        out.print(head)
        trace = explanation.trace
        if isinstance(trace, Alignment):
            _print_alignment(trace, out)
        else:
            for line in _lines(trace, out.width, explanation.other):
                out.print(line)
        if trace.note:
            print_wrapped(out, trace.note, "  ", style="dim")
        out.print(Text(f"  {shortened(score.signature)}", style="dim"))
        out.print()


def _lines(
    trace: Graphs | Edits | MarkedText | TokenSimilarities | Trees | Frames, width: int, other: str
) -> list[Text]:
    if isinstance(trace, Graphs):
        return _graphs(trace)
    if isinstance(trace, Edits):
        return _edits(trace, width)
    if isinstance(trace, MarkedText):
        return _marked_text(trace)
    # The others take colours and words from their pictures, which words alone need not load.
    from nlgauge.report.explain import explanation_structures as structures

    if isinstance(trace, TokenSimilarities):
        return structures.similarity_lines(trace, width, other)
    if isinstance(trace, Trees):
        return structures.tree_lines(trace, width, other)
    return structures.frame_lines(trace, width, other)


def _print_alignment(trace: Alignment, out: Console) -> None:
    runs = trace.runs()
    hyp_run = {link.hyp: k for k, run in enumerate(runs) for link in run}
    ref_run = {link.ref: k for k, run in enumerate(runs) for link in run}
    words = [*trace.hyp, *trace.ref]
    # Characters stand together, and so do those that a tokeniser made of Chinese and its like.
    joined = trace.characters or (max(map(len, words), default=0) <= 1 and may_be_unbroken(words))
    blank = "" if joined else " "
    print_wrapped(out, _words(trace.hyp, hyp_run, blank), "  hypothesis  ")
    print_wrapped(out, _words(trace.ref, ref_run, blank), "  reference   ")
    lengths = sorted(map(len, runs), reverse=True)
    sizes = ", ".join(map(str, lengths[:MOST_RUNS])) or "none"
    if len(lengths) > MOST_RUNS:
        sizes += f" and {len(lengths) - MOST_RUNS} more"
    matched = f"{len(trace.links)} of {len(trace.hyp)} and {len(trace.ref)} matched"
    print_wrapped(out, f"{matched}; runs of neighbours: {sizes}", "  ", style="dim")
    for kind in sorted({link.label for link in trace.links} - {""}):
        pairs = (f"{trace.hyp[x.hyp]}–{trace.ref[x.ref]}" for x in trace.links if x.label == kind)
        print_wrapped(out, f"{kind}: {', '.join(pairs)}", "  ", style="dim")


def _words(words: Sequence[str], run_of: dict[int, int], blank: str) -> Text:
    """Return words with their runs in colours and, for where colours are missing, in brackets."""
    line = Text()
    for run, group in groupby(enumerate(words), key=lambda entry: run_of.get(entry[0])):
        text = blank.join(word for _, word in group)
        if run is None:
            line.append(text, style="dim")
        else:
            line.append(f"[{text}]", style=RUN_STYLES[run % len(RUN_STYLES)])
        line.append(blank)
    return line


def _edits(trace: Edits, width: int) -> list[Text]:
    lines = []
    words = list(trace.before_shifts)
    for number, shift in enumerate(trace.shifts, 1):
        moved = " ".join(words[shift.start : shift.start + shift.length])
        after = words[shift.target - 1] if shift.target > 0 else "the start"
        lines.append(Text(f"  shift {number}: “{moved}” to after “{after}”", style="magenta"))
        words = shift.apply(words)
    rows: list[list[Text]] = []
    used = width
    for edit in trace.script:
        hyp = NO_WORD if edit.hyp is None else trace.hyp[edit.hyp]
        ref = NO_WORD if edit.ref is None else trace.ref[edit.ref]
        size = max(cell_len(hyp), cell_len(ref)) + 1
        if used + size > width - 1:
            rows.append([Text("  hypothesis  "), Text("  reference   "), Text("              ")])
            used = 14
        used += size
        style = EDIT_STYLES[edit.operation]
        for line, text in zip(rows[-1], (hyp, ref, EDIT_MARKS[edit.operation]), strict=True):
            line.append(text + " " * (size - cell_len(text)), style=style)
    lines += [line for block in rows for line in block]
    counts = {op: sum(e.operation == op for e in trace.script) for op in EDIT_MARKS}
    done = {"substitute": "substituted", "delete": "deleted", "insert": "inserted"}
    summary = "  " + ", ".join(f"{counts[op]} {word}" for op, word in done.items())
    if trace.shifts:
        summary += f", {len(trace.shifts)} shifted"
    lines.append(Text(summary, style="dim"))
    return lines


def _graphs(trace: Graphs) -> list[Text]:
    """Return each object with what is said of it as a tree; what matched is in brackets."""
    lines = []
    for label, graph in (("hypothesis", trace.hyp), ("reference", trace.ref)):
        found = graph.matches()
        head = Text(f"  {label}  ")
        lines.append(head.append(f"{sum(found)} of {len(found)} matched", style="dim"))
        for place, node in enumerate(graph.objects):
            lines.append(Text("    ").append_text(_marked(node.name, node.matched)))
            said = [_marked(a.name, a.matched) for a in node.attributes]
            said += (
                _marked(f"{r.name} → {graph.objects[r.target].name}", r.matched)
                for r in graph.relations
                if r.source == place
            )
            for k, text in enumerate(said, 1):
                branch = "└ " if k == len(said) else "├ "
                lines.append(Text(f"      {branch}").append_text(text))
    return lines


def _marked_text(trace: MarkedText) -> list[Text]:
    """Return the text with its errors in colours and brackets, and a line for each error."""
    line = Text("  ")
    for text, severity in trace.pieces():
        style = SEVERITY_STYLES.get(severity, "bold yellow")
        line.append(f"[{text}]" if severity else text, style=style if severity else "")
    lines = [line]
    for error in trace.errors:
        place = "missing" if error.place is None else f"“{trace.text[slice(*error.place)]}”"
        kind = f", {error.category}" if error.category else ""
        style = SEVERITY_STYLES.get(error.severity, "bold yellow")
        lines.append(Text("  ").append(error.severity, style=style).append(f"{kind}: {place}"))
    said = trace.answers if trace.errors or trace.answers else ("no errors",)
    return [*lines, *(Text(f"  {each}", style="dim") for each in said)]


def _marked(text: str, matched: bool) -> Text:
    return Text(f"[{text}]", style=RUN_STYLES[1]) if matched else Text(text, style="dim")
