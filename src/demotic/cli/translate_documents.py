"""`demotic translate --file`: translates documents, keeping their structure."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from io import TextIOWrapper
from typing import TYPE_CHECKING, Any, cast

import click

from demotic.cli.constraint_flags import ABOUT_LINES
from demotic.cli.screen import Screen
from demotic.cli.search_flags import open_decoder
from demotic.cli.translate_files import Job, jobs, refuse_outputs
from demotic.constraints.glossary import model_glossary
from demotic.counts import counted
from demotic.documents.charset import MAX_BYTES
from demotic.documents.formats import format_of
from demotic.errors import FormatError
from demotic.lines import open_plain_bytes, write_text

if TYPE_CHECKING:
    from demotic.documents.translate import TranslatedDocument
    from demotic.model import Model
    from demotic.search.decision import DecisionOptions

__all__ = ["translate_documents"]

# Flags about lines of text, which a document does not have.
_ABOUT_LINES = (*ABOUT_LINES, "as_text", "raw", "src_raw")


def translate_documents(
    screen: Screen,
    model: Model,
    given: Mapping[str, Any],
    decision: DecisionOptions,
    rest: Mapping[str, Any],
) -> None:
    """Translates every document, to its file or to standard output."""
    from demotic.documents.translate import DocumentTranslator
    from demotic.search.text import RawText

    for name in _ABOUT_LINES:
        if rest[name]:
            flag = "--" + name.replace("_", "-")
            raise click.UsageError(f"{flag} is about lines of text; omit it or --file")
    work = _jobs(model, rest)
    if screen.as_json and not rest["out"]:
        raise click.UsageError("--json with --file needs another place for the document: -o FILE")
    formats = [rest["file_format"] or format_of(job.source) for job in work]
    if model.preparation is None:
        screen.warn(
            f"{model.path}: the model was built from tokens and does not know how to tokenise "
            "documents; build it from text prepared by demotic prepare"
        )
    translator = DocumentTranslator.of(
        model,
        decoder=open_decoder(model, dict(given)),
        raw=RawText(model, romanize=rest["unknown"] == "transliterate"),
        glossary=model_glossary(model, rest["glossaries"]),
        decision=decision,
        threads=rest["threads"],
    )
    results = []
    for job, format_ in zip(work, formats, strict=True):
        data = _read(job.source)
        with screen.progress(f"translating {job.source}") as advance:
            made = translator.translate(
                data,
                format_,
                name=job.source,
                retranslate=rest["retranslate"],
                progress=advance,
            )
        _write(job, made)
        screen.note(f"{job.source}: {_summary(made)}")
        results.append(_as_dict(job, format_, made))
    if screen.as_json:
        screen.result({"documents": results}, "")


def _jobs(model: Model, rest: Mapping[str, Any]) -> list[Job]:
    if not rest["files"] or "-" in rest["files"]:
        raise click.UsageError("--file needs the name of a document: --file FILE -o FILE")
    work = jobs(rest["files"], rest["out"], model.info)
    if len(work) > 1 and not rest["out"]:
        raise click.UsageError("several documents need a directory: -o DIR")
    targets = [job.target for job in work if job.target is not None]
    refuse_outputs(targets, [job.source for job in work], force=rest["force"])
    return work


def _read(path: str) -> bytes:
    parts: list[bytes] = []
    size = 0
    for part in open_plain_bytes(path):
        parts.append(part)
        size += len(part)
        if size > MAX_BYTES:
            raise FormatError(
                f"a document of more than {MAX_BYTES >> 20} MB",
                path=path,
                expected=f"at most {MAX_BYTES >> 20} MB",
                advice="split it",
            )
    return b"".join(parts)


def _write(job: Job, made: TranslatedDocument) -> None:
    if job.target is None:
        sys.stdout.buffer.write(made.data)
        sys.stdout.buffer.flush()
        return
    with write_text(job.target) as file:
        cast(TextIOWrapper, file).buffer.write(made.data)


def _as_dict(job: Job, format_: str, made: TranslatedDocument) -> dict[str, Any]:
    return {
        "source": job.source,
        "target": str(job.target),
        "format": format_,
        "translated": made.translated,
        "kept": made.kept,
    }


def _summary(made: TranslatedDocument) -> str:
    kept = f", {made.kept:,} kept (--retranslate replaces them)" if made.kept else ""
    return f"{counted(made.translated, 'segment')} translated{kept}"
