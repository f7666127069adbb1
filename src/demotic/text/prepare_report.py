"""The report of a preparation: counts, reasons and warnings, for people, JSON and TOML."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from demotic._core import LineNotices

__all__ = ["PrepareReport", "repairs"]


@dataclass
class PrepareReport:
    """What was read, kept and dropped, by reason."""

    read: int = 0
    kept: int = 0
    dropped: Counter[str] = field(default_factory=Counter)
    tokens: Counter[str] = field(default_factory=Counter)  # by language, in what was kept
    skipped: dict[str, int] = field(default_factory=dict)  # by the reader, before pairs were made
    notices: dict[str, int] = field(default_factory=dict)
    tokenizers: dict[str, str] = field(default_factory=dict)

    def as_dict(self) -> dict[str, Any]:
        return {
            "read": self.read,
            "kept": self.kept,
            "dropped": dict(self.dropped),
            "skipped": self.skipped,
            "tokens": dict(self.tokens),
            "tokenizers": self.tokenizers,
            "notices": self.notices,
        }

    def counts(self) -> dict[str, int]:
        """As a flat dictionary, the form kept in `preparation.toml`."""
        dropped = {f"dropped_{_key(reason)}": count for reason, count in self.dropped.items()}
        tokens = {f"tokens_{_key(language)}": count for language, count in self.tokens.items()}
        return {"read": self.read, "kept": self.kept, **dropped, **tokens}

    def text(self, out_dir: str) -> str:
        """The report as text."""
        lines = [f"{self.kept:,} of {self.read:,} sentences kept in {out_dir}"]
        lines += [f"  {count:,} dropped: {reason}" for reason, count in self.dropped.items()]
        lines += [f"  {count:,} skipped: {reason}" for reason, count in self.skipped.items()]
        lines += [
            f"  {language}: {self.tokens[language]:,} tokens, tokeniser {name}"
            for language, name in self.tokenizers.items()
        ]
        return "\n".join(lines)


def _key(text: str) -> str:
    return "".join(c if c.isalnum() and c.isascii() else "_" for c in text)


def repairs(notices: LineNotices) -> dict[str, int]:
    """The number of repaired lines by kind of repair."""
    found = {
        "lines with a byte order mark": notices.byte_order_marks,
        "lines with carriage returns": notices.carriage_returns,
        "lines with control characters": notices.controls,
        "lines with replaced bytes": notices.replaced,
        "lines emptied because of bad bytes": notices.skipped,
    }
    return {name: count for name, count in found.items() if count}
