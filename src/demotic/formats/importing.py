"""Imports a model of Moses, cdec or Joshua into a model directory."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from demotic._core import TableReport, VocabularyBuilder
from demotic.errors import FormatError
from demotic.features.dense import dense_features
from demotic.features.weights import Weights
from demotic.formats.language_models import check_language_model, keep_language_model
from demotic.formats.plan import ImportPlan
from demotic.formats.tables import DuplicatePolicy, read_tables
from demotic.lines import LineFile, PathLike
from demotic.model import Model
from demotic.model.file import ModelInfo, Parts
from demotic.model.history import history_entry
from demotic.model.output import WAY_OUT, new_model

__all__ = ["Imported", "import_model", "import_plan", "read_config"]

_SIGNS = (
    (re.compile(r"\["), "moses"),
    (re.compile(r"(tm|lm|feature[-_]?function|default[-_]?non[-_]?terminal)\s*=", re.I), "joshua"),
    (re.compile(r"(formalism|grammar|feature_function)\s*="), "cdec"),
)


@dataclass(frozen=True)
class Imported:
    """The model, a report about the lines of its tables, and warnings."""

    model: Model
    report: TableReport
    notices: tuple[str, ...]


def import_model(
    config: PathLike,
    directory: PathLike,
    *,
    look_in: Iterable[PathLike] = (),
    weights: PathLike | None = None,
    duplicates: DuplicatePolicy = "refuse",
    force: bool = False,
) -> Imported:
    """Imports the model that `moses.ini`, `cdec.ini` or `joshua.config` describes."""
    plan = read_config(config, look_in, weights)
    return import_plan(plan, directory, duplicates=duplicates, force=force)


def read_config(
    config: PathLike, look_in: Iterable[PathLike] = (), weights: PathLike | None = None
) -> ImportPlan:
    toolkit = _toolkit(config)
    if toolkit == "moses":
        from demotic.formats.moses_ini import read_moses_ini

        plan = read_moses_ini(config, look_in)
    elif toolkit == "joshua":
        from demotic.formats.joshua_config import read_joshua_config

        plan = read_joshua_config(config, look_in)
    else:
        from demotic.formats.cdec_ini import read_cdec_ini

        plan = read_cdec_ini(config, look_in, weights)
    plan.origin["configuration"] = os.path.basename(os.fspath(config))
    return plan


def _toolkit(config: PathLike) -> str:
    """Recognised by the first line that only one toolkit uses."""
    for line in LineFile(config):
        for sign, toolkit in _SIGNS:
            if sign.match(line.strip()):
                return toolkit
    raise FormatError(
        "no settings of a known toolkit",
        path=config,
        expected="a moses.ini, cdec.ini or joshua.config",
    )


def import_plan(
    plan: ImportPlan,
    directory: PathLike,
    *,
    duplicates: DuplicatePolicy = "refuse",
    force: bool = False,
) -> Imported:
    """Carries out a plan; leaves nothing behind if it fails. `force` replaces a model."""
    for file in plan.language_models:
        check_language_model(file)
    with new_model(directory, force=force, advice=WAY_OUT) as home:
        vocabulary = VocabularyBuilder()
        report = read_tables(
            plan.tables,
            vocabulary,
            home / Parts().rules,
            reordering=plan.reordering,
            duplicates=duplicates,
        )
        vocabulary.finish().save(os.fspath(home / Parts().vocabulary))
        names = tuple(
            keep_language_model(file, home, index)
            for index, file in enumerate(plan.language_models)
        )
        return _finished(plan, home, Parts(language_models=names), report)


def _finished(plan: ImportPlan, home: Path, parts: Parts, report: TableReport) -> Imported:
    from demotic._core import RuleStore

    scores = RuleStore.open(os.fspath(home / parts.rules), False).score_names
    names = dense_features(plan.kind, scores, len(parts.language_models))
    weights = Weights.of({name: plan.weights.get(name, 0.0) for name in names})
    origin = {"toolkit": plan.toolkit, **plan.origin}
    info = ModelInfo(
        kind=plan.kind,
        parts=parts,
        search=plan.search,
        origin=origin,
        history=(history_entry(origin),),
    )
    notices = (*plan.notices, *_weight_notices(plan, names, scores), *_table_notices(report))
    return Imported(Model.create(home, info, weights), report, notices)


def _weight_notices(plan: ImportPlan, names: Iterable[str], scores: Iterable[str]) -> list[str]:
    without = [name for name in scores if name not in plan.weights]
    unused = [name for name, weight in plan.weights.items() if weight and name not in set(names)]
    notices = [f"no weight for {', '.join(without)}; using 0"] if without else []
    return notices + ([f"weights without a feature: {', '.join(unused)}"] if unused else [])


def _table_notices(report: TableReport) -> list[str]:
    counts = {
        "rules were replaced by later lines": report.replaced,
        "rules have properties {{...}}, which are not kept": report.properties,
        "words exceeded 4,096 bytes and were truncated": report.capped,
        "lines of the reordering table match no rule": report.unused,
        "rules are not in the reordering table": report.missing,
    }
    return [f"{count:,} {what}" for what, count in counts.items() if count]
