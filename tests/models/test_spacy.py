"""spaCy's English pipeline, where it is installed."""

import signal
import sys
import time

import pytest
from support.command_line import run

from nlgauge import Corpus, NlgaugeWarning, score
from nlgauge.core import registry
from nlgauge.data.parses import glued
from nlgauge.models.cache.analysis_stores import ParseStore, store_of
from nlgauge.models.syntax import spacy_parser
from nlgauge.models.syntax.parsers import find_parser
from nlgauge.models.syntax.spacy_parser import ENGLISH, ENGLISH_WEIGHTS, LONGEST, SpacyParser

pytest.importorskip("spacy")


@pytest.fixture(scope="module")
def english() -> SpacyParser:
    return find_parser("en")


def test_a_sentence(english: SpacyParser) -> None:
    (sentences,) = english.parse(["A man is riding  a horse\nin New York. He smiles."])
    first, second = sentences
    assert first.words == ("A", "man", "is", "riding", "a", "horse", "in", "New", "York", ".")
    assert first.lemmas[5] == "horse"
    assert first.tags[:2] == ("DET", "NOUN")
    assert first.fine_tags[:2] == ("DT", "NN")
    assert first.heads[:4] == (2, 4, 4, 0)
    assert first.relations[1] == "nsubj"
    assert first.relations[3] == "root"
    assert first.entities == ()
    assert second.words == ("He", "smiles", ".")


def test_entities(tmp_path) -> None:
    parser = find_parser("en", entities=True)
    store = ParseStore(parser, str(tmp_path / "cache"))
    (sentences,) = store.parses(["He lives in New York with Mary."])
    assert sentences[0].entities == ((3, 5, "GPE"), (6, 7, "PERSON"))
    assert ParseStore(parser, str(tmp_path / "cache")).parses(
        ["He lives in New York with Mary."]
    ) == [sentences]
    store.export(str(tmp_path / "parses.conllu"))
    (again,) = find_parser(str(tmp_path / "parses.conllu")).parse(
        ["He lives in New York with Mary."]
    )
    assert again == sentences


def test_the_signature_names_the_weights(english: SpacyParser) -> None:
    assert english.package in ENGLISH
    found = registry.metric("hwcm").signature()
    assert f"|with.parser:{english.package}-" in found
    assert " spacy-3." in found
    assert registry.metric(found) == registry.metric("hwcm")
    release = english.name.split()[0].removeprefix(f"{english.package}-")
    assert ENGLISH_WEIGHTS.get(release, english.name.split()[1]) == english.name.split()[1]


@pytest.mark.parametrize(
    "text",
    [
        "",
        " \n",
        "\x00",
        "a\x00b c",
        "😀 👨\u200d👩",
        "\u0301",
        "\u2028",
        "\x1c a \x85 b",
        "א ב",
        "東京の夜",
    ],
)
def test_odd_texts(english: SpacyParser, text: str) -> None:
    (sentences,) = english.parse([text])
    words = [word for parse in sentences for word in parse.words]
    assert "".join(words) == glued(text)
    assert english.words([text]) == [words]
    for parse in sentences:
        assert parse.heads.count(0) >= 1
        assert all(0 <= head <= len(parse) for head in parse.heads)


def test_what_cannot_be_parsed_is_parsed_otherwise_with_a_warning(
    english: SpacyParser, monkeypatch
) -> None:
    with pytest.warns(NlgaugeWarning, match="1 texts hold halves of surrogate pairs"):
        assert english.parse(["\ud800 a"])[0][0].words[-1] == "a"
    with pytest.warns(NlgaugeWarning, match="1 further pieces"):
        assert len(english.words(["x" * LONGEST + "y"])[0]) == 2
        (sentences,) = english.parse(["x" * LONGEST + "y"])
    assert glued("".join(w for p in sentences for w in p.words)) == "x" * LONGEST + "y"

    broken = SpacyParser("en")
    # No pipeline at all: the message is Python's own.
    monkeypatch.setitem(broken.__dict__, "_pipeline", None)
    with pytest.warns(NlgaugeWarning, match=r"cannot parse 'a b' .*: taken as a chain"):
        assert broken.parse(["a b"])[0][0].heads == (0, 1)


def test_processes_change_nothing(english: SpacyParser, monkeypatch) -> None:
    monkeypatch.setattr(spacy_parser, "WORTH_A_PROCESS", 1)
    nouns = ("cat", "dog", "house", "train", "river", "king", "book")
    texts = [
        f"The {nouns[i % 7]} near a {nouns[i * i % 5]} saw {i} {nouns[i % 3]}s." for i in range(130)
    ]
    one = english.parse(texts)
    assert english.parse(texts, processes=2) == one
    assert [english.parse([text])[0] for text in texts[:20]] == one[:20]


@pytest.mark.skipif(sys.platform != "linux", reason="where processes are forked")
def test_ctrl_c_does_not_wait_for_other_processes(english: SpacyParser, monkeypatch) -> None:
    class Slow:
        def pipe(self, texts: list[str]) -> list[str]:
            time.sleep(20)
            return texts

    monkeypatch.setattr(spacy_parser, "BATCH", 2)
    monkeypatch.setitem(english.__dict__, "_pipeline", Slow())

    def ask(*_: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, ask)
    signal.setitimer(signal.ITIMER_REAL, 1)
    began = time.monotonic()
    try:
        with pytest.raises(KeyboardInterrupt):
            english.parse(["A text."] * 40, processes=2)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert time.monotonic() - began < 15


def test_exported_parses_give_the_same_scores(tmp_path, english: SpacyParser) -> None:
    hyps = ["The cat sat on a mat. It was happy!", "Mr. Smith doesn't  like it."]
    refs = ["A cat sat on the mat. It is happy.", "Smith did not like that."]
    store = ParseStore(english)
    store.parses([*hyps, *refs])
    path = str(tmp_path / "parses.conllu")
    store.export(path)
    for name in registry.members("all-syntax"):
        if "parser" not in vars(registry.metric(name)):
            continue  # constituents come from elsewhere
        table = score(hyps, refs, metrics=[name])
        again = registry.metric(name, parser=path).evaluate(Corpus.build(hyps, refs))
        assert again.value == table["system", name].value, name
        assert 0 < table["system", name].value < 1 or name in ("ua", "qla", "spider")


def test_texts_are_parsed_once_for_all_metrics() -> None:
    hyps, refs = ["A cat.", "A dog."], ["The cat.", "The dog."]
    corpus = Corpus.build(hyps, refs)
    store = store_of(corpus, "en")
    store.parser, parser = None, store.parser
    store._known = {text: parser.parse([text])[0] for text in (*hyps, *refs)}
    for name in registry.members("all-syntax"):
        registry.metric(name).evaluate(corpus)


def test_the_group_runs(capsys, tmp_path) -> None:
    ref, out = tmp_path / "ref.txt", tmp_path / "out.txt"
    ref.write_text("A cat sat.\nA dog ran.\n", encoding="utf-8")
    out.write_text("A cat sat.\nA dog runs.\n", encoding="utf-8")
    assert "dep-f" in run(capsys, "score", str(ref), "-i", str(out), "-m", "all-syntax")
