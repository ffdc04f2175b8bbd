"""Where parses come from: files, spaCy, the store; and what becomes of odd texts."""

import io
from pathlib import Path

import pytest
from hypothesis import assume, given
from support.command_line import run
from support.golden_files import GOLDEN
from support.strategies import odd_texts

from nlgauge import Corpus, DataError, ResourceMissing, RunContext, Suite, score
from nlgauge.core import registry
from nlgauge.data.parses import Chain, Parse, glued
from nlgauge.io.annotations.brackets import read_trees
from nlgauge.io.annotations.conllu import read_conllu, write_conllu
from nlgauge.models.cache.analysis_stores import ParseStore, store_of
from nlgauge.models.syntax import parsers, spacy_parser
from nlgauge.models.syntax.heads import dependencies
from nlgauge.models.syntax.parsers import find_parser
from nlgauge.run.doctor import examine

FILE = """\
# newdoc
# sent_id = 1
# text = Vámonos al mar.
1-2\tVámonos\t_\t_\t_\t_\t_\t_\t_\t_
1\tVamos\tir\tVERB\tV\t_\t0\troot\t_\t_
2\tnos\tnosotros\tPRON\tP\t_\t1\tobj\t_\t_
3-4\tal\t_\t_\t_\t_\t_\t_\t_\t_
3\ta\ta\tADP\tA\t_\t5\tcase\t_\t_
4\tel\tel\tDET\tD\t_\t5\tdet\t_\t_
4.1\tgran\tgrande\tADJ\tA\t_\t_\t_\t5:amod\t_
5\tmar\tmar\tNOUN\tN\t_\t1\tobl\t_\tSpaceAfter=No
6\t.\t.\tPUNCT\tF\t_\t1\tpunct\t_\t_

1\tAna\t_\tPROPN\t_\t_\t2\tnsubj\t_\tNE=B-PER
2\tviene\t_\tVERB\t_\t_\t0\troot\t_\t_
"""


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "parses.conllu"
    path.write_text(FILE, encoding="utf-8")
    return str(path)


def test_reading_conllu(file: str) -> None:
    first, second = read_conllu(file)
    assert first.glued == "Vámonosalmar."
    assert first.parse.words == ("Vamos", "nos", "a", "el", "mar", ".")
    assert first.parse.heads == (0, 1, 5, 5, 1, 1)
    assert first.parse.relations[4] == "obl"
    assert second.glued == "Anaviene"
    assert second.parse.lemmas == ("Ana", "viene")
    assert second.parse.entities == ((0, 1, "PER"),)


def test_texts_are_found_white_space_aside(file: str) -> None:
    parser = find_parser(file)
    one, other = (s.parse for s in read_conllu(file))
    found = parser.parse(["Vámonos  al mar .", "Ana viene", "Vámonos al mar. Ana viene", "", " \n"])
    assert found == [[one], [other], [one, other], [], []]
    assert parser.words(["Ana viene", "no está"]) == [["Ana", "viene"], ["no", "está"]]
    with pytest.raises(DataError, match="has no parse of 'Ana no viene'"):
        parser.parse(["Ana no viene"])


@pytest.mark.parametrize(
    ("line", "replacement", "message"),
    [
        (5, "1\tVamos\tir", "line 5: 3 columns, expected 10"),
        (5, "7\tVamos\tir\tVERB\tV\t_\t0\troot\t_\t_", "line 5: ID 7, expected 1"),
        (5, "1\tVamos\tir\tVERB\tV\t_\t_\troot\t_\t_", "line 5: HEAD is '_'"),
        (5, "1\tVamos\tir\tVERB\tV\t_\t9\troot\t_\t_", "line 5: HEAD 9, but the sentence has 6"),
        (5, "1\tVamos\tir\tVERB\tV\t_\t2\troot\t_\t_", "line 5: word 1 depends on itself"),
        (4, "1-3\tV\t_\t_\t_\t_\t_\t_\t_\t_", "line 7: multi-word token 3-4 after word 3"),
        (7, "3-9\tV\t_\t_\t_\t_\t_\t_\t_\t_", "goes up to word 9"),
        (7, "2-3\tal\t_\t_\t_\t_\t_\t_\t_\t_", "line 7: multi-word token 2-3 after word 2"),
    ],
)
def test_errors_name_the_line(tmp_path: Path, line: int, replacement: str, message: str) -> None:
    lines = FILE.split("\n")
    lines[line - 1] = replacement
    path = tmp_path / "bad.conllu"
    path.write_text("\n".join(lines), encoding="utf-8")
    with pytest.raises(DataError, match=message) as error:
        read_conllu(str(path))
    assert "bad.conllu" in str(error.value)


