"""Writes a model for Moses: tables, language models and `moses.ini`."""

from __future__ import annotations

from pathlib import Path

from demotic.errors import ModelError
from demotic.features.dense import UNKNOWN_WORD_VALUE, language_model_name
from demotic.formats.glue import write_moses_glue
from demotic.formats.language_models import copy_language_models
from demotic.formats.tables import (
    TableKind,
    TableProgress,
    score_columns,
    write_reordering,
    write_table,
)
from demotic.lines import write_text
from demotic.model import Model

__all__ = ["export_moses"]

_REORDERING_TYPES = {  # by the directions that have scores: backward, forward
    (True, False): "wbe-msd-backward-fe-allff",
    (False, True): "wbe-msd-forward-fe-allff",
    (True, True): "wbe-msd-bidirectional-fe-allff",
}
_SETTINGS = {
    "distortion_limit": "distortion-limit",
    "beam_size": "stack",
    "pop_limit": "cube-pruning-pop-limit",
    "span_limit": "max-chart-span",
}
_FACTORS = "input-factor=0 output-factor=0"


class _Export:
    """The features in the order of their lines, each with its weights."""

    def __init__(self, model: Model, home: Path, progress: TableProgress | None) -> None:
        self.model, self.home, self.progress = model, home, progress
        self.hiero = model.kind == "hiero"
        self.kind: TableKind = "moses_hiero" if self.hiero else "moses_phrases"
        self.store = model.rules.store
        self.features: dict[str, tuple[str, list[float]]] = {}
        self.files: list[str] = []

    def add(self, instance: str, line: str, *names: str) -> None:
        self.features[instance] = (line, [self.model.weights[name] for name in names])

    def add_tables(self) -> None:
        table = "rule-table.gz" if self.hiero else "phrase-table.gz"
        path = self.home / table
        write_table(self.store, self.model.vocabulary, path, self.kind, progress=self.progress)
        self.files.append(table)
        columns = self.columns(reordering=False)
        limit = self.model.settings.get("rule_limit", 20)
        self.add(
            "PhraseDictionaryMemory0",
            f"PhraseDictionaryMemory num-features={len(columns)} path={table} {_FACTORS} "
            f"table-limit={limit}",
            *columns,
        )

    def columns(self, *, reordering: bool) -> list[str]:
        numbers = score_columns(self.store, reordering=reordering)
        return [self.store.score_names[number] for number in numbers]

    def add_glue(self) -> None:
        write_moses_glue(self.home / "glue-grammar")
        self.files.append("glue-grammar")
        line = f"PhraseDictionaryMemory num-features=1 path=glue-grammar {_FACTORS}"
        # Moses' phrase penalty counts glue rules; ours does not.
        weights = self.model.weights
        weight = weights["glue"] - weights["phrase_penalty"]
        self.features["PhraseDictionaryMemory1"] = (line, [weight])

    def add_reordering(self) -> None:
        names = self.columns(reordering=True)
        if not names:
            return
        backward, forward = (
            any(name.startswith(f"reordering_{side}_") for name in names)
            for side in ("backward", "forward")
        )
        path = self.home / "reordering-table.gz"
        write_reordering(self.store, self.model.vocabulary, path, progress=self.progress)
        self.files.append("reordering-table.gz")
        self.add(
            "LexicalReordering0",
            f"LexicalReordering type={_REORDERING_TYPES[backward, forward]} {_FACTORS} "
            f"num-features={len(names)} path=reordering-table.gz",
            *names,
        )

    def add_common(self) -> None:
        models = copy_language_models(self.model, self.home, self.kind)
        self.files += models
        for index, file in enumerate(models):
            name = language_model_name(index)
            self.add(f"KENLM{index}", f"KENLM factor=0 path={file}", name)
        self.add("WordPenalty0", "WordPenalty", "word_penalty")
        self.add("PhrasePenalty0", "PhrasePenalty", "phrase_penalty")
        self.features["UnknownWordPenalty0"] = ("UnknownWordPenalty", [self.unknown_word()])

    def unknown_word(self) -> float:
        """The weight that makes a copied word cost the same in Moses as here.

        Our feature for copied words has no counterpart there, and Moses' phrase penalty counts
        copied words whether ours does or not.
        """
        weights = self.model.weights
        more = weights.get("pass_through", 0.0)
        if not self.model.settings.get("unknown_phrase_penalty"):
            more -= weights["phrase_penalty"]
        return weights["unknown_word"] + more / UNKNOWN_WORD_VALUE

    def sections(self) -> dict[str, list[str]]:
        search = self.model.settings
        result = {
            "input-factors": ["0"],
            "mapping": ["0 T 0", "1 T 1"] if self.hiero else ["0 T 0"],
        }
        if self.hiero:
            result |= {"search-algorithm": ["3"], "non-terminals": ["X"]}
        elif search.get("cube_pruning"):
            result["search-algorithm"] = ["1"]
        if search.get("early_distortion"):
            result["early-distortion-cost"] = ["true"]
        for name, section in _SETTINGS.items():
            if name in search:
                result[section] = [str(search[name])]
        result["feature"] = [line for line, _ in self.features.values()]
        result["weight"] = [
            f"{name}= {' '.join(map(repr, weights))}"
            for name, (_, weights) in self.features.items()
        ]
        return result

    def write_ini(self) -> None:
        with write_text(self.home / "moses.ini") as file:
            file.write("# Run Moses in this directory: moses -f moses.ini\n")
            file.write(f"# Scores of the rules: {' '.join(self.columns(reordering=False))}\n")
            for title, lines in self.sections().items():
                file.write(f"\n[{title}]\n")
                file.writelines(f"{line}\n" for line in lines)
        self.files.append("moses.ini")


def export_moses(model: Model, home: Path, progress: TableProgress | None = None) -> list[str]:
    """Returns the names of the files written."""
    if model.settings.get("glue") == "rules":
        raise ModelError(
            "a model with its own glue rules",
            path=model.path,
            expected="the standard glue grammar",
            advice="export it to cdec",
        )
    export = _Export(model, home, progress)
    export.add_tables()
    if export.hiero:
        export.add_glue()
    else:
        export.add("Distortion0", "Distortion", "distortion")
        export.add_reordering()
    export.add_common()
    export.write_ini()
    return export.files
