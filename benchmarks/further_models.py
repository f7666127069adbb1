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
TASKS = ("zh-en-tatoeba", "de-en-multi30k", "ja-en-tanaka", "zh-en-help")
MORE_TASKS = ("zh-en-captions", "es-en-bible", "es-en-news")
MODELS = "--preset fast --align hmm,diagonal"
THREE = f"{MODELS},hmm:agree=false"
PLAIN = f"{MODELS} --kind phrase"
PARTS = {
    "low counts": "--low-counts",
    "classes": "--class-lm 100:6",
    "hierarchical": "--orientation hierarchical",
    "operations": "--operations 5",
}
ALL = f"{PLAIN} {' '.join(PARTS.values())}"
HIERO = f"{MODELS} --kind hiero"
CLASS_LMS = ("50:6", "200:6", "300:6", "100:4", "100:8", "50:6 and 300:6")


def _class_lms(names: str) -> str:
    return " ".join(f"--class-lm {one}" for one in names.split(" and "))


ALIGNERS = (
    "hmm",
    "diagonal",
    "hmm:agree=false",
    "diagonal:agree=true",
    "hmm:symmetrize=gd",
    "hmm:symmetrize=union",
    "hmm:symmetrize=intersection",
    "hmm:posterior=0.3",
    "hmm:posterior=0.5",
    "hmm,hmm:agree=false",
    "hmm,hmm:posterior=0.3",
    "hmm,diagonal,hmm:agree=false",
    "hmm,diagonal:posterior=0.3",
)
SYSTEMS = {
    BASE: PLAIN,
    "all": ALL,
    **{name: f"{PLAIN} {flags}" for name, flags in PARTS.items()},
    **{f"all but {name}": ALL.replace(flags, "") for name, flags in PARTS.items()},
    "all, order 5": f"{ALL} --order 5",
    "all, three aligners": ALL.replace(MODELS, THREE),
    "all, Kneser-Ney": f"{ALL} --smoothing kneser-ney",
    "all, Good-Turing": f"{ALL} --smoothing good-turing",
    "operations of 100 classes": f"{PLAIN} --operations 5 --operation-classes 100",
    "operations of 100 classes, order 7": f"{PLAIN} --operations 7 --operation-classes 100",
    **{f"classes {name}": f"{PLAIN} {_class_lms(name)}" for name in CLASS_LMS},
    "hiero": HIERO,
    "hiero, low counts, classes": f"{HIERO} --low-counts --class-lm 100:6",
    "hiero, low counts, classes, three aligners": (
        f"{THREE} --kind hiero --low-counts --class-lm 100:6"
    ),
    **{
        f"{preset}{', hiero' if kind == 'hiero' else ''}": f"--preset {preset} --kind {kind}"
        for kind in ("phrase", "hiero")
        for preset in ("fast", "balanced", "best")
    },
    **{f"aligned by {names}": f"--preset fast --kind phrase --align {names}" for names in ALIGNERS},
}
TRAINED = ", trained"
"""Ends the name of a tuned system that is then trained on its text and tuned again."""
TRAINING = {
    "phrase": "--prefixes --epochs 5 --beam 30 --pop-limit 100",
    "hiero": "--epochs 3 --features z14 --max-words 12 --folds 2",
}
COMPOUNDS = ", compounds"
"""Marks a system whose source has its compounds split first."""
PREPARATION = (
    "--tokenizer none --case none --no-escape --unicode none --compounds on --target-compounds off"
)
DEFAULTS = ("balanced", "balanced, hiero")
SYSTEMS |= {f"{name}{COMPOUNDS}": SYSTEMS[name] for name in DEFAULTS}
SYSTEMS |= {
    f"{name}{TRAINED}": SYSTEMS[name]
    for name in (*DEFAULTS, *(f"{name}{COMPOUNDS}" for name in DEFAULTS))
}
TUNING = {"phrase": "--beam 50 --pop-limit 100", "hiero": "--beam 30 --pop-limit 100"}
TESTING = "--beam 200 --pop-limit 400"

Record = dict[str, Any]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--run", action="store_true", help="measure what is missing")
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--tasks", nargs="*", default=TASKS, choices=[*TASKS, *MORE_TASKS])
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
    home.mkdir(parents=True, exist_ok=True)
    train, dev, test = (texts(task, part) for part in ("train", "dev", "test"))
    sides = ("--src", train[0], "--tgt", train[1])
    flags = SYSTEMS[system].split()
    kind = "hiero" if "hiero" in flags else "phrase"
    build = 0.0
    if system.endswith(TRAINED):
        tuned = system.removesuffix(TRAINED)
        measure(folder, task, tuned, seed)
        start, model = place(folder, task, tuned, seed) / "model", home / "trained"
        sets = ("--dev-src", dev[0], *named("--dev-ref", dev[1:]))
        ways = (*TRAINING[kind].split(), "--seed", seed)
        build = run("train", start, *sides, *sets, *ways, "-o", model, "--force")
    else:
        model = home.with_name(home.name.rpartition("-")[0])
        if COMPOUNDS in system:
            corpus = model.with_name(f"{model.name}-corpus")
            languages = ("--src-lang", language(task), "--tgt-lang", "en")
            ways = (*languages, *PREPARATION.split(), "-o", corpus, "--force")
            build += run("prepare", *train, *ways, threads=None)
            sides = ("--src", corpus / f"corpus.{language(task)}", "--tgt", corpus / "corpus.en")
        build += run("build", *sides, *flags, "-o", model)
    # The preset has search settings of its own, with which Hiero would be tuned for minutes.
    own = "balanced" in flags and kind == "phrase"
    search = [] if own else TUNING[kind].split()
    sets = ("--src", dev[0], *named("--ref", dev[1:]))
    tune = run("tune", model, *sets, *search, "--seed", seed, "-o", home / "model", "--force")
    # Models of prepared text split compounds themselves, and take everything else as it is.
    search = [*([] if own else TESTING.split()), *([] if COMPOUNDS in system else ["--tokenized"])]
    ends = (*search, "-o", home / "test", "--force")
    decode = run("translate", home / "model", test[0], *ends)
    from demotic.model import Model

    origin = Model.load(home / "model").info.origin
    record = {"dev": origin["tuning_score"], "build": build, "tune": tune, "decode": decode}
    (home / "record.json").write_text(json.dumps(record), encoding="utf-8")


def language(task: str) -> str:
    return task.split("-", maxsplit=1)[0]


def texts(task: str, part: str) -> list[Path]:
    """The source and the target side or sides."""
    folder = data_folder() / task / "tok"
    return [folder / f"{part}.{language(task)}.gz", *sorted(folder.glob(f"{part}.en*.gz"))]


def named(flag: str, paths: Iterable[Path]) -> list[object]:
    return [part for path in paths for part in (flag, path)]


def run(*arguments: object, threads: int | None = 1) -> float:
    """CPU seconds of a command with one thread; a verb without threads takes None."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    ways = ["--quiet"] if threads is None else ["--threads", str(threads), "--quiet"]
    command = [sys.executable, "-m", "demotic", *map(str, arguments), *ways]
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

    references = References.from_streams([list(LineFile(one)) for one in texts(task, "test")[1:]])
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
        yield f"| {' | '.join(map(str, cells))} | {', '.join(f'{one:.1f}' for one in seconds)} |"


if __name__ == "__main__":
    main()
