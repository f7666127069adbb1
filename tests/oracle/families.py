"""Families of sparse features from their definition: the names of all that fire."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["FamilyUse", "families_of"]

Tree = Sequence[tuple[int, int, str]]


@dataclass(frozen=True)
class FamilyUse:
    """A rule applied to a span; `source` is empty for a copied word, gaps are written [X,1]."""

    source: tuple[str, ...]
    target: tuple[str, ...]
    links: tuple[tuple[int, int], ...]
    words: tuple[str, ...]
    begin: int
    end: int
    after: str = "</s>"
    tree: Tree = ()
    last: str = ""  # word of the translation before it (phrases)
    gaps: tuple[tuple[bool, int], ...] = ()  # whether each is reordered, and its source words


def families_of(text: str, use: FamilyUse) -> list[str]:
    """The features of one line of a template file, one per feature and part (rule, gap, border)."""
    word, name, *settings = text.split(" ")
    assert word == "family"
    lists = {key: value.split(",") for key, _, value in (one.partition("=") for one in settings)}
    return _FAMILIES[name](use, {key: [x for x in one if x] for key, one in lists.items()})


def _syntax(use: FamilyUse, labels: list[str], coarse: bool) -> list[str]:
    span = set(range(use.begin, use.end))
    found = set()
    for begin, end, label in use.tree:
        if label not in labels:
            continue
        other = set(range(begin, end))
        shown = "any" if coarse else label
        if span == other:
            found.add(f"syntax.{shown}=match")
        elif span & other and span - other and other - span:
            found.add(f"syntax.{shown}=cross")
    return sorted(found)


def _distortion(use: FamilyUse, _: object) -> list[str]:
    found = []
    for reordered, size in use.gaps:
        order = "reordered" if reordered else "in_order"
        found += [f"distortion.{order}=*", f"distortion.{order}={size if size < 10 else '>=10'}"]
    return found


def _is_gap(symbol: str) -> bool:
    return symbol.startswith("[")


def _shape(use: FamilyUse, _: object) -> list[str]:
    def side(symbols: Sequence[str]) -> str:
        shown: list[str] = []
        for symbol in symbols:
            piece = f"[{symbol[-2]}]" if _is_gap(symbol) else "w"
            if piece != "w" or shown[-1:] != ["w"]:
                shown.append(piece)
        return "".join(f"{piece} " for piece in shown)

    if not use.source:
        return []
    return [f"rule.shape={side(use.source)}||| {side(use.target)}"]


def _length(use: FamilyUse, _: object) -> list[str]:
    if not use.source:
        return []
    source, target = (min(sum(not _is_gap(w) for w in s), 15) for s in (use.source, use.target))
    return [f"length.source={source}", f"length.target={target}", f"length={source}-{target}"]


def _word_links(use: FamilyUse) -> list[tuple[int, int]]:
    return [(i, j) for i, j in use.links if not _is_gap(use.source[i])]


def _listed(word: str, words: list[str]) -> str:
    return word if word in words else "<unk>"


def _translation(use: FamilyUse, lists: dict[str, list[str]]) -> list[str]:
    return sorted(
        {
            f"word={_listed(use.source[i], lists['source'])} ||| "
            f"{_listed(use.target[j], lists['target'])}"
            for i, j in _word_links(use)
        }
    )


def _context(use: FamilyUse, lists: dict[str, list[str]]) -> list[str]:
    sentence = ("<s>", *use.words, use.after)
    known = [pair.partition("~")[0] for pair in lists["pairs"]]
    found = set()
    for i, j in _word_links(use):
        if f"{use.source[i]}~{use.target[j]}" not in lists["pairs"]:
            continue
        for name, step in (("next", 1), ("previous", -1)):
            shown = _neighbour(use, i, step, sentence)
            shown = shown if shown == "[gap]" else _listed(shown, known)
            found.add(f"word={use.source[i]} ||| {use.target[j]} {name}={shown}")
    return sorted(found)


def _neighbour(use: FamilyUse, i: int, step: int, sentence: tuple[str, ...]) -> str:
    """The word beside word i of the rule, counted from an edge of the span if no gap lies between
    that edge and the word."""
    before, after = use.source[:i], use.source[i + 1 :]
    if not any(map(_is_gap, before)):
        return sentence[1 + use.begin + i + step]
    if not any(map(_is_gap, after)):
        return sentence[use.end - len(after) + step]
    there = use.source[i + step]
    return "[gap]" if _is_gap(there) else there


def _unaligned(use: FamilyUse, words: list[str], side: int) -> list[str]:
    links = _word_links(use)
    symbols = (use.source, use.target)[side]
    linked = {link[side] for link in links}
    name = ("deleted", "inserted")[side]
    found = {f"{name}={w}" for i, w in enumerate(symbols) if w in words and i not in linked}
    return sorted(found) if links else []


def _bigrams(use: FamilyUse, lists: dict[str, list[str]]) -> list[str]:
    """Within the rule once each, and that of its border."""

    def shown(first: str, second: str) -> list[str]:
        both = first in lists["target"] and second in lists["target"]
        return [f"target.bigram={first} {second}"] if both else []

    if not use.source:
        return []
    pairs = zip(use.target, use.target[1:], strict=False)
    inside = sorted({name for first, second in pairs for name in shown(first, second)})
    return inside + (shown(use.last, use.target[0]) if use.last and use.target else [])


_FAMILIES = {
    "syntax-coarse": lambda use, lists: _syntax(use, lists["labels"], True),
    "syntax-fine": lambda use, lists: _syntax(use, lists["labels"], False),
    "distortion": _distortion,
    "shape": _shape,
    "length": _length,
    "word-translation": _translation,
    "word-context": _context,
    "insertion": lambda use, lists: _unaligned(use, lists["inserted"], 1),
    "deletion": lambda use, lists: _unaligned(use, lists["deleted"], 0),
    "target-bigrams": _bigrams,
}
