"""The native core of Demotic. Private: import from `demotic`."""

from collections.abc import Callable, Sequence
import enum
from typing import Annotated, overload

import numpy
from numpy.typing import NDArray


class EncodingErrors(enum.Enum):
    """What to do with malformed UTF-8."""

    refuse = 0

    replace = 1

    skip = 2

class LineNotices:
    """Numbers of repaired lines by kind of repair."""

    def __init__(self) -> None: ...

    def __add__(self, other: LineNotices) -> LineNotices: ...

    @property
    def byte_order_marks(self) -> int: ...

    @property
    def carriage_returns(self) -> int: ...

    @property
    def controls(self) -> int: ...

    @property
    def replaced(self) -> int: ...

    @property
    def skipped(self) -> int: ...

class Lines:
    """Lines of clean UTF-8 text in one flat string."""

    def __init__(self) -> None: ...

    def append(self, line: str) -> None: ...

    def extend(self, other: Lines) -> None: ...

    def __len__(self) -> int: ...

    def __getitem__(self, index: int) -> str: ...

    def tolist(self) -> list[str]: ...

    def slice(self, begin: int, end: int) -> Lines:
        """A copy of some lines."""

    def digest(self, seed: int) -> int:
        """
        A hash of all lines, chained: the digest of a text does not depend on its division.
        """

    def numbers(self, begin: int, end: int, width: int) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
        """
        The numbers of lines of `width` numbers each, up to the first line that is not one.
        """

    @property
    def byte_size(self) -> int: ...

class LineParser:
    """Turns bytes in chunks of any size into clean lines."""

    def __init__(self, name: str, encoding_errors: EncodingErrors, keep_tabs: bool) -> None: ...

    def feed(self, chunk: bytes) -> None: ...

    def finish(self) -> None: ...

    def take(self) -> Lines: ...

    @property
    def notices(self) -> LineNotices: ...

    @property
    def lines_seen(self) -> int: ...

CONTAINER_VERSION: int = 1

def crc32c(data: bytes) -> int:
    """The checksum of containers."""

class Container:
    """A file of named, checksummed arrays, mapped for reading."""

    def __init__(self, path: str, kind: str, kind_version: int) -> None: ...

    def verify(self) -> None: ...

    @property
    def path(self) -> str: ...

    @property
    def size_bytes(self) -> int: ...

    @property
    def sections(self) -> dict[str, int]:
        """Bytes by section name."""

    def section(self, name: str) -> bytes:
        """A copy of a section of single bytes."""

class ContainerWriter:
    """Writes a container; without commit, nothing is left."""

    def __init__(self, path: str, kind: str, kind_version: int) -> None: ...

    def begin_section(self, name: str) -> None: ...

    def append(self, data: bytes) -> None: ...

    def commit(self) -> None: ...

UNKNOWN: int = 0

SENTENCE_BEGIN: int = 1

SENTENCE_END: int = 2

RESERVED_WORDS: int = 3

MAX_WORD_BYTES: int = 4096

class Vocabulary:
    """Words and their ids; immutable."""

    @staticmethod
    def open(path: str, verify: bool) -> Vocabulary: ...

    def save(self, path: str) -> None: ...

    def __len__(self) -> int: ...

    def __contains__(self, word: str) -> bool: ...

    def find(self, word: str) -> int:
        """The word's id, or UNKNOWN."""

    def word(self, id: int) -> str: ...

    def words(self) -> list[str]:
        """All words in the order of their ids."""

    def map(self, other: Vocabulary) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]:
        """The id in this vocabulary of each word of another."""

    def __repr__(self) -> str: ...

class VocabularyBuilder:
    """Collects words; ids in order of appearance."""

    def __init__(self) -> None: ...

    def add(self, word: str) -> int: ...

    def __len__(self) -> int: ...

    def finish(self) -> Vocabulary: ...

class Corpus:
    """Sentences as word ids in flat arrays; immutable."""

    def __init__(self, offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], words: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None:
        """Copies the arrays."""

    @staticmethod
    def open(path: str, verify: bool) -> Corpus: ...

    def save(self, path: str) -> None: ...

    def __len__(self) -> int: ...

    @property
    def offsets(self) -> Annotated[NDArray[numpy.int64], dict(shape=(None,), writable=False)]:
        """Offset of each sentence in `words`, plus one at the end."""

    @property
    def words(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,), writable=False)]: ...

    def counts(self, words: int) -> Annotated[NDArray[numpy.int64], dict(shape=(None,))]:
        """The number of occurrences of each id below `words`."""

class CorpusBuilder:
    """Encodes lines while the vocabulary grows."""

    def __init__(self, vocabulary: VocabularyBuilder) -> None: ...

    def add(self, lines: Lines) -> None: ...

    @property
    def capped_tokens(self) -> int: ...

    def finish(self) -> Corpus: ...

def encode(vocabulary: Vocabulary, lines: Lines, threads: int) -> Corpus: ...

def decode(vocabulary: Vocabulary, corpus: Corpus) -> Lines: ...

def suffix_array(text: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], words: int) -> Annotated[NDArray[numpy.uint32], dict(shape=(None,))]:
    """
    The positions of all suffixes of a text of words in lexicographic order.
    """

class BrownOptions:
    def __init__(self) -> None: ...

    @property
    def classes(self) -> int: ...

    @classes.setter
    def classes(self, arg: int, /) -> None: ...

    @property
    def min_count(self) -> int: ...

    @min_count.setter
    def min_count(self, arg: int, /) -> None: ...

    @property
    def max_words(self) -> int: ...

    @max_words.setter
    def max_words(self, arg: int, /) -> None: ...

class BrownClusters:
    """See demotic.text.brown.BrownClusters."""

    @property
    def word_class(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,), writable=False)]:
        """Class per word id; -1 for words without a class."""

    @property
    def counts(self) -> Annotated[NDArray[numpy.int64], dict(shape=(None,), writable=False)]:
        """By word id."""

    @property
    def bits(self) -> list[str]: ...

    @property
    def information(self) -> float: ...

    @property
    def pairs(self) -> int: ...

    @property
    def merge_kept(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]: ...

    @property
    def merge_gone(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]: ...

    @property
    def merge_loss(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...

def brown_clusters(corpus: Corpus, words: int, options: BrownOptions, progress: object | None) -> BrownClusters: ...

NONE_CLASS: int = 0

NONE_NAME: str = '-'

class ClassLayer:
    """A class for every word id, and a name for every class; immutable."""

    def __init__(self, name: str, classes: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', writable=False)], names: Sequence[str]) -> None: ...

    @staticmethod
    def open(path: str, verify: bool) -> ClassLayer: ...

    def save(self, path: str) -> None: ...

    @property
    def name(self) -> str: ...

    @property
    def classes(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,), writable=False)]:
        """By word id."""

    @property
    def names(self) -> list[str]:
        """By class; the first is '-', for none."""

    def __len__(self) -> int:
        """The number of words it covers."""

    def __getitem__(self, word: int) -> int:
        """The class of a word id."""

    def class_name(self, id: int) -> str: ...

    def __repr__(self) -> str: ...

class SegmenterOptions:
    def __init__(self) -> None: ...

    @property
    def max_units(self) -> int: ...

    @max_units.setter
    def max_units(self, arg: int, /) -> None: ...

    @property
    def min_count(self) -> int: ...

    @min_count.setter
    def min_count(self, arg: int, /) -> None: ...

    @property
    def min_gain(self) -> float: ...

    @min_gain.setter
    def min_gain(self, arg: float, /) -> None: ...

    @property
    def cost(self) -> float: ...

    @cost.setter
    def cost(self, arg: float, /) -> None: ...

class LearntWords:
    """Words as ids of units, with natural log probabilities."""

    def __init__(self, words: Sequence[Sequence[int]], log_probs: Sequence[float]) -> None: ...

    def __len__(self) -> int: ...

    def word(self, index: int) -> list[int]:
        """The ids of its units."""

    @property
    def log_probs(self) -> list[float]: ...

def learn_segmenter(runs: Corpus, units: int, options: SegmenterOptions, threads: int, progress: object | None) -> LearntWords: ...

def expected_counts(runs: Corpus, model: LearntWords, threads: int) -> tuple[list[float], float]: ...

class Segmenter:
    """Joins units to the most probable words; immutable."""

    def __init__(self, words: Sequence[str], log_probs: Sequence[float]) -> None: ...

    def __len__(self) -> int: ...

    def segment(self, units: Sequence[str]) -> list[int]:
        """The number of units of each word."""

class Alignments:
    """Links (source, target) of sentence pairs in flat arrays; immutable."""

    @staticmethod
    def from_lists(lists: Sequence[Sequence[tuple[int, int]]]) -> Alignments: ...

    @staticmethod
    def parse(lines: Lines, name: str) -> Alignments:
        """From lines like '0-0 1-2'."""

    @staticmethod
    def from_arrays(offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], links: Annotated[NDArray[numpy.int32], dict(shape=(None, 2), order='C', device='cpu', writable=False)]) -> Alignments:
        """Copies the arrays."""

    def format(self) -> Lines:
        """Lines like '0-0 1-2'."""

    def __len__(self) -> int: ...

    def __getitem__(self, index: int) -> list[tuple[int, int]]: ...

    def __eq__(self, other: object, /) -> bool: ...

    def __repr__(self) -> str: ...

    @property
    def offsets(self) -> Annotated[NDArray[numpy.int64], dict(shape=(None,), writable=False)]:
        """Offset of the links of each pair, plus one at the end."""

    @property
    def links(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None, 2), writable=False)]:
        """All links, one row each."""

class AlignmentModel(enum.Enum):
    ibm1 = 0

    diagonal = 1

    hmm = 2

class Symmetrization(enum.Enum):
    forward = 0

    backward = 1

    intersection = 2

    union = 3

    gd = 4

    gdf = 5

    gdfa = 6

