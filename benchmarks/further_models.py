"""Parts of models, alone and together, and both kinds: BLEU, TER, chrF and CPU time by task.

    DEMOTIC_BENCH_MODELS=FOLDER python -m benchmarks.further_models --run --seeds 3

Builds, tunes (MIRA, beam 50) and tests each system of each task; without `--run`, prints the table
of what is there.  Everything is kept in that folder; existing results are not measured again.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from statistics import fmean
from typing import Any

from benchmarks.paired import compared, spread_of
from benchmarks.results import models_folder
from benchmarks.texts import data_folder

BASE = "standard"
TASKS = {"zh-en-tatoeba": "zh", "de-en-multi30k": "de", "ja-en-tanaka": "ja", "zh-en-help": "zh"}
MODELS = "--preset fast --align hmm,diagonal"
PLAIN = f"{MODELS} --kind phrase"
PARTS = {
    "low counts": "--low-counts",
    "classes": "--class-lm 100:6",
    "hierarchical": "--orientation hierarchical",
    "operations": "--operations 5",
}
ALL = f"{PLAIN} {' '.join(PARTS.values())}"
HIERO = f"{MODELS} --kind hiero"
SYSTEMS = {
    BASE: PLAIN,
    "all": ALL,
    **{name: f"{PLAIN} {flags}" for name, flags in PARTS.items()},
    **{f"all but {name}": ALL.replace(flags, "") for name, flags in PARTS.items()},
    "all, order 5": f"{ALL} --order 5",
    "hiero": HIERO,
    "hiero, low counts, classes": f"{HIERO} --low-counts --class-lm 100:6",
    "balanced": "--preset balanced --kind phrase",
    "balanced, hiero": "--preset balanced --kind hiero",
}
TRAINED = ", trained"
"""Ends the name of a tuned system that is then trained on its text and tuned again."""
TRAINING = {
    "phrase": "--prefixes --epochs 5 --beam 30 --pop-limit 100",
    "hiero": "--epochs 3 --features z14 --max-words 12 --folds 2",
}
SYSTEMS |= {f"{name}{TRAINED}": SYSTEMS[name] for name in ("balanced", "balanced, hiero")}
TUNING = {"phrase": "--beam 50 --pop-limit 100", "hiero": "--beam 30 --pop-limit 100"}
TESTING = "--beam 200 --pop-limit 400"

Record = dict[str, Any]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--run", action="store_true", help="measure what is missing")
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--tasks", nargs="*", default=list(TASKS), choices=list(TASKS))
    parser.add_argument("--systems", nargs="*", default=list(SYSTEMS), choices=list(SYSTEMS))
    arguments, _ = parser.parse_known_args()
    home = models_folder()
    if home is None:
        return
    folder = home / "further"
    for seed in range(1, arguments.seeds + 1) if arguments.run else ():
        for task in arguments.tasks:
            for system in arguments.systems:
                measure(folder, task, system, seed)
    for task in arguments.tasks:
        for line in table(folder, task):
            print(line)


def place(folder: Path, task: str, system: str, seed: int) -> Path:
    return folder / task / f"{system.replace(', ', '+').replace(' ', '-')}-{seed}"


def measure(folder: Path, task: str, system: str, seed: int) -> None:
    home = place(folder, task, system, seed)
    if (home / "record.json").exists():
        return
    text, language = data_folder() / task / "tok", TASKS[task]
    home.mkdir(parents=True, exist_ok=True)
    sides = ("--src", text / f"train.{language}.gz", "--tgt", text / "train.en.gz")
    dev = (text / f"dev.{language}.gz", text / "dev.en.gz")
    flags = SYSTEMS[system].split()
    kind = "hiero" if "hiero" in flags else "phrase"
    if system.endswith(TRAINED):
        tuned = system.removesuffix(TRAINED)
        measure(folder, task, tuned, seed)
        start, model = place(folder, task, tuned, seed) / "model", home / "trained"
        sets = ("--dev-src", dev[0], "--dev-ref", dev[1])
        ways = (*TRAINING[kind].split(), "--seed", seed)
        build = run("train", start, *sides, *sets, *ways, "-o", model, "--force")
    else:
        model = home.with_name(home.name.rpartition("-")[0])
        build = run("build", *sides, *flags, "-o", model)
    # The preset has search settings of its own, with which Hiero would be tuned for minutes.
    own = "balanced" in flags and kind == "phrase"
    search = [] if own else TUNING[kind].split()
    sets = ("--src", dev[0], "--ref", dev[1])
    tune = run("tune", model, *sets, *search, "--seed", seed, "-o", home / "model", "--force")
    test = text / f"test.{language}.gz"
    search = [] if own else TESTING.split()
    ends = (*search, "-o", home / "test", "--force")
    decode = run("translate", home / "model", test, "--tokenized", *ends)
    from demotic.model import Model

    origin = Model.load(home / "model").info.origin
    record = {"dev": origin["tuning_score"], "build": build, "tune": tune, "decode": decode}
    (home / "record.json").write_text(json.dumps(record), encoding="utf-8")


def run(*arguments: object) -> float:
    """CPU seconds of a command with one thread."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    command = [sys.executable, "-m", "demotic", *map(str, arguments), "--threads", "1", "--quiet"]
    subprocess.run(command, check=True)
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


def records(folder: Path, task: str, system: str) -> Iterator[tuple[Path, Record]]:
    for seed in range(1, 100):
        home = place(folder, task, system, seed)
        if (home / "record.json").exists():
            yield home, json.loads((home / "record.json").read_text("utf-8"))


def table(folder: Path, task: str) -> Iterable[str]:
    """One row per system: means over seeds, and tests against the standard model over all."""
    import numpy as np

    from demotic.lines import LineFile
    from demotic.metrics import Bleu, BleuOptions, References, Ter
    from demotic.metrics.chrf import Chrf

    references = References.from_streams([list(LineFile(data_folder() / task / "tok/test.en.gz"))])
    bleu = Bleu(references, BleuOptions(tokenize="none"))
    others = (Ter(references), Chrf(references))
    rows: dict[str, Any] = {}
    yield f"\n{task}\n"
    yield "| system | runs | dev BLEU | test BLEU | p | TER | chrF | build, tune, decode CPU s |"
    yield "|---|--:|--:|--:|--:|--:|--:|--:|"
    for system in SYSTEMS:
        found = list(records(folder, task, system))
        if not found:
            continue
        outputs = [list(LineFile(home / "test")) for home, _ in found]
        runs = [bleu.statistics(lines) for lines in outputs]
        rows[system] = np.stack(runs, axis=1)
        scores = [bleu.corpus_score(one.sum(axis=0)) for one in runs]
        tested = system != BASE and BASE in rows
        p = f"{compared(bleu, rows[system], rows[BASE]).p_randomisation:.3f}" if tested else ""
        dev = spread_of([record["dev"] for _, record in found])
        more = [
            fmean(one.corpus_score(one.statistics(lines).sum(axis=0)) for lines in outputs)
            for one in others
        ]
        seconds = [
            max(found[0][1]["build"], 0),
            *(fmean(record[name] for _, record in found) for name in ("tune", "decode")),
        ]
        cells = [system, len(found), dev, spread_of(scores), p, *(f"{one:.2f}" for one in more)]
        yield f"| {' | '.join(map(str, cells))} | {', '.join(f'{one:.0f}' for one in seconds)} |"


if __name__ == "__main__":
    main()
