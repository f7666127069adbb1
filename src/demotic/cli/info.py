"""`demotic info`: shows what a model is, how it was made, its scores and what to do with it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from demotic.cli.flags import example, quiet_and_json
from demotic.cli.screen import Screen

if TYPE_CHECKING:
    from collections.abc import Iterator

    from demotic.info import Description

__all__ = ["command"]

_METRICS = {"bleu": "BLEU", "chrf": "chrF", "ter": "TER"}
_CASES = {"lower": "lower-cased", "true": "true case", "none": "case unchanged"}


@click.command(
    epilog=example("demotic info zh-en", "demotic info zh-en --json | jq .test_scores.bleu.value")
)
@click.argument("path", type=click.Path(), metavar="MODEL")
@click.option("--allow-outside", is_flag=True, help="Trust parts outside the model directory.")
@quiet_and_json
def command(*, path: str, allow_outside: bool, quiet: bool, as_json: bool) -> None:
    """Show languages, kind, history, sizes, scores and settings of MODEL.

    For a directory that is not a model, or a language model file, it says what it is and what to do
    with it. Large files are not read, so it answers at once.
    """
    from demotic.model.file import MODEL_NAME

    screen = Screen(quiet=quiet, as_json=as_json)
    if not (Path(path) / MODEL_NAME).exists():
        _show_other(screen, Path(path))
        return
    from demotic.cli.final_output import model_steps, next_text
    from demotic.info import describe

    found = describe(path, allow_outside=allow_outside)
    screen.result(found.as_dict(), "\n".join(_lines(found)))
    if not as_json:
        raw = bool(found.preparation)
        screen.note(next_text(model_steps(path, found.source_language, raw=raw, explain=True)))


def _show_other(screen: Screen, path: Path) -> None:
    from demotic.cli.final_output import next_text
    from demotic.model.directories import directory_contents, no_model

    if path.is_file():
        _show_language_model(screen, path)
        return
    held = directory_contents(path)
    if not (held.what and (held.ours or held.models)):
        raise no_model(path)
    values = {"path": str(path), "what": held.what, "command": held.command}
    text = "\n".join([f"{path}: {held.what}", *(f"  {one}" for one in held.models)])
    screen.result({**values, "models": list(held.models)}, text)
    if held.command and not screen.as_json:
        screen.note(next_text([(held.command.split()[1], held.command)]))


def _show_language_model(screen: Screen, path: Path) -> None:
    from demotic.cli.final_output import file_text, next_text
    from demotic.errors import Error
    from demotic.info import ngram_counts
    from demotic.model.directories import no_model
    from demotic.suggestions import quoted

    try:
        counts = ngram_counts(path)
    except Error:
        raise no_model(path) from None
    what = f"language model of order {len(counts)}, {_sum(counts)} n-grams"
    screen.result(
        {"path": str(path), "what": "a language model", "ngrams": counts}, file_text(path, what)
    )
    if not screen.as_json:
        screen.note(next_text([("score a text", f"demotic lm-query {quoted(path)} < FILE")]))


def _sum(counts: list[int]) -> str:
    return " + ".join(f"{count:,}" for count in counts)


def _lines(found: Description) -> list[str]:
    languages = [found.source_language, found.target_language]
    rows = [
        ("kind", {"phrase": "phrases", "hiero": "Hiero: rules with gaps"}[found.kind]),
        ("languages", " to ".join(languages) if all(languages) else "not recorded"),
        *(("made by" if not i else "", clause) for i, clause in enumerate(found.history)),
        ("written", found.written),
        *_sizes(found),
        *_scores(found),
        ("search", ", ".join(f"{k} {v}" for k, v in found.search.items()) or "default settings"),
        ("takes", _text(found)),
    ]
    width = max(len(name) for name, _ in rows)
    return [found.path, *(f"  {name:<{width}}  {value}" for name, value in rows)]


def _sizes(found: Description) -> Iterator[tuple[str, str]]:
    from demotic.sizes import bytes_text

    on_demand = f"on demand, from {found.indexed_pairs:,} sentence pairs"
    yield "rules", on_demand if found.indexed_pairs else f"{found.rules:,}"
    yield "words", f"{found.words:,}"
    for file, counts in found.ngrams.items():
        yield "n-grams", f"{_sum(counts)} in {file}"
    if found.sparse_features:
        yield "sparse features", f"{found.sparse_features:,}"
    big = sorted(found.bytes.items(), key=lambda one: -one[1])
    yield "on disk", bytes_text(sum(found.bytes.values()))
    for file, size in big:
        if size >= 100_000:
            yield "", f"{bytes_text(size):>6}  {file}"
    if found.work_bytes:
        work = bytes_text(sum(found.work_bytes.values()))
        yield "", f"{work:>6}  for resuming ({', '.join(found.work_bytes)})"


def _scores(found: Description) -> Iterator[tuple[str, str]]:
    names = {"tune": "by tuning", "train": "by training"}
    for verb, score in found.dev_scores.items():
        yield f"dev {score['metric']}", f"{score['score']:.2f} {names[verb]}"
    for metric, test in found.test_scores.items():
        interval = f"[{test['low']:.2f}, {test['high']:.2f}]"
        yield f"test {_METRICS.get(metric, metric)}", f"{test['value']:.2f} {interval}"
    if not found.dev_scores and not found.test_scores:
        yield "scores", "none recorded (demotic tune and demotic make record them)"


def _text(found: Description) -> str:
    if not found.preparation:
        return "tokens separated by spaces: the model was not built from prepared text"
    tokenizers = [f"{lang} by {name}" for lang, name in found.preparation["tokenizers"].items()]
    case = str(found.preparation["case"])
    return f"raw text; tokenises {', '.join(tokenizers)}; {_CASES.get(case, case)}"
