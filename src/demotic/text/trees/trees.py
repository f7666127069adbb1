"""The constituents of every sentence of a text as flat arrays, and a tag for every token."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from demotic.lines import PathLike, write_text
from demotic.text.trees.join import Joined
from demotic.text.trees.tree import UNTAGGED

__all__ = ["Constituent", "TreeCounts", "Trees", "TreesBuilder"]


class Constituent(NamedTuple):
    """A labelled span of tokens, half open."""

    begin: int
    end: int
    label: str


@dataclass(frozen=True)
class TreeCounts:
    """What a reader of the trees should know."""

    sentences: int
    without_tree: int  # sentences
    holes: int  # subtrees of dependency trees that cover no contiguous span, and were dropped
    widened: int  # boundaries of constituents that were moved to the end of a token


@dataclass(frozen=True, eq=False, repr=False)
class Trees:
    """Labelled spans of the sentences of a text.  Immutable; arrays are read-only.

    The constituents of sentence i are `offsets[i]` to `offsets[i + 1]`, in pre-order of its tree.
    """

    offsets: NDArray[np.int64]  # by sentence, plus one at the end
    begins: NDArray[np.int32]  # by constituent: first token in its sentence
    ends: NDArray[np.int32]  # by constituent: after the last token
    labels: NDArray[np.int32]  # by constituent: index in `label_names`
    label_names: tuple[str, ...]
    token_offsets: NDArray[np.int64]  # by sentence, plus one at the end
    tags: NDArray[np.int32]  # by token: index in `tag_names`
    tag_names: tuple[str, ...]
    counts: TreeCounts

    def __len__(self) -> int:
        """The number of sentences."""
        return len(self.offsets) - 1

    def constituents(self, sentence: int) -> list[Constituent]:
        place = sentence + len(self) if sentence < 0 else sentence
        if not 0 <= place < len(self):
            raise IndexError(f"no sentence {sentence}: there are {len(self)}")
        part = slice(self.offsets[place], self.offsets[place + 1])
        begins, ends = self.begins[part].tolist(), self.ends[part].tolist()
        names = (self.label_names[label] for label in self.labels[part].tolist())
        return [Constituent(*one) for one in zip(begins, ends, names, strict=True)]

    def tag_lines(self) -> Iterator[str]:
        """One line per sentence, one tag per token, as `demotic.text.tags` reads them."""
        names = [self.tag_names[tag] for tag in self.tags.tolist()]
        bounds = self.token_offsets.tolist()
        for begin, end in pairwise(bounds):
            yield " ".join(names[begin:end])

    def write_tags(self, path: PathLike) -> None:
        with write_text(path) as file:
            file.writelines(f"{line}\n" for line in self.tag_lines())

    def __repr__(self) -> str:
        return (
            f"Trees({len(self):,} sentences, {len(self.labels):,} constituents, "
            f"{len(self.label_names)} labels)"
        )


class TreesBuilder:
    """Collects sentences in order."""

    def __init__(self) -> None:
        self._offsets, self._token_offsets = array("q", [0]), array("q", [0])
        self._begins, self._ends = array("i"), array("i")
        self._labels, self._tags = array("i"), array("i")
        self._label_ids: dict[str, int] = {}
        self._tag_ids: dict[str, int] = {}
        self._without_tree = self._holes = self._widened = 0

    def add(self, joined: Joined, *, holes: int, widened: int) -> None:
        """`widened` counts boundaries that the reader moved, before those of joining."""
        self._begins.extend(joined.begins)
        self._ends.extend(joined.ends)
        self._labels.extend(_ids(self._label_ids, joined.labels))
        self._holes += holes
        self._widened += widened + joined.widened
        self._end_sentence(joined.tags)

    def add_without_tree(self, tokens: int) -> None:
        self._without_tree += 1
        self._end_sentence([UNTAGGED] * tokens)

    def finish(self) -> Trees:
        sentences = len(self._offsets) - 1
        return Trees(
            offsets=_frozen(self._offsets),
            begins=_frozen(self._begins),
            ends=_frozen(self._ends),
            labels=_frozen(self._labels),
            label_names=tuple(self._label_ids),
            token_offsets=_frozen(self._token_offsets),
            tags=_frozen(self._tags),
            tag_names=tuple(self._tag_ids),
            counts=TreeCounts(sentences, self._without_tree, self._holes, self._widened),
        )

    def _end_sentence(self, tags: Iterable[str]) -> None:
        self._tags.extend(_ids(self._tag_ids, tags))
        self._offsets.append(len(self._labels))
        self._token_offsets.append(len(self._tags))


def _ids(numbers: dict[str, int], names: Iterable[str]) -> list[int]:
    """The numbers of names; new ones are counted on in order of appearance."""
    return [numbers.setdefault(name, len(numbers)) for name in names]


def _frozen(values: array[int]) -> NDArray[Any]:
    made = np.array(values)
    made.flags.writeable = False
    return made
