"""Sphinx settings.  The page of options is written from the options classes at each build."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

from demotic.learn.methods import METHODS
from demotic.options import table

project = "Demotic"
author = "The Demotic authors"
extensions = ["myst_parser"]
myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 3  # sections can be linked to
html_theme = "alabaster"
html_title = "Demotic"
exclude_patterns = ["_build"]

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


Path(__file__).with_name("options.md").write_text(options_page(), encoding="utf-8")