def test_a_folder_of_files(tmp_path: Path, file: str) -> None:
    (tmp_path / "more.conllu").write_text("1\thi\t_\t_\t_\t_\t0\troot\t_\t_\n", encoding="utf-8")
    assert [len(p) for p in find_parser(str(tmp_path)).parse(["hi", "Ana viene"])] == [1, 1]
    (tmp_path / "empty").mkdir()
    with pytest.raises(ResourceMissing, match=r"the folder has no \.conllu"):
        find_parser(str(tmp_path / "empty"))
    with pytest.raises(ResourceMissing, match="No such file"):
        find_parser(file + "x.conllu")


def test_a_changed_file_is_read_again(file: str) -> None:
    before = registry.metric("hwcm", parser=file).signature()
    Path(file).write_text(FILE.replace("viene", "vino"), encoding="utf-8")
    assert find_parser(file).parse(["Ana vino"])[0][0].words == ("Ana", "vino")
    assert registry.metric("hwcm", parser=file).signature() != before


@given(odd_texts())
def test_what_is_written_is_read(tmp_path_factory, text: str) -> None:
    assume(text.strip() and text.isprintable())  # halves of surrogate pairs cannot be written
    (parses,) = Chain().parse([text])
    out = io.StringIO()
    write_conllu(out, parses)
    path = tmp_path_factory.mktemp("written") / "a.conllu"
    path.write_text(out.getvalue(), encoding="utf-8")
    (again,) = read_conllu(str(path))
    assert again.parse == parses[0]
    assert again.glued == glued(text)


TREES = """
( (S
    (NP-SBJ-1 (NNP Ms.) (NNP Haag))
    (VP (VBZ plays)
      (S (NP (-NONE- *-1))
        (NP (`` ``) (NNP Elianti) (CC and) (NNP X) ('' '') (-LRB- -LRB-) (CD 2) (-RRB- -RRB-))))
    (. .)))
(FRAG (UH hi))
"""


def test_bracketed_trees(tmp_path: Path) -> None:
    path = tmp_path / "trees.mrg"
    path.write_text(TREES, encoding="utf-8")
    parser = find_parser(str(path))
    ((first,), (second,)) = parser.parse(['Ms. Haag plays "Elianti and X" (2).', "hi"])
    assert first.words[3:8] == ('"', "Elianti", "and", "X", '"')
    assert first.fine_tags[-1] == "."
    assert first.tags[:3] == ("PROPN", "PROPN", "VERB")
    #                      Ms. Haag plays " Elianti and X " ( 2 ) .
    assert first.heads == (2, 3, 0, 5, 3, 5, 5, 5, 5, 5, 5, 3)
    assert first.relations[:5] == ("NNP", "NP", "root", "``", "S")
    assert second.heads == (0,)


