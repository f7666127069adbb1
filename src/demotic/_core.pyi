"""The native core of Demotic. Private: import from `demotic`."""

from collections.abc import Sequence
import enum
from typing import Annotated

import numpy
from numpy.typing import NDArray


class EncodingErrors(enum.Enum):
    """What to do with malformed UTF-8."""

    refuse = 0

    replace = 1

    skip = 2

class LineNotices:
    """How many lines needed which mending."""

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

    @property
    def byte_size(self) -> int: ...

class LineParser:
    """Bytes in chunks of any size in, clean lines out."""

    def __init__(self, name: str, encoding_errors: EncodingErrors, keep_tabs: bool) -> None: ...

    def feed(self, chunk: bytes) -> None: ...

    def finish(self) -> None: ...

    def take(self) -> Lines: ...

    @property
    def notices(self) -> LineNotices: ...

    @property
    def lines_seen(self) -> int: ...

CONTAINER_VERSION: int = 1

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
    """Writes a container; nothing stays without commit."""

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

    def __repr__(self) -> str: ...

class VocabularyBuilder:
    """Collects words; ids in order of appearance."""

    def __init__(self) -> None: ...

    def add(self, word: str) -> int: ...

    def __len__(self) -> int: ...

    def finish(self) -> Vocabulary: ...

class Corpus:
    """Sentences as word ids in flat arrays; immutable."""

    @staticmethod
    def open(path: str, verify: bool) -> Corpus: ...

    def save(self, path: str) -> None: ...

    def __len__(self) -> int: ...

    @property
    def offsets(self) -> Annotated[NDArray[numpy.int64], dict(shape=(None,), writable=False)]:
        """Where each sentence begins in `words`; one more at the end."""

    @property
    def words(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,), writable=False)]: ...

    def counts(self, words: int) -> Annotated[NDArray[numpy.int64], dict(shape=(None,))]:
        """How often each of the ids below `words` occurs."""

class CorpusBuilder:
    """Encodes lines while the vocabulary grows."""

    def __init__(self, vocabulary: VocabularyBuilder, name: str) -> None: ...

    def add(self, lines: Lines) -> None: ...

    @property
    def capped_tokens(self) -> int: ...

    def finish(self) -> Corpus: ...

def encode(vocabulary: Vocabulary, lines: Lines, threads: int) -> Corpus: ...

def decode(vocabulary: Vocabulary, corpus: Corpus) -> Lines: ...

class Alignments:
    def __len__(self) -> int: ...

def parse_links(lines: Lines, name: str) -> Alignments: ...

class RuleKind(enum.Enum):
    phrase = 0

    hiero = 1

class ReorderingModel(enum.Enum):
    none = 0

    backward = 1

    bidirectional = 2

class HieroOptions:
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
    def hiero(self) -> HieroOptions: ...

    @hiero.setter
    def hiero(self, arg: HieroOptions, /) -> None: ...

    @property
    def reordering(self) -> ReorderingModel: ...

    @reordering.setter
    def reordering(self, arg: ReorderingModel, /) -> None: ...

    @property
    def reordering_smoothing(self) -> float: ...

    @reordering_smoothing.setter
    def reordering_smoothing(self, arg: float, /) -> None: ...

    @property
    def min_count(self) -> int: ...

    @min_count.setter
    def min_count(self, arg: int, /) -> None: ...

    @property
    def keep_word_pairs(self) -> bool: ...

    @keep_word_pairs.setter
    def keep_word_pairs(self, arg: bool, /) -> None: ...

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
    def distortion(self) -> list[list[int]]:
        """
        How often gaps were [kept in order, reordered], by source words under them.
        """

class RuleStore:
    """All rules of a model; immutable."""

    @staticmethod
    def open(path: str, verify: bool) -> RuleStore: ...

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
        """First rule of a node and the one after its last."""

    def source_count(self, node: int) -> float: ...

    def target(self, rule: int) -> list[int]: ...

    def target_count(self, rule: int) -> float: ...

    def links(self, rule: int) -> list[tuple[int, int]]: ...

    def scores(self, rule: int) -> list[float]: ...

    def lhs(self, rule: int) -> int: ...

    def occurrences(self, rule: int) -> int: ...

    def count(self, rule: int) -> float: ...

    def only_sentence(self, rule: int) -> int:
        """The sentence that a rule seen once comes from, else -1."""

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

def count_lexicon(source: Corpus, target: Corpus, links: Alignments) -> LexicalTable: ...

def extract_rules(source: Corpus, target: Corpus, links: Alignments, lexicon: LexicalTable, path: str, options: ExtractOptions, progress: object | None) -> ExtractReport: ...

def score_pairs(source: Corpus, target: Corpus, links: Alignments, lexicon: LexicalTable, path: str, options: ExtractOptions, progress: object | None) -> ExtractReport: ...

def match_phrases(store: RuleStore, words: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', writable=False)]) -> list[tuple[int, int, int, int]]:
    """
    (begin, end, first rule, end of rules) for every stretch of a sentence that has rules.
    """

class TableFormat(enum.Enum):
    """The shape of a line."""

    moses_phrases = 0

    moses_hiero = 1

    scfg = 2

class Duplicates(enum.Enum):
    """What to do when one rule stands on two lines."""

    refuse = 0

    last = 1

class TableReport:
    """What became of the lines of rule tables."""

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
    """Rules on their way from text tables to a store."""

    def __init__(self, vocabulary: VocabularyBuilder) -> None: ...

    def __len__(self) -> int: ...

    @property
    def columns(self) -> list[str]: ...

    def write(self, path: str, duplicates: Duplicates, progress: object | None) -> TableReport: ...

class TableReader:
    """Reads the lines of one table, in pieces."""

    def add(self, lines: Lines) -> None: ...

def read_table(table: RuleTable, format: TableFormat, name: str, prefix: str, scores: int) -> TableReader: ...

def read_reordering(table: RuleTable, name: str, columns: Sequence[str], missing: Sequence[float]) -> TableReader: ...

class TablePrinter:
    """The rules of a store as text, piece by piece."""

    def __init__(self, store: RuleStore, vocabulary: Vocabulary, format: TableFormat, columns: Sequence[int], sides_and_scores: bool, constant: str) -> None: ...

    def next(self) -> str: ...
