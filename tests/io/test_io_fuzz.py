"""Every reader of files, given damaged ones: it reads them, or refuses with an error of ours.

Each sample is a small file that is read; tests mutate it: bytes are changed, cut, doubled, or
replaced by pieces that readers stumble over.
"""

from __future__ import annotations

import io
import json
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from nlgauge.errors import NlgaugeError
from nlgauge.io import read_suite
from nlgauge.io.annotations.brackets import read_trees
from nlgauge.io.annotations.conllu import read_conllu
from nlgauge.io.annotations.roles import read_roles
from nlgauge.io.judgements.judged_outputs import read_outputs
from nlgauge.io.judgements.judgement_files import read_judgements
from nlgauge.io.scores.score_files import read_scores
from nlgauge.io.scores.topic_similarities import read_similarities
from nlgauge.io.texts.sources import read_documents

ROW = {
    "id": 1,
    "system": "s",
    "source": "q",
    "references": ["a b", "c"],
    "hypothesis": "a",
    "human": {"fluency": [1, 2.5, None]},
    "table": [["a", "b"]],
    "reference_weights": [0.5, 1],
}
XML = """<?xml version="1.0" encoding="UTF-8"?><dataset id="x"><doc id="d"><src lang="a"><p>
<seg id="1">q</seg></p></src><ref lang="b" translator="t"><p><seg id="1">r &amp; r</seg></p></ref>
<hyp system="s"><p><seg id="1">h</seg></p></hyp></doc></dataset>"""
SGML = '<refset setid="x" sysid="r"><doc docid="d"><seg id="1">a &amp; &#65;</seg></doc></refset>'
MQM = (
    "system\tdoc\tdoc_id\tseg_id\trater\tsource\ttarget\tcategory\tseverity\n"
    "s\td\t1\t7\tr\ta\tb\tFluency/Grammar\tMajor\ns\td\t1\t7\tr\ta\tb\tNo-error\tno-error\n"
)
APPRAISE = "u,s,1,TGT,eng,deu,77,doc,False,1.5,2.5\nu,t,1,CHK,eng,deu,50,doc,False,1.5,2.5\n"
CONLLU = (
    "# text = a b\n1\ta\ta\tX\tX\t_\t2\tdep\t_\tNE=B-P\n2\tb\tb\tX\tX\t_\t0\troot\t_\tNE=I-P\n\n"
    "1-2\tab\t_\t_\t_\t_\t_\t_\t_\t_\n1\ta\t_\tX\tX\t_\t0\troot\t_\t_\n2\tb\t_\tX\tX\t_\t1\tx\t_\t_\n"
)
TREES = "(S (NP-SBJ (PRP I)) (VP (VBP am) (-NONE- *T*)))\n( (S (NP (NN -LRB-))))\n"
ASSERT = "0: [A0 she] [TARGET said] [A1 so]\n1: [V go] x\n"
CONLL05 = "she - (A0*)\nsaid say (V*)\nso - (A1*)\n\nyes -\n"
CONLL09 = "\n".join(
    f"{i}\t{w}\t_\t_\t_\t_\t_\t_\t{h}\t_\t_\t_\t{'Y' if p != '_' else '_'}\t{p}\t{r}"
    for i, w, h, p, r in [(1, "she", 2, "_", "A0"), (2, "said", 0, "say.01", "_")]
)
CONLL12 = "#begin document (x);\n" + "".join(
    f"d 0 {i} {w} T * {lemma} {sense} - - * {role} -\n"
    for i, w, lemma, sense, role in [
        (0, "she", "-", "-", "(A0*)"),
        (1, "said", "say", "01", "(V*)"),
    ]
)
ROLES = json.dumps({"words": ["a", "b"], "frames": [{"predicate": 1, "roles": [["A0", 0, 1]]}]})
SIMILARITIES = {
    "systems": ["a"],
    "references": ["r", "t"],
    "scores": {"m": {"a": {"r": [0.1, 0.2], "t": [1, 2]}, "r": {"t": [3, 4]}}},
}
COCO = {"annotations": [{"image_id": 1, "caption": "a b"}, {"image_id": 2, "caption": "c"}]}
RESULTS = [{"image_id": 1, "caption": "a"}, {"image_id": 2, "caption": "c"}]


def lines(*rows: object) -> bytes:
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


def table(separator: str) -> bytes:
    head = separator.join(["id", "system", "reference", "hypothesis", "score"])
    return f"{head}\n1{separator}s{separator}a b{separator}c d{separator}0.5\n".encode()


