"""Take parses from files, so that the output of any parser can be scored."""

from __future__ import annotations

from collections.abc import Sequence

from nlgauge.core.resources import digest
from nlgauge.data.parses import Parse, glued
from nlgauge.io.annotations.brackets import read_trees
from nlgauge.io.annotations.conllu import ConlluSentence, read_conllu
from nlgauge.models.files.located import SentenceFinder, paths_of
from nlgauge.models.syntax.heads import dependencies

TREES = (".mrg", ".mrg.gz")  # bracketed, as in the Penn Treebank
ENDINGS = (".conllu", ".conllu.gz", *TREES)


class ParseFiles:
    """These files give the parse of a text by the text, white space aside; a text may be several
    sentences that follow each other in a file.
    """

    def __init__(self, path: str) -> None:
        paths = paths_of("parser", path, "parses", ENDINGS)
        self.path = path
        self.name = "file " + "+".join(digest("parser", p) for p in paths)
        sentences: list[ConlluSentence] = []
        for p in paths:
            sentences += _trees(p) if p.endswith(TREES) else read_conllu(p)
        self._located = SentenceFinder((sentence.glued, sentence.parse) for sentence in sentences)

    def parse(self, texts: Sequence[str], *, processes: int = 1) -> list[list[Parse]]:  # noqa: ARG002
        """Return the sentences of each text; a text that is in no file is an error."""
        return self._located.of(
            texts,
            lambda text: (
                f"{self.path}: has no parse of {text}; parse all hypotheses and references, and "
                "let `# text` give each sentence as it stands there"
            ),
        )

    def words(self, texts: Sequence[str]) -> list[list[str]]:
        """Return the words of each text; of one that is in no file, what white space separates."""
        found = []
        for text in texts:
            parses = self._located.find(text)
            words = None if parses is None else [w for parse in parses for w in parse.words]
            found.append(text.split() if words is None else words)
        return found


def _trees(path: str) -> list[ConlluSentence]:
    parses = map(dependencies, read_trees(path))
    return [ConlluSentence(glued("".join(parse.words)), parse) for parse in parses]
