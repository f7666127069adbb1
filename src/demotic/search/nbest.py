"""N-best lists in Moses' format: written from candidates, read from files of any toolkit.

    0 ||| the house ||| language_model= -4.5 distortion= 0 ... ||| -3.2 ||| 0-1=0-1 ||| 0-0 1-1

Fields are separated by ` ||| `; the word `|||` is written `&#124;&#124;&#124;` (and a word with
this spelling, `&amp;#124;&#124;&#124;`).  Groups of features are in the order of `FeatureGroups`;
see also docs/formats.md.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, NoReturn

from demotic.errors import FormatError
from demotic.features.dense import FEATURES
from demotic.features.weights import FeatureIndex
from demotic.lines import LineFile, PathLike, display_name, split_words

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["FeatureGroups", "NbestEntry", "Segment", "read_nbest"]

_SEPARATOR = " ||| "
_WORD, _ESCAPED = "|||", "&#124;&#124;&#124;"
# A word of the text that looks escaped gets one more "amp;", so that the two stay distinct.
_LIKE = re.compile("(&)((?:amp;)*#124;&#124;&#124;)")
# In this order; other dense features follow in that of the weights.
_FIRST = (
    "language_model",
    "class_language_model",
    "distortion",
    "word_penalty",
    "phrase_penalty",
    "unknown_word",
    "glue",
    "pass_through",
)

Links = tuple[tuple[int, int], ...]


class Segment(NamedTuple):
    """A phrase: the half-open spans of its source words and of its target words."""

    source: tuple[int, int]
    target: tuple[int, int]

    def __str__(self) -> str:
        return f"{_span(*self.source)}={_span(*self.target)}"


class FeatureGroups:
    """The features of a model under their names in a list.

    First language_model (all of them), distortion, word_penalty, phrase_penalty, unknown_word,
    glue, pass_through and any other dense feature; then rules (the scores of rules, in the order of
    the table); then reordering (backward, then forward: monotone, swap, discontinuous). Missing
    features are omitted.
    """

    def __init__(self, index: FeatureIndex) -> None:
        self.size = len(index)
        names = (*_FIRST, *FEATURES, "rules", "reordering")
        found: dict[str, list[int]] = {name: [] for name in names}
        for id_, name in enumerate(index):
            found[_group(name)].append(id_)
        self.groups = {name: ids for name, ids in found.items() if ids}

    def of(self, values: NDArray[np.float64]) -> dict[str, tuple[float, ...]]:
        """A feature vector by groups."""
        listed = values.tolist()
        return {name: tuple([listed[id_] for id_ in ids]) for name, ids in self.groups.items()}

    def vector(self, entry: NbestEntry) -> NDArray[np.float64]:
        """The inverse. Raises FormatError if the entry has other groups."""
        sizes = {name: len(values) for name, values in entry.features.items()}
        expected = {name: len(ids) for name, ids in self.groups.items()}
        if sizes != expected:
            raise FormatError(f"features {_sizes(sizes)}", expected=_sizes(expected))
        import numpy as np

        vector = np.zeros(self.size)
        for name, values in entry.features.items():
            vector[self.groups[name]] = values
        return vector


@dataclass(frozen=True)
class NbestEntry:
    """A line of a list."""

    sentence: int
    text: str
    features: dict[str, tuple[float, ...]]
    score: float
    segments: tuple[Segment, ...] | None = None
    links: Links | None = None

    def __str__(self) -> str:
        features = [
            f"{name}= {' '.join(map(_number, values))}" for name, values in self.features.items()
        ]
        fields = [str(self.sentence), _escaped(self.text), " ".join(features), _number(self.score)]
        if self.segments is not None:
            fields.append(" ".join(map(str, self.segments)))
        if self.links is not None:
            fields.append(format_links(self.links))
        return _SEPARATOR.join(fields)


def format_links(links: Sequence[tuple[int, int]]) -> str:
    return " ".join([f"{source}-{target}" for source, target in links])


def read_nbest(path: PathLike) -> Iterator[NbestEntry]:
    """Entries of Moses' lists (`name= v v`, older `name: v v`), of cdec's (`name=v`) and of ours.

    Raises FormatError with the line of malformed input.
    """
    for number, line in enumerate(LineFile(path), 1):
        try:
            yield _parsed(line)
        except FormatError as error:
            raise FormatError(
                error.found, path=display_name(path), line=number, expected=error.expected
            ) from None


def _parsed(line: str) -> NbestEntry:
    # Lists of other programs may have no space after the last separator.
    fields = (line + " " if line.endswith("|||") else line).split(_SEPARATOR)
    if not 4 <= len(fields) <= 6:
        _refuse(f"{len(fields)} fields", "4 to 6, separated by ' ||| '")
    if not fields[0].strip().isdecimal():
        _refuse(f"the sentence {fields[0]!r}", "its number, from 0")
    segments, links = None, None
    for more in fields[4:]:
        if "=" in more or (segments is None and len(fields) == 6):
            segments = tuple(_segment(token) for token in more.split())
        else:
            links = tuple(_link(token) for token in more.split())
    return NbestEntry(
        sentence=int(fields[0]),
        text=" ".join(map(_unescaped, split_words(fields[1]))),
        features=_features(fields[2]),
        score=_value(fields[3].strip()),
        segments=segments,
        links=links,
    )


def _features(field: str) -> dict[str, tuple[float, ...]]:
    groups: dict[str, list[float]] = {}
    name = ""  # very old lists have no names
    for token in field.split():
        label, sign, value = token.rpartition("=")
        if token.endswith(("=", ":")):
            name = token[:-1]
            groups.setdefault(name, [])
        elif sign:
            groups.setdefault(label, []).append(_value(value))
        else:
            groups.setdefault(name, []).append(_value(token))
    return {label: tuple(values) for label, values in groups.items()}


def _value(token: str) -> float:
    try:
        value = float(token)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        _refuse(f"the value {token!r}", "a finite number")
    return value


def _segment(token: str) -> Segment:
    source, sign, target = token.partition("=")
    if not (source and sign):
        _refuse(f"the segment {token!r}", "source=target, as in 0-1=0 or 2=1")
    return Segment(_ends(source), _ends(target))


def _ends(text: str) -> tuple[int, int]:
    if not text:
        return 0, 0
    first, _, last = text.partition("-")
    if not (first.isdecimal() and (last or first).isdecimal()):
        _refuse(f"the span {text!r}", "a position, or first and last as in 2-3")
    return int(first), int(last or first) + 1


def _link(token: str) -> tuple[int, int]:
    source, _, target = token.partition("-")
    if not (source.isdecimal() and target.isdecimal()):
        _refuse(f"the link {token!r}", "source-target, as in 0-1")
    return int(source), int(target)


def _group(name: str) -> str:
    if name in FEATURES:
        return name
    prefix = name.rsplit("_", 1)[0]
    if prefix in ("language_model", "class_language_model"):
        return prefix
    return "reordering" if name.startswith("reordering_") else "rules"


def _span(begin: int, end: int) -> str:
    """As in Moses, with the last word inclusive; empty for an empty span."""
    if end - begin <= 1:
        return str(begin) if end > begin else ""
    return f"{begin}-{end - 1}"


def _number(value: float) -> str:
    """The shortest text that is read back as the same number."""
    return repr(value).removesuffix(".0")


def _escaped(text: str) -> str:
    if _WORD not in text and _ESCAPED[1:] not in text:
        return text
    return " ".join(
        [_ESCAPED if word == _WORD else _LIKE.sub(r"\1amp;\2", word) for word in text.split(" ")]
    )


def _unescaped(word: str) -> str:
    if word == _ESCAPED:
        return _WORD
    return word.replace("amp;", "", 1) if _LIKE.fullmatch(word) else word


def _sizes(groups: dict[str, int]) -> str:
    return ", ".join(f"{name} ({size})" for name, size in groups.items()) or "none"


def _refuse(found: str, expected: str) -> NoReturn:
    raise FormatError(found, expected=expected)
