"""`demotic evaluate`: scores of translations, with intervals and significance tests."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from demotic.cli.flags import example, from_options, quiet_and_json, threads_flag
from demotic.cli.own_flags import metric_name, metric_names
from demotic.cli.screen import Screen
from demotic.metrics.options import EvaluateOptions

if TYPE_CHECKING:
    from demotic.metrics.references import References

__all__ = ["command"]


@click.command(
    epilog=example(
        "demotic evaluate out.en --ref test.en",
        "demotic evaluate new.en --ref test.en.0 --ref test.en.1 --baseline old.en",
        "demotic evaluate run1.en run2.en run3.en --ref test.en --baseline old1.en,old2.en,old3.en",
        "demotic evaluate out.en --ref test.en --metric bleu,ter,chrf --json",
    )
)
@click.argument("hypotheses", nargs=-1, required=True, type=click.Path(), metavar="HYP...")
@click.option(
    "--ref", "refs", multiple=True, required=True, type=click.Path(), help="References; repeatable."
)
@click.option(
    "--baseline",
    "baselines",
    multiple=True,
    metavar="HYP[,HYP...]",
    help="System to compare with; separate its runs by commas. Repeatable.",
)
@click.option(
    "--metric",
    "metrics",
    default="bleu",
    show_default=True,
    metavar="NAME[,NAME...]",
    help=f"Metrics separated by commas: {metric_names()} (file.py:Class).",
)
@from_options(EvaluateOptions)
@threads_flag
@quiet_and_json
def command(
    *,
    hypotheses: tuple[str, ...],
    refs: tuple[str, ...],
    baselines: tuple[str, ...],
    metrics: str,
    options: EvaluateOptions,
    threads: int,
    quiet: bool,
    as_json: bool,
) -> None:
    """Score the translation HYP against references, one sentence per line each.

    Several HYP are runs of one system (for example tuned with different seeds): mean and standard
    deviation are shown, and tests combine all runs. Scores and signatures are those of sacrebleu.
    """
    from demotic.cli.evaluate_view import result_text, test_columns_text
    from demotic.metrics.evaluation import evaluate
    from demotic.metrics.references import References

    screen = Screen(quiet=quiet, as_json=as_json)
    wanted = [metric_name(name) for name in metrics.split(",")]
    references = References.read(refs)
    groups = {baseline: _paths(baseline) for baseline in baselines}
    runs = _read(hypotheses, references, refs[0])
    result = evaluate(
        runs,
        references,
        name=",".join(hypotheses),
        baselines={name: _read(paths, references, refs[0]) for name, paths in groups.items()},
        metrics=wanted,
        options=options,
        threads=threads,
    )
    screen.result(result.as_dict() if as_json else {}, "" if as_json else result_text(result))
    for path, run in zip(hypotheses, runs, strict=True):
        _warn_of_style(screen, path, run, refs[0], references.texts, case=not options.lowercase)
    if "ter" in wanted and not options.ter_asian and _is_east_asian(references.texts):
        screen.warn(
            f"{refs[0]} has no spaces between words, so TER counts clauses: give --ter-asian"
        )
    if baselines and not as_json:
        screen.note(test_columns_text(result))


def _is_east_asian(texts: Sequence[str]) -> bool:
    """Whether most words of raw text are strings of Chinese or Japanese characters."""
    words = [word for text in texts[:1000] for word in text.split()]
    asian = sum(
        1 for word in words if len(word) > 4 and all("぀" <= one <= "鿿" for one in word[:4])
    )
    return 2 * asian > len(words)


def _warn_of_style(
    screen: Screen, path: str, run: list[str], ref: str, texts: Sequence[str], *, case: bool
) -> None:
    """Warns about texts that were prepared differently: scores would measure the preparation."""
    from demotic.text.text_style import TextStyle, differences

    found = differences(TextStyle.of(run), TextStyle.of(texts), case=case)
    if found:
        screen.warn(
            f"{path} is {' and '.join(found)}, unlike {ref}: the scores compare texts that were "
            "prepared differently (give both as raw text, or prepare both in the same way)"
        )


def _paths(baseline: str) -> tuple[str, ...]:
    return (baseline,) if os.path.exists(baseline) else tuple(baseline.split(","))


def _read(paths: tuple[str, ...], references: References, reference: str) -> list[list[str]]:
    from demotic.errors import FormatError
    from demotic.lines import display_name, read_lines
    from demotic.metrics.references import unequal

    runs = [read_lines(path).tolist() for path in paths]
    for path, run in zip(paths, runs, strict=True):
        if len(run) != len(references):
            raise unequal(display_name(path), len(run), display_name(reference), len(references))
    if not len(references):
        raise FormatError(
            "no lines", path=display_name(reference), expected="one reference per line"
        )
    return runs
