"""A bug is called a bug, and a user's mistake is not."""

from __future__ import annotations

from pathlib import Path

import pytest

from demotic.cli.main import run

BUG = """\
demotic: internal error: ValueError: 3 weights for 4 features
This is a bug in Demotic: please report it, with the traceback that the same command prints as \
demotic --debug VERB ...
"""


@pytest.fixture
def broken(monkeypatch: pytest.MonkeyPatch) -> None:
    def load(*_: object, **__: object) -> None:
        raise ValueError("3 weights for 4 features")

    monkeypatch.setattr("demotic.model.Model.load", load)


@pytest.mark.usefixtures("broken")
def test_an_unexpected_error_is_a_bug(capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["translate", "model"]) == 1
    assert capfd.readouterr().err == BUG


@pytest.mark.usefixtures("broken")
def test_debugging_shows_where_it_was(capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["--debug", "translate", "model"]) == 1
    said = capfd.readouterr().err
    assert said.startswith("Traceback (most recent call last):\n")
    assert 'raise ValueError("3 weights for 4 features")' in said
    assert said.endswith(BUG)


def test_debugging_shows_where_mistakes_were_found(capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["--debug", "info", "nowhere"]) == 2
    said = capfd.readouterr().err
    assert said.startswith("Traceback (most recent call last):\n")
    assert "\ndemotic: error: nowhere: no such directory; expected" in said


def test_output_that_cannot_represent_text(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def load(*_: object, **__: object) -> None:
        "書".encode("latin-1")

    monkeypatch.setattr("demotic.model.Model.load", load)
    assert run(["translate", "model"]) == 1
    assert capfd.readouterr().err == (
        "demotic: error: text that latin-1 cannot represent; expected output in UTF-8 (set the "
        "environment variable PYTHONUTF8=1)\n"
    )


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("lm t.en -o t.lm --prune 1", "prune is '1'; expected non-decreasing whole numbers"),
        ("lm t.en -o t.lm --mix u.arpa --tune-on none", "the held-out text is empty; expected at"),
        ("evaluate t.en --ref t.en --baseline t.en", "two systems are called t.en; expected "),
        ("prepare t.tsv --src-lang en --tgt-lang en -o out", "source and target are both en; exp"),
        ("check t.tsv --columns 0,1", "column 0; expected numbers from 1, or names of a header"),
    ],
)
def test_mistakes_are_not_bugs(
    command: str,
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("none").write_text("")
    Path("t.en").write_text("a b\nb c\n")
    Path("t.tsv").write_text("a\tb\n")
    assert run("lm t.en -o u.arpa --order 2 --quiet".split()) == 0
    assert run([*command.split(), "--quiet"]) == 2
    assert f"demotic: error: {message}" in capfd.readouterr().err


def test_settings_of_a_model_that_are_not_allowed(
    home: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    from demotic.model import Model

    Model.load("phrase").derive("odd", search={"beam_size": 0})
    assert run(["translate", "odd", str(home / "t.de")]) == 2
    assert "beam_size is 0; expected a whole number of at least 1" in capfd.readouterr().err
