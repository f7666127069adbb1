"""The features of a `moses.ini`, and what each adds to an import plan."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from demotic.features.dense import default_weight, language_model_name
from demotic.formats.glue import moses_glue
from demotic.formats.plan import ImportPlan, config_number, find_file
from demotic.formats.tables import ReorderingFile, TableFile, TableKind, moses_columns
from demotic.lines import PathLike

__all__ = ["Feature", "FeatureError", "add_feature", "reordering_columns"]

_LANGUAGE_MODELS = {"KENLM", "IRSTLM", "SRILM", "LanguageModel"}
_SINGLE = {  # features of one value, by our names
    "Distortion": "distortion",
    "WordPenalty": "word_penalty",
    "PhrasePenalty": "phrase_penalty",
    "UnknownWordPenalty": "unknown_word",
}
_KNOWN = (*_LANGUAGE_MODELS, *_SINGLE, "LexicalReordering", "PhraseDictionaryMemory")
_ORIENTATIONS = ("monotone", "swap", "discontinuous")
_DIRECTIONS = {
    "backward": ("backward",),
    "unidirectional": ("backward",),
    "forward": ("forward",),
    "bidirectional": ("backward", "forward"),
}
_LEAST_LOG = -100.0  # Moses' floor


@dataclass(frozen=True)
class Feature:
    """A line of [feature]."""

    kind: str
    name: str
    arguments: dict[str, str]
    line: int


class FeatureError(Exception):
    """A feature that cannot be imported; the reader adds file and line."""

    def __init__(self, found: str, expected: str, advice: str = "") -> None:
        super().__init__(found)
        self.found, self.expected, self.advice = found, expected, advice


@dataclass(frozen=True)
class _Task:
    plan: ImportPlan
    feature: Feature
    weights: list[float] | None
    config: PathLike
    look_in: Sequence[PathLike]

    def file(self) -> Path:
        path = self.feature.arguments.get("path")
        if path is None:
            raise FeatureError(f"{self.feature.name} without path=", "the path of its file")
        return find_file(path, self.config, self.feature.line, self.look_in)

    def checked(self, number: int) -> list[float]:
        """The weights, checked for their number."""
        name = self.feature.name
        if self.weights is None:
            raise FeatureError(f"no weights for {name}", f"a line {name}= in [weight]")
        if len(self.weights) != number:
            raise FeatureError(f"{len(self.weights)} weights for {name}", f"{number}")
        return self.weights

    def number(self, key: str, default: int) -> int:
        text = self.feature.arguments.get(key, str(default))
        return int(config_number(text, self.config, self.feature.line, key))


def add_feature(
    plan: ImportPlan,
    feature: Feature,
    weights: list[float] | None,
    config: PathLike,
    look_in: Sequence[PathLike],
) -> None:
    """Raises FeatureError for every unsupported feature that would change translations."""
    task = _Task(plan, feature, weights, config, look_in)
    for key in ("factor", "input-factor", "output-factor"):
        if feature.arguments.get(key, "0") != "0":
            raise FeatureError(
                f"{key}={feature.arguments[key]} of {feature.name}",
                "factor 0, the words themselves",
            )
    if feature.kind in _SINGLE:
        _add_single(task)
    elif feature.kind in _LANGUAGE_MODELS:
        name = language_model_name(len(plan.language_models))
        (plan.weights[name],) = task.checked(1)
        plan.language_models.append(task.file())
    elif feature.kind == "LexicalReordering":
        _add_reordering(task)
    elif feature.kind == "PhraseDictionaryMemory":
        _add_table(task)
    elif feature.kind.startswith("PhraseDictionary"):
        raise FeatureError(
            f"a table of the kind {feature.kind}",
            "PhraseDictionaryMemory, a table in text form",
            "give the text table that the binary one was made from",
        )
    else:
        raise FeatureError(f"the feature {feature.kind}", f"one of {', '.join(sorted(_KNOWN))}")


def _add_single(task: _Task) -> None:
    name = _SINGLE[task.feature.kind]
    if task.weights is None and name == "unknown_word":
        task.plan.weights[name] = default_weight(name)  # Moses does not require it either
    else:
        (task.plan.weights[name],) = task.checked(1)


def reordering_columns(kind: str) -> tuple[str, ...]:
    """Our names for the probabilities of a reordering table of this type."""
    words = set(kind.split("-"))
    directions = [names for word, names in _DIRECTIONS.items() if word in words]
    known = {"wbe", "phrase", "msd", "fe", "allff", *_DIRECTIONS}
    if "msd" not in words or len(directions) != 1 or words - known:
        raise FeatureError(
            f"a reordering model of the type {kind}",
            "msd-bidirectional-fe, msd-backward-fe or msd-forward-fe, also with wbe- or phrase-",
        )
    return tuple(
        f"reordering_{side}_{orientation}"
        for side in directions[0]
        for orientation in _ORIENTATIONS
    )


def _add_reordering(task: _Task) -> None:
    columns = reordering_columns(task.feature.arguments.get("type", ""))
    number = task.number("num-features", len(columns))
    if number != len(columns):
        raise FeatureError(f"num-features={number} of {task.feature.name}", f"{len(columns)}")
    if task.plan.reordering:
        raise FeatureError("a second reordering model", "one")
    task.plan.weights |= dict(zip(columns, task.checked(number), strict=True))
    task.plan.reordering.append(ReorderingFile(task.file(), columns, _missing(task, number)))


def _missing(task: _Task, number: int) -> tuple[float, ...]:
    """Scores of phrases missing from the table: 0 unless configured, as in Moses."""
    text = task.feature.arguments.get("default-scores")
    if text is None:
        return (0.0,) * number
    values = [
        config_number(value, task.config, task.feature.line, "a default score")
        for value in text.split(",")
    ]
    if len(values) != number or min(values) < 0:
        raise FeatureError(f"default-scores={text}", f"{number} probabilities")
    return tuple(max(math.log(value), _LEAST_LOG) if value else _LEAST_LOG for value in values)


def _add_table(task: _Task) -> None:
    plan, path = task.plan, task.file()
    if not plan.tables:
        number = task.number("num-features", len(task.weights or ()))
        kind: TableKind = "moses_hiero" if plan.kind == "hiero" else "moses_phrases"
        plan.weights |= dict(zip(moses_columns(number), task.checked(number), strict=True))
        plan.tables.append(TableFile(path, kind, scores=number))
        plan.search["rule_limit"] = task.number("table-limit", int(plan.search["rule_limit"]))
        return
    glue = moses_glue(path) if plan.kind == "hiero" else None
    if glue is None:
        raise FeatureError(
            f"a second table, {path.name}",
            "one table, and for chart decoding the standard glue grammar",
            "merge the tables into one",
        )
    (weight,) = task.checked(1)
    plan.weights["glue"] = weight * math.log(float(glue.piece))
    plan.search["glue"] = "builtin"
