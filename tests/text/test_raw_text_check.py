"""Raw text is distinguished from tokenised text in every script."""

from __future__ import annotations

from pathlib import Path

import pytest

from bundled_corpus import generate, write
from demotic.errors import FormatError
from demotic.text.raw_text_check import check_raw_text, refuse_unsegmented

THAI = "ฉันอยากไปเที่ยวที่ทะเลกับเพื่อนของฉันในวันหยุด"
THAI_WORDS = "ฉัน อยาก ไป เที่ยว ที่ ทะเล กับ เพื่อน ของ ฉัน ใน วัน หยุด"


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("corpus")
    write(generate(3, train=200, dev=2, test=2), folder)
    return folder


@pytest.mark.parametrize(
    ("name", "unsegmented", "raw"),
    [
        ("raw/train.zh", True, True),
        ("raw/train.en", False, True),
        ("tok/train.zh", False, False),
        ("tok/train.en", False, False),
    ],
)
def test_the_bundled_corpus(corpus: Path, name: str, unsegmented: bool, raw: bool) -> None:
    look = check_raw_text(corpus / name)
    assert (look.is_unsegmented, look.is_raw) == (unsegmented, raw)


@pytest.mark.parametrize(
    ("line", "unsegmented", "raw"),
    [
        ("私は昨日友達と一緒に映画を見ました。", True, True),
        ("私 は 昨日 友達 と 一緒 に コンピューター を 見 まし た 。", False, False),
        (THAI, True, True),
        (THAI_WORDS, False, False),
        ("다음 주에 서울에 갑니다.", False, True),
        ("다음 주에 서울에 갑니다 .", False, False),
        ("Он живёт в Москве.", False, True),
        ("no punctuation here", False, False),
        ("he came at 5 p.m. yesterday .", False, False),
        ("你好", False, False),  # too short to tell
        ("", False, False),
    ],
)
def test_lines(tmp_path: Path, line: str, unsegmented: bool, raw: bool) -> None:
    path = tmp_path / "text"
    path.write_text(f"{line}\n" * 20, encoding="utf-8")
    look = check_raw_text(path)
    assert (look.is_unsegmented, look.is_raw) == (unsegmented, raw)


def test_some_raw_lines_are_no_raw_text(tmp_path: Path) -> None:
    path = tmp_path / "text"
    path.write_text("Raw.\n" * 9 + "cut .\n" * 11, encoding="utf-8")
    assert not check_raw_text(path).is_raw
    path.write_text("Raw.\n" * 4, encoding="utf-8")
    assert not check_raw_text(path).is_raw


def test_messages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("t.zh").write_text("他把书放在桌子上。\n" * 10, encoding="utf-8")
    Path("t.en").write_text("He put the book on the table.\n" * 10, encoding="utf-8")
    warnings: list[str] = []
    advice = (
        "run: demotic prepare --src-lang zh --tgt-lang L t.zh t.en -o DIR, and build from its "
        "files; or demotic make, which does everything"
    )
    with pytest.raises(FormatError) as caught:
        refuse_unsegmented("t.zh", "t.en", languages=("zh", ""), force=False, warn=warnings.append)
    assert str(caught.value) == (
        "t.zh is not segmented into words: 100 % of its lines have whole clauses without a space, "
        "as in '他把书放在桌子上。'; expected words separated by spaces "
        f"({advice}; --force uses the text as it is)"
    )
    assert warnings == []
    refuse_unsegmented("t.zh", "t.en", languages=("zh", ""), force=True, warn=warnings.append)
    assert len(warnings) == 1
    assert warnings[0].endswith(
        "; t.en looks like raw text: in 100 % of its lines punctuation is attached to the last "
        f"word, as in 'table.', which makes it a different word ({advice})"
    )
