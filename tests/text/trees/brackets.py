"""Random trees, and how to write them and their sentences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from hypothesis import strategies as st

from demotic.text.trees import Constituent, TreeFormat, Trees, read_trees


class Leaf(NamedTuple):
    tag: str
    word: str


class Node(NamedTuple):
    label: str
    children: list[Leaf | Node]


# Few words, so that they repeat; letters of several scripts and lengths of their case folding.
words = st.text("abBé山ßİ🎲'.-", min_size=1, max_size=4)
leaves = st.builds(Leaf, st.sampled_from(["NN", "VV", "PRP$", ".", "-LRB-"]), words)
labels = st.sampled_from(["NP", "VP", "IP", "QP", "X"])


def _above(children: st.SearchStrategy[Leaf | Node]) -> st.SearchStrategy[Leaf | Node]:
    return st.builds(Node, labels, st.lists(children, min_size=1, max_size=4))


nodes = st.builds(
    Node, labels, st.lists(st.recursive(leaves, _above, max_leaves=12), min_size=1, max_size=4)
)


def leaves_of(tree: Leaf | Node) -> Iterator[Leaf]:
    if isinstance(tree, Leaf):
        yield tree
    else:
        for child in tree.children:
            yield from leaves_of(child)


def constituents_of(tree: Leaf | Node, begin: int = 0) -> Iterator[Constituent]:
    """In pre-order, as spans of leaves."""
    if isinstance(tree, Node):
        yield Constituent(begin, begin + len(list(leaves_of(tree))), tree.label)
        for child in tree.children:
            yield from constituents_of(child, begin)
            begin += len(list(leaves_of(child)))


def bracketed(tree: Leaf | Node) -> str:
    if isinstance(tree, Leaf):
        return f"({tree.tag} {tree.word})"
    return f"({tree.label} {' '.join(map(bracketed, tree.children))})"


def read(
    folder: Path,
    text: str,
    sentences: Sequence[str],
    tree_format: TreeFormat = "auto",
) -> Trees:
    path = folder / "some.trees"
    path.write_text(text, "utf-8")
    return read_trees(path, sentences, tree_format=tree_format)


def spans(trees: Trees, sentence: int = 0) -> list[tuple[int, int, str]]:
    return [tuple(one) for one in trees.constituents(sentence)]
