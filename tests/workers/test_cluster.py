"""Workers of Ray: who may join, where files come from, and the same results if one is killed."""

from __future__ import annotations

import importlib.util
import json
import os
import secrets
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from demotic.cli.main import run
from demotic.errors import Error
from demotic.workers import cluster, registry
from demotic.workers.content import content_of
from tests.workers.on_ray import COMMANDS

ROOT = Path(__file__).parents[2]
needs_ray = pytest.mark.skipif(
    importlib.util.find_spec("ray") is None, reason="the package ray is not installed"
)


def test_without_ray_there_is_advice(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    monkeypatch.setattr(os, "environ", os.environ.copy())
    assert run(["translate", "tokens", "text.de", "--workers", "ray:2", "--quiet"]) == 2
    assert "ray is not installed; expected it for --workers ray (pip install" in (
        capsys.readouterr().err
    )


def _ray(*addresses: str) -> Any:
    nodes = [{"NodeManagerAddress": one, "Alive": one != "dead"} for one in addresses]
    return SimpleNamespace(nodes=lambda: nodes, shutdown=lambda: None, get=lambda value: value)


def test_an_open_cluster_of_several_machines_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    mode = ["disabled"]
    monkeypatch.setattr(cluster, "_authentication", lambda: mode[0])
    cluster._refuse_open(_ray("10.0.0.1", "10.0.0.1", "dead"))  # one machine
    with pytest.raises(
        Error, match=r"a cluster of 2 machines without authentication; expected RAY"
    ):
        cluster._refuse_open(_ray("10.0.0.1", "10.0.0.2"))
    mode[0] = "token"
    cluster._refuse_open(_ray("10.0.0.1", "10.0.0.2"))


@pytest.mark.parametrize("modes", [["disabled", "token"], ["token", "token"]])
def test_workers_without_tokens_are_refused_too(modes: list[str]) -> None:
    """A client with a token can join a cluster that does not ask for it."""
    transport = object.__new__(cluster.RayTransport)
    transport._ray = _ray("10.0.0.1", "10.0.0.2")
    transport._actors = {
        mode: SimpleNamespace(authentication=SimpleNamespace(remote=lambda mode=mode: mode))
        for mode in modes
    }
    if "disabled" not in modes:
        transport._refuse_open_workers()
        return
    with pytest.raises(Error, match="without authentication"):
        transport._refuse_open_workers()


@pytest.mark.parametrize("damaged", [False, True])
def test_files_that_a_machine_does_not_have_come_from_the_store(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, damaged: bool
) -> None:
    monkeypatch.setattr(cluster, "_ray", _ray)
    content = content_of(home / "tokens")
    stored = {
        name: [data[:100], data[100:] + b"?" * damaged]
        for name in content.files
        for data in [(home / "tokens" / name).read_bytes()]
    }
    text = content_of(home / "text.de")
    worker = cluster.RayWorker()
    places = {
        content.digest: ("/not/here", dict(content.files), stored),
        text.digest: (str(home / "text.de"), dict(text.files), {}),
    }
    arguments = {
        "model": {"shared": content.digest, "name": "tokens"},
        "files": [{"shared": text.digest, "name": "text.de"}],
    }
    head = {"do": "run", "task": "list", "arguments": arguments}
    monkeypatch.setitem(registry.TASKS, "list", "tests.workers.tasks:list_")
    answer, data = worker.handle(json.dumps({"id": 1, "head": head}), b"", places)
    if damaged:
        assert "a shared file that is damaged" in json.loads(str(answer))["head"]["error"]
    else:
        assert json.loads(data) == {"model": sorted(content.files), "files": ["text.de"]}


def _on_ray(home: Path, result: Path, *address: str, **environment: str) -> dict[str, list[str]]:
    assert run(["align", "t.de", "t.en", "--save", "aligner", "--train-only", "--quiet"]) == 0
    done = subprocess.run(
        [sys.executable, "-m", "tests.workers.on_ray", str(home), str(result), *address],
        check=False,
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={**os.environ, **environment},
        timeout=600,
    )
    assert done.returncode == 0, done.stderr
    found: dict[str, list[str]] = json.loads(result.read_text())
    return found


def _check(found: dict[str, list[str]]) -> None:
    assert found["same"] == list(COMMANDS)
    lost = [text for text in found["said"] if "was lost" in text]
    assert len(lost) == len(COMMANDS)


@needs_ray
@pytest.mark.skipif(sys.platform == "win32", reason="Ray's support of Windows is experimental")
def test_a_ray_of_two_workers_of_which_one_is_killed(home: Path, tmp_path: Path) -> None:
    _check(_on_ray(home, tmp_path / "result.json"))


@pytest.mark.long
@needs_ray
@pytest.mark.skipif(sys.platform == "win32", reason="Ray's support of Windows is experimental")
def test_a_cluster_with_tokens(home: Path, tmp_path: Path) -> None:
    environment = {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": secrets.token_hex(32)}
    port, client = _free_port(), _free_port()
    command = f"ray start --head --block --port {port} --ray-client-server-port {client}"
    command += " --num-cpus 2 --include-dashboard false --disable-usage-stats"
    head = subprocess.Popen(
        [Path(sys.executable).parent / "ray", *command.split()[1:]],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={**os.environ, **environment},
    )
    try:
        _wait_for(client)
        address = f"ray://127.0.0.1:{client}"
        _check(_on_ray(home, tmp_path / "result.json", address, **environment))
    finally:
        head.send_signal(signal.SIGTERM)
        head.wait(60)


def _free_port() -> int:
    """Above those that Ray gives to its workers."""
    for port in range(20_000 + os.getpid() % 1000, 60_000):
        with socket.socket() as one:
            if one.connect_ex(("127.0.0.1", port)) != 0 and port not in _given:
                _given.append(port)
                return port
    raise AssertionError("no free port")


_given: list[int] = []


def _wait_for(port: int) -> None:
    for _ in range(120):
        with socket.socket() as one:
            if one.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(1)
    raise AssertionError("Ray did not start")