class TrainOptions:
    def __init__(self) -> None: ...

    @property
    def model(self) -> AlignmentModel: ...

    @model.setter
    def model(self, arg: AlignmentModel, /) -> None: ...

    @property
    def initial_model(self) -> AlignmentModel: ...

    @initial_model.setter
    def initial_model(self, arg: AlignmentModel, /) -> None: ...

    @property
    def iterations(self) -> int: ...

    @iterations.setter
    def iterations(self, arg: int, /) -> None: ...

    @property
    def initial_iterations(self) -> int: ...

    @initial_iterations.setter
    def initial_iterations(self, arg: int, /) -> None: ...

    @property
    def null_probability(self) -> float: ...

    @null_probability.setter
    def null_probability(self, arg: float, /) -> None: ...

    @property
    def alpha(self) -> float: ...

    @alpha.setter
    def alpha(self, arg: float, /) -> None: ...

    @property
    def agree(self) -> bool: ...

    @agree.setter
    def agree(self, arg: bool, /) -> None: ...

    @property
    def l0(self) -> bool: ...

    @l0.setter
    def l0(self, arg: bool, /) -> None: ...

    @property
    def l0_alpha(self) -> float: ...

    @l0_alpha.setter
    def l0_alpha(self, arg: float, /) -> None: ...

    @property
    def l0_beta(self) -> float: ...

    @l0_beta.setter
    def l0_beta(self, arg: float, /) -> None: ...

    @property
    def tension(self) -> float: ...

    @tension.setter
    def tension(self, arg: float, /) -> None: ...

    @property
    def optimize_tension(self) -> bool: ...

    @optimize_tension.setter
    def optimize_tension(self, arg: bool, /) -> None: ...

    @property
    def max_jump(self) -> int: ...

    @max_jump.setter
    def max_jump(self, arg: int, /) -> None: ...

    @property
    def jump_uniform(self) -> float: ...

    @jump_uniform.setter
    def jump_uniform(self, arg: float, /) -> None: ...

    @property
    def max_length(self) -> int: ...

    @max_length.setter
    def max_length(self, arg: int, /) -> None: ...

    @property
    def max_cells(self) -> int: ...

    @max_cells.setter
    def max_cells(self, arg: int, /) -> None: ...

    @property
    def memory(self) -> int: ...

    @memory.setter
    def memory(self, arg: int, /) -> None: ...

class AlignmentPriors:
    """Pseudo-counts that training starts from."""

    def __init__(self) -> None: ...

    @staticmethod
    def of(pairs: Sequence[tuple[int, int, float]], forward_jumps: Sequence[float], backward_jumps: Sequence[float]) -> AlignmentPriors: ...

class NativeAligner:
    """A trained word aligner; immutable."""

    @property
    def model(self) -> AlignmentModel: ...

    @property
    def used(self) -> int: ...

    @property
    def empty(self) -> int: ...

    @property
    def too_long(self) -> int: ...

    @property
    def max_length(self) -> int: ...

    @property
    def null_probability(self) -> float: ...

    @property
    def tension(self) -> list[float]: ...

    @property
    def pairs(self) -> int: ...

    @property
    def log_likelihoods(self) -> list[tuple[float, float]]: ...

    def jumps(self, backward: bool) -> list[float]:
        """
        Weights of jump widths, from the widest backward to the widest forward.
        """

    def translation(self, source: int, target: int) -> tuple[float, float]:
        """p(target | source) and p(source | target)."""

    @property
    def row_offsets(self) -> Annotated[NDArray[numpy.int64], dict(shape=(None,), writable=False)]:
        """Offset of each source word's pairs, plus one at the end."""

    @property
    def row_targets(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,), writable=False)]:
        """The target word of each pair."""

    @property
    def probabilities(self) -> Annotated[NDArray[numpy.float32], dict(shape=(None, 2), writable=False)]:
        """p(target | source) and p(source | target) of each pair."""

    @property
    def forward_null(self) -> Annotated[NDArray[numpy.float32], dict(shape=(None,), writable=False)]: ...

    @property
    def backward_null(self) -> Annotated[NDArray[numpy.float32], dict(shape=(None,), writable=False)]: ...

    def align(self, source: Corpus, target: Corpus, symmetrization: Symmetrization, threshold: float, threads: int, progress: object | None) -> tuple[Alignments, int]: ...

    def posteriors(self, source: Corpus, target: Corpus, index: int) -> tuple[NDArray[numpy.float32], NDArray[numpy.float32], float, float]:
        """p(link) and log-likelihood of one pair, forward and backward."""

class AlignerFile:
    """An aligner with its vocabulary."""

    def __init__(self, aligner: NativeAligner, vocabulary: Vocabulary) -> None: ...

    @staticmethod
    def open(path: str, verify: bool) -> AlignerFile: ...

    def save(self, path: str) -> None: ...

    @property
    def aligner(self) -> NativeAligner: ...

    @property
    def vocabulary(self) -> Vocabulary: ...

def train_aligner(source: Corpus, target: Corpus, options: TrainOptions, priors: AlignmentPriors, threads: int, progress: object | None) -> NativeAligner: ...

def symmetrize(kind: Symmetrization, forward: Alignments, backward: Alignments) -> Alignments: ...

def exp_digamma(x: float) -> float: ...

def sparse_maximize(counts: Sequence[float], probabilities: Sequence[float], alpha: float, beta: float) -> tuple[list[float], float]:
    """
    The M-step of one word under the l0 prior, and the value of its objective.
    """

class StreamBatch:
    """The links of a batch of sentence pairs, as text."""

    @property
    def text(self) -> bytes:
        """One line per pair."""

    @property
    def pairs(self) -> int: ...

    @property
    def links(self) -> int: ...

    @property
    def empty(self) -> int: ...

    @property
    def cut(self) -> int: ...

class AlignerStream:
    """Aligns batches of lines; one batch at a time."""

    def __init__(self, aligner: NativeAligner, vocabulary: Vocabulary, symmetrization: Symmetrization, threshold: float, scores: bool, posteriors: bool, threads: int) -> None: ...

    def align(self, source: Lines, target: Lines) -> StreamBatch: ...

def split_pairs(lines: Lines, tsv: bool, source: int, target: int, name: str, first_line: int) -> tuple[Lines, Lines]:
    """Both sides of lines that hold a sentence pair each."""

def map_rules(from_: RuleStore, to: RuleStore) -> Annotated[NDArray[numpy.uint32], dict(shape=(None,))]:
    """
    The rule of the second store that equals each rule of the first; 2**32 - 1 if none does.
    """

MAX_GAP_SIZE: int = 10

class DistortionCounts:
    """
    How often gaps were in order or reordered, by source words: 1, 2, ... MAX_GAP_SIZE or more.
    """

    def __init__(self, in_order: Sequence[int], reordered: Sequence[int]) -> None: ...

    @property
    def in_order(self) -> list[int]: ...

    @property
    def reordered(self) -> list[int]: ...

class RuleKind(enum.Enum):
    phrase = 0

    hiero = 1

class ReorderingModel(enum.Enum):
    none = 0

    backward = 1

    bidirectional = 2

class Smoothing(enum.Enum):
    none = 0

    good_turing = 1

    kneser_ney = 2

class OrientationModel(enum.Enum):
    word = 0

    hierarchical = 1

class HieroExtractOptions:
    def __init__(self) -> None: ...

    @property
    def max_initial(self) -> int: ...

    @max_initial.setter
    def max_initial(self, arg: int, /) -> None: ...

    @property
    def max_source_symbols(self) -> int: ...

    @max_source_symbols.setter
    def max_source_symbols(self, arg: int, /) -> None: ...

    @property
    def max_gaps(self) -> int: ...

    @max_gaps.setter
    def max_gaps(self, arg: int, /) -> None: ...

    @property
    def min_gap(self) -> int: ...

    @min_gap.setter
    def min_gap(self, arg: int, /) -> None: ...

    @property
    def tight(self) -> bool: ...

    @tight.setter
    def tight(self, arg: bool, /) -> None: ...

    @property
    def adjacent_gaps(self) -> bool: ...

    @adjacent_gaps.setter
    def adjacent_gaps(self, arg: bool, /) -> None: ...

    @property
    def require_link(self) -> bool: ...

    @require_link.setter
    def require_link(self, arg: bool, /) -> None: ...

    @property
    def share_count(self) -> bool: ...

    @share_count.setter
    def share_count(self, arg: bool, /) -> None: ...

    @property
    def min_gapped_count(self) -> float: ...

    @min_gapped_count.setter
    def min_gapped_count(self, arg: float, /) -> None: ...

class ExtractOptions:
    def __init__(self) -> None: ...

    @property
    def kind(self) -> RuleKind: ...

    @kind.setter
    def kind(self, arg: RuleKind, /) -> None: ...

    @property
    def max_phrase(self) -> int: ...

    @max_phrase.setter
    def max_phrase(self, arg: int, /) -> None: ...

    @property
    def tight(self) -> bool: ...

    @tight.setter
    def tight(self, arg: bool, /) -> None: ...

    @property
    def hiero(self) -> HieroExtractOptions: ...

    @hiero.setter
    def hiero(self, arg: HieroExtractOptions, /) -> None: ...

    @property
    def reordering(self) -> ReorderingModel: ...

    @reordering.setter
    def reordering(self, arg: ReorderingModel, /) -> None: ...

    @property
    def orientation(self) -> OrientationModel: ...

    @orientation.setter
    def orientation(self, arg: OrientationModel, /) -> None: ...

    @property
    def reordering_smoothing(self) -> float: ...

    @reordering_smoothing.setter
    def reordering_smoothing(self, arg: float, /) -> None: ...

    @property
    def extra_scores(self) -> list[str]: ...

    @extra_scores.setter
    def extra_scores(self, arg: Sequence[str], /) -> None: ...

    @property
    def min_count(self) -> int: ...

    @min_count.setter
    def min_count(self, arg: int, /) -> None: ...

    @property
    def significance(self) -> float: ...

    @significance.setter
    def significance(self, arg: float, /) -> None: ...

    @property
    def keep_word_pairs(self) -> bool: ...

    @keep_word_pairs.setter
    def keep_word_pairs(self, arg: bool, /) -> None: ...

    @property
    def smoothing(self) -> Smoothing: ...

    @smoothing.setter
    def smoothing(self, arg: Smoothing, /) -> None: ...

    @property
    def distortion_sentences(self) -> int: ...

    @distortion_sentences.setter
    def distortion_sentences(self, arg: int, /) -> None: ...

    @property
    def memory(self) -> int: ...

    @memory.setter
    def memory(self, arg: int, /) -> None: ...

    @property
    def threads(self) -> int: ...

    @threads.setter
    def threads(self, arg: int, /) -> None: ...

class ExtractReport:
    @property
    def sentences(self) -> int: ...

    @property
    def too_long(self) -> int: ...

    @property
    def occurrences(self) -> int: ...

    @property
    def rules(self) -> int: ...

    @property
    def removed(self) -> int: ...

    @property
    def distortion(self) -> DistortionCounts: ...

