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

class Tercom(Kernel):
    """Edits, mean reference length, and tercom's counts of edits."""

    def __init__(self, *, shift_size: int, shift_distance: int, beam: int) -> None: ...

class Wer(Kernel):
    """Distance, reference length, hypothesis length; of the next classes too."""

    def __init__(self, *, ref_length: str) -> None: ...

class Cder(Kernel):
    def __init__(self, *, ref_length: str) -> None: ...

class Per(Kernel):
    def __init__(self, *, order: int, start: bool, end: bool, ref_length: str) -> None: ...

class Invwer(Kernel):
    def __init__(self, *, max_length: int, ref_length: str) -> None: ...

class Iter(Kernel):
    def __init__(
        self,
        *,
        insertion: float,
        deletion: float,
        substitution: float,
        stem: float,
        shift: float,
        shift_size: int,
        shift_distance: int,
        candidates: int,
        per_match: bool,
        ref_length: str,
    ) -> None: ...

class StringAccuracy(Kernel):
    """Substitutions, insertions, deletions, moves and reference length."""

    def __init__(self, *, moves: bool) -> None: ...

class Character(Kernel):
    """CharacTER of the best reference, 1."""

    def __init__(self, *, clip: bool, steps: int) -> None: ...

class Eed(Kernel):
    """EED of the best reference, 1."""

    def __init__(
        self,
        *,
        unit: int,
        jump: int,
        insertion: int,
        deletion: int,
        substitution: int,
        rho: float,
        profile: str,
    ) -> None: ...

def edit_script(hyp_words: Texts, ref_words: Texts) -> list[tuple[str, int, int]]:
    """Fewest edits: match, substitute, insert (only in h) or delete (only in r), and places."""

def common_subsequence(hyp_words: Texts, ref_words: Texts) -> list[tuple[int, int]]:
    """Places in h and r of a longest common subsequence."""

def ter_script(
    hyp_words: Texts, ref_words: Texts, *, shift_size: int, shift_distance: int, candidates: int
) -> tuple[list[tuple[int, int, int]], list[tuple[str, int, int]]]:
    """TER's shifts as (start, length, target), each on the words as the ones before it left them,
    and the edits of the shifted words.
    """

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
