"""Checks a parallel corpus before hours are spent on it, without stopping at the first problem.

`check_files` reads two plain files as bytes; `check_pairs` takes the pairs that a reader of another
format yields.  The report lists anomalies with line numbers and whether the corpus is usable.
"""

from __future__ import annotations

import re
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from hashlib import blake2b
from itertools import islice, zip_longest
from statistics import median
from typing import Any

from demotic.errors import FormatError
from demotic.lines import PathLike, display_name
from demotic.options import Options, option
from demotic.text.check_sides import CheckedSide
from demotic.text.findings import Findings
from demotic.text.pairs import Pair
from demotic.text.scripts import scripts_of

__all__ = ["CheckOptions", "CheckReport", "check_files", "check_pairs", "script_warnings"]

Progress = Callable[[int], None]

MIN_COPY = 4  # letters; shorter text (names, numbers) is the same in many languages
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
    """What `demotic check` reports as unusual."""

    show: int = option(5, "examples to list per kind of finding", minimum=0)
    max_length: int = option(100, "report longer sentences", unit="tokens", minimum=1)
    max_word: int = option(60, "report longer words", unit="characters", minimum=1)
    ratio: float = option(
        3.0, "report pairs whose length ratio is this many times the corpus mean", minimum=1
    )
    targets: int = option(5, "report sources with more distinct translations than this", minimum=1)
    bad_share: float = option(0.01, "tolerated share of malformed lines", minimum=0, maximum=1)


@dataclass(frozen=True)
class CheckReport:
    """Both sides, the findings, and the reasons why the corpus is unusable, if it is."""

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

    With `languages`, warns about a side that is not in the script of its language.
    """
    check = _Check(options, display_name(source), display_name(target), languages)
    sides = zip_longest(check.source.read(source), check.target.read(target))
    rows = ((line, *texts) for line, texts in enumerate(sides, 1))
    return check.run(rows, progress)


def script_warnings(
    source: PathLike, target: PathLike, languages: tuple[str, str], lines: int = 1000
) -> list[str]:
    """Warnings about the first lines of two files that are not in the script of their language."""
    check = _Check(CheckOptions(show=0), display_name(source), display_name(target), languages)
    sides = islice(zip(check.source.read(source), check.target.read(target), strict=False), lines)
    rows = ((line, *texts) for line, texts in enumerate(sides, 1))
    return check.run(rows, None).warnings


def check_pairs(
    pairs: Iterable[Pair],
    name: str,
    options: CheckOptions,
    progress: Progress | None = None,
    languages: tuple[str, str] = ("", ""),
) -> CheckReport:
    """`name` names the source of the pairs; lines are the readers' (units of TMX, PO, XLIFF)."""
    check = _Check(options, name, name, languages)
    return check.run(check.until_error(pairs), progress)


class _Check:
    """The state of one check."""

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

    def until_error(self, pairs: Iterable[Pair]) -> Iterator[tuple[int, str, str]]:
        """The pairs up to the first that cannot be read."""
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
        """Length ratios in characters; smoothing keeps short lines from being outliers."""
        ratios = [
            (target + SMOOTHING) / (source + SMOOTHING) if source and target else 0.0
            for source, target in zip(self.source.sizes, self.target.sizes, strict=False)
        ]
        usual = median([ratio for ratio in ratios if ratio] or [1.0])
        limit = self._options.ratio
        for i, ratio in enumerate(ratios):
            if ratio and not usual / limit <= ratio <= usual * limit:
                text = f"{self.source.sizes[i]} characters to {self.target.sizes[i]}"
                self._findings.add("unusual length ratio", self._places[i], "", text)

    def _wrong_scripts(self) -> list[str]:
        """Warnings about sides not in the script of their language, and about swapped sides."""
        sides = (self.source, self.target)
        found = [side.usual_scripts() for side in sides]
        known = [scripts_of(language) if language else set() for language in self._languages]
        wrong = [bool(a and b and not a & b) for a, b in zip(found, known, strict=True)]
        same = self.source.name == self.target.name  # such as a TMX file
        names = [f"the {side.side} side of {side.name}" if same else side.name for side in sides]
        warnings = [
            f"{name} is in {' and '.join(sorted(scripts))} letters, but {language} is written "
            f"in {' and '.join(sorted(expected))}"
            for name, scripts, language, expected, bad in zip(
                names, found, self._languages, known, wrong, strict=True
            )
            if bad
        ]
        if all(wrong) and found[0] & known[1] and found[1] & known[0]:
            warnings.append("the two sides look swapped: exchange the files or the languages")
        return warnings

    def _verdict(self) -> list[str]:
        """All reasons why the corpus is unusable."""
        source, target = self.source, self.target
        reasons = [side.unreadable for side in (source, target) if side.unreadable]
        if source.lines != target.lines and not reasons:
            reasons.append(
                f"{source.name} has {source.lines:,} lines, {target.name} has {target.lines:,}; "
                "line i of one file must be the translation of line i of the other"
            )
        if self._full == 0 and not reasons:
            reasons.append("no pair has text on both sides")
        for side in (source, target):
            if side.malformed > self._options.bad_share * side.lines:
                share = 100 * side.malformed / side.lines
                reasons.append(f"{share:.1f} % of the lines of {side.name} are not UTF-8")
        return reasons


def _numbers(text: str) -> list[str]:
    """The numbers of a text, sorted, independent of digit script and separators."""
    if not any(map(str.isdigit, text)):
        return []
    return sorted(
        str(int("".join(c for c in number if c.isdecimal()))) for number in _NUMBER.findall(text)
    )


def _ending(text: str) -> str:
    """The class of the last punctuation mark, ignoring quotation marks and brackets."""
    return _ENDINGS.get(text.rstrip(" \"'”’»)]」』）")[-1:], "")


def _begin(text: str) -> str:
    return text if len(text) <= 34 else text[:33] + "…"


def _digest(text: str) -> bytes:
    return blake2b(text.encode("utf-8", "replace"), digest_size=8).digest()
