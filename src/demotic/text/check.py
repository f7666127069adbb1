"""Looks through a parallel corpus before hours are spent on it, and goes on past every fault.

`check_files` takes two plain files and sees their bytes; `check_pairs` takes what a reader of
another format yields.  The report lists what is odd with line numbers, and says whether the
corpus can be used at all.
"""

from __future__ import annotations

import re
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from hashlib import blake2b
from itertools import zip_longest
from statistics import median
from typing import Any

from demotic.errors import FormatError
from demotic.lines import PathLike, display_name
from demotic.options import Options, option
from demotic.text.check_sides import CheckedSide
from demotic.text.findings import Findings
from demotic.text.pairs import Pair
from demotic.text.scripts import scripts_of

__all__ = ["CheckOptions", "CheckReport", "check_files", "check_pairs"]

Progress = Callable[[int], None]

MIN_COPY = 4  # letters: names and numbers are the same in many languages
SMOOTHING = 10  # characters
PROGRESS_EVERY = 100  # pairs

_NUMBER = re.compile(r"\d+(?:[.,:\u00a0]\d+)*")
_ENDINGS = {
    **dict.fromkeys("?？؟;՞", "question"),
    **dict.fromkeys("!！", "exclamation"),
    **dict.fromkeys(".。।॥۔…։", "stop"),
}


@dataclass(frozen=True, kw_only=True)
class CheckOptions(Options):
    """What `demotic check` takes for odd."""

    show: int = option(5, "examples listed of each kind", minimum=0)
    max_length: int = option(100, "note longer sentences", unit="tokens", minimum=1)
    max_word: int = option(60, "note longer words", unit="characters", minimum=1)
    ratio: float = option(
        3.0, "note pairs whose ratio of lengths is so many times the usual one", minimum=1
    )
    targets: int = option(5, "note sources with more different translations", minimum=1)
    bad_share: float = option(0.01, "share of lines that may be malformed", minimum=0, maximum=1)


@dataclass(frozen=True)
class CheckReport:
    """The two sides, what was found, and why the corpus is unusable, if it is."""

    source: dict[str, Any]
    target: dict[str, Any]
    pairs: int
    findings: Findings
    unusable: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)  # about the corpus as a whole

    @property
    def usable(self) -> bool:
        return not self.unusable

    def as_dict(self) -> dict[str, Any]:
        return {
            "usable": self.usable,
            "unusable": self.unusable,
            "warnings": self.warnings,
            "pairs": self.pairs,
            "source": self.source,
            "target": self.target,
            "findings": self.findings.as_dict(),
        }


def check_files(
    source: PathLike,
    target: PathLike,
    options: CheckOptions,
    progress: Progress | None = None,
    languages: tuple[str, str] = ("", ""),
) -> CheckReport:
    """Raises IoError if a file cannot be opened; every other fault is in the report.

    With `languages`, a side in the script of another language is remarked on.
    """
    check = _Check(options, display_name(source), display_name(target), languages)
    sides = zip_longest(check.source.read(source), check.target.read(target))
    rows = ((line, *texts) for line, texts in enumerate(sides, 1))
    return check.run(rows, progress)


def check_pairs(
    pairs: Iterable[Pair],
    name: str,
    options: CheckOptions,
    progress: Progress | None = None,
    languages: tuple[str, str] = ("", ""),
) -> CheckReport:
    """`name` is what the pairs come from; lines are the readers' (units of TMX, PO, XLIFF)."""
    check = _Check(options, name, name, languages)
    return check.run(check.until_broken(pairs), progress)


