"""Print the figures of the parser and the role labeller for docs/explanation/models.md.

    python weights/evaluate.py --data FOLDER [--split test] [--model FILE] [--threads 2]

FOLDER: propbank_ewt_*.jsonl.gz, and for predicted words en_ewt-ud-*.conllu.gz (their texts);
gum_dev.ptb.gz and gum_test.ptb.gz, if they are there, are scored as another domain.
"""

from __future__ import annotations

import argparse
import gzip
import re
import tempfile
from pathlib import Path

from bracketing import Bracketing, score_trees
from role_scoring import RoleScores, score_frames
from treebank import Sentence, read_sentences

from nlgauge.data.constituents import Constituent
from nlgauge.data.frames import Frame, Role, on_words, short
from nlgauge.data.parses import glued
from nlgauge.io.annotations.brackets import read_trees
from nlgauge.models.encoders.encoder import minilm_folder
from nlgauge.models.structure.annotator import StructureLabeller, StructureParser
from nlgauge.models.structure.network import StructureNetwork
from nlgauge.models.structure.weights import StructureWeights


def main() -> None:
    """Print one line for each figure."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--split", default="test")
    parser.add_argument("--model", type=Path, help="default: the one that ships")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--brief", action="store_true", help="right words of EWT only")
    args = parser.parse_args()
    network = StructureNetwork(StructureWeights.read(minilm_folder(), args.model))
    trees, roles = StructureParser(network), StructureLabeller(network)
    print(network.name)
    sentences = read_sentences(args.data / f"propbank_ewt_{args.split}.jsonl.gz")
    words = [s.words for s in sentences]
    expected = [s.tree for s in sentences]
    show("EWT, right words", score_trees(expected, trees.parse(words, threads=args.threads)))
    gold = [right_frames(s) for s in sentences]
    given = [[f.predicate for f in frames] for frames in gold]
    labelled = roles.label(words, predicates=given, threads=args.threads)
    show_roles("EWT, predicates given", score_frames(gold, [f.frames for f in labelled]))
    labelled = roles.label(words, threads=args.threads)
    scores = score_frames(gold, [f.frames for f in labelled], predicates="found")
    show_roles("EWT, predicates found", scores)
    if args.brief:
        return

    texts = read_texts(args.data / f"en_ewt-ud-{args.split}.conllu.gz")
    lines = [texts.get(glued("".join(w)), " ".join(w)) for w in words]
    found = [joined(some) for some in trees.trees(lines, threads=args.threads)]
    show("EWT, own words and sentences", score_trees(expected, found))
    framed = roles.frames(lines, threads=args.threads)
    mapped = [on_words(some, w) for some, w in zip(framed, words, strict=True)]
    scores = score_frames(gold, mapped, predicates="found")
    show_roles("EWT, own words, predicates found", scores)
    for part in ("dev", "test"):
        path = args.data / f"gum_{part}.ptb.gz"
        if path.exists():
            gum = read_ptb(path)
            parsed = trees.parse([tree.words for tree in gum], threads=args.threads)
            show(f"GUM {part}, right words", score_trees(gum, parsed))


def right_frames(sentence: Sentence) -> list[Frame]:
    """Return the right frames, in the form that the labeller gives them."""
    return [
        Frame(f.index, tuple(Role(short(r), i, j) for (i, j), r in f.arguments.items()))
        for f in sentence.frames
    ]


def joined(trees: list[Constituent]) -> Constituent:
    """Return the trees of several sentences as one."""
    return Constituent("TOP", tuple(child for tree in trees for child in tree.children))


def read_texts(path: Path) -> dict[str, str]:
    """Read the texts of a CoNLL-U file, by their characters."""
    with gzip.open(path, "rt", encoding="utf-8") as file:
        texts = re.findall(r"^# text = (.*)$", file.read(), re.MULTILINE)
    return {glued(text): text for text in texts}


def read_ptb(path: Path) -> list[Constituent]:
    """Read the bracketed trees of a compressed file."""
    with tempfile.NamedTemporaryFile(suffix=".mrg") as plain:
        plain.write(gzip.decompress(path.read_bytes()))
        plain.flush()
        return read_trees(plain.name)


def show(name: str, score: Bracketing) -> None:
    """Print how well trees agree with the right ones."""
    b = score.brackets
    print(
        f"{name}: brackets P {b.precision:.2%} R {b.recall:.2%} F1 {b.f1:.2%}, complete "
        f"{score.complete / score.sentences:.2%}, tags {score.tags.f1:.2%} ({score.sentences})",
        flush=True,
    )


def show_roles(name: str, score: RoleScores) -> None:
    """Print how well roles agree with the right ones."""
    a, p = score.arguments, score.predicates
    print(
        f"{name}: roles P {a.precision:.2%} R {a.recall:.2%} F1 {a.f1:.2%}, predicates P "
        f"{p.precision:.2%} R {p.recall:.2%} ({p.expected} frames)",
        flush=True,
    )


if __name__ == "__main__":
    main()
