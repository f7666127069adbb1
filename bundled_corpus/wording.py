"""Target wordings: a tree of alternatives from which an English sentence with links is drawn."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from .english import article, split_clitics
from .random_source import RandomSource
from .trees import Leaf

Link = tuple[int, int]
PUNCTUATION = (".", ",", "?", "!")


@dataclass(frozen=True, slots=True)
class Word:
    """One target token and the source leaves that it translates."""

    text: str
    leaves: tuple[Leaf, ...] = ()


@dataclass(frozen=True, slots=True)
class Seq:
    """Parts one after another."""

    parts: tuple[Target, ...]


@dataclass(frozen=True, slots=True)
class Alt:
    """Alternative wordings and their weights."""

    options: tuple[Target, ...]
    weights: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Loose:
    """A part that a careless translator may leave out."""

    inner: Target


Target = Word | Seq | Alt | Loose
EMPTY = Seq(())


@dataclass(frozen=True)
class Wording:
    """An English sentence: its tokens, the links (source, target), and its ordinary spelling."""

    tokens: tuple[str, ...]
    links: tuple[Link, ...]
    raw: str


def seq(*parts: Target) -> Target:
    return parts[0] if len(parts) == 1 else Seq(parts)


def alt(*options: Target) -> Target:
    """Alternatives, all equally likely."""
    return options[0] if len(options) == 1 else Alt(options, (1.0,) * len(options))


def prefer(likely: Target, *others: Target) -> Target:
    """Alternatives of which the first is the usual wording."""
    return Alt((likely, *others), (2.0 * len(others), *(1.0 for _ in others)))


def say(text: str, *leaves: Leaf) -> Target:
    """Plain words that all translate the given leaves; '|' separates alternatives."""
    options = [
        seq(*(Word(token, leaves) for word in option.split() for token in split_clitics(word)))
        for option in text.split("|")
    ]
    return alt(*options)


def render(pattern: str, leaves: Sequence[Leaf], slots: Mapping[str, Target]) -> Target:
    """Words of a lexicon pattern: `word^2` translates leaf 2, `^0` none, OBJ is a slot."""
    parts: list[Target] = []
    for item in pattern.split():
        if item in slots:
            parts.append(slots[item])
            continue
        text, _, digits = item.partition("^")
        chosen = [leaves[int(d) - 1] for d in digits if d != "0"] if digits else leaves[:1]
        parts.extend(Word(token, tuple(chosen)) for token in split_clitics(text))
    return seq(*parts)


def draw(target: Target, rng: RandomSource, omitted: list[Loose] | None = None) -> Iterator[Word]:
    """Draw the words of one wording; given a list, often move loose parts there instead."""
    match target:
        case Word():
            yield target
        case Seq(parts):
            for part in parts:
                yield from draw(part, rng, omitted)
        case Alt(options, weights):
            yield from draw(rng.weighted(options, weights), rng, omitted)
        case Loose(inner):
            if omitted is not None and inner is not EMPTY and rng.chance(0.7):
                omitted.append(target)
            else:
                yield from draw(inner, rng, omitted)


def finish(words: Sequence[Word], positions: Mapping[Leaf, int]) -> Wording:
    """The drawn words as a sentence: commas tidied, a or an chosen, links numbered."""
    tidy = _tidy(words)
    texts = [
        article(word.text, tidy[i + 1].text if i + 1 < len(tidy) else "")
        for i, word in enumerate(tidy)
    ]
    links = sorted({(positions[leaf], j) for j, word in enumerate(tidy) for leaf in word.leaves})
    return Wording(tuple(text.lower() for text in texts), tuple(links), _spell(texts))


def _tidy(words: Sequence[Word]) -> list[Word]:
    """The words without commas next to other punctuation, and without a doubled `that`."""
    kept: list[Word] = []
    for i, word in enumerate(words):
        after = words[i + 1].text if i + 1 < len(words) else "."
        if word.text == "," and (not kept or after in PUNCTUATION):
            continue
        if word.text == after == "that":
            continue
        kept.append(word)
    return kept


def _spell(texts: Sequence[str]) -> str:
    raw = ""
    for text in texts:
        raw += text if not raw or text[0] == "'" or text in PUNCTUATION else " " + text
    return raw[0].upper() + raw[1:]
