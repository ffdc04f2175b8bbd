"""COCO captions and folders of mt-metrics-eval."""

import json

import pytest

from nlgauge.errors import DataError, NlgaugeWarning
from nlgauge.io import read_suite

ANNOTATIONS = {
    "images": [{"id": 3}, {"id": 1}],
    "annotations": [
        {"id": 10, "image_id": 3, "caption": "a cat"},
        {"id": 11, "image_id": 1, "caption": "a dog"},
        {"id": 12, "image_id": 3, "caption": "the cat\n"},
    ],
}


@pytest.fixture
def write(tmp_path):
    def write_file(name, data):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(data if isinstance(data, str) else json.dumps(data))
        return str(path)

    return write_file


def results(**captions):
    return [{"image_id": int(key[1:]), "caption": text} for key, text in captions.items()]


def test_coco(write):
    systems = [write("s.json", results(i1="x", i3="y")), write("t.json", results(i3="w", i1="v"))]
    suite = read_suite(write("ann.json", ANNOTATIONS), systems)
    assert {name: list(c.hypotheses) for name, c in suite.systems.items()} == {
        "s": ["y", "x"],
        "t": ["w", "v"],
    }
    assert suite.systems["s"].ids == ["3", "1"]
    assert list(suite.systems["s"].references) == [["a cat", "the cat\n"], ["a dog"]]


def test_coco_subset_is_reported(write):
    with pytest.warns(NlgaugeWarning, match=r"ann\.json: 1 of 2 images have no result.*are 3"):
        suite = read_suite(write("ann.json", ANNOTATIONS), write("s.json", results(i1="x")))
    assert suite.systems["s"].ids == ["1"]


@pytest.mark.parametrize(
    ("found", "message"),
    [
        (results(i1="x", i7="y"), r"s\.json: 1 images have no annotation in .*ann\.json.*are 7"),
        (results(i1="x") * 2, r"s\.json: image '1' has two results"),
        ([{"image_id": 1}], r"s\.json: results\[0\]: caption is None, expected a text"),
        ([{"caption": "x"}], r"s\.json: results\[0\]: image_id is None, expected a number"),
        ({"a": 1}, r"s\.json: expected a list of results"),
        ("[\n1,,2]", r"s\.json, line 2, column 3: not valid JSON"),
    ],
)
def test_wrong_coco_results(write, found, message):
    with pytest.raises(DataError, match=message):
        read_suite(write("ann.json", ANNOTATIONS), write("s.json", found))


def test_wrong_coco_requests(write):
    ann, system = write("ann.json", ANNOTATIONS), write("s.json", results(i1="x", i3="y"))
    with pytest.raises(DataError, match=r"s\.json: expected an object with a list \"annotations\""):
        read_suite(system, ann)
    with pytest.raises(DataError, match="2 annotation files are given, expected one"):
        read_suite([ann, ann], system)
    with pytest.raises(DataError, match="captions have none; leave it out"):
        read_suite(ann, system, sources=system)
    with pytest.raises(
        DataError, match=r"system 't' has no result for 1 images that system 's'.*3"
    ):
        read_suite(ann, [system, write("t.json", results(i1="x"))])


@pytest.fixture
def folder(write, tmp_path):
    write("wmt/sources/en-de.txt", "a\nb\n")
    write("wmt/references/en-de.refA.txt", "A1\nA2\n")
    write("wmt/references/en-de.refB.txt", "B1\nB2\n")
    write("wmt/system-outputs/en-de/online-A.0.txt", "x\ny\n")
    write("wmt/system-outputs/en-de/refA.txt", "A1\nA2\n")
    write("wmt/system-outputs/en-de/.hidden.txt", "?")
    write("wmt/human-scores/en-de.mqm.seg.score", "online-A.0 None\n")
    write("wmt/documents/en-de.docs", "news d1\nnews d1\n")
    return tmp_path / "wmt"


def test_mtme(folder, write):
    suite = read_suite(folder)
    assert list(suite.systems) == ["online-A.0", "refA"]
    corpus = suite.systems["online-A.0"]
    assert list(corpus.hypotheses) == ["x", "y"]
    assert list(corpus.references) == [["A1", "B1"], ["A2", "B2"]]
    assert list(corpus.sources) == ["a", "b"]
    suite = read_suite([folder, "en-de", "refB"], write("new.txt", "v\nw\n"))
    assert list(suite.systems) == ["online-A.0", "refA", "new"]
    assert list(suite.systems["new"].references) == [["B1"], ["B2"]]


def test_wrong_mtme(folder, write, tmp_path):
    with pytest.raises(
        DataError, match=r"wmt: no reference 'refC' for en-de; there is: refA, refB"
    ):
        read_suite([folder, "en-de", "refC"])
    with pytest.raises(DataError, match=r"refA\.txt: .*has a system 'refA' as well"):
        read_suite(folder, write("refA.txt", "1\n2\n"))
    write("wmt/sources/zh-en.txt", "a\n")
    with pytest.raises(DataError, match=r"several language pairs; name one .*: en-de, zh-en"):
        read_suite(folder)
    with pytest.raises(DataError, match=r"no language pair 'de-en'; there is: en-de, zh-en"):
        read_suite([folder, "de-en"])
    with pytest.raises(DataError, match=r"zh-en: there are no files \*\.txt"):
        read_suite([folder, "zh-en"])
    with pytest.raises(DataError, match=r"no sources/<language pair>\.txt.*one test set"):
        read_suite(tmp_path)
    with pytest.raises(DataError, match="the folder has its own"):
        read_suite(folder, sources="x")
    write("wmt/references/en-de.refB.txt", "B1\n")
    with pytest.raises(DataError, match=r"refA\.txt: 2, .*refB\.txt: 1, .*online-A\.0\.txt: 2"):
        read_suite([folder, "en-de"])
