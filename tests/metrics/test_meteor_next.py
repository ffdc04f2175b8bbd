"""METEOR 1.5 and its relatives beyond the golden files."""

import gzip
import json
from importlib.util import find_spec
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles import beam as oracle
from support.command_line import run
from support.golden_files import GOLDEN, Case

from nlgauge import DataError, ResourceMissing, SpecError
from nlgauge.core import options, registry
from nlgauge.explain.explanation import explain
from nlgauge.models.lexicon import pivot

OFFICIAL = json.loads((GOLDEN / "meteor" / "paraphrases.json").read_text(encoding="utf-8"))


@pytest.mark.slow
@pytest.mark.skipif(find_spec("pycocoevalcap") is None, reason="the authors' table is not here")
@pytest.mark.parametrize("case", OFFICIAL["cases"], ids=lambda c: f"{c['spec']}-{c['corpus']}")
def test_with_the_authors_table(case: dict) -> None:
    read = Case(metric="meteor-1.5", tolerance=1e-9, **case)
    metric = registry.metric(read.spec)
    rows = metric.rows(read.read())
    assert metric.score(rows).tolist() == pytest.approx(read.segments, rel=0, abs=1e-9)
    assert float(metric.score(rows.sum(axis=0))) == pytest.approx(read.expected["score"], abs=1e-9)


@given(
    hyp=st.lists(st.sampled_from("abcd"), max_size=6),
    ref=st.lists(st.sampled_from("abcd"), max_size=6),
)
@settings(max_examples=300)
def test_no_alignment_covers_more_words_in_fewer_chunks(hyp: list[str], ref: list[str]) -> None:
    metric = registry.metric("meteor-1.5(modules=exact,beam=100000)")
    found = [(i, j) for i, _, j, _, _ in metric.kernel().align(hyp, ref)]
    assert all(hyp[i] == ref[j] for i, j in found)
    assert oracle.quality(found) == oracle.best(hyp, ref)


@given(
    hyp=st.lists(st.sampled_from("aab"), max_size=90),
    ref=st.lists(st.sampled_from("abc"), max_size=90),
    beam=st.sampled_from((1, 2, 7, 40)),
)
@settings(max_examples=60)
def test_the_search_chooses_what_the_program_chooses(
    hyp: list[str], ref: list[str], beam: int
) -> None:
    # More matches of a word than the beam is wide, in several blocks of 64 words.
    kernel = registry.metric(f"meteor-1.5(modules=exact,beam={beam})").kernel()
    found = [(i, j) for i, _, j, _, _ in kernel.align(hyp, ref)]
    assert found == oracle.searched(hyp, ref, beam)


def test_java_takes_some_words_for_equal() -> None:
    # Both have the hash code 3126, which is all METEOR 1.5 compares.
    score = registry.metric("meteor-1.5(modules=exact)").sentence_score("c9", ["aw"])
    assert score.value == 1.0


def test_explain_names_the_modules(tmp_path: Path) -> None:
    table = tmp_path / "table.gz"
    table.write_bytes(gzip.compress(b"0.5\nas soon as\nonce\n"))
    spec = f"meteor-1.5(paraphrases={options.encode(str(table))})"
    [shown] = explain("cars stopped once", "automobile stops as soon as", [spec])
    labels = {(link.hyp, link.ref): link.label for link in shown.trace.links}
    assert labels == {
        (0, 0): "synonym",
        (1, 1): "stem",
        (2, 2): "paraphrase",
        (2, 3): "paraphrase",
        (2, 4): "paraphrase",
    }


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"0.5\na\n", "three lines"),
        (b"\x1f\x8bnothing", "damaged"),
        (b"", "three lines"),
        (b"0.5\na\nb\n\na\nb\nmore than\na\nb\n", "line 7: 'more than' is no number"),
        (gzip.compress(b"0.5\na\nb\n")[:-9], "ends too early"),
    ],
    ids=["cut", "damaged", "empty", "words", "short"],
)
def test_broken_tables(tmp_path: Path, content: bytes, message: str) -> None:
    table = tmp_path / "table.gz"
    table.write_bytes(content)
    metric = registry.metric("meteor-1.5", paraphrases=str(table))
    with pytest.raises(DataError, match=message):
        metric.sentence_score("a", ["a"])


