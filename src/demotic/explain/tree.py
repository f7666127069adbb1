"""The derivation of a Hiero model as a tree: drawn, and as indented text.

Glue concatenates pieces one by one; its spine becomes one node with all pieces.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from demotic.explain.explanation import Explanation, StepView
from demotic.explain.feature_names import feature_name
from demotic.report.markup import Html
from demotic.report.tree import Line, TreeBox, box_tree

__all__ = ["Branch", "derivation", "drawn_trees", "step_title", "tree_text"]

_NAMED = 5  # contributions named on hover


@dataclass(frozen=True)
class Branch:
    """A rule with what fills its gaps, or the glue spine with its pieces."""

    step: StepView
    children: tuple[Branch, ...]
    is_spine: bool = False


def derivation(of: Explanation) -> Branch | None:
    """The tree of the steps; None for phrase models or an empty derivation."""
    steps = [step for step in of.steps if step.kind != "end"]
    if of.kind != "hiero" or not steps:
        return None
    branches: dict[int, Branch] = {}
    for place in reversed(range(len(steps))):  # what fills a gap comes later
        step = steps[place]
        children = tuple(branches[child] for child in step.filled_by)
        branches[place] = _glued(step, children) if step.kind == "glue" else Branch(step, children)
    return branches[0]


def _glued(step: StepView, children: tuple[Branch, ...]) -> Branch:
    """A single piece stands for itself; a spine on the left is merged into this one."""
    if len(children) == 1:
        return children[0]
    first, *rest = children
    pieces = first.children if first.is_spine else (first,)
    return Branch(step, (*pieces, *rest), is_spine=True)


def tree_text(of: Explanation) -> str:
    """One rule per line, below the rule whose gap it fills, with gap contents in brackets."""
    root = derivation(of)
    return "\n".join(_lines(of, root, "", "", "")) if root else ""


def _lines(of: Explanation, node: Branch, head: str, rest: str, gap: str) -> Iterator[str]:
    yield f"{head}{gap}{_filled(of, node)}{_note(node.step)}"
    for number, child in enumerate(node.children, 1):
        last = number == len(node.children)
        mark = "" if node.is_spine else f"[{number}] "
        ends = ("└─ ", "   ") if last else ("├─ ", "│  ")
        yield from _lines(of, child, rest + ends[0], rest + ends[1], mark)


def _note(step: StepView) -> str:
    if step.rule is None:
        return f"   ({step.kind})"
    return f"   (rule {step.rule}, seen {step.seen}, {step.score:+.3f})"


def _filled(of: Explanation, node: Branch) -> str:
    """Source → target; the content of a gap is in brackets after the gap's number."""
    step = node.step
    if node.is_spine:
        return f"{_words(of.source, step.source_span)} → {_words(of.words, step.target_span)}"
    source, target = [*step.source], [*step.target]
    for number, (child, i, j) in enumerate(
        zip(node.children, step.source_gaps, step.target_gaps, strict=True), 1
    ):
        source[i] = f"[{number}: {_words(of.source, child.step.source_span)}]"
        target[j] = f"[{number}: {_words(of.words, child.step.target_span)}]"
    return f"{' '.join(source)} → {' '.join(target) or '(nothing)'}"


def _words(words: Sequence[str], span: tuple[int, int]) -> str:
    return " ".join(words[slice(*span)])


def drawn_trees(of: Explanation) -> list[Html]:
    """One tree per piece, left to right, with one box per rule: source side above target side."""
    root = derivation(of)
    if root is None:
        return []
    pieces = root.children if root.is_spine else (root,)
    return [box_tree(_box(of, piece, ""), "derivation tree") for piece in pieces]


def _box(of: Explanation, node: Branch, gap: str) -> TreeBox:
    step = node.step
    lines = (
        _line(step.source, step.source_gaps),
        _line(step.target or ("(nothing)",), step.target_gaps),
    )
    children = [_box(of, child, str(number)) for number, child in enumerate(node.children, 1)]
    return TreeBox(lines, children, f"{_filled(of, node)}\n{step_title(step)}", gap)


def _line(words: Sequence[str], gaps: Sequence[int]) -> Line:
    """Words between gaps are joined to one piece."""
    number = {place: str(i) for i, place in enumerate(gaps, 1)}
    pieces: list[tuple[str, bool]] = []
    for place, word in enumerate(words):
        if place in number:
            pieces.append((number[place], True))
        elif pieces and not pieces[-1][1]:
            pieces[-1] = (f"{pieces[-1][0]} {word}", False)
        else:
            pieces.append((word, False))
    return tuple(pieces)


def step_title(step: StepView) -> str:
    """The text shown when hovering over a rule."""
    names = {
        "copied": "copied: no rule for this word",
        "given": "given by the user",
        "glue": "glue",
        "end": "end",
    }
    head = names.get(step.kind) or f"rule {step.rule}, seen {step.seen} times in training"
    scores = [f"{feature_name(one.feature)} {one.points:+.2f}" for one in step.contributions]
    return "\n".join([head, f"score {step.score:+.3f}", *scores[:_NAMED]])
