"""WMT XML and SGML."""

import gzip

import pytest

from nlgauge.errors import DataError, NlgaugeWarning
from nlgauge.io import read_suite


@pytest.fixture
def write(tmp_path):
    def write_file(name, data):
        path = tmp_path / name
        path.write_bytes(data if isinstance(data, bytes) else data.encode())
        return str(path)

    return write_file


def segs(*texts):
    lines = (f'<seg id="{i}">{text}</seg>' for i, text in enumerate(texts, start=1))
    return "<p>\n" + "\n".join(lines) + "\n</p>"


def doc(name, *layers, attributes=""):
    return f'<doc origlang="en" id="{name}"{attributes}>\n' + "\n".join(layers) + "\n</doc>"


def src(*texts):
    return f'<src lang="en">{segs(*texts)}</src>'


def ref(translator, *texts, lang="de"):
    return f'<ref lang="{lang}" translator="{translator}">{segs(*texts)}</ref>'


def hyp(system, *texts):
    return f'<hyp system="{system}" language="de">{segs(*texts)}</hyp>'


def dataset(*docs):
    head = "<?xml version='1.0' encoding='utf-8'?>\n"
    return f'{head}<dataset id="t"><collection id="c">{"".join(docs)}</collection></dataset>'


def test_xml_with_everything(write):
    text = dataset(
        doc("d1", src("a", "b"), ref("A", "1", "2 &amp;amp; &#228;"), hyp("s", "x", "\n  y\n z ")),
        doc("d0", src("c"), ref("A", "3"), hyp("s", "")),
    )
    corpus = read_suite(write("t.xml.gz", gzip.compress(text.encode()))).systems["s"]
    assert corpus.ids == ["d1:1", "d1:2", "d0:1"]
    assert list(corpus.sources) == ["a", "b", "c"]
    assert list(corpus.references) == [["1"], ["2 &amp; ä"], ["3"]]
    assert list(corpus.hypotheses) == ["x", "y z", ""]


def test_xml_several_translators_and_systems(write):
    text = dataset(
        doc("d1", src("a"), ref("A", "1"), ref("B", "2"), hyp("s", "x"), hyp("t", "y")),
        doc("d2", src("a"), ref("B", "3"), hyp("t", "w"), hyp("s", "v")),
    )
    with pytest.warns(NlgaugeWarning, match=r"t\.xml: reference of translator 'A' .*1 of 2 doc"):
        suite = read_suite(write("t.xml", text))
    assert {name: list(c.hypotheses) for name, c in suite.systems.items()} == {
        "s": ["x", "v"],
        "t": ["y", "w"],
    }
    assert list(suite.systems["s"].references) == [["1", "2"], ["3"]]


def test_xml_systems_from_other_files(write):
    test_set = write("t.xml", dataset(doc("d", src("a", "b"), ref("A", "1", "2"))))
    submission = write("sub.xml", dataset(doc("d", src("a", "b"), hyp("mine", "x", "y"))))
    suite = read_suite(test_set, [submission, write("other.txt", "v\nw\n")])
    assert list(suite.systems) == ["mine", "other"]
    assert list(suite.systems["other"].hypotheses) == ["v", "w"]
    wrong = write("wrong.xml", dataset(doc("d", src("a", "B"), hyp("mine", "x", "y"))))
    with pytest.raises(DataError, match=r"wrong\.xml, line \d+: .*'2' differs from that in .*t\.x"):
        read_suite(test_set, wrong)


def test_xml_test_suites_are_left_out_loudly(write):
    suite = ' testsuite="ambiguity"'
    text = dataset(
        doc("d1", src("a"), ref("A", "1"), hyp("s", "x")),
        doc("d2", src("b"), hyp("s", "y"), attributes=suite),
    )
    with pytest.warns(NlgaugeWarning, match="left out 1 documents of test suites"):
        assert len(read_suite(write("t.xml", text))) == 1


@pytest.mark.parametrize(
    ("layers", "message"),
    [
        (
            [src("a", "b"), ref("A", "1"), hyp("s", "x", "y")],
            r"t\.xml: reference of translator 'A', document 'd': segment '2' is missing; add",
        ),
        (
            [src("a", "b"), ref("A", "1", "2"), hyp("s", "x")],
            r"t\.xml: system 's', document 'd': segment '2' is missing; add",
        ),
        (
            [src("a"), ref("A", "1"), hyp("s", "x", "y")],
            r"system 's', document 'd': segment '2' is not in the source",
        ),
        (
            [src("a"), ref("A", "1"), ref("A", "2"), hyp("s", "x")],
            r"t\.xml, line 10: .*'A', document 'd': segment '1' is there twice",
        ),
        (
            [src("a"), ref("A", ""), ref("A", ""), hyp("s", "x")],
            r"segment '1' is there twice",
        ),
        ([src("a"), ref("A", "1"), ref("B", "2", lang="fr")], r"several languages \(de, fr\)"),
        ([src("a"), ref("A", "1")], r"t\.xml: there are no hypotheses"),
        ([src("a"), hyp("s", "x &")], r"t\.xml, line 7, column \d+: not well-formed .*&amp;"),
        (["<src><seg>a</seg></src>"], r"t\.xml, line 3: <seg> has no attribute 'id'"),
        (['<seg id="1">a</seg>'], r"t\.xml, line 3: <seg> must be in src, ref or hyp"),
        (['<hyp lang="de"/>'], r"t\.xml, line 3: <hyp> has no attribute 'system'"),
        ([], r"t\.xml: there are no segments"),
    ],
)
def test_wrong_xml(write, layers, message):
    with pytest.raises(DataError, match=message):
        read_suite(write("t.xml", dataset(doc("d", *layers))))


