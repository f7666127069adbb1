"""`demotic serve` as a process: it starts, says where, answers, and stops gently."""

from __future__ import annotations

import json
import platform
import re
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.search.small_models import token_model
from tests.serve.test_service import SENTENCE, TRANSLATION

COMMAND = [sys.executable, "-m", "demotic", "serve"]


@contextmanager
def serving(*arguments: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """The process and its address."""
    with subprocess.Popen(
        [*COMMAND, *arguments, "--port", "0"], stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stderr is not None
        try:
            for line in process.stderr:
                if found := re.search(r"open (http://\S+)/ in a browser", line):
                    yield process, found[1]
                    break
        finally:
            process.kill()


def refused(*arguments: str) -> str:
    command = [*COMMAND, *arguments]
    done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=60)
    assert done.returncode in (1, 2)
    assert "Traceback" not in done.stderr
    return done.stderr


@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGTERM])
def test_it_translates_until_it_is_stopped(phrase_home: Path, stop: signal.Signals) -> None:
    with serving(str(phrase_home), "--threads", "1") as (process, url):
        body = json.dumps({"q": SENTENCE, "source": "de", "target": "en"}).encode()
        with urllib.request.urlopen(f"{url}/translate", body, timeout=20) as answer:
            assert json.loads(answer.read()) == {"translatedText": TRANSLATION}
        process.send_signal(stop)
        _, log = process.communicate(timeout=20)
        assert process.returncode == 0
    (line,) = [json.loads(one) for one in log.splitlines() if one.startswith("{")]
    assert (line["path"], line["status"], line["pair"]) == ("/translate", 200, "de-en")


def test_other_machines_need_a_key(phrase_home: Path, tmp_path: Path) -> None:
    message = refused(str(phrase_home), "--host", "0.0.0.0")
    assert "give --key-file FILE, or --without-keys" in message
    (tmp_path / "keys").write_text("\n \n", encoding="utf-8")
    assert "no keys; expected one key per line" in refused(
        str(phrase_home), "--key-file", str(tmp_path / "keys")
    )


def test_a_taken_port(phrase_home: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        message = refused(str(phrase_home), "--port", port)
    assert f"127.0.0.1 port {port}: the address cannot be used (Address already in use)" in message


def test_a_model_without_languages(tmp_path: Path) -> None:
    model = token_model(tmp_path)
    message = refused(str(model.path))
    assert "expected source_language and target_language" in message
    assert "serve it as de-en=" in message
    with serving(f"de-en={model.path}") as (_, url):
        request = f"{url}/translate?source=de&target=en&text=das%20haus%20ist%20alt%20."
        with urllib.request.urlopen(request, timeout=20) as answer:
            assert json.loads(answer.read()) == {"translation": "the house is old ."}


FREED = """
from pathlib import Path
from demotic.cli.serve import _return_large_blocks

def resident():
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096

_return_large_blocks()
bytearray(30_000_000)
begin, large, small = resident(), [], []
for _ in range(40):
    large.append(bytes(1_000_000).replace(b"\\0", b"a"))
    small.append(bytearray(10_000))
large.clear()
print(resident() - begin)
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="the C library is not glibc")
def test_large_blocks_are_returned_to_the_system() -> None:
    command = [sys.executable, "-c", FREED]
    done = subprocess.run(command, check=True, capture_output=True, text=True, timeout=60)
    assert int(done.stdout) < 10_000_000  # 41 million otherwise


def test_no_model() -> None:
    assert "no such directory" in refused("nowhere")
    assert "Missing argument" in refused() or "MODEL" in refused()
