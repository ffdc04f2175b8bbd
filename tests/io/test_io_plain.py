"""Plain text files, and what is common to all readers: names, stdin, gzip, encodings."""

import gzip
import io
import subprocess
import sys
import tracemalloc

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from nlgauge.errors import DataError, NlgaugeWarning, SpecError
from nlgauge.io import FORMATS, guess_format, read_suite
from nlgauge.io.texts.systems import system_names


@pytest.fixture
def write(tmp_path):
    def write_file(name, data):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data if isinstance(data, bytes) else data.encode())
        return str(path)

    return write_file


class Stdin:
    def __init__(self, data):
        self.buffer = io.BytesIO(data)


def test_one_reference_one_system(write):
    suite = read_suite(write("ref.de", "ein Satz\n\nnoch einer"), write("sys.txt", "a\nb\nc\n"))
    assert list(suite.systems) == ["sys"]
    corpus = suite.systems["sys"]
    assert list(corpus.hypotheses) == ["a", "b", "c"]
    assert list(corpus.references) == [["ein Satz"], [""], ["noch einer"]]
    assert corpus.sources is None


def test_several_references_sources_and_systems_in_the_given_order(write):
    refs = [write("r1", "1a\n2a"), write("r2", "1b\n2b\n"), write("r3", "1c\n2c")]
    systems = [write("z.txt", "z1\nz2\n"), write("a.txt.gz", gzip.compress(b"a1\na2\n"))]
    suite = read_suite(refs, systems, sources=write("src", "s1\ns2\n"))
    assert list(suite.systems) == ["z", "a"]
    assert list(suite.systems["a"].hypotheses) == ["a1", "a2"]
    for corpus in suite:
        assert list(corpus.references) == [["1a", "1b", "1c"], ["2a", "2b", "2c"]]
        assert list(corpus.sources) == ["s1", "s2"]


def test_only_line_feeds_end_lines(write):
    text = "a\u2028b\u0085c\x0bd\re"
    assert list(read_suite([], write("s", text)).systems["s"].hypotheses) == [text]


def test_stdin_is_the_default_system(write, monkeypatch):
    monkeypatch.setattr(sys, "stdin", Stdin(b"eins\nzwei\n"))
    suite = read_suite([write("ref", "a\nb\n")])
    assert list(suite.systems["stdin"].hypotheses) == ["eins", "zwei"]


def test_num_refs_splits_on_tabs(write):
    suite = read_suite(write("r.tsv", "a\tb\nc\t\n"), write("s", "x\ny\n"), num_refs=2)
    assert list(suite.systems["s"].references) == [["a", "b"], ["c", ""]]
    refs = [write("r1", "a\tb\nc\td"), write("r2", "e\tf\ng\th")]
    suite = read_suite(refs, write("s", "x\ny\n"), num_refs=2)
    assert list(suite.systems["s"].references) == [list("abef"), list("cdgh")]


def test_num_refs_wrong_number_of_fields(write):
    with pytest.raises(DataError, match=r"r\.txt, line 2: 3 references .*num_refs=2"):
        read_suite(write("r.txt", "a\tb\nc\td\te\n"), write("s", "x\ny\n"), num_refs=2)
    with pytest.raises(SpecError, match=r"num_refs=0.*at least 1"):
        read_suite(write("r.txt", "a"), write("s", "x"), num_refs=0)
    with pytest.raises(SpecError, match="num_refs=2 is only for plain"):
        read_suite(write("r.jsonl", "{}"), format="jsonl", num_refs=2)


def test_invalid_utf8_names_line_offset_and_remedy(write):
    path = write("latin.txt", b"ok\n\xc3\xa4h\nstra\xdfe\n")
    with pytest.raises(
        DataError, match=r"latin\.txt, line 3: byte 0xdf at offset 11 .*cp1252 or latin-1"
    ):
        read_suite(path, write("s", "1\n2\n3\n"))
    suite = read_suite(write("l", b"stra\xdfe\n"), write("s", b"gr\xfcn\n"), encoding="latin-1")
    assert suite.systems["s"].references[0] == ["straße"]
    assert suite.systems["s"].hypotheses[0] == "grün"


def test_other_encodings_are_checked_too(write):
    with pytest.raises(DataError, match=r"r, line 2: the byte at offset 2 .*not valid ascii"):
        read_suite(write("r", b"a\n\xff\n"), write("s", "1\n2\n"), encoding="ascii")
    with pytest.raises(SpecError, match=r"encoding='utf-9' is not known.*utf-8"):
        read_suite(write("r", "a"), write("s", "a"), encoding="utf-9")


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"\xef\xbb\xbfa\nb\n", r"ref\.txt: starts with a UTF-8 byte order mark"),
        (b"a\r\nb\r\n", r"ref\.txt: 2 lines end in CRLF"),
    ],
)
def test_repairs_are_never_silent(write, data, message):
    with pytest.warns(NlgaugeWarning, match=message):
        suite = read_suite(write("ref.txt", data), write("s", "x\ny\n"))
    assert list(suite.systems["s"].references) == [["a"], ["b"]]


def test_files_that_cannot_be_read(write, tmp_path):
    system = write("s", "x\n")
    with pytest.raises(DataError, match=r"nowhere\.txt: no such file; check"):
        read_suite(str(tmp_path / "nowhere.txt"), system)
    with pytest.raises(DataError, match=r"is a folder, expected a file; name"):
        read_suite(str(tmp_path), system, format="plain")
    with pytest.raises(DataError, match=r"empty\.txt: is empty; check"):
        read_suite(write("empty.txt", b""), system)
    with (
        pytest.raises(DataError, match=r"bom: holds a byte order mark and no text"),
        pytest.warns(),
    ):
        read_suite(write("bom", b"\xef\xbb\xbf"), system)
    with pytest.raises(DataError, match=r"fake\.gz: is not a whole gzip file.*rename"):
        read_suite(write("fake.gz", "text\n"), system)
    with pytest.raises(DataError, match=r"cut\.gz: is not a whole gzip file"):
        read_suite(write("cut.gz", gzip.compress(b"text\n" * 100)[:-12]), system)
    with pytest.raises(DataError, match=r"packed: is compressed with gzip; rename"):
        read_suite(write("packed", gzip.compress(b"text\n")), system)


