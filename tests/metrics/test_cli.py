"""The exact output of `demotic evaluate`, and its exit codes."""

from __future__ import annotations

import gzip
import json
from importlib.metadata import version
from pathlib import Path

import pytest

from demotic import __version__
from demotic.cli.main import run

FILES = {
    "out.en": b"the cat sat on the mat\nhe is here\n\n",
    "old.en": b"a cat sat at a mat\nhe was here\nno\n",
    "again.en": b"the cat sat on a mat\nhe is here\nno\n",
    "ref.en": b"the cat sat on the mat\nhe is not here\nyes\n",
    "ref2.en.gz": gzip.compress(b"a cat sat on a mat\nhe is away\n\n"),
    "short.en": b"the cat\n",
    "empty.en": b"",
    "bad.en": b"ok\nsch\xf6n\nok\n",
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, data in FILES.items():
        (tmp_path / name).write_bytes(data)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def say(capfd: pytest.CaptureFixture[str], command: str) -> str:
    code = run(command.split())
    captured = capfd.readouterr()
    return f"{captured.out}{captured.err}exit code {code}\n"


TRANSCRIPTS = {
    "evaluate out.en --ref ref.en": """\
BLEU nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:SACRE
  system   BLEU   95 % interval  detail
  out.en  72.87  0.00 to 100.00  100.0/85.7/80.0/100.0 BP 0.801 words 9 of 11
exit code 0
""",
    "evaluate out.en --ref ref.en --metric bleu,bert": """\
demotic: error: no metric 'bert'; expected one of bleu, char-bleu, ter, chrf, chrf++, ter-bleu, or \
file.py:Class
exit code 2
""",
    "evaluate short.en --ref ref.en": """\
demotic: error: short.en: 1 line here, but 3 in ref.en; expected equal numbers of lines \
(line i of a translation must belong to line i of the references)
exit code 2
""",
    "evaluate out.en --ref ref.en --ref short.en": """\
demotic: error: short.en: 1 line here, but 3 in ref.en; expected equal numbers of lines \
(line i of a translation must belong to line i of the references)
exit code 2
""",
    "evaluate out.en --ref ref.en --baseline old.en,short.en": """\
demotic: error: short.en: 1 line here, but 3 in ref.en; expected equal numbers of lines \
(line i of a translation must belong to line i of the references)
exit code 2
""",
    "evaluate empty.en --ref empty.en": """\
demotic: error: empty.en: no lines; expected one reference per line
exit code 2
""",
    "evaluate nowhere.en --ref ref.en": """\
demotic: error: nowhere.en: the file cannot be opened (No such file or directory)
exit code 2
""",
    "evaluate bad.en --ref ref.en": """\
demotic: error: bad.en line 2: byte 0xF6 at position 4, which is not UTF-8; expected UTF-8 text \
(convert the file with iconv, or give --encoding-errors replace or skip)
exit code 2
""",
}


@pytest.mark.parametrize("command", TRANSCRIPTS)
def test_transcript(folder: Path, capfd: pytest.CaptureFixture[str], command: str) -> None:
    expected = TRANSCRIPTS[command].replace("SACRE", version("sacrebleu"))
    assert say(capfd, command) == expected


def test_a_table_of_systems(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    command = (
        "evaluate out.en again.en --ref ref.en --ref ref2.en.gz --baseline old.en"
        " --metric bleu,ter,chrf,chrf++,ter-bleu --verify"
    )
    transcript = say(capfd, command)
    assert transcript.endswith("exit code 0\n")
    for name in ("BLEU", "TER", "chrF2", "chrF2++", "(TER-BLEU)/2"):
        assert f"\n{name} " in f"\n{transcript}"
    assert "  out.en,again.en  " in transcript
    assert "wins: share of 1,000 samples in which out.en,again.en is better" in transcript


def test_our_own_reference_lengths(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    command = "evaluate out.en --ref ref.en --ref ref2.en.gz --ref-length average"
    assert f"|reflen:average|version:demotic-{__version__}\n" in say(capfd, command)


def test_ter_of_text_without_spaces(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (folder / "out.zh").write_text("我的钱包被偷了。\n他不是我的弟弟。\n", encoding="utf-8")
    (folder / "ref.zh").write_text("我的钱包被偷了。\n他不是我的兄弟。\n", encoding="utf-8")
    plain = say(capfd, "evaluate out.zh --ref ref.zh --metric ter")
    assert "50.00" in plain
    assert "give --ter-asian" in plain
    asian = say(capfd, "evaluate out.zh --ref ref.zh --metric ter --ter-asian --verify")
    assert f"{100 / 16:.2f}" in asian
    assert "asian:yes" in asian
    assert "give --ter-asian" not in asian


def test_json(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    command = "evaluate out.en --ref ref.en --baseline old.en --metric ter,bleu --json --seed 7"
    assert run(command.split()) == 0
    report = json.loads(capfd.readouterr().out)
    assert report["sentences"] == 3
    assert list(report["metrics"]) == ["ter", "bleu"]
    assert report["options"]["seed"] == 7
    system, baseline = report["metrics"]["bleu"]["systems"]
    assert system["name"] == "out.en"
    assert set(system["against"]) == {"old.en"}
    test = system["against"]["old.en"]
    assert test["difference"] == pytest.approx(system["score"] - baseline["score"])


def test_the_seed_decides(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    command = "evaluate out.en --ref ref.en --baseline again.en --samples 200 --trials 100"
    first = say(capfd, command)
    assert say(capfd, f"{command} --threads 1") == first
    assert say(capfd, f"{command} --threads 3") == first
    assert say(capfd, f"{command} --seed 2") != first


def test_help_shows_an_example(capfd: pytest.CaptureFixture[str]) -> None:
    assert "Example:\n    demotic evaluate " in say(capfd, "evaluate --help")


def test_texts_that_look_differently(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    lines = ["The cat sat on the mat, I think."] * 10
    texts = {
        "raw": lines,
        "tokens": [line.replace(",", " ,").replace(".", " .").lower() for line in lines],
    }
    for name, text in texts.items():
        (folder / name).write_text("".join(f"{line}\n" for line in text))
    warning = (
        "demotic: warning: tokens is tokenised and lower-cased, unlike raw: the scores compare "
        "texts that were prepared differently (give both as raw text, or prepare both in the "
        "same way)\n"
    )
    assert warning in say(capfd, "evaluate tokens --ref raw")
    assert "tokens is tokenised, unlike raw" in say(capfd, "evaluate tokens --ref raw --lowercase")
    assert "warning" not in say(capfd, "evaluate raw --ref raw")
