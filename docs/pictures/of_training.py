"""Pictures of what learners see: gains of candidates, and violations."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
from example import Example
from numpy.typing import NDArray
from scatter import Point, scatter

from demotic import SearchOptions
from demotic.lines import split_words
from demotic.metrics import Bleu, BleuOptions, References
from demotic.report.markup import Html
from demotic.report.violation_chart import violation_chart
from demotic.train.sentence_violations import ViolationFinder

__all__ = ["hope_and_fear", "potential", "violations"]

_COVERED = "source words covered"


def hope_and_fear(of: Example) -> Html:
    """The k-best list by model score and gain, with the candidates that learners choose."""
    of = replace(
        of,
        sentence="那位工程师已经解决了这个问题。",
        reference="That engineer has already solved this problem.",
    )
    (found,) = of.decoder().search([of.tokens])
    listed = found.kbest(40, distinct=True)
    score = np.array([one.score for one in listed])
    gain = _gain(of, [one.text for one in listed]) * len(split_words(of.reference_tokens))
    chosen = {
        "model best": int(np.argmax(score)),
        "hope": int(np.argmax(score + gain)),
        "fear": int(np.argmax(score - gain)),
        "worst": int(np.argmin(score)),
    }
    names: dict[int, list[str]] = {}
    for name, place in chosen.items():
        names.setdefault(place, []).append(name)
    points = [Point(*place) for place in zip(score.tolist(), gain.tolist(), strict=True)]
    for place, all_ in names.items():
        text = f": {of.model.raw_text.restored(listed[place].text)}" * (all_ != ["worst"])
        points.append(Point(score[place], gain[place], ", ".join(all_) + text))
    return scatter(points, across="model score", up="gain: Bleu+1 times the reference length")


def potential(of: Example) -> Html:
    """Potential BLEU of the hypotheses of every bin: how good a sentence each can become."""
    decoder = of.decoder(beam_size=8, pop_limit=16)
    source = decoder.sentences([of.tokens])
    _, lists = decoder.candidates(source, bins="potential")
    gain, points = 100 * _gain(of, lists.texts(source)), []
    best: list[Point] = []
    for number, (begin, end) in enumerate(pairwise(lists.offsets)):
        inside = range(int(begin), int(end))
        top = max(inside, key=lambda i: lists.scores[i])
        covered = float(lists.covered[number])
        points += [Point(covered, float(gain[i])) for i in inside]
        best.append(Point(covered, float(gain[top]), kind="dot"))
    return scatter([*points, *best], across=_COVERED, up="potential BLEU+1")


def violations(of: Example) -> Html:
    """The difference between d- and d+ in every bin of a small beam.

    If the reference is unreachable, another translation of the search takes its place.
    """
    options = replace(SearchOptions.for_model(of.model), beam_size=8, pop_limit=16)
    (searched,) = of.decoder().search([of.tokens])
    others = [one.text for one in searched.kbest(20, distinct=True)[1:]]
    finder = ViolationFinder(of.model, options)
    each = (finder.find(of.tokens, text) for text in (of.reference_tokens, *others))
    found = next(one for one in each if one is not None)
    columns = [(str(i), one.gold, one.bad, one.holds_gold) for i, one in enumerate(found.bins)]
    return violation_chart(columns, chosen=found.chosen, across=_COVERED)


def _gain(of: Example, texts: list[str]) -> NDArray[np.float64]:
    """Sentence BLEU+1 of tokenised translations, in [0, 1]."""
    references = References.from_streams([[of.reference_tokens]])
    bleu = Bleu(references, BleuOptions(tokenize="none"))
    rows = bleu.statistics(texts, np.zeros(len(texts), np.int64))
    return np.array(bleu.gain(rows), float)
