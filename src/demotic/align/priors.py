"""Priors of word alignment, in eflomal's format: counts from one text that help to align another.

    LEX    source word   target word   count      links between two words
    HMMF   width         count                    jumps of p(target | source)
    HMMR   width         count                    jumps of p(source | target)
    FERF   source word   links   count            words with so many links
    FERR   target word   links   count

Fields are separated by tabs.  Training adds LEX, HMMF and HMMR counts to its expected counts in
every iteration.  These models have no fertilities: FERF and FERR are written for eflomal and not
used here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, TypeVar

from demotic._core import AlignmentPriors, Alignments, Vocabulary
from demotic.align.aligner import Aligner
from demotic.errors import FormatError
from demotic.lines import LineFile, PathLike, write_text
from demotic.text.parallel import ParallelCorpus

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["Priors", "count_priors", "read_priors", "write_priors"]

_Key = TypeVar("_Key")


@dataclass
class Priors:
    """Counts by kind of line; words as strings, so that they apply to any text."""

    pairs: dict[tuple[str, str], float] = field(default_factory=dict)
    forward_jumps: dict[int, float] = field(default_factory=dict)
    backward_jumps: dict[int, float] = field(default_factory=dict)
    source_links: dict[tuple[str, int], float] = field(default_factory=dict)
    target_links: dict[tuple[str, int], float] = field(default_factory=dict)

    def native(self, vocabulary: Vocabulary, max_jump: int) -> AlignmentPriors:
        """The same for the words of a text; other words are left out."""
        pairs = [
            (vocabulary.find(source), vocabulary.find(target), count)
            for (source, target), count in sorted(self.pairs.items())
            if source in vocabulary and target in vocabulary
        ]
        jumps = (
            _by_width(counts, max_jump) for counts in (self.forward_jumps, self.backward_jumps)
        )
        return AlignmentPriors.of(pairs, *jumps)


def _by_width(counts: dict[int, float], limit: int) -> list[float]:
    """Wider jumps share the outermost values."""
    if not counts:
        return []
    result = [0.0] * (2 * limit + 1)
    for width, count in sorted(counts.items()):
        result[max(-limit, min(limit, width)) + limit] += count
    return result


def read_priors(path: PathLike) -> Priors:
    """Raises FormatError with the line."""
    priors = Priors()
    file = LineFile(path, keep_tabs=True)
    for number, line in enumerate(file, 1):
        kind, *fields = line.split("\t")
        try:
            _add(priors, kind, fields)
        except ValueError:
            raise FormatError(
                f"'{line[:60]}'",
                path=file.name,
                line=number,
                expected="LEX, HMMF, HMMR, FERF or FERR with its fields, separated by tabs, the "
                "last a count of at least 0",
            ) from None
    return priors


def _add(priors: Priors, kind: str, fields: list[str]) -> None:
    """Raises ValueError."""
    count = float(fields[-1] if fields else "")
    if not 0 <= count < float("inf"):
        raise ValueError
    if kind == "LEX":
        source, target, _ = fields
        priors.pairs[source, target] = count
    elif kind in ("HMMF", "HMMR"):
        width, _ = fields
        jumps = priors.forward_jumps if kind == "HMMF" else priors.backward_jumps
        jumps[int(width)] = count
    elif kind in ("FERF", "FERR"):
        word, links, _ = fields
        table = priors.source_links if kind == "FERF" else priors.target_links
        table[word, int(links)] = count
    else:
        raise ValueError


def write_priors(path: PathLike, priors: Priors) -> int:
    """Returns the number of lines."""
    lines = [f"LEX\t{s}\t{t}\t{c:g}" for (s, t), c in sorted(priors.pairs.items())]
    for kind, table in (("FERF", priors.source_links), ("FERR", priors.target_links)):
        lines += [f"{kind}\t{word}\t{n}\t{c:g}" for (word, n), c in sorted(table.items())]
    for kind, jumps in (("HMMF", priors.forward_jumps), ("HMMR", priors.backward_jumps)):
        lines += [f"{kind}\t{width}\t{c:g}" for width, c in sorted(jumps.items())]
    with write_text(path) as file:
        file.writelines(line + "\n" for line in lines)
    return len(lines)


def count_priors(aligner: Aligner, corpus: ParallelCorpus, *, threads: int = 1) -> Priors:
    """Counts the links, jumps and fertilities of a text that an aligner aligns.

    Pairs of words are counted in the symmetrised links, the rest in the links of each direction.
    """
    words = corpus.vocabulary.words()
    every = {
        kind: _Links(_aligned(aligner, corpus, kind, threads), corpus)
        for kind in ("forward", "backward")
    }
    both = _Links(aligner.align(corpus, threads=threads), corpus)
    return Priors(
        _named(both.pairs(), lambda s, t: (words[s], words[t])),
        every["forward"].jumps(0),
        every["backward"].jumps(1),
        _named(every["forward"].fertilities(0), lambda word, n: (words[word], n)),
        _named(every["backward"].fertilities(1), lambda word, n: (words[word], n)),
    )


def _aligned(aligner: Aligner, corpus: ParallelCorpus, kind: str, threads: int) -> Alignments:
    one_way = Aligner(replace(aligner.options, symmetrize=kind))  # type: ignore[arg-type]
    one_way.adopt(aligner)
    return one_way.align(corpus, threads=threads)


def _named(counts: Counter[tuple[int, int]], name: Callable[[int, int], _Key]) -> dict[_Key, float]:
    return {name(*key): float(count) for key, count in counts.items()}


class _Links:
    """The links of a corpus as flat arrays: sentence, positions."""

    def __init__(self, links: Alignments, corpus: ParallelCorpus) -> None:
        import numpy as np

        self._corpus = corpus
        self._sentence = np.repeat(np.arange(len(links)), np.diff(links.offsets))
        self._positions = links.links.T.astype(np.int64)  # [0] source, [1] target

    def _words(self, side: int) -> NDArray[np.int64]:
        sentences = (self._corpus.source, self._corpus.target)[side].sentences
        begins = sentences.offsets[:-1][self._sentence]
        words: NDArray[np.int64] = sentences.words[begins + self._positions[side]].astype("int64")
        return words

    def pairs(self) -> Counter[tuple[int, int]]:
        return _counted(self._words(0), self._words(1))

    def fertilities(self, side: int) -> Counter[tuple[int, int]]:
        """How often each word of a side has how many links."""
        import numpy as np

        key = self._sentence.astype(np.int64) << 32 | self._positions[side]
        _, first, links = np.unique(key, return_index=True, return_counts=True)
        return _counted(self._words(side)[first], links)

    def jumps(self, side: int) -> dict[int, float]:
        """Widths between positions of `side` that neighbouring words of the other side link to.

        The first jump starts before the sentence, the last one leads to its end.
        """
        import numpy as np

        sentences = (self._corpus.source, self._corpus.target)[side].sentences
        order = np.lexsort((self._positions[side], self._positions[1 - side], self._sentence))
        at, sentence = self._positions[side][order], self._sentence[order]
        new = np.diff(sentence, prepend=-1) != 0
        widths = at - np.where(new, -1, np.roll(at, 1))
        last = np.full(len(sentences), -1)
        last[sentence] = at  # the last assignment counts
        ends = np.diff(sentences.offsets) - last
        found, counts = np.unique(np.concatenate([widths, ends]), return_counts=True)
        return dict(zip(found.tolist(), map(float, counts.tolist()), strict=True))


def _counted(first: NDArray[np.int64], second: NDArray[np.int64]) -> Counter[tuple[int, int]]:
    import numpy as np

    keys, counts = np.unique(first << 32 | second, return_counts=True)
    columns = ((keys >> 32).tolist(), (keys & 0xFFFFFFFF).tolist(), counts.tolist())
    return Counter({(a, b): count for a, b, count in zip(*columns, strict=True)})