class RuleStore:
    """All rules of a model; immutable."""

    @staticmethod
    def open(path: str, verify: bool) -> RuleStore: ...

    @staticmethod
    def open_with(path: str, added: Sequence[str], verify: bool) -> RuleStore:
        """An indexed bitext with others that were added to it."""

    @property
    def on_demand(self) -> bool:
        """
        Whether rules are extracted from an indexed bitext when they are needed.
        """

    @property
    def pairs(self) -> int:
        """Sentence pairs of an indexed bitext, else 0."""

    def prepare(self, sentences: Corpus, span_limit: int, threads: int) -> None:
        """
        Extracts and scores the rules of these sentences that cover at most `span_limit` words (0 for no limit), if on demand.
        """

    def first_words(self) -> list[int]:
        """The words with which source sides begin, ascending."""

    def __len__(self) -> int: ...

    @property
    def nodes(self) -> int: ...

    @property
    def score_names(self) -> list[str]: ...

    @property
    def labels(self) -> list[str]: ...

    @property
    def size_bytes(self) -> int: ...

    def child(self, node: int, symbol: int) -> int: ...

    def children(self, node: int) -> list[int]:
        """The symbols on the edges below a node of the trie."""

    def rules(self, node: int) -> tuple[int, int]:
        """The first rule of a node and the end of its rules."""

    def source_count(self, node: int) -> float: ...

    def target(self, rule: int) -> list[int]: ...

    def target_count(self, rule: int) -> float: ...

    def links(self, rule: int) -> list[tuple[int, int]]: ...

    def scores(self, rule: int) -> list[float]: ...

    def reordered_gaps(self, rule: int) -> list[bool]:
        """Whether each gap, in source order, crosses a link or another gap."""

    def lhs(self, rule: int) -> int: ...

    def occurrences(self, rule: int) -> int: ...

    def count(self, rule: int) -> float: ...

    def last_sentence(self) -> int:
        """
        The last sentence pair that is the only one with some rule; -1 if none is known.
        """

    def only_sentence(self, rule: int) -> int:
        """
        The sentence pair that a rule was extracted from, if it is the only one; otherwise -1.
        """

class LexicalTable:
    """Word translation probabilities over links."""

    def __init__(self, missing: float) -> None: ...

    def set_target_given_source(self, source: int, target: int, w: float) -> None: ...

    def set_source_given_target(self, source: int, target: int, w: float) -> None: ...

    def target_given_source(self, source: int, target: int) -> float: ...

    def source_given_target(self, source: int, target: int) -> float: ...

    def entries(self) -> list[tuple[int, int, float, float]]:
        """
        (source, target, w(t|s), w(s|t)) for every linked pair; id 0 stands for NULL.
        """

def count_lexicon(source: Corpus, target: Corpus, links: Sequence[Alignments]) -> LexicalTable: ...

def operation_text(source: Corpus, target: Corpus, links: Alignments, vocabulary: Vocabulary) -> tuple[Corpus, Vocabulary]:
    """The operations that generate each pair, as a corpus, and their names."""

def extract_rules(source: Corpus, target: Corpus, links: Sequence[Alignments], lexicon: LexicalTable, path: str, options: ExtractOptions, progress: object | None) -> ExtractReport: ...

def score_pairs(source: Corpus, target: Corpus, links: Sequence[Alignments], lexicon: LexicalTable, path: str, options: ExtractOptions, progress: object | None) -> ExtractReport: ...

class SampleOptions:
    def __init__(self) -> None: ...

    @property
    def sample(self) -> int: ...

    @sample.setter
    def sample(self, arg: int, /) -> None: ...

    @property
    def seed(self) -> int: ...

    @seed.setter
    def seed(self, arg: int, /) -> None: ...

    @property
    def counted_pairs(self) -> int: ...

    @counted_pairs.setter
    def counted_pairs(self, arg: int, /) -> None: ...

def write_bitext_index(source: Corpus, target: Corpus, links: Sequence[Alignments], path: str, options: ExtractOptions, sampling: SampleOptions, progress: object | None) -> ExtractReport:
    """Writes an indexed bitext, from which rules are extracted on demand."""

def match_phrases(store: RuleStore, words: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', writable=False)]) -> list[tuple[int, int, int, int]]:
    """
    (begin, end, first rule, end of rules) for every span of a sentence that has rules.
    """

class TableFormat(enum.Enum):
    """The format of a line."""

    moses_phrases = 0

    moses_hiero = 1

    scfg = 2

class Duplicates(enum.Enum):
    """What to do if a rule is on two lines."""

    refuse = 0

    last = 1

class TableReport:
    """A report about the lines of rule tables."""

    @property
    def rules(self) -> int: ...

    @property
    def replaced(self) -> int: ...

    @property
    def properties(self) -> int: ...

    @property
    def capped(self) -> int: ...

    @property
    def unused(self) -> int: ...

    @property
    def missing(self) -> int: ...

class RuleTable:
    """Rules read from text tables, to be written as a store."""

    def __init__(self, vocabulary: VocabularyBuilder) -> None: ...

    def __len__(self) -> int: ...

    @property
    def columns(self) -> list[str]: ...

    def add_column(self, name: str) -> None:
        """Reserves a column before any rule has it."""

    def write(self, path: str, duplicates: Duplicates, progress: object | None) -> TableReport: ...

class TableReader:
    """Reads the lines of one table, in pieces."""

    def add(self, lines: Lines) -> None: ...

def read_table(table: RuleTable, format: TableFormat, name: str, prefix: str, scores: int) -> TableReader: ...

def read_reordering(table: RuleTable, name: str, columns: Sequence[str], missing: Sequence[float]) -> TableReader: ...

class TablePrinter:
    """Prints the rules of a store as text, in pieces."""

    def __init__(self, store: RuleStore, vocabulary: Vocabulary, format: TableFormat, columns: Sequence[int], sides_and_scores: bool, constant: str) -> None: ...

    def next(self) -> str: ...

    @property
    def printed(self) -> int:
        """Number of rules printed so far."""

MAX_LM_ORDER: int = 10

class NgramModel:
    """N-grams with probabilities, as lists."""

    @property
    def order(self) -> int: ...

    @property
    def counts(self) -> list[int]: ...

    @property
    def vocabulary(self) -> Vocabulary: ...

class ArpaReader:
    """Reads the bytes of an ARPA file into n-grams."""

    def __init__(self, name: str, marks_may_miss: bool) -> None: ...

    def feed(self, chunk: bytes) -> None: ...

    def finish(self) -> NgramModel: ...

class ArpaWriter:
    """Writes the text of an ARPA file in pieces."""

    def __init__(self, ngrams: NgramModel, table: TableFormat | None = None) -> None:
        """
        Words are escaped as in rule tables of the format `table` if one is given.
        """

    def next(self, threads: int) -> str:
        """The next few megabytes; empty at the end."""

class LmState:
    """The part of a context that matters; equal states have equal futures."""

    def __eq__(self, other: object | None) -> bool: ...

    def __hash__(self) -> int: ...

    @property
    def node(self) -> int: ...

class LanguageModel:
    """A back-off model for queries; immutable."""

    @staticmethod
    def build(ngrams: NgramModel, quantized: bool) -> LanguageModel: ...

    @staticmethod
    def open(path: str, verify: bool) -> LanguageModel: ...

    def save(self, path: str) -> None: ...

    def ngrams(self) -> NgramModel: ...

    @property
    def order(self) -> int: ...

    @property
    def counts(self) -> list[int]: ...

    @property
    def vocabulary(self) -> Vocabulary: ...

    def with_classes(self, words: Vocabulary, classes: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> LanguageModel:
        """
        The same model of classes as a model of words, given the class of each word.
        """

    @property
    def has_classes(self) -> bool: ...

    @property
    def classes(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,), writable=False)]:
        """The class of each of `words`; empty for a model of words."""

    @property
    def words(self) -> Vocabulary:
        """The words that the model knows; the vocabulary unless it has classes."""

    @property
    def size_bytes(self) -> int: ...

    @property
    def quantized(self) -> bool: ...

    def map(self, other: Vocabulary) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]:
        """The model's id of each word of another vocabulary."""

    @property
    def empty_state(self) -> LmState: ...

    @property
    def begin_state(self) -> LmState: ...

    def length(self, state: LmState) -> int:
        """Number of words in the state's context."""

    def score(self, state: LmState, word: int) -> tuple[float, LmState]:
        """ln p(word | state) and the state after it."""

    def step(self, state: LmState, word: str) -> tuple[float, LmState]:
        """
        The same for a word spelled as in an ARPA file, where <s> and </s> are the markers.
        """

    def sentence_score(self, sentence: str, begin: bool, end: bool) -> float:
        """ln p of words separated by spaces, with </s> if `end`."""

    def word_scores(self, words: list[str], begin: bool, end: bool) -> list[float]:
        """ln p of each word of a sentence, and of </s> if `end`."""

    def match(self, state: LmState, word: int) -> tuple[float, LmState, int, bool]:
        """
        log10 p(word | state), the state after it, the length of the matched n-gram, and whether some n-gram extends it to the left.
        """

class LmCursor:
    """Scores a text word by word; advances with every score."""

    def __init__(self, model: LanguageModel, state: LmState) -> None: ...

    def score(self, word: str, /) -> float:
        """
        ln p(word | words so far), and advances; `word` is spelled as in an ARPA file.
        """

    def begin(self) -> None:
        """Returns to the beginning of a sentence."""

    @property
    def state(self) -> LmState:
        """The current state; can be set."""

    @state.setter
    def state(self, arg: LmState, /) -> None: ...

def score_corpus(model: LanguageModel, corpus: Corpus, words: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], begin: bool, end: bool, tokens: bool, threads: int, progress: object | None) -> tuple[Annotated[NDArray[numpy.float64], dict(shape=(None,))], Annotated[NDArray[numpy.int64], dict(shape=(None,))], Annotated[NDArray[numpy.float32], dict(shape=(None,))]]:
    """
    log10 and unknown words per sentence, and log10 per token if requested.
    """

class ChartState:
    """The state of a phrase with open context on both sides."""

    def __eq__(self, other: object | None) -> bool: ...

    def __hash__(self) -> int: ...

    @property
    def left(self) -> list[int]: ...

    @property
    def right(self) -> LmState: ...

    @property
    def full(self) -> bool: ...

