"""Tables as JSON, TSV, Markdown, LaTeX and on the terminal: contents worked out by hand."""

import io
import json

import pytest
from rich.console import Console

import nlgauge
from nlgauge import ScoreTable, Suite
from nlgauge.core.signature import parse
from nlgauge.report.tables import grid
from nlgauge.report.tables.printing import print_grids
from nlgauge.report.tables.score_tables import score_grid
from nlgauge.report.tables.terminal import console
from nlgauge.run.scoring import score_suite

REFS = ["a b c", "d e f g"]
# One substitution in seven words; three of them.
SYSTEMS = {"good": ["a b c", "d e f x"], "bad": ["a b x", "d e x x"]}
ONE, THREE = 100 / 7, 300 / 7
BLEU1 = "bleu(max_order=1,tokenizer=none)"


@pytest.fixture
def table() -> ScoreTable:
    return nlgauge.score(SYSTEMS, REFS, metrics=["ter", BLEU1])


def named(*names: str, metric: str = "ter") -> ScoreTable:
    return nlgauge.score({name: ["a"] for name in names}, ["a"], metrics=[metric])


def resampled() -> ScoreTable:
    suite = Suite.build(SYSTEMS, REFS)
    return score_suite(suite, ["ter"], confidence=True, paired=True, resamples=40)


def written(table: ScoreTable, format: str, width: int = 2) -> str:
    return grid.WRITERS[format]([score_grid(table, format, width)])


def test_json_has_every_number_in_full(table: ScoreTable) -> None:
    found = json.loads(grid.to_json(table.to_dict()))
    assert found["segments"] == 2
    assert found["systems"]["good"]["ter"]["score"] == pytest.approx(ONE, abs=1e-13)
    ter = found["systems"]["bad"]["ter"]
    assert (ter["score"], ter["edits"], ter["ref_len"]) == (pytest.approx(THREE, abs=1e-13), 3, 7)
    assert (ter["scale"], ter["signature"]) == (100, table["bad", "ter"].signature)
    bleu = found["systems"]["bad"][BLEU1]
    assert (bleu["counts"], bleu["totals"], bleu["brevity_penalty"]) == ([4], [7], 1)
    assert found == table.to_dict()


def test_json_has_intervals_and_p_values() -> None:
    found = json.loads(grid.to_json(resampled().to_dict()))["systems"]
    assert set(found["good"]["ter"]["interval"]) >= {
        "low",
        "high",
        "mean",
        "level",
        "resamples",
        "seed",
    }
    # Two segments with 0 edits in 3 words and 1 in 4: a resample has 0/6, 1/7 or 2/8.
    assert found["good"]["ter"]["interval"]["low"] == 0
    assert found["good"]["ter"]["interval"]["high"] == 25
    assert "p_value" not in found["good"]["ter"]
    assert 0 < found["bad"]["ter"]["p_value"] <= 1


def test_tsv(table: ScoreTable) -> None:
    header, *lines = (line.split("\t") for line in written(table, "tsv", 2).splitlines())
    assert header == ["system", "metric", "score", "low", "high", "p_value", "signature"]
    assert [line[:2] for line in lines] == [
        ["good", "ter"],
        ["good", BLEU1],
        ["bad", "ter"],
        ["bad", BLEU1],
    ]
    scores = [float(line[2]) for line in lines]
    assert scores == pytest.approx([ONE, 600 / 7, THREE, 400 / 7], abs=1e-12)
    assert all(line[3:6] == ["", "", ""] for line in lines)
    assert lines[0][6] == table["good", "ter"].signature


def test_tsv_with_intervals() -> None:
    _, good, bad = (line.split("\t") for line in written(resampled(), "tsv", 2).splitlines())
    assert [float(x) for x in good[3:5]] == [0, 25]
    assert good[5] == ""
    assert 0 < float(bad[5]) <= 1


def test_markdown(table: ScoreTable) -> None:
    lines = written(table, "markdown", 2).splitlines()
    assert lines[:4] == [
        f"| system | ter ↓ | {BLEU1} ↑ |",
        "|---|---:|---:|",
        "| good | **14.29** | **85.71** |",
        "| bad | 42.86 | 57.14 |",
    ]
    assert lines[4:] == [
        "",
        f"- ter (0–∞): `{table['good', 'ter'].signature}`",
        f"- {BLEU1} (0–100): `{table['good', BLEU1].signature}`",
    ]
    assert "**14.3**" in written(table, "markdown", 1)


def test_markdown_with_intervals() -> None:
    assert "| good | **14.3 [0.0, 25.0]** |" in written(resampled(), "markdown", 1)