def test_unequal_line_counts_name_every_file(write):
    refs = [write("r1", "a\nb\n"), write("r2", "a\nb\nc\n")]
    with pytest.raises(DataError, match=r"r1: 2, .*r2: 3, .*src: 2, .*s1: 2, .*s2: 1\); all need"):
        read_suite(refs, [write("s1", "a\nb"), write("s2", "a")], sources=write("src", "a\nb"))


def test_identical_references_are_reported(write):
    refs = [write("r1", "a\n"), write("r2", "b\n"), write("r3", "a\n")]
    with pytest.warns(NlgaugeWarning, match=r"references .*r1 and .*r3 are identical"):
        read_suite(refs, write("s", "x"))


@pytest.mark.parametrize(
    ("paths", "names"),
    [
        (["out/a.txt", "out/b.de.gz", "-"], ["a", "b", "stdin"]),
        (["x/out.txt", "y/out.txt", "z/c.txt"], ["x/out", "y/out", "c"]),
        (["1/x/out.txt", "2/x/out.txt"], ["1/x/out", "2/x/out"]),
        (["out.txt", "x/out.txt"], ["out", "x/out"]),
        (["x/out.de", "x/out.fr"], ["x/out.de", "x/out.fr"]),
        (["out.de", "out.fr", "out.de.txt"], ["out.de", "out.fr", "out.de.txt"]),
    ],
)
def test_system_names(paths, names):
    assert system_names(paths) == dict(zip(names, paths, strict=True))


def test_same_system_twice(write, tmp_path):
    path = write("s", "x\n")
    link = tmp_path / "link"
    link.symlink_to(path)
    with pytest.raises(DataError, match=r"systems .*s and .*link are the same file"):
        read_suite(write("r", "x\n"), [path, link])
    with pytest.raises(DataError, match="stdin can be read only once"):
        read_suite("-")
    with pytest.raises(DataError, match=r"systems=\[\]: no hypothesis file"):
        read_suite(path, [])


def test_formats_are_guessed(tmp_path):
    expected = {
        "ref.txt": "plain",
        "newstest.de": "plain",
        "-": "plain",
        "a.TSV": "tsv",
        "a.csv.gz": "csv",
        "a.jsonl": "jsonl",
        "a.ndjson.gz": "jsonl",
        "a.parquet": "parquet",
        "a.en-de.xml": "wmt-xml",
        "a.sgm": "sgml",
        "a.sgml": "sgml",
        "a.json": "coco",
        "a.xlsx": "xlsx",
    }
    array, entries = tmp_path / "b.json", tmp_path / "b.xml"
    array.write_text(' [{"hypothesis": "x"}]', encoding="utf-8")
    entries.write_text('<?xml version="1.0"?>\n<benchmark>', encoding="utf-8")
    texts = tmp_path / "c.json"
    texts.write_text('[["x", "y"]]', encoding="utf-8")
    expected |= {str(array): "json", str(entries): "webnlg", str(texts): "json-texts"}
    assert {name: guess_format([name]) for name in expected} == expected
    assert guess_format([tmp_path, "en-de"]) == "mtme"
    assert guess_format([]) == "plain"
    named = {"mtme", "dialogue-json", "parlai"}  # never guessed
    assert set(FORMATS) == {*expected.values(), *named}
    with pytest.raises(DataError, match=r"a\.txt: plain, b\.tsv: tsv\); give format="):
        guess_format(["a.txt", "b.tsv"])
    with pytest.raises(SpecError, match=r"format='xls' is not known; choose one of: plain, tsv"):
        read_suite(["a.xls"], format="xls")


def test_import_is_light():
    code = (
        "import sys, nlgauge.data.corpus; before = set(sys.modules); import nlgauge.io;"
        "new = {m for m in set(sys.modules) - before if not m.startswith('nlgauge')};"
        "assert not {m.split('.')[0] for m in new} - set(sys.stdlib_module_names), new;"
        "assert 'nlgauge.io.texts.plain' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_no_str_per_line_is_kept(write):
    line = b"a line of about fifty bytes, as sentences often are\n"
    refs = [write("r1", b"1" + line * 40_000), write("r2", b"2" + line * 40_000)]
    system = write("s", line * 40_000)
    size = 3 * len(line) * 40_000
    tracemalloc.start()  # counts what Python allocates; `Texts` hold one more copy outside of it
    try:
        read_suite(refs, system)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 1.7 * size


LINES = st.lists(
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\n\r")), min_size=1
)


@settings(max_examples=60)
@given(lines=LINES, refs=st.integers(1, 3))
def test_lines_come_back(tmp_path_factory, lines, refs):
    folder = tmp_path_factory.mktemp("plain")
    text = "".join(line + "\n" for line in lines).encode()
    assume(not text.startswith(b"\xef\xbb\xbf"))
    paths = []
    for k in range(refs):
        paths.append(folder / f"r{k}")
        paths[-1].write_bytes("".join(f"{k}{line}\n" for line in lines).encode())
    (folder / "s").write_bytes(text)
    corpus = read_suite(paths, folder / "s").systems["s"]
    assert list(corpus.hypotheses) == lines
    assert list(corpus.references) == [[f"{k}{line}" for k in range(refs)] for line in lines]
