from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

class Texts:
    """An immutable column of texts: a sequence of str, stored as one UTF-8 block."""

    def __init__(self, strings: Sequence[str]) -> None: ...
    @staticmethod
    def from_lines(data: bytes) -> Texts: ...
    @staticmethod
    def from_lists(lists: Sequence[Sequence[str]]) -> tuple[Texts, npt.NDArray[np.int64]]: ...
    @staticmethod
    def from_buffers(data: npt.NDArray[np.uint8], offsets: npt.NDArray[np.uint64]) -> Texts:
        """Texts as Arrow keeps them: one block of UTF-8, and where each begins and ends."""

    def __getstate__(self) -> tuple[bytes, npt.NDArray[np.uint64]]: ...
    def __setstate__(self, state: tuple[bytes, npt.NDArray[np.uint64]]) -> None: ...
    def __len__(self) -> int: ...
    def __getitem__(self, index: int) -> str: ...
    def __iter__(self) -> Iterator[str]: ...
    @property
    def nbytes(self) -> int: ...

def has_avx2() -> bool: ...
def kernels() -> str:
    """The instruction set that encoders use: avx512, avx2, neon or portable."""

def available_kernels() -> list[str]:
    """All that this processor has, the best first; the last is portable."""

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
    def __len__(self) -> int: ...
    def entries(self) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.uint32]]:
        """Fingerprints of n-grams, ascending, and how often each occurs."""

    def merge(self, other: Frequencies) -> None:
        """Add what was counted, with least=1, in another part of a corpus."""

    def at_least(self, least: int) -> Frequencies: ...
    @property
    def nbytes(self) -> int: ...
    @property
    def words(self) -> int: ...
    @property
    def documents(self) -> int: ...

class Nist(Kernel):
    """Lengths, information of the matched n-grams and n-gram totals."""

    def __init__(
        self,
        frequencies: Frequencies,
        *,
        order: int,
        ref_length: str,
        zero_is_nothing: bool,
        start: bool = False,
        end: bool = False,
        enclosing: int = 0,
    ) -> None: ...

class NltkNist(Kernel):
    """The same of NLTK, then 1, and reference length and information from the segment alone."""

    def __init__(self, frequencies: Frequencies, *, order: int) -> None: ...

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

def ngram_similarities(
    similarities: npt.NDArray[np.float64],
    hyp_weights: npt.NDArray[np.float64],
    hyp_sizes: npt.NDArray[np.int64],
    ref_weights: npt.NDArray[np.float64],
    ref_sizes: npt.NDArray[np.int64],
    *,
    order: int,
    threads: int,
) -> npt.NDArray[np.float64]:
    """Precision and recall of pairs of texts, from how similar their words are: [pairs, 2]."""

def substring_similarities(
    hyp: list[str], ref: list[str], *, bytes: bool
) -> npt.NDArray[np.float64]:
    """Twice the longest common substring of two words over both lengths: [hyp, ref]."""

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

class Beer(Kernel):
    """Pieces of both texts and matches for BEER's characters, words and pairs of words; lengths."""

    def __init__(self) -> None: ...

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

class Cooccurrence:
    """Counts of words and of pairs "table word|||text word"."""

    def __init__(self, keys: Texts, counts: list[float]) -> None: ...

