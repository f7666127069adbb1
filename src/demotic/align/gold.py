"""Manual (gold) alignments, in the formats in which they are published.

A *sure* link has to be found by an aligner; a *possible* one may be found.  Sure links are also
possible.  Formats (`auto` examines the first line):

    pharaoh   `0-0 1?2` per line: i-j sure, i?j possible, positions from 0
    tsv       `source TAB target TAB 0-0 1-2`, as XL-WA has it
    naacl     `sentence source target [S|P]` per link, all from 1 (Mihalcea and Pedersen 2003)
    giza      A3.final files: three lines per pair
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Literal, NoReturn

from demotic._core import Alignments
from demotic.errors import FormatError
from demotic.lines import EncodingPolicy, LineFile, PathLike, split_words

__all__ = ["Gold", "GoldFormat", "read_gold"]

GoldFormat = Literal["auto", "pharaoh", "tsv", "naacl", "giza"]
Pair = tuple[int, int]

_LINK = re.compile(r"(\d+)([-?])(\d+)")
_NAACL = re.compile(r"(\d+) (\d+) (\d+)(?: ([SP]))?(?: \S+)?")
_GIZA_WORD = re.compile(r"(\S+) \(\{((?: \d+)*) \}\)")


@dataclass(frozen=True)
class Gold:
    """Row i holds the links of pair i; `sentences` is set if the file has them."""

    sure: Alignments
    possible: Alignments
    sentences: list[tuple[str, str]] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.sure)


@dataclass
class _Collected:
    """The links read so far; the current line is used in error messages."""

    path: str
    line: int = 0
    sure: list[set[Pair]] = field(default_factory=list)
    possible: list[set[Pair]] = field(default_factory=list)
    sentences: list[tuple[str, str]] = field(default_factory=list)

    def start(self) -> None:
        self.sure.append(set())
        self.possible.append(set())

    def add(self, link: Pair, *, sure: bool) -> None:
        self.possible[-1].add(link)
        if sure:
            self.sure[-1].add(link)

    def refuse(self, found: str, expected: str, advice: str = "") -> NoReturn:
        raise FormatError(found, path=self.path, line=self.line, expected=expected, advice=advice)

    def finish(self) -> Gold:
        return Gold(
            Alignments.from_lists([sorted(row) for row in self.sure]),
            Alignments.from_lists([sorted(row) for row in self.possible]),
            self.sentences,
        )


def read_gold(
    path: PathLike, form: GoldFormat = "auto", *, encoding_errors: EncodingPolicy = "refuse"
) -> Gold:
    """Reads a file in any of the formats above."""
    file = LineFile(path, encoding_errors=encoding_errors, keep_tabs=True)
    lines = list(file)
    gathered = _Collected(file.name)
    reader = _READERS[_recognise(lines) if form == "auto" else form]
    reader(gathered, lines)
    return gathered.finish()


def _recognise(lines: list[str]) -> str:
    first = next((line for line in lines if line.strip()), "")
    if first.startswith("# Sentence pair"):
        return "giza"
    if "\t" in first:
        return "tsv"
    return "naacl" if _NAACL.fullmatch(first.strip()) else "pharaoh"


def _numbered(gathered: _Collected, lines: list[str]) -> Iterator[str]:
    for gathered.line, line in enumerate(lines, 1):
        yield line


def _read_links(gathered: _Collected, text: str) -> None:
    for word in text.split():
        match = _LINK.fullmatch(word)
        if match is None:
            gathered.refuse(
                f"'{word}'", "links like 0-0 1?2", "positions count from 0, source first"
            )
        source, kind, target = match.groups()
        gathered.add((int(source), int(target)), sure=kind == "-")


def _read_pharaoh(gathered: _Collected, lines: list[str]) -> None:
    for line in _numbered(gathered, lines):
        gathered.start()
        _read_links(gathered, line)


def _read_tsv(gathered: _Collected, lines: list[str]) -> None:
    for line in _numbered(gathered, lines):
        fields = line.split("\t")
        if len(fields) != 3:
            gathered.refuse(
                f"{len(fields)} fields separated by tabs", "3: source, target, links like 0-0"
            )
        gathered.start()
        gathered.sentences.append((fields[0], fields[1]))
        _read_links(gathered, fields[2])
        lengths = len(split_words(fields[0])), len(split_words(fields[1]))
        for source, target in sorted(gathered.possible[-1]):
            if source >= lengths[0] or target >= lengths[1]:
                gathered.refuse(
                    f"the link {source}-{target}",
                    f"positions below {lengths[0]} and {lengths[1]}, the sentences' lengths",
                )


def _read_naacl(gathered: _Collected, lines: list[str]) -> None:
    for line in _numbered(gathered, lines):
        if not line.strip():
            continue
        match = _NAACL.fullmatch(line.strip())
        if match is None:
            gathered.refuse(f"'{line.strip()}'", "sentence source target [S|P]")
        sentence, source, target = (int(match[k]) for k in (1, 2, 3))
        if sentence < 1 or sentence < len(gathered.sure):
            gathered.refuse(f"sentence {sentence}", "sentences from 1 in ascending order")
        if sentence > len(gathered.sure) + 1_000_000:
            gathered.refuse(
                f"sentence {sentence}", "gaps of less than 1,000,000 between sentence numbers"
            )
        while len(gathered.sure) < sentence:
            gathered.start()
        if source > 0 and target > 0:  # position 0 is the empty word
            gathered.add((source - 1, target - 1), sure=match[4] != "P")


def _read_giza(gathered: _Collected, lines: list[str]) -> None:
    for number, line in enumerate(lines):
        gathered.line = number + 1
        if number % 3 == 0 and not line.startswith("# Sentence pair"):
            gathered.refuse(f"'{line[:40]}'", "# Sentence pair ...")
        if number % 3 == 2:
            _read_giza_pair(gathered, split_words(lines[number - 1]), line.strip(" "))
    if len(lines) % 3 != 0:
        gathered.refuse("a pair without its last lines", "three lines per sentence pair")


def _read_giza_pair(gathered: _Collected, target: list[str], text: str) -> None:
    words = _GIZA_WORD.findall(text)
    if " ".join(f"{word} ({{{links} }})" for word, links in words) != text or not words:
        gathered.refuse(f"'{text[:40]}'", "words with their links, like NULL ({ 2 }) house ({ 1 })")
    if words[0][0] != "NULL":
        gathered.refuse(f"'{words[0][0]}' first", "NULL, the empty word, first")
    gathered.start()
    gathered.sentences.append((" ".join(word for word, _ in words[1:]), " ".join(target)))
    for source, (_, links) in enumerate(words[1:]):
        for position in map(int, links.split()):
            if not 1 <= position <= len(target):
                gathered.refuse(f"the position {position}", f"one from 1 to {len(target)}")
            gathered.add((source, position - 1), sure=True)


_READERS: dict[str, Callable[[_Collected, list[str]], None]] = {
    "pharaoh": _read_pharaoh,
    "tsv": _read_tsv,
    "naacl": _read_naacl,
    "giza": _read_giza,
}
