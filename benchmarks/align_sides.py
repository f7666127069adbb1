"""The aligners to be compared, each as a function from pairs to links.

Tokens are the same for all; every aligner trains both directions on all pairs, and the links of
the two directions are symmetrised by the same code (grow-diag-final-and).
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from demotic.align import Aligner, Alignments, AlignOptions, align, read_links, symmetrize
from demotic.text.pairs import Pair
from demotic.text.parallel import ParallelCorpus

__all__ = [
    "OURS",
    "RIVALS",
    "Pairs",
    "Side",
    "corpus_of",
    "fitted",
    "thot_fast_align",
    "thot_links",
]

Pairs = Sequence[tuple[str, str]]
Side = Callable[[Pairs], Alignments]


def corpus_of(pairs: Pairs) -> ParallelCorpus:
    numbered = enumerate(pairs, 1)
    return ParallelCorpus.from_pairs(Pair(s, t, "benchmark", line) for line, (s, t) in numbered)


def fitted(pairs: Pairs, options: AlignOptions, threads: int = 1) -> Aligner:
    return Aligner(options).fit(corpus_of(pairs), threads=threads)


def _ours(options: AlignOptions) -> Side:
    return lambda pairs: align(corpus_of(pairs), options)


def _eflomal(pairs: Pairs) -> Alignments:
    import eflomal

    with tempfile.TemporaryDirectory() as folder:
        forward, reverse = Path(folder, "forward"), Path(folder, "reverse")
        sides = [source for source, _ in pairs], [target for _, target in pairs]
        eflomal.Aligner().align(
            *sides, links_filename_fwd=str(forward), links_filename_rev=str(reverse)
        )
        # Its "forward" direction links each source word at most once, which we call backward.
        return symmetrize(read_links(reverse), read_links(forward))


def _thot_direction(pairs: Pairs, make: Callable[[], Any], iterations: int) -> Any:
    model = make()
    for source, target in pairs:
        if source and target:
            model.add_sentence_pair(source.split(), target.split())
    model.start_training()
    for _ in range(iterations):
        model.train()
    model.end_training()
    return model


def thot_links(model: Any, pairs: Pairs) -> list[list[tuple[int, int]]]:
    best = model.get_best_alignments(
        [source.split() for source, _ in pairs], [target.split() for _, target in pairs]
    )
    return [
        [(int(i), int(j)) for i, j in zip(*m.to_numpy().nonzero(), strict=True)] for _, m in best
    ]


def _thot(make: Callable[[Pairs], Any]) -> Side:
    def run(pairs: Pairs) -> Alignments:
        turned = [(target, source) for source, target in pairs]
        forward = Alignments.from_lists(thot_links(make(pairs), pairs))
        back = [[(i, j) for j, i in row] for row in thot_links(make(turned), turned)]
        return symmetrize(forward, Alignments.from_lists(back))

    return run


def thot_fast_align(pairs: Pairs) -> Any:
    import thot.alignment

    def make() -> Any:
        model = thot.alignment.FastAlignModel()
        model.variational_bayes = True
        return model

    return _thot_direction(pairs, make, 5)


def _thot_hmm(pairs: Pairs) -> Any:
    import thot.alignment

    first = _thot_direction(pairs, thot.alignment.Ibm1AlignmentModel, 5)
    model = thot.alignment.HmmAlignmentModel(first)
    model.start_training()
    for _ in range(5):
        model.train()
    model.end_training()
    return model


OURS: dict[str, Side] = {
    "demotic ibm1": _ours(AlignOptions(model="ibm1")),
    "demotic diagonal": _ours(AlignOptions(model="diagonal")),
    "demotic diagonal agreeing": _ours(AlignOptions(model="diagonal", agree=True)),
    "demotic hmm, no agreement": _ours(AlignOptions(agree=False)),
    "demotic hmm, no agreement, l0": _ours(AlignOptions(l0=True)),
    "demotic hmm (default)": _ours(AlignOptions()),
    "demotic hmm, l0": _ours(AlignOptions(agree=True, l0=True)),
}

# name: package, function, runs (five for aligners with random numbers)
_KNOWN: dict[str, tuple[str, Side, int]] = {
    "eflomal": ("eflomal", _eflomal, 5),
    "sil-thot FastAlign": ("thot", _thot(thot_fast_align), 1),
    "sil-thot HMM": ("thot", _thot(_thot_hmm), 1),
}


def _installed() -> dict[str, tuple[Side, int]]:
    return {
        name: (side, runs) for name, (package, side, runs) in _KNOWN.items() if find_spec(package)
    }


RIVALS = _installed()
