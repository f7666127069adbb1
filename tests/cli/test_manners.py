"""Rules for all verbs: exit codes, existing outputs, and no files left by a failure."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from demotic.cli.main import VERBS, run
from demotic.model import Model

# One bad input per verb, at FILE; t.de and the models are good.
FILES = {
    "check": ["FILE t.de", "t.de FILE"],
    "prepare": ["--src-lang de --tgt-lang en FILE t.de -o x"],
    "align": ["FILE t.de -o x", "t.de FILE -o x", "t.de t.de --gold FILE -o x"],
    "lm": ["FILE -o x", "--from FILE -o x", "t.de --mix FILE --weight 0.5 -o x"],
    "lm-query": ["FILE t.de", "tokens/lm-0.lm FILE"],
    "build": ["--src FILE --tgt t.de -o x", "--src t.de --tgt FILE -o x"],
    "add": ["phrase --src FILE --tgt t.de -o x", "phrase --src t.de --tgt FILE -o x"],
    "tune": ["phrase --src FILE --ref t.de -o x", "phrase --src t.de --ref FILE -o x"],
    "combine": [
        "phrase hiero --src FILE --ref t.de -o x",
        "phrase hiero --src t.de --ref FILE -o x",
    ],
    "decide": ["phrase --src FILE --ref t.de -o x", "phrase --src t.de --ref FILE -o x"],
    "calibrate": ["phrase --src FILE --ref t.de", "phrase --src t.de --ref FILE"],
    "force": ["phrase --src FILE --ref t.de -o x"],
    "train": ["phrase --src FILE --tgt t.de --dev-src t.de --dev-ref t.de -o x"],
    "translate": ["phrase FILE"],
    "reduce": ["FILE -o x"],
    "evaluate": ["FILE --ref t.de", "t.de --ref FILE"],
    "experiment": ["FILE -o x"],
    "import": ["FILE -o x"],
}
MODELS = {
    "add": "MODEL --src t.de --tgt t.de -o x",
    "tune": "MODEL --src t.de --ref t.de -o x",
    "combine": "MODEL phrase --src t.de --ref t.de -o x",
    "decide": "MODEL --src t.de --ref t.de -o x",
    "calibrate": "MODEL --src t.de --ref t.de",
    "force": "MODEL --src t.de --ref t.de -o x",
    "train": "MODEL --src t.de --tgt t.de --dev-src t.de --dev-ref t.de -o x",
    "translate": "MODEL t.de",
    "explain": "MODEL text",
    "serve": "MODEL",
    "weights": "MODEL",
    "info": "MODEL",
    "status": "MODEL",
    "export": "MODEL --format moses -o x",
}
WITH_FILES = [f"{verb} {rest}" for verb, many in FILES.items() for rest in many]
WITH_MODELS = [f"{verb} {rest}" for verb, rest in MODELS.items()]


def test_every_verb_is_in_the_table() -> None:
    assert set(VERBS) - {"demo", "make", "report", "worker"} == {*FILES, *MODELS}


def failed(folder: Path, capfd: pytest.CaptureFixture[str], command: str) -> str:
    """Runs a command with bad input; returns the message."""
    before = sorted(path.name for path in folder.iterdir())
    assert run(command.split()) == 2
    printed = capfd.readouterr().err
    assert printed.splitlines()[-1].startswith("demotic: error: ")
    assert sorted(path.name for path in folder.iterdir()) == before
    return printed


@pytest.mark.parametrize("command", WITH_FILES)
def test_a_missing_file(home: Path, capfd: pytest.CaptureFixture[str], command: str) -> None:
    assert "nowhere.txt" in failed(home, capfd, command.replace("FILE", "nowhere.txt"))


@pytest.mark.parametrize("command", WITH_FILES)
def test_a_directory_for_a_file(
    home: Path, capfd: pytest.CaptureFixture[str], command: str
) -> None:
    (home / "folder").mkdir()
    message = failed(home, capfd, command.replace("FILE", "folder"))
    assert "folder" in message
    assert "is a directory" in message.lower()


@pytest.mark.parametrize("command", WITH_MODELS)
def test_a_missing_model(home: Path, capfd: pytest.CaptureFixture[str], command: str) -> None:
    message = failed(home, capfd, command.replace("MODEL", "nowhere"))
    assert "nowhere: no such directory" in message


@pytest.mark.parametrize("command", WITH_MODELS)
def test_a_file_for_a_model(home: Path, capfd: pytest.CaptureFixture[str], command: str) -> None:
    assert "t.de" in failed(home, capfd, command.replace("MODEL", "t.de"))


@pytest.mark.parametrize("command", WITH_MODELS)
def test_a_directory_that_is_no_model(
    home: Path, capfd: pytest.CaptureFixture[str], command: str
) -> None:
    (home / "folder").mkdir()
    (home / "folder" / "file").touch()
    message = failed(home, capfd, command.replace("MODEL", "folder"))
    assert "folder: no model in it" in message


@pytest.mark.parametrize(
    ("command", "found"),
    [
        ("lm empty -o x", "empty: an empty file; expected one tokenised sentence per line"),
        ("lm blank -o x", "blank: no words in 2 lines; expected one tokenised sentence per line"),
        ("align empty empty -o x", "empty: an empty file; expected one"),
        ("align blank blank -o x", "blank: no words in 2 lines; expected one"),
        ("build --src empty --tgt empty -o x", "empty: an empty file; expected one"),
        ("build --src t.de --tgt blank3 -o x", "blank3: no words in 3 lines; expected one"),
        ("import empty -o x", "empty: no settings of a known toolkit"),
        ("lm-query empty t.de", "empty: an empty file; expected"),
    ],
)
def test_empty_files(
    home: Path, capfd: pytest.CaptureFixture[str], command: str, found: str
) -> None:
    for name, text in {"empty": "", "blank": "\n\n", "blank3": "\n \n\n"}.items():
        (home / name).write_text(text)
    assert found in failed(home, capfd, command)


def test_empty_text_is_scored(home: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (home / "empty").touch()
    assert run(["lm-query", "tokens/lm-0.lm", "empty"]) == 0
    assert capfd.readouterr() == ("", "no sentences, hence no perplexity\n")


OUTPUTS = {
    "lm tokens.de -o OUT": "the file exists already; expected a new file",
    "align tokens.de tokens.de -o OUT": "the file exists already; expected a new file",
    "align tokens.de tokens.de --save OUT": "the file exists already; expected a new file",
}


@pytest.mark.parametrize("command", OUTPUTS)
def test_a_file_is_replaced_only_by_force(
    home: Path, capfd: pytest.CaptureFixture[str], command: str
) -> None:
    (home / "there").write_text("precious")
    command = command.replace("OUT", "there")
    message = failed(home, capfd, command)
    assert message.endswith("(give --force to replace it, or choose another name)\n")
    assert (home / "there").read_text() == "precious"
    assert run([*command.split(), "--force", "--quiet"]) == 0
    assert (home / "there").read_bytes() != b"precious"


@pytest.mark.parametrize("command", OUTPUTS)
def test_a_directory_is_not_replaced_by_a_file(
    home: Path, capfd: pytest.CaptureFixture[str], command: str
) -> None:
    (home / "folder").mkdir()
    message = failed(home, capfd, command.replace("OUT", "folder") + " --force")
    assert "folder" in message
    assert "a directory" in message


@pytest.mark.parametrize(
    "command",
    [
        "lm t.de --from x -o new/deep/x",
        "lm nowhere -o new/deep/x",
        "align nowhere t.de -o new/deep/x",
        "build --src nowhere --tgt t.de -o new/deep/x",
        "import t.de -o new/deep/x",
        "export tokens --format cdec -o new/deep/x",
        "tune tokens --src nowhere --ref t.de -o new/deep/x",
    ],
)
def test_no_folder_is_left(home: Path, capfd: pytest.CaptureFixture[str], command: str) -> None:
    failed(home, capfd, command)


WRITERS = [
    "lm tokens.de -o locked/x",
    "align tokens.de tokens.de -o locked/x",
    "align tokens.de tokens.de --save locked/x",
    "build --src tokens.de --tgt tokens.de -o locked/x",
    "build --src tokens.de --tgt tokens.de -o locked",
    "export tokens --format moses -o locked",
    "import exported/moses.ini -o locked/x",
]


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may write everywhere")
@pytest.mark.parametrize("command", WRITERS)
def test_a_read_only_directory(home: Path, capfd: pytest.CaptureFixture[str], command: str) -> None:
    assert run("export tokens --format moses -o exported --quiet".split()) == 0
    (home / "locked").mkdir(mode=0o500)
    assert run(command.split()) == 1
    assert "locked" in capfd.readouterr().err
    assert not [*(home / "locked").iterdir()]


@pytest.mark.parametrize(
    ("command", "text"),
    [
        (["tune", "phrase"], "demotic: interrupted; the same command resumes"),
        (
            ["align", "--load", "x", "-o", "y"],
            "demotic: interrupted; the same command resumes",
        ),
        (["align", "--load", "x"], "demotic: interrupted"),
        (["align", "x", "y", "-o", "z"], "demotic: interrupted"),
        (["--debug", "make"], "demotic: interrupted; the same command resumes"),
        (["translate", "phrase"], "demotic: interrupted"),
    ],
)
def test_interrupted(
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    command: list[str],
    text: str,
) -> None:
    def interrupted(**_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("demotic.cli.main.demotic.main", interrupted)
    assert run(command) == 130
    assert capfd.readouterr().err.strip() == text


def test_export_tells_what_the_other_toolkit_cannot_do(
    home: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    Model.load("tokens").derive("bare", search={"future_cost": False})
    assert run("export bare --format moses -o exported".split()) == 0
    assert "bare ranks hypotheses without future cost; Moses always uses it" in (
        capfd.readouterr().err
    )


def test_import_and_export(home: Path, capfd: pytest.CaptureFixture[str]) -> None:
    export = "export tokens --format moses -o exported"
    assert run(export.split()) == 0
    printed = capfd.readouterr()
    assert printed.out.startswith(
        "exported: 47 rules for Moses in phrase-table.gz, reordering-table.gz, lm-0.arpa, "
        "moses.ini; "
    )
    assert printed.err == "next:\n  translate  cd exported && moses -f moses.ini < FILE\n"
    assert "exists already and is not empty" in failed(home, capfd, export)
    assert run([*export.split(), "--force", "--quiet"]) == 0
    take = "import exported/moses.ini -o mine"
    assert run(take.split()) == 0
    printed = capfd.readouterr()
    assert printed.out.startswith("mine: phrase model\n  47 rules, 32 words, 1 language model, ")
    assert printed.err.endswith(
        "next:\n  translate     demotic translate mine < FILE\n  show details  demotic info mine\n"
    )
    assert failed(home, capfd, take) == (
        "demotic: error: mine: a model exists already; expected a new directory "
        "(give --force to replace it, or choose another name)\n"
    )
    (home / "exported" / "lm-0.arpa").unlink()
    before = (home / "mine" / "model.toml").read_bytes()
    assert run([*take.split(), "--force"]) == 2
    assert (home / "mine" / "model.toml").read_bytes() == before
    assert run(["import", "exported/moses.ini", "-o", "fresh"]) == 2
    assert not (home / "fresh").exists()


def test_ends_of_lm_and_align(home: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert run("lm tokens.de -o de.arpa --order 2".split()) == 0
    printed = capfd.readouterr()
    assert printed.out.startswith("de.arpa: language model of order 2, 11 + 12 n-grams, ")
    assert printed.err.endswith(
        "next:\n"
        "  score a text  demotic lm-query de.arpa < FILE\n"
        "  open faster   demotic lm --from de.arpa -o MODEL.lm\n"
    )
    assert run("align tokens.de tokens.de -o links --save aligner".split()) == 0
    printed = capfd.readouterr()
    assert printed.out == ""
    first, second, *rest = printed.err.splitlines()
    assert first.startswith("links: 9 links in 3 sentence pairs, ")
    assert second.startswith("aligner: trained aligner, ")
    assert rest == [
        "next:",
        "  build       demotic build --src tokens.de --tgt tokens.de --links links -o MODEL",
        "  align more  demotic align SRC TGT --load aligner",
    ]
