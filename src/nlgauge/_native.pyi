from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

class Texts:
    """An immutable column of texts: a sequence of str, stored as one UTF-8 block."""

    def __init__(self, strings: Sequence[str]) -> None: ...
    @staticmethod
    def from_lines(data: bytes) -> Texts: ...
    def __len__(self) -> int: ...
    def __getitem__(self, index: int) -> str: ...
    def __iter__(self) -> Iterator[str]: ...
    @property
    def nbytes(self) -> int: ...

def has_avx2() -> bool: ...
def find_invalid_utf8(data: bytes) -> int: ...

class Kernel:
    @property
    def columns(self) -> int: ...

class Bleu(Kernel):
    """Lengths, clipped matches and n-gram totals."""

    def __init__(
        self, *, order: int, ref_length: str, start: bool, end: bool, weighted: bool
    ) -> None: ...

class Frequencies:
    """How often the n-grams of all references occur."""

    @staticmethod
    def count(
        refs: Texts,
        ref_starts: npt.NDArray[np.int64],
        tokenizer: str,
        lowercase: bool,
        reading: Reading | None,
        *,
        order: int,
        unit: str,
        least: int,
    ) -> Frequencies: ...
    @staticmethod
    def given(ngrams: Texts, counts: npt.NDArray[np.uint32], *, documents: int) -> Frequencies: ...
    @property
    def words(self) -> int: ...
    @property
    def documents(self) -> int: ...

class Nist(Kernel):
    """Lengths, information of the matched n-grams and n-gram totals."""

    def __init__(
        self, frequencies: Frequencies, *, order: int, ref_length: str, zero_is_nothing: bool
    ) -> None: ...

class Cider(Kernel):
    """The score, 1, and the similarity of each order."""

    def __init__(
        self, frequencies: Frequencies, *, order: int, clipped: bool, sigma: float
    ) -> None: ...

class Gleu(Kernel):
    """Matches and n-grams, for the best reference."""

    def __init__(self, *, least: int, most: int) -> None: ...

class NgramCounts(Kernel):
    """Lengths, matches, n-grams of the hypothesis and of the references."""

    def __init__(self, *, order: int) -> None: ...

class Overlap(Kernel):
    """The score, 1, and overlap, precision and recall of the best reference."""

    def __init__(self, *, measure: str) -> None: ...

class Yisi(Kernel):
    """The score, 1, precision and recall."""

    def __init__(
        self,
        frequencies: Frequencies,
        *,
        order: int,
        alpha: float,
        substring: bool,
        idf: bool,
        tool: bool,
    ) -> None: ...

class Chrf(Kernel):
    """Hypothesis n-grams, reference n-grams and matches of each order, for the best reference."""

    def __init__(
        self,
        *,
        char_order: int,
        word_order: int,
        beta: float,
        whitespace: bool,
        eps_smoothing: bool,
    ) -> None: ...

class Ter(Kernel):
    """Edits and mean reference length."""

    def __init__(self, *, shift_size: int, shift_distance: int, candidates: int) -> None: ...

class RougeOptions:
    def __init__(
        self, *, references: str, best_by: str, alpha: float, rounded: bool, evaluations: int
    ) -> None: ...

class RougeN(Kernel):
    """Precision, recall, F, 1, matches and their bases; so for all of the family."""

    def __init__(self, options: RougeOptions, *, order: int) -> None: ...

class RougeL(Kernel):
    def __init__(self, options: RougeOptions, *, lines: bool, restart: bool) -> None: ...

class RougeW(Kernel):
    def __init__(
        self, options: RougeOptions, *, lines: bool, restart: bool, weight: float
    ) -> None: ...

class RougeS(Kernel):
    def __init__(
        self, options: RougeOptions, *, gap: int | None, unigrams: bool, drop_last: bool
    ) -> None: ...

class Reading:
    """What is read of a text, and what becomes of its words."""

    def __init__(
        self,
        *,
        stemmer: str,
        shortest: int,
        exceptions: dict[str, str],
        stop_words: set[str],
        lines: bool,
        max_words: int,
        max_bytes: int,
        restart: bool,
    ) -> None: ...

def compute_rows(
    hyps: Texts,
    refs: Texts,
    ref_starts: npt.NDArray[np.int64],
    ref_weights: npt.NDArray[np.float64] | None,
    tokenizer: str,
    lowercase: bool,
    kernels: list[Kernel],
    threads: int,
    reading: Reading | None = None,
) -> list[npt.NDArray[np.float64]]: ...
def stem(words: list[str], mode: str) -> list[str]: ...
def tokenize(
    texts: Texts, tokenizer: str, lowercase: bool, reading: Reading | None = None
) -> list[list[str]]: ...
def column_sums(rows: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]: ...
def resampled_totals(
    rows: npt.NDArray[np.float64], indices: npt.NDArray[np.uint32]
) -> npt.NDArray[np.float64]: ...
