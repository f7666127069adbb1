"""Workers on a Ray cluster, or in a Ray that is started on this machine (extra `cluster`).

Each worker is a Ray actor with one processor.  Ray carries bytes and JSON texts; the class of the
actor is found by name on each machine, where the same wheel must be installed.  Anyone who reaches
a cluster without authentication can run code on it, so one of several machines is refused unless it
asks for tokens (RAY_AUTH_MODE=token).
"""

from __future__ import annotations

import json
import os
import secrets
import tempfile
import time
import warnings
from pathlib import Path
from typing import Any

from demotic.allowed_code import ALLOW_CODE
from demotic.counts import counted
from demotic.errors import Error
from demotic.steps import file_digest
from demotic.workers.content import Content, SharedFiles, same_content, shared_in
from demotic.workers.messages import Answer, Lost, Message
from demotic.workers.worker import Worker

__all__ = ["RayTransport", "RayWorker"]

_CHUNK = 64 << 20  # bytes of a shared file per object in Ray's store
_MODE = "RAY_AUTH_MODE"


def _ray() -> Any:
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")  # it would warn otherwise
    try:
        import ray
    except ImportError:
        raise Error(
            "the Python package ray is not installed",
            expected="it for --workers ray",
            advice="pip install 'demotic[cluster]'",
        ) from None
    return ray


class RayTransport:
    """`address`: ray://HOST:PORT, or None for a Ray of its own; `count` 0: all processors."""

    place = None

    def __init__(self, address: str | None, count: int = 0) -> None:
        if address is None:
            _authenticate()
        self._ray = _ray()
        self._address, self._count = address, count
        self._files = SharedFiles()
        self._stored: dict[str, dict[str, list[Any]]] = {}  # objects by digest and file name
        self._actors: dict[str, Any] = {}
        self._asked: dict[Any, str] = {}  # worker by the reference of its answer

    def start(self, files: SharedFiles) -> list[str]:
        self._files = files
        _connect(self._ray, self._address, self._count)
        _refuse_open(self._ray)
        count = self._count or int(self._ray.cluster_resources().get("CPU", 1))
        names = [str(number + 1) for number in range(count)]
        for name in names:
            self.restart(name)
        self._refuse_open_workers()
        return names

    def restart(self, worker: str) -> bool:
        make = self._ray.remote(RayWorker)
        self._actors[worker] = make.options(num_cpus=1, max_restarts=0).remote()
        return True

    def send(self, worker: str, message: Message) -> None:
        text = json.dumps({"id": message.id, "head": message.head})
        places = {digest: self._place(digest) for digest in shared_in(message.head)}
        asked = self._actors[worker].handle.remote(text, message.data, places)
        self._asked[asked] = worker

    def receive(self, seconds: float) -> list[Answer | Lost]:
        if not self._asked:
            time.sleep(seconds)
            return []
        asked = list(self._asked)
        ready, _ = self._ray.wait(asked, num_returns=1, timeout=seconds)
        more, _ = self._ray.wait(asked, num_returns=len(asked), timeout=0)
        found: list[Answer | Lost] = []
        for one in dict.fromkeys([*ready, *more]):
            worker = self._asked.pop(one, None)
            if worker is not None and (event := self._event(worker, one)) is not None:
                found.append(event)
        return found

    def close(self) -> None:
        self._ray.shutdown()

    def kill(self, worker: str) -> None:
        """Ends a worker as a failing machine would."""
        self._ray.kill(self._actors[worker])

    def _event(self, worker: str, asked: Any) -> Answer | Lost | None:
        try:
            text, data = self._ray.get(asked)
        except self._ray.exceptions.RayActorError as error:
            lost = [one for one, name in self._asked.items() if name == worker]
            for one in lost:
                del self._asked[one]
            return Lost(worker, str(error).strip().splitlines()[0])
        if text is None:  # no answer is expected, as to changes of actors
            return None
        parsed = json.loads(text)
        return Answer(worker, Message(parsed["id"], parsed["head"], data))

    def _place(self, digest: str) -> tuple[str, dict[str, str], dict[str, list[Any]]]:
        """Where a machine finds shared files: the path if it has it too, else objects of Ray."""
        content = self._files.known[digest]
        if digest not in self._stored:
            self._stored[digest] = {name: self._put(content.path / name) for name in content.files}
        return str(content.path), dict(content.files), self._stored[digest]

    def _put(self, path: Path) -> list[Any]:
        with open(path, "rb") as file:
            return [self._ray.put(data) for data in iter(lambda: file.read(_CHUNK), b"")]

    def _refuse_open_workers(self) -> None:
        modes = self._ray.get([actor.authentication.remote() for actor in self._actors.values()])
        if len(_machines(self._ray)) > 1 and set(modes) != {"token"}:
            raise _open_cluster(len(_machines(self._ray)))


