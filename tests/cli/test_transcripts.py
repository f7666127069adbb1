"""The exact messages of `demotic prepare` and `demotic check`, and their exit codes."""

from __future__ import annotations

import gzip
import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from demotic.cli.main import run

FILES = {
    "a.de": b"Hallo Welt!\nWie geht's?\n",
    "a.en": b"Hello world!\nHow are you?\n",
    "short.en": b"Hello world!\n",
    "bad.de": b"Hallo Welt!\nsch\xf6n\n",
    "wide.de": "Hallo Welt!\nschön\n".encode("utf-16"),
    "half.de.gz": gzip.compress(b"".join(b"Satz %d\n" % (i * i) for i in range(5000)))[:2000],
    "empty.de": b"",
    "empty.en": b"",
    "wide.tsv": b"eins\tone\nzwei\n",
    "broken.tmx": b"<tmx><body>",
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, data in FILES.items():
        (tmp_path / name).write_bytes(data)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def say(capfd: pytest.CaptureFixture[str], command: str) -> str:
    """The transcript: output, then errors, and the exit code."""
    code = run(command.split())
    captured = capfd.readouterr()
    return f"{captured.out}{captured.err}exit code {code}\n"


TRANSCRIPTS = {
    "prepare --src-lang de --tgt-lang en a.de a.en -o out --tokenizer builtin": """\
2 of 2 sentences kept in out
  de: 7 tokens, tokeniser builtin VERSION
  en: 7 tokens, tokeniser builtin VERSION
next:
  build  demotic build --src out/corpus.de --tgt out/corpus.en -o out-model
exit code 0
""",
    "prepare --src-lang de --tgt-lang en a.de a.en -o out --tokenizer none --max-length 2": """\
1 of 2 sentences kept in out
  1 dropped: too long
  de: 2 tokens, tokeniser none 1
  en: 2 tokens, tokeniser none 1
next:
  build  demotic build --src out/corpus.de --tgt out/corpus.en -o out-model
exit code 0
""",
    "prepare --src-lang de --tgt-lang en a.de a.en -o out --quiet": """\
exit code 0
""",
    "prepare --lang de a.de --tokenizer builtin --case lower": """\
hallo welt !
wie geht 's ?
exit code 0
""",
    "prepare --lang de a.de --tokenizer builtin": """\
Hallo Welt !
Wie geht 's ?
case is unchanged: true case is learnt with -o DIR, and reused with --like DIR
exit code 0
""",
    "prepare --lang de bad.de --tokenizer builtin --case lower": """\
hallo welt !
sch \ufffd n
bad.de: 1 lines with replaced bytes
exit code 0
""",
    "prepare --src-lang de --tgt-lang en a.de short.en -o out": """\
demotic: error: a.de: 2 lines here, but 1 in short.en; expected equal numbers of lines \
(find the missing or additional line and correct it)
exit code 2
""",
    "prepare --src-lang de --tgt-lang en bad.de a.en -o out": """\
demotic: error: bad.de line 2: byte 0xF6 at position 4, which is not UTF-8; expected UTF-8 text \
(convert the file with iconv, or give --encoding-errors replace or skip)
exit code 2
""",
    "prepare --src-lang de --tgt-lang en wide.de a.en -o out": """\
demotic: error: wide.de line 1: byte 0xFF at position 1, which is not UTF-8; expected UTF-8 text \
(it is UTF-16; convert it: iconv -f UTF-16 -t UTF-8 FILE)
exit code 2
""",
    (
        "prepare --src-lang de --tgt-lang en bad.de a.en -o out --tokenizer none "
        "--encoding-errors skip"
    ): """\
1 of 2 sentences kept in out
  1 dropped: empty
  de: 2 tokens, tokeniser none 1
  en: 2 tokens, tokeniser none 1
notice: 1 lines emptied because of bad bytes
next:
  build  demotic build --src out/corpus.de --tgt out/corpus.en -o out-model
exit code 0
""",
    "prepare --src-lang de --tgt-lang en half.de.gz a.en -o out": """\
demotic: error: half.de.gz: gzip data that end early: the file is truncated; expected a complete \
compressed file (copy or create it again)
exit code 2
""",
    "prepare --src-lang de --tgt-lang en nowhere.de a.en -o out": """\
demotic: error: nowhere.de: the file cannot be opened (No such file or directory)
exit code 2
""",
    "prepare --src-lang german --tgt-lang en a.de a.en -o out": """\
demotic: error: the language 'german'; expected a language code such as en, de, zh or pt-BR \
(write de for this language)
exit code 2
""",
    "prepare --lang cn a.de": """\
demotic: error: the language 'cn'; expected a language code such as en, de, zh or pt-BR \
(write zh for this language)
exit code 2
""",
    "prepare --src-lang en --tgt-lang en a.de a.en -o out": """\
demotic: error: source and target are both en; expected two languages
exit code 2
""",
    "prepare --lang de --tokenizer spacy a.de": """\
demotic: error: --tokenizer: 'spacy' is not one of auto, builtin, unigram, sacremoses, jieba, \
fugashi, none (see demotic prepare --help)
exit code 2
""",
    "prepare --src-lang de --tgt-lang en a.de a.en": """\
demotic: error: parallel text needs input files and -o DIR (see demotic prepare \
--help)
exit code 2
""",
    "prepare a.de a.en -o out": """\
demotic: error: give the languages: --src-lang L --tgt-lang L, or --lang L for one language (see \
demotic prepare --help)
exit code 2
""",
    "prepare --lang de --case true a.de": """\
demotic: error: true case for a stream, from which it cannot be learnt; expected a directory \
in which it was learnt (add --like DIR, write to a directory with -o DIR, or choose \
--case lower or none)
exit code 2
""",
    "prepare --lang zh --case lower --tokenizer unigram a.de": """\
demotic: error: the tokeniser unigram for a stream, from which it cannot be learnt; expected a \
directory in which it was learnt (add --like DIR, write to a directory with -o DIR, or choose \
--tokenizer builtin)
exit code 2
""",
    "prepare --src de --tgt en a.de a.en -o out": """\
demotic: error: --src is not a flag of this verb; give the language with --src-lang de (see \
demotic prepare --help)
exit code 2
""",
    "prepare --src a.de --tgt a.en -o out": """\
demotic: error: --src is not a flag of this verb; give the file a.de without a flag, and the \
language with --src-lang L (see demotic prepare --help)
exit code 2
""",
    "make --src a.de --tgt a.en -o out": """\
demotic: error: --src is not a flag of this verb; give the file a.de without a flag, and the \
language with --src-lang L (see demotic make --help)
exit code 2
""",
    "make a.de a.en --src-lang de --tgt en -o out": """\
demotic: error: --tgt is not a flag of this verb; give the language with --tgt-lang en (see \
demotic make --help)
exit code 2
""",
    "check a.de a.en --tgt en": """\
demotic: error: --tgt is not a flag of this verb; give the language with --tgt-lang en (see \
demotic check --help)
exit code 2
""",
    "prepare --like nowhere a.de a.en -o out": """\
demotic: error: nowhere/preparation.toml: the file cannot be read (No such file or directory) \
(give a directory written by demotic prepare or demotic build)
exit code 2
""",
    "prepare --src-lang de --tgt-lang en empty.de empty.en -o out --tokenizer none": """\
demotic: error: no sentence is left of 0; expected text to train on (run demotic check on the \
files)
exit code 2
""",
    "prepare --src-lang de --tgt-lang en wide.tsv -o out": """\
demotic: error: wide.tsv line 2: 1 column separated by tabs; expected 2 as before (replace tabs \
inside sentences by spaces)
exit code 2
""",
    "prepare --src-lang de --tgt-lang en a.de a.en -o a.de/out": """\
demotic: error: a.de/out: the directory cannot be created (Not a directory)
exit code 2
""",
    "check a.de a.en --quiet": """\
usable: 2 pairs, 0 findings
exit code 0
""",
    "check a.de short.en --quiet": """\
unusable: a.de has 2 lines, short.en has 1; line i of one file must be the translation of line i \
of the other
exit code 2
""",
    "check bad.de a.en --quiet": """\
unusable: 50.0 % of the lines of bad.de are not UTF-8
exit code 2
""",
    "check empty.de empty.en --quiet": """\
unusable: no pair has text on both sides
exit code 2
""",
    "check half.de.gz a.en --quiet": """\
unusable: half.de.gz: gzip data that end early: the file is truncated; expected a complete \
compressed file (copy or create it again)
exit code 2
""",
    "check nowhere.de a.en": """\
demotic: error: nowhere.de: the file cannot be opened (No such file or directory)
exit code 2
""",
    "check wide.tsv --quiet": """\
unusable: wide.tsv line 2: 1 column separated by tabs; expected 2 as before (replace tabs \
inside sentences by spaces)
exit code 2
""",
    "check a.de": """\
demotic: error: a.de: a plain text file without its translation; expected plain files in pairs: \
source, target, source, target (give both files, or --format if it is TSV, TMX, PO or XLIFF)
exit code 2
""",
    "check broken.tmx": """\
demotic: error: the file may hold more than two languages; give --src-lang L --tgt-lang L (see \
demotic check --help)
exit code 2
""",
    "check broken.tmx --src-lang de --tgt-lang en --quiet": """\
unusable: broken.tmx line 1: broken XML (no element found); expected complete, well-formed XML \
(correct the file; xmllint lists all its errors)
exit code 2
""",
    "check": """\
demotic: error: give two text files, or one TSV, TMX, PO or XLIFF file (see demotic check --help)
exit code 2
""",
}


@pytest.mark.parametrize("command", TRANSCRIPTS)
def test_transcript(folder: Path, capfd: pytest.CaptureFixture[str], command: str) -> None:
    from demotic.text.tokenize.builtin import BuiltinTokenizer

    expected = TRANSCRIPTS[command].replace("VERSION", BuiltinTokenizer.version)
    assert say(capfd, command) == expected
    # A failed run leaves nothing behind.
    if "exit code 0" not in expected:
        assert not [*folder.glob("out/*")]


def test_the_list_of_check(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (folder / "b.de").write_bytes(b"eins\r\n\nsch\xf6n\nHaus 7\nHaus 7\n")
    (folder / "b.en").write_bytes(b"one\ntwo\nfine\nhouse 8\nhouse 8\n")
    transcript = say(capfd, "check b.de b.en --bad-share 0.5 --show 1")
    assert transcript.startswith(
        """\
carriage return at the end: 1
  line 1 source
empty line: 1
  line 2 source
malformed UTF-8: 1
  line 3 source: byte 0xF6 at position 4: sch\ufffdn
different numbers: 2
  line 4: Haus 7 = house 8
  and 1 more
duplicate pair: 1
  line 5: as line 4: Haus 7
"""
    )
    assert transcript.endswith("usable: 5 pairs, 6 findings\nexit code 0\n")
    for row in ("│ lines           │ 5      │ 5      │", "│ 1 to 5       │ ████████████████ 4 │"):
        assert row in transcript


def test_json(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["check", "a.de", "short.en", "--json"]) == 2
    report = json.loads(capfd.readouterr().out)
    assert report["usable"] is False
    assert report["source"]["lines"] == 2
    command = "prepare --src-lang de --tgt-lang en a.de a.en -o out --json"
    assert run(command.split()) == 0
    assert json.loads(capfd.readouterr().out)["kept"] == 2


def test_like_prepares_the_same_way(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    first = "prepare --src-lang de --tgt-lang en a.de a.en -o out --case none --tokenizer builtin"
    assert run([*first.split(), "--quiet"]) == 0
    assert say(capfd, "prepare --like out --lang en a.en") == (
        "Hello world !\nHow are you ?\nexit code 0\n"
    )
    assert say(capfd, "prepare --like out empty.de empty.en -o dev --keep-all --quiet") == (
        "exit code 0\n"
    )
    assert "error: --case is determined by --like out (see" in say(
        capfd, "prepare --like out a.de a.en -o dev --case lower"
    )
    assert "error: --src-lang is fr, but out has de (see" in say(
        capfd, "prepare --like out --src-lang fr a.de a.en -o dev"
    )
    assert "expected a prepared language: de and en" in say(capfd, "prepare --like out --lang fr x")


def test_words_cannot_be_learnt_from_a_stream(
    folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (folder / "a.ja").write_text("はい。\n", encoding="utf-8")
    assert say(capfd, "prepare --lang ja a.ja --case lower") == (
        "は い 。\n"
        "ja is split into characters: words are learnt with -o DIR, and reused with "
        "--like DIR\n"
        "exit code 0\n"
    )


def test_another_corpus_is_not_replaced(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    first = "prepare --src-lang de --tgt-lang en a.de a.en -o out --tokenizer builtin"
    say(capfd, first)
    before = (folder / "out" / "corpus.de").read_bytes()
    assert say(capfd, first) == "out is up to date; --force prepares it again\nexit code 0\n"
    refused = (
        "demotic: error: out: a corpus exists already (2 sentences of de and en); expected a new "
        "directory (give --force to replace it, or choose another name)\n"
        "exit code 2\n"
    )
    assert say(capfd, f"{first} --case none") == refused
    (folder / "a.de").write_text("Ja!\nNein!\n")
    assert say(capfd, first) == refused
    assert (folder / "out" / "corpus.de").read_bytes() == before
    assert "2 of 2 sentences kept" in say(capfd, f"{first} --force")
    assert (folder / "out" / "corpus.de").read_text() == "Ja !\nNein !\n"


def test_an_input_is_not_replaced(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (folder / "corpus.de").write_text("Ja!\n")
    (folder / "corpus.en").write_text("Yes!\n")
    command = "prepare --src-lang de --tgt-lang en corpus.de corpus.en -o . --force"
    assert say(capfd, command) == (
        "demotic: error: .: the output corpus.de would replace an input; expected a "
        "directory other than the input's (choose another name)\nexit code 2\n"
    )


@pytest.mark.parametrize("source", ["nowhere.de", "bad.de", "half.de.gz", "short.en", "empty.de"])
def test_a_failure_leaves_nothing(
    folder: Path, capfd: pytest.CaptureFixture[str], source: str
) -> None:
    before = sorted(folder.rglob("*"))
    command = f"prepare --src-lang de --tgt-lang en {source} a.en -o deep/out"
    assert say(capfd, command).endswith("exit code 2\n")
    assert sorted(folder.rglob("*")) == before


def test_check_knows_the_scripts(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    for name in ("b.zh", "b.txt"):
        (folder / name).write_text("我在学西班牙语!\n聚会愉快吗?\n", encoding="utf-8")
    said = say(capfd, "check a.en b.zh --src-lang zh --tgt-lang en --quiet")
    assert said == (
        "usable: 2 pairs, 0 findings\n"
        "demotic: warning: a.en is in Latin letters, but zh is written in Han\n"
        "demotic: warning: b.zh is in Han letters, but en is written in Latin\n"
        "demotic: warning: the two sides look swapped: exchange the files or the languages\n"
        "exit code 0\n"
    )
    (folder / "c.zh").write_bytes((folder / "a.en").read_bytes())
    assert "c.zh is in Latin letters, but zh is written in Han\n" in say(
        capfd, "check c.zh a.en --quiet"
    )
    swapped = say(capfd, "prepare a.en b.zh --src-lang zh --tgt-lang en -o swapped --quiet")
    assert "swapped/corpus.zh is in Latin letters, but zh is written in Han\n" in swapped
    assert "the two sides look swapped" in swapped
    (folder / "pairs.tsv").write_text("Good day!\t聚会愉快吗?\n", encoding="utf-8")
    assert "the source side of pairs.tsv is in Latin letters, but zh" in say(
        capfd, "check pairs.tsv --src-lang zh --tgt-lang en --quiet"
    )
    for command in ("check b.zh a.en --quiet", "check b.txt a.en --quiet"):
        assert "warning" not in say(capfd, command)


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may write everywhere")
def test_read_only_directory(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (folder / "locked").mkdir(mode=0o500)
    assert say(capfd, "prepare --src-lang de --tgt-lang en a.de a.en -o locked") == (
        "demotic: error: locked/corpus.de: the file cannot be written (Permission denied)\n"
        "exit code 1\n"
    )


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full here")
def test_full_disk(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    code = "import sys; from demotic.cli.main import run; sys.exit(run(sys.argv[1:]))"
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [sys.executable, "-c", code, "prepare", "--lang", "de", "--case", "lower", "a.de"],
            stdout=full, stderr=subprocess.PIPE, check=False,
        )  # fmt: skip
    assert done.returncode == 1
    assert done.stderr == b"demotic: error: standard output: No space left on device\n"


def test_help_shows_an_example(capfd: pytest.CaptureFixture[str]) -> None:
    for verb in ("prepare", "check"):
        assert f"Example:\n    demotic {verb} " in say(capfd, f"{verb} --help")


class Standard:
    """Standard input or output with bytes below, as a program has it."""

    def __init__(self, data: bytes = b"") -> None:
        self.buffer = io.BytesIO(data)


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(lines=st.lists(st.binary(max_size=40).filter(lambda line: b"\n" not in line), min_size=1))
def test_one_line_in_one_line_out(lines: list[bytes], monkeypatch: pytest.MonkeyPatch) -> None:
    output = Standard()
    # Starts with a letter, since bytes of compressed files would be decompressed.
    monkeypatch.setattr(sys, "stdin", Standard(b"x" + b"".join(line + b"\n" for line in lines)))
    monkeypatch.setattr(sys, "stdout", output)
    assert run(["prepare", "--lang", "de", "--tokenizer", "builtin", "--quiet"]) == 0
    monkeypatch.undo()
    assert output.buffer.getvalue().count(b"\n") == len(lines)
