"""What is done in a directory of `demotic make` or in a model, what is stale and why.

Everything is read from records that the steps leave behind; nothing is loaded or changed.
"""

from __future__ import annotations

import json
import time
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Literal

from demotic.counts import counted
from demotic.lines import PathLike
from demotic.lock import is_locked
from demotic.model.directories import directory_contents, no_model
from demotic.model.file import MODEL_NAME
from demotic.pipeline.costs import stage_names
from demotic.pipeline.options import MakeOptions
from demotic.pipeline.result import RESULT_NAME
from demotic.pipeline.work import CONTENTS, Work
from demotic.sizes import tree_bytes
from demotic.steps import StepRecord, file_digest, read_records

__all__ = ["Part", "Status", "status_of"]

State = Literal["done", "stale", "unfinished", "not begun"]


@dataclass(frozen=True)
class Part:
    """A stage of `demotic make`, a recorded step, or the rounds of tuning or training."""

    name: str
    state: State
    why: str = ""  # why it is stale
    seconds: float = 0.0  # all its runs together
    bytes: int = 0  # of its outputs
    written: str = ""  # local time
    note: str = ""  # how far it is


@dataclass(frozen=True)
class Status:
    """`finished`: the model is complete; it may be stale all the same."""

    path: str
    made_by: str
    finished: bool
    running: bool
    bytes: int
    stages: list[Part] = field(default_factory=list)
    steps: list[Part] = field(default_factory=list)

    @property
    def stale(self) -> list[Part]:
        return [part for part in (*self.stages, *self.steps) if part.state == "stale"]

    @property
    def seconds(self) -> float:
        return sum(part.seconds for part in self.stages or self.steps)

    def as_dict(self) -> dict[str, Any]:
        return {**asdict(self), "stale": bool(self.stale), "seconds": self.seconds}


def status_of(path: PathLike) -> Status:
    """Raises ModelError for a directory without work of Demotic."""
    home = Path(path)
    work = Work(home)
    made = bool(work.command)
    steps = _steps(home)
    finished = (home / MODEL_NAME).exists() and (not made or (home / RESULT_NAME).exists())
    steps += _passes(home, finished=finished)
    if not made and not steps and not finished:
        raise no_model(home)
    verb = "make" if made else directory_contents(home).verb
    return Status(
        path=str(home),
        made_by=f"demotic {verb}" if verb else "",
        finished=finished,
        running=any(map(is_locked, (home, work.folder))),
        bytes=tree_bytes(home),
        stages=_stages(work) if made else [],
        steps=steps,
    )


def _stages(work: Work) -> list[Part]:
    """Of `demotic make`; the stage that runs now is unfinished."""
    names = {field.name for field in MakeOptions.__dataclass_fields__.values()}
    options = MakeOptions(**{k: v for k, v in work.command.items() if k in names})
    times = work.times
    planned = [*times, *(name for name in stage_names(options) if name not in times)]
    if "train (phrase)" in times:  # which of two kinds is trained is known by then
        planned = [name for name in planned if name in times or not name.endswith(" (hiero)")]
    unfinished = set(work.unfinished)
    why = _changed_inputs(work)
    parts = []
    for name in planned:
        state: State = "not begun" if name not in times else "stale" if why else "done"
        if name in unfinished:
            state = "unfinished"
        reason = why if state == "stale" else ""
        parts.append(Part(name, state, reason, round(times.get(name, 0.0), 1)))
    return parts


def _changed_inputs(work: Work) -> str:
    contents = work.command.get(CONTENTS, {})
    changes = []
    for kind, names in work.inputs.items():
        for name, digest in zip(_flat(names), _flat(contents.get(kind, [])), strict=False):
            if not Path(name).exists():
                changes.append(f"input {name} is missing")
            elif file_digest(name) != digest:
                changes.append(f"input {name} was changed")
    return "; ".join(changes)


def _flat(names: list[Any]) -> list[str]:
    return [one for name in names for one in ([name] if isinstance(name, str) else name)]


def _steps(home: Path) -> list[Part]:
    records = read_records(home)
    keys = {record.key: record.name for _, record in records}
    stale: dict[str, str] = {}
    parts = []
    for folder, record in records:
        reasons = record.changes(folder)
        reasons += [f"step '{stale[key]}' is stale" for key in record.after if key in stale]
        if any(key not in keys for key in record.after):
            reasons.append("a step before it was made again")
        if reasons:
            stale[record.key] = record.name
        parts.append(_part(home, folder, record, "; ".join(reasons)))
    return parts


def _passes(home: Path, *, finished: bool) -> list[Part]:
    """The rounds of `demotic tune` and the epochs of `demotic train`."""
    parts = []
    for pattern, unit in (("runs/*/rounds.jsonl", "round"), ("training/epochs.jsonl", "epoch")):
        for path in sorted(home.glob(pattern)):
            lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
            passes = [line for line in lines if line.get("number", 0) > 0]
            last = f", last score {passes[-1]['score']:.2f}" if passes else ""
            part = Part(
                name=path.parent.relative_to(home).as_posix(),
                state="done" if finished else "unfinished",
                seconds=round(sum(line["seconds"] for line in passes), 1),
                bytes=tree_bytes(path.parent),
                written=_local_time(path.stat().st_mtime),
                note=counted(len(passes), unit) + last,
            )
            parts.append(part)
    return parts


def _local_time(seconds: float) -> str:
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(seconds))


def _part(home: Path, folder: Path, record: StepRecord, why: str) -> Part:
    marks = [mark for mark in record.outputs.values() if mark]
    written = max((mark[1] for mark in marks), default=0) / 1e9
    return Part(
        name=(folder.relative_to(home) / record.name).as_posix(),
        state="stale" if why else "done",
        why=why,
        seconds=record.seconds,
        bytes=sum(mark[0] for mark in marks),
        written=_local_time(written) if marks else "",
    )
