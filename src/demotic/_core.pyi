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
    """The bytes of an ARPA file in, n-grams out."""

    def __init__(self, name: str, marks_may_miss: bool) -> None: ...

    def feed(self, chunk: bytes) -> None: ...

    def finish(self) -> NgramModel: ...

class ArpaWriter:
    """The text of an ARPA file, piece by piece."""

    def __init__(self, ngrams: NgramModel) -> None: ...

    def next(self, threads: int) -> str:
        """The next few megabytes; empty at the end."""

class LmState:
    """A context as far as it matters; equal ones have equal futures."""

    def __eq__(self, other: object | None) -> bool: ...

    def __hash__(self) -> int: ...

    @property
    def node(self) -> int: ...

class LanguageModel:
    """A back-off model for queries; immutable."""

    @staticmethod
    def build(ngrams: NgramModel) -> LanguageModel: ...

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

    @property
    def size_bytes(self) -> int: ...

    def map(self, other: Vocabulary) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]:
        """The model's id of each word of another vocabulary."""

    @property
    def empty_state(self) -> LmState: ...

    @property
    def begin_state(self) -> LmState: ...

    def length(self, state: LmState) -> int:
        """Words in the state's context."""

    def score(self, state: LmState, word: int) -> tuple[float, LmState]:
        """ln p(word | state) and the state after it."""

    def match(self, state: LmState, word: int) -> tuple[float, LmState, int, bool]:
        """
        log10 p(word | state), the state after it, the words of the n-gram found, and whether something extends it to the left.
        """

class KneserNeyReport:
    """What estimation found."""

    @property
    def discounts(self) -> list[list[float]]: ...

    @property
    def fallback_orders(self) -> list[int]: ...

def estimate_kneser_ney(corpus: Corpus, vocabulary: Vocabulary, order: int, prune: Sequence[int], discount_fallback: bool, progress: object | None) -> tuple[NgramModel, KneserNeyReport]: ...

def mix_models(first: LanguageModel, second: LanguageModel, weight: float) -> NgramModel: ...

def score_corpus(model: LanguageModel, corpus: Corpus, words: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], begin: bool, end: bool, tokens: bool, threads: int, progress: object | None) -> tuple[Annotated[NDArray[numpy.float64], dict(shape=(None,))], Annotated[NDArray[numpy.int64], dict(shape=(None,))], Annotated[NDArray[numpy.float32], dict(shape=(None,))]]:
    """log10 and unknown words a sentence, and log10 a token if asked for."""

class ChartState:
    """The state of a piece that is open on both sides."""

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
