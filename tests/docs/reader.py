"""A reader who follows a page: its commands, run in a folder with small files."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

__all__ = ["DOCS", "Reader", "blocks", "commands", "transcripts"]

DOCS = Path(__file__).parents[2] / "docs"
PROGRAM = f"{sys.executable} -c 'from demotic.cli.main import main; main()'"


def blocks(page: str, language: str) -> list[str]:
    text = (DOCS / page).read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.DOTALL | re.MULTILINE)


def commands(page: str) -> list[str]:
    """Every command in blocks of `sh`, whole, without comments."""
    text = "\n".join(blocks(page, "sh")).replace("\\\n", " ")
    return [line for line in re.sub(r"\s+#.*", "", text).splitlines() if line.strip()]


def transcripts(page: str) -> list[tuple[str, str]]:
    """The command and the output of every block of `console`."""
    cut = (block.removeprefix("$ ").partition("\n") for block in blocks(page, "console"))
    return [(command, output) for command, _, output in cut]


@dataclass(frozen=True)
class Reader:
    """Types commands in a folder; `replacements` make them smaller."""

    folder: Path
    replacements: tuple[tuple[str, str], ...] = ()

    def run(self, command: str) -> subprocess.CompletedProcess[str]:
        for old, new in self.replacements:
            command = command.replace(old, new)
        return subprocess.run(
            re.sub(r"(^|\| )demotic ", rf"\1{PROGRAM} ", command),
            shell=True,
            cwd=self.folder,
            capture_output=True,
            text=True,
            encoding="utf-8",
            env={**os.environ, "PYTHONUTF8": "1"},
            check=False,
        )
