"""The rules of a model: extracted from an aligned bitext, looked up and listed.

A phrase pair is a rule without gaps.  Extraction, counting and scoring are native
(`core/include/demotic/rules/`); this file holds the options and the readable view.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from demotic import _core
from demotic._core import Alignments, ExtractReport, LexicalTable, RuleStore, Vocabulary
from demotic.errors import Error, InputError, ModelError
from demotic.feature_sets import FEATURE_SETS, LOW_COUNTS, OPTIONAL_FEATURES, FeatureSet
from demotic.lines import PathLike, split_words
from demotic.native_options import to_native
from demotic.options import Options, option
from demotic.verified import open_verified, policy

__all__ = ["Rule", "RuleOptions", "Rules", "extract", "index_bitext"]

RuleKind = Literal["phrase", "hiero"]
Reordering = Literal["none", "backward", "bidirectional"]
Orientation = Literal["word", "hierarchical"]
Smoothing = Literal["none", "good-turing", "kneser-ney"]
Storage = Literal["table", "on-demand"]


@dataclass(frozen=True, kw_only=True)
class RuleOptions(Options):
    """What is extracted, and how it is counted."""

    storage: Storage = option(
        "table",
        "store all rules in a table, or index the bitext and extract the rules of a sentence on "
        "demand, when it is translated",
        flag="--rules",
        core=None,
    )
    sample: int = option(
        1000,
        "occurrences of a source side to extract rules from on demand; 0 for all",
        unit="occurrences",
        minimum=0,
        maximum=1 << 30,
        core=None,
    )
    sample_seed: int = option(
        1, "seed of the sample of occurrences", minimum=0, maximum=(1 << 63) - 1, core=None
    )
    counted_pairs: int = option(
        100_000,
        "count target sides with gaps in at most this many sentence pairs, spread over the text, "
        "to score rules on demand; in a larger text p(source | target) of rules with gaps is an "
        "estimate; 0 for all (hiero)",
        unit="pairs",
        minimum=0,
        maximum=1 << 40,
        kind="hiero",
        core=None,
    )
    max_phrase: int = option(
        7,
        "maximum phrase length on either side",
        unit="words",
        minimum=1,
        maximum=255,
        kind="phrase",
    )
    tight: bool = option(
        False, "exclude phrases with unaligned words at their edges (hiero: initial phrases)"
    )
    reordering: Reordering = option(
        "bidirectional",
        "lexicalised reordering: 6 scores, 3 scores or none (phrases)",
        kind="phrase",
    )
    orientation: Orientation = option(
        "word",
        "orientation that lexicalised reordering scores: relative to the adjacent phrase, or "
        "hierarchical, to the block of phrases that it is part of (phrases)",
        kind="phrase",
    )
    reordering_smoothing: float = option(
        0.5, "smoothing added to the count of each orientation", minimum=1e-9, kind="phrase"
    )
    min_count: int = option(1, "remove rules seen less often than this", minimum=1)
    significance: float | None = option(
        None,
        "remove rules whose sides meet about as often as by chance: -log p of Fisher's exact test "
        "below log(sentence pairs) plus this; 0.01 removes rules whose sides both occur in one "
        "pair only, -0.01 keeps them (default: keep all rules)",
        core=None,
    )
    keep_word_pairs: bool = option(
        True,
        "keep all rules of one source and one target word, and with --significance all rules of "
        "one source word",
    )
    smoothing: Smoothing = option(
        "none", "smoothing of rule probabilities, which lowers those of rare rules"
    )
    low_counts: bool = option(
        False, "add three scores: whether a rule occurs once, twice, three times", core=None
    )
    max_initial: int = option(
        10,
        "maximum length of hiero's initial phrases",
        unit="words",
        minimum=1,
        maximum=255,
        kind="hiero",
    )
    max_source_symbols: int = option(
        5, "maximum number of words and gaps on the source side (hiero)", minimum=1, kind="hiero"
    )
    max_gaps: int = option(
        2, "maximum number of gaps per rule (hiero)", minimum=0, maximum=2, kind="hiero"
    )
    min_gap: int = option(
        1, "minimum source words under a gap (hiero)", unit="words", minimum=1, kind="hiero"
    )
    adjacent_gaps: bool = option(
        False, "allow adjacent gaps on the source side (hiero)", kind="hiero"
    )
    require_link: bool = option(
        True, "require at least one linked word pair per rule (hiero)", kind="hiero"
    )
    share_count: bool = option(
        True, "share the count of an initial phrase among its rules (hiero)", kind="hiero"
    )
    min_gapped_count: float = option(
        0.0,
        "remove rules with gaps whose count per set of links is lower; most counts are below 1, "
        "because the rules of a phrase share one (hiero)",
        minimum=0,
        kind="hiero",
    )
    features: FeatureSet = option(
        "moses",
        "set of features, whose dense part has 10 to 18 features (hiero)",
        kind="hiero",
        core=None,
    )
    distortion_sentences: int = option(
        10_000,
        "count reordered gaps in this many sentences from the first, for the feature "
        "structural_distortion; 0 for all (hiero)",
        unit="sentences",
        minimum=0,
    )
    memory: int = option(
        1 << 30, "memory for sorting; larger data are sorted on disk", unit="bytes", minimum=1
    )

    @property
    def extra_scores(self) -> list[str]:
        """Scores of rules in addition to probabilities and reordering."""
        low = LOW_COUNTS if self.low_counts else ()
        return list(dict.fromkeys([*FEATURE_SETS[self.features], *low]))

    @property
    def optional_features(self) -> tuple[str, ...]:
        """The optional dense features of the set."""
        return OPTIONAL_FEATURES.get(self.features, ())

    @property
    def on_demand(self) -> bool:
        """Whether rules are extracted when they are needed."""
        return self.storage == "on-demand"

    def sampling(self) -> _core.SampleOptions:
        return to_native(
            _core.SampleOptions,
            sample=self.sample,
            seed=self.sample_seed,
            counted_pairs=self.counted_pairs,
        )

    def _check_on_demand(self, kind: RuleKind) -> None:
        """Refuses what needs counts of all rules, or patterns that are not looked for."""
        found = {
            "--adjacent-gaps": kind == "hiero" and self.adjacent_gaps,
            f"--smoothing {self.smoothing}": self.smoothing != "none",
            f"--significance {self.significance}": self.significance is not None,
        }
        for flag, given in found.items():
            if given:
                raise InputError(
                    f"{flag} with --rules on-demand",
                    expected="rules without smoothing, significance and adjacent gaps",
                    advice=f"omit {flag}, or build a table of rules: --rules table",
                )

    def native(self, kind: RuleKind, threads: int) -> _core.ExtractOptions:
        if kind == "phrase" and self.features not in ("moses", "y13"):
            raise Error(
                f"the features {self.features} for a phrase model",
                expected="a Hiero model",
                advice="give --kind hiero, or omit --features",
            )
        if self.on_demand:
            self._check_on_demand(kind)
        return to_native(
            _core.ExtractOptions,
            self,
            kinds=("", "phrase"),
            kind=kind,
            hiero=to_native(_core.HieroExtractOptions, self, kinds=("hiero",), tight=self.tight),
            extra_scores=self.extra_scores,
            significance=-math.inf if self.significance is None else self.significance,
            threads=threads,
        )


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule as text; gaps are written [X,1] on both sides, links join symbol positions."""

    lhs: str
    source: tuple[str, ...]
    target: tuple[str, ...]
    links: tuple[tuple[int, int], ...]
    scores: dict[str, float]
    occurrences: int
    count: float  # its occurrences, unless counts are shared or come from another program
    only_sentence: int  # the sentence if the rule was seen in only one, and it is known; else -1
    reordered: tuple[bool, ...]  # whether each gap crosses a link or the other gap, in source order

    def __str__(self) -> str:
        return f"[{self.lhs}] ||| {' '.join(self.source)} ||| {' '.join(self.target)}"


