"""`demotic explain`: explains why a sentence was translated the way it was."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from demotic.cli.constraint_flags import constraint_flags, line_constraints
from demotic.cli.flags import (
    OptionalValues,
    example,
    force_flag,
    quiet_and_json,
    refused_flag,
)
from demotic.cli.screen import Screen
from demotic.cli.search_flags import search_flags
from demotic.cli.tag_flags import check_tags, tags_flag
from demotic.cli.text_flags import raw_text, text_flags, warn_of_unknown
from demotic.cli.tree_flags import check_trees, trees_flag

if TYPE_CHECKING:
    from demotic.explain import Explanation
    from demotic.model import Model
    from demotic.search.text import RawText

__all__ = ["command"]


@click.command(
    cls=OptionalValues,
    epilog=example(
        "demotic explain zh-en '他把书放在桌子上。'",
        "demotic explain zh-en '他把书放在桌子上。' --ref 'He put the book there.' -o why.html",
        "demotic explain zh-en '他把书放在桌子上。' --evidence 5",
    ),
)
@click.argument("model", type=click.Path())
@click.argument("sentence")
@click.option("--ref", default="", help="Reference translation to compare with.")
@click.option(
    "--nbest",
    default=5,
    show_default=True,
    type=click.IntRange(0),
    help="Number of losing translations to show.",
)
@click.option(
    "--evidence",
    is_flag=False,
    flag_value=3,
    default=0,
    metavar="[N]",
    type=click.IntRange(0, 1000),
    help="Show up to N training pairs behind each rule (default N: 3).",
)
@click.option(
    "-o", "--out", type=click.Path(dir_okay=False), help="Also write an HTML page with drawings."
)
@refused_flag("--html", lambda value: f"give the name of the page with -o {value}")
@force_flag("Replace an existing page.")
@constraint_flags
@tags_flag("--src-tags", "Tags of the tokens of SENTENCE: the first line of FILE.")
@trees_flag("--trees", "SENTENCE (the first one of FILE)")
@text_flags("src", "ref")
@search_flags
@quiet_and_json
def command(*, given: dict[str, Any], quiet: bool, as_json: bool, **rest: Any) -> None:
    """Show how MODEL translates SENTENCE, and why: the derivation, what each feature added, which
    hypotheses competed in the bins of the search, which translations nearly won and, with
    --evidence, which lines of the training corpus the rules come from.

    SENTENCE may be - for the first line of standard input.
    """
    from demotic.explain import explain
    from demotic.model import Model
    from demotic.outputs import refuse_file
    from demotic.search.options import SearchOptions

    screen = Screen(quiet=quiet, as_json=as_json)
    if rest["out"]:
        refuse_file(rest["out"], force=rest["force"])
    model = Model.load(rest["model"])
    text = raw_text(model, rest)
    check_trees(screen, model, rest["trees"])
    written = _written(rest)
    constraints = line_constraints(model, rest)
    if constraints is not None and constraints.is_weighted:
        model = model.with_given()
    prepared, tokens = written, text
    if constraints is not None:
        prepared, tokens = (
            constraints.prepared(text, written, name="SENTENCE"),
            text.of_tokens(model),
        )
    explanation = explain(
        model,
        _tagged(model, text, prepared, rest["src_tags"]),
        reference=rest["ref"],
        rivals=rest["nbest"],
        text=tokens,
        options=SearchOptions.for_model(model, given),
        evidence=rest["evidence"],
        trees=rest["trees"],
    )
    if constraints is not None:  # as it was, not as tokens
        explanation = replace(explanation, sentence=written)
    _warn(screen, model, text, explanation)
    if rest["out"]:
        from demotic.explain.page import page_of

        page_of(explanation).write(rest["out"])
    if as_json or not sys.stdout.isatty():
        screen.result(explanation.as_dict(), explanation.text())
    else:
        _show(screen, explanation)


def _warn(screen: Screen, model: Model, text: RawText, explanation: Explanation) -> None:
    source = " ".join(explanation.source)
    warn_of_unknown(screen, model, "SENTENCE", [source], raw=text.is_raw)
    if explanation.reference is not None:
        reference = text.prepared_reference(explanation.reference.text)
        warn_of_unknown(screen, model, "--ref", [reference], "target", raw=text.is_raw_target)


def _written(rest: dict[str, Any]) -> str:
    from demotic.lines import LineFile

    given: str = rest["sentence"]
    if given != "-":
        return given
    return next(iter(LineFile("-", encoding_errors="replace")), "")


def _tagged(model: Model, text: RawText, sentence: str, tags: str | None) -> str:
    """The sentence, with its tags if they are given."""
    from demotic.search.tagged import TokenTags

    if tags is None:
        return sentence
    check_tags(model, tags, text, "-")
    return TokenTags(tags).tagged(sentence)


def _show(screen: Screen, explanation: Explanation) -> None:
    from demotic.explain.plain import picture
    from demotic.explain.sections import sections

    for section in sections(explanation):
        click.echo("\n".join(section.texts))
        if section.rows:
            screen.table(section.title, section.header, section.rows)
        if section.title == "Derivation":
            click.echo(picture(explanation) + "\n")