class Parent(Kernel):
    """F, 1, precision, recall, reference recall, table recall and λ, for the best reference."""

    def __init__(
        self, *, order: int, smoothing: float, lambda_weight: float, model: Cooccurrence | None
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

class ColumnSums:
    """Exact sums of columns, of which any number can be merged in any order."""

    def __init__(self, parts: Sequence[Sequence[float]]) -> None: ...
    def add(self, rows: npt.NDArray[np.float64]) -> None: ...
    def merge(self, other: ColumnSums) -> None: ...
    def parts(self) -> list[list[float]]:
        """Numbers that add up to each column's sum exactly, and depend on nothing but it."""

    def rounded(self) -> npt.NDArray[np.float64]: ...

def bootstrap_totals(
    rows: npt.NDArray[np.float64], state: npt.NDArray[np.uint64], resamples: int
) -> npt.NDArray[np.float64]:
    """Sums of resampled rows; `state` is the state and the increment of NumPy's PCG64."""

def poisson_totals(
    rows: npt.NDArray[np.float64], *, first: int, seed: int, resamples: int
) -> npt.NDArray[np.float64]:
    """Sums of rows, each as often as its number in the corpus says; parts may be added."""

class Picks:
    """Sums of the rows that the trials of a randomisation pick, by the bits of random words."""

    def __init__(self, words: npt.NDArray[np.uint32], trials: int, size: int) -> None: ...
    def sums(
        self, tables: list[npt.NDArray[np.float64]], *, threads: int
    ) -> list[npt.NDArray[np.float64]]: ...

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

class WordSetStage(Stage):
    """Words that share a synset or a base form."""

    def __init__(self, *, lexicon: Lexicon, hyp: str, ref: str, stemmer: str) -> None: ...

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
    """Score, 1, agreement, P, R, BP, reference words linked, |h|, |r|, for the best reference."""

    def __init__(
        self,
        *,
        measure: str,
        contexts: str,
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

def word_order(hyp: Sequence[str], ref: Sequence[str], contexts: str) -> list[tuple[int, int]]: ...

class Tercom(Kernel):
    """Edits, mean reference length, and tercom's counts of edits."""

    def __init__(self, *, shift_size: int, shift_distance: int, beam: int) -> None: ...

class TerpPhrases:
    """A table of phrases of references and what may stand for them."""

    def __init__(self) -> None: ...
    def add(self, ref: Sequence[str], hyp: Sequence[str], probability: float) -> None: ...
    def __len__(self) -> int: ...

class Terp(Kernel):
    """Cost of the edits, mean reference length, and counts of edits."""

    def __init__(
        self,
        *,
        costs: Sequence[float],
        adjustment: Sequence[float],
        beam: float,
        shift_size: int,
        shift_distance: int,
        relaxed: bool,
        stems: bool,
        synonyms: Lexicon | None,
        phrases: TerpPhrases | None,
        stop_words: set[str],
    ) -> None: ...
    def script(
        self, hyp: Sequence[str], ref: Sequence[str]
    ) -> tuple[list[tuple[int, int, int]], list[tuple[str, int, int]]]:
        """Shifts (start, length, before which word), and edits with the words they take."""

class Wer(Kernel):
    """Distance, reference length, hypothesis length; of the next classes too."""

    def __init__(self, *, ref_length: str) -> None: ...

class Cder(Kernel):
    def __init__(self, *, ref_length: str) -> None: ...

class Cer(Kernel):
    def __init__(self, *, ref_length: str) -> None: ...

class Per(Kernel):
    def __init__(self, *, order: int, start: bool, end: bool, ref_length: str) -> None: ...

class Invwer(Kernel):
    def __init__(self, *, max_length: int, ref_length: str) -> None: ...

class Recognition(Kernel):
    """Hits, substitutions, insertions and deletions."""

    def __init__(self, *, information: bool) -> None: ...

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

    def __init__(self, *, moves: bool, substitutions: bool = True) -> None: ...

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
    """Fewest edits: match, substitute, insert (only h has it), delete (only r), and the places."""

def recognition_script(hyp_words: Texts, ref_words: Texts) -> list[tuple[str, int, int]]:
    """The same, of the alignment that jiwer counts."""

def common_subsequence(hyp_words: Texts, ref_words: Texts) -> list[tuple[int, int]]:
    """Places in h and r of a longest common subsequence."""

def ter_script(
    hyp_words: Texts, ref_words: Texts, *, shift_size: int, shift_distance: int, candidates: int
) -> tuple[list[tuple[int, int, int]], list[tuple[str, int, int]]]:
    """TER's shifts as (start, length, target), each on the words as the ones before it left them,
    and the edits of the shifted words.
    """

class Lexicon:
    """WordNet's lemmas and synsets, and the base forms of words."""

    def __init__(
        self,
        *,
        lemma_bytes: npt.NDArray[np.uint8],
        lemma_starts: npt.NDArray[np.uint32],
        sense_starts: npt.NDArray[np.uint32],
        senses: npt.NDArray[np.uint32],
        offsets: npt.NDArray[np.uint32],
        part_starts: npt.NDArray[np.uint32],
        exceptions: npt.NDArray[np.uint8],
        inflected: bool,
        spelled_senses: npt.NDArray[np.uint32],
        spelled_starts: npt.NDArray[np.uint32],
        spelled_bytes: npt.NDArray[np.uint8],
    ) -> None: ...
    def __len__(self) -> int: ...
    def find(self, word: str) -> int: ...
    def lemma(self, number: int) -> str: ...
    def senses(self, lemma: int, part: int) -> list[int]: ...
    def bases(self, word: str, part: int) -> list[int]: ...
    def sets(
        self, words: list[str], kind: str
    ) -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.uint32]]: ...