class ChartScorer:
    """Scores the symbols of a rule from left to right."""

    def __init__(self, model: LanguageModel) -> None: ...

    def start(self) -> None: ...

    def terminal(self, word: int) -> None: ...

    def nonterminal(self, state: ChartState, score: float) -> None: ...

    def finish(self) -> tuple[float, ChartState]: ...

class KneserNeyReport:
    """The report of an estimation."""

    @property
    def discounts(self) -> list[list[float]]: ...

    @property
    def fallback_orders(self) -> list[int]: ...

def estimate_kneser_ney(corpus: Corpus, vocabulary: Vocabulary, order: int, prune: Sequence[int], discount_fallback: bool, progress: object | None) -> tuple[NgramModel, KneserNeyReport]: ...

class DiskReport(KneserNeyReport):
    """The report of an estimation on disk."""

    @property
    def ngrams(self) -> list[int]: ...

class DiskEstimator:
    """Estimates a model of text larger than memory."""

    @staticmethod
    def make(order: int, prune: Sequence[int], discount_fallback: bool, memory: int, folder: str, threads: int) -> DiskEstimator: ...

    def add(self, text: Corpus) -> None: ...

    def add_counted(self, path: str) -> None:
        """Instead of text: the next file of n-grams that count_ngram_part wrote."""

    def write(self, vocabulary: Vocabulary, write: object, threads: int, progress: object | None) -> DiskReport:
        """
        Writes the model as ARPA, in pieces of text; call write or write_binary, once.
        """

    def write_binary(self, vocabulary: Vocabulary, path: str, quantized: bool, progress: object | None) -> DiskReport:
        """Writes the model in the binary format."""

def mix_models(first: LanguageModel, second: LanguageModel, weight: float) -> NgramModel: ...

class KBestOptions:
    def __init__(self) -> None: ...

    @property
    def k(self) -> int: ...

    @k.setter
    def k(self, arg: int, /) -> None: ...

    @property
    def distinct(self) -> bool: ...

    @distinct.setter
    def distinct(self, arg: bool, /) -> None: ...

    @property
    def max_examined(self) -> int: ...

    @max_examined.setter
    def max_examined(self, arg: int, /) -> None: ...

class BinOptions:
    def __init__(self) -> None: ...

    @property
    def potential(self) -> bool: ...

    @potential.setter
    def potential(self, arg: bool, /) -> None: ...

    @property
    def future_features(self) -> bool: ...

    @future_features.setter
    def future_features(self, arg: bool, /) -> None: ...

class SearchedCandidates:
    """Candidate lists of a search in flat arrays."""

    @staticmethod
    def of(offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], sentence: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], bin: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], covered: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], features: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], scores: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], word_offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], words: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], part_offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], parts: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], key_offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], keys: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], key_values: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> SearchedCandidates:
        """The same lists from copies of their arrays."""

    def append(self, more: SearchedCandidates) -> None:
        """Appends the lists of a later part of the text."""

    @property
    def offsets(self) -> Annotated[NDArray[numpy.int64], dict(shape=(None,), writable=False)]: ...

    @property
    def sentence(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,), writable=False)]: ...

    @property
    def bin(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,), writable=False)]: ...

    @property
    def covered(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,), writable=False)]: ...

    @property
    def features(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), writable=False)]: ...

    @property
    def scores(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), writable=False)]: ...

    @property
    def word_offsets(self) -> Annotated[NDArray[numpy.int64], dict(shape=(None,), writable=False)]: ...

    @property
    def words(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,), writable=False)]: ...

    @property
    def part_offsets(self) -> Annotated[NDArray[numpy.int64], dict(shape=(None,), writable=False)]: ...

    @property
    def parts(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,), writable=False)]: ...

    @property
    def key_offsets(self) -> Annotated[NDArray[numpy.int64], dict(shape=(None,), writable=False)]: ...

    @property
    def keys(self) -> Annotated[NDArray[numpy.uint64], dict(shape=(None,), writable=False)]: ...

    @property
    def key_values(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), writable=False)]: ...

    def texts(self, source: SourceSentences) -> list[str]:
        """The words of each candidate, joined by spaces."""

    def hashes(self) -> Annotated[NDArray[numpy.uint64], dict(shape=(None,))]:
        """One hash per candidate of its words."""

class FeatureTemplate:
    """
    A template of sparse features: the places it looks at, and at which level.
    """

    def __init__(self, text: str) -> None: ...

    @property
    def text(self) -> str: ...

    @property
    def cost(self) -> int: ...

    @property
    def family(self) -> str: ...

    @property
    def missing(self) -> list[str]:
        """A family: names of the lists that it needs and does not have yet."""

    @property
    def number(self) -> int:
        """A family: the number that determines its lists."""

    @property
    def trees(self) -> bool:
        """Whether it looks at source trees."""

    def list_of(self, name: str) -> list[str]:
        """A family: one of its lists."""

    def with_list(self, name: str, items: Sequence[str]) -> FeatureTemplate:
        """The same family with a list."""

    @property
    def layers(self) -> list[str]:
        """Names of the layers of word classes that it needs."""

FEATURE_BUDGET: int = 10

def feature_families() -> list[str]:
    """The names of all families of sparse features."""

def frequent_words(store: RuleStore, role: str, limit: int) -> list[tuple[int, int]]:
    """
    The most frequent words of rules by role: pairs, source, target, inserted or deleted.
    """

class SparseFeatures:
    pass

class TemplateFeatures(SparseFeatures):
    """Sparse features defined by templates."""

    def __init__(self, templates: Sequence[FeatureTemplate], layers: Sequence[ClassLayer], rules: RuleStore, vocabulary: Vocabulary, gaps: bool) -> None: ...

    @property
    def templates(self) -> list[FeatureTemplate]: ...

    @property
    def layout(self) -> int: ...

    @property
    def joint(self) -> bool: ...

    @property
    def has_token_tags(self) -> bool: ...

    @property
    def has_constituents(self) -> bool: ...

    @property
    def reads_annotations(self) -> bool: ...

    @property
    def has_gaps(self) -> bool: ...

    def token_tag(self, name: str) -> int: ...

    def for_rules(self, rules: RuleStore, same: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> TemplateFeatures:
        """
        The same features for the rules of another store; equal rules have equal keys.
        """

    def template_of(self, key: int) -> int: ...

    def templates_of(self, keys: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]: ...

    def name(self, key: int) -> str: ...

    def rule_keys(self, rule: int) -> Annotated[NDArray[numpy.uint64], dict(shape=(None,))]: ...

    def span_keys(self, words: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], after: int, begin: int, end: int, tags: Sequence[int] = [], constituents: Sequence[tuple[int, int, str]] = []) -> Annotated[NDArray[numpy.uint64], dict(shape=(None,))]: ...

    def gap_keys(self, reordered: bool, size: int) -> Annotated[NDArray[numpy.uint64], dict(shape=(None,))]: ...

    def mixed_keys(self, rule: int, words: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], after: int, begin: int, end: int, tags: Sequence[int] = []) -> Annotated[NDArray[numpy.uint64], dict(shape=(None,))]: ...

    def joint_keys(self, past: int, words: tuple[int, int], rule: int) -> Annotated[NDArray[numpy.uint64], dict(shape=(None,))]:
        """`words` are the last two words of the translation so far."""

    def relevant(self, past: int, words: tuple[int, int]) -> tuple[int, tuple[int, int]]: ...

    def shared_keys(self, rules: Sequence[int], words: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], after: int, begin: int, end: int, tags: Sequence[int] = []) -> tuple[list[list[int]], list[list[int]]]:
        """The keys of rules with one source side: rule keys, then mixed keys."""

NO_RULE: int = 4294967295

def set_own_loader(loader: object) -> None:
    """Sets how functions of the user's own features are found."""

class SparseWeights:
    def sum(self, keys: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> float: ...

    def weight(self, key: int) -> float: ...

    def weights_of(self, keys: NDArray[numpy.uint64]) -> NDArray[numpy.float32]:
        """The weight of each key; 0 if it has none."""

class FeatureIds:
    """Numbers sparse features in the order of their first appearance."""

    def __init__(self) -> None: ...

    def __len__(self) -> int: ...

    def keys(self) -> NDArray[numpy.uint64]:
        """All keys, by id."""

    def add_rows(self, offsets: NDArray[numpy.int64], keys: NDArray[numpy.uint64]) -> NDArray[numpy.int32]:
        """The ids of the keys, ascending within each row."""

    def add_valued_rows(self, offsets: NDArray[numpy.int64], keys: NDArray[numpy.uint64], values: NDArray[numpy.float64]) -> tuple[NDArray[numpy.int32], NDArray[numpy.float64]]:
        """The same, with the value of each key."""

class SparseTable(SparseWeights):
    """Sparse weights during training."""

    def __init__(self, layout: int) -> None: ...

    @staticmethod
    def load(path: str) -> SparseTable: ...

    def save(self, path: str) -> None: ...

    def __len__(self) -> int: ...

    @property
    def size_bytes(self) -> int: ...

    @property
    def layout(self) -> int: ...

    def add(self, keys: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], deltas: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], step: int) -> None:
        """Adds to weights; `step` is the number of completed steps."""

    def averaged(self, key: int, steps: int) -> float: ...

    def arrays(self, steps: int) -> tuple[NDArray[numpy.uint64], NDArray[numpy.float32]]:
        """Keys in order and their weights, averaged if steps is not 0."""

class StoredSparseWeights(SparseWeights):
    """Sparse weights of a finished model, in a mapped file; immutable."""

    @staticmethod
    def open(path: str, verify: bool) -> StoredSparseWeights: ...

    def __len__(self) -> int: ...

    @property
    def size_bytes(self) -> int: ...

    @property
    def layout(self) -> int: ...

    def arrays(self) -> tuple[NDArray[numpy.uint64], NDArray[numpy.float32]]:
        """Keys in order and their weights."""

def store_weights(path: str, keys: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], weights: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], layout: int) -> None:
    """Writes a file for StoredSparseWeights, omitting zeros."""

def store_table(path: str, table: SparseTable, steps: int) -> None:
    """
    The same for a table: averaged over `steps` steps, or unaveraged if that is 0.
    """

class Sparse:
    """The sparse features of a model and their weights."""

    @overload
    def __init__(self) -> None: ...

    @overload
    def __init__(self, features: SparseFeatures, weights: SparseWeights) -> None: ...

