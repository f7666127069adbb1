"""Messages about mistakes on the command line, and suggestions."""

from __future__ import annotations

from pathlib import Path

import pytest

from demotic.cli.main import run

TRANSCRIPTS = {
    "translte phrase t.de": "no verb 'translte'; did you mean translate? (see demotic --help)",
    "nonsense": "no verb 'nonsense' (see demotic --help)",
    "--vers": "no option --vers; did you mean --version? (see demotic --help)",
    "build --ordr 3": "no option --ordr; did you mean --order? (see demotic build --help)",
    "lm-query --zzzz": "no option --zzzz (see demotic lm-query --help)",
    "tune phrase --method mra": (
        "no method 'mra'; did you mean mira?; expected one of mira, mert, pro, rampion, rm, rm-cp, "
        "hgmert, forest-mira, or file.py:Class"
    ),
    "export phrase --format Mosse -o x": (
        "--format: 'Mosse' is not one of moses, cdec; did you mean moses? (see demotic export "
        "--help)"
    ),
    "build --src t.de --tgt t.de": "missing option --out (see demotic build --help)",
    "info": "missing argument MODEL (see demotic info --help)",
    "build --order": "--order needs a value",
    "lm t.de --order 99 -o x": "--order: 99 is not in the range 1<=x<=10 (see demotic lm --help)",
    "lm t.de --order many -o x": (
        "--order: 'many' is not a valid integer range (see demotic lm --help)"
    ),
    "lm-query phrase t.de": "MODEL: phrase is a directory; expected a file (see demotic lm-query "
    "--help)",
    "translate t.de": (
        "t.de: a file, not a model of Demotic; expected a directory that demotic make, build, "
        "import, tune or train has made"
    ),
    "weights phrase more": "got unexpected extra argument (more) (see demotic weights --help)",
    "lm -o x": "give either text or --from MODEL (see demotic lm --help)",
    "lm tokens.dee -o x": (
        "tokens.dee: the file cannot be opened (No such file or directory); did you mean tokens.de?"
    ),
    "lm zzz -o x": "zzz: the file cannot be opened (No such file or directory)",
    "weights phrse": "phrse: no such directory; expected a model (did you mean phrase?)",
    "weights folder": (
        "folder: a folder with 2 models in it; expected one model (give one of folder/a, folder/b)"
    ),
    "weights empty": (
        "empty: no model in it; expected a directory that demotic make, build, import, tune or "
        "train has made"
    ),
    "weights talks": (
        "talks: a prepared corpus, not a model of Demotic; expected a directory that demotic make, "
        "build, import, tune or train has made (next: demotic build --src talks/corpus.zh --tgt "
        "talks/corpus.en -o talks-model)"
    ),
    "weights foreign": (
        "foreign: a model of Moses, not a model of Demotic; expected a directory that demotic "
        "make, build, import, tune or train has made (next: demotic import foreign/moses.ini -o "
        "foreign-model)"
    ),
    "weights begun": (
        "begun: an unfinished demotic build (run the same command again to resume it), not a model "
        "of Demotic; expected a directory that demotic make, build, import, tune or train has made"
    ),
}


@pytest.fixture
def around(home: Path) -> Path:
    """Directories that are not models, next to those that are."""
    for name in ("a", "b"):
        (home / "folder" / name).mkdir(parents=True)
        (home / "folder" / name / "model.toml").touch()
    (home / "empty").mkdir()
    (home / "talks").mkdir()
    for name in ("corpus.zh", "corpus.en", "corpus.origin.tsv"):
        (home / "talks" / name).touch()
    (home / "talks" / "preparation.toml").write_text('[source]\nlanguage = "zh"\n')
    (home / "foreign").mkdir()
    (home / "foreign" / "moses.ini").touch()
    (home / "begun" / "work" / "corpus").mkdir(parents=True)
    return home


@pytest.mark.parametrize("command", TRANSCRIPTS)
def test_one_sentence_and_exit_code_2(
    around: Path, capfd: pytest.CaptureFixture[str], command: str
) -> None:
    assert run(command.split()) == 2
    printed = capfd.readouterr()
    assert printed.err == f"demotic: error: {TRANSCRIPTS[command]}\n"
    assert printed.out == ""
    assert not (around / "x").exists()


def test_without_a_verb_the_help_is_shown(capfd: pytest.CaptureFixture[str]) -> None:
    run([])
    printed = capfd.readouterr()
    assert "Verbs:" in printed.out + printed.err
