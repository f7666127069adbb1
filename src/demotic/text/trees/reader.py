"""Reads the trees of a text from a file whose format is recognised by its content."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import Generic, Literal, TypeVar, get_args

from demotic.errors import FormatError, InputError
from demotic.lines import LineFile, PathLike, display_name, split_words
from demotic.text.trees.conllu import read_conllu
from demotic.text.trees.join import TextDifferenceError, join
from demotic.text.trees.penn import read_penn
from demotic.text.trees.tree import Tree
from demotic.text.trees.trees import Constituent, Trees, TreesBuilder

__all__ = ["TreeFormat", "TreeStream", "read_trees"]

TreeFormat = Literal["auto", "penn", "conllu"]
NumberedLines = Iterator[tuple[int, str]]
Item = TypeVar("Item")

_READERS: dict[str, Callable[[NumberedLines, str], Iterator[Tree | None]]] = {
    "penn": read_penn,
    "conllu": read_conllu,
}
_CONLLU_LINE = re.compile(r"#|[0-9]+(?:[-.][0-9]+)?\t")


def read_trees(
    path: PathLike, sentences: Iterable[str], *, tree_format: TreeFormat = "auto"
) -> Trees:
    """The constituents of `sentences`, lines of tokens as the model reads them.

    The file has one tree per sentence, whose leaves are the same text in any tokenisation.
    Raises FormatError, IoError, and InputError for an unknown format.
    """
    name = display_name(path)
    lines, trees = _Counted(sentences), _Counted(_open_trees(path, tree_format))
    builder = TreesBuilder()
    for line, tree in zip(lines, trees, strict=False):
        tokens = split_words(line)
        if tree is None:
            builder.add_without_tree(len(tokens))
            continue
        try:
            joined = join(tree, tokens)
        except TextDifferenceError as error:
            number = lines.count
            _check_numbers(name, lines, trees, first_difference=number)
            raise _different_text(name, tree.line, number, error) from None
        builder.add(joined, holes=tree.holes, widened=tree.widened)
    _check_numbers(name, lines, trees)
    return builder.finish()


class TreeStream:
    """The trees of a text that is read line by line."""

    def __init__(self, path: PathLike, *, tree_format: TreeFormat = "auto") -> None:
        self._name = display_name(path)
        self._trees = _Counted(_open_trees(path, tree_format))
        self._each = iter(self._trees)
        self._sentences = 0

    def next(self, line: str) -> list[Constituent]:
        """The constituents of the next sentence; none without a tree.  Raises FormatError."""
        self._sentences += 1
        try:
            tree = next(self._each)
        except StopIteration:
            raise self._other_number("more") from None
        if tree is None:
            return []
        try:
            joined = join(tree, split_words(line))
        except TextDifferenceError as error:
            raise _different_text(self._name, tree.line, self._sentences, error) from None
        spans = zip(joined.begins, joined.ends, joined.labels, strict=True)
        return [Constituent(*one) for one in spans]

    def finish(self) -> None:
        """Raises FormatError if there are trees after the last sentence."""
        if self._trees.count_all() > self._sentences:
            raise self._other_number(f"{self._sentences:,} sentences")

    def _other_number(self, text: str) -> FormatError:
        return FormatError(
            f"{self._trees.count_all():,} trees",
            path=self._name,
            expected=f"one per sentence, but the text has {text}",
            advice="write () or a block with '# no tree' for a sentence without a tree",
        )


class _Counted(Generic[Item]):
    """An iterator that counts what it has given."""

    def __init__(self, items: Iterable[Item]) -> None:
        self._items = iter(items)
        self.count = 0

    def __iter__(self) -> Iterator[Item]:
        for item in self._items:
            self.count += 1
            yield item

    def count_all(self) -> int:
        """The number of all items; reads the rest."""
        return self.count + sum(1 for _ in self._items)


def _open_trees(path: PathLike, tree_format: TreeFormat) -> Iterator[Tree | None]:
    if tree_format not in get_args(TreeFormat):
        raise InputError(
            f"the tree format is {tree_format!r}",
            expected=f"one of {', '.join(get_args(TreeFormat))}",
        )
    lines: NumberedLines = enumerate(LineFile(path, keep_tabs=True), 1)
    kind: str = tree_format
    if tree_format == "auto":
        kind, lines = _recognised(lines, path)
    return _READERS[kind](lines, display_name(path))


def _recognised(lines: NumberedLines, path: PathLike) -> tuple[str, NumberedLines]:
    """The format by the first line that is not empty, and all lines again."""
    seen: list[tuple[int, str]] = []
    for line, text in lines:
        seen.append((line, text))
        start = text.lstrip(" \t")
        if start.startswith("("):
            break
        if _CONLLU_LINE.match(start):
            return "conllu", chain(seen, lines)
        if start:
            raise FormatError(
                f"'{start[:60]}'",
                path=display_name(path),
                line=line,
                expected="a tree in Penn brackets, or a comment or word of CoNLL-U",
            )
    return "penn", chain(seen, lines)


def _check_numbers(
    name: str, lines: _Counted[str], trees: _Counted[Tree | None], first_difference: int = 0
) -> None:
    """Reads the rest of both."""
    sentences, found = lines.count_all(), trees.count_all()
    if sentences != found:
        where = f"; the text of tree {first_difference} is the first that differs"
        raise FormatError(
            f"{found:,} trees{where if first_difference else ''}",
            path=name,
            expected=f"{sentences:,}, one per sentence",
            advice="write () or a block with '# no tree' for a sentence without a tree",
        )


def _different_text(name: str, line: int, number: int, error: TextDifferenceError) -> FormatError:
    return FormatError(
        f"tree {number} differs from the text at character {error.position + 1}, not counting "
        f"spaces: '{error.tree}'",
        path=name,
        line=line,
        expected=f"'{error.sentence}' as in sentence {number}",
        advice="parse the same text, raw or prepared",
    )
