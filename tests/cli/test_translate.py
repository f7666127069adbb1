"""The outputs, messages and refusals of `demotic translate`."""

from __future__ import annotations

import gzip
import json
import os
import pty
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from demotic.cli.main import run
from demotic.forest import read_forests
from demotic.model import Model
from demotic.search.nbest import FeatureGroups, read_nbest
from demotic.text.tokenize.builtin import BuiltinTokenizer
from tests.cli.conftest import TEXT, TRANSLATED

PROGRAM = "import sys; from demotic.cli.main import run; sys.exit(run(sys.argv[1:]))"


def say(capfd: pytest.CaptureFixture[str], *command: str) -> str:
    """The transcript: output, then errors, and the exit code."""
    code = run([*command])
    captured = capfd.readouterr()
    return f"{captured.out}{captured.err}exit code {code}\n"


TRANSCRIPTS = {
    "phrase t.de": TRANSLATED + "exit code 0\n",
    "phrase t.de.gz --threads 2": TRANSLATED + "exit code 0\n",
    "phrase t.de --beam 1 --pop-limit 1 --distortion-limit 0 --quiet": """\
The house is big.

Today i know the child.
exit code 0
""",
    "phrase t.de --tokenized --drop-unknown": """\
is

i know the
demotic: warning: t.de: 56 % of the running words are unknown to the model (5 of 9, in 2 of 2 \
sentences); likely reason: the text is not tokenised ('groß.' is unknown, 'groß' is known); the \
model prepares raw text itself: omit --tokenized
exit code 0
""",
    "phrase bad.de": """\
The � is old.
The book is old.
demotic: warning: bad.de: 1 line with malformed UTF-8, whose bad bytes were replaced
exit code 0
""",
    "tokens tokens.de": """\
the house is old .
a ||| b
|||
exit code 0
""",
    "tokens tokens.de --raw": """\
demotic: error: tokens: raw text for a model without a preparation; expected tokenised text \
(build the model from text prepared by demotic prepare, or omit --raw)
exit code 2
""",
    "hiero t.de": TRANSLATED + "exit code 0\n",
    "nowhere t.de": """\
demotic: error: nowhere: no such directory; expected a directory that demotic make, build, import, \
tune or train has made
exit code 2
""",
    "phrase nowhere.de": """\
demotic: error: nowhere.de: the file cannot be opened (No such file or directory)
exit code 2
""",
    "phrase t.de --distinct": """\
demotic: error: --distinct requires an n-best list; give its length: --nbest K (see demotic \
translate --help)
exit code 2
""",
    "phrase t.de --nbest-file x": """\
demotic: error: --nbest-file requires an n-best list; give its length: --nbest K (see demotic \
translate --help)
exit code 2
""",
    "phrase t.de --beam 0": """\
demotic: error: --beam: 0 is not in the range x>=1 (see demotic translate --help)
exit code 2
""",
    "phrase t.de --forest t.de/f": """\
demotic: error: t.de/f: the file cannot be written (Not a directory)
exit code 2
""",
}


@pytest.mark.parametrize("command", TRANSCRIPTS)
def test_transcript(home: Path, capfd: pytest.CaptureFixture[str], command: str) -> None:
    assert say(capfd, "translate", *command.split()) == TRANSCRIPTS[command]
    assert not [*home.glob("x*")]


