"""A stretch of text with tags as sentences of tokens, and back.

Tags are taken out of the text, translated sentences are joined, and the tags are put back by the
links of the words (`placement.py`).  Placeholders are tokens that search has to keep.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from demotic.constraints.lines import kept_word
from demotic.constraints.markup import AnyFormat, Piece, escaped
from demotic.constraints.placeholders import cut
from demotic.constraints.placement import Tag, placed_tags, with_unlinked
from demotic.constraints.tokens import Word, source_tokens
from demotic.lines import split_words
from demotic.search.constraint import Constraint
from demotic.search.decoder import GIVEN
from demotic.search.placeholders import Marks, is_positional
from demotic.search.sentence import AnnotatedSentence
from demotic.text.languages import base_language
from demotic.text.sentence_split import split_sentences
from demotic.text.tokenize import UNSPACED_LANGUAGES
from demotic.text.tokenize.characters import UNSPACED

if TYPE_CHECKING:
    from demotic.constraints.terms import TermFinder
    from demotic.search.chooser import Chosen
    from demotic.search.decoder import Step
    from demotic.search.nbest import Segment as Part
    from demotic.search.text import RawText

__all__ = ["OBJECT", "Segment"]

OBJECT = "\ufffc"  # stands for an element that is not translated
_WORD = re.compile(rf"(?:(?![{UNSPACED}])\w)++")


class _Sentence(NamedTuple):
    line: AnnotatedSentence
    begin: int  # in the text
    pieces: tuple[tuple[int, int], ...]  # character and token at which each piece begins
    kept: dict[int, str]  # placeholders by token, as they are written


@dataclass
class Segment:
    """Text between two breaks; `build` finds its sentences, `written` takes their translations."""

    pieces: Sequence[Piece]
    form: AnyFormat
    text: str = ""
    tags: list[tuple[int, Piece]] = field(default_factory=list)  # by character
    sentences: list[_Sentence] = field(default_factory=list)

    @property
    def as_it_was(self) -> str:
        return "".join(piece.written or piece.text for piece in self.pieces)

    def build(self, raw: RawText, finder: TermFinder | None, *, split: bool = True) -> None:
        """Without `split` the text is one sentence."""
        elements: list[str] = []  # those that stand for a word
        for piece in self.pieces:
            if piece.kind == "text":
                self.text += piece.text.replace(OBJECT, " ")
            elif piece.kind == "opaque":
                elements.append(piece.text)
                self.text += OBJECT
            else:
                self.tags.append((len(self.text), piece))
        self.tags = _at_word_edges(self.text, self.tags)
        waiting = iter(elements)
        for begin, end in self._sentence_spans(raw, split=split):
            self.sentences.append(self._sentence(raw, finder, begin, end, waiting))

    def _sentence_spans(self, raw: RawText, *, split: bool) -> list[tuple[int, int]]:
        if split and raw.source_side is not None:
            return split_sentences(self.text, raw.source_side.language)
        stripped = self.text.strip()
        begin = self.text.find(stripped)
        return [(begin, begin + len(stripped))] if stripped else []

    def _sentence(
        self, raw: RawText, finder: TermFinder | None, begin: int, end: int, elements: object
    ) -> _Sentence:
        edges = sorted({begin, end, *(at for at, _ in self.tags if begin < at < end)})
        pieces: list[str] = []
        places: list[int] = []
        for left, right in pairwise(edges):
            at = left
            for piece in _cut(self.text[left:right]):
                places.append(at)
                pieces.append(piece)
                at += len(piece)
        tokens = source_tokens(raw, pieces, finder.cutter(raw) if finder else None)
        kept: dict[int, str] = {}
        constraints: list[Constraint] = []
        for piece, (token, after) in zip(pieces, pairwise(tokens.starts), strict=True):
            if not isinstance(piece, Word):
                continue
            written = next(elements) if piece == OBJECT else escaped(piece, self.form)  # type: ignore[call-overload]
            kept[token] = written
            constraints.append(kept_word(raw, piece, (token, after)))
        constraints += finder.find(tokens.line, constraints) if finder else []
        line = AnnotatedSentence(raw.romanized(tokens.line), constraints=constraints)
        starts = zip(places, tokens.starts, strict=False)
        return _Sentence(line, begin, tuple(starts), kept)

    def written(self, found: Sequence[Chosen], raw: RawText) -> str:
        """The translation, whose sentences are `found`."""
        if not self.sentences:
            return self.as_it_was
        marks = Marks.for_text(self.text + "".join(one.best.text for one in found))
        target = _Target(raw, marks)
        for i, (chosen, sentence) in enumerate(zip(found, self.sentences, strict=True)):
            target.add(chosen, sentence, self._space_before(i, raw))
        before = self.text[: self.sentences[0].begin]
        after = self.text[len(self.text.rstrip()) :]
        middle = self._with_tags(target)
        whole = escaped(before, self.form) + middle + escaped(after, self.form)
        return marks.replaced(whole, target.kept)

    def _space_before(self, i: int, raw: RawText) -> str:
        if i == 0:
            return ""
        side = raw.target_side
        unspaced = side is not None and base_language(side.language) in UNSPACED_LANGUAGES
        return "" if unspaced else " "

    def _with_tags(self, target: _Target) -> str:
        tags = self._tags_by_token()
        source = sum(len(split_words(one.line)) for one in self.sentences)
        placed = placed_tags(tags, target.links, source, len(target.spans))
        parts: list[str] = []
        at = 0
        for one in placed:
            to = target.offset(one.at, after=one.after)
            to = max(at, to)
            parts.append(escaped(target.text[at:to], self.form))
            parts.append(self.tags[one.tag][1].text)
            at = to
        return "".join([*parts, escaped(target.text[at:], self.form)])

    def _tags_by_token(self) -> list[Tag]:
        """Pairs have been matched, so that they nest."""
        partners: dict[int, int] = {}
        open_: list[int] = []
        for i, (_, piece) in enumerate(self.tags):
            if piece.kind == "open":
                open_.append(i)
            elif piece.kind == "close":
                partners[open_.pop()] = i
        closing = set(partners.values())
        places: list[int] = []  # at which pieces of sentences begin
        tokens: list[int] = []
        count = 0
        for sentence in self.sentences:
            places += (place for place, _ in sentence.pieces)
            tokens += (count + token for _, token in sentence.pieces)
            count += len(split_words(sentence.line))
        tokens.append(count)
        return [
            Tag(
                tokens[bisect_left(places, at)],
                partners.get(i),
                i in closing,
                piece.kind == "empty" and piece.text.startswith("</"),
            )
            for i, (at, piece) in enumerate(self.tags)
        ]


def _at_word_edges(text: str, tags: Sequence[tuple[int, Piece]]) -> list[tuple[int, Piece]]:
    """A tag inside of a word goes to its edge: a start tag to the left, others to the right."""
    words = _WORD.finditer(text) if tags else iter(())
    begin = end = 0  # of a word
    found: list[tuple[int, Piece]] = []
    for at, piece in tags:
        while end <= at and (word := next(words, None)):
            begin, end = word.span()
        inside = begin < at < end
        found.append((at if not inside else begin if piece.kind == "open" else end, piece))
    return found


def _cut(text: str) -> list[str]:
    """Placeholders and elements are words of their own."""
    parts: list[str] = []
    for run in re.split(f"({OBJECT})", text):
        if run == OBJECT:
            parts.append(Word(run))
        elif run:
            parts += cut(run)
    return parts


class _Target:
    """Translated sentences joined to one text."""

    def __init__(self, raw: RawText, marks: Marks) -> None:
        self._raw, self._marks = raw, marks
        self.text = ""
        self.spans: list[tuple[int, int]] = []  # characters of each token
        self.links: list[tuple[int, int]] = []
        self.kept: list[str] = []
        self._source = 0  # tokens so far

    def add(self, chosen: Chosen, sentence: _Sentence, space: str) -> None:
        candidate = chosen.best
        words = list(candidate.words)
        segments = chosen.decoder.segments(candidate.steps)
        for token, word in self._places(candidate.steps, segments, sentence):
            words[word] = self._marks.token(len(self.kept))
            self.kept.append(sentence.kept[token])
        self.text += space
        restored = self._raw.restored(" ".join(words))
        base = len(self.spans)
        self.spans += self._spans(restored, words)
        phrases = [one.target for one in segments]
        links = with_unlinked(chosen.decoder.links(candidate.steps), candidate.words, phrases)
        self.links += [(s + self._source, t + base) for s, t in links]
        self.text += restored
        self._source += len(split_words(sentence.line))

    def _places(
        self, steps: Sequence[Step], segments: Sequence[Part], sentence: _Sentence
    ) -> list[tuple[int, int]]:
        """Token and target word of each placeholder; positional ones keep their order."""
        places = [
            (step.begin, segment.target[0])
            for step, segment in zip(steps, segments, strict=True)
            if step.rule <= GIVEN and step.begin in sentence.kept
        ]
        ordered = [place for place in places if is_positional(sentence.kept[place[0]])]
        tokens = sorted(token for token, _ in ordered)
        words = sorted(word for _, word in ordered)
        rest = [place for place in places if place not in ordered]
        return [*rest, *zip(tokens, words, strict=True)]

    def _spans(self, restored: str, words: Sequence[str]) -> list[tuple[int, int]]:
        """The characters of each token; parts of a word have those of the whole."""
        side = self._raw.target_side
        if side is None:
            return _spans(restored, words, len(self.text))
        spans = _spans(restored, side.shown(words), len(self.text))
        parts = zip(spans, side.spans(words), strict=True)
        return [span for span, (begin, end) in parts for _ in range(begin, end)]

    def offset(self, token: int, *, after: bool) -> int:
        if after:
            return self.spans[token - 1][1] if token > 0 else 0
        return self.spans[token][0] if token < len(self.spans) else len(self.text)


def _spans(text: str, tokens: Sequence[str], base: int) -> list[tuple[int, int]]:
    """Where each token is in the text, which has the same characters except for white space."""
    places = [i for i, sign in enumerate(text) if not sign.isspace()]
    ends: list[int] = []
    for token in tokens:
        ends.append((ends[-1] if ends else 0) + sum(not sign.isspace() for sign in token))
    total = ends[-1] if ends else 0
    if total != len(places) and total > 0:  # an odd detokeniser: in proportion
        ends = [end * len(places) // total for end in ends]
    spans: list[tuple[int, int]] = []
    begin = 0
    for end in ends:
        last = places[end - 1] + 1 if end > 0 and places else 0
        first = places[begin] if begin < end else last
        spans.append((base + first, base + last))
        begin = end
    return spans
