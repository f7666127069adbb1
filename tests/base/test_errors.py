"""Errors keep their fields across the language boundary and are worded as specified."""

from __future__ import annotations

import _thread
import errno
import pickle
import threading
from pathlib import Path

import pytest

import demotic
from demotic._core import (
    Container,
    ContainerWriter,
    EncodingErrors,
    LineParser,
    Lines,
    VocabularyBuilder,
)
from tests.base import forge


def lines_of(*texts: str) -> Lines:
    lines = Lines()
    for text in texts:
        lines.append(text)
    return lines


def test_every_field_arrives() -> None:
    parser = LineParser("corpus.de", EncodingErrors.refuse, False)
    with pytest.raises(demotic.FormatError) as caught:
        parser.feed(b"a\nb \xff c\n")
    error = caught.value
    assert (error.path, error.line) == ("corpus.de", 2)
    assert error.found == "byte 0xFF at position 3, which is not UTF-8"
    assert error.expected == "UTF-8 text"
    assert error.advice.startswith("convert the file with iconv")
    assert str(error) == (
        "corpus.de line 2: byte 0xFF at position 3, which is not UTF-8; expected UTF-8 text "
        "(convert the file with iconv, or give --encoding-errors replace or skip)"
    )


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({}, "x"),
        ({"path": "p"}, "p: x"),
        ({"line": 3}, "line 3: x"),
        ({"path": Path("p"), "line": 3}, "p line 3: x"),
        ({"expected": "y"}, "x; expected y"),
        ({"advice": "z"}, "x (z)"),
        ({"path": "p", "line": 3, "expected": "y", "advice": "z"}, "p line 3: x; expected y (z)"),
    ],
)
def test_message_is_put_together_from_what_applies(fields: dict[str, object], message: str) -> None:
    assert str(demotic.Error("x", **fields)) == message  # type: ignore[arg-type]


def test_every_kind_is_an_error() -> None:
    for kind in (demotic.FormatError, demotic.InputError, demotic.ModelError, demotic.IoError):
        assert issubclass(kind, demotic.Error)
        with pytest.raises(demotic.Error):
            raise kind("x")


def test_io_error_is_an_os_error_with_its_number(tmp_path: Path) -> None:
    path = str(tmp_path / "missing")
    with pytest.raises(OSError, match="No such file") as caught:
        Container(path, "thing", 1)
    assert isinstance(caught.value, demotic.IoError)
    assert caught.value.errno == errno.ENOENT
    assert caught.value.path == path
    assert str(caught.value) == f"{path}: the file cannot be opened (No such file or directory)"


def test_errors_go_to_other_processes_and_come_back() -> None:
    for error in (
        demotic.FormatError("x", path="p", line=3, expected="y", advice="z"),
        demotic.IoError("x", path="p", errno=errno.ENOSPC),
    ):
        again = pickle.loads(pickle.dumps(error))  # noqa: S301 - made above
        assert type(again) is type(error)
        assert str(again) == str(error)
        assert vars(again) == vars(error)
        assert getattr(again, "errno", None) == getattr(error, "errno", None)


def test_standard_exceptions_of_the_core_are_those_of_python(tmp_path: Path) -> None:
    with pytest.raises(IndexError, match="no word has this id"):
        VocabularyBuilder().finish().word(99)
    with pytest.raises(IndexError):
        Lines()[0]
    with pytest.raises(ValueError, match="1 to 16 bytes"):
        ContainerWriter(str(tmp_path / "f"), "a name that is far too long", 1)
    with pytest.raises(TypeError):
        VocabularyBuilder().add(7)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        LineParser("f", EncodingErrors.refuse, keep_tabs=False).feed("text")  # type: ignore[arg-type]


def test_an_interrupted_call_raises_keyboard_interrupt(tmp_path: Path) -> None:
    forge.endless_container(tmp_path / "f", "thing", 1 << 36)
    container = Container(str(tmp_path / "f"), "thing", 1)
    timer = threading.Timer(0.1, _thread.interrupt_main)
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        container.verify()
    timer.join()


def test_names_of_the_package_are_found_when_asked_for() -> None:
    assert set(demotic.__all__) <= set(dir(demotic))
    for name in demotic.__all__:
        assert getattr(demotic, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'Nothing'"):
        _ = demotic.Nothing  # type: ignore[attr-defined]