class FinishedText:
    """A sentence that was translated for a job."""

    @property
    def owner(self) -> object: ...

    @property
    def number(self) -> int: ...

    @property
    def text(self) -> str:
        """Raises what the search has raised."""

class JobQueue:
    """Jobs that take turns, task by task, on the threads that call `work`."""

    def __init__(self, socket: int) -> None:
        """A byte is sent to the socket when finished sentences wait."""

    def submit_calls(self, owner: object, count: int) -> None:
        """A job whose tasks are returned by `work`."""

    def work(self) -> tuple[object, int] | None:
        """
        Translates until a call has its turn, and returns it: the owner of its job and its number. None after the last task of a closed queue.
        """

    def finished(self) -> list[FinishedText]:
        """Sentences that were translated since the last call."""

    def close(self) -> None:
        """`work` returns None when all tasks have begun."""

class DenseFeature:
    """The declaration of a dense feature."""

    @property
    def name(self) -> str: ...

    @property
    def phrase(self) -> bool: ...

    @property
    def hiero(self) -> bool: ...

    @property
    def weight(self) -> float: ...

    @property
    def optional(self) -> bool: ...

    @property
    def description(self) -> str: ...

def dense_features() -> list[DenseFeature]:
    """All dense features, in the order of their weights."""

UNKNOWN_WORD_VALUE: float = -100.0

MAX_LANGUAGE_MODELS: int = 4

class PhraseSearchOptions:
    def __init__(self) -> None: ...

    @property
    def beam_size(self) -> int: ...

    @beam_size.setter
    def beam_size(self, arg: int, /) -> None: ...

    @property
    def pop_limit(self) -> int: ...

    @pop_limit.setter
    def pop_limit(self, arg: int, /) -> None: ...

    @property
    def cube_pruning(self) -> bool: ...

    @cube_pruning.setter
    def cube_pruning(self, arg: bool, /) -> None: ...

    @property
    def beam_threshold(self) -> float: ...

    @beam_threshold.setter
    def beam_threshold(self, arg: float, /) -> None: ...

    @property
    def future_cost(self) -> bool: ...

    @future_cost.setter
    def future_cost(self, arg: bool, /) -> None: ...

    @property
    def distortion_limit(self) -> int: ...

    @distortion_limit.setter
    def distortion_limit(self, arg: int, /) -> None: ...

    @property
    def gap_test(self) -> bool: ...

    @gap_test.setter
    def gap_test(self, arg: bool, /) -> None: ...

    @property
    def rule_limit(self) -> int: ...

    @rule_limit.setter
    def rule_limit(self, arg: int, /) -> None: ...

    @property
    def early_distortion(self) -> bool: ...

    @early_distortion.setter
    def early_distortion(self, arg: bool, /) -> None: ...

    @property
    def drop_unknown(self) -> bool: ...

    @drop_unknown.setter
    def drop_unknown(self, arg: bool, /) -> None: ...

class HieroSearchOptions:
    def __init__(self) -> None: ...

    @property
    def beam_size(self) -> int: ...

    @beam_size.setter
    def beam_size(self, arg: int, /) -> None: ...

    @property
    def pop_limit(self) -> int: ...

    @pop_limit.setter
    def pop_limit(self, arg: int, /) -> None: ...

    @property
    def cube_pruning(self) -> bool: ...

    @cube_pruning.setter
    def cube_pruning(self, arg: bool, /) -> None: ...

    @property
    def beam_threshold(self) -> float: ...

    @beam_threshold.setter
    def beam_threshold(self, arg: float, /) -> None: ...

    @property
    def span_limit(self) -> int: ...

    @span_limit.setter
    def span_limit(self, arg: int, /) -> None: ...

    @property
    def rule_limit(self) -> int: ...

    @rule_limit.setter
    def rule_limit(self, arg: int, /) -> None: ...

class RecordKind(enum.Enum):
    forest = 0

    bins = 1

class SearchRecord:
    """The forest and the bins of one search."""

    @property
    def edge_offsets(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,), writable=False)]: ...

    @property
    def tail_offsets(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,), writable=False)]: ...

    @property
    def tails(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,), writable=False)]: ...

    @property
    def edge_rule(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,), writable=False)]: ...

    @property
    def edge_begin(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,), writable=False)]: ...

    @property
    def edge_end(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,), writable=False)]: ...

    @property
    def target_offsets(self) -> Annotated[NDArray[numpy.int64], dict(shape=(None,), writable=False)]: ...

    @property
    def target_symbols(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,), writable=False)]: ...

    @property
    def feature_offsets(self) -> Annotated[NDArray[numpy.int64], dict(shape=(None,), writable=False)]: ...

    @property
    def feature_ids(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,), writable=False)]: ...

    @property
    def feature_values(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), writable=False)]: ...

    @property
    def part_offsets(self) -> Annotated[NDArray[numpy.int64], dict(shape=(None,), writable=False)]: ...

    @property
    def parts(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,), writable=False)]: ...

    @property
    def key_offsets(self) -> Annotated[NDArray[numpy.int64], dict(shape=(None,), writable=False)]: ...

    @property
    def keys(self) -> Annotated[NDArray[numpy.uint64], dict(shape=(None,), writable=False)]: ...

    @property
    def key_values(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), writable=False)]: ...

    @property
    def node_bin(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,), writable=False)]: ...

    @property
    def node_score(self) -> Annotated[NDArray[numpy.float32], dict(shape=(None,), writable=False)]: ...

    @property
    def node_future(self) -> Annotated[NDArray[numpy.float32], dict(shape=(None,), writable=False)]: ...

    @property
    def node_alive(self) -> Annotated[NDArray[numpy.uint8], dict(shape=(None,), writable=False)]: ...

    @property
    def node_reaches(self) -> Annotated[NDArray[numpy.uint8], dict(shape=(None,), writable=False)]: ...

    @property
    def bin_label(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,), writable=False)]: ...

    @property
    def bin_begin(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,), writable=False)]: ...

    @property
    def bin_end(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,), writable=False)]: ...

    @property
    def monotone_offsets(self) -> Annotated[NDArray[numpy.int64], dict(shape=(None,), writable=False)]: ...

    @property
    def monotone_words(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,), writable=False)]: ...

    @property
    def monotone_score(self) -> Annotated[NDArray[numpy.float32], dict(shape=(None,), writable=False)]: ...

    @property
    def fell_back(self) -> bool: ...

class Translations:
    """The best translation of each sentence."""

    @property
    def text(self) -> list[str]: ...

    @property
    def scores(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), writable=False)]: ...

    @property
    def features(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), writable=False)]: ...

    def steps(self, sentence: int) -> list[tuple[int, int, int]]:
        """(rule, begin, end); rule -1 for a copied word, -2 for glue."""

    @property
    def fell_back(self) -> list[int]: ...

class ConstraintKind(enum.Enum):
    exclusive = 0

    inclusive = 1

    containing = 2

    forbidden = 3

    wall = 4

    zone = 5

class Constraint:
    """What a user asks of the translation of a span."""

    def __init__(self, kind: ConstraintKind, begin: int, end: int, targets: Sequence[str], log_probabilities: Sequence[float]) -> None: ...

MAX_GIVEN_OPTIONS: int = 65536

MAX_GIVEN_WORDS: int = 255

GIVEN: int = -4

class SearchModel:
    """Rules and language models, for any search."""

class PhraseModel(SearchModel):
    """For phrase search."""

    def __init__(self, rules: RuleStore, language_models: Sequence[LanguageModel], vocabulary: Vocabulary, sparse: Sparse = ..., unknown_phrase_penalty: bool = False, operations: LanguageModel | None = None, given: bool = False) -> None: ...

    def candidates(self, source: SourceSentences, weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], options: PhraseSearchOptions, kbest: KBestOptions | None, bins: BinOptions | None, parts: bool, threads: int, progress: object | None, part: tuple[int, int] | None = None) -> tuple[SearchedCandidates, SearchedCandidates]:
        """
        K-best lists and bins of one search per sentence, or per sentence of `part`; empty unless requested.
        """

    def search(self, source: SourceSentences, weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], options: PhraseSearchOptions, kind: RecordKind, monotone: bool, parts: bool, threads: int, progress: object | None) -> list[SearchRecord]: ...

class HieroGrammar:
    def __init__(self) -> None: ...

    @property
    def nonterminal(self) -> str: ...

    @nonterminal.setter
    def nonterminal(self, arg: str, /) -> None: ...

    @property
    def goal(self) -> str: ...

    @goal.setter
    def goal(self, arg: str, /) -> None: ...

    @property
    def pass_through_all(self) -> bool: ...

    @pass_through_all.setter
    def pass_through_all(self, arg: bool, /) -> None: ...

class HieroModel(SearchModel):
    """For chart search."""

    def __init__(self, rules: RuleStore, language_models: Sequence[LanguageModel], vocabulary: Vocabulary, grammar: HieroGrammar, sparse: Sparse = ..., unknown_phrase_penalty: bool = False, distortion: DistortionCounts | None = None, given: bool = False) -> None: ...

    def candidates(self, source: SourceSentences, weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], options: HieroSearchOptions, kbest: KBestOptions | None, bins: BinOptions | None, parts: bool, threads: int, progress: object | None, part: tuple[int, int] | None = None) -> tuple[SearchedCandidates, SearchedCandidates]:
        """
        K-best lists and bins of one search per sentence, or per sentence of `part`; empty unless requested.
        """

    def search(self, source: SourceSentences, weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], options: HieroSearchOptions, kind: RecordKind, monotone: bool, parts: bool, threads: int, progress: object | None) -> list[SearchRecord]: ...

class StopFlag:
    """Ends the native call that it was given to. Thread-safe."""

    def __init__(self) -> None: ...

    def set(self) -> None:
        """The call ends soon, with KeyboardInterrupt."""

    def is_set(self) -> bool: ...

class PhraseSearchers:
    """
    Searches of one model with fixed weights and options, reused between calls.
    """

    def __init__(self, model: PhraseModel, weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], options: PhraseSearchOptions) -> None: ...

    def translate(self, source: SourceSentences, threads: int, progress: object | None) -> Translations: ...

    def translate_here(self, source: SourceSentences, stop: StopFlag) -> Translations:
        """On the calling thread; another thread may raise the flag."""

    def submit(self, queue: JobQueue, owner: object, source: SourceSentences, stop: StopFlag) -> None:
        """Translates the sentences on the threads of the queue."""

