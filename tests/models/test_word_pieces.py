"""Our word pieces are those of the package `tokenizers`, from the same tokenizer.json."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.golden_files import GOLDEN
from support.minilm import needs_minilm

from nlgauge import ResourceMissing
from nlgauge.models.encoders.encoder import Pieces, minilm_folder
from nlgauge.models.encoders.piece_reader import (
    LibraryReader,
    PieceReader,
    WordPieceReader,
    find_piece_reader,
)

pytest.importorskip("tokenizers")

ODD = [
    "",
    " \t\n ",
    "The U.S. isn't A.B.C., it's $3.50!",
    "naïve café Zürich ÅNGSTRÖM İstanbul ΣΊΣΥΦΟΣ straße ﬁne",
    "cafe\u0301 a\u0323\u0307b \u0301alone e\u200bm\u200dp\u00adty",
    "x\x00y\ufffdz\x0bv\x0cw\x85u\x1cq\x7f",
    "我爱北京天安门 日本語テキスト 한국어 ภาษาไทย हिन्दी العربيّة",
    "𠀀𪜀 \U0001f600👨‍👩‍👧 \ue000 \U000f0000",
    "a" * 100 + " " + "b" * 101,
    "[CLS] he said [MASK][SEP]. [UNK] [cls] [PAD]x",
    "one\u00a0two\u3000three\u2028four\u1680five\u180esix",
    "unaffable antidisestablishmentarianism qqqqzzzz 1234567890",
    "word " * 600,
    "  spaces before and after  ",
    "¿Qué? «quoted» “curly” — dash… 5′ 3″ ½ №",
]


def both(path: Path, limit: int) -> tuple[PieceReader, PieceReader]:
    own = find_piece_reader(path, limit)
    assert isinstance(own, WordPieceReader)
    return own, LibraryReader(path, limit)


def check(own: Pieces, other: Pieces, text: str) -> None:
    assert own.strings == other.strings, text
    for part in ("ids", "words", "spans"):
        np.testing.assert_array_equal(getattr(own, part), getattr(other, part), f"{part}: {text!r}")
    assert (own.lost, own.unknown_id) == (other.lost, other.unknown_id)


@pytest.fixture(scope="module")
def minilm() -> tuple[PieceReader, PieceReader]:
    return both(minilm_folder() / "tokenizer.json", 512)


@needs_minilm
@pytest.mark.parametrize("text", ODD)
def test_odd_texts(minilm: tuple[PieceReader, PieceReader], text: str) -> None:
    own, other = (reader.pieces([text])[0] for reader in minilm)
    check(own, other, text)


@needs_minilm
def test_texts_of_the_golden_corpora(minilm: tuple[PieceReader, PieceReader]) -> None:
    texts = [
        line
        for file in sorted((GOLDEN / "corpora").rglob("*"))
        if file.is_file() and file.suffix in {".txt", ".jsonl", ".json", ".tsv", ""}
        for line in file.read_text("utf-8", "replace").splitlines()[:40]
    ]
    assert len(texts) > 100
    for own, other, text in zip(*(reader.pieces(texts) for reader in minilm), texts, strict=True):
        check(own, other, text)


@needs_minilm
def test_every_character(minilm: tuple[PieceReader, PieceReader]) -> None:
    """Characters that this Python does not know yet may differ: no vocabulary has them."""
    import unicodedata

    points = [*range(0xD800), *range(0xE000, 0x30000), *range(0xE0000, 0xE0200)]
    known = [c for c in map(chr, points) if unicodedata.category(c) != "Cn"]
    texts = [" ".join(f"a{c}b" for c in known[i : i + 60]) for i in range(0, len(known), 60)]
    for own, other, text in zip(*(reader.pieces(texts) for reader in minilm), texts, strict=True):
        assert own.strings == other.strings, text


@needs_minilm
@settings(max_examples=300, deadline=None)
@given(
    st.one_of(
        st.text(st.characters(codec="utf-8", categories=("L", "N", "P", "S", "Z", "Cc", "Cf"))),
        st.text("abcé’[]CLSEP \t\n日本ßİ-_.,0\x00\u0301\u200b", max_size=60),
        st.lists(st.sampled_from(ODD)).map(" ".join),
    )
)
def test_random_texts(minilm: tuple[PieceReader, PieceReader], text: str) -> None:
    own, other = (reader.pieces([text])[0] for reader in minilm)
    check(own, other, text)


def small(**normalizer: Any) -> dict[str, Any]:
    pieces = ["[UNK]", "[CLS]", "[SEP]", "The", "the", "##re", "ca", "##fé", "##fe", "中", ".", "é"]
    plain = {
        "type": "BertNormalizer",
        "clean_text": True,
        "handle_chinese_chars": True,
        "strip_accents": None,
        "lowercase": True,
    }
    return {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [],
        "normalizer": plain | normalizer,
        "pre_tokenizer": {"type": "BertPreTokenizer"},
        "post_processor": {
            "type": "BertProcessing",
            "sep": ["[SEP]", 2],
            "cls": ["[CLS]", 1],
        },
        "decoder": None,
        "model": {
            "type": "WordPiece",
            "unk_token": "[UNK]",
            "continuing_subword_prefix": "##",
            "max_input_chars_per_word": 100,
            "vocab": {piece: i for i, piece in enumerate(pieces)},
        },
    }


@pytest.mark.parametrize("lowercase", [True, False])
@pytest.mark.parametrize("strip_accents", [None, True, False])
@pytest.mark.parametrize("chinese", [True, False])
@pytest.mark.parametrize("clean_text", [True, False])
def test_other_settings(
    tmp_path: Path, lowercase: bool, strip_accents: bool | None, chinese: bool, clean_text: bool
) -> None:
    path = tmp_path / "tokenizer.json"
    given = {"lowercase": lowercase, "strip_accents": strip_accents, "clean_text": clean_text}
    path.write_text(json.dumps(small(**given, handle_chinese_chars=chinese)))
    for limit in (5, 40):
        readers = both(path, limit)
        for text in ["There THERE café Cafe\u0301.", "中the中", "the\x00re the\x0b.\x85", *ODD]:
            own, other = (reader.pieces([text])[0] for reader in readers)
            check(own, other, text)


def test_another_kind_is_left_to_the_library(tmp_path: Path, monkeypatch) -> None:
    described = small()
    described["pre_tokenizer"] = {"type": "Whitespace"}
    path = tmp_path / "tokenizer.json"
    path.write_text(json.dumps(described))
    assert isinstance(find_piece_reader(path, 40), LibraryReader)
    monkeypatch.setitem(__import__("sys").modules, "tokenizers", None)
    with pytest.raises(ResourceMissing, match="pip install tokenizers"):
        find_piece_reader(path, 40)