@pytest.mark.parametrize("name", ["meteor-1.5", "terp"])
def test_a_table_that_unpacks_to_very_much(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("nlgauge.io.files.ALWAYS_UNPACKED", 1 << 20)
    table = tmp_path / "table.gz"
    table.write_bytes(gzip.compress(b"0.5\na\nb\n" * (1 << 18)))
    with pytest.raises(DataError, match="unpacks to more than 1 MiB and 50 times its size"):
        registry.metric(name, paraphrases=str(table)).sentence_score("a", ["a"])


def test_a_table_in_several_parts_of_gzip_is_read_whole(tmp_path: Path) -> None:
    table = tmp_path / "table.gz"
    table.write_bytes(gzip.compress(b"0.5\none\ntwo\n") + gzip.compress(b"0.5\nup\ndown\n"))
    metric = registry.metric("meteor-1.5", paraphrases=str(table))
    for hyp, ref in (("two", "one"), ("down", "up")):
        assert metric.sentence_score(hyp, [ref]).value > 0, hyp


@pytest.mark.parametrize(
    ("hyp", "chunks"), [("a b c", 1), ("c a b", 2), ("x", 0), ("", 0), ("a b", 1)]
)
def test_chunks_of_a_segment_as_the_jar_prints_them(hyp: str, chunks: int) -> None:
    score = registry.metric("meteor-1.5").sentence_score(hyp, ["a b c"])
    assert score.parts["chunks"] == chunks


@pytest.mark.parametrize(
    ("language", "hyp", "ref", "expected"),
    [
        ("de", "der Hund", "die Hund", 0.225),
        ("de", "the dog", "a dog", 0.2475),
        ("de", "no", "no end", 0.20822622107969146),
        ("nl", "wij lopen naar de huizen", "wij loop naar het huis", 0.4248206982526537),
        ("nl", "de kinderen zaten", "het kind zat", 0.05),
    ],
)
def test_other_languages_as_the_jar(language: str, hyp: str, ref: str, expected: float) -> None:
    """meteor-1.5.jar -l LANGUAGE -lower -m 'exact stem': its function words are those of English,
    and its Dutch stems those that Snowball calls dutch_porter since version 3.
    """
    spec = f"meteor-1.5(language={language},modules=exact:stem,normalize=lower,function_words=en"
    task = ",task=li)" if language == "nl" else ")"
    score = registry.metric(spec + task).sentence_score(hyp, [ref])
    assert score.value == pytest.approx(expected, abs=1e-12)


def test_what_is_refused() -> None:
    for spec, message in (
        ("meteor-1.5(modules=paraphrase)", "needs a table"),
        ("meteor-1.5(language=other)", "tokenise other before"),
        ("meteor-1.5(language=cz,modules=stem)", "no stemmer"),
        ("meteor-1.5(language=fr,task=adq)", "no parameters of it for fr"),
        ("meteor-1.5(language=fr,modules=synonym)", "needs a wordnet"),
        ("meteor-1.5(weights=1:1)", "3 modules need 3 weights"),
        ("meteor-1.5(modules=exakt)", "there are exact, stem"),
        ("meteor(stages=exact:exakt)", "no stage 'exakt'"),
    ):
        with pytest.raises(SpecError, match=message):
            registry.metric(spec)
    with pytest.raises(ResourceMissing, match="check the path"):
        registry.metric("meteor-1.5(paraphrases=nowhere.gz)").sentence_score("a", ["a"])


@pytest.mark.parametrize(
    ("stages", "hyp", "ref", "links"),
    [
        ("exact:stem", "the cars stopped", "the automobile halted", 1),
        ("exact:stem:synonym", "the cars stopped", "the automobile halted", 3),
        ("exact:synonym", "geese", "goose", 1),
        ("exact:stem", "geese", "goose", 0),
        ("exact:wn_stem", "geese were", "goose is", 2),
        ("exact:wn_stem", "car", "automobile", 0),
    ],
)
def test_wordnet_stages_of_2005(stages: str, hyp: str, ref: str, links: int) -> None:
    score = registry.metric(f"meteor(stages={stages})").sentence_score(hyp, [ref])
    assert score.parts["links"] == links


TABLE = """der hund ||| the dog ||| 0.5 0.1 0.5 0.1
der hund ||| the hound ||| 0.4 0.1 0.25 0.1
der hund ||| the big dog ||| 0.4 0.1 0.2 0.1
köter ||| the hound ||| 0.5 0.1 0.4 0.1
köter ||| the dog ||| 0.2 0.1 0.5 0.1
, ||| , ||| 1 1 1 1
"""


def test_paraphrases_by_pivoting(tmp_path: Path) -> None:
    path = tmp_path / "pt.txt"
    path.write_text(TABLE, encoding="utf-8")
    table = pivot.read_phrase_table(str(path))
    found = {(p.phrase, p.other): p.probability for p in pivot.paraphrases(table, common=["the"])}
    # P(hound | dog) = .5 · .25 + .2 · .4
    assert found["the dog", "the hound"] == pytest.approx(0.205)
    assert found["the hound", "the dog"] == pytest.approx(0.4 * 0.5 + 0.5 * 0.5)
    assert (",", ",") not in found


def test_lists_of_words() -> None:
    assert pivot.function_words(["a b a", "a c"], least=0.2) == ["a"]
    pairs = [("paris is big", "paris is large")] * 5
    assert pivot.copy_words(pairs) == ["is", "paris"]


def test_build_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text, pairs = tmp_path / "text.txt", tmp_path / "pt.txt"
    pairs.write_text(TABLE, encoding="utf-8")
    text.write_text("the dog the\nhound the\n", encoding="utf-8")
    words, table = tmp_path / "f.words", tmp_path / "p.gz"
    run(capsys, "build", "function-words", str(text), "--least", "0.5", "-o", str(words))
    assert words.read_text() == "the\n"
    options = ["--phrase-table", str(pairs), "--common", str(words), "-o", str(table)]
    assert run(capsys, "build", "paraphrases", *options).endswith(": 6 paraphrases\n")
    universal = registry.metric("meteor-u", function_words=str(words), paraphrases=str(table))
    score = universal.sentence_score("the dog", ["the hound"])
    # of "the" alone and the whole phrase the search takes the phrase, whose weight is .6
    assert score.parts["precision"] == pytest.approx(0.6)
