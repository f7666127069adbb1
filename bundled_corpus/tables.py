"""Reading the `.tsv` files: comment lines, one header line, then rows."""

from __future__ import annotations

from importlib.resources import files


def rows(name: str) -> list[dict[str, str]]:
    """The rows of a table as dictionaries from column name to text."""
    text = files(__package__).joinpath(name).read_text(encoding="utf-8")
    lines = [line for line in text.split("\n") if line and not line.startswith("#")]
    header = lines[0].split("\t")
    return [_row(name, header, line) for line in lines[1:]]


def _row(name: str, header: list[str], line: str) -> dict[str, str]:
    fields = line.split("\t")
    if len(fields) != len(header):
        raise ValueError(f"{name}: {line!r} has {len(fields)} fields, expected {len(header)}")
    return dict(zip(header, fields, strict=True))
