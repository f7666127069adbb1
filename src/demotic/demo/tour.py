"""The demo: write the bundled corpus as raw text and build a translator from it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from demotic.demo.corpus import REFERENCES, write_corpus
from demotic.pipeline import MakeOptions, MakeRequest, run_request

if TYPE_CHECKING:
    from demotic.pipeline import MakeResult
    from demotic.pipeline.progress import Progress

__all__ = ["request", "run"]


def request(folder: Path, *, threads: int) -> MakeRequest:
    """Both kinds of model from the raw text in `folder/corpus`, with four references; other ways of
    tuning for comparison."""

    def text(name: str) -> Path:
        return folder / "corpus" / "raw" / name

    def held_out(part: str) -> list[tuple[Path, Path]]:
        return [(text(f"{part}.zh"), text(f"{part}.en.{k}")) for k in range(REFERENCES)]

    return MakeRequest(
        inputs=(text("train.zh"), text("train.en")),
        source_language="zh",
        target_language="en",
        out=folder / "zh-en",
        dev=held_out("dev"),
        test=held_out("test"),
        # Named, so that results do not depend on which tokenisers are installed.
        options=MakeOptions(
            kind="best", story=True, tokenizer="unigram", target_tokenizer="builtin"
        ),
        threads=threads,
    )


def run(
    folder: Path, *, threads: int, force: bool = False, progress: Progress | None = None
) -> MakeResult:
    """Write the corpus to `folder/corpus` and build the translator, or resume the build."""
    write_corpus(folder / "corpus")
    return run_request(request(folder, threads=threads), force=force, progress=progress)
