"""A saved aligner as a `WordAligner` of the package sil-machine.

from demotic.align.machine_aligner import DemoticWordAligner

aligner = DemoticWordAligner("es-en.aligner")
aligner.align("la casa verde".split(), "the green house".split()).to_aligned_word_pairs()
"""

from __future__ import annotations

from collections.abc import Sequence

from machine.translation import WordAligner, WordAlignmentMatrix

from demotic._core import Alignments, EncodingErrors, LineParser
from demotic.align.aligner import Aligner
from demotic.align.options import AlignOptions
from demotic.align.stream import LinkStream
from demotic.lines import PathLike, clean_texts

__all__ = ["DemoticWordAligner"]

Segment = Sequence[str]


class DemoticWordAligner(WordAligner):  # type: ignore[misc]
    """Tokens must not contain spaces: they would be two words."""

    def __init__(
        self, path: PathLike, options: AlignOptions | None = None, *, threads: int = 1
    ) -> None:
        self._stream = LinkStream(Aligner.load(path, options), threads=threads)

    def align(self, source_segment: Segment, target_segment: Segment) -> WordAlignmentMatrix:
        return self.align_batch([(source_segment, target_segment)])[0]

    def align_batch(self, segments: Sequence[Sequence[Segment]]) -> list[WordAlignmentMatrix]:
        sides = []
        for side in (0, 1):
            texts = []
            for pair in segments:
                if any(not token or " " in token for token in pair[side]):
                    raise ValueError(f"tokens without spaces are needed, got {list(pair[side])}")
                texts.append(" ".join(pair[side]))
            sides.append(clean_texts(LineParser("text", EncodingErrors.replace, False), texts))
        text = self._stream.align(*sides).decode()
        lines = clean_texts(LineParser("links", EncodingErrors.refuse, False), text.splitlines())
        links = Alignments.parse(lines, "links")
        return [
            WordAlignmentMatrix.from_word_pairs(len(source), len(target), links[k])
            for k, (source, target) in enumerate(segments)
        ]
