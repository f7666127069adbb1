"""The tour: the bundled corpus written as raw text, and a translator made of it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from demotic.demo.corpus import REFERENCES, generate
from demotic.demo.files import write
from demotic.pipeline import MakeOptions, MakeOrder, run_order

if TYPE_CHECKING:
    from demotic.pipeline import Made
    from demotic.pipeline.progress import Progress

__all__ = ["order", "run"]


def order(folder: Path, *, seed: int, threads: int) -> MakeOrder:
    """Both kinds of model from the raw text in `folder/corpus`, with four references."""

    def text(name: str) -> Path:
        return folder / "corpus" / "raw" / name

    def held_out(part: str) -> list[tuple[Path, Path]]:
        return [(text(f"{part}.zh"), text(f"{part}.en.{k}")) for k in range(REFERENCES)]

    return MakeOrder(
        inputs=(text("train.zh"), text("train.en")),
        source_language="zh",
        target_language="en",
        out=folder / "zh-en",
        dev=held_out("dev"),
        test=held_out("test"),
        options=MakeOptions(kind="best", seed=seed),
        threads=threads,
    )


def run(
    folder: Path, *, seed: int, threads: int, force: bool = False, progress: Progress | None = None
) -> Made:
    """Writes the corpus, whose bytes the seed decides, and makes the translator or resumes it."""
    write(generate(seed), folder / "corpus")
    return run_order(order(folder, seed=seed, threads=threads), force=force, progress=progress)