class HieroSearchers:
    """
    Searches of one model with fixed weights and options, reused between calls.
    """

    def __init__(self, model: HieroModel, weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], options: HieroSearchOptions) -> None: ...

    def translate(self, source: SourceSentences, threads: int, progress: object | None) -> Translations: ...

    def translate_here(self, source: SourceSentences, stop: StopFlag) -> Translations:
        """On the calling thread; another thread may raise the flag."""

    def submit(self, queue: JobQueue, owner: object, source: SourceSentences, stop: StopFlag) -> None:
        """Translates the sentences on the threads of the queue."""

class SourceSentences:
    """Tokenised sentences to translate."""

    def __init__(self, model: SearchModel, lines: Sequence[str], references: Sequence[str] = [], lengths: Sequence[int] = [], pairs: Sequence[int] = [], tags: Sequence[str] = [], constituents: Sequence[str] = [], constraints: Sequence[Sequence[Constraint]] = []) -> None:
        """
        For training: references, the number of source words to translate per sentence, and the index of each sentence pair in the bitext. `tags`: those of the tokens, one line per sentence, empty if it has none; `constituents`: those of the trees, such as `0-2-NP 2-3-VP`; `constraints`: those of each sentence.
        """

    def __len__(self) -> int: ...

    def words(self, sentence: int) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]: ...

    def word(self, id: int) -> str: ...

class Prefixes(enum.Enum):
    none = 0

    longest = 1

    maximal = 2

class Outcome(enum.Enum):
    reachable = 0

    prefix = 1

    unreachable = 2

    undecided = 3

class Cause(enum.Enum):
    none = 0

    unknown_word = 1

    uncovered_word = 2

    limit = 3

    other = 4

    undecided = 5

class ForceOptions:
    def __init__(self) -> None: ...

    @property
    def distortion_limit(self) -> int: ...

    @distortion_limit.setter
    def distortion_limit(self, arg: int, /) -> None: ...

    @property
    def gap_test(self) -> bool: ...

    @gap_test.setter
    def gap_test(self, arg: bool, /) -> None: ...

    @property
    def span_limit(self) -> int: ...

    @span_limit.setter
    def span_limit(self, arg: int, /) -> None: ...

    @property
    def prefixes(self) -> Prefixes: ...

    @prefixes.setter
    def prefixes(self, arg: Prefixes, /) -> None: ...

    @property
    def min_source_words(self) -> int: ...

    @min_source_words.setter
    def min_source_words(self, arg: int, /) -> None: ...

    @property
    def max_nodes(self) -> int: ...

    @max_nodes.setter
    def max_nodes(self, arg: int, /) -> None: ...

    @property
    def find_cause(self) -> bool: ...

    @find_cause.setter
    def find_cause(self, arg: bool, /) -> None: ...

class ForcedPairs:
    """The results of forced decoding, one value per pair."""

    @property
    def outcome(self) -> Annotated[NDArray[numpy.uint8], dict(shape=(None,), writable=False)]: ...

    @property
    def cause(self) -> Annotated[NDArray[numpy.uint8], dict(shape=(None,), writable=False)]: ...

    @property
    def source_words(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,), writable=False)]: ...

    @property
    def target_words(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,), writable=False)]: ...

    @property
    def derivations(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), writable=False)]: ...

    @property
    def nodes(self) -> Annotated[NDArray[numpy.int64], dict(shape=(None,), writable=False)]: ...

    @property
    def edges(self) -> Annotated[NDArray[numpy.int64], dict(shape=(None,), writable=False)]: ...

class GoldForest:
    """All derivations of a pair, or of a prefix of it."""

    @property
    def pair(self) -> int: ...

    @property
    def source_length(self) -> int: ...

    @property
    def target_length(self) -> int: ...

    @property
    def whole(self) -> bool: ...

    @property
    def nodes(self) -> int: ...

    @property
    def edges(self) -> int: ...

    @property
    def edge_offsets(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]: ...

    @property
    def label(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]: ...

    @property
    def source_begin(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]: ...

    @property
    def source_end(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]: ...

    @property
    def target_begin(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]: ...

    @property
    def target_end(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]: ...

    @property
    def rule(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]: ...

    @property
    def begin(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]: ...

    @property
    def end(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]: ...

    @property
    def first_tail(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]: ...

    @property
    def second_tail(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]: ...

@overload
def force_corpus(model: PhraseModel, options: ForceOptions, source: SourceSentences, path: str | None, threads: int, progress: object | None, part: tuple[int, int] | None = None) -> ForcedPairs: ...

@overload
def force_corpus(model: HieroModel, options: ForceOptions, source: SourceSentences, path: str | None, threads: int, progress: object | None, part: tuple[int, int] | None = None) -> ForcedPairs:
    """
    Forced decoding of all pairs, or of `part`: those from a first to before a last one. Gold forests are written to `path` unless it is None.
    """

class GoldForests:
    """Gold forests of a corpus, mapped from a file."""

    @staticmethod
    def open(path: str, verify: bool) -> GoldForests: ...

    @staticmethod
    def join(paths: Sequence[str], path: str) -> None:
        """Joins the forests of parts of a corpus, in order."""

    def __len__(self) -> int: ...

    @property
    def rules(self) -> int: ...

    @property
    def size_bytes(self) -> int: ...

    def forest(self, i: int) -> GoldForest: ...

class Hypergraph:
    """Topology over flat arrays; immutable."""

    def __init__(self, edge_offsets: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], tail_offsets: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], tails: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None:
        """
        Keeps the arrays, which must not be modified any more. Raises ModelError.
        """

    @property
    def nodes(self) -> int: ...

    @property
    def edges(self) -> int: ...

    def edge_heads(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]: ...

    def count_derivations(self) -> Annotated[NDArray[numpy.uint64], dict(shape=(None,))]:
        """
        Number of derivations of every node, exact below 2^64 - 1, the maximum.
        """

    def estimate_derivations(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
        """The same as rounded doubles; infinite beyond their range."""

def viterbi(graph: Hypergraph, scores: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> tuple[Annotated[NDArray[numpy.float64], dict(shape=(None,))], Annotated[NDArray[numpy.int32], dict(shape=(None,))]]:
    """Score and first edge of the best derivation of every node."""

def best_derivation(graph: Hypergraph, scores: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], node: int) -> tuple[Annotated[NDArray[numpy.int32], dict(shape=(None,))], float]:
    """Edges in pre-order and score; no edges if there is no derivation."""

def log_inside(graph: Hypergraph, scores: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
    """Log of the sum over the derivations of every node."""

def log_outside(graph: Hypergraph, scores: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
    """Log of the sum over the completions of every node."""

def edge_posteriors(graph: Hypergraph, scores: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
    """Expected number of uses of an edge."""

def node_posteriors(graph: Hypergraph, scores: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
    """Expected number of uses of a node."""

def kbest(graph: Hypergraph, scores: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], node: int, k: int) -> tuple[Annotated[NDArray[numpy.int64], dict(shape=(None,))], Annotated[NDArray[numpy.int32], dict(shape=(None,))], Annotated[NDArray[numpy.float64], dict(shape=(None,))]]: ...

def distinct_kbest(graph: Hypergraph, scores: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], node: int, k: int, target_offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], target_symbols: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], max_examined: int) -> tuple[tuple[Annotated[NDArray[numpy.int64], dict(shape=(None,))], Annotated[NDArray[numpy.int32], dict(shape=(None,))], Annotated[NDArray[numpy.float64], dict(shape=(None,))]], int, bool]:
    """Derivations, the number examined, whether the list is complete."""

def best_with_yield(graph: Hypergraph, scores: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], target_offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], target_symbols: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], words: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]:
    """
    Edges of the best derivation of the root with this yield; none if there is none.
    """

def sample(graph: Hypergraph, scores: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], scale: float, count: int, seed: int) -> tuple[Annotated[NDArray[numpy.int64], dict(shape=(None,))], Annotated[NDArray[numpy.int32], dict(shape=(None,))], Annotated[NDArray[numpy.float64], dict(shape=(None,))]]: ...

def check_targets(graph: Hypergraph, offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], symbols: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

def derivation_yields(graph: Hypergraph, offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], edges: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], target_offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], target_symbols: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> tuple[Annotated[NDArray[numpy.int64], dict(shape=(None,))], Annotated[NDArray[numpy.int32], dict(shape=(None,))]]:
    """Offsets and words."""

def row_scores(offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], ids: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], values: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
    """weights . features of every row."""

def sum_rows(offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], edges: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], feature_offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], ids: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], values: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> tuple[Annotated[NDArray[numpy.int64], dict(shape=(None,))], Annotated[NDArray[numpy.int32], dict(shape=(None,))], Annotated[NDArray[numpy.float64], dict(shape=(None,))]]:
    """Offsets, ids and values of the derivations' features."""

def prune(graph: Hypergraph, scores: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], threshold: float, density: float) -> tuple[Annotated[NDArray[numpy.int32], dict(shape=(None,))], Annotated[NDArray[numpy.int32], dict(shape=(None,))], Annotated[NDArray[numpy.int32], dict(shape=(None,))], Annotated[NDArray[numpy.int32], dict(shape=(None,))], Annotated[NDArray[numpy.int32], dict(shape=(None,))]]:
    """
    The arrays of the smaller hypergraph, and the former indices of its nodes and edges.
    """

def envelope(graph: Hypergraph, intercepts: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], slopes: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> tuple[Annotated[NDArray[numpy.float64], dict(shape=(None,))], Annotated[NDArray[numpy.float64], dict(shape=(None,))], Annotated[NDArray[numpy.float64], dict(shape=(None,))], Annotated[NDArray[numpy.int64], dict(shape=(None,))], Annotated[NDArray[numpy.int32], dict(shape=(None,))]]:
    """Left ends, intercepts, slopes and derivations of the segments."""

class RiskOptions:
    def __init__(self) -> None: ...

    @property
    def precision(self) -> float: ...

    @precision.setter
    def precision(self, arg: float, /) -> None: ...

    @property
    def ratio(self) -> float: ...

    @ratio.setter
    def ratio(self, arg: float, /) -> None: ...

class NgramForest:
    """A forest split by n-grams; immutable."""

    @staticmethod
    def pruned(graph: Hypergraph, scores: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], target_offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], target_symbols: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], density: float, max_edges: int) -> NgramForest:
        """The best part of a forest, split by the boundary words of its nodes."""

    def __len__(self) -> int: ...

    def expected_counts(self, graph: Hypergraph, scores: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
        """
        Expected counts of all n-grams by number; that of number 0 counts words.
        """

    def number(self, words: Sequence[int]) -> int:
        """The number of an n-gram; 0 if the forest does not have it."""

    def minimum_risk(self, counts: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], options: RiskOptions) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]:
        """Edges of the derivation with the highest expected gain, in pre-order."""

    def consensus_gains(self, counts: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], words: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
        """BLEU+1 of every row of words against expected counts."""

