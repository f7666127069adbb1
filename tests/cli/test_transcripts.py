"""What `demotic prepare` and `demotic check` say, word for word, and their exit codes."""

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
    """The transcript: what was written, errors after results, and the exit code."""
    code = run(command.split())
    captured = capfd.readouterr()
    return f"{captured.out}{captured.err}exit code {code}\n"


TRANSCRIPTS = {
    "prepare --src de --tgt en a.de a.en -o out --tokenizer builtin": """\
2 of 2 sentences kept in out
  de: 7 tokens, tokeniser builtin VERSION
  en: 7 tokens, tokeniser builtin VERSION
exit code 0
""",
    "prepare --src de --tgt en a.de a.en -o out --tokenizer none --max-length 2": """\
1 of 2 sentences kept in out
  1 dropped: too long
  de: 2 tokens, tokeniser none 1
  en: 2 tokens, tokeniser none 1
exit code 0
""",
    "prepare --src de --tgt en a.de a.en -o out --quiet": """\
exit code 0
""",
    "prepare --lang de a.de --tokenizer builtin": """\
hallo welt !
wie geht 's ?
exit code 0
""",
    "prepare --lang de bad.de --tokenizer builtin": """\
hallo welt !
sch \ufffd n
bad.de: 1 lines with replaced bytes
exit code 0
""",
    "prepare --src de --tgt en a.de short.en -o out": """\
demotic: error: a.de: 2 lines here, but 1 in short.en; expected as many lines in both files \
(find where one file has a line more, or lacks one, and mend it)
exit code 2
""",
    "prepare --src de --tgt en bad.de a.en -o out": """\
demotic: error: bad.de line 2: byte 0xF6 at position 4, which is not UTF-8; expected UTF-8 text \
(convert the file with iconv, or give --encoding-errors replace or skip)
exit code 2
""",
    "prepare --src de --tgt en bad.de a.en -o out --encoding-errors skip --tokenizer none": """\
1 of 2 sentences kept in out
  1 dropped: empty
  de: 2 tokens, tokeniser none 1
  en: 2 tokens, tokeniser none 1
notice: 1 lines emptied because of bad bytes
exit code 0
""",
    "prepare --src de --tgt en half.de.gz a.en -o out": """\
demotic: error: half.de.gz: gzip data that end early: the file is truncated; expected a complete \
compressed file (copy or make it again)
exit code 2
""",
    "prepare --src de --tgt en nowhere.de a.en -o out": """\
demotic: error: nowhere.de: the file cannot be opened (No such file or directory)
exit code 2
""",
    "prepare --src german --tgt en a.de a.en -o out": """\
demotic: error: the language 'german'; expected a language code such as en, de, zh or pt-BR \
(see ISO 639)
exit code 2
""",
    "prepare --lang cn a.de": """\
demotic: error: the language 'cn'; expected a language code such as en, de, zh or pt-BR \
(for this language write zh)
exit code 2
""",
    "prepare --src en --tgt en a.de a.en -o out": """\
demotic: error: source and target are both en; expected two languages
exit code 2
""",
    "prepare --lang de --tokenizer spacy a.de": """\
demotic: error: --tokenizer: 'spacy' is not one of auto, builtin, sacremoses, jieba, fugashi, \
none (see demotic prepare --help)
exit code 2
""",
    "prepare --src de --tgt en a.de a.en": """\
demotic: error: parallel text needs its files, and -o DIR to be written to (see demotic prepare \
--help)
exit code 2
""",
    "prepare a.de a.en -o out": """\
demotic: error: say the languages: --src L --tgt L, or --lang L for one language (see demotic \
prepare --help)
exit code 2
""",
    "prepare --lang de --case true a.de": """\
demotic: error: true case asked of a stream, from which it cannot be learned; expected a directory \
with what was learned before (add --like DIR, or write to a directory with -o)
exit code 2
""",
    "prepare --like nowhere a.de a.en -o out": """\
demotic: error: nowhere/preparation.toml: the file cannot be read (No such file or directory) \
(give a directory that demotic prepare or demotic build has made)
exit code 2
""",
    "prepare --src de --tgt en empty.de empty.en -o out --tokenizer none": """\
0 of 0 sentences kept in out
  de: 0 tokens, tokeniser none 1
  en: 0 tokens, tokeniser none 1
exit code 0
""",
    "prepare --src de --tgt en wide.tsv -o out": """\
demotic: error: wide.tsv line 2: 1 column separated by tabs; expected 2 as before (a tab inside a \
sentence must be replaced by a space)
exit code 2
""",
    "prepare --src de --tgt en a.de a.en -o a.de/out": """\
demotic: error: a.de/out/corpus.de: the file cannot be written (Not a directory)
exit code 2
""",
    "check a.de a.en --quiet": """\
usable: 2 pairs, 0 findings
exit code 0
""",
    "check a.de short.en --quiet": """\
unusable: a.de has 2 lines, short.en has 1; line i of the one must be the translation of line i of \
the other
exit code 2
""",
    "check bad.de a.en --quiet": """\
unusable: 50.0 % of the lines of bad.de are not UTF-8
exit code 2
""",
    "check empty.de empty.en --quiet": """\
unusable: there is no pair with text on both sides
exit code 2
""",
    "check half.de.gz a.en --quiet": """\
unusable: half.de.gz: gzip data that end early: the file is truncated; expected a complete \
compressed file (copy or make it again)
exit code 2
""",
    "check nowhere.de a.en": """\
demotic: error: nowhere.de: the file cannot be opened (No such file or directory)
exit code 2
""",
    "check wide.tsv --quiet": """\
unusable: wide.tsv line 2: 1 column separated by tabs; expected 2 as before (a tab inside a \
sentence must be replaced by a space)
exit code 2
""",
    "check a.de": """\
demotic: error: a.de: a plain text file without its translation; expected plain files in pairs: \
source, target, source, target (name both files; or the format, if it is TSV, TMX, PO or XLIFF)
exit code 2
""",
    "check broken.tmx": """\
demotic: error: such a file has many languages; name two: --src L --tgt L (see demotic check \
--help)
exit code 2
""",
    "check broken.tmx --src de --tgt en --quiet": """\
unusable: broken.tmx line 1: broken XML (no element found); expected complete, well-formed XML \
(mend the file; xmllint shows all its faults)
exit code 2
""",
    "check": """\
demotic: error: give two text files, or one TSV, TMX, PO or XLIFF (see demotic check --help)
exit code 2
""",
}


