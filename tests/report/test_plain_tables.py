"""Tables in files and pipes look as Rich sets them, which is asked here, and need no Rich."""

import io
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from nlgauge.report.tables.grid import Estimate, Field, Grid, SignatureNote, Strong
from nlgauge.report.tables.plain_tables import NARROW, WIDTH, plain_text, write_text
from nlgauge.report.tables.printing import print_grids
from nlgauge.report.tables.terminal import console

TEXTS = st.text(sorted(NARROW), max_size=12)
NAMES = st.text(sorted(NARROW), min_size=1, max_size=12)
WORDS = st.one_of(TEXTS, st.builds(Strong, TEXTS, st.sampled_from(["", " *"])))
NUMBERS = st.floats(-1e4, 1e4) | st.integers(-99, 99) | st.none()
UNIT = st.floats(0, 1)
ESTIMATES = st.one_of(
    NUMBERS,
    st.builds(Estimate, UNIT, UNIT, UNIT, UNIT | st.none(), st.just("")),
    st.builds(Strong, UNIT.map(Estimate), st.just(" *")),
)
KINDS = {"words": WORDS, "numbers": NUMBERS, "estimates": ESTIMATES}


@st.composite
def grids(draw: st.DrawFn) -> Grid:
    kinds = draw(st.lists(st.sampled_from(sorted(KINDS)), min_size=1, max_size=5))
    fields = tuple(
        Field(
            draw(NAMES),
            lines=tuple(draw(st.lists(NAMES, max_size=2))),
            note=draw(TEXTS),
            apart=kind == "estimates",
            number=draw(st.booleans()),
        )
        for kind in kinds
    )
    rows = draw(st.lists(st.tuples(*(KINDS[kind] for kind in kinds)), max_size=4))
    notes = st.one_of(
        st.text([*sorted(NARROW), "\n"]), st.builds(SignatureNote, TEXTS, TEXTS, TEXTS)
    )
    return Grid(draw(TEXTS), fields, rows, tuple(draw(st.lists(notes, max_size=3))))


def by_rich(grids: list[Grid], signatures: bool = False) -> str:
    file = io.StringIO()
    print_grids(grids, console(file=file), signatures=signatures)
    return file.getvalue()


@given(st.lists(grids(), max_size=2), st.booleans())
def test_what_is_set_here_is_what_rich_sets(made: list[Grid], signatures: bool) -> None:
    assert plain_text(made, signatures=signatures) == by_rich(made, signatures)


def test_narrow_signs_take_one_place() -> None:
    assert {cell_len(sign) for sign in NARROW} == {1}


@pytest.mark.parametrize(
    "name",
    ["北", "e\u0301", "\u200b", "🙂", "a" * WIDTH],
    ids=["wide", "joined", "empty", "picture", "long"],
)
def test_other_signs_and_wide_tables_are_left_to_rich(name: str) -> None:
    made = [Grid("", (Field("system"), Field("x")), [[name, 1.0], ["b", 2.0]])]
    assert plain_text(made) is None
    file = io.StringIO()
    write_text(made, file)
    assert file.getvalue() == by_rich(made)


def test_controls_are_escaped() -> None:
    made = [Grid("\x1b[2J", (Field("system\r"), Field("x")), [["a\tb", 1.0]])]
    assert plain_text([made[0]]) is None  # for its title
    untitled = [Grid("", made[0].fields, made[0].rows)]
    text = plain_text(untitled)
    assert text == by_rich(untitled)
    assert text is not None and "a\\tb" in text and "\t" not in text


def test_a_small_score_in_a_pipe_loads_no_rich(tmp_path) -> None:  # type: ignore[no-untyped-def]
    (tmp_path / "ref").write_text("a b c d\n")
    (tmp_path / "hyp").write_text("a b c d\n")
    program = (
        "import sys; from nlgauge.cli import main; code = main(['score', 'ref', '-i', 'hyp']); "
        "sys.exit(code or any(name.split('.')[0] == 'rich' for name in sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True)
    assert done.returncode == 0, done.stderr
    assert b"100.00" in done.stdout


def test_a_small_score_loads_only_what_it_needs(tmp_path) -> None:  # type: ignore[no-untyped-def]
    """Readers of records, dialogues and models, and what unpacks files, stay where they are."""
    (tmp_path / "ref").write_text("a “b” c d\n")
    (tmp_path / "hyp").write_text("a “b” c e\n")
    late = (
        "gzip",
        "json",
        "shlex",
        "nlgauge.core.understanding.lookup",
        "nlgauge.data.contexts",
        "nlgauge.io.fields",
        "nlgauge.metrics.ngram.delta_bleu",
    )
    program = (
        "import sys; before = set(sys.modules); from nlgauge.cli import main; "
        "main(['score', 'ref', '-i', 'hyp']); loaded = set(sys.modules) - before; "
        f"print([name for name in {late} if name in loaded], file=sys.stderr)"
    )
    command = [sys.executable, "-X", "utf8", "-c", program]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.stderr.strip() == "[]"
