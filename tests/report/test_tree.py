"""Trees have every node once, in order, and no overlapping boxes."""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from demotic.report.tree import TreeBox, box_tree, lay_out

LABELS = st.text("abc书 ", max_size=12)
BOXES = st.recursive(
    LABELS.map(lambda label: TreeBox((((label, False),),))),
    lambda below: st.tuples(LABELS, st.lists(below, min_size=1, max_size=4)).map(
        lambda one: TreeBox((((one[0], False), ("1", True)),) * 2, one[1], "hover", "2")
    ),
    max_leaves=12,
)


def every(node: TreeBox) -> Iterator[TreeBox]:
    yield node
    for child in node.children:
        yield from every(child)


def extent(node: TreeBox) -> tuple[float, float]:
    """The left and right end of a subtree."""
    boxes = [*every(node)]
    return min(b.x - b.width / 2 for b in boxes), max(b.x + b.width / 2 for b in boxes)


@given(BOXES)
def test_layout(root: TreeBox) -> None:
    width, height = lay_out(root)
    for node in every(root):
        assert node.x - node.width / 2 >= -1e-6
        assert node.x + node.width / 2 <= width + 1e-6
        assert node.y + node.height <= height + 1e-6
        for child in node.children:
            assert child.y > node.y + node.height
        if node.children:
            assert (
                extent(node.children[0])[0] - 1e-6 <= node.x <= extent(node.children[-1])[1] + 1e-6
            )
        for left, right in zip(node.children, node.children[1:], strict=False):
            assert extent(left)[1] <= extent(right)[0] + 1e-6


@given(BOXES)
def test_drawing_has_every_box_once(root: TreeBox) -> None:
    svg = ElementTree.fromstring(box_tree(root))
    count = len([*every(root)])
    assert sum(rect.get("class") == "box" for rect in svg.iter("rect")) == count
    assert sum(path.get("class") == "edge" for path in svg.iter("path")) == count - 1


def test_a_parent_stands_over_the_middle_of_its_children() -> None:
    leaves = [TreeBox((((label, False),),)) for label in ("aaaa", "b", "cc")]
    root = TreeBox(((("r", False),),), leaves)
    lay_out(root)
    left, right = extent(leaves[0])[0], extent(leaves[-1])[1]
    assert root.x == pytest.approx((left + right) / 2)
