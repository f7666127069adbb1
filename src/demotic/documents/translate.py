"""Translates the segments of documents, sentence by sentence."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from demotic.documents.budget import Budget
from demotic.documents.document import Languages
from demotic.documents.formats import read_document
from demotic.documents.marked import from_marked, spaced_as, to_marked
from demotic.documents.segment import Piece, Segment, has_words
from demotic.documents.sentences import split_segment
from demotic.text.languages import base_language, words

if TYPE_CHECKING:
    from demotic.constraints import Glossary
    from demotic.model import Model
    from demotic.search import Decoder
    from demotic.search.decision import DecisionOptions
    from demotic.search.text import RawText

__all__ = ["DocumentTranslator", "TranslatedDocument", "translate_document"]

_BATCH = 256  # sentences between two reports of progress
_UNSPACED = words("zh ja th lo km my bo")  # languages that write no space between sentences

Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class TranslatedDocument:
    """The translated document, and how many of its segments were translated or kept."""

    data: bytes
    translated: int
    kept: int  # had a translation already


def translate_document(
    model: Model,
    data: bytes,
    format: str,  # noqa: A002 - the word that users know
    *,
    name: str = "the document",
    retranslate: bool = False,
    threads: int = 1,
) -> bytes:
    """The document with translations. Raises FormatError if it is not in the format."""
    translator = DocumentTranslator.of(model, threads=threads)
    return translator.translate(data, format, name=name, retranslate=retranslate).data


class DocumentTranslator:
    """Translates documents; `translate` takes sentences with inline elements of XLIFF."""

    def __init__(
        self, translate: Callable[[Sequence[str]], list[str]], languages: Languages
    ) -> None:
        self._translate = translate
        self._languages = languages
        unspaced = languages.target and base_language(languages.target) in _UNSPACED
        self._space = "" if unspaced else " "

    @classmethod
    def of(
        cls,
        model: Model,
        *,
        decoder: Decoder | None = None,
        raw: RawText | None = None,
        glossary: Glossary | None = None,
        decision: DecisionOptions | None = None,
        threads: int = 1,
    ) -> DocumentTranslator:
        """The terms of `glossary` are obeyed and translations are chosen by `decision`; by default
        both are those of the model."""
        from demotic.constraints import MarkupTranslator

        texts = MarkupTranslator(
            model,
            decoder=decoder,
            raw=raw,
            glossary=glossary,
            decision=decision,
            threads=threads,
        )
        languages = Languages(model.info.source_language, model.info.target_language)
        return cls(lambda sentences: texts.translate(sentences, "xliff-inline"), languages)

    def translate(
        self,
        data: bytes,
        format: str,  # noqa: A002
        *,
        name: str = "the document",
        retranslate: bool = False,
        progress: Progress | None = None,
        budget: Budget | None = None,
    ) -> TranslatedDocument:
        """`retranslate` replaces translations that the document has already.

        Raises TooMuch for a document that exceeds the budget, before anything is translated.
        """
        budget = budget or Budget()
        document = read_document(data, format, name, self._languages, budget)
        segments = document.segments
        wanted = {
            i: self._parts(one, budget)
            for i, one in enumerate(segments)
            if has_words(one.pieces) and (retranslate or not one.translated)
        }
        texts = {part.text: "" for parts in wanted.values() for part in parts if part.text}
        known = self._translated(list(texts), progress)
        # What has been joined is forgotten: the parts take more memory than the document.
        targets = {i: self._joined(wanted.pop(i), known) for i in list(wanted)}
        kept = sum(one.translated for one in segments) if not retranslate else 0
        return TranslatedDocument(document.written(targets), len(targets), kept)

    def _parts(self, segment: Segment, budget: Budget) -> list[_Part]:
        parts = []
        for pieces in split_segment(segment, self._languages.source, budget):
            text = to_marked(pieces)[0] if has_words(pieces) else ""
            if text:
                budget.sentence(len(text))
            parts.append(_Part(pieces, text))
        return parts

    def _translated(self, distinct: Sequence[str], progress: Progress | None) -> dict[str, str]:
        """By text, so that what is repeated is translated once."""
        found: dict[str, str] = {}
        for begin in range(0, len(distinct), _BATCH):
            batch = distinct[begin : begin + _BATCH]
            found.update(zip(batch, self._translate(batch), strict=True))
            if progress is not None:
                progress(len(found), len(distinct))
        return found

    def _joined(self, parts: Sequence[_Part], known: dict[str, str]) -> list[Piece]:
        """The parts of a segment, separated as the target language separates sentences."""
        found: list[Piece] = []
        after_sentence = False
        for i, (part, sentence) in enumerate(parts):
            if not sentence:
                inner = after_sentence and i + 1 < len(parts)
                found += [self._space] if inner and part == [" "] else part
                after_sentence = after_sentence and not any(map(_has_space, part))
                continue
            if after_sentence:
                found.append(self._space)
            made = from_marked(known[sentence], to_marked(part)[1])
            found += spaced_as(part, made) if self._space else made
            after_sentence = True
        return _merged(found)


class _Part(NamedTuple):
    """A sentence, or what is between two of them."""

    pieces: list[Piece]
    text: str  # of a sentence, with the elements of XLIFF


def _has_space(piece: Piece) -> bool:
    return isinstance(piece, str) and any(character.isspace() for character in piece)


def _merged(pieces: Sequence[Piece]) -> list[Piece]:
    """Neighbouring texts as one, without empty ones."""
    found: list[Piece] = []
    for piece in pieces:
        if isinstance(piece, str) and found and isinstance(found[-1], str):
            found[-1] += piece
        elif piece != "":
            found.append(piece)
    return found