class Rules:
    """All rules of a model over its vocabulary, mapped from a file.

    Rules on demand exist only for source sides that were asked for: by a search, or by `find`.
    """

    def __init__(self, store: RuleStore, vocabulary: Vocabulary) -> None:
        self.store = store
        self.vocabulary = vocabulary

    @classmethod
    def open(
        cls,
        path: PathLike,
        vocabulary: Vocabulary,
        *,
        added: Sequence[PathLike] = (),
        verify: bool = True,
    ) -> Rules:
        """Opens a table of rules, or an indexed bitext with those that were added to it."""

        def opened(name: str, check: bool) -> RuleStore:
            return RuleStore.open_with(name, [os.fspath(one) for one in added], check)

        return cls(open_verified(opened, path, policy(verify)), vocabulary)

    @property
    def on_demand(self) -> bool:
        """Whether rules are extracted when they are needed."""
        return self.store.on_demand

    @property
    def size_text(self) -> str:
        """How many there are, in words."""
        if self.on_demand:
            return f"rules on demand from {self.store.pairs:,} sentence pairs"
        return f"{len(self):,} rules"

    def require_table(self, verb: str) -> None:
        """Raises ModelError if rules are on demand, naming what needs all of them."""
        if self.on_demand:
            raise ModelError(
                f"a model with rules on demand for {verb}, which needs a table of all rules",
                expected="a model built with --rules table",
                advice="build the model again with --rules table",
            )

    def __len__(self) -> int:
        """The number of rules; on demand, of those that were asked for so far."""
        return len(self.store)

    def __repr__(self) -> str:
        return (
            f"Rules({self.size_text}, {self.store.nodes:,} trie nodes, "
            f"{len(self.store.score_names)} scores)"
        )

    def __iter__(self) -> Iterator[Rule]:
        """Every rule, ordered by source side."""
        self.require_table("a list of rules")
        stack: list[tuple[int, tuple[int, ...]]] = [(0, ())]
        while stack:
            node, symbols = stack.pop()
            yield from self._at(node, symbols)
            below = [(self.store.child(node, s), (*symbols, s)) for s in self.store.children(node)]
            stack.extend(reversed(below))

    def find(self, source: str) -> list[Rule]:
        """The rules with this source side, such as "ne [X,1] pas"."""
        symbols = tuple(map(self._symbol, split_words(source)))
        if self.on_demand:
            import numpy as np

            # An unknown word in place of a gap, which no other pattern matches.
            words = np.array([max(symbol, 0) for symbol in symbols], np.int32)
            self.store.prepare(_core.Corpus(np.array([0, len(words)], np.int64), words), 0, 1)
        node = 0
        for symbol in symbols:
            node = self.store.child(node, symbol)
            if node == 0:
                return []
        return list(self._at(node, symbols))

    def _symbol(self, text: str) -> int:
        label = text[1:-1].split(",", maxsplit=1)[0]
        if text.startswith("[") and text.endswith("]") and label in self.store.labels:
            return -self.store.labels.index(label) - 1
        return self.vocabulary.find(text)

    def _at(self, node: int, symbols: tuple[int, ...]) -> Iterator[Rule]:
        begin, end = self.store.rules(node)
        gaps = [self.store.labels[-s - 1] for s in symbols if s < 0]
        source = self._spell(symbols, iter(range(len(gaps))), gaps)
        for rule in range(begin, end):
            target = self.store.target(rule)
            order = iter([-s - 1 for s in target if s < 0])
            yield Rule(
                lhs=self.store.labels[self.store.lhs(rule)],
                source=source,
                target=self._spell(tuple(target), order, gaps),
                links=tuple(self.store.links(rule)),
                scores=dict(zip(self.store.score_names, self.store.scores(rule), strict=True)),
                occurrences=self.store.occurrences(rule),
                count=self.store.count(rule),
                only_sentence=self.store.only_sentence(rule),
                reordered=tuple(self.store.reordered_gaps(rule)),
            )

    def _spell(
        self, symbols: tuple[int, ...], gap_order: Iterator[int], labels: list[str]
    ) -> tuple[str, ...]:
        def text(symbol: int) -> str:
            if symbol >= 0:
                return self.vocabulary.word(symbol)
            gap = next(gap_order)
            return f"[{labels[gap]},{gap + 1}]"

        return tuple(map(text, symbols))


