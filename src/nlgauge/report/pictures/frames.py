"""Draw aligned frames above each other: what fills each role, in the order of the text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from nlgauge.explain.traces import FramePair, Frames, FrameSpans
from nlgauge.report.figures.canvas import Canvas, box, series, text_width
from nlgauge.report.pictures.words import HEAD, MARGIN, draw_title, joined, right_to_left, wrapped

LINE, LABEL = 15.0, 10.0  # of lines, and the letters of the roles' names
MOST = 190.0  # the widest box, where it is broken into lines
GAP, LINKS, APART, BELOW = 10.0, 48.0, 28.0, 20.0  # room for links, between frames, for the key
LEFT = MARGIN + 68  # where the texts start, after the sides' names
OUTSIDE = 5  # words kept at both ends of what is outside of a frame
KEY = "lines: aligned, with the similarity; a dashed outline: nothing to align it with"
EMPTY = "no frames on either side"


@dataclass(frozen=True)
class Piece:
    """A piece is a stretch of words.

    It is the filler of a role (by its place; -1 is the predicate) or of none.
    """

    role: int | None
    label: str
    lines: tuple[str, ...]
    left: float
    width: float

    @property
    def middle(self) -> float:
        """Return the middle of the piece from left to right."""
        return self.left + self.width / 2


@dataclass(frozen=True)
class Row:
    """A row is the sentence of a frame, from left to right."""

    pieces: tuple[Piece, ...]

    @property
    def height(self) -> float:
        """Return the height of the row, which the longest piece needs."""
        return LABEL + 8 + LINE * max((len(p.lines) for p in self.pieces), default=1)

    @property
    def width(self) -> float:
        """Return the width up to the end of the last piece."""
        return max((piece.left + piece.width for piece in self.pieces), default=0.0)

    def of(self, role: int) -> Piece | None:
        """Return where a role is; roles without words are nowhere."""
        return next((piece for piece in self.pieces if piece.role == role), None)


@dataclass(frozen=True)
class Block:
    """A block is two aligned frames, or one that has no partner."""

    title: str
    pair: FramePair | None
    rows: tuple[tuple[str, Row], ...]  # with the sides' names

    @property
    def height(self) -> float:
        """Return the height of all rows with links between them."""
        links = LINKS * (len(self.rows) - 1)
        return 20 + sum(row.height for _, row in self.rows) + links


@dataclass(frozen=True)
class FramesPicture:
    """The picture has one block for each pair of frames, then the frames without a partner."""

    title: str
    trace: Frames
    other: str = "reference"

    @cached_property
    def _blocks(self) -> list[Block]:
        trace, blocks = self.trace, []
        for pair in trace.pairs:
            hyp, ref = trace.hyp_frames[pair.hyp], trace.ref_frames[pair.ref]
            title = f"{_named(trace.hyp, hyp)} – {_named(trace.ref, ref)}"
            blocks.append(Block(title, pair, self._rows(hyp, ref)))
        for k, frame in enumerate(trace.hyp_frames):
            if all(pair.hyp != k for pair in trace.pairs):
                title = f"only in the hypothesis: {_named(trace.hyp, frame)}"
                blocks.append(Block(title, None, self._rows(frame, None)[:1]))
        for k, frame in enumerate(trace.ref_frames):
            if all(pair.ref != k for pair in trace.pairs):
                title = f"only in the {self.other}: {_named(trace.ref, frame)}"
                blocks.append(Block(title, None, self._rows(None, frame)[1:]))
        return blocks or [Block(EMPTY, None, self._rows(None, None))]

    def _rows(self, hyp: FrameSpans | None, ref: FrameSpans | None) -> tuple[tuple[str, Row], ...]:
        return (
            ("hypothesis", _row(self.trace.hyp, hyp)),
            (self.other, _row(self.trace.ref, ref)),
        )

    @property
    def size(self) -> tuple[float, float]:
        """Return the size of all blocks together."""
        rows = [LEFT - MARGIN + row.width for block in self._blocks for _, row in block.rows]
        titles = [text_width(block.title, 12) for block in self._blocks]
        width = max(*rows, *titles, text_width(KEY, 10))
        height = HEAD + sum(block.height + APART for block in self._blocks) + BELOW
        return width + 2 * MARGIN, height

    def narrowed(self) -> FramesPicture:
        """Return the picture itself, of which a phone shows a piece at a time."""
        return self

    def draw(self, canvas: Canvas) -> None:
        """Draw one block below the other."""
        draw_title(canvas, self.title, self.size[0])
        y = HEAD + 6
        for block in self._blocks:
            _draw_block(canvas, block, y)
            y += block.height + APART
        canvas.text(MARGIN, self.size[1] - 10, KEY, size=10, colour="muted")


def _named(words: Sequence[str], frame: FrameSpans) -> str:
    """Return the predicate as it stands in the text."""
    return "“" + joined(words[frame.predicate.start : frame.predicate.end]) + "”"


def _row(words: Sequence[str], frame: FrameSpans | None) -> Row:
    """Return the words in pieces; where fillers overlap, the later one starts after the earlier."""
    found = [] if frame is None else [(-1, frame.predicate), *enumerate(frame.roles)]
    spans = sorted((role.start, role.end, place, role.label) for place, role in found)
    cuts: list[tuple[int | None, str, Sequence[str]]] = []
    at = 0
    for start, end, place, label in spans:
        if start > at:
            cuts.append((None, "", _shortened(words[at:start])))
        cuts.append((place, label, words[max(start, at) : end]))
        at = max(at, end)
    if at < len(words):
        cuts.append((None, "", _shortened(words[at:])))
    pieces: list[Piece] = []
    left = 0.0
    for role, label, text in cuts:
        lines = wrapped(joined(text), MOST)
        width = max(*(text_width(line) for line in lines), 1.15 * text_width(label, LABEL)) + 10
        pieces.append(Piece(role, label, tuple(lines), left, width))
        left += width + GAP
    if right_to_left(words):
        pieces = [replace(p, left=left - GAP - p.left - p.width) for p in pieces]
    return Row(tuple(pieces))


def _shortened(words: Sequence[str]) -> Sequence[str]:
    """Return what is outside of a frame, without its middle if that is long."""
    if len(words) <= 2 * OUTSIDE + 1:
        return words
    return [*words[:OUTSIDE], "…", *words[-OUTSIDE:]]


def _links(pair: FramePair) -> Iterator[tuple[int, int, float]]:
    """Return the aligned roles, the predicates first."""
    yield -1, -1, pair.similarity
    for roles in pair.roles:
        yield roles.hyp, roles.ref, roles.similarity


def _draw_block(canvas: Canvas, block: Block, y: float) -> None:
    canvas.text(MARGIN, y + 10, block.title, size=12, bold=True)
    y += 20
    colours: list[dict[int, str]] = [{}, {}]
    links = list(_links(block.pair)) if block.pair else []
    for number, (hyp, ref, _) in enumerate(links):
        colours[0][hyp] = colours[1][ref] = series(number)
    tops = []
    for side, (name, row) in enumerate(block.rows):
        canvas.text(LEFT - 8, y + LABEL + 1, name, size=10, anchor="end", colour="muted")
        tops.append(y)
        _draw_row(canvas, row, y, colours[side])
        y += row.height + LINKS
    for number, (hyp, ref, similarity) in enumerate(links):
        (_, above), (_, below) = block.rows
        start, end = above.of(hyp), below.of(ref)
        if start is None or end is None:
            continue
        x, y = LEFT + start.middle, tops[0] + above.height + 13
        note = f"{start.label}: {' '.join(start.lines)} – {' '.join(end.lines)}: {similarity:.3f}"
        text = f"{similarity:.2f}".replace("-", "−")
        canvas.text(x, y, text, size=10, anchor="middle", bold=True, note=note)
        canvas.path([(x, y + 4), (LEFT + end.middle, tops[1])], series(number), width=2, note=note)


def _draw_row(canvas: Canvas, row: Row, y: float, colours: dict[int, str]) -> None:
    for piece in row.pieces:
        x = LEFT + piece.left
        corners = box(x, y, piece.width, row.height)
        if piece.role in colours:
            canvas.area(corners, colours[piece.role], opacity=0.22, edge=colours[piece.role])
        elif piece.role is not None:
            canvas.path([*corners, corners[0]], "muted", dashed=True)
        label = "" if piece.role is None else piece.label
        canvas.text(x + 5, y + LABEL + 1, label, size=LABEL, colour="muted", bold=True)
        ink = "muted" if piece.role is None else "ink"
        for k, line in enumerate(piece.lines):
            canvas.text(x + 5, y + LABEL + 1 + LINE * (k + 1), line, colour=ink)
