"""One side of a corpus as `check` reads it: to the end, reporting every problem."""

from __future__ import annotations

import re
from array import array
from collections import Counter
from collections.abc import Iterator
from statistics import median

from demotic.errors import FormatError, IoError
from demotic.lines import PathLike, open_plain_bytes
from demotic.text.clean import clean
from demotic.text.findings import Findings
from demotic.text.scripts import main_script
from demotic.text.tokenize import tokenizer_for

__all__ = ["HISTOGRAM", "CheckedSide"]

_CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029]")
_ODD_SPACES = re.compile("[\xa0\u1680\u2000-\u200b\u202f\u205f\ufeff]")
# UTF-8 that was mistaken for Latin-1 or Windows-1252 and encoded again.
_TWICE = re.compile("[ÃÂ][\x80-\xbf]|â€[\x80-\x9f\u0152-\u2122]")
_MARKUP = re.compile(r"</?[A-Za-z][^<>]{0,200}>|&(?:#\d{1,7}|#x[0-9A-Fa-f]{1,6}|[A-Za-z]{2,8});")

# Maximum memory per line, as in lines.h.
_MAX_LINE_BYTES = 1 << 24

# Upper bounds of the histogram's bars, in tokens.
HISTOGRAM = (5, 10, 20, 30, 40, 60, 100)


class CheckedSide:
    """Counts and lengths of one side; problems go to the shared findings."""

    def __init__(self, side: str, name: str, findings: Findings, limits: tuple[int, int]) -> None:
        """`limits`: longest sentence (tokens) and longest word (characters) not reported."""
        self.side = side
        self.name = name
        self.lines = 0
        self.line = 0  # the current line, for the findings
        self.malformed = 0
        self.unreadable = ""  # why reading stopped before the end
        self.lengths = array("I")
        self.sizes = array("I")  # in characters
        self.scripts: Counter[str] = Counter()
        self._findings = findings
        self._max_length, self._max_word = limits
        self._tokenize = tokenizer_for("und", "builtin").tokenize
        self._examples: dict[str, list[tuple[int, str]]] = {}

    def read(self, path: PathLike) -> Iterator[str]:
        """The repaired lines of a file; reports each problem. Raises IoError if it cannot open."""
        try:
            for raw in _raw_lines(path):
                self.lines += 1
                self.line = self.lines
                yield self._repaired(raw)
        except (FormatError, IoError) as error:
            if isinstance(error, IoError) and self.lines == 0:
                raise
            self.unreadable = str(error)

    def _repaired(self, raw: bytes) -> str:
        if raw.endswith(b"\r"):
            self._note("carriage return at the end", "")
            raw = raw.rstrip(b"\r")
        if raw.startswith(b"\xef\xbb\xbf"):
            self._note("byte order mark", "")
            raw = raw[3:]
        try:
            text = raw.decode()
        except UnicodeDecodeError as error:
            self.malformed += 1
            text = raw.decode(errors="replace")
            byte = raw[error.start]
            self._note(
                "malformed UTF-8", f"byte 0x{byte:02X} at position {error.start + 1}: {text}"
            )
            return text
        if "\ufffd" in text:
            self._note("replacement character (lost text)", text)
        return text

    def look(self, text: str, line: int) -> str:
        """Reports what is unusual about one line and returns it cleaned."""
        self.line = line
        if not text.isascii() or not text.isprintable():
            self._look_closer(text)
        cleaned = clean(text, "none")
        tokens = self._tokenize(cleaned)
        self.lengths.append(len(tokens))
        self.sizes.append(len(cleaned))
        if not tokens:
            self._note("empty line", "")
            return cleaned
        if len(tokens) > self._max_length:
            self._note(f"more than {self._max_length} tokens", f"{len(tokens)}: {cleaned}")
        if len(cleaned) > self._max_word and max(map(len, tokens)) > self._max_word:
            self._note(f"word of more than {self._max_word} characters", max(tokens, key=len))
        if "|||" in cleaned or "<" in cleaned or "&" in cleaned:
            self._look_for_markup(cleaned)
        self._count_script(cleaned)
        return cleaned

    def _look_closer(self, text: str) -> None:
        if _CONTROLS.search(text):
            self._note("control character", text)
        if _ODD_SPACES.search(text):
            self._note("unusual white space", text)
        if _TWICE.search(text):
            self._note("looks encoded twice", text)

    def _look_for_markup(self, text: str) -> None:
        if _MARKUP.search(text):
            self._note("markup or entity", text)

    def _count_script(self, text: str) -> None:
        script = main_script(text)
        if script:
            self.scripts[script] += 1
            examples = self._examples.setdefault(script, [])
            if len(examples) < self._findings.show:
                examples.append((self.line, text))

    def _note(self, kind: str, text: str) -> None:
        self._findings.add(kind, self.line, self.side, text)

    def finish(self) -> None:
        """Reports the lines in another script than the rest of the side."""
        usual = self.usual_scripts()
        for script, count in self.scripts.items():
            if script not in usual:
                kind = f"{script} letters in a text of {' and '.join(sorted(usual))} letters"
                self._findings.add_many(kind, count, self.side, self._examples[script])

    def usual_scripts(self) -> set[str]:
        """The most frequent script; two for Japanese."""
        if not self.scripts:
            return set()
        first = self.scripts.most_common(1)[0][0]
        kana = self.scripts["Kana"] * 10 >= self.scripts["Han"]
        return {"Han", "Kana"} if first in ("Han", "Kana") and kana else {first}

    def summary(self) -> dict[str, object]:
        lengths = self.lengths
        return {
            "file": self.name,
            "lines": self.lines,
            "malformed": self.malformed,
            "empty": sum(length == 0 for length in lengths),
            "tokens": sum(lengths),
            "mean_length": round(sum(lengths) / len(lengths), 2) if lengths else 0.0,
            "median_length": median(lengths) if lengths else 0,
            "max_length": max(lengths, default=0),
            "script": " and ".join(sorted(self.usual_scripts())),
            "histogram": self.histogram(),
        }

    def histogram(self) -> list[int]:
        """The number of non-empty lines per bar of HISTOGRAM, plus one bar for longer lines."""
        bars = [0] * (len(HISTOGRAM) + 1)
        for length in self.lengths:
            if length:
                bars[sum(length > end for end in HISTOGRAM)] += 1
        return bars


def _raw_lines(path: PathLike) -> Iterator[bytes]:
    """The bytes of each line; only the beginning of a line that exceeds the memory limit."""
    pending = b""
    for chunk in open_plain_bytes(path):
        first, *others = chunk.split(b"\n")
        if len(pending) < _MAX_LINE_BYTES:
            pending += first
        for other in others:
            yield pending
            pending = other
    if pending:
        yield pending
