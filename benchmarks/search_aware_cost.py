"""CPU time of search-aware tuning against plain tuning, in turns, with the share of the learner.

zh-en-tatoeba, phrases, 500 sentences, beam 30, pop limit 120, without future cost, 100-best lists;
decoding is included.  The two sides make the same number of rounds.

    DEMOTIC_BENCH_MODELS=FOLDER python -m benchmarks.search_aware_cost --method mira --rounds 10
"""

from __future__ import annotations

import argparse
from statistics import median

from benchmarks.pairing import compare
from benchmarks.results import models_folder
from benchmarks.tuning_run import RecordingLearner, Task, open_task
from demotic.learn.dev_set import DevSet
from demotic.learn.loop import Tuning
from demotic.learn.methods import METHODS
from demotic.learn.options import Gain, TuneOptions
from demotic.learn.runs import TuneRequest
from demotic.metrics import References
from demotic.search.options import SearchOptions

SENTENCES = 500
SEARCH = {"beam_size": 30, "pop_limit": 120, "future_cost": False}


def tuned(task: Task, method_name: str, aware: Gain, rounds: int) -> float:
    """Tunes once and returns the CPU seconds of the learner alone."""
    method = METHODS[method_name]
    learner = RecordingLearner(method.make({}, search_aware=aware != "none"))
    options = TuneOptions(rounds=rounds, search_aware=aware, patience=0, min_change=0)
    texts = task.dev.references.texts[:SENTENCES]
    dev = DevSet(task.dev.source[:SENTENCES], References.from_streams([texts]))
    options = TuneRequest(method=method_name, options=options).effective
    search = SearchOptions.for_model(task.model, SEARCH)
    Tuning(task.model, dev, learner, options, method.kind(), search).run(None, 1, None)
    return learner.seconds


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--method", default="mira", choices=["mira", "mert", "rm", "rampion"])
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--pairs", type=int, default=3)
    arguments, _ = parser.parse_known_args()
    home = models_folder()
    if home is None:
        return
    task = open_task(home)
    learners: dict[Gain, list[float]] = {"none": [], "potential": []}

    def run(aware: Gain) -> None:
        learners[aware].append(tuned(task, arguments.method, aware, arguments.rounds))

    found = compare(
        ("plain", lambda: run("none")),
        ("search-aware", lambda: run("potential")),
        pairs=arguments.pairs,
    )
    print(found.report(f"{arguments.rounds} rounds of {arguments.method}", str(SEARCH)))
    shares = [f"{median(seconds):.2f}" for seconds in learners.values()]
    print(f"of this the learner, CPU s: {shares[0]} plain, {shares[1]} search-aware")


if __name__ == "__main__":
    main()
