"""`demotic train`: learns the dense and sparse weights of a model on its bitext."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from demotic.cli.confidence_flags import add_confidence, confidence_flag
from demotic.cli.flags import (
    example,
    force_flag,
    from_options,
    model_out_flag,
    quiet_and_json,
    refused_flag,
    refused_switch,
    threads_flag,
)
from demotic.cli.own_costs import note_own_costs
from demotic.cli.own_flags import metric_choice, metric_flags, rule_choice
from demotic.cli.screen import Screen
from demotic.cli.search_flags import search_flags
from demotic.cli.tag_flags import TrainTags, check_target_tags, tag_list, tags_flag
from demotic.cli.text_flags import note_texts, raw_text, text_flags, warn_of_unknown
from demotic.cli.tree_flags import check_new_trees, check_trees, trees_flag
from demotic.cli.worker_flags import started, workers_flag
from demotic.errors import Error
from demotic.suggestions import quoted
from demotic.train.options import TrainOptions

if TYPE_CHECKING:
    from demotic.cli.train_view import EpochLines
    from demotic.learn.dev_set import DevSet
    from demotic.model import Model
    from demotic.search.unknowns import UnknownWords
    from demotic.train.features import FeatureSet
    from demotic.train.pairs import Bitext
    from demotic.train.run import TrainRequest

__all__ = ["command"]

_FILE = click.Path(allow_dash=True, dir_okay=False)


@click.command(
    epilog=example(
        "demotic train zh-en --src train.zh --tgt train.en "
        "--dev-src dev.zh --dev-ref dev.en -o zh-en-trained",
        "demotic train zh-en --src train.zh --tgt train.en --dev-src dev.zh --dev-ref dev.en.0 "
        "--dev-ref dev.en.1 --features wordedges --beam 30 --pop-limit 100 -o t",
    ),
)
@click.argument("model", type=click.Path())
@click.option("--src", required=True, type=_FILE, help="Source side of the bitext.")
@click.option(
    "--tgt",
    "tgts",
    required=True,
    multiple=True,
    type=_FILE,
    help="Target side of the bitext; repeatable: each pair is used once per target.",
)
@click.option(
    "--dev-src",
    required=True,
    type=_FILE,
    help="Dev set, which chooses the common weight of the sparse features and, with --keep best, "
    "the epoch.",
)
@click.option(
    "--dev-ref",
    "dev_refs",
    required=True,
    multiple=True,
    type=_FILE,
    help="References; repeatable.",
)
@tags_flag(
    "--src-tags",
    "Tags for source places of templates: one per token of --src, which must be tokens, or a list "
    "of word TAB tag.",
)
@tags_flag(
    "--tgt-tags",
    "Tags for target places: one per token of --tgt, or a list of word TAB tag; each word has its "
    "most frequent tag.",
)
@tags_flag(
    "--dev-src-tags",
    "Tags of the tokens of --dev-src, if --src-tags has tags of tokens (default: the most frequent "
    "tag of each word).",
)
@trees_flag("--trees", "the sentences of --src")
@trees_flag("--dev-trees", "the sentences of --dev-src")
@model_out_flag
@force_flag("Start again, and replace an existing model.")
@click.option(
    "--features",
    default=None,
    show_default="the model's, else default",
    metavar="NAME|FILE",
    help="Templates of sparse features; none trains only dense weights.",
)
@metric_flags("Metric on the tokens of the dev set")
@click.option(
    "--update-rule",
    default=None,
    metavar="FILE.py:CLASS",
    help="An update rule of your own, instead of --method.",
)
@click.option(
    "--option",
    "given_rule",
    multiple=True,
    metavar="NAME=VALUE",
    help="Setting of --update-rule; repeatable.",
)
@confidence_flag
@from_options(TrainOptions)
@refused_switch("--no-future", "give --compare-by score, or --no-future-cost to rank so too")
@refused_flag("--unreached", lambda value: f"give --unreachable {value}")
@text_flags("src", "tgt", "dev-src", "dev-ref")
@search_flags
@workers_flag
@threads_flag
@quiet_and_json
def command(*, quiet: bool, as_json: bool, **rest: Any) -> None:
    """Train MODEL on its bitext and write a new model that shares its large files.

    Wherever the search would prune a reference, the weights are corrected. The text is raw if MODEL
    was built from text prepared by demotic prepare, else tokens; corpus.* files written by demotic
    prepare are recognised. It can be interrupted; the same command resumes from the last checkpoint
    and ends with the same weights.
    """
    screen = Screen(quiet=quiet, as_json=as_json)
    _run(screen, rest)


def _run(screen: Screen, rest: dict[str, Any]) -> None:
    from demotic.cli.final_output import model_next, next_text
    from demotic.cli.train_view import EpochLines, as_dict, result_text
    from demotic.model import Model
    from demotic.model.file import MODEL_NAME
    from demotic.outputs import refuse_foreign
    from demotic.train.run import TrainReport, train_model

    refuse_foreign(rest["out"], "training", MODEL_NAME, force=rest["force"])
    metric = metric_choice(rest["metric"], rest["given_metric"])
    rule = rule_choice(rest["update_rule"], rest["given_rule"])
    model = Model.load(rest["model"])
    model.rules.require_table("demotic train")
    bitext, dev = _read(screen, model, rest)
    name = metric.make(dev.references).name
    with (
        started(screen, rest["workers"]) as workers,
        EpochLines(screen, rest["options"], len(bitext), name) as lines,
    ):
        request = replace(_request(model, bitext, rest, lines), metric=metric, rule=rule)
        report = TrainReport(
            setup=lines.setup,
            start=lines.start,
            parts=lines.parts,
            epoch=lines.epoch,
            advance=lines.advance,
        )
        trained = train_model(
            model,
            bitext,
            dev,
            rest["out"],
            request,
            threads=rest["threads"],
            force=rest["force"],
            report=report,
            workers=workers,
        )
    if rest["confidence"]:
        add_confidence(screen, trained.model, dev, rest["threads"])
    unchanged = not trained.result.helped
    steps = next_text(model_next(trained.model, tuned=unchanged, dev=_dev_flags(rest)))
    note_own_costs(screen)
    screen.written(as_dict(trained, request), result_text(trained, request), steps)


def _dev_flags(rest: dict[str, Any]) -> list[str]:
    """The dev set as flags of `demotic tune`."""
    flags = ["--src", quoted(rest["dev_src"])]
    for name in rest["dev_refs"]:
        flags += ["--ref", quoted(name)]
    if rest["dev_src_tags"] is not None:
        flags += ["--src-tags", quoted(rest["dev_src_tags"])]
    if rest["dev_trees"] is not None:
        flags += ["--trees", quoted(rest["dev_trees"])]
    for raw, name in (("raw", ""), ("dev_src_raw", "src-"), ("dev_ref_raw", "ref-")):
        if rest[raw] is not None:
            flags.append(f"--{name}{'raw' if rest[raw] else 'tokenized'}")
    return flags


def _read(screen: Screen, model: Model, rest: dict[str, Any]) -> tuple[Bitext, DevSet]:
    """The texts, each prepared according to its flags, with warnings about unknown words."""
    from demotic.learn.dev_set import DevSet
    from demotic.train.pairs import Bitext

    text = raw_text(model, rest, "src", "tgt")
    dev_text = raw_text(model, rest, "dev-src", "dev-ref")
    tags = TrainTags.of(model, rest, text, dev_text)
    _check_trees(screen, model, rest)
    bitext = Bitext.read(rest["src"], rest["tgts"], text, tags.of_tokens, rest["trees"])
    dev = DevSet.read(
        rest["dev_src"], rest["dev_refs"], dev_text, tags.of_dev_tokens, rest["dev_trees"]
    )
    check_target_tags(rest["tgt_tags"], bitext.target, len(rest["tgts"]))
    note_texts(screen, text, dev_text)
    targets, references = ", ".join(rest["tgts"]), ", ".join(rest["dev_refs"])
    _refuse_swapped(
        rest,
        warn_of_unknown(screen, model, rest["src"], bitext.source, raw=text.is_raw),
        warn_of_unknown(screen, model, targets, bitext.target, "target", raw=text.is_raw_target),
    )
    warn_of_unknown(screen, model, rest["dev_src"], dev.source, raw=dev_text.is_raw)
    dev_side, raw = dev.references.texts, dev_text.is_raw_target
    warn_of_unknown(screen, model, references, dev_side, "target", raw=raw)
    return bitext, dev


def _check_trees(screen: Screen, model: Model, rest: dict[str, Any]) -> None:
    from demotic.train.features import find_templates

    if rest["features"] is None and model.sparse is not None:
        check_trees(screen, model, rest["trees"])
    else:
        check_new_trees(find_templates(model, rest["features"]), rest["trees"])


def _refuse_swapped(rest: dict[str, Any], *sides: UnknownWords) -> None:
    """Refuses a bitext of which nothing can be learnt."""
    swapped = all(one.should_warn and one.reason == "swapped" for one in sides)
    if swapped and rest["options"].min_bleu > 0:
        raise Error(
            f"{rest['src']} and {', '.join(rest['tgts'])} are swapped: most words of each are "
            "known to the model only on the other side",
            expected="the source in --src and the target in --tgt",
            advice="exchange the files; --min-bleu 0 trains on them anyway",
        )


def _request(model: Model, bitext: Bitext, rest: dict[str, Any], lines: EpochLines) -> TrainRequest:
    from demotic.train.features import TagFiles, training_features
    from demotic.train.run import TrainRequest

    name = rest["features"]
    tags = TagFiles(source=tag_list(rest["src_tags"]), target=rest["tgt_tags"])

    def features(folder: Path) -> FeatureSet | None:
        return training_features(
            model,
            name,
            bitext,
            folder,
            lambda done, total: lines.setup(_CLASSES, done, total),
            tags,
        )

    return TrainRequest(
        options=rest["options"],
        search=rest["given"],
        features=None if name == "none" else features,
        templates=str(name or "") + tags.digest,
    )


_CLASSES = "learning word classes"
