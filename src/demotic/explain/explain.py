"""Decodes a sentence again, recording everything, and explains why its translation won.

print(explain(Model.load("zh-en"), "他 把 书 放 在 桌子 上").text())
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

import numpy as np

from demotic.explain.bins import RankedBins
from demotic.explain.evidence import evidence_of
from demotic.explain.explanation import Explanation, ReferenceView, Rival
from demotic.explain.steps import contributions, step_views
from demotic.lines import PathLike, split_words
from demotic.search.parsed import SourceTrees
from demotic.search.sentence import (
    AnnotatedSentence,
    annotations_of,
    constituent_spans,
    constraints_of,
)
from demotic.search.text import RawText, cleaned

if TYPE_CHECKING:
    from demotic.forest import Derivations
    from demotic.model import Model
    from demotic.search import Candidate, Decoder, SearchOptions

__all__ = ["explain"]

Progress = Callable[[int, int], None]

_LISTED = 100  # translations among which the one closest to a reference is found


def explain(
    model: Model,
    sentence: str,
    *,
    reference: str = "",
    rivals: int = 5,
    text: RawText | None = None,
    options: SearchOptions | None = None,
    evidence: int = 0,
    progress: Progress | None = None,
    trees: PathLike | None = None,
) -> Explanation:
    """Explains the best translation of a raw or tokenised sentence.

    `text` says which sides are tokenised already; `evidence` is the number of training pairs to
    show per rule.  A tokenised sentence may have annotations; `trees` is a file whose first tree
    belongs to the sentence.  `progress` may stop the search by raising.
    """
    raw, decoder = text or RawText(model), model.decoder(options)
    annotations = annotations_of(sentence)
    sentence, reference = cleaned([sentence, reference])
    prepared = raw.prepared(sentence)
    source = AnnotatedSentence(prepared, **annotations) if annotations else prepared
    if trees is not None:
        source = SourceTrees(trees).annotated(source)
    (result,) = decoder.search([source], record="bins", progress=progress)
    wanted = max(rivals + 1, _LISTED if reference else 1)
    found = result.forest.kbest(wanted, result.edge_scores, distinct=True)
    candidates = result.candidates(found)
    best, ranked = candidates[0], RankedBins(result, found[0])
    steps = step_views(result, best, found[0])
    return Explanation(
        sentence=sentence,
        source=result.source,
        translation=raw.restored(best.text, source),
        words=best.words,
        score=best.score,
        links=tuple(decoder.links(best.steps)),
        steps=steps,
        contributions=contributions(decoder, best.features),
        rivals=_rivals(decoder, raw, source, candidates[: rivals + 1]),
        bins=ranked.views(),
        reference=(
            _reference(raw, source, reference, candidates, found, ranked) if reference else None
        ),
        settings=asdict(decoder.options),
        fell_back=result.fell_back,
        kind=model.kind,
        constraints=tuple(map(str, constraints_of(source))),
        evidence=evidence_of(model, steps, evidence) if evidence else None,
        constituents=constituent_spans(source),
    )


def _rivals(
    decoder: Decoder, raw: RawText, source: str, candidates: Sequence[Candidate]
) -> tuple[Rival, ...]:
    best = candidates[0]
    return tuple(
        Rival(
            raw.restored(one.text, source),
            one.score,
            best.score - one.score,
            contributions(decoder, one.features - best.features),
        )
        for one in candidates[1:]
    )


def _reference(
    raw: RawText,
    source: str,
    reference: str,
    candidates: Sequence[Candidate],
    found: Derivations,
    ranked: RankedBins,
) -> ReferenceView:
    from sacrebleu.metrics.chrf import CHRF

    words = raw.prepared_reference(reference)
    metric = CHRF()
    scores = [metric.sentence_score(one.text, [words]).score for one in candidates]
    closest = int(np.argmax(scores))
    return ReferenceView(
        text=reference,
        closest=raw.restored(candidates[closest].text, source),
        closest_rank=closest + 1,
        listed=len(candidates),
        chrf=scores[closest],
        chrf_of_best=scores[0],
        is_reference=candidates[closest].text == " ".join(split_words(words)),
        path=ranked.path(found[closest]),
    )