class _Check:
    """One corpus being looked through."""

    def __init__(
        self, options: CheckOptions, source: str, target: str, languages: tuple[str, str]
    ) -> None:
        self._options = options
        self._languages = languages
        self._findings = Findings(options.show)
        limits = (options.max_length, options.max_word)
        self.source = CheckedSide("source", source, self._findings, limits)
        self.target = CheckedSide("target", target, self._findings, limits)
        self._seen: dict[bytes, int] = {}
        self._translations: Counter[bytes] = Counter()
        self._places = array("Q")
        self._full = 0  # pairs with text on both sides

    def until_broken(self, pairs: Iterable[Pair]) -> Iterator[tuple[int, str, str]]:
        """The pairs as far as they can be read."""
        try:
            for pair in pairs:
                self.source.lines += 1
                self.target.lines += 1
                yield pair.line, pair.source, pair.target
        except FormatError as error:
            self.source.unreadable = str(error)

    def run(
        self, rows: Iterable[tuple[int, str | None, str | None]], progress: Progress | None
    ) -> CheckReport:
        for line, source, target in rows:
            self._places.append(line)
            cleaned = (
                "" if source is None else self.source.look(source, line),
                "" if target is None else self.target.look(target, line),
            )
            if all(cleaned):
                self._full += 1
                self._look_at_pair(line, cleaned)
            if progress is not None and len(self._places) % PROGRESS_EVERY == 0:
                progress(len(self._places))
        self.source.finish()
        self.target.finish()
        self._note_ratios()
        return CheckReport(
            source=self.source.summary(),
            target=self.target.summary(),
            pairs=min(self.source.lines, self.target.lines),
            findings=self._findings,
            unusable=self._verdict(),
            warnings=self._wrong_scripts(),
        )

    def _look_at_pair(self, line: int, texts: tuple[str, str]) -> None:
        if texts[0] == texts[1] and sum(map(str.isalpha, texts[0])) >= MIN_COPY:
            self._note("source copied as target", line, texts)
        numbers = [_numbers(text) for text in texts]
        if all(numbers) and numbers[0] != numbers[1]:
            self._note("different numbers", line, texts)
        ends = [_ending(text) for text in texts]
        if ends[0] != ends[1] and (all(ends) or "question" in ends):
            self._note("different ends (. ! ?)", line, texts)
        self._look_for_duplicates(line, texts)

    def _look_for_duplicates(self, line: int, texts: tuple[str, str]) -> None:
        pair = _digest("\t".join(texts))
        first = self._seen.setdefault(pair, line)
        if first != line:
            self._findings.add("duplicate pair", line, "", f"as line {first}: {texts[0]}")
            return
        source = _digest(texts[0])
        self._translations[source] += 1
        if self._translations[source] == self._options.targets + 1:
            kind = f"source with more than {self._options.targets} translations"
            self._findings.add(kind, line, "", texts[0])

    def _note(self, kind: str, line: int, texts: tuple[str, str]) -> None:
        self._findings.add(kind, line, "", f"{_begin(texts[0])} = {_begin(texts[1])}")

    def _note_ratios(self) -> None:
        """Lengths in characters; a constant keeps short lines from being outliers by nature."""
        ratios = [
            (target + SMOOTHING) / (source + SMOOTHING) if source and target else 0.0
            for source, target in zip(self.source.sizes, self.target.sizes, strict=False)
        ]
        usual = median([ratio for ratio in ratios if ratio] or [1.0])
        limit = self._options.ratio
        for i, ratio in enumerate(ratios):
            if ratio and not usual / limit <= ratio <= usual * limit:
                text = f"{self.source.sizes[i]} characters to {self.target.sizes[i]}"
                self._findings.add("unusual ratio of lengths", self._places[i], "", text)

    def _wrong_scripts(self) -> list[str]:
        """Sides that are not in the script of their language, and whether they look swapped."""
        sides = (self.source, self.target)
        found = [side.usual_scripts() for side in sides]
        known = [scripts_of(language) if language else set() for language in self._languages]
        wrong = [bool(a and b and not a & b) for a, b in zip(found, known, strict=True)]
        warnings = [
            f"{side.name} is in {' and '.join(sorted(scripts))} letters, but {language} is written "
            f"in {' and '.join(sorted(expected))}"
            for side, scripts, language, expected, bad in zip(
                sides, found, self._languages, known, wrong, strict=True
            )
            if bad
        ]
        if all(wrong) and found[0] & known[1] and found[1] & known[0]:
            warnings.append("the two sides look swapped: exchange the files or the languages")
        return warnings

    def _verdict(self) -> list[str]:
        """Everything that makes the corpus unusable."""
        source, target = self.source, self.target
        reasons = [side.unreadable for side in (source, target) if side.unreadable]
        if source.lines != target.lines and not reasons:
            reasons.append(
                f"{source.name} has {source.lines:,} lines, {target.name} has {target.lines:,}; "
                "line i of the one must be the translation of line i of the other"
            )
        if self._full == 0 and not reasons:
            reasons.append("there is no pair with text on both sides")
        for side in (source, target):
            if side.malformed > self._options.bad_share * side.lines:
                share = 100 * side.malformed / side.lines
                reasons.append(f"{share:.1f} % of the lines of {side.name} are not UTF-8")
        return reasons


def _numbers(text: str) -> list[str]:
    """The numbers of a text in order of size, whatever their digits and separators."""
    if not any(map(str.isdigit, text)):
        return []
    return sorted(
        str(int("".join(c for c in number if c.isdecimal()))) for number in _NUMBER.findall(text)
    )


def _ending(text: str) -> str:
    """The kind of the last sign, quotation marks and brackets apart."""
    return _ENDINGS.get(text.rstrip(" \"'”’»)]」』）")[-1:], "")


def _begin(text: str) -> str:
    return text if len(text) <= 34 else text[:33] + "…"


def _digest(text: str) -> bytes:
    return blake2b(text.encode("utf-8", "replace"), digest_size=8).digest()