class Paraphrases:
    """A paraphrase table of METEOR."""

    def __init__(self) -> None: ...
    def read(self, piece: bytes) -> None: ...
    def finish(self) -> None: ...
    @property
    def complete(self) -> bool: ...
    def __len__(self) -> int: ...

class MeteorNormaliser:
    """METEOR 1.5's tokeniser."""

    def __init__(
        self, *, apostrophes: str, punctuation: bool, prefixes: dict[str, bool]
    ) -> None: ...
    def __call__(self, text: str) -> str: ...

class MeteorNext(Kernel):
    """Lengths and matches by class of words, chunks, matched words."""

    def __init__(
        self,
        *,
        modules: list[str],
        weights: list[float],
        parameters: tuple[float, float, float, float, float],
        beam: int,
        characters: bool,
        function_words: set[str],
        lexicon: Lexicon | None,
        own_synonyms: bool,
        paraphrases: Paraphrases | None,
        stems: dict[str, str],
        copies: bool,
        copy_words: set[str],
        lonely_copies: bool,
        patterns: list[tuple[list[str], list[str]]],
        gap: int,
    ) -> None: ...
    def align(self, hyp: list[str], ref: list[str]) -> list[tuple[int, int, int, int, int]]: ...

def subtree_matches(
    labels: npt.NDArray[np.int32],
    heads: npt.NDArray[np.int32],
    starts: npt.NDArray[np.int64],
    first: npt.NDArray[np.int64],
    *,
    order: int,
    threads: int,
) -> npt.NDArray[np.float64]:
    """Common subtrees of each segment's first forest and its others, cut after 1, 2, ... levels."""

def tree_cosines(
    labels: npt.NDArray[np.int32],
    heads: npt.NDArray[np.int32],
    starts: npt.NDArray[np.int64],
    left: npt.NDArray[np.int64],
    right: npt.NDArray[np.int64],
    *,
    decay: float,
    threads: int,
) -> npt.NDArray[np.float64]:
    """Tree-kernel cosines of pairs of forests; heads are places in the forest, or -1."""

class Bert:
    """A BERT model; its layers are added one by one."""

    def __init__(
        self,
        words: npt.NDArray[np.float32],
        positions: npt.NDArray[np.float32],
        weight: npt.NDArray[np.float32],
        bias: npt.NDArray[np.float32],
        *,
        heads: int,
        epsilon: float,
    ) -> None: ...
    def add_layer(self, *weights: npt.NDArray[np.float32]) -> None: ...
    def set_kinds(self, kinds: npt.NDArray[np.float32]) -> None:
        """Vectors that are added to those of pieces, by kind."""
    def encode(
        self,
        ids: npt.NDArray[np.int32],
        starts: npt.NDArray[np.int64],
        layers: list[int],
        *,
        threads: int,
        kinds: npt.NDArray[np.int32] | None = None,
    ) -> npt.NDArray[np.float32]:
        """Of all texts after each other: [layers, pieces, width]."""