def test_columns(home: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert run("translate phrase t.de --scores --alignment".split()) == 0
    rows = [line.split("\t") for line in capfd.readouterr().out.splitlines()]
    assert [row[2] for row in rows] == TRANSLATED.splitlines()
    assert rows[0][1] == "0-0 1-1 2-2 3-3 4-4"
    assert rows[1][1] == ""
    decoder = Model.load("phrase").decoder()
    score = decoder.translate(["das haus ist groß ."]).scores[0]
    assert float(rows[0][0]) == pytest.approx(score, abs=1e-6)


def test_the_models_own_settings(home: Path, capfd: pytest.CaptureFixture[str]) -> None:
    Model.load("phrase").derive("narrow", search={"distortion_limit": 0})
    (home / "one.de").write_text("Heute kenne ich das Kind.\n", encoding="utf-8")
    assert say(capfd, "translate", "narrow", "one.de").startswith("Today i know the child.\n")
    wide = ["translate", "narrow", "one.de", "--distortion-limit", "6"]
    assert say(capfd, *wide).startswith("I know the child today.\n")


def test_nbest_on_standard_output(home: Path, capfd: pytest.CaptureFixture[str]) -> None:
    command = "translate phrase t.de --nbest 5 --distinct --alignment"
    assert run(command.split()) == 0
    (home / "list").write_text(capfd.readouterr().out, encoding="utf-8")
    entries = [*read_nbest("list")]
    model = Model.load("phrase")
    groups = FeatureGroups(model.weights.index)
    assert sorted({entry.sentence for entry in entries}) == [0, 1, 2]
    assert [e.text for e in entries if e.sentence == 1] == [""]
    for entry in entries:
        assert entry.score == pytest.approx(groups.vector(entry) @ model.weights.array, abs=1e-9)
        assert entry.segments is not None
        assert entry.links is not None
        covered = sorted(segment.source for segment in entry.segments)
        words = len(model.raw_text.prepared(TEXT.decode().splitlines()[entry.sentence]).split())
        assert sum(end - begin for begin, end in covered) == words
    first = [entry for entry in entries if entry.sentence == 0]
    assert first[0].text == "The house is big."
    assert len({entry.text for entry in first}) == len(first) > 1
    assert [e.score for e in first] == sorted((e.score for e in first), reverse=True)


def test_nbest_of_a_hiero_model(home: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Hiero rules are nested, so there are no segments; the rest is as for phrases."""
    assert run("translate hiero t.de --nbest 3 --alignment".split()) == 0
    (home / "list").write_text(capfd.readouterr().out, encoding="utf-8")
    model = Model.load("hiero")
    groups = FeatureGroups(model.weights.index)
    entries = [*read_nbest("list")]
    assert len(entries) > 3
    for entry in entries:
        assert entry.score == pytest.approx(groups.vector(entry) @ model.weights.array, abs=1e-9)
        assert entry.segments is None
        assert bool(entry.links) == bool(entry.text)
    assert "glue" in entries[0].features
    assert "distortion" not in entries[0].features


def test_nbest_file(home: Path, capfd: pytest.CaptureFixture[str]) -> None:
    command = ["translate", "phrase", "t.de", "--nbest", "3", "--nbest-file", "list.gz"]
    assert say(capfd, *command) == TRANSLATED + "exit code 0\n"
    assert [entry.sentence for entry in read_nbest("list.gz")] == [0, 0, 0, 1, 2, 2, 2]


def test_separators_in_text(home: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert run("translate tokens tokens.de --nbest 2 --distinct --alignment".split()) == 0
    out = capfd.readouterr().out
    (home / "list").write_text(out, encoding="utf-8")
    best = {}
    for entry in read_nbest("list"):
        best.setdefault(entry.sentence, entry.text)
    assert best == {0: "the house is old .", 1: "a ||| b", 2: "|||"}
    assert all(line.count(" ||| ") == 5 for line in out.splitlines())


def test_json(home: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert run("translate phrase t.de --json --nbest 2".split()) == 0
    records = [json.loads(line) for line in capfd.readouterr().out.splitlines()]
    assert [record["text"] for record in records] == TRANSLATED.splitlines()
    first = records[0]
    weights = Model.load("phrase").weights
    points = sum(weights[name] * value for name, value in first["features"].items())
    assert first["score"] == pytest.approx(points)
    assert first["source"] == "das haus ist groß .".split()
    assert first["words"] == "the house is big .".split()
    assert first["alignment"] == [[i, i] for i in range(5)]
    assert first["steps"][0]["source"][0] == 0
    assert first["nbest"][0] == {key: first[key] for key in first["nbest"][0]}
    assert first["nbest"][1]["score"] <= first["score"]
    assert records[1]["steps"] == []
    assert run("translate hiero t.de --json".split()) == 0
    hiero = json.loads(capfd.readouterr().out.splitlines()[0])
    assert hiero["text"] == first["text"]
    assert "glue" in {step["kind"] for step in hiero["steps"]}
    assert all((step["kind"] == "rule") == (step["rule"] is not None) for step in hiero["steps"])


def test_forests(home: Path, capfd: pytest.CaptureFixture[str]) -> None:
    command = ["translate", "phrase", "t.de", "--forest", "f.jsonl.gz"]
    assert say(capfd, *command) == TRANSLATED + "exit code 0\n"
    forests = [*read_forests("f.jsonl.gz")]
    with gzip.open("f.jsonl.gz", "rt", encoding="utf-8") as file:
        about = [json.loads(line) for line in file]
    weights = Model.load("phrase").weights
    for forest, record, text in zip(forests, about, TRANSLATED.splitlines(), strict=True):
        best = forest.viterbi(forest.scores(weights))
        words = [record["words"][str(word)] for word in forest.yields(best)[0].tolist()]
        assert Model.load("phrase").raw_text.restored(" ".join(words)) == text
    assert about[0]["source"] == "das haus ist groß .".split()


def test_lines_that_fell_back_are_said(
    home: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    long = "das haus " * 3000
    (home / "long.de").write_text(f"das haus .\n{long}\n", encoding="utf-8")
    assert run("translate tokens long.de --distortion-limit -1 --beam 2 --pop-limit 2".split()) == 0
    captured = capfd.readouterr()
    assert captured.out.count("\n") == 2
    assert captured.err == (
        "long.de: 1 line too long for the requested search, translated without reordering or "
        "with a smaller beam: 2\n"
    )


def test_a_word_of_a_megabyte(home: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (home / "wide.de").write_text("x" * 1_000_000 + "\nDas Haus ist alt.\n", encoding="utf-8")
    assert run("translate phrase wide.de".split()) == 0
    captured = capfd.readouterr()
    assert captured.out.split("\n")[1:] == ["The house is old.", ""]
    assert captured.err == (
        "demotic: warning: wide.de: 1 token longer than 4,096 bytes, truncated\n"
    )
    (home / "wide.de").write_text("x" * 1_000_000 + "\n", encoding="utf-8")
    assert say(capfd, "translate", "tokens", "wide.de") == "x" * 1_000_000 + "\nexit code 0\n"


def test_another_tokeniser_than_was_used_is_said(
    home: Path, models: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    changed = Model.load("phrase").derive("changed").path / "preparation.toml"
    text = changed.read_text(encoding="utf-8")
    version = BuiltinTokenizer.version
    assert version in text
    changed.write_text(text.replace(f'"{version}"', '"0"'), encoding="utf-8")
    assert run("translate changed t.de".split()) == 0
    captured = capfd.readouterr()
    assert captured.out == TRANSLATED
    assert captured.err.startswith("demotic: warning: ")


def test_a_line_of_ten_thousand_words(home: Path, capfd: pytest.CaptureFixture[str]) -> None:
    line = "das unbekannte haus ist alt . " * 1667
    (home / "long.de").write_text(line + "\n", encoding="utf-8")
    assert run("translate tokens long.de --beam 5 --pop-limit 5".split()) == 0
    assert len(capfd.readouterr().out.split()) > 9000


def test_answers_before_the_input_ends(home: Path) -> None:
    """A line typed or piped is translated and flushed at once."""
    with subprocess.Popen(
        [sys.executable, "-c", PROGRAM, "translate", "phrase"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for _ in range(2):
            process.stdin.write(b"Das Haus ist alt.\n")
            process.stdin.flush()
            assert process.stdout.readline() == b"The house is old.\n"
        process.stdin.close()
        assert process.wait(20) == 0


def read_terminal(terminal: int) -> str:
    """All that is written to a terminal until the other end is closed."""
    shown = b""
    while True:
        try:
            chunk = os.read(terminal, 1 << 16)
        except OSError:  # the end on Linux; elsewhere an empty read is the end
            chunk = b""
        if not chunk:
            return shown.decode()
        shown += chunk


def test_progress(home: Path) -> None:
    """Shown on a terminal when the translations are redirected."""
    (home / "many.de").write_bytes(TEXT * 50)
    above, below = pty.openpty()
    with (
        ThreadPoolExecutor(1) as reader,
        subprocess.Popen(
            [sys.executable, "-c", PROGRAM, "translate", "phrase", "many.de"],
            stdout=subprocess.PIPE,
            stderr=below,
        ) as process,
    ):
        os.close(below)
        # A terminal holds a few kilobytes, so it is read while the program writes.
        shown = reader.submit(read_terminal, above)
        translated, _ = process.communicate()
        assert translated.decode() == TRANSLATED * 50
        for text in ("translating", "150/150", "words/s"):
            assert text in shown.result()
    os.close(above)


def test_interrupted(home: Path) -> None:
    """Finished lines are written completely, and the exit code shows that some are missing."""
    with subprocess.Popen(
        [sys.executable, "-c", PROGRAM, "translate", "phrase", "--nbest", "2", "--nbest-file", "l"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdin.write(b"Das Haus ist alt.\n")
        process.stdin.flush()
        assert process.stdout.readline() == b"The house is old.\n"
        time.sleep(0.2)
        process.send_signal(signal.SIGINT)
        assert process.wait(20) == 130
        assert process.stdout.read() == b""
        assert process.stderr.read().strip() == b"demotic: interrupted"
    assert not [*home.glob("l*")]  # an incomplete list does not appear


def test_interrupted_in_the_middle_of_a_search(home: Path) -> None:
    (home / "long.de").write_text(("das haus ist alt . " * 20000 + "\n") * 20, encoding="utf-8")
    with subprocess.Popen(
        [sys.executable, "-c", PROGRAM, "translate", "tokens", "long.de"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    ) as process:
        time.sleep(2)
        process.send_signal(signal.SIGINT)
        assert process.wait(20) == 130