def segment(text: str, tokenize: str) -> list[str]:
    """The tokens of a line as a metric defines them."""

class ReferenceSet:
    """The references of a corpus as word ids; immutable."""

    def __init__(self, texts: list[str], first: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], tokenize: str) -> None:
        """Sentence i has texts[first[i]:first[i + 1]]."""

    def __len__(self) -> int: ...

    @property
    def length_scale(self) -> int: ...

    def lengths(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]:
        """Number of words of every reference."""

    def ids_of(self, words: list[str]) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]:
        """The id of each word; -1 for words that occur in no reference."""

def bleu_rows(references: ReferenceSet, texts: list[str], sentences: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], reference_length: str, threads: int) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]:
    """Statistics, row by row."""

def bleu_rows_of_ids(references: ReferenceSet, offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], words: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], sentences: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], reference_length: str, threads: int) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]:
    """The same for candidates given as ids of the references."""

def bleu_rows_of_words(references: ReferenceSet, words: list[str], offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], ids: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], sentences: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], reference_length: str, threads: int) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]:
    """The same for candidates whose words are indices into `words`."""

def ter_rows(references: ReferenceSet, texts: list[str], sentences: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], reference_length: str, threads: int) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]:
    """Statistics, row by row."""

def ter_rows_of_ids(references: ReferenceSet, offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], words: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], sentences: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], reference_length: str, threads: int) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]:
    """The same for candidates given as ids of the references."""

def ter_rows_of_words(references: ReferenceSet, words: list[str], offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], ids: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], sentences: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], reference_length: str, threads: int) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]:
    """The same for candidates whose words are indices into `words`."""

def ter_kept(references: ReferenceSet, texts: list[str], sentences: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.uint8], dict(shape=(None,))]:
    """1 for every word of every text that the fewest edits keep, else 0."""

class ChrfReferences:
    """References as characters; immutable."""

    def __init__(self, texts: list[str], first: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], char_order: int, word_order: int, beta: int) -> None: ...

    @property
    def columns(self) -> int: ...

    def rows(self, texts: list[str], sentences: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], threads: int) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]:
        """Statistics, row by row."""

    def rows_of_words(self, words: list[str], offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], ids: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], sentences: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], threads: int) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]:
        """The same for candidates whose words are indices into `words`."""

def bootstrap_sums(values: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], columns: int, runs: int, samples: int, seed: int, threads: int) -> Annotated[NDArray[numpy.int64], dict(shape=(None,))]:
    """Sums over sentences drawn with replacement."""

def shuffle_sums(values: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], columns: int, runs: int, picked: int, samples: int, seed: int, threads: int) -> Annotated[NDArray[numpy.int64], dict(shape=(None,))]:
    """Sums of `picked` runs drawn per sentence."""

class MetricKind(enum.Enum):
    """The formulas that compute a score from summed statistics."""

    bleu = 0

    ratio = 1

    chrf = 2

    ter_bleu = 3

class MetricForm:
    """How a score is computed from summed statistics."""

    def __init__(self, kind: MetricKind, length_scale: float = 1.0, ter_length_scale: float = 1.0, beta: float = 2.0, list_length: float = 1.0) -> None: ...

    @staticmethod
    def of_rows(scores: Callable[[object], object], background: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], list_length: float) -> MetricForm:
        """
        With a function from a flat array of sums to one score per row, higher is better. Rows are as long as `background`, the initial statistics of gains in context.
        """

class CandidateLists:
    """The lists of a pool, in the layout of the native loops."""

    def __init__(self, offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], dense: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)], statistics: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order='C', device='cpu', writable=False)], part_offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], parts: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], feature_offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], features: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], values: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], sparse_features: int, list_weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None:
        """
        Copies `dense` and keeps references to the other arrays, which must not change. Sparse features: the parts of each candidate, and features and values of each part; without values all are 1.
        """

    def best_statistics(self, weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
        """Statistics summed over the best candidates under the weights."""

    def mean_spread(self, weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> float:
        """
        The mean difference between the highest and the lowest score of a list.
        """

    def line_search(self, form: MetricForm, weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], direction: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> tuple[float, float]:
        """The best step along the direction, and the score there."""

def group_features(offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], ids: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], values: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], features: int) -> tuple[Annotated[NDArray[numpy.int32], dict(shape=(None,))], Annotated[NDArray[numpy.int32], dict(shape=(None,))], Annotated[NDArray[numpy.int64], dict(shape=(None,))], Annotated[NDArray[numpy.int32], dict(shape=(None,))], Annotated[NDArray[numpy.float64], dict(shape=(None,))]]:
    """
    The group of each feature (-1: none), the size of each group, and offsets, groups and values of each part; see learn/feature_groups.h.
    """

def merge_lists(offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], places: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], lists: int, hashes: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], limit: int) -> tuple[Annotated[NDArray[numpy.int64], dict(shape=(None,))], Annotated[NDArray[numpy.int64], dict(shape=(None,))]]:
    """
    The candidates that remain, and their number per list; see learn/merged_lists.h.
    """

def hash_rows(values: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.uint64], dict(shape=(None,))]:
    """A hash of every row; 0 and -0 are the same."""

class MertOptions:
    def __init__(self) -> None: ...

    @property
    def restarts(self) -> int: ...

    @restarts.setter
    def restarts(self, arg: int, /) -> None: ...

    @property
    def random_directions(self) -> int: ...

    @random_directions.setter
    def random_directions(self, arg: int, /) -> None: ...

    @property
    def passes(self) -> int: ...

    @passes.setter
    def passes(self, arg: int, /) -> None: ...

    @property
    def tolerance(self) -> float: ...

    @tolerance.setter
    def tolerance(self, arg: float, /) -> None: ...

    @property
    def seed(self) -> int: ...

    @seed.setter
    def seed(self, arg: int, /) -> None: ...

    @property
    def round(self) -> int: ...

    @round.setter
    def round(self, arg: int, /) -> None: ...

def mert(lists: CandidateLists, form: MetricForm, weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], options: MertOptions, threads: int) -> tuple[Annotated[NDArray[numpy.float64], dict(shape=(None,))], Annotated[NDArray[numpy.float64], dict(shape=(None,))], int]:
    """Weights, the score of every start, and the number of line searches."""

class GainScale(enum.Enum):
    """How a gain in context is scaled."""

    corpus = 0

    sentence = 1

    length = 2

class MarginScheme(enum.Enum):
    """How the shards combine."""

    mixing = 0

    independent = 1

    minibatch = 2

    shared = 3

class MarginOptions:
    def __init__(self) -> None: ...

    @property
    def step(self) -> float: ...

    @step.setter
    def step(self, arg: float, /) -> None: ...

    @property
    def bound_step(self) -> float: ...

    @bound_step.setter
    def bound_step(self, arg: float, /) -> None: ...

    @property
    def bound(self) -> float: ...

    @bound.setter
    def bound(self, arg: float, /) -> None: ...

    @property
    def cutting_plane(self) -> bool: ...

    @cutting_plane.setter
    def cutting_plane(self, arg: bool, /) -> None: ...

    @property
    def tolerance(self) -> float: ...

    @tolerance.setter
    def tolerance(self, arg: float, /) -> None: ...

    @property
    def steps(self) -> int: ...

    @steps.setter
    def steps(self, arg: int, /) -> None: ...

    @property
    def decay(self) -> float: ...

    @decay.setter
    def decay(self, arg: float, /) -> None: ...

    @property
    def gain_scale(self) -> GainScale: ...

    @gain_scale.setter
    def gain_scale(self, arg: GainScale, /) -> None: ...

    @property
    def hope_background(self) -> bool: ...

    @hope_background.setter
    def hope_background(self, arg: bool, /) -> None: ...

    @property
    def running_average(self) -> bool: ...

    @running_average.setter
    def running_average(self, arg: bool, /) -> None: ...

    @property
    def keep_best(self) -> bool: ...

    @keep_best.setter
    def keep_best(self, arg: bool, /) -> None: ...

    @property
    def sweeps(self) -> int: ...

    @sweeps.setter
    def sweeps(self, arg: int, /) -> None: ...

    @property
    def shards(self) -> int: ...

    @shards.setter
    def shards(self, arg: int, /) -> None: ...

    @property
    def scheme(self) -> MarginScheme: ...

    @scheme.setter
    def scheme(self, arg: MarginScheme, /) -> None: ...

    @property
    def seed(self) -> int: ...

    @seed.setter
    def seed(self, arg: int, /) -> None: ...

class MarginSweep:
    """Figures of one sweep over the lists."""

    @property
    def score(self) -> float: ...

    @property
    def spread_mean(self) -> float: ...

    @property
    def spread_deviation(self) -> float: ...

    @property
    def updates(self) -> int: ...

def learn_margins(lists: CandidateLists, form: MetricForm, weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], options: MarginOptions, threads: int) -> tuple[Annotated[NDArray[numpy.float64], dict(shape=(None,))], list[MarginSweep], int, bool]:
    """Weights, the sweeps, the one kept, and whether weights overflowed."""

def smo(products: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], linear: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], blocks: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], start: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], tolerance: float, steps: int) -> tuple[Annotated[NDArray[numpy.float64], dict(shape=(None,))], int]:
    """The solution of the dual, and the number of steps; see learn/smo.h."""

class RampOptions:
    def __init__(self) -> None: ...

    @property
    def rounds(self) -> int: ...

    @rounds.setter
    def rounds(self, arg: int, /) -> None: ...

    @property
    def passes(self) -> int: ...

    @passes.setter
    def passes(self, arg: int, /) -> None: ...

    @property
    def scale(self) -> float: ...

    @scale.setter
    def scale(self, arg: float, /) -> None: ...

    @property
    def rate(self) -> float: ...

    @rate.setter
    def rate(self, arg: float, /) -> None: ...

    @property
    def regularization(self) -> float: ...

    @regularization.setter
    def regularization(self, arg: float, /) -> None: ...

def learn_ramp(lists: CandidateLists, gains: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], options: RampOptions) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...

