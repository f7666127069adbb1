"""The final output of verbs that write something: what was made, its size, and what to do next."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from demotic.cli.program import program
from demotic.options import kind_name
from demotic.sizes import bytes_text, model_bytes
from demotic.suggestions import quoted

if TYPE_CHECKING:
    from demotic.model import Model

__all__ = [
    "file_text",
    "model_next",
    "model_steps",
    "model_text",
    "next_text",
    "score_change",
]


def model_text(model: Model) -> str:
    """A model in two lines."""
    info = model.info
    languages = f" from {info.source_language} to {info.target_language}"
    named = languages if info.source_language and info.target_language else ""
    sizes = [model.rules.size_text, f"{len(model.vocabulary):,} words"]
    count = sum(info.parts.models)
    sizes.append("1 language model" if count == 1 else f"{count} language models")
    if model.sparse is not None:
        sizes.append(f"{len(model.sparse):,} sparse features")
    sizes.append(bytes_text(model_bytes(model)))
    return f"{model.path}: {kind_name(info.kind)} model{named}\n  {', '.join(sizes)}"


def file_text(path: str | Path, what: str) -> str:
    """A written file, its content and its size."""
    return f"{path}: {what}, {bytes_text(Path(path).stat().st_size)}"


def model_next(
    model: Model, *, tuned: bool = False, dev: Sequence[str] = ()
) -> list[tuple[str, str]]:
    """What to do with a new model: a purpose and a command each.

    `dev` has the flags of `demotic tune` for the dev set, if its files are known.
    """
    info, path = model.info, quoted(model.path)
    steps = model_steps(model.path, info.source_language)
    if not tuned:
        source = f"dev.{info.source_language}" if info.source_language else "DEV_SOURCE"
        reference = f"dev.{info.target_language}" if info.target_language else "DEV_REFERENCE"
        flags = " ".join(dev or ("--src", source, "--ref", reference))
        steps.append(("tune", f"demotic tune {path} {flags} -o {path}-tuned"))
    return [*steps, ("show details", f"demotic info {path}")]


def model_steps(
    path: str | Path, language: str, *, raw: bool = True, explain: bool = False
) -> list[tuple[str, str]]:
    """What every model can do."""
    text = f"FILE.{language}" if language else "FILE"
    steps = [("translate", f"demotic translate {quoted(path)} < {text}")]
    if explain:
        sentence = "SENTENCE" if raw else "TOKENISED SENTENCE"
        steps.append(("explain", f"demotic explain {quoted(path)} '{sentence}'"))
    return steps


def score_change(metric: str, before: float, after: float) -> str:
    """Scores before and after learning, such as "BLEU 28.08 before, 28.97 after (+0.89)"."""
    return f"{metric} {before:.2f} before, {after:.2f} after ({after - before:+.2f})"


def next_text(steps: Sequence[tuple[str, str]]) -> str:
    """The commands with their purpose, one per line, with the name this program was called by."""
    width = max(len(reason) for reason, _ in steps)
    name = f"{quoted(program())} "
    lines = [(reason, re.sub(r"\Ademotic ", lambda _: name, line)) for reason, line in steps]
    return "\n".join(["next:", *(f"  {reason:<{width}}  {line}" for reason, line in lines)])
