"""What a side learns from text before it can prepare it: a segmenter, true case, compounds."""

from __future__ import annotations

from collections.abc import Callable

from demotic.text.case import TruecaseCounts
from demotic.text.clean import clean
from demotic.text.compounds import CompoundCounts
from demotic.text.segment import learn_words
from demotic.text.side import Side
from demotic.text.tokenize.unigram import UnigramTokenizer

__all__ = ["SideLearner"]

# Maximum number of runs to learn from; longer text is sampled evenly, which bounds memory.
MAX_RUNS = 500_000


class SideLearner:
    """Observes all lines first, then completes the side.

    A line is stored as tokens, or as clean text if the segmenter is not learnt yet.
    """

    def __init__(self, side: Side) -> None:
        self._side = side
        self._case = TruecaseCounts(side.language) if side.lacks_case else None
        self._compounds = CompoundCounts(side.language) if side.lacks_compounds else None
        self._words = side.tokenizer if side.lacks_words else None
        self._runs: list[str] = []
        self._stride = 1
        self._seen = 0

    def observe(self, line: str) -> str:
        """Counts the words of a raw line; returns the form to be passed to `tokens` later."""
        tokens = self._side.tokens(line)
        if self._case is not None:
            self._case.observe(tokens)
        if self._compounds is not None:
            self._compounds.observe(tokens)
        if not isinstance(self._words, UnigramTokenizer):
            return " ".join(tokens)
        self._side.capped = 0  # they are counted when the line is finally tokenised
        cleaned = clean(line, self._side.options.unicode)
        for run in self._words.runs(cleaned):
            self._keep(run)
        return cleaned

    def learn(self, progress: Callable[[int, int], None] | None = None, threads: int = 1) -> None:
        """Completes the side from the counts."""
        if self._case is not None:
            self._side.truecaser = self._case.model()
        if self._compounds is not None:
            self._side.set_compounds(self._compounds.model())
        if isinstance(self._words, UnigramTokenizer):
            runs = (run.split(" ") for run in self._runs)
            self._words.words = learn_words(runs, threads=threads, progress=progress)

    def tokens(self, waiting: str) -> list[str]:
        """The tokens of a line that `observe` returned."""
        if self._words is not None:
            return self._side.tokens(waiting)
        return waiting.split(" ") if waiting else []

    def _keep(self, run: list[str]) -> None:
        """Keeps every run at first, then every second, every fourth, and so on."""
        if self._seen % self._stride == 0:
            self._runs.append(" ".join(run))
        self._seen += 1
        if len(self._runs) >= 2 * MAX_RUNS:
            self._runs = self._runs[::2]
            self._stride *= 2
