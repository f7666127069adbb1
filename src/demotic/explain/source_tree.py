"""The parse tree of the source sentence, drawn and as text.

Constituents that overlap, because both own a part of the same token, become siblings.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from demotic.explain.explanation import Explanation
from demotic.report.markup import Html
from demotic.report.tree import TreeBox, box_tree

__all__ = ["drawn_source_tree", "source_tree_text"]


@dataclass
class _Node:
    """A constituent, or one token if it has no label."""

    begin: int
    end: int
    label: str = ""
    children: list[_Node] = field(default_factory=list)


def _roots(of: Explanation) -> list[_Node]:
    """The tree of the constituents, which are in pre-order, with all tokens as leaves."""
    root = _Node(0, len(of.source))
    path = [root]
    for begin, end, label in of.constituents:
        while not (path[-1].begin <= begin and end <= path[-1].end):
            path.pop()
        node = _Node(begin, end, label)
        path[-1].children.append(node)
        path.append(node)
    _add_tokens(root)
    return root.children


def _add_tokens(node: _Node) -> None:
    inner = node.children
    covered = {token for child in inner for token in range(child.begin, child.end)}
    for child in inner:
        _add_tokens(child)
    own = [_Node(i, i + 1) for i in range(node.begin, node.end) if i not in covered]
    node.children = sorted([*inner, *own], key=lambda one: one.begin)


def source_tree_text(of: Explanation) -> str:
    """In brackets, as Penn treebanks write it; empty without a tree."""
    return " ".join(_bracketed(of.source, one) for one in _roots(of)) if of.constituents else ""


def _bracketed(words: Sequence[str], node: _Node) -> str:
    if not node.label:
        return words[node.begin]
    return f"({node.label} {' '.join(_bracketed(words, child) for child in node.children)})"


def drawn_source_tree(of: Explanation) -> list[Html]:
    """One drawing per tree; several if no constituent covers the sentence."""
    if not of.constituents:
        return []
    return [box_tree(_box(of, one), "parse tree") for one in _roots(of) if one.label]


def _box(of: Explanation, node: _Node) -> TreeBox:
    if not node.label:
        return TreeBox((((of.source[node.begin], False),),))
    covered = " ".join(of.source[node.begin : node.end])
    children = [_box(of, child) for child in node.children]
    return TreeBox((((node.label, False),),), children, f"{node.label}: {covered}")
