"""For any input, one line is written per line read, and lists can be read back."""

from __future__ import annotations

import io
import sys
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from demotic.cli.main import run
from demotic.search.nbest import read_nbest


class Standard:
    """Standard input or output with bytes below, as a program has it."""

    def __init__(self, data: bytes = b"") -> None:
        self.buffer = io.BytesIO(data)

    def isatty(self) -> bool:
        return False


WORDS = ["das", "haus", "ist", "klein", ".", "|||", "<s>", "</s>", "<unk>", "[X]", "&#124;", "§"]
ODD = st.one_of(
    st.lists(st.sampled_from(WORDS), max_size=12).map(lambda words: " ".join(words).encode()),
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\n")).map(str.encode),
    st.binary(max_size=30).map(lambda data: data.replace(b"\n", b"")),
)


@pytest.mark.parametrize(
    "flags",
    [
        ["phrase"],
        ["hiero"],
        ["tokens"],
        ["tokens", "--scores", "--alignment"],
        ["phrase", "--json"],
    ],
)
@settings(
    max_examples=50, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(lines=st.lists(ODD, max_size=60))
def test_lines_in_are_lines_out(
    home: Path, monkeypatch: pytest.MonkeyPatch, flags: list[str], lines: list[bytes]
) -> None:
    """The first line starts with a letter, since compressed input would be decompressed."""
    output = Standard()
    with monkeypatch.context() as patched:
        patched.setattr(sys, "stdin", Standard(b"x" + b"".join(line + b"\n" for line in lines)))
        patched.setattr(sys, "stdout", output)
        assert run(["translate", *flags, "--quiet", "--beam", "5", "--pop-limit", "5"]) == 0
    written = output.buffer.getvalue().decode()
    assert written.count("\n") == max(len(lines), 1)
    if "--scores" in flags:
        assert all(line.count("\t") == 2 for line in written.split("\n")[:-1])


@settings(
    max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(lines=st.lists(ODD, min_size=1, max_size=20))
def test_every_nbest_list_can_be_read(
    home: Path, monkeypatch: pytest.MonkeyPatch, lines: list[bytes]
) -> None:
    (home / "odd").write_bytes(b"x" + b"\n".join(lines))
    flags = ["--nbest", "4", "--nbest-file", "list", "--force", "--alignment", "--quiet"]
    output = Standard()
    with monkeypatch.context() as patched:
        patched.setattr(sys, "stdout", output)
        assert run(["translate", "tokens", "odd", *flags, "--beam", "5", "--pop-limit", "5"]) == 0
    best: dict[int, str] = {}
    for entry in read_nbest("list"):
        best.setdefault(entry.sentence, entry.text)
        assert np.isfinite(entry.score)
    written = [line.split("\t")[1] for line in output.buffer.getvalue().decode().split("\n")[:-1]]
    assert [*best.values()] == [text.replace("&#124;&#124;&#124;", "|||") for text in written]


@pytest.mark.long
@pytest.mark.parametrize("model", ["phrase", "hiero", "tokens"])
def test_a_hundred_thousand_lines(home: Path, monkeypatch: pytest.MonkeyPatch, model: str) -> None:
    random = Random(1)

    def line() -> bytes:
        if random.random() < 0.2:
            return random.randbytes(random.randrange(40)).replace(b"\n", b"")
        return " ".join(random.choices(WORDS, k=random.randrange(15))).encode()

    output = Standard()
    text = b"x" + b"".join(line() + b"\n" for _ in range(100_000))
    with monkeypatch.context() as patched:
        patched.setattr(sys, "stdin", Standard(text))
        patched.setattr(sys, "stdout", output)
        assert run(["translate", model, "--quiet", "--beam", "5", "--pop-limit", "5"]) == 0
    assert output.buffer.getvalue().count(b"\n") == 100_000
