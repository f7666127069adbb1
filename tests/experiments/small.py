"""A small experiment for tests."""

from __future__ import annotations

from pathlib import Path

__all__ = ["FILE", "Counting", "written"]

FILE = """\
title = "Small"
baseline = "untuned"

[corpus]
train = 300
dev = 20
test = 12

[models.phrase]

[all]
search.beam_size = 4
search.pop_limit = 12
tune.rounds = 2
tune.nbest = 20
tune.min_bleu = 0.0

[systems.untuned]

[systems.mira]
tune.method = "mira"

[[tables]]
title = "Scores"
columns = ["dev", "test", "gain", "p"]
"""


def written(folder: Path, *changes: tuple[str, str], more: str = "") -> str:
    """The file with some of its text replaced, and more at its end."""
    text = FILE
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    path = folder / "small.toml"
    path.write_text(text + more, encoding="utf-8")
    return str(path)


class Counting:
    """Records which stages ran, and warnings."""

    def __init__(self) -> None:
        self.stages: list[str] = []
        self.warnings: list[str] = []

    def plan(self, stages: object) -> None: ...

    def stage(self, name: str):  # type: ignore[no-untyped-def]
        from contextlib import contextmanager

        @contextmanager
        def shown():  # type: ignore[no-untyped-def]
            self.stages.append(name)
            yield lambda share, remark="": None

        return shown()

    def done(self, text: str) -> None: ...

    def warn(self, text: str) -> None:
        self.warnings.append(text)
