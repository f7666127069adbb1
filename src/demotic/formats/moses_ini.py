"""Reads `moses.ini` (the format since 2013, with [feature] and [weight]) into an import plan."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from demotic.errors import FormatError
from demotic.formats.moses_features import Feature, FeatureError, add_feature
from demotic.formats.plan import ImportPlan, config_number
from demotic.lines import LineFile, PathLike

__all__ = ["read_moses_ini"]

_OLD = {"ttable-file", "lmodel-file", "distortion-file", "weight-l", "weight-t", "weight-d"}
_NUMBERS = {
    "distortion-limit": "distortion_limit",
    "stack": "beam_size",
    "cube-pruning-pop-limit": "pop_limit",
    "ttable-limit": "rule_limit",
    "max-chart-span": "span_limit",
}
_OTHERS = {
    "feature",
    "weight",
    "mapping",
    "input-factors",
    "search-algorithm",
    "non-terminals",
    "early-distortion-cost",
}
_CUBE_SEARCH, _CHART_SEARCH = "1", {"3", "4", "5", "6"}
_DEFAULTS = {"beam_size": 200, "rule_limit": 20}  # of Moses


@dataclass
class _Ini:
    """The raw file: sections with numbered lines."""

    path: PathLike
    sections: dict[str, list[tuple[int, str]]] = field(default_factory=dict)
    section_lines: dict[str, int] = field(default_factory=dict)

    def refusal(self, line: int, found: str, expected: str, advice: str = "") -> FormatError:
        return FormatError(found, path=self.path, line=line, expected=expected, advice=advice)

    def first(self, section: str) -> tuple[int, str]:
        lines = self.sections.get(section)
        return lines[0] if lines else (self.section_lines.get(section, 0), "")


def read_moses_ini(path: PathLike, look_in: Iterable[PathLike] = ()) -> ImportPlan:
    ini = _sections(path)
    _refuse_old(ini)
    hiero = ini.first("search-algorithm")[1] in _CHART_SEARCH
    plan = ImportPlan(kind="hiero" if hiero else "phrase", toolkit="moses", tables=[])
    plan.search |= _DEFAULTS
    weights = _weights(ini)
    for feature in _features(ini):
        try:
            add_feature(plan, feature, weights.pop(feature.name, None), path, tuple(look_in))
        except FeatureError as error:
            raise ini.refusal(feature.line, error.found, error.expected, error.advice) from None
    if not plan.tables:
        raise ini.refusal(0, "no phrase table", "a PhraseDictionaryMemory line in [feature]")
    _settings(ini, plan)
    _count_all_rules(plan)
    plan.notices += [f"the weights of {name} have no feature" for name in weights]
    return plan


def _count_all_rules(plan: ImportPlan) -> None:
    """Moses' phrase penalty counts every rule, including copied words and, in charts, glue rules.

    Our glue feature counts the same rules (except for a constant per sentence), so the penalty
    is added to its weight.
    """
    plan.search["unknown_phrase_penalty"] = True
    if plan.kind == "hiero":
        penalty = plan.weights.get("phrase_penalty", 0.0)
        plan.weights["glue"] = plan.weights.get("glue", 0.0) + penalty


def _sections(path: PathLike) -> _Ini:
    ini = _Ini(path)
    current: list[tuple[int, str]] | None = None
    for number, raw in enumerate(LineFile(path), 1):
        text = raw.split("#", 1)[0].strip()
        if not text:
            continue
        if text.startswith("[") and text.endswith("]"):
            name = text[1:-1].strip()
            current = ini.sections.setdefault(name, [])
            ini.section_lines.setdefault(name, number)
        elif current is None:
            raise ini.refusal(number, repr(text), "a [section] first", "is this a moses.ini?")
        else:
            current.append((number, text))
    return ini


def _refuse_old(ini: _Ini) -> None:
    for name in ini.sections:
        if name in _OLD:
            raise ini.refusal(
                ini.section_lines[name],
                f"the section [{name}] of an old moses.ini",
                "the format since 2013, with [feature] and [weight]",
                "list the tables in a new moses.ini, as docs/other-toolkits.md shows",
            )


def _features(ini: _Ini) -> list[Feature]:
    features: list[Feature] = []
    seen = Counter[str]()
    for line, text in ini.sections.get("feature", []):
        kind, *words = text.split()
        arguments = {}
        for word in words:
            key, sign, value = word.partition("=")
            if not sign:
                raise ini.refusal(line, repr(word), "key=value")
            arguments[key] = value
        name = arguments.get("name", f"{kind}{seen[kind]}")
        seen[kind] += 1
        features.append(Feature(kind, name, arguments, line))
    return features


def _weights(ini: _Ini) -> dict[str, list[float]]:
    weights: dict[str, list[float]] = {}
    for line, text in ini.sections.get("weight", []):
        name, sign, values = text.partition("=")
        name = name.strip()
        if not sign:
            raise ini.refusal(line, repr(text), "Name= value value ...")
        if name in weights:
            raise ini.refusal(line, f"the weights of {name} a second time", "one line per feature")
        weights[name] = [
            config_number(value, ini.path, line, f"a weight of {name}") for value in values.split()
        ]
    return weights


def _settings(ini: _Ini, plan: ImportPlan) -> None:
    for section, name in _NUMBERS.items():
        line, text = ini.first(section)
        if text:
            plan.search[name] = int(config_number(text.split()[-1], ini.path, line, section))
    if "early-distortion-cost" in ini.sections:
        value = ini.first("early-distortion-cost")[1]
        plan.search["early_distortion"] = value not in ("0", "false", "no")
    if ini.first("search-algorithm")[1] == _CUBE_SEARCH:
        plan.search["cube_pruning"] = True
    for line, text in ini.sections.get("mapping", []):
        if not re.fullmatch(r"(\d+ )?T \d+", text):
            raise ini.refusal(line, f"the mapping step {text!r}", "translation steps only: 0 T 0")
    if len(ini.sections.get("input-factors", [])) > 1:
        plan.notices.append("input factors other than 0 are not used")
    ignored = [f"[{name}]" for name in ini.sections if name not in {*_NUMBERS, *_OTHERS}]
    if ignored:
        plan.notices.append(f"sections without effect here: {', '.join(ignored)}")
