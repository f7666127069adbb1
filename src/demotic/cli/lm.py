"""`demotic lm`: estimates a language model, converts one, or mixes several."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from demotic.cli.flags import (
    ByteSize,
    example,
    force_flag,
    from_options,
    quiet_and_json,
    threads_flag,
)
from demotic.cli.screen import Screen
from demotic.cli.worker_flags import shard_flag, started, workers_flag
from demotic.lm.estimate import LmOptions, estimate_lm

if TYPE_CHECKING:
    from demotic.lm.disk import DiskEstimate
    from demotic.lm.model import LanguageModel


@click.command(
    "lm",
    epilog=example(
        "demotic lm train.en -o en.arpa --order 4",
        "demotic lm news.en -o en.lm --mix talks.lm --mix web.lm --tune-on dev.en",
        "demotic lm --from en.arpa -o en.lm --quantize 8",
    ),
)
@click.argument("texts", nargs=-1, type=click.Path(allow_dash=True))
@click.option("-o", "--out", required=True, type=click.Path(dir_okay=False), help="File to write.")
@force_flag("Replace an existing FILE.")
@from_options(LmOptions)
@click.option(
    "--from", "given", type=click.Path(), help="Read this language model instead of estimating one."
)
@click.option(
    "--mix",
    "others",
    type=click.Path(),
    multiple=True,
    help="Interpolate linearly with this language model; repeatable.",
)
@click.option(
    "--weight",
    "weights",
    type=click.FloatRange(0, 1),
    multiple=True,
    help="Interpolation weight of the first model, then of each --mix but the last, which gets the "
    "rest; repeatable.",
)
@click.option(
    "--tune-on", type=click.Path(), help="Find the weights by EM on this held-out text, as tokens."
)
@click.option(
    "--memory",
    type=ByteSize(1),
    help="Sort n-grams in this much memory, like 64M, and on disk beyond it (default: everything "
    "in memory); the model is the same.",
)
@workers_flag
@shard_flag
@threads_flag
@quiet_and_json
def command(texts: tuple[str, ...], given: str | None, **settings: Any) -> None:
    """Estimate a language model from TEXT, which has one tokenised sentence per line.

    The model is modified Kneser-Ney, as estimated by KenLM's lmplz. The output is ARPA if the name
    ends in .arpa or .arpa.gz, else a binary file that opens at once.
    """
    from demotic.cli.sharded_verb import shards_of
    from demotic.outputs import fresh_folders, refuse_file

    screen = Screen(quiet=settings["quiet"], as_json=settings["as_json"])
    _check(texts, given, settings)
    if settings["shard"]:
        _write_shard(texts, settings)
        return
    out, options = settings["out"], settings["options"]
    refuse_file(out, force=settings["force"])
    if settings["memory"] or settings["workers"] or shards_of(click.get_current_context()):
        _estimate_on_disk(texts, out, settings, screen)
        return
    model = _first(texts, given, replace(options, quantize="none"), screen)
    weights: list[float] = []
    if settings["others"]:
        model, weights = _mixed(model, settings, screen)
    if options.quantize != "none":
        model = model.quantized()
    with fresh_folders(Path(out).parent), screen.progress("writing"):
        model.save(out, threads=settings["threads"])
    _report(screen, model, out, weights)


def _check(texts: tuple[str, ...], given: str | None, settings: dict[str, Any]) -> None:
    if bool(texts) == bool(given):
        raise click.UsageError("give either text or --from MODEL")
    _check_mixture(settings)
    if settings["shard"] and "-" in texts:
        raise click.UsageError("--shard reads the text in every job; give a file")
    for name in ("memory", "workers", "shard"):
        if settings[name] and (given or settings["others"]):
            raise click.UsageError(f"--{name} is about estimation from text alone")
    if settings["options"].quantize != "none" and _is_arpa(settings["out"]):
        raise click.UsageError(
            "--quantize applies to binary models; give -o another name than .arpa"
        )


def _check_mixture(settings: dict[str, Any]) -> None:
    others, weights, tune_on = settings["others"], settings["weights"], settings["tune_on"]
    if not others:
        if weights or tune_on is not None:
            raise click.UsageError("--weight and --tune-on require --mix")
        return
    if bool(weights) == (tune_on is not None):
        raise click.UsageError("--mix needs either --weight or --tune-on.")
    if weights and len(weights) != len(others):
        raise click.UsageError(
            f"{len(others)} of --mix need as many weights (the last model gets the rest), "
            f"got {len(weights)}"
        )
    if math.fsum(weights) > 1:
        raise click.UsageError(f"the weights add up to {math.fsum(weights):g}; at most 1")


def _is_arpa(out: str) -> bool:
    return out.endswith((".arpa", ".arpa.gz"))


def _first(
    texts: tuple[str, ...], given: str | None, options: LmOptions, screen: Screen
) -> LanguageModel:
    from demotic.lines import display_name
    from demotic.lm.model import LanguageModel
    from demotic.lm.text import encode_text
    from demotic.text.wordless import refuse_wordless

    if given:
        with screen.progress("reading"):
            return LanguageModel.load(given)
    with screen.progress("reading"):
        text = encode_text(texts)
    refuse_wordless(text.corpus, " and ".join(map(display_name, texts)))
    with screen.progress("estimating") as advance:
        model = estimate_lm(text, options, progress=advance)
    _note_fallback(model, screen)
    return model


def _estimate_on_disk(
    texts: tuple[str, ...], out: str, settings: dict[str, Any], screen: Screen
) -> None:
    from demotic.cli.sharded_verb import shards_of
    from demotic.lm.disk import DEFAULT_MEMORY, estimate_on_disk
    from demotic.outputs import fresh_folders

    shards = shards_of(click.get_current_context())
    with (
        fresh_folders(Path(out).parent),
        started(screen, settings["workers"]) as workers,
        screen.progress("estimating") as advance,
    ):
        found = estimate_on_disk(
            texts,
            out,
            settings["options"],
            memory=settings["memory"] or DEFAULT_MEMORY,
            threads=settings["threads"],
            workers=workers,
            counted=(one.parts["ngrams"] for one in shards) if shards else None,
            progress=advance,
        )
    _note_fallback(found, screen)
    _report(screen, found, out, [])


def _write_shard(texts: tuple[str, ...], settings: dict[str, Any]) -> None:
    """Counts the n-grams of one part for demotic reduce, which estimates the model."""
    from demotic.cli.sharded_verb import ShardOutput, plain_params
    from demotic.lm.disk import DEFAULT_MEMORY, count_shard

    shard, out = settings["shard"], settings["out"]
    output = ShardOutput("lm", shard, out, ("out",), settings["force"], texts)
    memory = settings["memory"] or DEFAULT_MEMORY
    ngrams = count_shard(texts, settings["options"], shard, memory)
    output.write({"params": plain_params(click.get_current_context())}, {"ngrams": ngrams})


def _note_fallback(model: LanguageModel | DiskEstimate, screen: Screen) -> None:
    for order in model.fallback_orders:
        screen.note(f"{order}-grams: too little text to estimate discounts; using 0.5, 1 and 1.5")


def _mixed(
    model: LanguageModel, settings: dict[str, Any], screen: Screen
) -> tuple[LanguageModel, list[float]]:
    from demotic.lm.mix import mix_lms, tune_weights
    from demotic.lm.model import LanguageModel

    models = [model, *map(LanguageModel.load, settings["others"])]
    weights = [*settings["weights"], 1 - math.fsum(settings["weights"])]
    if settings["tune_on"] is not None:
        with screen.progress("tuning the weights"):
            weights = tune_weights(models, settings["tune_on"], threads=settings["threads"])
        screen.note(f"weights {', '.join(f'{one:.4f}' for one in weights)}")
    with screen.progress("mixing"):
        return mix_lms(models, weights), weights


def _report(
    screen: Screen, model: LanguageModel | DiskEstimate, out: str, weights: list[float]
) -> None:
    from demotic.cli.final_output import file_text, next_text
    from demotic.suggestions import quoted

    size = Path(out).stat().st_size
    values = {
        "file": out,
        "bytes": size,
        "order": model.order,
        "ngrams": list(model.counts),
        "discounts": [list(order) for order in model.discounts],
        "fallback_orders": list(model.fallback_orders),
        "weights": weights,
    }
    counts = " + ".join(f"{count:,}" for count in model.counts)
    what = f"language model of order {model.order}, {counts} n-grams"
    steps = [("score a text", f"demotic lm-query {quoted(out)} < FILE")]
    if _is_arpa(out):
        steps.append(("open faster", f"demotic lm --from {quoted(out)} -o MODEL.lm"))
    screen.written(values, file_text(out, what), next_text(steps))
