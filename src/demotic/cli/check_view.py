"""The report of `demotic check` as text: a list with line numbers, and tables."""

from __future__ import annotations

from demotic.text.check import CheckReport
from demotic.text.check_sides import HISTOGRAM

__all__ = ["findings_text", "histogram", "summary"]

_BAR = 16  # length of the longest bar in characters


def findings_text(report: CheckReport) -> str:
    lines: list[str] = []
    for name, kind in report.findings.kinds.items():
        lines.append(f"{name}: {kind.count:,}")
        for one in kind.examples:
            where = f"line {one.line}" + (f" {one.side}" if one.side else "")
            lines.append(f"  {where}: {one.text}" if one.text else f"  {where}")
        if kind.count > len(kind.examples) > 0:
            lines.append(f"  and {kind.count - len(kind.examples):,} more")
    return "\n".join(lines)


def summary(report: CheckReport) -> tuple[list[str], list[list[str]]]:
    source, target = report.source, report.target
    names = {
        "lines": "lines",
        "empty": "empty lines",
        "malformed": "malformed lines",
        "tokens": "tokens",
        "mean_length": "mean length",
        "median_length": "median length",
        "max_length": "longest",
    }
    rows = [[name, _number(source[key]), _number(target[key])] for key, name in names.items()]
    rows.append(["script", str(source["script"]) or "-", str(target["script"]) or "-"])
    return ["", "source", "target"], rows


def _number(value: float) -> str:
    return f"{value:,.2f}".removesuffix(".00")


def histogram(report: CheckReport) -> tuple[list[str], list[list[str]]]:
    starts = (1, *(end + 1 for end in HISTOGRAM))
    labels = [f"{start} to {end}" for start, end in zip(starts, HISTOGRAM, strict=False)]
    labels.append(f"{starts[-1]} and more")
    bars = [_bars(side["histogram"]) for side in (report.source, report.target)]
    return ["tokens", "source", "target"], [list(row) for row in zip(labels, *bars, strict=True)]


def _bars(counts: list[int]) -> list[str]:
    most = max(*counts, 1)
    return [f"{'█' * -(-_BAR * count // most)} {count:,}".strip() for count in counts]
