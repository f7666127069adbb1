"""`demotic translate`: translates text line by line."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

import click

from demotic.cli.constraint_flags import (
    constraint_flags,
    format_flag,
    line_constraints,
    refuse_lists,
)
from demotic.cli.document_flags import document_flags, refuse_document_as_model
from demotic.cli.flags import example, given_options, quiet_and_json, threads_flag
from demotic.cli.own_costs import note_own_costs
from demotic.cli.screen import Screen
from demotic.cli.search_flags import open_decoder, search_flags
from demotic.cli.tag_flags import check_tags, tags_flag
from demotic.cli.text_flags import raw_text, text_flags
from demotic.cli.tree_flags import check_trees, trees_flag
from demotic.cli.worker_flags import shard_flags
from demotic.search.decision import DecisionOptions
from demotic.search.options import Unknown

if TYPE_CHECKING:
    from demotic.cli.translate_files import Job
    from demotic.model import Model
    from demotic.search.output import Confidences
    from demotic.search.parsed import SourceTrees
    from demotic.search.stream import LineTranslator
    from demotic.search.tagged import TokenTags
    from demotic.search.text import RawText

__all__ = ["command"]

_OUT = click.Path(dir_okay=False)


@click.command(
    epilog=example(
        "demotic translate zh-en < new.zh > new.en",
        "demotic translate zh-en monday.zh tuesday.zh -o english/",
        "demotic translate zh-en --file app.po guide.md -o english/",
        "demotic translate zh-en test.zh.gz --nbest 100 --distinct --nbest-file test.nbest.gz",
        "demotic translate zh-en --beam 50 --pop-limit 100 --scores < new.zh",
    )
)
@click.argument("model", type=click.Path())
@click.argument(
    "files", nargs=-1, type=click.Path(allow_dash=True, dir_okay=False), metavar="[FILE]..."
)
@click.option(
    "-o",
    "--out",
    type=click.Path(),
    metavar="FILE|DIR",
    help="File for the translation, or directory for those of several FILEs.",
)
@click.option(
    "--nbest",
    metavar="K",
    type=click.IntRange(1),
    help="Print the K best translations in Moses' format instead of the best one.",
)
@click.option("--distinct", is_flag=True, help="List only distinct translations.")
@click.option(
    "--nbest-file", type=_OUT, help="Write the n-best lists here (.gz: compressed) instead."
)
@click.option("--scores", is_flag=True, help="Print the score and a tab before each translation.")
@click.option(
    "--alignment",
    is_flag=True,
    help="Print word links like 0-0 1-2 and a tab before each translation; n-best: also phrases.",
)
@click.option(
    "--confidence",
    is_flag=True,
    help="Print each token with the probability that it is correct, as in house/0.93, and a tab "
    "before each translation.",
)
@click.option("--forest", type=_OUT, help="Write the search space as JSON lines (.gz: compressed).")
@click.option(
    "--allow-outside",
    is_flag=True,
    help='Allow grammars of <seg grammar="..."> outside the model directory.',
)
@click.option("--force", is_flag=True, help="Replace existing output files.")
@click.option(
    "--as-text",
    is_flag=True,
    help="Translate PO, TMX, XLIFF, HTML and similar files line by line, including markup.",
)
@click.option(
    "--unknown",
    type=click.Choice(get_args(Unknown)),
    help="What becomes of words that the model does not know: they are copied (the default), "
    "dropped (phrases), or copied in Latin letters if they are Cyrillic, Greek, kana or Hangul.",
)
@constraint_flags
@format_flag
@document_flags
@tags_flag(
    "--src-tags",
    "Tags of the source tokens, one line per line of FILE, which must be tokens.",
)
@trees_flag("--trees", "the lines of FILE")
@text_flags("src")
@search_flags
@given_options(DecisionOptions, "decision")
@shard_flags
@threads_flag
@quiet_and_json
def command(
    *,
    given: dict[str, Any],
    decision: dict[str, Any],
    quiet: bool,
    as_json: bool,
    **rest: Any,
) -> None:
    """Translate each FILE or standard input with MODEL, line by line.

    A model built from text prepared by demotic prepare reads and writes raw text; others work on
    tokens. With --src-tokenized the source is tokens and the translation is still detokenised; with
    --tokenized both are tokens. Search settings that are not given are the model's. With --json
    each line is an object with text, score, features, steps and alignment, and with --confidence
    also confidences of its words. A line like
    <seg grammar="FILE"> text </seg> is translated with the rules of FILE (hierarchical models).
    With --file, each FILE is a document, whose structure is kept.
    """
    for name, flag in (("distinct", "--distinct"), ("nbest_file", "--nbest-file")):
        if rest[name] and not rest["nbest"]:
            raise click.UsageError(f"{flag} requires an n-best list; give its length: --nbest K")
    if rest["nbest"] and decision.get("decision", "map") != "map":
        raise click.UsageError("n-best lists are ranked by score; give --decision map with --nbest")
    refuse_document_as_model(rest["model"])
    refuse_lists(rest, as_json=as_json)
    from demotic.model import Model

    screen = Screen(quiet=quiet, as_json=as_json)
    if rest["shard"] or rest["workers"]:
        _divided(screen, given, decision, rest)
    else:
        _translate(screen, Model.load(rest["model"]), given, decision, rest)


def _divided(
    screen: Screen, given: dict[str, Any], decision: dict[str, Any], rest: dict[str, Any]
) -> None:
    """One part of the text for --shard, or all parts by --workers."""
    from demotic.cli.sharded_verb import run_with_workers
    from demotic.cli.translate_shards import OUTPUTS, refuse_undivided, write_shard
    from demotic.model import Model

    refuse_undivided(rest)
    model = Model.load(rest["model"])
    if rest["shard"]:
        as_json = screen.as_json
        write_shard(lambda *own: _translate(own[0], model, given, decision, own[1]), rest, as_json)
    else:
        _jobs(model, rest)
        run_with_workers(screen, click.get_current_context(), rest["out"], OUTPUTS)


def _translate(
    screen: Screen,
    model: Model,
    given: dict[str, Any],
    decision: dict[str, Any],
    rest: dict[str, Any],
) -> None:
    from demotic.cli.translate_run import Outputs, TranslateRun

    _settle_unknown(model, given, rest["unknown"])
    if rest["documents"]:
        from demotic.cli.translate_documents import translate_documents

        chosen = DecisionOptions.for_model(model, decision)
        translate_documents(screen, model, given, chosen, rest)
        return
    work = _jobs(model, rest)
    chosen = DecisionOptions.for_model(model, decision)
    alone = chosen.decision == "combined" and rest["confidence"]  # learnt for the first model
    if rest["nbest"] or alone:
        chosen = replace(chosen, decision="map")
    translator = _translator(screen, model, given, rest).deciding(chosen)
    _note_recognised(screen, translator.raw, work)
    with ExitStack() as stack:
        outputs = Outputs.open(stack, rest, as_json=screen.as_json)
        run = TranslateRun(
            translator,
            outputs,
            screen,
            as_text=rest["as_text"] or rest["format_"] is not None,
            tags=_tags(model, translator.raw, work, rest["src_tags"]),
            marked_up=_marked_up(translator, rest),
            confidences=_confidences(model) if rest["confidence"] else None,
            trees=_trees(screen, model, work, rest["trees"]),
            shard=rest["shard"],
        )
        shown = screen if _watched(work) else Screen(quiet=True)
        with shown.progress("translating") as advance:
            run.run(work, advance)
    note_own_costs(screen)


def _settle_unknown(model: Model, given: dict[str, Any], unknown: str | None) -> None:
    """Makes --unknown an option of the search, as far as it is one."""
    if unknown is None:
        return
    drops = unknown == "drop"
    if given.get("drop_unknown", drops) != drops:
        raise click.UsageError(f"--unknown {unknown} contradicts --drop-unknown; omit one of them")
    if drops or model.kind == "phrase":
        given["drop_unknown"] = drops


def _jobs(model: Model, rest: dict[str, Any]) -> list[Job]:
    """The texts to translate; refuses first everything that would fail later."""
    from demotic.cli.translate_files import jobs, refuse_outputs
    from demotic.text.markup import refuse_markup

    work = jobs(rest["files"], rest["out"], model.info)
    lists = [Path(rest[name]) for name in ("nbest_file", "forest") if rest[name]]
    if lists and len(work) > 1 and rest["out"]:
        raise click.UsageError("--nbest-file and --forest take only one FILE with -o")
    sources = [job.source for job in work]
    targets = [job.target for job in work if job.target is not None]
    refuse_outputs([*targets, *lists], sources, force=rest["force"])
    if not rest["as_text"] and rest["format_"] is None:
        for source in sources:
            refuse_markup(source)
    return work


def _tags(model: Model, text: RawText, work: list[Job], path: str | None) -> TokenTags | None:
    from demotic.search.tagged import TokenTags

    if path is None:
        return None
    if len(work) > 1:
        raise click.UsageError("--src-tags takes only one FILE")
    check_tags(model, path, text, work[0].source)
    return TokenTags(path)


def _confidences(model: Model) -> Confidences:
    from demotic.confidence import ConfidenceEstimator

    return ConfidenceEstimator.of(model).words


def _trees(screen: Screen, model: Model, work: list[Job], path: str | None) -> SourceTrees | None:
    check_trees(screen, model, path)
    if path is None:
        return None
    if len(work) > 1:
        raise click.UsageError("--trees takes only one FILE")
    from demotic.search.parsed import SourceTrees

    return SourceTrees(path)


def _translator(
    screen: Screen, model: Model, given: dict[str, Any], rest: dict[str, Any]
) -> LineTranslator:
    from demotic.search.sentence_grammars import SentenceGrammars
    from demotic.search.stream import LineTranslator

    text = raw_text(model, rest, romanize=rest["unknown"] == "transliterate")
    constraints = line_constraints(model, rest)
    if constraints is not None and constraints.is_weighted:
        model = model.with_given()
    decoder = open_decoder(model, given)
    grammars = SentenceGrammars(decoder, allow_outside=rest["allow_outside"])
    for notice in text.notices:
        screen.warn(notice)
    return LineTranslator(
        decoder,
        text,
        threads=rest["threads"],
        nbest=rest["nbest"] or 1,
        distinct=rest["distinct"],
        record=rest["forest"] is not None or rest["confidence"],
        grammars=grammars if model.kind == "hiero" else None,
        constraints=constraints,
    )


def _marked_up(
    translator: LineTranslator, rest: dict[str, Any]
) -> Callable[[RawText, list[str]], list[str]] | None:
    """Translates lines in the format with tags, if there is one."""
    if rest["format_"] is None:
        return None
    from demotic.constraints.glossary import model_glossary
    from demotic.constraints.translate import MarkupTranslator

    decoder = translator.decoder
    glossary = model_glossary(decoder.model, rest["glossaries"])

    texts = MarkupTranslator(
        decoder.model,
        decoder=decoder,
        glossary=glossary,
        decision=translator.decision,
        threads=translator.threads,
    )
    return lambda raw, lines: texts.reading(raw).translate(lines, rest["format_"])


def _note_recognised(screen: Screen, text: RawText, work: list[Job]) -> None:
    for job in work:
        text.for_source(job.source)
    for remark in text.recognised:
        screen.note(remark)


def _watched(work: list[Job]) -> bool:
    """Shows progress only if neither input nor output is visible on the terminal."""
    typed = any(job.source == "-" for job in work) and sys.stdin.isatty()
    to_output = any(job.target is None for job in work)
    return not (typed or (to_output and sys.stdout.isatty()))
