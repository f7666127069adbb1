"""The record of what a refactoring must not change."""

from __future__ import annotations

import json
from importlib import import_module
from pathlib import Path
from typing import Any

import click
import pytest

from benchmarks import same_bits
from benchmarks.same_bits_artefacts import read_artefacts
from benchmarks.same_bits_table import IMPORTED, KINDS, TEXTS, Row, rows
from demotic.cli.main import VERBS

WORDS = {
    "{refs}": ["--ref", "ref"],
    "{test}": ["--ref", "ref"],
    "{dev}": ["--dev-src", "dev.src", "--dev-ref", "dev.ref"],
    "{outputs}": ["-o", "out", "--nbest", "20", "--nbest-file", "list"],
    "{forests}": ["-o", "out", "--nbest", "20", "--nbest-file", "list", "--forest", "forest"],
    "{kind}": ["phrase"],
    "{sentence}": ["a b c"],
    "{config}": ["moses.ini"],
    "{folder}": ["models"],
}
EVERY = [*IMPORTED, *(row for kind in (TEXTS, *KINDS) for row in rows(kind, quick=False))]


@pytest.mark.parametrize("row", EVERY, ids=lambda row: row.name)
def test_every_command_is_one_that_the_program_takes(row: Row) -> None:
    verb, *arguments = [one for word in row.command.split() for one in WORDS.get(word, [word])]
    command: click.Command = import_module(f"demotic.cli.{VERBS[verb][0]}").command
    command.make_context(verb, arguments)


def test_names_are_unique_and_quick_is_a_part_of_all() -> None:
    for kind in (TEXTS, *KINDS):
        names = [row.name for row in rows(kind, quick=False)]
        assert len(names) == len(set(names))
        quick = [row.name for row in rows(kind, quick=True)]
        assert set(quick) < set(names)


def test_every_method_of_tuning_and_training_is_there() -> None:
    methods = import_module("demotic.learn.methods").METHODS
    commands = [row.command for row in rows("hiero", quick=False)]
    for method in methods:
        assert any(
            "tune model --src ../dev.src {refs} --rounds 2" in one
            and f"--method {method} " in f"{one} "
            for one in commands
        ), method


def report(value: Any) -> str:
    found = read_artefacts(["force", "--json"], Path(), json.dumps(value))
    digest: str = found["report"]["digest"]
    return digest


def test_reports_are_compared_by_their_numbers_and_not_by_names_or_times() -> None:
    first = report({"reached": 3, "share": [0.5, 2], "seconds": 1.25, "model": "a"})
    assert report({"by": {"share": [0.5, 2]}, "reachable": 3, "seconds": 9, "model": "b"}) == first
    assert report({"reached": 3, "share": [0.5, 2.0000001], "seconds": 1.25}) != first


def test_lists_differ_in_words_scores_and_features_apart(tmp_path: Path) -> None:
    def artefacts(line: str) -> dict[str, str]:
        (tmp_path / "list").write_text(line + "\n", encoding="utf-8")
        found = read_artefacts(["translate", "--nbest-file", "list"], tmp_path, "")
        return {name: one["digest"] for name, one in found.items()}

    def changed(line: str) -> list[str]:
        return [name for name, digest in artefacts(line).items() if digest != first[name]]

    first = artefacts("0 ||| a b ||| lm= -1 tm= 2 3 ||| -0.5")
    assert changed("0 ||| a b ||| tm= 2 3 language_model= -1 ||| -0.5") == []
    assert changed("0 ||| a c ||| lm= -1 tm= 2 3 ||| -0.5") == ["nbest"]
    assert changed("0 ||| a b ||| lm= -1 tm= 2 3 ||| -0.25") == ["nbest-scores"]
    assert changed("0 ||| a b ||| lm= -1 tm= 2 4 ||| -0.5") == ["nbest-features"]


def test_differences_name_the_figures() -> None:
    old = {
        "same": {"digest": "1", "figures": {}},
        "bleu": {"digest": "2", "figures": {"bleu": 20.5, "rounds": 2}},
        "bits": {"digest": "3", "figures": {"bytes": 5}},
        "gone": {"digest": "4", "figures": {}},
    }
    new = {
        "same": {"digest": "1", "figures": {"told": "otherwise"}},
        "bleu": {"digest": "5", "figures": {"bleu": 20.25, "rounds": 2}},
        "bits": {"digest": "6", "figures": {"bytes": 5}},
        "come": {"digest": "7", "figures": {}},
    }
    assert list(same_bits.differences(old, new)) == [
        "bits: differs\n    same figures, other bits: 3 -> 6",
        "bleu: differs\n    bleu: 20.5 -> 20.25",
        "come: not in the record",
        "gone: missing now",
    ]
    assert list(same_bits.differences(old, old)) == []


def test_a_command_that_fails_is_a_difference(tmp_path: Path) -> None:
    run = same_bits.Run(tmp_path, quick=True, threads=1)
    found = run._row(Row("info", "info none"), "here", tmp_path, {})
    (artefact,) = found.values()
    assert artefact["digest"] == "exit code 2"
    assert "none" in artefact["figures"]["stderr"][-1]
