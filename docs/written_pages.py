"""Pages that are written at each build: tables of options, and the notebooks of `examples/`."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

from demotic.learn.methods import METHODS
from demotic.options import table

__all__ = ["notebook_page", "options_page"]

NOTEBOOKS = Path(__file__).parents[1] / "examples"
_NOTEBOOK = re.compile(r"\]\((\w+)\.ipynb\)")

# (heading, module, class)
OPTIONS = [
    ("demotic check", "demotic.text.check", "CheckOptions"),
    ("demotic prepare", "demotic.text.preparation", "PrepareOptions"),
    ("demotic align", "demotic.align.options", "AlignOptions"),
    ("demotic lm", "demotic.lm.estimate", "LmOptions"),
    ("demotic build", "demotic.rules", "RuleOptions"),
    ("demotic translate, demotic explain", "demotic.search.options", "SearchOptions"),
    ("demotic serve", "demotic.serve.options", "ServeOptions"),
    ("demotic tune", "demotic.learn.options", "TuneOptions"),
    ("demotic force", "demotic.force.options", "ForceOptions"),
    ("demotic train", "demotic.train.options", "TrainOptions"),
    *(
        (f"demotic tune --method {name} --option ...", f"demotic.learn.{module}", cls)
        for name, method in METHODS.items()
        if not method.changed
        for module, cls in [method.learner.split(".")]
    ),
    ("demotic evaluate", "demotic.metrics.options", "EvaluateOptions"),
    ("BLEU", "demotic.metrics.bleu", "BleuOptions"),
    ("TER", "demotic.metrics.ter", "TerOptions"),
    ("chrF", "demotic.metrics.chrf", "ChrfOptions"),
    ("MERT", "demotic.learn.mert", "Mert"),
    ("PRO", "demotic.learn.pro", "Pro"),
    ("MIRA", "demotic.learn.mira", "Mira"),
    ("Relative margin", "demotic.learn.rm", "RelativeMargin"),
    ("RAMPION", "demotic.learn.rampion", "Rampion"),
    ("Brown clusters", "demotic.text.brown", "BrownOptions"),
    ("Segmenter", "demotic.text.segment", "SegmenterOptions"),
]


def options_page() -> str:
    parts = ["# Options\n\nWritten from the program itself; the flags of a verb are these."]
    for heading, module, name in OPTIONS:
        options = getattr(import_module(module), name)
        rows = table(options)
        if heading.endswith("--option ..."):  # names, not flags
            rows = rows.replace("| `--", "| `")
        parts.append(f"## {heading}\n\n{options.__doc__}\n\n{rows}")
    return "\n\n".join(parts) + "\n"


def notebook_page(name: str) -> str:
    """A notebook as a page, with the outputs that are stored in it."""
    path = NOTEBOOKS / f"{name}.ipynb"
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    note = f"*This page is the notebook `examples/{path.name}`; its outputs were computed by it.*"
    first, *rest = ["\n\n".join(_cell(cell)) for cell in cells]
    return "\n\n".join([first, note, *rest]) + "\n"


def _cell(cell: dict[str, Any]) -> Iterator[str]:
    source = "".join(cell["source"])
    if cell["cell_type"] == "markdown":
        here = source.replace("](../docs/", "](")
        yield _NOTEBOOK.sub(lambda found: f"](notebook-{found[1].replace('_', '-')}.md)", here)
        return
    yield f"```python\n{source}\n```"
    for output in cell["outputs"]:
        data = output.get("data", {})
        plain = "".join(output.get("text", data.get("text/plain", "")))
        if "image/svg+xml" in data:
            yield f"```{{raw}} html\n{''.join(data['image/svg+xml'])}\n```"
        elif plain:
            yield f"```text\n{plain.rstrip()}\n```"
