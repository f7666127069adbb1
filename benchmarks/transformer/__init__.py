"""A small transformer trained on the same text, for a multiple of our CPU time.

    python -m benchmarks.transformer --task zh-en-tatoeba --cpu-seconds 1300

Prints dev BLEU (greedy search) as training goes on, then BLEU, TER and chrF of the test set,
translated by beam search with the weights that were best on the dev set, and words per second of
one thread.  Tokenised, lower-cased text as in the other measurements; needs torch (`pip install
--group transformer`).
"""

from __future__ import annotations

import argparse
from importlib.util import find_spec
from pathlib import Path

__all__ = ["main"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--task", default="zh-en-tatoeba")
    parser.add_argument("--cpu-seconds", type=float, default=0.0, help="of training; 0: none")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, help="file for the translated test set")
    arguments, _ = parser.parse_known_args()
    if find_spec("torch") is None or not arguments.cpu_seconds:
        print("skipped: needs torch and --cpu-seconds")
        return
    from benchmarks.transformer.comparison import Comparison, Settings

    comparison = Comparison(arguments.task, Settings(), arguments.seed)
    comparison.run(arguments.cpu_seconds, arguments.out)