@pytest.mark.parametrize("command", TRANSCRIPTS)
def test_transcript(folder: Path, capfd: pytest.CaptureFixture[str], command: str) -> None:
    from demotic.text.tokenize.builtin import BuiltinTokenizer

    expected = TRANSCRIPTS[command].replace("VERSION", BuiltinTokenizer.version)
    assert say(capfd, command) == expected
    # Of a run that failed nothing is left.
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
    command = "prepare --src de --tgt en a.de a.en -o out --json"
    assert run(command.split()) == 0
    assert json.loads(capfd.readouterr().out)["kept"] == 2


def test_like_prepares_the_same_way(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    first = "prepare --src de --tgt en a.de a.en -o out --case none --tokenizer builtin --quiet"
    assert run(first.split()) == 0
    assert say(capfd, "prepare --like out --lang en a.en") == (
        "Hello world !\nHow are you ?\nexit code 0\n"
    )
    assert say(capfd, "prepare --like out empty.de empty.en -o dev --keep-all --quiet") == (
        "exit code 0\n"
    )
    assert "error: --case is settled by --like out (see" in say(
        capfd, "prepare --like out a.de a.en -o dev --case lower"
    )
    assert "error: --src is fr, but out has de (see" in say(
        capfd, "prepare --like out --src fr a.de a.en -o dev"
    )
    assert "expected de and en, which were prepared" in say(capfd, "prepare --like out --lang fr x")


def test_what_would_cut_better(
    folder: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "fugashi", None)
    (folder / "a.ja").write_text("はい。\n", encoding="utf-8")
    assert say(capfd, "prepare --lang ja a.ja") == (
        "は い 。\n"
        "ja is cut into characters; pip install 'demotic[ja]' cuts it into words (fugashi)\n"
        "exit code 0\n"
    )


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may write everywhere")
def test_read_only_directory(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (folder / "locked").mkdir(mode=0o500)
    assert say(capfd, "prepare --src de --tgt en a.de a.en -o locked") == (
        "demotic: error: locked/corpus.de: the file cannot be written (Permission denied)\n"
        "exit code 1\n"
    )


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full here")
def test_full_disk(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    code = "import sys; from demotic.cli.main import run; sys.exit(run(sys.argv[1:]))"
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [sys.executable, "-c", code, "prepare", "--lang", "de", "a.de"],
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
    # A letter first, since bytes of compressed files would be decompressed.
    monkeypatch.setattr(sys, "stdin", Standard(b"x" + b"".join(line + b"\n" for line in lines)))
    monkeypatch.setattr(sys, "stdout", output)
    assert run(["prepare", "--lang", "de", "--tokenizer", "builtin", "--quiet"]) == 0
    monkeypatch.undo()
    assert output.buffer.getvalue().count(b"\n") == len(lines)
