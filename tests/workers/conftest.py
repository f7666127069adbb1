"""Models for work that is divided, and workers to which things happen."""

from __future__ import annotations

import os
import random
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

import demotic.workers.opening
from demotic.features.dense import Kind
from demotic.workers.driver import Driver
from demotic.workers.local import LocalTransport
from demotic.workers.messages import Answer, Lost
from tests.learn.untuned import untuned, write_dev
from tests.search.small_models import prepared_model, token_model
from tests.workers.chaos import chaotic

Use = Callable[[str], list[str]]
KINDS: tuple[Kind, ...] = ("phrase", "hiero")


@pytest.fixture(scope="session")
def models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Models `phrase`, `hiero` and `tokens`, and the first two with bad weights."""
    folder = tmp_path_factory.mktemp("models")
    for kind in KINDS:
        untuned(prepared_model(folder, kind), folder / f"untuned-{kind}")
    token_model(folder)
    return folder


@pytest.fixture
def home(models: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with models and a text of 60 lines, some empty."""
    for path in models.iterdir():
        (tmp_path / path.name).symlink_to(path)
    write_dev(tmp_path)
    draw = random.Random(3)
    words = "das haus ist alt . ich sehe heute kind unbekannt".split()
    lines = [" ".join(draw.choices(words, k=draw.randrange(9))) for _ in range(60)]
    (tmp_path / "text.de").write_text("".join(f"{line}\n" for line in lines))
    monkeypatch.chdir(tmp_path)
    return tmp_path


class KilledTransport(LocalTransport):
    """Kills a process after the first result."""

    def __init__(self, count: int) -> None:
        super().__init__(count)
        self.killed: list[int] = []

    def receive(self, seconds: float) -> list[Answer | Lost]:
        found = super().receive(seconds)
        if not self.killed and any("digest" in _head(one) for one in found):
            self.killed = self.processes()[:1]
            os.kill(self.killed[0], signal.SIGKILL)
        return found


def _head(event: Answer | Lost) -> dict[str, object]:
    return event.message.head if isinstance(event, Answer) else {}


@pytest.fixture
def use(monkeypatch: pytest.MonkeyPatch) -> Use:
    """Lets --workers mean chaos, or processes of which one is killed; returns what is said."""

    def replaced(kind: str) -> list[str]:
        said: list[str] = []

        def opened(name: str, **_: object) -> Driver:
            if kind == "chaos":
                return chaotic(3, 5, said.append)
            return Driver(KilledTransport(2), notify=said.append)

        monkeypatch.setattr(demotic.workers.opening, "open_workers", opened)
        return said

    return replaced
