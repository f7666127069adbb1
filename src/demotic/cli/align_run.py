"""The work of `demotic align`: reads the text, writes links from memory or from a stream."""

from __future__ import annotations

import os
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from demotic.counts import counted

if TYPE_CHECKING:
    from demotic.align import Aligner, Gold
    from demotic.align.pair_text import PairText
    from demotic.align.stream import LinkStream, StreamCounts
    from demotic.cli.align import AlignRequest
    from demotic.cli.screen import Advance, Screen
    from demotic.text.parallel import ParallelCorpus

__all__ = ["check_flags", "into_folder", "links_in_memory", "read_text", "stream_links"]


def check_flags(request: AlignRequest) -> list[PairText]:
    """The texts that the flags name; refuses flags that do not go together and files that exist."""
    from demotic.align.lexical import lexical_paths
    from demotic.align.link_folder import LinkFolder
    from demotic.align.pair_text import PairText
    from demotic.outputs import refuse_file

    files, load = request.files, request.load
    if not files and not (load and request.write_lex):
        raise click.UsageError("expected SRC TGT, or one or more files of pairs")
    for name, value in (
        ("--save", request.save),
        ("--sample", request.sample),
        ("--priors", request.priors),
        ("--write-priors", request.write_priors),
        ("--train-only", request.train_only),
    ):
        if load and value:
            raise click.UsageError(f"{name} is about training, and --load uses a trained aligner")
    if request.sample and (request.gold or "-" in files):
        other = "--gold" if request.gold else "standard input"
        raise click.UsageError(
            f"--sample reads the text twice and in batches, which {other} does not allow"
        )
    both_sides = len(files) == 2 and not request.pairs
    tables = [request.save, request.write_priors]
    tables += lexical_paths(request.write_lex) if request.write_lex else []
    # An interrupted command has written its tables; repeated, it writes the same ones again.
    resumes = request.output is not None and Path(f"{request.output}.partial.json").exists()
    for file in filter(None, tables):
        refuse_file(file, force=request.force or resumes)
    columns = _columns(request.columns)
    texts = [PairText(file, None, columns) for file in files]
    if both_sides:
        texts = [PairText(files[0], files[1])]
    if request.output and into_folder(request, texts):
        LinkFolder.check(texts)
    elif request.output:
        refuse_file(request.output, force=request.force)
    return texts


def into_folder(request: AlignRequest, texts: list[PairText]) -> bool:
    """Whether the links of each text get a file of their own."""
    return len(texts) > 1 and request.output is not None and not request.gold


def _columns(text: str) -> tuple[int, int]:
    parts = text.split(",")
    if len(parts) != 2 or not all(part.isdecimal() and int(part) > 0 for part in parts):
        raise click.UsageError(f"--columns {text}: expected two numbers from 1, as in 1,2")
    return int(parts[0]) - 1, int(parts[1]) - 1


def read_text(request: AlignRequest, texts: list[PairText], screen: Screen) -> ParallelCorpus:
    """The text in memory, or a sample of it."""
    from demotic.align.pair_text import read_parallel
    from demotic.align.sample import choose_pairs
    from demotic.text.parallel import ParallelCorpus
    from demotic.text.wordless import refuse_wordless

    first = texts[0]
    with screen.progress("reading"):
        if request.sample:
            corpus = read_parallel(texts, choose_pairs(texts, request.sample, request.seed))
        elif first.target is not None:
            corpus = ParallelCorpus.read(first.source, first.target)
        else:
            corpus = read_parallel(texts)
    if request.gold:
        _gold(request, corpus)  # a mistake is reported before training
    if not request.load:
        paths = request.files[0], request.files[-1] if first.target is not None else first.source
        for side, path in zip((corpus.source, corpus.target), paths, strict=True):
            refuse_wordless(side.sentences, os.fspath(path))
    return corpus


def links_in_memory(
    request: AlignRequest, aligner: Aligner, corpus: ParallelCorpus, screen: Screen
) -> dict[str, Any]:
    """Links of a text in memory, scored against gold alignments if there are some."""
    from demotic.align import score_alignments, write_links
    from demotic.align.stream import Columns, LinkStream
    from demotic.lines import write_text

    gold = _gold(request, corpus) if request.gold else None
    with screen.progress("aligning") as advance:
        links = aligner.align(corpus, threads=request.threads, progress=advance)
    if aligner.cut_:
        screen.note(f"{counted(aligner.cut_, 'pair')} longer than --max-length, aligned in pieces")
    values: dict[str, Any] = {"pairs": len(corpus), "links": len(links.links)}
    text = ""
    if gold is not None:
        score = score_alignments(links, gold)
        values |= asdict(score)
        text = str(score)
    to_stdout = gold is None and not screen.as_json
    if request.plain and request.output:
        write_links(request.output, links)
    elif request.plain and to_stdout:
        for line in links.format().tolist():
            print(line)
    elif request.output or to_stdout:
        columns = Columns(request.write_scores, request.write_posteriors)
        stream = LinkStream(aligner, columns, threads=request.threads)
        lines = stream.align(corpus.source.lines(), corpus.target.lines()).decode()
        if request.output:
            with write_text(request.output) as file:
                file.write(lines)
        else:
            print(lines, end="")
    screen.result(values, text)
    return values


def _gold(request: AlignRequest, corpus: ParallelCorpus) -> Gold:
    from demotic.align import read_gold
    from demotic.errors import FormatError

    path = request.gold or ""
    gold = read_gold(path)
    if len(gold) != len(corpus):
        raise FormatError(
            f"links of {len(gold)} sentence pairs",
            path=path,
            expected=f"{len(corpus)}, as in {request.files[0]}",
        )
    return gold


def stream_links(
    request: AlignRequest, aligner: Aligner, texts: list[PairText], screen: Screen
) -> dict[str, Any]:
    """Links of a text of any size, in batches."""
    from demotic.align.stream import Columns, LinkStream

    columns = Columns(request.write_scores, request.write_posteriors)
    stream = LinkStream(aligner, columns, threads=request.threads)
    with screen.progress("aligning") as advance:
        if request.output:
            _to_files(request, stream, texts, advance)
        else:
            for text in texts:
                for lines in stream.lines(text.batches()):
                    if not screen.as_json:
                        sys.stdout.buffer.write(lines)
                        sys.stdout.buffer.flush()
                    advance(stream.counts.pairs)
    counts = stream.counts
    _note(counts, screen)
    screen.result(asdict(counts), "")
    return asdict(counts)


def _to_files(
    request: AlignRequest, stream: LinkStream, texts: list[PairText], advance: Advance
) -> None:
    from demotic.align.link_folder import LinkFolder

    output = Path(request.output or "")
    if not into_folder(request, texts):
        stream.write(texts[0], output, force=request.force, report=advance)
        return
    folder = LinkFolder(output, force=request.force)
    for text in texts:
        folder.write(stream, text, report=advance)


def _note(counts: StreamCounts, screen: Screen) -> None:
    if counts.resumed:
        screen.note(f"resumed after {counted(counts.resumed, 'pair')}")
    if counts.empty:
        screen.note(f"{counted(counts.empty, 'pair')} with an empty side, without links")
    if counts.cut:
        screen.note(f"{counted(counts.cut, 'pair')} longer than --max-length, aligned in pieces")
