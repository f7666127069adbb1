"""The results of a grid of measurements, kept between runs.

`results.jsonl` gets one line per cell, `outputs/KEY.txt` its translations.  A killed run loses only
the current cell.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from demotic.lines import LineFile, write_text

__all__ = ["Results", "models_folder"]


def models_folder() -> Path | None:
    """The folder that DEMOTIC_BENCH_MODELS names; without one, says so."""
    named = os.environ.get("DEMOTIC_BENCH_MODELS")
    if not named:
        print("DEMOTIC_BENCH_MODELS names no folder for models and results; nothing to do")
        return None
    return Path(named)


class Results:
    """The results file and the outputs next to it."""

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
        """Appends the line by one call, so that a kill does not tear it and several processes can
        share the file."""
        with write_text(self.folder / "outputs" / f"{record['key']}.txt") as file:
            file.writelines(f"{line}\n" for line in output)
        with open(self.path, "ab", buffering=0) as file:
            file.write(f"{json.dumps(record)}\n".encode())
