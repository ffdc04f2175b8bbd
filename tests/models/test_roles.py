"""Constituents and semantic roles: files, stores, and the metrics that compare them."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from oracles import frames as oracle
from oracles import trees as tree_oracle
from support.golden_files import GOLDEN, Case

from nlgauge import Corpus, DataError, ResourceMissing, SpecError
from nlgauge.core import options, registry
from nlgauge.data.constituents import Constituent, flat
from nlgauge.data.frames import Frame, FrameSentence, Role, on_words
from nlgauge.explain.explanation import explain
from nlgauge.io.annotations.brackets import read_trees, write_trees
from nlgauge.io.annotations.roles import read_roles, write_roles
from nlgauge.kernels import native
from nlgauge.metrics.semantics.structure import RolePhrases, compare, group
from nlgauge.metrics.syntax.constituents import forest
from nlgauge.metrics.syntax.kernel import best_cosines
from nlgauge.models.cache.analysis_stores import FrameStore, TreeStore
from nlgauge.models.syntax.annotators import find_frames, find_trees
from nlgauge.train.tuning.role_weights import tune_roles

SRL = options.encode(str(GOLDEN / "srl"))
SAID = FrameSentence(
    ("she", "said", "so", "twice"),
    (Frame(1, (Role("A0", 0, 1), Role("A1", 2, 3), Role("AM-TMP", 3, 4)), "say.01"),),
)
COLUMNS = {
    "x.conll05": "she PRP - (A0*)\nsaid VBD say.01 (V*)\nso RB - (A1*)\ntwice RB - (AM-TMP*)\n",
    "x.conll12": "#begin document (x); part 000\n"
    "x 0 0 she PRP * - - - - * (ARG0*) -\nx 0 1 said VBD * say 01 - - * (V*) -\n"
    "x 0 2 so RB * - - - - * (ARG1*) -\nx 0 3 twice RB * - - - - * (ARGM-TMP*) -\n#end document\n",
    "x.conll09": "".join(
        f"{i}\t{w}\t{w}\t{w}\t_\t_\t_\t_\t{h}\t{h}\t_\t_\t_\t{p or '_'}\t{a}\n"
        for i, w, h, p, a in (
            (1, "she", 2, "", "A0"),
            (2, "said", 0, "say.01", "_"),
            (3, "so", 2, "", "A1"),
            (4, "twice", 2, "", "AM-TMP"),
        )
    ),
}


@pytest.mark.parametrize("name", [*COLUMNS, "x.conll"])
def test_columns(tmp_path: Path, name: str) -> None:
    for content in [COLUMNS[name]] if name in COLUMNS else COLUMNS.values():
        (tmp_path / name).write_text(content + "\n\n" + content)
        assert read_roles(str(tmp_path / name)) == [SAID, SAID]


def test_roles_and_words_in_two_files(tmp_path: Path) -> None:
    (tmp_path / "a.props").write_text("- (A0*\n- *)\nrun *\n\n- \n")
    with pytest.raises(DataError, match=r"put them beside it as a\.words"):
        read_roles(str(tmp_path / "a.props"))
    (tmp_path / "a.words").write_text("the\ndog\nran\n\nyes\n")
    assert read_roles(str(tmp_path / "a.props")) == [
        FrameSentence(("the", "dog", "ran"), (Frame(2, (Role("A0", 0, 2),), "run"),)),
        FrameSentence(("yes",), ()),
    ]


def test_dependencies_become_spans(tmp_path: Path) -> None:
    # the man who sang left: sang's A0 is man, without the clause that sang heads.
    heads = {"the": 2, "man": 5, "who": 4, "sang": 2, "left": 0}
    rows = []
    for i, (word, head) in enumerate(heads.items(), start=1):
        sense = {"sang": "sing.01", "left": "leave.01"}.get(word, "_")
        roles = {"man": ("A0", "A0"), "who": ("R-A0", "_")}.get(word, ("_", "_"))
        rows.append("\t".join([str(i), word, *"_" * 6, str(head), *"_" * 4, sense, *roles]))
    (tmp_path / "x.conll09").write_text("\n".join(rows) + "\n")
    (sentence,) = read_roles(str(tmp_path / "x.conll09"))
    assert sentence.frames == (
        Frame(3, (Role("A0", 0, 2), Role("R-A0", 2, 3)), "sing.01"),
        Frame(4, (Role("A0", 0, 4),), "leave.01"),
    )


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("x.conll05", "a - *\nb run (A0*\n", r"line 2: role A0 is not closed"),
        ("x.conll05", "a x *\nb y *\n", r"line 1: no column has as many predicates"),
        ("x.conll05", "a -\nb - *\n", r"line 2: 3 columns, but the sentence began with 2"),
        ("x.conll09", "1\ta\n", r"line 1: 2 columns, CoNLL-2009 has at least 14"),
        ("x.conll12", "x 0 0 a\n", r"line 1: 4 columns, CoNLL-2012 has at least 12"),
        ("x.assert", "0: [A0 a]\n", r"line 1: has roles but no \[TARGET"),
        ("x.assert", "\n[A0 a]\n", r"line 2: starts with no sentence number"),
        ("x.assert", "0: [TARGET a]\n0: [TARGET b]\n", r"line 2: its words are not those of"),
        ("x.jsonl", '{"words": ["a"]}\n', r"line 1: KeyError\('frames'\); expected"),
        (
            "x.jsonl",
            '{"words": ["a"], "frames": [{"predicate": 1, "roles": []}]}',
            r"line 1: words 1 to 2 of 1; they are counted from 0",
        ),
    ],
)
def test_wrong_roles(tmp_path: Path, name: str, content: str, message: str) -> None:
    (tmp_path / name).write_text(content)
    with pytest.raises(DataError, match=f"{name}, {message}"):
        read_roles(str(tmp_path / name))


def test_texts_that_no_file_has(tmp_path: Path) -> None:
    (tmp_path / "x.mrg").write_text("(S (NP (PRP I)) (VP (VBP am) (-LRB- -LRB-)))")
    found = find_trees(str(tmp_path / "x.mrg"))
    ((tree,),) = found.trees(["I am-LRB-"])
    assert tree.words == ["I", "am", "("] and found.trees(["Iam ("]) == [[tree]]
    with pytest.raises(DataError, match=r"x\.mrg: has no tree of 'You'"):
        found.trees(["You"])
    with pytest.raises(DataError, match="srl: has no sentence 'You'"):
        find_frames(str(GOLDEN / "srl")).frames(["You"])
    for find, name in ((find_trees, "no.txt"), (find_frames, "de")):
        with pytest.raises(ResourceMissing, match=f"=({name}): no such"):
            find(name)


labels = st.sampled_from(["S", "NP", "VP", "-LRB-"])
words = st.text("ab()'`\"/", min_size=1, max_size=3).filter(
    lambda word: word not in ("``", "''") and "''" not in word and "``" not in word
)
leaves = st.builds(lambda label, word: Constituent(label, word=word), labels, words)
constituents = st.recursive(
    leaves,
    lambda inner: st.builds(
        lambda label, parts: Constituent(label, tuple(parts)),
        st.sampled_from(["S", "NP", "VP"]),
        st.lists(inner, min_size=1, max_size=3),
    ),
    max_leaves=6,
)
quick = settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])


@given(st.lists(constituents, min_size=1, max_size=3))
@quick
def test_trees_come_back(tmp_path: Path, trees) -> None:
    with (tmp_path / "x.mrg").open("w") as file:
        write_trees(file, trees)
    assert read_trees(str(tmp_path / "x.mrg")) == trees
    store = TreeStore(find_trees("flat"))
    assert [store.rebuilt(json.loads(json.dumps(store.plain(t)))) for t in trees] == trees


def test_stores_keep_and_export(tmp_path: Path) -> None:
    labeller = find_frames(str(GOLDEN / "srl"))
    texts = (GOLDEN / "srl" / "hyp.txt").read_text().splitlines()
    first = FrameStore(labeller, str(tmp_path / "cache"))
    found = first.sentences([*texts, ""])
    first.export(str(tmp_path / "out.jsonl"))
    assert find_frames(str(tmp_path / "out.jsonl")).frames(texts) == found[:-1]
    assert FrameStore(labeller, str(tmp_path / "cache")).new([*texts, "x"]) == ["x"]
    assert FrameStore(labeller, str(tmp_path / "cache")).sentences(texts) == found[:-1]
    store = TreeStore(find_trees("flat"), str(tmp_path / "cache"))
    assert store.sentences(["a b", ""]) == [[flat(["a", "b"])], []]
    assert TreeStore(find_trees("flat"), str(tmp_path / "cache")).new(["a b", "c"]) == ["c"]
    assert {p.suffix for p in (tmp_path / "cache").iterdir()} == {".roles", ".trees"}


@given(constituents, constituents)
@quick
def test_tkm_is_enumeration(hyp, ref) -> None:
    a, b = forest([hyp]), forest([ref])
    expected = tree_oracle.tree_cosine((a.labels, a.heads), (b.labels, b.heads))
    ((found, _),) = best_cosines([[a, b]], decay=1.0, threads=1)
    assert found == pytest.approx(expected, abs=1e-12)


def test_figure_of_the_paper() -> None:
    trees = f"trees={options.encode(str(GOLDEN / 'corpora' / 'figure.mrg'))}"
    pair = "PRON V PRON", ["PRON V ART N"]
    assert round(registry.metric(f"stm({trees},order=3)").sentence_score(*pair).value, 4) == 0.7024
    assert round(registry.metric(f"tkm({trees})").sentence_score(*pair).value, 4) == 0.6390
    (shown,) = explain(*pair, [f"stm({trees})"])
    tree = shown.trace.hyp
    assert [(n.label, n.matched) for n in tree.walk() if not n.word] == [
        *(("S", 3), ("NP", 2), ("PRON", 1), ("VP", 2), ("V", 1), ("NP", 1), ("PRON", 0))
    ]
    assert [n.label for n in tree.walk() if n.word] == ["PRON", "V", "PRON"]


def test_several_references_and_sentences(tmp_path: Path) -> None:
    (tmp_path / "x.mrg").write_text("(S (A a))(S (B b))(T (C c))")
    trees = f"trees={options.encode(str(tmp_path / 'x.mrg'))}"
    # S A S B against S A and S B: clipped by the one that has most of each.
    metric = registry.metric(f"stm({trees},order=1)")
    assert metric.sentence_score("a b", ["a", "b"]).value == 3 / 4
    assert registry.metric(f"tkm({trees})").sentence_score(
        "a b", ["c", "b"]
    ).value == pytest.approx(1 / np.sqrt(2))


GROUPED = {
    0: "V C-V TARGET",
    1: "A0 C-A0 R-A0 ARG0 R-ARG0",
    2: "A1 R-ARG1 ARG1-ABOUT C-ARG1-TO",
    3: "A2 C-A2 ARG2-WITH ARGM-BNF",
    4: "AM-TMP R-AM-TMP C-R-AM-TMP ARG2-TMP ARGM-TM TMP",
    5: "A3 A4 AM-LOC AM-DIR ARG1-LOC ARG2-DIR ARG5-DIR ARGM-TO LOC",
    6: "AM-CAU AM-PNC ARGM-PRP ARG2-PNC R-ARGM-CAU CAU",
    7: "AM-MNR AM-EXT ARG2-EXT AM-MOD AM-NEG A5 AA AM-ADV AM-DIS ARG3-ADV ARG2-MNR AM O MOD",
}


def test_groups_are_those_of_yisi() -> None:
    found = {k: {group(label) for label in names.split()} for k, names in GROUPED.items()}
    assert found == {k: {k} for k in GROUPED}


def test_frames_on_other_words() -> None:
    frames = on_words([SAID, SAID], ["S", "##he", "said", "sot", "wice", "she", "x", "said", "so"])
    assert [f.predicate for f in frames] == [2, 7]
    assert frames[0].roles == (Role("A0", 0, 1), Role("A1", 3, 4), Role("AM-TMP", 3, 5))
    assert frames[1].roles == (Role("A0", 5, 6), Role("A1", 8, 9))
    pieces = on_words([SAID], ["s", "he", "sa", "id", "so", "twice"])
    assert pieces[0].predicate == 2 and pieces[0].roles[0] == Role("A0", 0, 2)


@st.composite
def framed(draw) -> FrameSentence:
    text = draw(st.lists(st.sampled_from("abcd"), min_size=2, max_size=6))
    span = st.tuples(st.integers(0, len(text) - 1), st.integers(1, 3)).map(
        lambda s: (s[0], min(len(text), s[0] + s[1]))
    )
    frame = st.builds(
        lambda p, roles: Frame(p, tuple(Role(label, *s) for label, s in roles)),
        st.integers(0, len(text) - 1),
        st.lists(st.tuples(st.sampled_from(["A0", "A1", "AM-TMP"]), span), max_size=3),
    )
    return FrameSentence(tuple(text), tuple(draw(st.lists(frame, min_size=1, max_size=3))))


@given(framed(), framed())
@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_meant_tries_every_alignment(
    tmp_path: Path, hyp: FrameSentence, ref: FrameSentence
) -> None:
    assume(hyp.words != ref.words)
    sides = []
    for text in (hyp, ref):
        roled = RolePhrases.build(text.frames)
        spans = [tuple(span) for span in roled.spans.tolist()]
        sides.append([[(int(roled.groups[k]), spans[k]) for k in frame] for frame in roled.frames])
    expected = oracle.f_of_frames(
        *sides, lambda one, other: oracle.phrase(hyp.words, ref.words, one, other), 0.25
    )
    assume(expected is not None)
    with (tmp_path / "x.jsonl").open("w") as file:
        write_roles(file, [hyp, ref])
    path = options.encode(str(tmp_path / "x.jsonl"))
    metric = registry.metric(f"meant(roles={path},similarity=exact)")
    found = metric.sentence_score(" ".join(hyp.words), [" ".join(ref.words)])
    assert found.value == pytest.approx(expected, abs=1e-9)


def test_a_role_is_not_given_up_for_one_that_does_not_match() -> None:
    hyp = RolePhrases.build([Frame(0, (Role("A0", 1, 2), Role("A1", 2, 3)))])
    ref = RolePhrases.build([Frame(0, (Role("A0", 1, 2), Role("AM-TMP", 2, 3)))])
    similar = np.array([[1.0, 0, 0], [0, 0.1, 1.0], [0, 1.0, 0]])
    own, other, _ = compare(hyp, ref, similar, similar)
    assert own.similar.sum() == other.similar.sum() == pytest.approx(1.1)
    tool, tool_ref, _ = compare(hyp, ref, similar, similar, tool=True)
    assert (tool.similar.sum(), tool_ref.similar.sum()) == (1.0, 3.0)


@given(st.integers(1, 3), st.integers(1, 3), st.lists(st.floats(0.01, 1), min_size=15, max_size=15))
@settings(max_examples=60)
def test_grammars_are_searched_in_full(n: int, m: int, numbers) -> None:
    pairs = np.array(numbers[: n * m]).reshape(n, m)
    left, right = np.array(numbers[9 : 9 + n]), np.array(numbers[12 : 12 + m])
    spans = (np.array([[0, size]], np.int64) for size in (n, m))
    found = native.transductions(*map(np.log, (pairs, left, right)), *spans, longest=16)
    expected = oracle.derivation(tuple(map(tuple, pairs)), tuple(left), tuple(right))
    assert np.exp(found[0, 0]) == pytest.approx(expected, rel=1e-9)


YISI = json.loads((GOLDEN / "srl" / "yisi-1.json").read_text())


@pytest.mark.filterwarnings("ignore::nlgauge.errors.TextWarning")  # the vectors are few
@pytest.mark.parametrize("case", YISI["cases"], ids=lambda case: case["source"])
def test_yisi_with_structure(case) -> None:
    spec = case["spec"].replace("GOLDEN", options.encode(str(GOLDEN)))
    read = Case("yisi-1", spec, case["expected"], 0.0, inline=case["inline"]).read()
    metric = registry.metric(spec)
    found = metric.score(metric.rows(read, metric.fit(read)))
    assert found.tolist() == pytest.approx(case["segments"], rel=1e-5, abs=1e-6)
    assert metric.evaluate(read).value == pytest.approx(case["expected"]["score"], abs=1e-6)


def test_without_frames_words_count_for_all() -> None:
    spec = "yisi-1(similarity=exact,weights=uniform,order=1,alpha=0.5{})"
    pair = "good morning everyone", ["good morning to everyone"]
    plain = registry.metric(spec.format("")).sentence_score(*pair).value
    assert registry.metric(spec.format(f",roles={SRL},beta=0.9")).sentence_score(
        *pair
    ).value == pytest.approx(plain)


def test_the_best_reference() -> None:
    metric = registry.metric(f"meant(roles={SRL},similarity=exact)")
    hyp, refs = "she said the train was late", ["police closed the bridge last night"]
    worse = metric.sentence_score(hyp, refs).value
    best = metric.sentence_score(hyp, [*refs, "she said that the train arrived late"]).value
    assert best > worse > 0


def test_frames_side_by_side() -> None:
    hyp, ref = "the thief stole fourteen hives", "fourteen hives were stolen by the thief"
    (shown,) = explain(hyp, ref, [f"meant(roles={SRL},similarity=exact)"])
    (pair,) = shown.trace.pairs
    assert (pair.hyp, pair.ref, pair.similarity) == (0, 0, 0.0)
    assert [(r.hyp, r.ref, r.similarity) for r in pair.roles] == [(0, 1, 0.8), (1, 0, 1.0)]
    (shown,) = explain("good morning everyone", ref, [f"meant(roles={SRL},similarity=exact)"])
    assert not shown.trace.pairs and "one phrase" in shown.trace.note


def test_wrong_weights_and_tables(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match="expected 8 numbers"):
        registry.metric("meant(role_weights=1:2)")
    (tmp_path / "t.txt").write_text("das the 0.5\nHaus house\n")
    corpus = Corpus.build(["the house"], sources=["das Haus"])
    path = options.encode(str(tmp_path / "t.txt"))
    with pytest.raises(DataError, match=r"t\.txt, line 2: 'Haus house'; expected two words"):
        registry.metric(f"xmeant(roles=none,table={path})").evaluate(corpus)
    with pytest.raises(ResourceMissing, match="give table=FILE"):
        registry.metric("xmeant(roles=none)").evaluate(corpus)


def test_role_weights_are_searched() -> None:
    # Ratings that are MEANT's own with other weights: the search finds weights as good as these.
    texts = [(GOLDEN / "srl" / f"{side}.txt").read_text().splitlines() for side in ("hyp", "ref")]
    corpus = Corpus.build(texts[0], [[ref] for ref in texts[1]])
    metric = registry.metric(f"meant(roles={SRL},similarity=substring)")
    wanted = registry.metric("meant", roles=metric.roles, similarity="substring",
                             role_weights=(2.0, 1.0, 0.1, 1.0, 1.0, 1.0, 1.0, 0.0))  # fmt: skip
    ratings = wanted.score(wanted.rows(corpus, wanted.fitted(corpus)))
    found = tune_roles(metric, corpus, [*ratings[:-1], np.nan])
    assert found.before < 0.99 < found.after
    scores = found.metric.score(found.metric.rows(corpus, found.metric.fitted(corpus)))
    assert np.corrcoef(scores[:-1], ratings[:-1])[0, 1] == pytest.approx(found.after, abs=1e-9)
    with pytest.raises(DataError, match="14 segments, but 1 ratings"):
        tune_roles(metric, corpus, [1.0])
    with pytest.raises(SpecError, match="numbers from 0 on"):
        tune_roles(metric, corpus, ratings, grid=[-1])
