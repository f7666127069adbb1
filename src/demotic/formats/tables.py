"""Rule tables of other toolkits: reads text into a rule store, and writes it back.

    vocabulary = VocabularyBuilder()
    tables = [TableFile("phrase-table.gz", "moses_phrases")]
    report = read_tables(tables, vocabulary, "rules.bin")

Moses scores are probabilities and become natural logarithms (at least -100, Moses' floor); the
values of cdec and Joshua grammars are unchanged.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Literal

from demotic._core import (
    Duplicates,
    RuleStore,
    RuleTable,
    TableFormat,
    TablePrinter,
    TableReader,
    TableReport,
    Vocabulary,
    VocabularyBuilder,
    read_reordering,
    read_table,
)
from demotic.lines import LineFile, PathLike, write_text

__all__ = [
    "DuplicatePolicy",
    "ReorderingFile",
    "TableFile",
    "TableKind",
    "TableProgress",
    "moses_columns",
    "read_tables",
    "write_reordering",
    "write_table",
]

TableProgress = Callable[[int, int], None]  # called with rules written and all rules
TableKind = Literal["moses_phrases", "moses_hiero", "scfg"]
DuplicatePolicy = Literal["refuse", "last"]

REORDERING_PREFIX = "reordering_"
MOSES_SCORES = (
    "source_given_target",
    "lexical_source_given_target",
    "target_given_source",
    "lexical_target_given_source",
)


@dataclass(frozen=True)
class TableFile:
    """A rule table, the prefix of names for unnamed scores, and its number of scores."""

    path: PathLike
    kind: TableKind
    prefix: str = "score_"
    scores: int = 0  # 0: as in the first line


@dataclass(frozen=True)
class ReorderingFile:
    """A lexicalised reordering table; `missing` holds the log scores of rules not in it.

    Moses adds nothing for such a rule unless default scores are configured, hence 0.
    """

    path: PathLike
    columns: tuple[str, ...]
    missing: tuple[float, ...] = ()


def read_tables(
    tables: Iterable[TableFile],
    vocabulary: VocabularyBuilder,
    store: PathLike,
    *,
    reordering: Iterable[ReorderingFile] = (),
    duplicates: DuplicatePolicy = "refuse",
) -> TableReport:
    """Reads all tables into one rule store; words are added to `vocabulary`."""
    rules = RuleTable(vocabulary)
    for table in tables:
        kind, name = TableFormat[table.kind], os.fspath(table.path)
        _feed(table.path, read_table(rules, kind, name, table.prefix, table.scores))
    for extra in reordering:
        missing = list(extra.missing) or [0.0] * len(extra.columns)
        name = os.fspath(extra.path)
        _feed(extra.path, read_reordering(rules, name, list(extra.columns), missing))
    return rules.write(os.fspath(store), Duplicates[duplicates], None)


def moses_columns(scores: int, prefix: str = "score_") -> tuple[str, ...]:
    """The names that the reader gives to the scores of a Moses table."""
    known = MOSES_SCORES if scores >= len(MOSES_SCORES) else ()
    return (*known, *(f"{prefix}{i + 1}" for i in range(len(known), scores)))


def _feed(path: PathLike, reader: TableReader) -> None:
    for lines in LineFile(path).chunks():
        reader.add(lines)


def score_columns(store: RuleStore, *, reordering: bool) -> list[int]:
    """The columns of the reordering table, or all others."""
    return [
        column
        for column, name in enumerate(store.score_names)
        if name.startswith(REORDERING_PREFIX) == reordering
    ]


def write_table(
    store: RuleStore,
    vocabulary: Vocabulary,
    path: PathLike,
    kind: TableKind,
    *,
    constant: str = "",
    progress: TableProgress | None = None,
) -> None:
    """Writes the rules with scores, links and counts; compressed if the name ends in .gz.

    Reordering scores are omitted; `constant` is a feature like `Penalty=1` added to every rule of
    a grammar.
    """
    columns = score_columns(store, reordering=False)
    printer = TablePrinter(store, vocabulary, TableFormat[kind], columns, False, constant)
    _print(printer, path, len(store), progress)


def write_reordering(
    store: RuleStore,
    vocabulary: Vocabulary,
    path: PathLike,
    *,
    progress: TableProgress | None = None,
) -> None:
    """Writes the reordering scores as a separate table, as Moses requires."""
    columns = score_columns(store, reordering=True)
    printer = TablePrinter(store, vocabulary, TableFormat.moses_phrases, columns, True, "")
    _print(printer, path, len(store), progress)


def _print(
    printer: TablePrinter, path: PathLike, rules: int, progress: TableProgress | None
) -> None:
    with write_text(path) as file:
        while piece := printer.next():
            file.write(piece)
            if progress:
                progress(printer.printed, rules)