class BiLstm:
    """Long short-term memory in both directions; gates are input, forget, new and output."""

    def __init__(
        self,
        input: npt.NDArray[np.float32],
        recurrent: npt.NDArray[np.float32],
        bias: npt.NDArray[np.float32],
        back_input: npt.NDArray[np.float32],
        back_recurrent: npt.NDArray[np.float32],
        back_bias: npt.NDArray[np.float32],
    ) -> None: ...
    def __call__(
        self, x: npt.NDArray[np.float32], starts: npt.NDArray[np.int64], *, threads: int
    ) -> npt.NDArray[np.float32]:
        """Of all texts after each other: [rows, 2 * width]."""

def greedy_matches(
    vectors: npt.NDArray[np.float32],
    weights: npt.NDArray[np.float64],
    starts: npt.NDArray[np.int64],
    left: npt.NDArray[np.int64],
    right: npt.NDArray[np.int64],
    *,
    spread: bool = False,
    threads: int,
) -> npt.NDArray[np.float64]:
    """Weighted means of the best products of both sides of every pair: [pairs, 2]; with `spread`,
    also the least, the quartiles and the deviation of each side: [pairs, 12]."""

def index_words(
    bytes: npt.NDArray[np.uint8], starts: npt.NDArray[np.int64]
) -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.int64]]: ...
def invalid_word(bytes: npt.NDArray[np.uint8], starts: npt.NDArray[np.int64]) -> int:
    """The number of the first word that is not valid UTF-8; -1 if all are."""

class WordTable:
    """A table of `index_words`, checked when it is made."""

    def __init__(
        self,
        bytes: npt.NDArray[np.uint8],
        starts: npt.NDArray[np.int64],
        table: npt.NDArray[np.uint32],
    ) -> None: ...
    def find(self, words: Texts) -> npt.NDArray[np.int64]: ...

def parse_vectors(data: npt.NDArray[np.uint8], *, binary: bool) -> tuple[Any, ...]: ...
def number_words(
    texts: Texts, tokenizer: str, lowercase: bool, reading: Reading | None = None
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int64], Texts]: ...
def best_trees(
    scores: npt.NDArray[np.float32], sizes: npt.NDArray[np.int64], *, threads: int
) -> npt.NDArray[np.int32]:
    """The label of each span in the best tree of each sentence, 0 for none; spans by start, end."""

class Projection:
    """A linear layer."""

    def __init__(self, weight: npt.NDArray[np.float32], bias: npt.NDArray[np.float32]) -> None: ...
    def __call__(self, x: npt.NDArray[np.float32], *, threads: int) -> npt.NDArray[np.float32]: ...

class SpanScores:
    """Scores of spans by the gaps at their ends; label 0 is none."""

    def __init__(self, weight: npt.NDArray[np.float32], bias: npt.NDArray[np.float32]) -> None: ...
    def trees(
        self,
        left: npt.NDArray[np.float32],
        right: npt.NDArray[np.float32],
        sizes: npt.NDArray[np.int64],
        *,
        threads: int,
    ) -> npt.NDArray[np.int32]:
        """Rows of sentence, start, end and label: the best tree of each sentence."""
    def arguments(
        self,
        left: npt.NDArray[np.float32],
        right: npt.NDArray[np.float32],
        sizes: npt.NDArray[np.int64],
        predicates: npt.NDArray[np.int64],
        *,
        verb: int,
        threads: int,
    ) -> npt.NDArray[np.int32]:
        """Rows of problem, start, end and role: the best arguments of each predicate."""

