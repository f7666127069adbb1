"""`demotic build`: builds a model directory from two text files."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

import click

from demotic._core import MAX_LM_ORDER
from demotic.align.options import aligners
from demotic.cli.flags import (
    example,
    force_flag,
    from_options,
    model_out_flag,
    quiet_and_json,
    refused_flag,
    threads_flag,
)
from demotic.cli.screen import Screen
from demotic.cli.worker_flags import shard_flag, started, workers_flag
from demotic.lm.estimate import LmOptions
from demotic.model.presets import DEFAULT_PRESET, PRESETS
from demotic.rules import RuleOptions

__all__ = ["command"]

_FILE = click.Path(dir_okay=False, path_type=Path)


def _use_preset(context: click.Context, name: str) -> str:
    """Its values become the defaults of flags.  They depend on the kind, so they are found late."""

    def value_of(flag: str) -> Any:
        return PRESETS[name].flags(_kind(context.params))[flag]

    flags = PRESETS[name].flags("phrase")
    context.default_map = {flag: partial(value_of, flag) for flag in flags}
    return name


def _kind(given: Mapping[str, Any]) -> Any:
    """As given, or by the languages; the parameters that they depend on are all eager."""
    if given["kind"] != "auto":
        return given["kind"]
    from demotic.model.default_kind import default_kind
    from demotic.model.prepared_text import PreparedText

    return default_kind(*PreparedText(given["src"]).languages(given["src_lang"], given["tgt_lang"]))


def _is_given(name: str) -> bool:
    source = click.get_current_context().get_parameter_source(name)
    return source is click.core.ParameterSource.COMMANDLINE


@click.command(
    epilog=example(
        "demotic build --src talks/corpus.zh --tgt talks/corpus.en -o zh-en",
        "demotic build --src t.ja --tgt t.en --kind hiero --order 5 -o ja-en",
    )
)
@click.option(
    "--src",
    required=True,
    type=_FILE,
    is_eager=True,
    help="Source side, one tokenised sentence per line.",
)
@click.option("--tgt", required=True, type=_FILE, help="Target side.")
@model_out_flag
@refused_flag("--model", lambda value: f"give the directory with -o {value}")
@click.option(
    "--src-lang",
    default="",
    metavar="L",
    is_eager=True,
    help="Source language of unprepared text.",
)
@click.option(
    "--tgt-lang",
    default="",
    metavar="L",
    is_eager=True,
    help="Target language of unprepared text.",
)
@click.option(
    "--kind",
    type=click.Choice(["auto", "phrase", "hiero"]),
    default="auto",
    show_default=True,
    is_eager=True,
    help="Phrase pairs, or rules with gaps for very different word order; auto: rules with gaps "
    "if the verb is last, or relative clauses are before the noun, in one language only, such as "
    "Japanese or Chinese to English.",
)
@click.option(
    "--preset",
    type=click.Choice(list(PRESETS)),
    default=DEFAULT_PRESET,
    show_default=True,
    is_eager=True,
    callback=lambda ctx, _, name: _use_preset(ctx, name),
    help="Cost and quality; other options override it. "
    + " ".join(f"{name}: {preset.text}." for name, preset in PRESETS.items()),
)
@click.option(
    "--align",
    metavar="MODEL[:OPTION=VALUE...][,...]",
    help="Word aligners: hmm, diagonal, ibm1, with options of demotic align such as "
    "hmm:posterior=0.4. Rules are extracted from the links of each, and counts are added up "
    "(default: hmm,diagonal).",
)
@click.option(
    "--links",
    type=_FILE,
    multiple=True,
    help="Use these word links, like 0-0 1-2, instead of aligning; repeatable for several sets.",
)
@click.option(
    "--lm-text",
    type=_FILE,
    multiple=True,
    help="Text for the language model instead of --tgt; repeatable: one language model each.",
)
@click.option(
    "--lm",
    "lms",
    type=_FILE,
    multiple=True,
    help="Use this language model, ARPA or made by demotic lm, instead of estimating one of --tgt; "
    "repeatable.",
)
@click.option(
    "--lm-mix",
    type=_FILE,
    metavar="FILE",
    help="Interpolate the language models of all --lm-text and --lm into one, with weights that "
    "minimise its perplexity on this held-out text in the target language, as tokens.",
)
@click.option(
    "--class-lm",
    "class_lms",
    metavar="CLASSES:ORDER",
    multiple=True,
    help="Add a language model of word classes, such as 200:6: the number of Brown clusters and "
    "the n-gram order; repeatable, up to three; none for no such model.",
)
@click.option(
    "--operations",
    type=click.IntRange(0, MAX_LM_ORDER),
    default=0,
    show_default=True,
    metavar="ORDER",
    help="Add an operation sequence model with n-grams of this order, such as 5, which models "
    "translation and reordering together; 0 for none (phrases).",
)
@click.option(
    "--operation-classes",
    type=click.IntRange(0),
    default=0,
    show_default=True,
    metavar="CLASSES",
    help="Model the operations of this many Brown clusters per side instead of words; 0 for words.",
)
@force_flag("Repeat every step; replace another model; accept text that is not segmented.")
@from_options(RuleOptions, "rules")
@from_options(LmOptions, "lm")
@workers_flag
@shard_flag
@click.option(
    "--after",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    metavar="FOLDER",
    help="With --shard: folder with the files of all parts of the round before. Rules are "
    "extracted, counted and scored in three rounds.",
)
@threads_flag
@quiet_and_json
def command(
    *, rules: RuleOptions, lm: LmOptions, threads: int, quiet: bool, as_json: bool, **given: Any
) -> None:
    """Build a model from parallel text: align, estimate a language model, extract rules.

    It can be interrupted; the same command resumes, and a changed option repeats only the steps
    that depend on it. Text prepared by demotic prepare keeps its preparation and languages.
    """
    from demotic.cli.final_output import model_next, model_text, next_text
    from demotic.cli.sharded_verb import shards_of
    from demotic.model.build import BuildOptions, build
    from demotic.model.class_lm import ClassLmOptions
    from demotic.model.operations import OperationOptions

    if given["links"] and _is_given("align"):
        raise click.UsageError("--links are used instead of aligning; omit --align")
    if given["after"] and not given["shard"]:
        raise click.UsageError("--after is about parts of the work; give --shard, or omit it")
    screen = Screen(quiet=quiet, as_json=as_json)
    kind = _kind(given)
    if given["shard"]:
        from demotic.cli.build_shards import write_shard

        write_shard(given, kind, rules)
        return
    options = BuildOptions(
        source=given["src"],
        target=given["tgt"],
        source_language=given["src_lang"],
        target_language=given["tgt_lang"],
        kind=kind,
        links=given["links"],
        align=aligners(given["align"]),
        lm_text=given["lm_text"],
        lms=given["lms"],
        lm_mix=given["lm_mix"],
        operations=OperationOptions(given["operations"], given["operation_classes"]),
        class_lms=ClassLmOptions.several(given["class_lms"]),
        lm=lm,
        rules=rules,
        search=PRESETS[given["preset"]].search(kind),
    )
    with started(screen, given["workers"]) as workers:
        built = build(
            options,
            given["out"],
            threads=threads,
            force=given["force"],
            progress=screen.progress,
            warn=screen.warn,
            workers=workers,
            scored=shards_of(click.get_current_context()),
        )
    if built.skipped:
        screen.note(f"already done: {', '.join(built.skipped)}")
    made = built.model
    values = {
        "model": str(made.path),
        "kind": made.kind,
        "rules": len(made.rules),
        "words": len(made.vocabulary),
        "skipped": list(built.skipped),
    }
    screen.written(values, model_text(made), next_text(model_next(made)))
