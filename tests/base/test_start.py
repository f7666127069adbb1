"""`demotic --help` loads nothing but click, so that it starts quickly."""

from __future__ import annotations

import subprocess
import sys

SCRIPT = """
import sys
from demotic.cli.main import run
code = run({arguments!r})
print(code, *sorted(sys.modules), file=sys.stderr)
"""
HEAVY = ("numpy", "rich", "pydantic", "sacrebleu", "demotic._core", "demotic.lines")


def started(*arguments: str) -> tuple[str, str, set[str]]:
    """The output, the exit code and the modules that were loaded."""
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT.format(arguments=list(arguments))],
        check=True,
        capture_output=True,
        text=True,
    )
    code, *modules = done.stderr.splitlines()[-1].split()
    return done.stdout, code, set(modules)


def test_help_loads_nothing_heavy() -> None:
    printed, code, modules = started("--help")
    assert code == "0"
    assert "Verbs:" in printed
    assert modules.isdisjoint(HEAVY)


def test_version_loads_nothing_heavy() -> None:
    printed, code, modules = started("--version")
    assert code == "0"
    assert printed.startswith("demotic, version ")
    assert modules.isdisjoint(HEAVY)


def test_an_unknown_verb_is_a_usage_error() -> None:
    _, code, modules = started("nonsense")
    assert code == "2"
    assert modules.isdisjoint(HEAVY)


def test_help_of_a_verb_with_a_decoder_needs_no_decoder() -> None:
    for verb in ("translate", "explain"):
        printed, code, modules = started(verb, "--help")
        assert code == "0"
        assert "[default: (the model's, else 200)" in " ".join(printed.split())
        assert modules.isdisjoint(HEAVY)