def parquet() -> bytes:
    arrow = pytest.importorskip("pyarrow")
    from pyarrow import parquet as files

    out = io.BytesIO()
    files.write_table(arrow.Table.from_pylist([{**ROW, "table": "[]"}]), out)
    return out.getvalue()


@dataclass(frozen=True)
class Sample:
    """A file's name and contents, the files beside it, and what reads them."""

    file: str
    data: bytes | Callable[[], bytes]
    read: Callable[[Path], Any]
    beside: dict[str, bytes] | None = None


def suite(path: Path, **options: Any) -> Any:
    return read_suite(path, **options)


def plain(path: Path) -> Any:
    return read_suite([path, path.with_name("ref")], path.with_name("hyp"))


def sgml(path: Path) -> Any:
    return read_suite(path, path.with_name("h.sgm"))


def coco(path: Path) -> Any:
    return read_suite(path, path.with_name("results.json"))


def mtme(path: Path) -> Any:
    return read_suite(path.parents[1])


def judged(format: str | None = None) -> Callable[[Path], Any]:
    return lambda path: read_judgements(path, format=format)


OUT = {k: v for k, v in ROW.items() if k != "human"}
SCORES = {"system": "s", "id": 1, "scores": {"bleu": {"score": 1.5}}, "comet": 0.1}
JUDGED = {"item": 1, "system": "s", "annotator": "x", "criterion": "c", "value": 2.5, "seconds": 3}
BETTER = {"item": 1, "better": {"system": "s"}, "worse": "t"}
SAMPLES = {
    "plain": Sample("x.txt", b"a b\nc\n", plain, {"ref": b"d\ne\n", "hyp": b"f\ng\n"}),
    "plain gz": Sample("x.txt.gz", lambda: __import__("gzip").compress(b"a\nb\n"), plain,
                       {"ref": b"d\ne\n", "hyp": b"f\ng\n"}),
    "tsv": Sample("x.tsv", table("\t"), suite),
    "csv": Sample("x.csv", table(",") + b'2,s,"a ""b""","x\ny",1\n', suite),
    "jsonl": Sample("x.jsonl", lines(OUT, {**OUT, "id": 2}), suite),
    "outputs": Sample("x.jsonl", lines(ROW, {**ROW, "id": 2}), read_outputs),
    "documents": Sample("x.jsonl", lines(ROW), read_documents),
    "parquet": Sample("x.parquet", parquet, suite),
    "coco": Sample("x.json", json.dumps(COCO).encode(), coco,
                   {"results.json": json.dumps(RESULTS).encode()}),
    "coco results": Sample("results.json", json.dumps(RESULTS).encode(),
                           lambda p: read_suite(p.with_name("x.json"), p),
                           {"x.json": json.dumps(COCO).encode()}),
    "sgml": Sample("x.sgm", SGML.encode(), sgml,
                   {"h.sgm": SGML.replace("refset", "tstset").encode()}),
    "wmt xml": Sample("x.xml", XML.encode(), suite),
    "mtme": Sample("t/references/a-b.r.txt", b"a\nb\n", mtme,
                   {"t/sources/a-b.txt": b"x\ny\n", "t/system-outputs/a-b/s.txt": b"a\nc\n"}),
    "mtme scores": Sample("en-de.mqm.seg.score", b"s\t1.5\ns\tNone\nt\t-2\nt\t3\n", judged()),
    "mtme domains": Sample("en-de.mqm.domain.score", b"news\ts\t1.5\nnews\tt\t2\n", judged()),
    "mqm": Sample("x.tsv", MQM.encode(), judged()),
    "appraise": Sample("x.csv", APPRAISE.encode(), judged("appraise")),
    "judgements": Sample("x.jsonl", lines(JUDGED, {**JUDGED, "label": "good"}), judged()),
    "judgements tsv": Sample("x.tsv", b"item\tsystem\tvalue\n1\ts\t2\n2\ts\t-3\n", judged()),
    "preferences": Sample("x.jsonl", lines(BETTER), judged()),
    "ratings": Sample("x.jsonl", lines(ROW), judged()),
    "scores": Sample("x.jsonl", lines(SCORES), read_scores),
    "scores tsv": Sample("x.tsv", b"system\tid\tcomet\ns\t1\t0.5\ns\t2\t-1\n", read_scores),
    "segment scores": Sample("comet-r.seg.score", b"s\t0.5\ns\t1\n", read_scores),
    "similarities": Sample("x.json", json.dumps(SIMILARITIES).encode(),
                           lambda p: read_similarities(str(p))),
    "conllu": Sample("x.conllu", CONLLU.encode(), lambda p: read_conllu(str(p))),
    "brackets": Sample("x.mrg", TREES.encode(), lambda p: read_trees(str(p))),
    "roles": Sample("x.jsonl", ROLES.encode(), lambda p: read_roles(str(p))),
    "assert": Sample("x.assert", ASSERT.encode(), lambda p: read_roles(str(p))),
    "props": Sample("x.props", b"- (A0*)\nsay (V*)\n", lambda p: read_roles(str(p)),
                    {"x.words": b"she\nsaid\n"}),
    "conll05": Sample("x.conll05", CONLL05.encode(), lambda p: read_roles(str(p))),
    "conll09": Sample("x.conll09", CONLL09.encode(), lambda p: read_roles(str(p))),
    "conll12": Sample("x.conll12", CONLL12.encode(), lambda p: read_roles(str(p))),
    "conll": Sample("x.conll", CONLL05.encode(), lambda p: read_roles(str(p))),
}  # fmt: skip
PIECES = [
    *(b"\0", b"\n", b"\r\n", b"\t", b",", b'"', b"'", b"\\", b"\\ud800", b"\xff", b"\xef\xbb\xbf"),
    *(b"\xc2\x85", b"\xe2\x80\xa8", b"NaN", b"Infinity", b"1e999", b"-1", b"0", b"null", b"true"),
    *(b"9" * 400, b"1" * 5000, b"[" * 1200, b'{"a":' * 1200, b"[]", b"{}", b'""', b"None", b"nan"),
    *(b"(", b")", b"[", b"]", b"<seg>", b"</seg>", b"<doc>", b"&#0;", b"&#xD800;", b"&#9999999;"),
    *(b"<!DOCTYPE x>", b"encoding='x'", b"*", b"_", b"-", b"#", b"1-2", b"1.1", b"\xd9\xa3", b" "),
    *(b"inf", b"1e308", "²".encode(), b"=", b"system", b"id", b"references", b"human", b"TGT"),
]


