"""Reads `joshua.config` (versions 5 and 6) into an import plan.

Joshua negates rule values that have no name (they are costs), uses decimal logarithms for the
language model, and its word penalty is -log10(e) per word, end markers included.  This was
determined from its own test outputs; see docs/other-toolkits.md.  Phrase tables (`tm = moses`) have
probabilities, whose logarithms are the values; its stack decoder, which it then uses whether or not
`search = stack` is given, counts no end markers.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from pathlib import Path

from demotic.errors import FormatError
from demotic.features.dense import UNKNOWN_WORD_VALUE, Kind, language_model_name
from demotic.features.weights import Weights
from demotic.formats.glue import scfg_glue
from demotic.formats.plan import ImportPlan, config_number, find_file
from demotic.formats.tables import TableFile, moses_columns
from demotic.lines import LineFile, PathLike, split_words
from demotic.model.file import Scalar

__all__ = ["read_joshua_config"]

_GRAMMARS = {"thrax", "hiero", "samt"}
_PHRASES = "moses"
_PHRASES_OF_THRAX = "phrase"
_OWNER_OF_PENALTY = "pt"  # whose rules PhrasePenalty counts unless it names another owner
_OF_PHRASES = {"reorderinglimit": "distortion_limit", "numtranslationoptions": "rule_limit"}
_DEFAULTS_OF_PHRASES: dict[str, Scalar] = {"distortion_limit": 8, "rule_limit": 20}
_LANGUAGE_MODELS = {"languagemodel", "stateminimizinglanguagemodel"}
_WITHOUT_EFFECT = {"sourcepath"}  # costs of a lattice; plain sentences have none
_FEATURES = {
    "oovpenalty": "OOVPenalty",
    "wordpenalty": "WordPenalty",
    "phrasepenalty": "PhrasePenalty",
    "distortion": "Distortion",
}
# Values that ask for what happens here anyway.
_AS_HERE = {"markoovs": "false"}

_SILENT = {"topn", "usuniquenbest", "useuniquenbest", "outputformat", "includealignindex"}


def _normal(key: str) -> str:
    """Joshua treats pop-limit, pop_limit and popLimit as one key."""
    return re.sub(r"[-_]", "", key).lower()


class _Reader:
    def __init__(self, path: PathLike, look_in: tuple[PathLike, ...]) -> None:
        self.path, self.look_in = path, look_in
        self.plan = ImportPlan(kind="hiero", toolkit="joshua", tables=[])
        self.hiero: dict[str, Scalar] = {
            "glue": "rules",
            "goal": "GOAL",
            "default_nonterminal": "X",
            "pass_through_all": True,
        }
        self.phrases = dict(_DEFAULTS_OF_PHRASES)
        self.algorithm = ("", 0)  # and its line
        self.grammars: list[tuple[str, Path, int]] = []  # owner, file, maximum span
        self.weights: dict[str, float] = {}
        self.features: set[str] = set()
        self.counted = (_OWNER_OF_PENALTY, 0)  # by PhrasePenalty, and its line

    def refusal(self, line: int, found: str, expected: str, advice: str = "") -> FormatError:
        return FormatError(found, path=self.path, line=line, expected=expected, advice=advice)

    def read(self) -> None:
        for number, raw in enumerate(LineFile(self.path), 1):
            text = raw.split("#", 1)[0].strip()
            if not text:
                continue
            key, sign, value = text.partition("=")
            if sign:
                self.setting(_normal(key.strip()), value.strip(), number)
            else:
                self.weight(text.split(), number)

    def weight(self, words: list[str], line: int) -> None:
        if len(words) != 2:
            raise self.refusal(line, repr(" ".join(words)), "key = value, or a weight: name value")
        name, text = words
        if name in self.weights:
            raise self.refusal(line, f"a second weight for {name}", "one weight per feature")
        self.weights[name] = config_number(text, self.path, line, f"the weight of {name}")

    def setting(self, key: str, value: str, line: int) -> None:
        if key == "tm":
            self.grammar(value.split(), line)
        elif key == "lm":
            self.language_model((value.split() or [""])[-1], line)
        elif key == "featurefunction":
            self.feature(value.split(), line)
        elif key == "weightsfile":
            self.weights |= dict(Weights.read(find_file(value, self.path, line, self.look_in)))
        elif key in _SILENT or self.search_setting(key, value, line):
            pass
        elif _AS_HERE.get(key) != value.lower():
            self.plan.notices.append(f"{key} on line {line} has no effect here")

    def search_setting(self, key: str, value: str, line: int) -> bool:
        """Returns whether the key is one of the search."""
        if key == "poplimit":
            limit = int(config_number(value, self.path, line, "pop-limit"))
            self.plan.search["pop_limit"] = self.phrases["beam_size"] = limit
        elif key in _OF_PHRASES:
            name = _OF_PHRASES[key]
            self.phrases[name] = int(config_number(value, self.path, line, key))
        elif key in ("goalsymbol", "defaultnonterminal"):
            name = "goal" if key == "goalsymbol" else "default_nonterminal"
            self.hiero[name] = value.strip("[]")
        elif key == "trueoovsonly":
            self.hiero["pass_through_all"] = value.lower() != "true"
        elif key in ("search", "searchalgorithm"):
            self.algorithm = value.lower(), line
        else:
            return False
        return True

    def grammar(self, words: list[str], line: int) -> None:
        """`thrax -owner pt -maxspan 12 -path FILE`, or in version 5 `thrax pt 12 FILE`."""
        kind, *rest = words or [""]
        if kind == _PHRASES_OF_THRAX:
            found = "tm = phrase, whose values are probabilities or costs, depending on the version"
            advice = "give the phrase table that it was made from"
            raise self.refusal(line, found, "tm = moses, a phrase table of Moses", advice)
        if kind not in _GRAMMARS and kind != _PHRASES:
            raise self.refusal(line, f"a grammar of the kind {kind}", "thrax or moses")
        plan_kind: Kind = "phrase" if kind == _PHRASES else "hiero"
        if self.grammars and plan_kind != self.plan.kind:
            raise self.refusal(line, f"{kind} beside a grammar of another kind", "one kind")
        if self.grammars and plan_kind == "phrase":
            raise self.refusal(line, "a second phrase table", "one phrase table")
        self.plan.kind = plan_kind
        if rest and rest[0].startswith("-") and not re.fullmatch(r"-\d+", rest[0]):
            arguments = dict(zip(rest[::2], rest[1::2], strict=False))
            owner, span, file = (arguments.get(key, "") for key in ("-owner", "-maxspan", "-path"))
        else:
            owner, span, file = (*rest, "", "", "")[:3]
        if not owner or not file:
            usage = f"{kind} -owner O -maxspan N -path FILE"
            raise self.refusal(line, repr(" ".join(words)), usage)
        longest = int(config_number(span or "-1", self.path, line, "maxspan"))
        if (Path(self.path).parent / file).is_dir():
            found = f"the packed grammar {file}"
            advice = "give the text that it was packed from"
            raise self.refusal(line, found, "a grammar as text", advice)
        self.grammars.append((owner, find_file(file, self.path, line, self.look_in), longest))

    def language_model(self, file: str, line: int) -> None:
        self.plan.language_models.append(find_file(file, self.path, line, self.look_in))

    def feature(self, words: list[str], line: int) -> None:
        kind = _normal(words[0]) if words else ""
        if kind in _LANGUAGE_MODELS:
            arguments = dict(zip(words[1::2], words[2::2], strict=False))
            if "-lm_file" not in arguments:
                raise self.refusal(line, "a language model without -lm_file", "-lm_file FILE")
            self.language_model(arguments["-lm_file"], line)
        elif kind in _FEATURES:
            if kind == "wordpenalty" and "-value" in words:
                raise self.refusal(line, " ".join(words), "WordPenalty without a value of its own")
            if kind == "phrasepenalty":
                arguments = dict(zip(words[1::2], words[2::2], strict=False))
                self.counted = arguments.get("-owner", _OWNER_OF_PENALTY), line
            self.features.add(kind)
        elif kind in _WITHOUT_EFFECT:
            self.plan.notices.append(f"{words[0]} has no effect on plain sentences")
        else:
            known = ", ".join(("LanguageModel", *_FEATURES.values()))
            raise self.refusal(line, f"the feature {' '.join(words)}", f"one of {known}")

    def take(self, name: str) -> float:
        return self.weights.pop(name, 0.0)

    def penalty(self, name: str) -> float:
        """The weight of a feature that the configuration enables."""
        return self.take(name) if _normal(name) in self.features else 0.0

    def phrase_penalty(self) -> float:
        """Joshua counts the rules of one owner, Demotic those of all but the glue grammar."""
        owner, line = self.counted
        weight = self.penalty("PhrasePenalty")
        if weight and owner not in {name for name, _, _ in self.grammars}:
            self.plan.notices.append(
                f"PhrasePenalty on line {line} counts the rules of {owner}, which has none"
            )
            return 0.0
        return weight

    def finish(self) -> ImportPlan:
        plan = self.plan
        if not self.grammars:
            raise self.refusal(0, "no grammar", "a line tm = thrax ... or tm = moses ...")
        plan.search |= self.phrases if plan.kind == "phrase" else self.hiero
        decimal = math.log(10)
        for index in range(len(plan.language_models)):
            plan.weights[language_model_name(index)] = self.take(f"lm_{index}") / decimal
        plan.weights["word_penalty"] = self.penalty("WordPenalty") / decimal
        plan.weights["phrase_penalty"] = self.phrase_penalty()
        if plan.kind == "phrase":
            self.finish_phrases()
        else:
            self.finish_hiero()
        return plan

    def finish_phrases(self) -> None:
        algorithm, line = self.algorithm
        if algorithm not in ("", "stack"):
            raise self.refusal(line, f"search = {algorithm}", "search = stack for phrases")
        plan = self.plan
        plan.weights["distortion"] = self.penalty("Distortion")
        plan.weights["unknown_word"] = self.penalty("OOVPenalty")
        ((owner, file, _),) = self.grammars
        scores, prefix = _count_scores(file), f"tm_{owner}_"
        plan.tables.append(TableFile(file, "moses_phrases", prefix, scores))
        for index, name in enumerate(moses_columns(scores, prefix)):
            plan.weights[name] = self.take(f"{prefix}{index}")
        plan.weights |= self.weights

    def finish_hiero(self) -> None:
        plan = self.plan
        for owner, file, span in self.grammars:
            self.add_grammar(owner, file, span)
        if not plan.tables:
            raise self.refusal(0, "no grammar besides glue", "a line tm = thrax ...")
        # Every copied word is penalised, known or not.
        plan.weights["pass_through"] = self.penalty("OOVPenalty") * UNKNOWN_WORD_VALUE
        if plan.search["glue"] == "builtin":
            # Joshua counts both end markers as words and the first piece as glued.
            offset = plan.weights["glue"] - 2 * plan.weights["word_penalty"]
            plan.origin["score_offset"] = offset
            plan.notices.append(
                f"Joshua's scores are ours plus {offset:.4f}: it counts <s> and </s> in the word "
                "penalty and the first piece in the glue score, equally for every translation"
            )
        plan.weights |= self.rule_weights()

    def add_grammar(self, owner: str, file: Path, span: int) -> None:
        plan = self.plan
        goal, nonterminal = str(plan.search["goal"]), str(plan.search["default_nonterminal"])
        if glue := scfg_glue(file, goal, nonterminal):
            plan.weights["glue"] = self.take(f"tm_{owner}_0") * -float(glue.piece)
            plan.search["glue"] = "builtin"
            return
        plan.tables.append(TableFile(file, "scfg", f"tm_{owner}_"))
        if span > 0:
            plan.search["span_limit"] = max(span, int(plan.search.get("span_limit", 0)))

    def rule_weights(self) -> dict[str, float]:
        """A value without a name is a cost."""
        owners = "|".join(re.escape(owner) for owner, _, _ in self.grammars)
        unnamed = re.compile(rf"tm_({owners})_\d+")
        return {
            name: -weight if unnamed.fullmatch(name) else weight
            for name, weight in self.weights.items()
        }


def _count_scores(table: Path) -> int:
    """Of the first line of a phrase table."""
    for line in LineFile(table):
        fields = line.split("|||")
        return len(split_words(fields[2])) if len(fields) > 2 else 0
    return 0


def read_joshua_config(path: PathLike, look_in: Iterable[PathLike] = ()) -> ImportPlan:
    reader = _Reader(path, tuple(look_in))
    reader.read()
    return reader.finish()