class PairOptions:
    def __init__(self) -> None: ...

    @property
    def draws(self) -> int: ...

    @draws.setter
    def draws(self, arg: int, /) -> None: ...

    @property
    def kept(self) -> int: ...

    @kept.setter
    def kept(self, arg: int, /) -> None: ...

    @property
    def threshold(self) -> float: ...

    @threshold.setter
    def threshold(self, arg: float, /) -> None: ...

    @property
    def seed(self) -> int: ...

    @seed.setter
    def seed(self, arg: int, /) -> None: ...

    @property
    def round(self) -> int: ...

    @round.setter
    def round(self, arg: int, /) -> None: ...

def sample_pairs(offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], gains: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], options: PairOptions, threads: int) -> tuple[Annotated[NDArray[numpy.int64], dict(shape=(None,))], Annotated[NDArray[numpy.int64], dict(shape=(None,))]]:
    """The better and the worse candidate of each pair."""

class ForestSet:
    """The forests of a tuning set; immutable."""

    @overload
    def __init__(self, forests: Sequence[tuple[Hypergraph, Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], int, Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]]], references: object, reference_length: str, features: int) -> None:
        """
        Per forest: hypergraph, offsets and words of its target sides in ids of the references, offsets, ids and values of its features, sentence, offsets and parts of the edges, offsets and ids of the features of each part. Yields are counted for BLEU.
        """

    @overload
    def __init__(self, forests: Sequence[tuple[Hypergraph, Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], int, Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]]], counter: Callable[[int, object, object], object], columns: int, features: int) -> None:
        """
        counter(sentence, offsets, words) gives `columns` statistics per yield, one row after the other.
        """

    def edge_scores(self, place: int, weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
        """The scores of the edges of a forest under the weights."""

    def derivation_features(self, place: int, offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], edges: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> tuple[Annotated[NDArray[numpy.int64], dict(shape=(None,))], Annotated[NDArray[numpy.int32], dict(shape=(None,))], Annotated[NDArray[numpy.float64], dict(shape=(None,))]]:
        """Offsets, ids and values of the features of derivations of a forest."""

    def best_statistics(self, weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], threads: int) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
        """Statistics summed over the best derivations under the weights."""

    def line_search(self, form: MetricForm, weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], direction: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], threads: int) -> tuple[float, float, int]:
        """
        The best step along the direction, the score there, and the number of segments.
        """

def edge_gains(forests: ForestSet, place: int, scores: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], covered: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], background: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], lengths: tuple[float, float], factors: tuple[float, float]) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
    """
    The gain of each edge in BLEU in context; lengths: source words of the background and the reference of the sentence; factors: of gain and score. See forest/gain_rescore.h.
    """

def forest_mert(forests: ForestSet, form: MetricForm, weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], options: MertOptions, threads: int) -> tuple[Annotated[NDArray[numpy.float64], dict(shape=(None,))], Annotated[NDArray[numpy.float64], dict(shape=(None,))], int]:
    """Weights, the score of every start, and the number of line searches."""

class UpdateRule(enum.Enum):
    """Which bin of a search is updated on."""

    max_violation = 0

    early = 1

    standard = 2

    skip = 3

    local = 4

class ViolationOptions:
    def __init__(self) -> None: ...

    @property
    def rule(self) -> UpdateRule: ...

    @rule.setter
    def rule(self, arg: UpdateRule, /) -> None: ...

    @property
    def by_score(self) -> bool: ...

    @by_score.setter
    def by_score(self, arg: bool, /) -> None: ...

    @property
    def dead_ends_bad(self) -> bool: ...

    @dead_ends_bad.setter
    def dead_ends_bad(self, arg: bool, /) -> None: ...

    @property
    def depth(self) -> int: ...

    @depth.setter
    def depth(self, arg: int, /) -> None: ...

    @property
    def kbest(self) -> int: ...

    @kbest.setter
    def kbest(self, arg: int, /) -> None: ...

    @property
    def gain_scale(self) -> float: ...

    @gain_scale.setter
    def gain_scale(self, arg: float, /) -> None: ...

    def choose_by(self, choose: Callable[[object, object, object, int], int]) -> None:
        """
        Sets a function to use instead of `rule`: choose(gold, bad, holds_gold, window) returns the bin to update on, or -1.
        """

class TrainerOptions:
    def __init__(self) -> None: ...

    @property
    def violations(self) -> ViolationOptions: ...

    @violations.setter
    def violations(self, arg: ViolationOptions, /) -> None: ...

    @property
    def batch(self) -> int: ...

    @batch.setter
    def batch(self, arg: int, /) -> None: ...

    @property
    def sum(self) -> bool: ...

    @sum.setter
    def sum(self, arg: bool, /) -> None: ...

    @property
    def rates(self) -> list[float]: ...

    @rates.setter
    def rates(self, arg: Sequence[float], /) -> None: ...

    @property
    def sparse_rate(self) -> float: ...

    @sparse_rate.setter
    def sparse_rate(self, arg: float, /) -> None: ...

    @property
    def threads(self) -> int: ...

    @threads.setter
    def threads(self, arg: int, /) -> None: ...

class TrainingCounts:
    """Counts over the sentences of a run."""

    def __init__(self, features: int) -> None: ...

    @property
    def sentences(self) -> int: ...

    @property
    def updates(self) -> int: ...

    @property
    def invalid(self) -> int: ...

    @property
    def correct(self) -> int: ...

    @property
    def unpaired(self) -> int: ...

    @property
    def violation(self) -> float: ...

    @property
    def keys(self) -> int: ...

    @property
    def squares(self) -> list[float]: ...

class PhraseTrainer:
    """A violation-fixing perceptron over minibatches."""

    def __init__(self, model: PhraseModel, table: SparseTable | None, search: PhraseSearchOptions, options: TrainerOptions, weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

    def run(self, source: SourceSentences, gold: GoldForests, order: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], progress: object | None) -> TrainingCounts: ...

    def find(self, source: SourceSentences, gold: GoldForests, batch: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> bytes:
        """The updates of some sentences as bytes; weights do not change."""

    def apply(self, updates: bytes, counts: TrainingCounts) -> None:
        """Changes the weights by the updates of a batch, and adds to the counts."""

    def inspect(self, source: SourceSentences, gold: GoldForests, sentence: int, progress: object | None = None) -> dict[str, object]:
        """
        The bins of one sentence and the update it would cause; weights do not change.
        """

    @property
    def weights(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...

    @property
    def averaged(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...

    @property
    def sums(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...

    @property
    def steps(self) -> int: ...

    def restore(self, weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], sums: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], steps: int) -> None: ...

class HieroTrainer:
    """A violation-fixing perceptron over minibatches."""

    def __init__(self, model: HieroModel, table: SparseTable | None, search: HieroSearchOptions, options: TrainerOptions, weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

    def run(self, source: SourceSentences, gold: GoldForests, order: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], progress: object | None) -> TrainingCounts: ...

    def find(self, source: SourceSentences, gold: GoldForests, batch: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> bytes:
        """The updates of some sentences as bytes; weights do not change."""

    def apply(self, updates: bytes, counts: TrainingCounts) -> None:
        """Changes the weights by the updates of a batch, and adds to the counts."""

    def inspect(self, source: SourceSentences, gold: GoldForests, sentence: int, progress: object | None = None) -> dict[str, object]:
        """
        The bins of one sentence and the update it would cause; weights do not change.
        """

    @property
    def weights(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...

    @property
    def averaged(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...

    @property
    def sums(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...

    @property
    def steps(self) -> int: ...

    def restore(self, weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], sums: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], steps: int) -> None: ...

class AlignerTrainer:
    """Trains an aligner with posteriors that other processes compute."""

    def __init__(self, source: Corpus, target: Corpus, options: TrainOptions, priors: AlignmentPriors, threads: int) -> None: ...

    @property
    def passes(self) -> int: ...

    @property
    def done(self) -> bool: ...

    def resume(self, path: str, passes: int) -> None:
        """
        Continues after so many passes with the parameters that `save` wrote; call at first.
        """

    @property
    def model(self) -> AlignmentModel:
        """The model of the next pass."""

    @property
    def chunks(self) -> int:
        """Parts of the text, of similar work."""

    def save(self, vocabulary: Vocabulary, path: str) -> None:
        """Writes the parameters so far."""

    def add(self, first: int, last: int, posteriors: bytes) -> None:
        """Adds the posteriors of the next chunks."""

    def maximize(self) -> None: ...

    def finish(self) -> NativeAligner:
        """The trained aligner; call once."""

class ExpectationWorker:
    """Computes posteriors for a trainer."""

    def __init__(self, source: Corpus, target: Corpus, options: TrainOptions) -> None: ...

    def use(self, path: str, model: AlignmentModel) -> None:
        """Takes the parameters of a pass from a file."""

    def posteriors(self, first: int, last: int) -> bytes: ...

class ExtractionWorker:
    """Extracts, counts and scores rules for a driver."""

    def __init__(self, source: Corpus, target: Corpus, links: Sequence[Alignments], options: ExtractOptions) -> None: ...

    def extract(self, begin: int, end: int, parts: int) -> tuple[list[bytes], DistortionCounts, bytes]:
        """
        The occurrences of rules in some rows, divided into parts; counts of gaps; a sample of source sides, as 64-bit numbers.
        """

    def count(self, path: str, folder: str, bounds: Sequence[int]) -> tuple[bytes, list[bytes], list[int]]:
        """
        Counts the rules of a file with one part of all shards, in order: target sides, rules divided by source side, tallies.
        """

    def score(self, path: str, folder: str, place: Sequence[int], tallies: Sequence[int]) -> bytes:
        """
        Scores the rules of a file with one part of all that was counted, in order.
        """

def source_bounds(sample: Sequence[int], parts: int) -> list[int]:
    """Bounds of parts of source sides, of similar work."""

class ExtractionDriver:
    """Writes rules scored elsewhere."""

    def __init__(self, source: Corpus, target: Corpus, path: str, options: ExtractOptions) -> None: ...

    def add_targets(self, targets: bytes) -> None:
        """Adds the target sides of the next counted part."""

    def add(self, scored: bytes) -> None:
        """Adds the rules of the next scored part."""

    def finish(self, occurrences: int, distortion: DistortionCounts) -> ExtractReport: ...

OCCURRENCE_BYTES: int = 32

def count_ngram_part(tokens: str, order: int, first: int, last: int, memory: int, folder: str, path: str) -> None:
    """
    Writes the n-grams that begin with the words from first to last, counted and sorted.
    """