def test_xml_documents_must_match(write):
    whole = doc("d1", src("a"), ref("A", "1"), hyp("s", "x"))
    with pytest.raises(DataError, match=r"system 's': document 'd2' is missing, with segment '1'"):
        read_suite(write("t.xml", dataset(whole, doc("d2", src("a"), ref("A", "1")))))
    with pytest.raises(DataError, match=r"document 'd2' has no reference, others have"):
        read_suite(write("t.xml", dataset(whole, doc("d2", src("a"), hyp("s", "1")))))
    with pytest.raises(
        DataError, match=r"system 's' has document 'd2', which is not in the source"
    ):
        read_suite(write("t.xml", dataset(whole, doc("d2", hyp("s", "1")))))


def test_xml_entities_are_refused(write):
    bomb = '<!DOCTYPE d [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>\n<dataset>&b;</dataset>'
    with pytest.raises(DataError, match=r"t\.xml, line 1: DOCTYPE and entities are refused"):
        read_suite(write("t.xml", bomb))


REFSET = """<refset setid="t" srclang="any" trglang="de">
<doc sysid="ref" docid="d1" genre="news" origlang="en">
<p>
<seg id="1"> Katz & Maus &amp;lt; &#228;&#xDF; </seg>
<seg id="2">a < b</seg>
</p>
</doc>
<DOC sysid='ref' docid='d2'>
<hl>
<SEG ID=1>drei
 Zeilen</SEG>
</hl>
</DOC>
</refset>
"""
TSTSET = """<tstset trglang="de" setid="t" srclang="any">
<doc sysid="mine" docid="d2"><seg id="1">z</seg></doc>
<doc sysid="mine" docid="d1"><seg id="2">y</seg><seg id="1">x</seg></doc>
</tstset>
"""
SRCSET = REFSET.replace("refset", "srcset")


def test_sgml(write):
    refs = [write("a.sgm", REFSET), write("b.sgm", REFSET.replace("drei", "vier"))]
    suite = read_suite(
        refs,
        [write("s.sgm", TSTSET), write("text.de", "1\n2\n3\n")],
        sources=write("src.sgm", SRCSET),
    )
    assert list(suite.systems) == ["mine", "text"]
    corpus = suite.systems["mine"]
    assert corpus.ids == ["d1:1", "d1:2", "d2:1"]
    assert list(corpus.hypotheses) == ["x", "y", "z"]
    assert list(corpus.references) == [
        ["Katz & Maus &lt; äß"] * 2,
        ["a < b"] * 2,
        ["drei Zeilen", "vier Zeilen"],
    ]
    assert list(corpus.sources) == ["Katz & Maus &lt; äß", "a < b", "drei Zeilen"]


def test_sgml_several_references_in_one_file(write):
    text = (
        '<refset><doc docid="d" refid="A"><seg id="1">a</seg></doc>'
        '<doc docid="d" refid="B"><seg id="1">b</seg></doc></refset>'
    )
    suite = read_suite(write("r.sgm", text), write("s", "x\n"), sources=write("src.txt", "q\n"))
    assert list(suite.systems["s"].references) == [["a", "b"]]
    assert list(suite.systems["s"].sources) == ["q"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (TSTSET, r"r\.sgm, line 1: <tstset>, expected <refset>"),
        ("<refset>\n<seg id=1>a</seg>", r"r\.sgm, line 2: <seg> outside of a <doc>"),
        (
            "<doc docid=d>\n<seg id=1>a\n<seg id=2>b</seg>",
            r"r\.sgm, line 2: <seg id='1'> is not cl",
        ),
        ("<doc docid=d>\n<seg id=1>a", r"r\.sgm, line 2: <seg id='1'> is not closed; add </seg>"),
        ("<doc docid=d>\n<seg id=1>a</seg></seg>", r"r\.sgm, line 2: </seg> without <seg>"),
        ("<doc docid=d>\n<seg>a</seg>", r"r\.sgm, line 2: <seg> has no attribute 'id'"),
        ("<doc>\n<seg id=1>a</seg>", r"r\.sgm, line 2: <doc> has no attribute 'docid'"),
        ("<doc docid=d>\n\n<seg id=1>&#xD800;</seg>", r"line 3: &#xD800; stands for no character"),
        ("<doc docid=d><seg id=1>a</seg>\n<seg id=1>a</seg>", r"line 2: .*'1' is there twice"),
        ("just text\n", r"r\.sgm: there is no <seg>, so this is no refset"),
    ],
)
def test_wrong_sgml(write, text, message):
    with pytest.raises(DataError, match=message):
        read_suite(write("r.sgm", text), write("s.sgm", TSTSET))


def test_sgml_systems_must_match(write):
    ref_file = write("r.sgm", REFSET)
    cut = TSTSET.replace('<seg id="1">x</seg>', "")
    with pytest.raises(
        DataError, match=r"s\.sgm: system 'mine', document 'd1': segment '1' is mis"
    ):
        read_suite(ref_file, write("s.sgm", cut))
    with pytest.raises(DataError, match=r"t\.sgm: system 'mine' is in .*s\.sgm as well; change"):
        read_suite(ref_file, [write("s.sgm", TSTSET), write("t.sgm", TSTSET)])
    with pytest.raises(DataError, match=r"t\.txt has 2 lines, .*r\.sgm has 3 segments"):
        read_suite(ref_file, write("t.txt", "1\n2\n"))
