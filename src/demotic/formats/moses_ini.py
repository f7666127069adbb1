"""Reads `moses.ini` into an import plan.

Since 2013 it has sections [feature] and [weight]; `moses_old_ini.py` turns older files into these.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from demotic.formats.moses_features import Feature, FeatureError, add_feature
from demotic.formats.moses_old_ini import OLD_SECTIONS, is_old, old_features
from demotic.formats.moses_sections import MosesIni, read_sections
from demotic.formats.plan import ImportPlan, config_number
from demotic.lines import PathLike

__all__ = ["read_moses_ini"]

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
_USED = {*_NUMBERS, *_OTHERS, *OLD_SECTIONS}
_CUBE_SEARCH, _CHART_SEARCH = "1", {"3", "4", "5", "6"}
_DEFAULTS = {"beam_size": 200, "rule_limit": 20}  # of Moses


def read_moses_ini(path: PathLike, look_in: Iterable[PathLike] = ()) -> ImportPlan:
    ini = read_sections(path)
    hiero = ini.first("search-algorithm")[1] in _CHART_SEARCH
    plan = ImportPlan(kind="hiero" if hiero else "phrase", toolkit="moses", tables=[])
    plan.search |= _DEFAULTS
    features, weights = (
        old_features(ini, charts=hiero) if is_old(ini) else (_features(ini), _weights(ini))
    )
    for feature in features:
        try:
            add_feature(plan, feature, weights.pop(feature.name, None), path, tuple(look_in))
        except FeatureError as error:
            raise ini.refusal(feature.line, error.found, error.expected, error.advice) from None
    if not plan.tables:
        raise ini.refusal(
            0, "no phrase table", "a PhraseDictionaryMemory line in [feature], or [ttable-file]"
        )
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


def _features(ini: MosesIni) -> list[Feature]:
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


def _weights(ini: MosesIni) -> dict[str, list[float]]:
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


def _settings(ini: MosesIni, plan: ImportPlan) -> None:
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
    ignored = [f"[{name}]" for name in ini.sections if name not in _USED]
    if ignored:
        plan.notices.append(f"sections without effect here: {', '.join(ignored)}")
