"""Keep what is known of a corpus's sentences, for all metrics and systems of a run."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, ClassVar, TextIO

from nlgauge.data.constituents import Constituent, TreeParser, rebuilt
from nlgauge.data.corpus import Corpus
from nlgauge.data.frames import Frame, FrameSentence, Role, RoleLabeller
from nlgauge.data.parses import Parse, Parser
from nlgauge.io.annotations.brackets import write_trees
from nlgauge.io.annotations.conllu import write_conllu
from nlgauge.io.annotations.roles import write_roles
from nlgauge.models.cache.analyses import Analyses
from nlgauge.models.syntax.annotators import find_frames, find_trees
from nlgauge.models.syntax.parsers import find_parser

Sentences = list[Parse]


class ParseStore(Analyses[Parse]):
    """A parse store has dependency parses by text, of one parser."""

    kind: ClassVar[str] = "parses"

    def __init__(self, parser: Parser, cache: str | None = None) -> None:
        super().__init__(parser.name, cache)
        self.parser = parser

    def parses(self, texts: Iterable[str], *, processes: int = 1) -> list[Sentences]:
        """Return the sentences of each text, the new ones parsed together."""
        return self.sentences(texts, threads=processes)

    def words(self, texts: Iterable[str]) -> list[list[str]]:
        """Return the words of each text; what is not parsed yet need not be."""
        texts = list(texts)
        new = self.new(texts)
        found = dict(zip(new, self.parser.words(new), strict=True)) if new else {}
        return [
            found[text] if text in found else [w for p in self.known(text) for w in p.words]
            for text in texts
        ]

    def analyse(self, texts: Sequence[str], *, threads: int) -> list[Sentences]:
        """Parse texts that are not known yet."""
        return self.parser.parse(texts, processes=threads)

    def plain(self, sentence: Parse) -> Any:
        """Return the columns of a parse."""
        return list(vars(sentence).values())

    def rebuilt(self, plain: Any) -> Parse:
        """Rebuild a parse from the columns that `plain` returned."""
        *columns, entities = plain
        return Parse(*map(tuple, columns), tuple(map(tuple, entities)))  # type: ignore[call-arg]

    def write(self, file: TextIO, sentences: Iterable[Parse]) -> None:
        """Write CoNLL-U; the option `parser` of metrics takes the file."""
        write_conllu(file, sentences)


class TreeStore(Analyses[Constituent]):
    """A tree store has constituent trees by text, of one parser."""

    kind: ClassVar[str] = "trees"

    def __init__(self, parser: TreeParser, cache: str | None = None) -> None:
        super().__init__(parser.name, cache)
        self.parser = parser

    def analyse(self, texts: Sequence[str], *, threads: int) -> list[list[Constituent]]:
        """Parse texts that are not known yet."""
        return self.parser.trees(texts, threads=threads)

    def plain(self, sentence: Constituent) -> Any:
        """Return labels, parents and words of all nodes."""
        return list(zip(*((n.label, parent, n.word) for parent, n in sentence.downward())))  # noqa: B905

    def rebuilt(self, plain: Any) -> Constituent:
        """Rebuild a tree from the lists that `plain` returned."""
        return rebuilt(*plain)

    def write(self, file: TextIO, sentences: Iterable[Constituent]) -> None:
        """Write bracketed trees; the option `trees` of metrics takes the file."""
        write_trees(file, sentences)


class FrameStore(Analyses[FrameSentence]):
    """A frame store has semantic frames by text, of one labeller."""

    kind: ClassVar[str] = "roles"

    def __init__(self, labeller: RoleLabeller, cache: str | None = None) -> None:
        super().__init__(labeller.name, cache)
        self.labeller = labeller

    def analyse(self, texts: Sequence[str], *, threads: int) -> list[list[FrameSentence]]:
        """Label texts that are not known yet."""
        return self.labeller.frames(texts, threads=threads)

    def plain(self, sentence: FrameSentence) -> Any:
        """Return the words and, of each frame, predicate, sense and roles."""
        frames = [
            (f.predicate, f.sense, [(r.label, r.start, r.end) for r in f.roles])
            for f in sentence.frames
        ]
        return [sentence.words, frames]

    def rebuilt(self, plain: Any) -> FrameSentence:
        """Rebuild a sentence from the lists that `plain` returned."""
        words, frames = plain
        return FrameSentence(
            tuple(words), tuple(Frame(p, tuple(Role(*r) for r in rs), s) for p, s, rs in frames)
        )

    def write(self, file: TextIO, sentences: Iterable[FrameSentence]) -> None:
        """Write JSON lines; the option `roles` of metrics takes the file."""
        write_roles(file, sentences)


def store_of(corpus: Corpus, parser: str, *, entities: bool = False) -> ParseStore:
    """Return the one store that all metrics use which look at this corpus with this parser."""
    found = find_parser(parser, entities=entities)
    folder = corpus.context.parse_cache
    return corpus.once(("parses", folder), found, lambda: ParseStore(found, folder))


def trees_of(corpus: Corpus, trees: str) -> TreeStore:
    """Return the one store of constituent trees for this corpus and parser."""
    found, folder = find_trees(trees), corpus.context.parse_cache
    return corpus.once(("trees", folder), found, lambda: TreeStore(found, folder))


def frames_of(corpus: Corpus, roles: str) -> FrameStore:
    """Return the one store of semantic frames for this corpus and labeller."""
    found, folder = find_frames(roles), corpus.context.parse_cache
    return corpus.once(("roles", folder), found, lambda: FrameStore(found, folder))