def index_bitext(
    source: _core.Corpus,
    target: _core.Corpus,
    links: Alignments | Sequence[Alignments],
    path: PathLike,
    *,
    kind: RuleKind = "phrase",
    options: RuleOptions | None = None,
    threads: int = 1,
    progress: Callable[[int, int], None] | None = None,
) -> ExtractReport:
    """Writes an indexed bitext, from which rules are extracted on demand."""
    options = options or RuleOptions(storage="on-demand")
    sets = [links] if isinstance(links, Alignments) else list(links)
    settings = options.native(kind, threads), options.sampling()
    return _core.write_bitext_index(source, target, sets, str(path), *settings, progress)


def extract(
    source: _core.Corpus,
    target: _core.Corpus,
    links: Alignments | Sequence[Alignments],
    path: PathLike,
    *,
    kind: RuleKind = "phrase",
    options: RuleOptions | None = None,
    lexicon: LexicalTable | None = None,
    threads: int = 1,
    progress: Callable[[int, int], None] | None = None,
) -> ExtractReport:
    """Writes the rule store of an aligned bitext, whose two sides share one vocabulary.

    With several sets of links rules are extracted from each, and their counts are added up.
    """
    sets = [links] if isinstance(links, Alignments) else list(links)
    lexicon = lexicon or _core.count_lexicon(source, target, sets)
    native = (options or RuleOptions()).native(kind, threads)
    return _core.extract_rules(source, target, sets, lexicon, str(path), native, progress)
