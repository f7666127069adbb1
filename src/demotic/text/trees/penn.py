"""Reads trees in Penn brackets, one per line: `(S (NP (DT the) (NN man)) (VP (VBD slept)))`.

Function tags and indices are cut off (`NP-SBJ=1` is an NP).  Empty elements (`-NONE-`) are removed,
and so are the constituents that contain nothing else.  The brackets around a whole tree that have
no label, or one that parsers add (ROOT, TOP, S1), are not constituents.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from demotic.errors import FormatError
from demotic.text.trees.tree import BRACKETS, Tree

__all__ = ["read_penn"]

_NO_TREE = re.compile(r" *(?:\( *(?:\( *\) *)?\) *)?")
# A leaf with its tag; an opening bracket with its label; a closing bracket or a stray word.
_PIECE = re.compile(r"\( *([^ ()]+) +([^ ()]+) *\)|\( *([^ ()]*)|(\)|[^ ()]+)")
_BARE_LABEL = re.compile(r"[^-=]+|.+")  # a label such as -NONE- is kept whole
_WRAPPERS = frozenset(["", "ROOT", "TOP", "S1"])
_EMPTY_ELEMENT = "-NONE-"
_NO_CONSTITUENT = -1


class _MisplacedError(Exception):
    """A piece that cannot stand where it does."""

    def __init__(self, found: str, expected: str, advice: str = "") -> None:
        super().__init__(found, expected, advice)


def read_penn(lines: Iterable[tuple[int, str]], path: str) -> Iterator[Tree | None]:
    """The tree of every numbered line; None for an empty line, `()` or `(())`."""
    for line, text in lines:
        spaced = text.replace("\t", " ")
        yield None if _NO_TREE.fullmatch(spaced) else _parse(spaced, path, line)


def _parse(text: str, path: str, line: int) -> Tree:
    builder = _Builder()
    try:
        for piece in _PIECE.findall(text):
            builder.add(*piece)
        return builder.finish(line)
    except _MisplacedError as error:
        found, expected, advice = error.args
        column = _column(text, builder.pieces)
        raise FormatError(
            f"column {column}: {found}", path=path, line=line, expected=expected, advice=advice
        ) from None


def _column(text: str, number: int) -> int:
    """Where the piece with this number begins, counted from 1; after the last one, the end."""
    starts = [piece.start() for piece in _PIECE.finditer(text)]
    return (starts[number] if number < len(starts) else len(text.rstrip(" "))) + 1


class _Builder:
    """Builds the lists of one tree from its pieces; a stack replaces recursion."""

    def __init__(self) -> None:
        self.pieces = 0  # added so far
        self._words: list[str] = []
        self._tags: list[str] = []
        self._begins: list[int] = []
        self._ends: list[int] = []
        self._labels: list[str] = []
        self._open: list[int] = []  # constituents that are not closed yet
        self._started = False
        self._childless = False
        self._has_empty_elements = False

    def add(self, tag: str, word: str, label: str, other: str) -> None:
        """The groups of a match of `_PIECE`."""
        if word:
            self._add_leaf(tag, word)
        elif not other:
            self._open_bracket(label)
        elif other == ")":
            self._close_bracket()
        else:
            self._refuse_word(other)
        self.pieces += 1

    def finish(self, line: int) -> Tree:
        if self._open:
            raise _MisplacedError(
                f"unbalanced bracket: the line ends with {len(self._open)} of them open",
                f"{len(self._open)} more ')'",
                _ONE_TREE,
            )
        if self._has_empty_elements:
            self._remove_empty_constituents()
        return Tree(line, self._words, self._tags, self._begins, self._ends, self._labels)

    def _add_leaf(self, tag: str, word: str) -> None:
        self._check_inside()
        self._childless = False
        if tag == _EMPTY_ELEMENT:
            self._has_empty_elements = True
            return
        self._tags.append(tag)
        self._words.append(_plain(word))

    def _open_bracket(self, label: str) -> None:
        self._check_inside()
        self._childless = True
        bare = _bare(label)
        if bare in _WRAPPERS and not self._labels and not self._words:
            self._open.append(_NO_CONSTITUENT)
            return
        if not bare:
            raise _MisplacedError("a bracket without a label", "a label after '('", _WRITE_BRACKETS)
        self._open.append(len(self._labels))
        self._labels.append(bare)
        self._begins.append(len(self._words))
        self._ends.append(0)

    def _close_bracket(self) -> None:
        if not self._open:
            raise _MisplacedError("unbalanced bracket: ')' without its '('", "the end of the line")
        if self._childless:
            raise _MisplacedError("a bracket without words", "a word before ')'", _WRITE_BRACKETS)
        constituent = self._open.pop()
        if constituent != _NO_CONSTITUENT:
            self._ends[constituent] = len(self._words)

    def _refuse_word(self, word: str) -> None:
        self._check_inside()
        if not self._open:
            raise _MisplacedError(f"'{word[:60]}' before a bracket", "'('", _ONE_TREE)
        raise _MisplacedError(
            f"a leaf without a tag: '{word[:60]}'",
            "a tag and a word in brackets, such as (NN man)",
            "write '(X word)' if the parser gives no tags",
        )

    def _check_inside(self) -> None:
        if self._started and not self._open:
            raise _MisplacedError("text after the tree", "the end of the line", _ONE_TREE)
        self._started = True

    def _remove_empty_constituents(self) -> None:
        kept = [i for i, begin in enumerate(self._begins) if begin < self._ends[i]]
        self._begins = [self._begins[i] for i in kept]
        self._ends = [self._ends[i] for i in kept]
        self._labels = [self._labels[i] for i in kept]


_ONE_TREE = "write one tree per line"
_WRITE_BRACKETS = "write brackets of the text as -LRB- and -RRB-, a sentence without a tree as ()"


@lru_cache(maxsize=1 << 12)
def _bare(label: str) -> str:
    """A label without function tags and indices."""
    found = _BARE_LABEL.match(label)
    return found[0] if found else ""


def _plain(word: str) -> str:
    """A word without the escapes of Penn treebanks."""
    if "\\" in word:
        word = word.replace("\\/", "/").replace("\\*", "*")
    return BRACKETS.get(word, word)