@st.composite
def edits(draw: st.DrawFn) -> list[tuple[str, float, float, bytes]]:
    """What is done to a file, at which shares of its length."""
    share = st.floats(0, 1)
    piece = st.one_of(st.sampled_from(PIECES), st.binary(max_size=4))
    kinds = st.sampled_from(["put", "put", "put", "replace", "cut", "double", "end"])
    return draw(st.lists(st.tuples(kinds, share, share, piece), min_size=1, max_size=3))


def changed(data: bytes, edits: Sequence[tuple[str, float, float, bytes]]) -> bytes:
    for kind, one, other, piece in edits:
        i = int(one * len(data))
        j = min(len(data), i + 1 + int(other**3 * (len(data) - i)))
        if kind == "put":
            data = data[:i] + piece + data[i:]
        elif kind == "replace":
            data = data[:i] + piece + data[j:]
        elif kind == "cut":
            data = data[:i] + data[j:]
        elif kind == "double":
            data = data[:j] + data[i:j] + data[j:]
        else:
            data = data[:i]
    return data


@pytest.fixture(scope="module", params=SAMPLES, ids=lambda name: name.replace(" ", "-"))
def laid_out(request, tmp_path_factory) -> tuple[Path, bytes, Callable[[Path], Any]]:
    sample = SAMPLES[request.param]
    folder = tmp_path_factory.mktemp("fuzz")
    for name, data in (sample.beside or {}).items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    path = folder / sample.file
    path.parent.mkdir(parents=True, exist_ok=True)
    return path, sample.data() if callable(sample.data) else sample.data, sample.read


def test_the_samples_are_read(laid_out) -> None:
    path, data, read = laid_out
    path.write_bytes(data)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of columns that are passed over
        read(path)


@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(edits=edits())
def test_damaged_files(laid_out, edits) -> None:
    path, data, read = laid_out
    path.write_bytes(changed(data, edits))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            read(path)
        except NlgaugeError as error:
            assert path.name in str(error) or "judge" in str(error) or len(str(error)) > 10


def test_every_piece_everywhere(laid_out) -> None:
    """What random places seldom hit: each piece in place of each value."""
    path, data, read = laid_out
    places = range(0, len(data), max(1, len(data) // 4))
    for piece in PIECES:
        for i in places:
            path.write_bytes(data[:i] + piece + data[i + 1 :])
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                try:
                    read(path)
                except NlgaugeError:
                    continue
