"""Checks that a refactoring changes no bit: records the program's results and compares them later.

    python -m benchmarks.same_bits record base.json     # before
    python -m benchmarks.same_bits compare base.json    # after; exit code 1 if anything differs

Runs the command line on the bundled corpus and on slices of zh-en-tatoeba of the data folder
(`DEMOTIC_DATA`, else `../shared/data`): translations, scores, n-best lists, forests, forced
decoding, tuned and trained weights of phrase and Hiero models, and imported models of other
toolkits.
`same_bits_table.py` holds the commands.  With --work DIR the outputs stay there, so that two runs
can be compared line by line with diff.  About 8 minutes of CPU time, 1 minute with --quick.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.same_bits_artefacts import Artefact, failure, read_artefacts
from benchmarks.same_bits_table import IMPORTED, KINDS, MODELS, TEXTS, Row, rows
from benchmarks.texts import data_folder
from demotic.lines import LineFile

__all__ = ["TASKS", "Run", "differences"]

TASKS = ("bundled", "zh-en-tatoeba")
Record = dict[str, Artefact]
_WITHOUT_THREADS = ("explain", "import", "info", "weights")


@dataclass(frozen=True)
class Sizes:
    """Lines of each text, evenly spread over the whole."""

    train: int
    small: int
    dev: int
    test: int
    few: int


FULL = Sizes(train=2000, small=800, dev=60, test=120, few=12)
QUICK = Sizes(train=800, small=100, dev=20, test=20, few=5)


class Run:
    """Runs the commands of the table in a folder of their own per task and kind."""

    def __init__(self, work: Path, *, quick: bool, threads: int) -> None:
        self.work = work
        self.quick = quick
        self.threads = threads
        self.sizes = QUICK if quick else FULL

    def task(self, task: str) -> Record:
        folder = self.work / task
        references = self._texts(task, folder)
        found: Record = {}
        for kind in (TEXTS, *KINDS):
            (folder / kind).mkdir(parents=True, exist_ok=True)
            words = {
                "{refs}": _flags("--ref", "dev", references),
                "{test}": _flags("--ref", "test", references),
                "{dev}": ["--dev-src", "../dev.src", *_flags("--dev-ref", "dev", references)],
                "{kind}": [kind],
                "{sentence}": [next(iter(LineFile(folder / "few.src")))],
            }
            for row in rows(kind, quick=self.quick):
                found |= self._row(row, f"{task}/{kind}", folder / kind, words)
        return found

    def imported(self) -> Record:
        """Imports the models of other toolkits that are in the data folder."""
        found: Record = {}
        for name, (place, config, text, tables) in MODELS.items():
            home = data_folder() / "models" / place
            if not home.is_dir():
                continue
            folder = self.work / "imported" / name
            sentences = [_surface(line) for line in LineFile(home / text)]
            _write(folder / "source.txt", sentences[: self.sizes.few])
            words = {"{config}": [str(home / config)], "{folder}": [str(home / tables)]}
            for row in IMPORTED:
                if row.quick or not self.quick:
                    found |= self._row(row, f"imported/{name}", folder, words)
        return found

    def _row(self, row: Row, place: str, folder: Path, words: dict[str, list[str]]) -> Record:
        forests = ["--forest", f"{row.name}.forest"]
        outputs = _outputs(row.name)
        words = {**words, "{outputs}": outputs, "{forests}": [*outputs, *forests]}
        command = [part for word in row.command.split() for part in words.get(word, [word])]
        if command[0] not in _WITHOUT_THREADS:
            command += ["--threads", str(self.threads)]
        before = _children_seconds()
        done = subprocess.run(
            [sys.executable, "-m", "demotic", *command],
            cwd=folder,
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
        name, spent = f"{place}/{row.name}", _children_seconds() - before
        print(
            f"{name}: {spent:.1f} CPU s, exit code {done.returncode}", file=sys.stderr, flush=True
        )
        if done.returncode:
            return {name: failure(done.returncode, done.stderr)}
        found = read_artefacts(command, folder, done.stdout)
        return {f"{name}/{part}": artefact for part, artefact in found.items()}

    def _texts(self, task: str, folder: Path) -> int:
        """Writes the texts of a task; returns the number of references."""
        if task == "bundled":
            arguments = ["demo", "--corpus-only", "--out", str(folder / "corpus"), "--quiet"]
            subprocess.run(
                [sys.executable, "-m", "demotic", *arguments], check=True, stdout=subprocess.DEVNULL
            )
            home, end = folder / "corpus" / "tok", ""
        else:
            home, end = data_folder() / task / "tok", ".gz"
        references = len(list(home.glob(f"dev.en*{end}")))
        for part in ("train", "small", "dev", "test", "few"):
            origin = {"small": "train", "few": "test"}.get(part, part)
            count = getattr(self.sizes, part)
            sources = [home / f"{origin}.zh{end}"]
            targets = sorted(home.glob(f"{origin}.en*{end}"))
            names = [f"ref{index}" for index in range(len(targets))]
            names = ["tgt"] if origin == "train" else names
            for path, name in zip([*sources, *targets], ["src", *names], strict=True):
                _write(folder / f"{part}.{name}", _spread(list(LineFile(path)), count))
        return references


def _children_seconds() -> float:
    used = os.times()
    return used.children_user + used.children_system


def _flags(flag: str, part: str, references: int) -> list[str]:
    return [word for index in range(references) for word in (flag, f"../{part}.ref{index}")]


def _outputs(name: str) -> list[str]:
    files = ["-o", f"{name}.out", "--nbest-file", f"{name}.nbest"]
    return [*files, "--nbest", "20", "--force", "--quiet"]


def _surface(line: str) -> str:
    """The word of word|factor; Moses' tests have factors."""
    return " ".join(word.split("|")[0] for word in line.split())


