"""A minimal ARPA reader, to examine what was written."""

from __future__ import annotations

from pathlib import Path

__all__ = ["parse_arpa"]

Section = dict[tuple[str, ...], tuple[float, float]]


def parse_arpa(path: Path) -> list[Section]:
    """For each order: n-gram to (log10 probability, log10 backoff)."""
    sections: list[Section] = []
    announced: list[int] = []
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("ngram "):
            announced.append(int(line.split("=")[1]))
        elif line.endswith("-grams:"):
            sections.append({})
        elif "\t" in line:
            prob, words, *backoff = line.split("\t")
            sections[-1][tuple(words.split(" "))] = (float(prob), float((backoff or ["0"])[0]))
    assert announced == [len(section) for section in sections]
    assert line == "\\end\\"
    return sections