def test_heads_of_constituents() -> None:
    """The dependencies that the golden trees come with."""
    folder = GOLDEN / "corpora"
    given = {s.glued: s.parse for s in read_conllu(str(folder / "trees.conllu"))}
    trees = read_trees(str(folder / "trees.mrg"))
    assert len(trees) == len(given) == 50
    for parse in map(dependencies, trees):
        expected = given["".join(parse.words)]
        assert (parse.words, parse.heads) == (expected.words, expected.heads)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("(S (NN a))\n)", "line 2: '\\)' closes no bracket"),
        ("(S\n(NN a)", "line 1: a bracket is not closed"),
        ("a (S)", "line 1: 'a' stands outside of brackets"),
        ("(S ()\n)", "line 1: a bracket has neither word nor constituents"),
        ("(NN a b)", "line 1: 'b' is one word too many"),
    ],
)
def test_errors_in_brackets_name_the_line(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "bad.mrg"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(DataError, match=message):
        read_trees(str(path))


def test_very_deep_trees(tmp_path: Path) -> None:
    path = tmp_path / "deep.mrg"
    path.write_text("(S (RB very) " * 20_000 + "(NN deep)" + ")" * 20_000, encoding="utf-8")
    (parse,) = map(dependencies, read_trees(str(path)))
    assert len(parse) == 20_001


class Counting(Chain):
    """Remembers what it was asked to parse."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def parse(self, texts, *, processes: int = 1) -> list[list[Parse]]:
        self.asked += texts
        return super().parse(texts, processes=processes)


def test_every_text_is_parsed_once() -> None:
    parser = Counting()
    store = ParseStore(parser)
    store.parses(["a b", "c", "a b"])
    store.parses(["c", "d", ""])
    assert parser.asked == ["a b", "c", "d", ""]
    assert store.words(["a b", "e f"]) == [["a", "b"], ["e", "f"]]
    assert parser.asked == ["a b", "c", "d", ""]


def test_metrics_and_systems_share_the_parses() -> None:
    suite = Suite.build({"one": ["a b"], "two": ["b a"]}, ["a b"])
    stores = {id(store_of(corpus, "chain")) for corpus in suite}
    assert len(stores) == 1


def test_parses_on_disk(tmp_path: Path) -> None:
    parser = Counting()
    texts = ["a b", "", "\ud800 é", "x\0y"]
    first = ParseStore(parser, str(tmp_path / "cache")).parses(texts)
    assert ParseStore(parser, str(tmp_path / "cache")).parses(texts) == first
    assert parser.asked == texts
    (path,) = (tmp_path / "cache").iterdir()
    path.write_bytes(b"no such thing" * 100)
    with pytest.raises(DataError, match="delete the file"):
        ParseStore(parser, str(tmp_path / "cache"))


def test_a_folder_for_a_run(tmp_path: Path) -> None:
    corpus = Corpus.build(["a b"], ["a b"]).within(RunContext(parse_cache=str(tmp_path)))
    assert registry.metric("hwcm(parser=chain,order=2)").evaluate(corpus).value == 1
    assert list(tmp_path.glob("*.parses"))


def test_without_spacy(monkeypatch, capsys) -> None:
    monkeypatch.setattr(spacy_parser, "find_spec", lambda _: None)
    parsers._named.cache_clear()
    with pytest.raises(ResourceMissing, match="run: nlgauge fetch syntax"):
        score(["a b"], ["a b"], metrics=["hwcm"])
    table = score(["a b"], ["a b"], metrics=["bleu", "all-syntax"])
    members = registry.members("all-syntax")
    with_parser = {name for name in members if "parser" in vars(registry.metric(name))}
    assert "hwcm" in with_parser and with_parser <= set(table.left_out)
    assert "nlgauge fetch syntax" in table.left_out["hwcm"]
    assert score(["a"], ["a"], metrics=["hwcm(parser=chain)"])["system", "hwcm(parser=chain)"]
    assert examine()["metrics"]["dep-f"] == "nlgauge fetch syntax"
    assert "nlgauge fetch syntax" in run(capsys, "metrics", "hwcm")
    with pytest.raises(ResourceMissing, match="parser=de_core_news_sm: no pipeline of spaCy"):
        find_parser("de_core_news_sm")


def test_commands(tmp_path: Path, capsys, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("ref.txt").write_text("a b c\nd\n", encoding="utf-8")
    Path("sys.txt").write_text("a b\nd e\n", encoding="utf-8")
    files = ("ref.txt", "-i", "sys.txt")
    run(capsys, "parse", *files, "--parser", "chain", "-o", "parses.conllu.gz")
    bare = ("score", *files, "-m", "hwcm", "dep-f", "-b", "--parser")
    expected = run(capsys, *bare, "chain", "--parse-cache", "cache")
    assert run(capsys, *bare, "parses.conllu.gz") == expected
    assert run(capsys, *bare, "chain", "--parse-cache", "cache") == expected
    assert list(Path("cache").iterdir())
