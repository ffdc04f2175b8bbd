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

class Gtm(Kernel):
    """Maximum match size, |h|, reference length, runs."""

    def __init__(self, *, exponent: float, references: str) -> None: ...

def gtm_runs(
    hyp: Sequence[str], refs: Sequence[Sequence[str]]
) -> list[tuple[int, int, int, int]]: ...

class Stage:
    """One way to tell that words of two texts correspond."""

class ExactStage(Stage):
    """The same word, but for those to skip."""

    def __init__(self, *, skip: Sequence[str]) -> None: ...

class StemStage(Stage):
    """The same stem."""

    def __init__(self, *, dialect: str) -> None: ...

class PairStage(Stage):
    """Pairs of words from a table, in either order."""

    def __init__(self, *, pairs: Sequence[tuple[str, str]]) -> None: ...

class Meteor(Kernel):
    """Links, chunks, |h|, |r|, score and 1, for the best reference."""

    def __init__(
        self, *, stages: Sequence[Stage], linking: str, alpha: float, beta: float, gamma: float
    ) -> None: ...

def align_stages(
    hyp: Sequence[str], ref: Sequence[str], stages: Sequence[Stage], linking: str
) -> list[tuple[int, int, int]]: ...

class WordOrder(Kernel):
    """Score, 1, agreement, P, R, BP, words in the list, |h|, |r|, for the best reference."""

    def __init__(
        self,
        *,
        measure: str,
        ribes: bool,
        order: float,
        precision: float,
        recall: float,
        f: float,
        brevity: float,
        beta: float,
        bend: bool,
        skip_empty: bool,
        distance: bool,
    ) -> None: ...

class Impact(Kernel):
    """Score, 1, P, R, for the best reference."""

    def __init__(self, *, alpha: float, beta: float) -> None: ...

class Joined(Kernel):
    """The columns of several kernels side by side."""

    def __init__(self, kernels: Sequence[Kernel]) -> None: ...

def word_order(hyp: Sequence[str], ref: Sequence[str], ribes: bool) -> list[tuple[int, int]]: ...
def compute_rows(
    hyps: Texts,
    refs: Texts,
    ref_starts: npt.NDArray[np.int64],
    ref_weights: npt.NDArray[np.float64] | None,
    tokenizer: str,
    lowercase: bool,
    kernels: list[Kernel],
    threads: int,
) -> list[npt.NDArray[np.float64]]: ...
def stem(words: list[str], mode: str) -> list[str]: ...
def tokenize(texts: Texts, tokenizer: str, lowercase: bool) -> list[list[str]]: ...
def resampled_totals(
    rows: npt.NDArray[np.float64], indices: npt.NDArray[np.uint32]
) -> npt.NDArray[np.float64]: ...
