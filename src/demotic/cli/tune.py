"""`demotic tune`: learns the weights of a model on a small set with references."""

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
    threads_flag,
)
from demotic.cli.own_costs import note_own_costs
from demotic.cli.own_flags import metric_choice, metric_flags, pairs
from demotic.cli.screen import Screen
from demotic.cli.search_flags import search_flags
from demotic.cli.tag_flags import check_tags, tags_flag
from demotic.cli.text_flags import note_texts, raw_text, text_flags, warn_of_unknown
from demotic.cli.tree_flags import check_new_trees, check_trees, trees_flag
from demotic.cli.worker_flags import started, workers_flag
from demotic.errors import Error, InputError
from demotic.learn.methods import DEFAULT_METHOD, METHODS
from demotic.learn.options import TuneOptions
from demotic.metrics.named import DEFAULT_METRIC

if TYPE_CHECKING:
    from demotic.features import Templates
    from demotic.features.feature_set import FeatureSet
    from demotic.learn.dev_set import DevSet
    from demotic.learn.runs import TuneRequest
    from demotic.model import Model

__all__ = ["command"]

_FILE = click.Path(allow_dash=True, dir_okay=False)


class _Tune(click.Command):
    """With --help-options no other argument is required."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        ctx.resilient_parsing = "--help-options" in args
        return super().parse_args(ctx, args)


def _known(name: str) -> str:
    """Refuses a misspelt method before other flags are asked for."""
    from demotic.learn.methods import find_method
    from demotic.own_classes import is_own

    if not is_own(name):
        find_method(name)
    return name


@click.command(
    cls=_Tune,
    epilog=example(
        "demotic tune zh-en --src dev.zh --ref dev.en -o zh-en-tuned",
        "demotic tune zh-en --src dev.zh --ref dev.en.0 --ref dev.en.1 --method mert --runs 3 -o t",
        "demotic tune zh-en --src dev.zh --ref dev.en --search-aware potential --beam 30 -o t \\",
        "    --dev-src other.zh --dev-ref other.en",
        "demotic tune zh-en --src dev.zh --ref dev.en --metric ter --method mert -o t",
        "demotic tune zh-en-trained --src dev.zh --ref dev.en --tune-sparse -o t",
        "demotic tune zh-en --src dev.zh --ref dev.en --features z14 --method rm -o t",
        "demotic tune --method rm --metric chrf --help-options",
    ),
)
@click.argument("model", type=click.Path())
@click.option("--src", required=True, type=_FILE, help="Tuning set, one sentence per line.")
@click.option(
    "--ref", "refs", required=True, multiple=True, type=_FILE, help="References; repeatable."
)
@tags_flag(
    "--src-tags",
    "Tags of the source tokens, one line per sentence of --src, which must be tokens.",
)
@click.option(
    "--dev-src",
    type=_FILE,
    help="Dev set, other sentences than the tuning set: the weights to keep are chosen on it.",
)
@click.option(
    "--dev-ref",
    "dev_refs",
    multiple=True,
    type=_FILE,
    help="References of the dev set; repeatable.",
)
@tags_flag(
    "--dev-src-tags",
    "Tags of the source tokens of the dev set, one line per sentence of --dev-src.",
)
@trees_flag("--trees", "the sentences of --src")
@trees_flag("--dev-trees", "the sentences of --dev-src")
@model_out_flag
@force_flag("Start again, and replace an existing model.")
@click.option(
    "--method",
    default=DEFAULT_METHOD,
    show_default=True,
    metavar="NAME|FILE.py:CLASS",
    callback=lambda ctx, _, name: name if ctx.resilient_parsing else _known(name),
    help=f"Tuning algorithm: {', '.join(METHODS)}, or a learner of your own.",
)
@click.option(
    "--option",
    "given_learner",
    multiple=True,
    metavar="NAME=VALUE",
    help="Setting of the method; repeatable.",
)
@metric_flags("Metric to tune for, on tokens")
@click.option(
    "--features",
    default=None,
    metavar="NAME|FILE",
    help="Templates of sparse features to add to a model without any; each of their weights is "
    "tuned, starting with 0.",
)
@click.option(
    "--train-src",
    type=_FILE,
    help="Source side of the training text, for --features with word classes.",
)
@click.option(
    "--train-tgt",
    type=_FILE,
    help="Target side of the training text, for --features with word classes.",
)
@click.option(
    "--help-options", is_flag=True, help="List the settings of --method and --metric and exit."
)
@click.option(
    "--runs",
    type=click.IntRange(1),
    default=1,
    show_default=True,
    help="Number of runs, with seeds from --seed on; the best on the dev set (without one, on the "
    "tuning set) is kept.",
)
@confidence_flag
@from_options(TuneOptions)
@text_flags("src", "ref", "dev-src", "dev-ref", "train-src", "train-tgt")
@search_flags
@workers_flag
@threads_flag
@quiet_and_json
def command(*, help_options: bool, quiet: bool, as_json: bool, **rest: Any) -> None:
    """Tune the weights of MODEL and write a new model that shares its large files.

    The text is raw if MODEL was built from text prepared by demotic prepare, else tokens. Search
    flags apply to tuning and become settings of the new model. It can be interrupted; the same
    command resumes after the last complete round and ends with the same weights.
    """
    screen = Screen(quiet=quiet, as_json=as_json)
    if help_options:
        from demotic.cli.tune_view import options_table

        screen.result(*options_table(_request(rest)))
        return
    _run(screen, _request(rest), rest)


def _request(rest: dict[str, Any]) -> TuneRequest:
    from demotic.learn.methods import find_method
    from demotic.learn.runs import TuneRequest

    name = rest["method"] or DEFAULT_METHOD
    method = find_method(name)
    try:
        learner = method.parsed(pairs(rest["given_learner"] or (), "--option"))
    except InputError as error:
        advice = f"see demotic tune --method {name} --help-options"
        raise click.BadParameter(f"{error} ({advice})", param_hint="'--option'") from None
    metric = metric_choice(rest["metric"] or DEFAULT_METRIC, rest["given_metric"] or ())
    return TuneRequest(
        method=name,
        learner=learner,
        metric=metric,
        options=rest["options"] or TuneOptions(),
        search=rest["given"] or {},
        runs=rest["runs"] or 1,
    )


def _new_templates(screen: Screen, model: Model, rest: dict[str, Any]) -> Templates | None:
    """The templates of new sparse features, if they are asked for; checks their files."""
    from demotic.features import Templates

    name = rest["features"]
    if name is None:
        _refuse_unused_text(rest)
        check_trees(screen, model, rest["trees"])
        return None
    templates = Templates.find(name)
    _refuse_tags(name, templates)
    check_new_trees(templates, rest["trees"])
    return templates


def _with_features(
    screen: Screen,
    request: TuneRequest,
    templates: Templates | None,
    dev: DevSet,
    model: Model,
    rest: dict[str, Any],
) -> TuneRequest:
    """The request with new sparse features, if they are asked for."""
    from demotic.search.sentence import constituents_of
    from demotic.train.features import ClassTexts, new_features

    if templates is None:
        return request
    text = raw_text(model, rest, "train-src", "train-tgt")
    source, target = rest["train_src"], rest["train_tgt"]

    def features(folder: Path) -> FeatureSet:
        with screen.progress("learning word classes") as progress:
            texts = ClassTexts.read(source, target, text, constituents_of(dev.source))
            return new_features(model, templates, texts, folder, progress)

    return replace(request, features=features)


def _refuse_unused_text(rest: dict[str, Any]) -> None:
    for flag in ("train_src", "train_tgt"):
        if rest[flag]:
            raise click.UsageError(
                f"--{flag.replace('_', '-')} without --features: word classes of new features are "
                "all that is made from the training text"
            )


def _refuse_tags(name: str, templates: Templates) -> None:
    if any(layer.endswith(".tag") for layer in templates.layers):
        raise Error(
            f"--features {name} has templates with tags",
            expected="templates without tags",
            advice="choose others, or learn these with demotic train, which takes files of tags",
        )


def _run(screen: Screen, request: TuneRequest, rest: dict[str, Any]) -> None:
    from demotic.cli.final_output import model_next, next_text
    from demotic.cli.tune_view import RoundLines, as_dict, result_text
    from demotic.learn.dev_set import DevSet
    from demotic.learn.runs import tune_model
    from demotic.model import Model
    from demotic.model.file import MODEL_NAME
    from demotic.outputs import refuse_foreign

    refuse_foreign(rest["out"], "runs", MODEL_NAME, force=rest["force"])
    model = Model.load(rest["model"])
    templates = _new_templates(screen, model, rest)
    text = raw_text(model, rest)
    check_tags(model, rest["src_tags"], text, rest["src"], new=templates)
    dev = DevSet.read(rest["src"], rest["refs"], text, rest["src_tags"], rest["trees"])
    request = _with_features(screen, request, templates, dev, model, rest)
    note_texts(screen, text)
    warn_of_unknown(screen, model, rest["src"], dev.source, raw=text.is_raw)
    names, references = ", ".join(rest["refs"]), dev.references.texts
    warn_of_unknown(screen, model, names, references, "target", raw=text.is_raw_target)
    dev = replace(dev, held_out=_held_out(screen, model, rest, templates))
    with started(screen, rest["workers"]) as workers, RoundLines(screen, request, dev) as lines:
        tuned = tune_model(
            model,
            dev,
            rest["out"],
            request,
            threads=rest["threads"],
            force=rest["force"],
            report=lines.report,
            progress=lines.progress,
            workers=workers,
        )
    for number, run in enumerate(tuned.runs, 1):
        if run.stop == "refused":
            screen.warn(
                f"run {number}, round {len(run.rounds)}: the learner's update was not finite; "
                "tuning stopped with the last good weights (try a smaller step: --help-options)"
            )
    if rest["confidence"]:
        add_confidence(screen, tuned.model, dev.held_out or dev, rest["threads"])
    steps = next_text(model_next(tuned.model, tuned=True))
    note_own_costs(screen)
    screen.written(as_dict(tuned, request), result_text(tuned, request), steps)


def _held_out(
    screen: Screen, model: Model, rest: dict[str, Any], templates: Templates | None
) -> DevSet | None:
    """The dev set; None if there is none."""
    from demotic.learn.dev_set import DevSet

    source, references = rest["dev_src"], rest["dev_refs"]
    if not source and not references:
        return None
    if not source or not references:
        missing = "--dev-ref" if source else "--dev-src"
        raise click.UsageError(f"a dev set needs --dev-src and --dev-ref; {missing} is missing")
    text = raw_text(model, rest, "dev-src", "dev-ref")
    check_tags(model, rest["dev_src_tags"], text, source, "dev-src", templates)
    dev = DevSet.read(source, references, text, rest["dev_src_tags"], rest["dev_trees"])
    note_texts(screen, text)
    warn_of_unknown(screen, model, source, dev.source, raw=text.is_raw)
    return dev
