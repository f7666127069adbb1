"""The language model: loaded from ARPA or a binary file, queried, saved as either.

Scores are natural logarithms, except in ARPA files and `Perplexity`, which use log10.
"""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from demotic import _core
from demotic._core import LmCursor, LmState, NgramModel, Vocabulary
from demotic.errors import FormatError, IoError
from demotic.lines import PathLike, display_name, open_plain_bytes, split_words, write_text
from demotic.lm.text import TextSource, encode_with
from demotic.verified import open_verified, policy

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["LanguageModel", "Perplexity", "SentenceScores", "TokenScores"]

CONTAINER_MAGIC = b"\x89DEM"
_KENLM_MAGIC = b"mmap lm http://kheafield.com/code"


@dataclass(frozen=True)
class Perplexity:
    """How well a model predicts a text; </s> counts as a word, <s> does not."""

    sentences: int
    tokens: int
    """words and sentence ends"""
    unknown: int
    log10: float
    log10_known: float
    """without the unknown words"""

    @property
    def with_unknown(self) -> float:
        return _perplexity(self.log10, self.tokens)

    @property
    def without_unknown(self) -> float:
        return _perplexity(self.log10_known, self.tokens - self.unknown)


def _perplexity(log10: float, tokens: int) -> float:
    if tokens == 0:
        return math.nan
    exponent = -log10 / tokens
    return math.inf if exponent > 308 else 10.0**exponent


class SentenceScores(NamedTuple):
    """Arrays with one value per sentence."""

    log10: NDArray[np.float64]
    unknown: NDArray[np.int64]


class TokenScores(NamedTuple):
    """Arrays with one value per word and sentence end."""

    log10: NDArray[np.float32]
    known: NDArray[np.bool_]


