"""Ctrl-C ends long native work at once: a child process gets SIGINT and is timed.

The goal is 0.2 s; the test allows 0.5 s for a busy machine.
"""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.base import forge

LIMIT = 0.5

PREPARE_TEXT = """
from demotic._core import *
lines = Lines()
lines.append("a b c d e f g h " * {words})
for _ in range({doublings}):
    lines.extend(lines)
words = VocabularyBuilder()
"""
SHORT_LINES = PREPARE_TEXT.format(words=4, doublings=23)  # 270 million words
LONG_LINES = PREPARE_TEXT.format(words=12_500, doublings=11)  # 200 million, 100,000 per line
ENCODE = """
words.add("a")
vocabulary = words.finish()
work = lambda: encode(vocabulary, lines, {threads})
"""
BUILD = "work = lambda: CorpusBuilder(words).add(lines)"
VERIFY = """
from demotic._core import *
container = Container({path!r}, "thing", 1)
work = container.verify
"""
RUN = """
print("ready", flush=True)
try:
    work()
    print("finished", flush=True)
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""


def latency(script: str, work_first: float = 0.2) -> float:
    """Seconds from the signal to the exception; the child has worked for `work_first` before."""
    command = [sys.executable, "-c", script + RUN]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == "ready\n"
        time.sleep(work_first)
        sent = time.monotonic()
        child.send_signal(signal.SIGINT)
        answer = child.stdout.readline()
        elapsed = time.monotonic() - sent
    assert answer == "interrupted\n"
    return elapsed


SCRIPTS = {
    "encode": SHORT_LINES + ENCODE.format(threads=1),
    "encode with threads": SHORT_LINES + ENCODE.format(threads=2),
    "encode long lines": LONG_LINES + ENCODE.format(threads=2),
    "build": SHORT_LINES + BUILD,
}


@pytest.mark.skipif(sys.platform == "win32", reason="SIGINT cannot be sent there")
@pytest.mark.parametrize("name", SCRIPTS)
def test_text_work_ends(name: str) -> None:
    assert latency(SCRIPTS[name]) < LIMIT


@pytest.mark.skipif(sys.platform == "win32", reason="SIGINT cannot be sent there")
def test_verification_ends(tmp_path: Path) -> None:
    forge.endless_container(tmp_path / "f", "thing", 1 << 36)
    assert latency(VERIFY.format(path=str(tmp_path / "f"))) < LIMIT
