"""Expected duration of each stage of `demotic make`, for the first estimate of the time left.

Seconds on one ordinary core, by the size of the text; the display scales them by the time that
earlier stages actually took.
"""

from __future__ import annotations

from demotic.pipeline.options import PRESETS, MakeOptions
from demotic.pipeline.progress import Plan
from demotic.pipeline.request import MakeRequest
from demotic.pipeline.split import Split
from demotic.pipeline.ways import STORY

__all__ = ["planned", "stage_names"]

_PAIRS = 20_000  # assumed before the text has been read
_PER_PAIR = {"check": 1.2e-4, "split": 4e-5, "prepare": 1.5e-4}
_BUILD = {"phrase": 2.2e-4, "hiero": 7e-4}  # per training pair
_ROUND = {"phrase": 4e-3, "hiero": 8e-3}  # of tuning, per dev sentence
_EPOCH = {"phrase": 7e-4, "hiero": 2.5e-3}  # of training, per training pair
_FOLD = {"phrase": 3e-4, "hiero": 1.5e-3}  # per training pair
_STORY = 1.5  # methods for comparison, against the usual one
_TEST = {"phrase": 4e-3, "hiero": 1e-2}  # per test sentence and stage


def stage_names(options: MakeOptions) -> list[str]:
    """All stages in their order; with two kinds, the last one may be the one that is trained."""
    kinds = ("phrase", "hiero") if options.kind == "best" else (options.kind,)
    end = {kind: f" ({kind})" if len(kinds) > 1 else "" for kind in kinds}
    names = [*_PER_PAIR]
    for kind in kinds:
        names += [f"build{end[kind]}", f"tune{end[kind]}"]
        if options.story and kind == kinds[0]:
            names += [f"{way.does}{end[kind]}" for way in STORY]
    if options.train and PRESETS[options.preset].epochs:
        names += [f"train{end[kinds[-1]]}", f"tune again{end[kinds[-1]]}"]
    if options.kind == "best" and PRESETS[options.preset].combines:
        names.append("combine")
    return [*names, "test", "report"]


def planned(request: MakeRequest, split: Split | None) -> list[Plan]:
    """All stages in their order."""
    read, dev, test = (_PAIRS, 1000, 1000)
    if split is not None:
        read, dev, test = split.read, len(split.dev), len(split.test)
    train = max(0, read - dev - test)
    plans = [Plan(name, cost * read) for name, cost in _PER_PAIR.items()]
    several = len(request.kinds) > 1
    for kind in request.kinds:
        end = f" ({kind})" if several else ""
        plans.append(Plan(f"build{end}", _BUILD[kind] * train))
        plans.append(Plan(f"tune{end}", request.preset.rounds * _ROUND[kind] * dev))
        if request.options.story and kind == request.kinds[0]:
            cost = _STORY * request.preset.rounds * _ROUND[kind] * dev
            plans += [Plan(f"{way.does}{end}", cost) for way in STORY]
    stages = 2 * len(request.kinds) + len(STORY) * request.options.story
    # It is not yet known which kind will be trained; Hiero takes longer.
    kind = request.kinds[-1]
    end = f" ({kind})" if several else ""
    if request.trains:
        epochs = request.preset.epochs
        plans.append(Plan(f"train{end}", train * (_FOLD[kind] + epochs * _EPOCH[kind])))
        plans.append(Plan(f"tune again{end}", request.preset.rounds * _ROUND[kind] * dev))
        stages += 2
    if request.combines:
        plans.append(Plan("combine", sum(_TEST[one] for one in request.kinds) * dev))
        stages += 1
    return [*plans, Plan("test", stages * _TEST[kind] * test), Plan("report", 0.5)]
