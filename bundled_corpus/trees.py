"""Source trees in Penn brackets; target words are linked to leaves by their identity."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

PIECE = re.compile(r"[()]|[^\s()]+")


@dataclass(frozen=True, eq=False, slots=True)
class Leaf:
    """One source word with its tag; compared by identity, since a word may occur twice."""

    tag: str
    word: str


@dataclass(frozen=True, eq=False, slots=True)
class Tree:
    """A labelled node over leaves and smaller trees."""

    label: str
    children: tuple[Tree | Leaf, ...]

    def leaves(self) -> Iterator[Leaf]:
        for child in self.children:
            if isinstance(child, Leaf):
                yield child
            else:
                yield from child.leaves()

    def bracketed(self) -> str:
        """The tree on one line, as the Penn treebanks write it."""
        inner = (
            f"({child.tag} {child.word})" if isinstance(child, Leaf) else child.bracketed()
            for child in self.children
        )
        return f"({self.label} {' '.join(inner)})"


def node(label: str, *children: Tree | Leaf | None) -> Tree:
    """A tree over the children that are not None."""
    return Tree(label, tuple(child for child in children if child is not None))


def is_gap(tree: Tree | Leaf) -> bool:
    """Whether the tree is empty: English has words for it, Chinese has none."""
    return isinstance(tree, Tree) and not tree.children


Slots = Mapping[str, Tree | Leaf | None]


def grow(text: str, slots: Slots | None = None) -> Tree:
    """A new tree from brackets; a bare word such as OBJ is replaced by its tree in `slots`."""
    pieces = _pieces(text)
    tree, end = _grow(pieces, 0, slots or {})
    if end != len(pieces):
        raise ValueError(f"more than one tree in {text!r}")
    return tree


@lru_cache(maxsize=4096)
def _pieces(text: str) -> tuple[str, ...]:
    return tuple(PIECE.findall(text))


def _grow(pieces: tuple[str, ...], at: int, slots: Slots) -> tuple[Tree, int]:
    if pieces[at] != "(":
        raise ValueError(f"'(' expected at piece {at} of {' '.join(pieces)!r}")
    label, at = pieces[at + 1], at + 2
    children: list[Tree | Leaf] = []
    while pieces[at] != ")":
        if pieces[at] != "(":
            filler = slots[pieces[at]]
            children += [] if filler is None or is_gap(filler) else [filler]
            at += 1
        elif pieces[at + 2] not in "()" and pieces[at + 3] == ")" and pieces[at + 2] not in slots:
            children.append(Leaf(pieces[at + 1], pieces[at + 2]))
            at += 4
        else:
            child, at = _grow(pieces, at, slots)
            children.append(child)
    return Tree(label, tuple(children)), at + 1