class RayWorker:
    """The actor: a worker that gets shared files from Ray's store."""

    def __init__(self) -> None:
        os.environ[ALLOW_CODE] = "1"  # the driver, which opened the same model, has asked the user
        self._places: dict[str, tuple[str, dict[str, str], dict[str, list[Any]]]] = {}
        self._found: dict[str, str] = {}
        self._folder = tempfile.mkdtemp(prefix="demotic-shared-")
        self._worker = Worker(self._find)

    def authentication(self) -> str:
        return _authentication()

    def handle(self, text: str, data: bytes, places: dict[str, Any]) -> tuple[str | None, bytes]:
        self._places |= places
        parsed = json.loads(text)
        answer = self._worker.handle(Message(parsed["id"], parsed["head"], data))
        if answer is None:
            return None, b""
        return json.dumps({"id": answer.id, "head": answer.head}), answer.data

    def _find(self, digest: str, name: str) -> str:
        if not os.path.exists(self._found.get(digest, "")):
            path, files, stored = self._places[digest]
            home = Path(self._folder) / digest / name
            self._found[digest] = (
                path
                if same_content(path, digest)
                else self._fetched(home, Content(Path(path), files), stored)
            )
        return self._found[digest]

    def _fetched(self, home: Path, content: Content, stored: dict[str, list[Any]]) -> str:
        ray = _ray()
        for name, digest in content.files.items():
            path = home / name
            path.parent.mkdir(parents=True, exist_ok=True)
            with open(path, "wb") as file:
                for one in stored[name]:
                    file.write(ray.get(one))
            if file_digest(path) != digest:
                raise Error("a shared file that is damaged", path=path, expected=digest)
        return str(home)


def _authenticate() -> None:
    """Gives the Ray of this process a token of its own, before Ray reads its settings."""
    os.environ.setdefault(_MODE, "token")
    if not {"RAY_AUTH_TOKEN", "RAY_AUTH_TOKEN_PATH"} & os.environ.keys():
        os.environ["RAY_AUTH_TOKEN"] = secrets.token_hex(32)


def _connect(ray: Any, address: str | None, count: int) -> None:
    more: dict[str, Any] = {"num_cpus": count} if address is None and count else {}
    if address is None:
        more |= {"include_dashboard": False}
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    try:
        with warnings.catch_warnings(action="ignore"):  # the error says the same
            ray.init(address=address or "local", log_to_driver=False, logging_level="ERROR", **more)
    except Exception as error:  # Ray has no common class of what can go wrong here
        raise Error(
            f"no Ray {'at ' + address if address else 'on this machine'}: "
            f"{str(error).strip().splitlines()[0]}",
            expected="a running cluster with the same version of Ray, and its token",
            advice="see docs/howto/cluster.md",
        ) from None


def _machines(ray: Any) -> set[str]:
    return {node["NodeManagerAddress"] for node in ray.nodes() if node["Alive"]}


def _authentication() -> str:
    from ray._private.authentication.authentication_utils import is_token_auth_enabled

    return "token" if is_token_auth_enabled() else "disabled"


def _refuse_open(ray: Any) -> None:
    machines = len(_machines(ray))
    if machines > 1 and _authentication() != "token":
        ray.shutdown()
        raise _open_cluster(machines)


def _open_cluster(machines: int) -> Error:
    return Error(
        f"a cluster of {counted(machines, 'machine')} without authentication",
        expected=f"{_MODE}=token on every machine",
        advice="set it, generate a token with `ray get-auth-token --generate`, give all machines "
        "the token and start the cluster again",
    )
