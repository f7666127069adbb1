"""Writes a Hiero model for cdec: grammar, language models, weights and `cdec.ini`."""

from __future__ import annotations

import math
from pathlib import Path

from demotic.errors import ModelError
from demotic.features.dense import UNKNOWN_WORD_VALUE, language_model_name
from demotic.features.weights import Weights
from demotic.formats.language_models import copy_language_models
from demotic.formats.tables import TableProgress, write_table
from demotic.lines import write_text
from demotic.model import Model

__all__ = ["export_cdec"]


def export_cdec(model: Model, home: Path, progress: TableProgress | None = None) -> list[str]:
    """Returns the names of the files written."""
    if model.kind != "hiero":
        raise ModelError(
            "a phrase model",
            path=model.path,
            expected="a Hiero model: cdec has no phrase decoder",
            advice="export it to Moses",
        )
    # cdec has no rule-count feature, so every rule carries one.
    constant = "PhrasePenalty=1" if model.weights["phrase_penalty"] else ""
    store = model.rules.store
    write_table(
        store,
        model.vocabulary,
        home / "grammar.gz",
        "scfg",
        constant=constant,
        progress=progress,
    )
    models = copy_language_models(model, home, "scfg")
    names = [f"LanguageModel{i + 1}" if i else "LanguageModel" for i in range(len(models))]
    _weights(model, names).write(home / "weights")
    with write_text(home / "cdec.ini") as file:
        file.write("# Run cdec in this directory: cdec -c cdec.ini\n")
        file.writelines(f"{line}\n" for line in _settings(model))
        for name, path in zip(names, models, strict=True):
            file.write(f"feature_function=KLanguageModel -n {name} {path}\n")
    return ["grammar.gz", *models, "weights", "cdec.ini"]


def _settings(model: Model) -> list[str]:
    search = model.settings
    lines = ["formalism=scfg", "grammar=grammar.gz", "weights=weights"]
    lines += ["feature_function=WordPenalty", "add_pass_through_rules=true"]
    if "pop_limit" in search:
        lines.append(f"cubepruning_pop_limit={search['pop_limit']}")
    if "span_limit" in search:
        lines.append(f"scfg_max_span_limit={search['span_limit']}")
    if search.get("glue") == "rules":
        lines += ["scfg_no_hiero_glue_grammar=true", f"goal={search.get('goal', 'S')}"]
    return lines


def _weights(model: Model, language_models: list[str]) -> Weights:
    """Weights for cdec's values: decimal logarithms, and one feature for all copied words."""
    ours = model.weights
    theirs = {name: ours[name] for name in model.rules.store.score_names}
    for index, name in enumerate(language_models):
        theirs[name] = ours[language_model_name(index)] * math.log(10)
    theirs["WordPenalty"] = ours["word_penalty"] * math.log(10)
    theirs["Glue"] = ours["glue"]
    theirs["PassThrough"] = ours["pass_through"] + UNKNOWN_WORD_VALUE * ours["unknown_word"]
    if model.settings.get("unknown_phrase_penalty"):
        theirs["PassThrough"] += ours["phrase_penalty"]
    if ours["phrase_penalty"]:
        theirs["PhrasePenalty"] = ours["phrase_penalty"]
    return Weights.of(theirs)
