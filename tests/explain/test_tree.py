"""Derivations of Hiero models as trees contain exactly the steps."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from demotic.explain import Explanation, explain
from demotic.explain.explanation import StepView
from demotic.explain.tree import Branch, derivation, drawn_trees, tree_text
from tests.search.small_models import prepared_model, token_model

SENTENCES = [
    "Heute kenne ich das Zebra.",
    "Das Haus ist klein. Ich sehe das Buch. Heute ist das Kind hier.",
    "Das",
    "[1] [2] das Haus",
]


@pytest.fixture(scope="module")
def explanations(tmp_path_factory: pytest.TempPathFactory) -> list[Explanation]:
    model = prepared_model(tmp_path_factory.mktemp("models"), "hiero")
    return [explain(model, sentence) for sentence in SENTENCES]


def every(node: Branch) -> Iterator[Branch]:
    yield node
    for child in node.children:
        yield from every(child)


def yield_of(node: Branch, of: Explanation, side: str) -> list[str]:
    """The words of one side, composed only from the rules."""
    step = node.step
    if node.is_spine:
        return [word for child in node.children for word in yield_of(child, of, side)]
    gaps = getattr(step, f"{side}_gaps")
    words: list[str] = []
    for place, word in enumerate(getattr(step, side)):
        if place in gaps:
            words += yield_of(node.children[gaps.index(place)], of, side)
        else:
            words.append(word)
    return words


def test_the_tree_has_every_rule_once_and_says_the_sentence(
    explanations: list[Explanation],
) -> None:
    for of in explanations:
        root = derivation(of)
        assert root is not None
        nodes = [*every(root)]
        used = [step for step in of.steps if step.kind in {"rule", "copied"}]
        assert [node.step for node in nodes if not node.is_spine] == used
        assert sum(node.is_spine for node in nodes) <= 1
        assert not any(child.is_spine for node in nodes for child in node.children)
        assert tuple(yield_of(root, of, "source")) == of.source
        assert tuple(yield_of(root, of, "target")) == of.words
        for node in nodes:
            assert tuple(yield_of(node, of, "source")) == of.source[slice(*node.step.source_span)]
            assert tuple(yield_of(node, of, "target")) == of.words[slice(*node.step.target_span)]


def test_text_is_indented_by_depth(explanations: list[Explanation]) -> None:
    for of in explanations:
        lines = tree_text(of).splitlines()
        root = derivation(of)
        assert root is not None
        assert len(lines) == len([*every(root)])
        depths = [min(len(line) - len(line.lstrip("│├└─ ")), 99) // 3 for line in lines]
        assert depths[0] == 0
        assert tree_text(of) in of.text()
    assert "zebra → zebra   (copied)" in tree_text(explanations[0])


def test_drawings_have_a_box_per_rule_and_a_tree_per_piece(
    explanations: list[Explanation],
) -> None:
    for of in explanations:
        root, drawings = derivation(of), drawn_trees(of)
        assert root is not None
        assert len(drawings) == (len(root.children) if root.is_spine else 1)
        used = [step for step in of.steps if step.kind in {"rule", "copied"}]
        assert "".join(drawings).count('class="box"') == len(used)
        for step in used:
            if step.rule is not None:
                assert f"rule {step.rule}, seen {step.seen} times" in "".join(drawings)


def step(kind: str, source: str, target: str, spans: str, filled: tuple[int, ...]) -> StepView:
    """`spans`: begin and end of source and target, one digit each."""
    ends = [int(digit) for digit in spans]
    places = [
        tuple(words.index(f"[{k}]") for k in range(1, len(filled) + 1))
        for words in (source.split(), target.split())
    ]
    return StepView(
        kind, tuple(source.split()), tuple(target.split()), (ends[0], ends[1]),  # type: ignore[arg-type]
        (ends[2], ends[3]), 7 if kind == "rule" else None, 2 if kind == "rule" else None, (),
        *places, filled,
    )  # fmt: skip


def test_by_hand(explanations: list[Explanation]) -> None:
    from dataclasses import replace

    steps = (
        step("glue", "[1] [2]", "[1] [2]", "0404", (1, 3)),
        step("glue", "[1]", "[1]", "0101", (2,)),
        step("rule", "a", "A", "0101", ()),
        step("rule", "[1] b [2]", "[2] [1] B", "1414", (4, 5)),
        step("rule", "x", "X", "1223", ()),
        step("rule", "y", "Y", "3412", ()),
        step("end", "", "", "4444", ()),
    )
    of = replace(
        explanations[0], source=("a", "x", "b", "y"), words=("A", "Y", "X", "B"), steps=steps
    )
    assert tree_text(of) == (
        "a x b y → A Y X B   (glue)\n"
        "├─ a → A   (rule 7, seen 2, +0.000)\n"
        "└─ [1: x] b [2: y] → [2: Y] [1: X] B   (rule 7, seen 2, +0.000)\n"
        "   ├─ [1] x → X   (rule 7, seen 2, +0.000)\n"
        "   └─ [2] y → Y   (rule 7, seen 2, +0.000)"
    )


def test_phrases_have_no_tree(tmp_path: Path) -> None:
    of = explain(token_model(tmp_path), "das haus")
    assert derivation(of) is None
    assert drawn_trees(of) == []
    assert tree_text(of) == ""
