"""One language's part of a preparation: a raw line to a prepared line, and back."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from demotic.lines import PathLike, split_words
from demotic.text.addresses import split_addresses
from demotic.text.case import Truecaser, lowered, recased
from demotic.text.clean import clean
from demotic.text.compound_words import JOIN, CompoundForm, CompoundWords
from demotic.text.compounds import CompoundSplitter
from demotic.text.escape import escape, unescape
from demotic.text.languages import checked_language
from demotic.text.segment import UnigramWords
from demotic.text.tokenize.unigram import UnigramTokenizer

if TYPE_CHECKING:
    from demotic.text.preparation import PrepareOptions
    from demotic.text.tokenize import Tokenizer

__all__ = ["MAX_TOKEN_BYTES", "Side"]

# Longer tokens are truncated: no language has them, but broken files do. As in vocabulary.h.
MAX_TOKEN_BYTES = 4096


class Side:
    """Cleans, tokenises, sets case, splits compounds and escapes; `restored` reverses it."""

    def __init__(
        self,
        language: str,
        tokenizer: Tokenizer,
        options: PrepareOptions,
        truecaser: Truecaser | None = None,
        compound_form: CompoundForm | None = None,
    ) -> None:
        """`compound_form` is how compounds are split; None if they are not."""
        self.language = checked_language(language)
        self.tokenizer = tokenizer
        self.options = options
        self.truecaser = truecaser
        self.compound_form = compound_form
        self.compounds: CompoundWords | None = None
        self.capped = 0  # tokens truncated so far

    @property
    def lacks_words(self) -> bool:
        """Whether the segmenter of this side has yet to be learnt."""
        return isinstance(self.tokenizer, UnigramTokenizer) and self.tokenizer.words is None

    @property
    def lacks_case(self) -> bool:
        """Whether the true case of its words has yet to be learnt."""
        return self.options.case == "true" and self.truecaser is None

    @property
    def lacks_compounds(self) -> bool:
        """Whether the words of compounds have yet to be learnt."""
        return self.compound_form is not None and self.compounds is None

    @property
    def lacks_anything(self) -> bool:
        return self.lacks_words or self.lacks_case or self.lacks_compounds

    def tokens(self, line: str) -> list[str]:
        """First half: clean, tokenise all but addresses, truncate overlong tokens."""
        cleaned = clean(line, self.options.unicode)
        if self.compound_form == "marked":
            cleaned = cleaned.replace(JOIN, "\u25a0")  # the same sign in another width
        tokens: list[str] = []
        for piece, address in split_addresses(cleaned):
            tokens += [piece] if address else self.tokenizer.tokenize(piece)
        if len(cleaned) > MAX_TOKEN_BYTES // 6:  # an escaped character takes at most 6 bytes
            tokens = [self._capped(token) for token in tokens]
        return tokens

    def words(self, tokens: list[str]) -> list[str]:
        """Sets case and splits compounds: one text per token, with a space between its words."""
        if self.truecaser is not None:
            tokens = self.truecaser.apply(tokens)
        return self.split_compounds(tokens)

    def split_compounds(self, tokens: list[str]) -> list[str]:
        return self.compounds.split(tokens) if self.compounds is not None else tokens

    def written(self, words: list[str]) -> str:
        """Joins with single spaces and escapes."""
        text = " ".join(words)
        if self.options.case == "lower":
            text = lowered(text, self.language)
        return escape(text) if self.options.escape else text

    def finished(self, tokens: list[str]) -> str:
        """Second half: set case, split compounds, escape, join with single spaces."""
        return self.written(self.words(tokens))

    def prepared(self, line: str) -> str:
        return self.finished(self.tokens(line))

    def restored(self, line: str) -> str:
        tokens = self.shown(split_words(line))
        if self.options.case != "none":
            tokens = recased(tokens, self.language)
        return self.tokenizer.detokenize(tokens)

    def shown(self, words: Sequence[str]) -> list[str]:
        """The words as they are read: compounds joined, signs not escaped."""
        tokens = [unescape(word) if self.options.escape else word for word in words]
        return self.compounds.join(tokens) if self.compounds is not None else tokens

    def spans(self, words: Sequence[str]) -> list[tuple[int, int]]:
        """The prepared words of each of those that are `shown`."""
        if self.compounds is None:
            return [(i, i + 1) for i in range(len(words))]
        return self.compounds.spans(words)

    def set_compounds(self, splitter: CompoundSplitter) -> None:
        if self.compound_form is not None:
            truecases = self.options.case != "none"
            self.compounds = CompoundWords(splitter, self.compound_form, truecases=truecases)

    def save_learnt(self, directory: PathLike) -> tuple[str, ...]:
        """Writes what was learnt from text; returns the names of the files."""
        names = []
        if self.truecaser is not None:
            names.append(f"truecase.{self.language}")
            self.truecaser.save(Path(directory) / names[-1])
        if isinstance(self.tokenizer, UnigramTokenizer) and self.tokenizer.words is not None:
            names.append(f"segmenter.{self.language}")
            self.tokenizer.words.save(Path(directory) / names[-1])
        if self.compounds is not None:
            names.append(f"compounds.{self.language}")
            self.compounds.splitter.save(Path(directory) / names[-1])
        return tuple(names)

    def load_learnt(self, directory: PathLike) -> None:
        """Reads what `save_learnt` wrote. Raises IoError, FormatError."""
        if self.lacks_case:
            path = Path(directory) / f"truecase.{self.language}"
            self.truecaser = Truecaser.load(path, self.language)
        if isinstance(self.tokenizer, UnigramTokenizer):
            path = Path(directory) / f"segmenter.{self.language}"
            self.tokenizer.words = UnigramWords.load(path)
        if self.compound_form is not None:
            path = Path(directory) / f"compounds.{self.language}"
            self.set_compounds(CompoundSplitter.load(path, self.language))

    def _capped(self, token: str) -> str:
        if self._fits(token):
            return token
        self.capped += 1
        low, high = 0, min(len(token), MAX_TOKEN_BYTES)
        while low < high:  # bisect for the longest prefix that fits
            middle = (low + high + 1) // 2
            low, high = (middle, high) if self._fits(token[:middle]) else (low, middle - 1)
        return token[:low]

    def _fits(self, token: str) -> bool:
        # Lower-casing may lengthen the token, so both forms are measured.
        longest = max(token, token.lower(), key=lambda text: len(text.encode()))
        return len((escape(longest) if self.options.escape else longest).encode()) <= (
            MAX_TOKEN_BYTES
        )
