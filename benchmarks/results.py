"""What a grid of measurements has given so far, kept from run to run.

`results.jsonl` gets a line a cell, `outputs/KEY.txt` its translations.  A run that is killed loses
the cell it was at.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from demotic.lines import LineFile, write_text

__all__ = ["Results"]


class Results:
    """The file of results and the outputs beside it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.path = folder / "results.jsonl"

    @property
    def records(self) -> list[dict[str, Any]]:
        if not self.path.exists():
            return []
        return [json.loads(line) for line in LineFile(self.path)]

    def output(self, key: str) -> list[str]:
        return list(LineFile(self.folder / "outputs" / f"{key}.txt"))

    def keep(self, record: dict[str, Any], output: list[str]) -> None:
        """The file of results is written anew, so that a kill leaves no half line."""
        with write_text(self.folder / "outputs" / f"{record['key']}.txt") as file:
            file.writelines(f"{line}\n" for line in output)
        records = [*self.records, record]
        with write_text(self.path) as file:
            file.writelines(json.dumps(one) + "\n" for one in records)
