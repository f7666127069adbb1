"""The stages that work on text: check it, split off dev and test sets, prepare the rest."""

from __future__ import annotations

from demotic.errors import FormatError
from demotic.lines import write_text
from demotic.pipeline.context import MakeContext
from demotic.pipeline.request import read_held_out
from demotic.pipeline.split import HeldOut, Split, draw
from demotic.steps import Steps

__all__ = ["check_stage", "prepare_stage", "split_stage"]

_DROPPED = "dropped.json"


def check_stage(context: MakeContext) -> tuple[str, ...]:
    """Refuses unusable text before any other work; returns one line per kind of finding."""
    from demotic.text.check import CheckOptions, check_pairs

    name = ", ".join(str(path) for path in context.request.inputs)
    with context.stage("check") as advance:
        report = check_pairs(
            context.request.pairs(),
            name,
            CheckOptions(show=0),
            lambda done: advance(0.0, f"{done:,} pairs"),
            (context.request.source_language, context.request.target_language),
        )
    if not report.usable:
        raise FormatError(f"the text cannot be used: {'; '.join(report.unusable)}")
    context.progress.done(f"{report.pairs:,} sentence pairs, usable")
    for warning in report.warnings:
        context.progress.warn(warning)
    kinds = sorted(report.findings.kinds.items(), key=lambda item: -item[1].count)
    return tuple(f"{kind}: {found.count:,}" for kind, found in kinds)


def split_stage(context: MakeContext) -> Split:
    """The dev and test sets, drawn or given, written as raw text."""
    options = context.request.options
    with context.stage("split") as advance:
        split = draw(
            context.request.pairs(),
            dev=read_held_out(context.request.dev) or options.dev_size,
            test=read_held_out(context.request.test) or options.test_size,
            seed=options.seed,
            progress=lambda done: advance(0.0, f"{done:,} pairs"),
        )
        _write(context, "dev", split.dev)
        _write(context, "test", split.test)
    context.progress.done(
        f"{len(split.dev):,} sentences to tune on, {len(split.test):,} to test on"
    )
    return split


def _write(context: MakeContext, name: str, part: HeldOut) -> None:
    files = context.text_files(name, len(part.references))
    for path, lines in zip(files, (part.source, *part.references), strict=True):
        with write_text(path) as file:
            file.writelines(f"{line}\n" for line in lines)


def _share(done: int, total: int, stage: str) -> float:
    """Reading, learning and writing share the stage; learning is short."""
    half = done / max(1, total) / 2
    return half if stage == "reading" else 0.5 + (half if stage == "writing" else 0)


def prepare_stage(context: MakeContext, split: Split) -> dict[str, int]:
    """The training text, cleaned and tokenised; returns the dropped pairs by reason."""
    from demotic.text.prepare import prepare

    request, folder = context.request, context.work.path("prepared")
    glossary = request.glossary()

    def work() -> None:
        with context.stage("prepare") as advance:

            def tell(done: int, total: int, stage: str) -> None:
                advance(_share(done, total or split.read, stage), f"{stage} {done:,}")

            report = prepare(
                split.training(request.pairs()),
                request.preparation,
                request.source_language,
                request.target_language,
                folder,
                tell,
            )
            if glossary is not None:  # models of the text in this folder carry it
                glossary.write(folder / "glossary.tsv")
            drawn = sum(len(one) for one in (split.dev, split.test) if not one.given)
            shared = {"shares a sentence with dev or test": max(0, split.left_out - drawn)}
            reasons = {**shared, **report.dropped}
            context.work.write(_DROPPED, {name: count for name, count in reasons.items() if count})
        context.progress.done(f"{report.kept:,} training pairs")
        if split.shared:
            context.progress.warn(
                f"{split.shared:,} training pairs have the same translation as a sentence of your "
                "dev or test set, which inflates the scores"
            )

    outputs = [folder / "preparation.toml", *context.corpus_files]
    Steps(context.work.folder).run("prepare", work, outputs=outputs, options=request.command())
    return context.work.read(_DROPPED)
