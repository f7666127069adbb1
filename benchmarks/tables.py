"""Parts of rule tables and decisions by BLEU.

    python -m benchmarks.tables [--seeds 3] [--parts PART...] [--no-decisions] [TASK...]

Every part is built, tuned on dev (mira, beam 50, one thread) and scored on dev and test; decisions
are chosen on one half of dev, with weights tuned on the other.  Models are kept in
`build/tables/`, so that the same command resumes.  Times are CPU seconds.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from pathlib import Path

from benchmarks.texts import data_folder
from demotic.cli.main import run
from demotic.lines import read_lines, write_text
from demotic.metrics import Bleu, BleuOptions, References, Ter
from demotic.model import Model

__all__ = ["main"]

TASKS = ("zh-en-tatoeba", "de-en-multi30k", "ja-en-tanaka", "zh-en-help")
POOLED = "--preset fast --align hmm,diagonal"
PARTS = {
    "hmm": "--preset fast --align hmm",
    "diagonal": "--preset fast --align diagonal",
    "hmm,diagonal": POOLED,
    "low counts": f"{POOLED} --low-counts",
    "Kneser-Ney": f"{POOLED} --smoothing kneser-ney",
    "Good-Turing": f"{POOLED} --smoothing good-turing",
    "significance +": f"{POOLED} --significance 0.01",
    "significance -": f"{POOLED} --significance -0.01",
}
SEARCH = "--beam 50 --threads 1 --quiet"


class Task:
    """The texts of a task, and a folder for its models."""

    def __init__(self, name: str) -> None:
        self.source = name.split("-", maxsplit=1)[0]
        self.text = data_folder() / name / "tok"
        self.home = Path("build") / "tables" / name
        self.home.mkdir(parents=True, exist_ok=True)

    def file(self, part: str, side: str) -> Path:
        return self.text / f"{part}.{side}.gz"

    def pair(self, part: str, flag: str = "--ref") -> str:
        return f"--src {self.file(part, self.source)} {flag} {self.file(part, 'en')}"

    def halves(self) -> list[str]:
        """Flags of the odd and the even sentences of dev."""
        for side in (self.source, "en"):
            lines = read_lines(self.file("dev", side)).tolist()
            for half in range(2):
                with write_text(self.home / f"half{half}.{side}") as file:
                    file.write("".join(f"{line}\n" for line in lines[half::2]))
        return [
            f"--src {self.home / f'half{half}.{self.source}'} --ref {self.home / f'half{half}.en'}"
            for half in range(2)
        ]

    def scores(self, model: Path, part: str) -> tuple[float, float, float]:
        """BLEU, TER and the seconds of translating."""
        out = self.home / "out"
        seconds = timed(
            f"translate {model} {self.file(part, self.source)} {SEARCH} -o {out} --force"
        )
        found = read_lines(out).tolist()
        references = References.from_streams([read_lines(self.file(part, "en")).tolist()])
        metrics = (Bleu(references, BleuOptions(tokenize="none")), Ter(references))
        bleu, ter = (one.corpus_score(one.statistics(found).sum(axis=0)) for one in metrics)
        return bleu, ter, seconds


def timed(command: str) -> float:
    start = time.process_time()
    if run(command.split()) != 0:
        raise SystemExit(f"demotic {command} failed")
    return time.process_time() - start


def row(*cells: object) -> None:
    print("|", " | ".join(map(str, cells)), "|", flush=True)


def measure(name: str, part: str, seed: int) -> None:
    task = Task(name)
    built = task.home / part.replace(" ", "-").replace(",", "-")
    tuned = built.with_name(f"{built.name}-{seed}")
    seconds = timed(
        f"build {task.pair('train', '--tgt')} {PARTS[part]} --threads 1 --quiet -o {built}"
    )
    timed(f"tune {built} {task.pair('dev')} --seed {seed} {SEARCH} -o {tuned}")
    dev = task.scores(tuned, "dev")[0]
    bleu, ter, decoding = task.scores(tuned, "test")
    rules = f"{len(Model.load(built).rules):,}"
    figures = (f"{value:.2f}" for value in (dev, bleu, ter))
    row(name, part, seed, *figures, rules, f"{seconds:.1f}", f"{decoding:.1f}")


def decisions(name: str, seed: int) -> None:
    task = Task(name)
    tuning, choice = task.halves()
    built, tuned = task.home / "hmm-diagonal", task.home / f"half-{seed}"
    timed(f"build {task.pair('train', '--tgt')} {POOLED} --threads 1 --quiet -o {built}")
    timed(f"tune {built} {tuning} --seed {seed} {SEARCH} -o {tuned}")
    for rule in ("map", "mbr", "consensus"):
        decided = tuned if rule == "map" else task.home / rule
        if rule != "map":
            timed(f"decide {tuned} {choice} --rule {rule} {SEARCH} -o {decided} --force")
        bleu, ter, decoding = task.scores(decided, "test")
        row(name, rule, seed, f"{bleu:.2f}", f"{ter:.2f}", f"{decoding:.1f}")


def main(arguments: Sequence[str] | None = ()) -> None:
    parser = argparse.ArgumentParser(prog="benchmarks.tables")
    parser.add_argument("tasks", nargs="*", default=TASKS)
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--parts", nargs="*", default=list(PARTS), choices=list(PARTS))
    parser.add_argument("--no-decisions", action="store_true")
    given = parser.parse_args(arguments)
    runs = [
        (name, seed)
        for name in given.tasks
        if (data_folder() / name).exists()
        for seed in range(1, given.seeds + 1)
    ]
    row("task", "part", "seed", "dev BLEU", "test BLEU", "TER", "rules", "build", "decoding")
    row(*["---"] * 9)
    for name, seed in runs:
        for part in given.parts:
            measure(name, part, seed)
    row("task", "decision", "seed", "test BLEU", "TER", "decoding")
    row(*["---"] * 6)
    for name, seed in () if given.no_decisions else runs:
        decisions(name, seed)


if __name__ == "__main__":
    main(None)
