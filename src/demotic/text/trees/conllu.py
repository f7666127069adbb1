"""Reads dependency trees in CoNLL-U; the subtree of every word is a constituent.

A constituent is labelled by the tag of its head (`LABELS`), that of a root is `ROOT_LABEL`.
Subtrees with holes are not constituents, and are counted.  Several roots are allowed, since a line
of text may hold several sentences.

The words of a multiword token (`1-2  du`, `1  de`, `2  le`) have no characters of their own: each
stands for the whole token.  Empty nodes (`1.1`) are skipped.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise

from demotic.errors import FormatError
from demotic.text.trees.subtrees import CycleError, Subtrees, find_subtrees
from demotic.text.trees.tree import UNTAGGED, Tree

__all__ = ["LABELS", "OTHER_LABEL", "ROOT_LABEL", "read_conllu"]

LABELS = {
    "NOUN": "NP",
    "PROPN": "NP",
    "PRON": "NP",
    "VERB": "VP",
    "AUX": "VP",
    "ADP": "PP",
    "ADJ": "ADJP",
    "ADV": "ADVP",
    "NUM": "QP",
}
ROOT_LABEL = "IP"
OTHER_LABEL = "XP"

_COLUMNS = 10
_NO_TREE = re.compile(r"# *no tree *", re.IGNORECASE)
_NUMBER = re.compile(r"[0-9]{1,9}")
_ID = re.compile(r"([0-9]{1,9})(?:-([0-9]{1,9})|(\.)[0-9]{1,9})?")
_UNKNOWN = "_"

Block = list[tuple[int, str]]


def read_conllu(lines: Iterable[tuple[int, str]], path: str) -> Iterator[Tree | None]:
    """The tree of every sentence; None for a block of comments only, or with `# no tree`."""
    for block in _blocks(lines):
        comments = [text for _, text in block if text.startswith("#")]
        if len(comments) == len(block) or any(map(_NO_TREE.fullmatch, comments)):
            yield None
        else:
            yield _Sentence(block, path).tree()


def _blocks(lines: Iterable[tuple[int, str]]) -> Iterator[Block]:
    """The lines between empty lines."""
    block: Block = []
    for line, text in lines:
        if text.strip(" \t"):
            block.append((line, text))
        elif block:
            yield block
            block = []
    if block:
        yield block


class _Sentence:
    """The words of one block, and the tokens of the text that they belong to."""

    def __init__(self, block: Block, path: str) -> None:
        self._path = path
        self._line = block[0][0]
        self._tokens: list[str] = []
        self._token_of: list[int] = []  # by word
        self._tags: list[str] = []  # by word
        self._heads: list[int] = []  # by word, counted from 0; -1 for a root
        self._lines: list[int] = []  # by word
        self._multiword_end = 0  # last word of the latest multiword token
        for line, text in block:
            if not text.startswith("#"):
                self._add_row(line, text.split("\t"))
        self._check()

    def tree(self) -> Tree:
        try:
            subtrees = find_subtrees(self._heads)
        except CycleError as cycle:
            raise self._error(
                self._lines[cycle.word],
                f"a cycle: word {cycle.word + 1} depends on itself",
                "heads that lead to a root (head 0)",
            ) from None
        spans = [word for word in range(len(self._heads)) if subtrees.is_span(word)]
        spans.sort(key=lambda word: (subtrees.first[word], -subtrees.last[word]))
        return Tree(
            self._line,
            self._tokens,
            self._token_tags(),
            [self._token_of[subtrees.first[word]] for word in spans],
            [self._token_of[subtrees.last[word]] + 1 for word in spans],
            [self._label(word) for word in spans],
            holes=len(self._heads) - len(spans),
            widened=self._widened(subtrees, spans),
        )

    def _add_row(self, line: int, fields: list[str]) -> None:
        if len(fields) != _COLUMNS:
            raise self._error(
                line, f"{len(fields)} columns", f"{_COLUMNS}, separated by tabs, or an empty line"
            )
        found = _ID.fullmatch(fields[0])
        if not found:
            raise self._error(line, f"the id '{fields[0][:60]}'", "a number, such as 1, 1-2 or 1.1")
        if found[3]:  # an empty node
            self._check_id(line, int(found[1]), len(self._heads), fields[0])
            return
        self._check_id(line, int(found[1]), len(self._heads) + 1, fields[0])
        if not fields[1].strip(" "):
            raise self._error(line, "a word without a form", "text in the second column")
        if found[2]:
            self._add_multiword(line, fields, int(found[2]))
        else:
            self._add_word(line, fields)

    def _add_multiword(self, line: int, fields: list[str], end: int) -> None:
        first = len(self._heads) + 1
        if end <= first or first <= self._multiword_end:
            raise self._error(
                line,
                f"the multiword token '{fields[0]}'",
                f"a range that begins at {first}, has at least two words, and overlaps no other",
            )
        self._multiword_end = end
        self._tokens.append(fields[1])

    def _add_word(self, line: int, fields: list[str]) -> None:
        head = int(fields[6]) if _NUMBER.fullmatch(fields[6]) else -1
        if head < 0:
            raise self._error(
                line,
                f"the head '{fields[6][:60]}'",
                "the number of a word, or 0 for the root",
                "write the comment '# no tree' for a sentence that was not parsed",
            )
        self._heads.append(head - 1)
        self._tags.append(self._tag(line, fields))
        self._lines.append(line)
        if len(self._heads) > self._multiword_end:
            self._tokens.append(fields[1])
        self._token_of.append(len(self._tokens) - 1)

    def _tag(self, line: int, fields: list[str]) -> str:
        tag = next((field for field in fields[3:5] if field not in ("", _UNKNOWN)), UNTAGGED)
        if " " in tag:
            raise self._error(line, f"the tag '{tag[:60]}'", "a tag without spaces")
        return tag

    def _check(self) -> None:
        """What only the last word can tell."""
        words = len(self._heads)
        if not words or self._multiword_end > words:
            line = self._lines[-1] if self._lines else self._line
            ends = f", as the multiword token up to {self._multiword_end} needs"
            raise self._error(
                line,
                f"a sentence of {words} words",
                f"more words{ends if self._multiword_end else ''}",
            )
        for line, head in zip(self._lines, self._heads, strict=True):
            if head >= words:
                raise self._error(line, f"the head {head + 1}", f"at most {words}, the last word")
        if -1 not in self._heads:
            raise self._error(self._line, "a tree without a root", "a word with head 0")

    def _check_id(self, line: int, number: int, expected: int, text: str) -> None:
        if number != expected:
            raise self._error(line, f"the id '{text}'", f"{expected}: ids count words from 1")

    def _label(self, word: int) -> str:
        if self._heads[word] < 0:
            return ROOT_LABEL
        return LABELS.get(self._tags[word], OTHER_LABEL)

    def _widened(self, subtrees: Subtrees, spans: list[int]) -> int:
        """Boundaries of constituents between two words of one multiword token."""
        of = self._token_of
        if len(of) == len(self._tokens):
            return 0
        inside = [False, *(left == right for left, right in pairwise(of)), False]
        return sum(inside[subtrees.first[w]] + inside[subtrees.last[w] + 1] for w in spans)

    def _token_tags(self) -> list[str]:
        """By token; of several words, the first whose head is outside the token."""
        if len(self._token_of) == len(self._tokens):
            return self._tags
        tags = [""] * len(self._tokens)
        for word, token in enumerate(self._token_of):
            head = self._heads[word]
            if not tags[token] and (head < 0 or self._token_of[head] != token):
                tags[token] = self._tags[word]
        return tags

    def _error(self, line: int, found: str, expected: str, advice: str = "") -> FormatError:
        return FormatError(found, path=self._path, line=line, expected=expected, advice=advice)