def transport(
    left: npt.NDArray[np.float64],
    left_starts: npt.NDArray[np.int64],
    right: npt.NDArray[np.float64],
    right_starts: npt.NDArray[np.int64],
    costs: npt.NDArray[np.float64],
    *,
    flows: bool,
    threads: int,
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]: ...
def word_movers(
    points: npt.NDArray[np.float32],
    words: npt.NDArray[np.int32],
    starts: npt.NDArray[np.int64],
    left: npt.NDArray[np.int64],
    right: npt.NDArray[np.int64],
    *,
    threads: int,
) -> npt.NDArray[np.float64]: ...
def greedy_matching(
    points: npt.NDArray[np.float32],
    words: npt.NDArray[np.int32],
    starts: npt.NDArray[np.int64],
    left: npt.NDArray[np.int64],
    right: npt.NDArray[np.int64],
    *,
    threads: int,
) -> npt.NDArray[np.float64]: ...
def pooled_cosines(
    points: npt.NDArray[np.float32],
    words: npt.NDArray[np.int32],
    starts: npt.NDArray[np.int64],
    left: npt.NDArray[np.int64],
    right: npt.NDArray[np.int64],
    *,
    pooling: str,
    empty: float,
    threads: int,
) -> npt.NDArray[np.float64]: ...
def span_similarities(
    matrix: npt.NDArray[np.float64],
    hyp_weights: npt.NDArray[np.float64],
    ref_weights: npt.NDArray[np.float64],
    hyp_spans: npt.NDArray[np.int64],
    ref_spans: npt.NDArray[np.int64],
    *,
    order: int,
) -> npt.NDArray[np.float64]:
    """Precision and recall of n-grams of all pairs of phrases [start, end) of two texts."""

def transductions(
    pairs: npt.NDArray[np.float64],
    left: npt.NDArray[np.float64],
    right: npt.NDArray[np.float64],
    left_spans: npt.NDArray[np.int64],
    right_spans: npt.NDArray[np.int64],
    *,
    longest: int,
) -> npt.NDArray[np.float64]:
    """Best derivations of pairs of phrases by a bracketing transduction grammar; logarithms."""

class TooManyPairsError(Exception):
    """More pairs of words occur together than were allowed."""

class WordTranslations:
    """IBM model 1; given word 0 is no word, and is added to every text."""

    def __init__(
        self,
        given_words: npt.NDArray[np.uint32],
        given_starts: npt.NDArray[np.int64],
        given_vocabulary: int,
        words: npt.NDArray[np.uint32],
        starts: npt.NDArray[np.int64],
        vocabulary: int,
        *,
        most_pairs: int,
        threads: int,
    ) -> None: ...
    def iterate(self, *, threads: int) -> float: ...
    def entries(
        self, *, least: float
    ) -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.uint32], npt.NDArray[np.float64]]: ...
    @property
    def pairs(self) -> int: ...

class Trigrams:
    """Probabilities of words after two others, and orders of trees that they make likely."""

    def __init__(
        self,
        one: npt.NDArray[np.float64],
        one_left: npt.NDArray[np.float64],
        two_keys: npt.NDArray[np.int64],
        two: npt.NDArray[np.float64],
        two_left: npt.NDArray[np.float64],
        three_keys: npt.NDArray[np.int64],
        three: npt.NDArray[np.float64],
    ) -> None: ...
    def log_probability(self, first: int, second: int, word: int) -> float: ...
    def orders(
        self,
        words: npt.NDArray[np.uint32],
        heads: npt.NDArray[np.int32],
        sides: npt.NDArray[np.float64],
        starts: npt.NDArray[np.int64],
        sisters: npt.NDArray[np.int32],
        orders: npt.NDArray[np.float64],
        pair_starts: npt.NDArray[np.int64],
        *,
        start: int,
        end: int,
        beam: int,
        variants: int,
        best: int,
        threads: int,
    ) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float64], npt.NDArray[np.int32]]: ...