class LanguageModel:
    """A back-off n-gram model. Immutable; created by `estimate_lm`, `mix_lms` or `load`."""

    def __init__(
        self,
        *,
        native: _core.LanguageModel | None = None,
        ngrams: NgramModel | None = None,
        discounts: tuple[tuple[float, ...], ...] = (),
        fallback_orders: tuple[int, ...] = (),
    ) -> None:
        if native is None and ngrams is None:
            raise ValueError("create a language model with estimate_lm, mix_lms or load")
        self._native = native
        self._ngrams = ngrams
        self.discounts = discounts
        self.fallback_orders = fallback_orders

    @classmethod
    def load(
        cls, path: PathLike, *, verify: bool = True, marks_may_miss: bool = False
    ) -> LanguageModel:
        """Reads an ARPA file (plain or compressed) or maps a binary one.

        `verify=False` skips the checksums of a binary file, so that opening takes constant time.
        `marks_may_miss` accepts ARPA files without <s> or </s>, which are then unknown words.
        """
        beginning = _beginning(path)
        if beginning.startswith(_KENLM_MAGIC):
            raise FormatError(
                "a binary file of KenLM",
                path=path,
                expected="an ARPA file or a binary model of Demotic",
                advice="convert it from ARPA: demotic lm --from MODEL.arpa -o MODEL.lm",
            )
        if beginning.startswith(CONTAINER_MAGIC):
            return cls(native=open_verified(_core.LanguageModel.open, path, policy(verify)))
        reader = _core.ArpaReader(display_name(path), marks_may_miss)
        for chunk in open_plain_bytes(path):
            reader.feed(chunk)
        return cls(ngrams=reader.finish())

    def save(
        self, path: PathLike, *, threads: int = 1, table: _core.TableFormat | None = None
    ) -> None:
        """Writes ARPA if the name ends in .arpa or .arpa.gz, else the binary format.

        With `table`, ARPA words are escaped as in rule tables of that format.
        """
        name = Path(path).name
        if not name.endswith((".arpa", ".arpa.gz")):
            Path(path).parent.mkdir(parents=True, exist_ok=True)
            self.native.save(os.fspath(path))
            return
        ngrams = self._ngrams if self._ngrams is not None else self.native.ngrams()
        writer = _core.ArpaWriter(ngrams, table)
        with write_text(path) as file:
            while piece := writer.next(threads):
                file.write(piece)

    @property
    def native(self) -> _core.LanguageModel:
        """The native model for decoders; built on first use."""
        if self._native is None:
            assert self._ngrams is not None
            self._native = _core.LanguageModel.build(self._ngrams, False)
        return self._native

    def quantized(self) -> LanguageModel:
        """The same model with probabilities and backoffs of 8 bits; unigrams are exact."""
        if self._native is not None and self._native.quantized:
            return self
        ngrams = self._ngrams if self._ngrams is not None else self.native.ngrams()
        return LanguageModel(
            native=_core.LanguageModel.build(ngrams, True),
            discounts=self.discounts,
            fallback_orders=self.fallback_orders,
        )

    @property
    def order(self) -> int:
        return (self._ngrams or self.native).order

    @property
    def counts(self) -> tuple[int, ...]:
        """Number of n-grams of each order."""
        return tuple((self._ngrams or self.native).counts)

    @property
    def vocabulary(self) -> Vocabulary:
        return (self._ngrams or self.native).vocabulary

    @property
    def words(self) -> Vocabulary:
        """The words that the model knows: its vocabulary, or the words that have classes."""
        return self.vocabulary if self._ngrams is not None else self.native.words

    def __repr__(self) -> str:
        return f"LanguageModel(order {self.order}, {' + '.join(f'{n:,}' for n in self.counts)})"

    def score(
        self, sentence: str | Sequence[str], *, begin: bool = True, end: bool = True
    ) -> float:
        """ln p of the words separated by spaces, after <s> if `begin`, with </s> if `end`."""
        words = sentence if isinstance(sentence, str) else " ".join(sentence)
        return self.native.sentence_score(words, begin, end)

    def word_scores(
        self, sentence: str | Sequence[str], *, begin: bool = True, end: bool = True
    ) -> list[float]:
        """ln p of each word, and of </s> if `end`."""
        words = split_words(sentence) if isinstance(sentence, str) else list(sentence)
        return self.native.word_scores(words, begin, end)

    @property
    def begin_state(self) -> LmState:
        """The state after <s>."""
        return self.native.begin_state

    @property
    def empty_state(self) -> LmState:
        return self.native.empty_state

    def step(self, state: LmState, word: str) -> tuple[float, LmState]:
        """ln p(word | state) and the state after it; `word` may be </s>."""
        return self.native.step(state, word)

    def cursor(self, state: LmState | None = None) -> LmCursor:
        """Scores word by word from <s> or from `state`: `cursor.score(word)` is ln p and advances.

        Twice as fast as `step`, since no states are created; `cursor.begin()` returns to <s> for
        the next sentence.
        """
        native = self.native
        return LmCursor(native, native.begin_state if state is None else state)

    def score_text(
        self, text: TextSource, *, begin: bool = True, end: bool = True, threads: int = 1
    ) -> SentenceScores:
        """log10 p and unknown words per sentence of a file, lines or a corpus."""
        encoded = encode_with(self.words, text, threads)
        words = self.native.map(encoded.vocabulary)
        log10, unknown, _ = _core.score_corpus(
            self.native, encoded.corpus, words, begin, end, False, threads, None
        )
        return SentenceScores(log10, unknown)

    def token_scores(self, text: TextSource, *, threads: int = 1) -> TokenScores:
        """log10 p of each word and sentence end of a file, lines or a corpus."""
        import numpy as np

        encoded = encode_with(self.words, text, threads)
        words = self.native.map(encoded.vocabulary)
        _, _, log10 = _core.score_corpus(
            self.native, encoded.corpus, words, True, True, True, threads, None
        )
        known = words[encoded.corpus.words] != _core.UNKNOWN
        return TokenScores(log10, np.insert(known, encoded.corpus.offsets[1:], True))

    def perplexity(self, text: TextSource, *, threads: int = 1) -> Perplexity:
        """The perplexity of a file, lines or a corpus."""
        encoded = encode_with(self.words, text, threads)
        scores = self.token_scores(encoded, threads=threads)
        return Perplexity(
            sentences=len(encoded.corpus),
            tokens=len(scores.log10),
            unknown=int((~scores.known).sum()),
            log10=float(scores.log10.sum(dtype="f8")),
            log10_known=float(scores.log10[scores.known].sum(dtype="f8")),
        )


def _beginning(path: PathLike) -> bytes:
    if os.fspath(path) == "-":
        return b""
    try:
        with open(path, "rb") as file:
            return file.read(64)
    except OSError as error:
        raise IoError("the file cannot be opened", path=str(path), errno=error.errno or 0) from None