def _spread(lines: list[str], count: int) -> list[str]:
    return lines[:: max(1, len(lines) // count)][:count]


def _write(path: Path, lines: list[str]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def differences(old: Record, new: Record) -> Iterator[str]:
    """A paragraph per artefact that differs, with the figures that differ."""
    for name in sorted(old.keys() | new.keys()):
        if name not in new:
            yield f"{name}: missing now"
        elif name not in old:
            yield f"{name}: not in the record"
        elif old[name]["digest"] != new[name]["digest"]:
            yield "\n".join([f"{name}: differs", *_changed(old[name], new[name])])


def _changed(old: Artefact, new: Artefact) -> Iterator[str]:
    before, after = old["figures"], new["figures"]
    for key in [*before, *(key for key in after if key not in before)]:
        if before.get(key) != after.get(key):
            yield f"    {key}: {before.get(key)} -> {after.get(key)}"
    if before == after:
        yield f"    same figures, other bits: {old['digest']} -> {new['digest']}"


def _record(run: Run, task: str) -> Record:
    found: Record = {}
    for one in TASKS if task == "both" else (task,):
        if one != "bundled" and not (data_folder() / one).is_dir():
            print(f"{one}: skipped, not in {data_folder()} (see DEMOTIC_DATA)", file=sys.stderr)
            continue
        found |= run.task(one)
    return found | (run.imported() if task != "bundled" else {})


def command(arguments: list[str]) -> int:
    """The exit code."""
    given = _parser().parse_args(arguments)
    known = json.loads(given.file.read_text("utf-8")) if given.action == "compare" else {}
    quick = known.get("quick", given.quick)
    with tempfile.TemporaryDirectory() as scratch:
        run = Run((given.work or Path(scratch)).resolve(), quick=quick, threads=given.threads)
        found = _record(run, given.task)
    if given.action == "record":
        return _save(given.file, quick, found)
    places = tuple({name.split("/")[0] for name in found})
    old = {name: one for name, one in known["artefacts"].items() if name.startswith(places)}
    changes = list(differences(old, found))
    print("\n".join(changes))
    print(f"{len(found)} artefacts, {len(changes)} differ from {given.file}")
    return 1 if changes else 0


def _save(path: Path, quick: bool, found: Record) -> int:
    failed = [name for name, one in found.items() if one["digest"].startswith("exit code")]
    path.parent.mkdir(parents=True, exist_ok=True)
    content: dict[str, Any] = {"quick": quick, "artefacts": found}
    path.write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    print(f"{len(found)} artefacts in {path}")
    for name in failed:
        print(f"failed: {name}: {found[name]['figures']['stderr']}")
    return 1 if failed else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.same_bits",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("action", choices=("record", "compare"))
    parser.add_argument("file", type=Path, help="the record, JSON")
    parser.add_argument("--task", choices=(*TASKS, "both"), default="both")
    parser.add_argument(
        "--quick", action="store_true", help="record less; compare uses the setting of FILE"
    )
    parser.add_argument("--work", type=Path, help="empty folder to keep the outputs in")
    parser.add_argument("--threads", type=int, default=1, help="per command (default: 1)")
    return parser


if __name__ == "__main__":
    sys.exit(command(sys.argv[1:]))
