"""The training pairs behind the rules of a derivation.

`demotic build` keeps the corpus and its links in `bitext/` of the model directory, which models
derived from it share.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from demotic.align import read_links
from demotic.errors import Error
from demotic.explain.explanation import Evidence, EvidencePair, RuleEvidence, StepView
from demotic.model.sharing import BITEXT, link_files
from demotic.text.bitext_search import BitextSearch, Pattern, Places, RuleOccurrence
from demotic.text.parallel import ParallelCorpus

if TYPE_CHECKING:
    from demotic.model import Model

__all__ = ["evidence_of"]


def evidence_of(model: Model, steps: Sequence[StepView], wanted: int) -> Evidence:
    """Up to `wanted` training pairs per rule, or the reason why there are none."""
    home = model.path / BITEXT
    if not home.is_dir():
        return Evidence(
            missing=f"The training corpus is not in the model directory: there is no {home}. "
            "Models made by demotic build have it, and so do models tuned or trained from them; "
            "imported models do not. Copy the whole directory, or build the model again."
        )
    try:
        search = _opened(model)
    except Error as error:
        return Evidence(missing=f"The training corpus cannot be read. {error}")
    known = [(i, step) for i, step in enumerate(steps) if step.rule is not None]
    return Evidence(
        rules=tuple(RuleEvidence(i, _pairs(model, search, step, wanted)) for i, step in known),
        pairs=len(search.corpus),
    )


def _opened(model: Model) -> BitextSearch:
    corpus = ParallelCorpus.open(model.path / BITEXT)
    sets = [read_links(file) for file in link_files(model.path / BITEXT)]
    links = [links for links in sets if len(links) == len(corpus)]
    limit = model.info.options.get("rules_max_initial", 0)
    return BitextSearch(corpus, links, max_span=int(limit) if model.kind == "hiero" else 0)


def _pairs(
    model: Model, search: BitextSearch, step: StepView, wanted: int
) -> tuple[EvidencePair, ...]:
    store = model.rules.store
    if step.rule is None:
        return ()
    find = search.corpus.vocabulary.find
    gaps = {place: -number for number, place in enumerate(step.source_gaps, 1)}
    source = tuple(gaps.get(i) or find(word) for i, word in enumerate(step.source))
    target = tuple(store.target(step.rule))
    only, seen = store.only_sentence(step.rule), store.occurrences(step.rule)
    if max(target, default=0) >= len(search.corpus.vocabulary):
        return ()  # a word of pairs that were added to the model, which are not kept as text
    found = search.find(source, target, wanted, seen=seen, first=only)
    return tuple(_pair(search.corpus, one, source, target) for one in found)


def _pair(
    corpus: ParallelCorpus, found: RuleOccurrence, source: Pattern, target: Pattern
) -> EvidencePair:
    texts = corpus.source[found.pair], corpus.target[found.pair]
    pair = corpus.pair(found.pair)
    return EvidencePair(
        *texts,
        _marks(len(texts[0]), source, found.source),
        _marks(len(texts[1]), target, found.target),
        pair.origin,
        pair.line,
        found.supported,
    )


def _marks(length: int, symbols: Pattern, places: Places) -> tuple[int | None, ...]:
    marks: list[int | None] = [None] * length
    for symbol, (begin, end) in zip(symbols, places, strict=True):
        marks[begin:end] = [max(0, -symbol)] * (end - begin)
    return tuple(marks)
