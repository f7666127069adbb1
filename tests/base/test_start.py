"""Start-up is fast: --help imports only click, and translating imports only our own package.

Tests the imported modules rather than times, which depend on the machine.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from demotic.features.dense import Kind
from tests.search.small_models import prepared_model

SCRIPT = """
import sys
from demotic.cli.main import run
code = run({arguments!r})
print(code, *sorted(sys.modules), file=sys.stderr)
"""
PACKAGES = ("numpy", "rich", "pydantic", "sacrebleu", "sacremoses", "jieba", "joblib")
PACKAGES += ("starlette", "uvicorn")
UNUSED = ("demotic.constraints.glossary", "demotic.constraints.segment", "csv", "html")
HEAVY = (*PACKAGES, "demotic._core", "demotic.lines")


def started(*arguments: str, text: str = "") -> tuple[str, str, set[str]]:
    """The output, the exit code and the modules that were loaded."""
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT.format(arguments=list(arguments))],
        check=True,
        input=text,
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


def test_the_package_alone_loads_nothing() -> None:
    done = subprocess.run(
        [sys.executable, "-c", "import sys, demotic; print(*sys.modules)"],
        check=True,
        capture_output=True,
        text=True,
    )
    modules = set(done.stdout.split())
    assert modules.isdisjoint((*HEAVY, "click", "dataclasses"))
    assert {name for name in modules if name.startswith("demotic")} == {"demotic", "demotic.lazy"}


def test_a_translator_is_ready_without_other_packages(tmp_path: Path) -> None:
    kinds: tuple[Kind, ...] = ("phrase", "hiero")
    for name in kinds:
        prepared_model(tmp_path, name)
        preparation = tmp_path / name / "preparation.toml"
        preparation.write_text(preparation.read_text().replace('"builtin"', '"sacremoses"'))
        printed, code, modules = started("translate", str(tmp_path / name), "--quiet")
        assert (printed, code) == ("", "0")
        assert modules.isdisjoint(
            (*PACKAGES, *UNUSED, "importlib.metadata", "demotic.forest", "socket")
        )


def test_a_line_is_translated_without_numpy(tmp_path: Path) -> None:
    kinds: tuple[Kind, ...] = ("phrase", "hiero")
    for name in kinds:
        prepared_model(tmp_path, name)
        printed, code, modules = started("translate", str(tmp_path / name), text="a b\n")
        assert (len(printed.splitlines()), code) == (1, "0")
        assert "numpy" not in modules


def test_help_of_the_server_needs_no_server() -> None:
    printed, code, modules = started("serve", "--help")
    assert code == "0"
    assert "--key-file" in printed
    assert modules.isdisjoint(HEAVY)
