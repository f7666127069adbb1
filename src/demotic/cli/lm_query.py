"""`demotic lm-query`: scores a text with a language model."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import click

from demotic.cli.flags import example, quiet_and_json, threads_flag
from demotic.cli.screen import Screen

if TYPE_CHECKING:
    from demotic.lm.model import Perplexity, SentenceScores


@click.command("lm-query", epilog=example("demotic lm-query en.lm < test.en"))
@click.argument("model", type=click.Path(dir_okay=False))
@click.argument("text", type=click.Path(allow_dash=True), default="-")
@threads_flag
@quiet_and_json
def command(model: str, text: str, threads: int, quiet: bool, as_json: bool) -> None:
    """Print log10 p and the number of unknown words of each sentence of TEXT or standard input.

    Prints two columns per line, and the totals on standard error (not with --quiet; with --json
    everything in one object).
    """
    from demotic.lines import read_lines
    from demotic.lm.model import LanguageModel

    screen = Screen(quiet=quiet, as_json=as_json)
    with screen.progress("opening the model"):
        loaded = LanguageModel.load(model)
    lines = read_lines(text, encoding_errors="replace")
    with screen.progress("scoring"):
        scores = loaded.score_text(lines, threads=threads)
        totals = loaded.perplexity(lines, threads=threads)
    if as_json:
        screen.result(_values(scores, totals), "")
        return
    for log10, unknown in zip(scores.log10.tolist(), scores.unknown.tolist(), strict=True):
        click.echo(f"{log10:.6f}\t{unknown}")
    screen.note(_text(totals))


def _values(scores: SentenceScores, totals: Perplexity) -> dict[str, object]:
    return {
        "log10": scores.log10.tolist(),
        "unknown": scores.unknown.tolist(),
        "totals": {
            "sentences": totals.sentences,
            "tokens": totals.tokens,
            "unknown": totals.unknown,
            "log10": totals.log10,
            "perplexity": _finite(totals.with_unknown),
            "perplexity_without_unknown": _finite(totals.without_unknown),
        },
    }


def _finite(value: float) -> float | None:
    """None for infinity and for the perplexity of empty text, which JSON cannot represent."""
    return value if math.isfinite(value) else None


def _text(totals: Perplexity) -> str:
    if not totals.tokens:
        return "no sentences, hence no perplexity"
    return (
        f"{totals.sentences:,} sentences, {totals.tokens:,} tokens including sentence ends, "
        f"{totals.unknown:,} unknown\n"
        f"log10 {totals.log10:.4f}, perplexity {totals.with_unknown:.4f} "
        f"({totals.without_unknown:.4f} without unknown words)"
    )
