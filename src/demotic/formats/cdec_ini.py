"""Reads `cdec.ini` and its weights into an import plan.

cdec uses decimal logarithms: its language model is log10 p and its word penalty -log10(e) =
-0.434294 per word, so both weights are divided by ln 10.  The values of its rules are used
unchanged.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from pathlib import Path

from demotic.errors import Error, FormatError
from demotic.features.dense import language_model_name
from demotic.features.weights import Weights
from demotic.formats.plan import ImportPlan, config_number, find_file
from demotic.formats.tables import TableFile
from demotic.lines import LineFile, PathLike

__all__ = ["read_cdec_ini"]

_CONSTANT = {"SourceWordPenalty"}  # the same for every translation of a sentence
_SPAN_LIMIT = 10  # cdec's default
_TRUE = {"1", "true", "yes", "on", ""}


class _Reader:
    def __init__(self, path: PathLike, look_in: tuple[PathLike, ...]) -> None:
        self.path, self.look_in = path, look_in
        self.plan = ImportPlan(kind="hiero", toolkit="cdec", tables=[])
        self.plan.search |= {"glue": "builtin", "goal": "S", "default_nonterminal": "X"}
        self.plan.search["span_limit"] = _SPAN_LIMIT
        self.weights_file: Path | None = None
        self.lm_names: list[str] = []
        self.word_penalty = False

    def read(self) -> None:
        for number, raw in enumerate(LineFile(self.path), 1):
            text = raw.strip()
            if not text or text.startswith("#"):
                continue
            key, sign, value = text.partition("=")
            if not sign:
                raise self.refusal(number, repr(text), "key=value")
            self.setting(key.strip(), value.strip(), number)
        if not self.plan.tables:
            raise self.refusal(0, "no grammar", "a line grammar=FILE")

    def refusal(self, line: int, found: str, expected: str, advice: str = "") -> FormatError:
        return FormatError(found, path=self.path, line=line, expected=expected, advice=advice)

    def setting(self, key: str, value: str, line: int) -> None:
        plan = self.plan
        if key == "formalism":
            if value != "scfg":
                raise self.refusal(line, f"the formalism {value}", "scfg")
        elif key == "grammar":
            file = find_file(value, self.path, line, self.look_in)
            plan.tables.append(TableFile(file, "scfg", "PhraseModel_"))
        elif key == "feature_function":
            self.feature(value.split(), line)
        elif key == "weights":
            self.weights_file = find_file(value, self.path, line, self.look_in)
        elif key in ("cubepruning_pop_limit", "scfg_max_span_limit"):
            name = "pop_limit" if key.startswith("cube") else "span_limit"
            plan.search[name] = int(config_number(value, self.path, line, key))
        elif key == "add_pass_through_rules":
            plan.search["pass_through_all"] = value.lower() in _TRUE
        elif key in ("goal", "scfg_default_nt"):
            plan.search["goal" if key == "goal" else "default_nonterminal"] = value
        elif key == "scfg_no_hiero_glue_grammar":
            plan.search["glue"] = "rules" if value.lower() in _TRUE else "builtin"
        else:
            plan.notices.append(f"{key} on line {line} has no effect here")

    def feature(self, words: list[str], line: int) -> None:
        name = words[0] if words else ""
        if name == "KLanguageModel" and len(words) > 1:
            named = words.index("-n") + 1 if "-n" in words[1:-1] else 0
            self.lm_names.append(words[named] if named else "LanguageModel")
            self.plan.language_models.append(find_file(words[-1], self.path, line, self.look_in))
        elif name in _CONSTANT:
            self.plan.notices.append(
                f"{name} is the same for every translation of a sentence and is omitted"
            )
        elif name == "WordPenalty":
            self.word_penalty = True
        else:
            raise self.refusal(
                line, f"the feature {name}", "KLanguageModel FILE, WordPenalty or none"
            )


def read_cdec_ini(
    path: PathLike, look_in: Iterable[PathLike] = (), weights: PathLike | None = None
) -> ImportPlan:
    """`weights` is cdec's -w file; by default the file `weights` next to `cdec.ini`."""
    reader = _Reader(path, tuple(look_in))
    reader.read()
    plan = reader.plan
    beside = Path(path).parent / "weights"
    file = weights or reader.weights_file or (beside if beside.is_file() else None)
    if file is None:
        raise Error(
            "no weights",
            path=path,
            expected="a line weights=FILE, or a file called weights next to it",
            advice="give --weights FILE",
        )
    plan.weights |= cdec_weights(Weights.read(file), reader.lm_names)
    return plan


def cdec_weights(theirs: Weights, language_models: list[str]) -> dict[str, float]:
    """cdec's weights converted to our names and values."""
    decimal = {name: language_model_name(index) for index, name in enumerate(language_models)} | {
        "WordPenalty": "word_penalty"
    }
    same = {"Glue": "glue", "PassThrough": "pass_through"}
    ours = dict.fromkeys((*same.values(), *decimal.values()), 0.0)
    for name, weight in theirs.items():
        if name in decimal:
            ours[decimal[name]] = weight / math.log(10)
        else:
            ours[same.get(name, name)] = weight
    return ours
