"""How text was prepared, as a value that prepares further text the same way and undoes it.

    preparation = Preparation.load("model")
    line = preparation.source("Wie geht's?")        # wie geht 's ?
    text = preparation.restore("how are you ?")     # How are you?

It is saved as `preparation.toml`, which a model directory keeps, so that `translate` takes and
gives raw text; true case adds a file of words for each language.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from demotic.errors import Error
from demotic.lines import EncodingPolicy, PathLike, split_words
from demotic.options import Options, option
from demotic.text.case import Truecaser, lowered, recased
from demotic.text.clean import Normalization, clean
from demotic.text.escape import escape, unescape
from demotic.text.languages import checked_language
from demotic.text.tokenize import Tokenizer, TokenizerName, tokenizer_for

__all__ = ["MAX_TOKEN_BYTES", "Preparation", "PrepareOptions", "Side"]

# Longer tokens are cut: no language has such words, but broken files do. As in vocabulary.h.
MAX_TOKEN_BYTES = 4096
FILE_NAME = "preparation.toml"


@dataclass(frozen=True, kw_only=True)
class PrepareOptions(Options):
    """What `demotic prepare` does to text, and which pairs it keeps."""

    case: Literal["lower", "true", "none"] = option(
        "lower", "all lower case, true case learned from the text, or as it is"
    )
    tokenizer: TokenizerName = option("auto", "how to cut words; none if they are cut already")
    target_tokenizer: TokenizerName | None = option(None, "another one for the target")
    unicode: Normalization = option("nfc", "Unicode normalisation")
    escape: bool = option(True, "write | [ ] < > & as Moses does, so that tables stay readable")
    min_length: int = option(1, "drop shorter sentences", unit="tokens", minimum=1)
    max_length: int = option(100, "drop longer sentences", unit="tokens", minimum=1)
    max_ratio: float = option(9.0, "drop pairs whose longer side has more than this", minimum=1)
    drop_duplicates: bool = option(False, "keep only the first of equal pairs")
    keep_all: bool = option(False, "drop nothing: lines in = lines out, for dev and test sets")
    encoding_errors: EncodingPolicy | None = option(
        None, "malformed UTF-8; without this refused, or replaced if all lines are kept"
    )

    @property
    def encoding_policy(self) -> EncodingPolicy:
        return self.encoding_errors or ("replace" if self.keep_all else "refuse")


class Side:
    """One language's part: a raw line to a prepared line, and back."""

    def __init__(
        self,
        language: str,
        tokenizer: Tokenizer,
        options: PrepareOptions,
        truecaser: Truecaser | None = None,
    ) -> None:
        self.language = checked_language(language)
        self.tokenizer = tokenizer
        self.options = options
        self.truecaser = truecaser
        self.capped = 0  # tokens cut because of their length, so far

    def tokens(self, line: str) -> list[str]:
        """The first half: clean, cut, and no token too long."""
        cleaned = clean(line, self.options.unicode)
        tokens = self.tokenizer.tokenize(cleaned)
        if len(cleaned) > MAX_TOKEN_BYTES // 6:  # an escaped character takes 6 bytes at most
            tokens = [self._capped(token) for token in tokens]
        return tokens

    def finished(self, tokens: list[str]) -> str:
        """The second half: cased and escaped, single spaces between."""
        if self.truecaser is not None:
            tokens = self.truecaser.apply(tokens)
        text = " ".join(tokens)
        if self.options.case == "lower":
            text = lowered(text, self.language)
        return escape(text) if self.options.escape else text

    def prepared(self, line: str) -> str:
        return self.finished(self.tokens(line))

    def restored(self, line: str) -> str:
        tokens = [unescape(token) if self.options.escape else token for token in split_words(line)]
        if self.options.case != "none":
            tokens = recased(tokens, self.language)
        return self.tokenizer.detokenize(tokens)

    def _capped(self, token: str) -> str:
        if self._fits(token):
            return token
        self.capped += 1
        low, high = 0, min(len(token), MAX_TOKEN_BYTES)
        while low < high:  # the longest prefix that fits
            middle = (low + high + 1) // 2
            low, high = (middle, high) if self._fits(token[:middle]) else (low, middle - 1)
        return token[:low]

    def _fits(self, token: str) -> bool:
        # Lower case may take more bytes, so both are measured.
        longest = max(token, token.lower(), key=lambda text: len(text.encode()))
        return len((escape(longest) if self.options.escape else longest).encode()) <= (
            MAX_TOKEN_BYTES
        )


@dataclass(frozen=True)
class Preparation:
    """The preparation of both languages; with one language alone, it is the source."""

    options: PrepareOptions
    source_side: Side
    target_side: Side | None = None
    counts: dict[str, int] = field(default_factory=dict)
    notices: list[str] = field(default_factory=list)  # remarks that loading gave

    @classmethod
    def begin(
        cls, options: PrepareOptions, source_language: str, target_language: str = ""
    ) -> Preparation:
        """Chooses the tokenisers. Raises Error if one is missing."""
        if target_language == source_language:
            raise ValueError(
                f"source and target are both {source_language}; expected two languages"
            )
        name = options.tokenizer
        source = Side(source_language, tokenizer_for(source_language, name), options)
        if not target_language:
            return cls(options, source)
        name = options.target_tokenizer or name
        target = Side(target_language, tokenizer_for(target_language, name), options)
        return cls(options, source, target)

    @property
    def sides(self) -> tuple[Side, ...]:
        return (
            (self.source_side,)
            if self.target_side is None
            else (self.source_side, self.target_side)
        )

    def of(self, language: str) -> Preparation:
        """The part of one language alone. Raises Error if it has none."""
        for side in self.sides:
            if side.language == language:
                return Preparation(self.options, side)
        known = " and ".join(side.language for side in self.sides)
        raise Error(f"the language {language!r}", expected=f"{known}, which were prepared")

    def source(self, line: str) -> str:
        """A raw line of the source language, prepared."""
        return self.source_side.prepared(line)

    def target(self, line: str) -> str:
        """A raw line of the target language, prepared."""
        return self.sides[-1].prepared(line)

    def restore(self, line: str) -> str:
        """A prepared line of the target language as people write it."""
        return self.sides[-1].restored(line)

    def save(self, directory: PathLike) -> None:
        from demotic.text.preparation_file import write_preparation

        for side in self.sides:
            if side.truecaser is not None:
                side.truecaser.save(truecase_path(directory, side.language))
        write_preparation(self, Path(directory) / FILE_NAME)

    @classmethod
    def load(cls, directory: PathLike) -> Preparation:
        """Raises IoError if there is none, FormatError with all faults of the file."""
        from demotic.text.preparation_file import read_preparation

        return read_preparation(Path(directory) / FILE_NAME)


def truecase_path(directory: PathLike, language: str) -> Path:
    return Path(directory) / f"truecase.{language}"