def test_latex(table: ScoreTable) -> None:
    assert written(table, "latex", 1).splitlines() == [
        r"\begin{tabular}{lrr}",
        r"\toprule",
        r"System & ter $\downarrow$ & bleu(max\_order=1,tokenizer=none) $\uparrow$ \\",
        r"\midrule",
        r"good & \textbf{14.3} & \textbf{85.7} \\",
        r"bad & 42.9 & 57.1 \\",
        r"\bottomrule",
        r"\end{tabular}",
        f"% {table['good', 'ter'].signature}",
        f"% {table['good', BLEU1].signature}",
    ]
    assert r"\textbf{14.3} $\pm$ 12.5 \\" in written(resampled(), "latex", 1)


def test_ties_are_all_bold() -> None:
    assert written(named("one", "two"), "markdown", 0).count("**0**") == 2


def test_latex_escapes_names() -> None:
    found = written(named(r"a_b&c%d$e#f{g}~h^i\j"), "latex", 0)
    assert r"a\_b\&c\%d\$e\#f\{g\}\textasciitilde{}h\textasciicircum{}i\textbackslash{}j &" in found


def test_markdown_escapes_names() -> None:
    signature = nlgauge.TER().signature()
    lines = written(named("a|b", metric=signature), "markdown", 0).splitlines()
    assert lines[0].startswith(r"| system | ter\|normalized:no")
    assert lines[2] == r"| a\|b | **0** |"


@pytest.mark.parametrize("name", ["a\tb", "a\nb"])
def test_a_name_cannot_break_the_lines_of_a_tsv(name: str) -> None:
    lines = written(named(name), "tsv", 0).split("\n")
    assert [line.count("\t") for line in lines] == [6, 6, 0]


def shown(table: ScoreTable, signatures: bool = False, **options) -> str:
    out = io.StringIO()
    made = Console(file=out, **options) if options else console(file=out)
    print_grids([score_grid(table)], made, signatures=signatures)
    return out.getvalue()


def test_terminal_table(table: ScoreTable) -> None:
    text = shown(table)
    rows = [line.split() for line in text.splitlines()]
    assert ["good", "14.29", "*", "85.71", "*"] in rows
    assert ["bad", "42.86", "57.14"] in rows
    assert "2 segments; * best" in text
    short = text.splitlines()[-2:]
    assert short[0].startswith("ter|nrefs:1|rev:") and "normalized" not in short[0]
    assert "|tokenizer:none|max_order:1|" in short[1] and "smooth" not in short[1]
    assert [parse(line) for line in short] == [column.metric for column in table.columns]
    assert table["good", "ter"].signature in shown(table, signatures=True).splitlines()


@pytest.mark.parametrize("width", [30, 60, 80])
def test_a_narrow_terminal_cuts_nothing(width: int) -> None:
    table = nlgauge.score(
        {"a-system-with-a-long-name": ["a b c"] * 2, "other": ["a x c"] * 2},
        ["a b c"] * 2,
        metrics=["bleu", "chrf", "ter", "rouge-l", "wer"],
        confidence=True,
    )
    lines = shown(table, width=width, soft_wrap=True).splitlines()
    tables = [line for line in lines if "|" not in line and "segments" not in line]
    assert max(map(len, tables)) <= width
    assert not any("…" in line for line in lines)
    text = "".join("".join(lines).split())
    if width >= 60:
        assert text.count("a-system-with-a-long-name") >= 2  # folded, with the names in each part
    for column in table.columns:
        assert column.name in text
        for system in table.systems:
            assert table[system, column.name].shown() in text


def test_a_single_system_has_no_winner() -> None:
    assert "*" not in shown(named("alone"))


def test_terminal_notes_say_how_it_was_resampled() -> None:
    text = shown(resampled())
    assert "good 14.29 * [0.00, 25.00]" in " ".join(text.split())
    assert "95% bootstrap interval, 40 resamples, seed 12345" in text
    assert "p: paired bootstrap against good" in text


def test_names_are_no_markup() -> None:
    assert "[red]x[/red] :smile:" in shown(named("[red]x[/red] :smile:"))


def test_colours_only_on_a_terminal(table: ScoreTable, monkeypatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert "\x1b[" not in shown(table)
    coloured = {"force_terminal": True, "color_system": "standard", "width": 200}
    assert "\x1b[1;32m" in shown(table, **coloured)
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b[1;32m" not in shown(table, **coloured)


def test_bare_scores_are_separated_by_tabs(table: ScoreTable) -> None:
    assert written(table, "bare", 1) == "14.3\t85.7\n42.9\t57.1\n"
