"""Runs the commands of the README, copied from it, with an installed program."""

from __future__ import annotations

import os
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

__all__ = ["README", "Walk", "blocks", "commands"]

README = Path(__file__).parents[2] / "README.md"
SENTENCE = "他把书放在桌子上。"


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)


def commands() -> list[str]:
    """Every shell command that calls the program, whole, in the order of the README."""
    text = "\n".join(blocks("sh")).replace("\\\n", " ")
    return [line for line in text.splitlines() if re.search(r"(^|\| )demotic \w", line)]


@dataclass(frozen=True)
class Walk:
    """In a folder with `talks`, `dev`, `test` and `new` as raw text."""

    folder: Path
    program: str
    language: str = "zh"
    sentence: str = SENTENCE

    def run(self) -> dict[str, str]:
        """The output of each command; fails at the first error."""
        printed = {}
        for command in commands():
            done = subprocess.run(
                self._call(command),
                shell=True,
                cwd=self.folder,
                capture_output=True,
                text=True,
                encoding="utf-8",
                env={**os.environ, "PYTHONUTF8": "1"},
                check=False,
            )
            assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
            assert "warning" not in done.stderr, f"{command}\n{done.stderr}"
            printed[command] = done.stdout
        return printed

    def _call(self, command: str) -> str:
        here = command.replace(SENTENCE, self.sentence)
        if self.language != "zh":
            here = re.sub(r"\bzh\b", self.language, here)
        return re.sub(r"(^|\| )demotic ", rf"\1{self.program} ", here)
