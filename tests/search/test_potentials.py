"""The bins of search-aware tuning against an oracle: yields, gains and features."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from demotic.learn import TuneOptions
from demotic.learn.search_aware import CandidateListKind
from demotic.metrics import Bleu, BleuOptions, References
from demotic.search import SearchOptions
from tests.near import near
from tests.oracle import bleu as bleu_oracle
from tests.oracle.phrase_search import Words, covered
from tests.oracle.potential import completed, monotone_derivations, partial_length
from tests.search.kinds import KINDS, seeds
from tests.search.record_checks import OpenedRecord
from tests.search.tiny_parts import TARGET, lines, positive_weights, sentences
from tests.search.tiny_phrase import TinyPhrase, drawn_phrase

Ways = list[tuple[Words, dict[str, float]]]


def survivors(
    model: TinyPhrase, options: SearchOptions, texts: list[Words], *, potential: bool
) -> Iterator[tuple[int, int, list[Ways]]]:
    """Sentence and bin of every list, with what each of its hypotheses may be listed as.

    Features of complete hypotheses include the end of the sentence.
    """
    results = model.decoder(options).search(lines(texts), record="bins")
    for sentence, (words, result) in enumerate(zip(texts, results, strict=True)):
        brute = model.brute_force(words, options, fell_back=result.fell_back)
        record = OpenedRecord.of(brute, result)
        best = monotone_derivations(brute.oracle, words)
        for number in result.bins.numbers:
            ways = []
            for node in result.bins.members(number).tolist():
                if not result.bins.alive[node]:
                    continue
                derivation = record.best[node]
                own = brute.target(derivation)
                if len(covered(derivation)) == len(words):
                    ways.append([(own, brute.features(derivation))])
                else:
                    found = completed(brute.oracle, words, best, derivation)
                    ways.append([(text if potential else own, values) for text, values in found])
            if ways:
                yield sentence, number, ways


def drawn(seed: int, space: SearchOptions, beam: int, folder: Path) -> tuple[Any, ...]:
    rng = random.Random(seed)
    model = drawn_phrase(rng, folder)
    if not any(model.weights.values()):  # every tiling would be the best
        model = model.weighted(positive_weights(model.weights))
    options = replace(space, beam_size=beam, pop_limit=50)
    texts = [words for words in sentences(rng, 5, 3) if words]
    references = [tuple(rng.choices(TARGET, k=rng.randint(1, 8))) for _ in texts]
    return model, options, texts, references


with_bins = given(
    seed=seeds,
    space=KINDS["phrase"].spaces,
    beam=st.sampled_from((1, 3, 20)),
    words=st.sampled_from(("partial", "potential")),
)


@settings(max_examples=150, deadline=None)
@with_bins
def test_yields_and_features_of_bins(
    seed: int, space: SearchOptions, beam: int, words: Any, folder: Path
) -> None:
    model, options, texts, _ = drawn(seed, space, beam, folder)
    decoder = model.decoder(options)
    source = decoder.sentences(lines(texts))
    _, lists = decoder.candidates(source, bins=words)
    strings, names = lists.texts(source), list(model.weights)
    rows = lists.features.reshape(len(strings), -1)
    expected = list(survivors(model, options, texts, potential=words == "potential"))
    assert [one[:2] for one in expected] == list(
        zip(lists.sentence.tolist(), lists.bin.tolist(), strict=True)
    )
    for place, (_, _, hypotheses) in enumerate(expected):
        span = range(lists.offsets[place], lists.offsets[place + 1])
        for row, ways in zip(span, hypotheses, strict=True):
            found = tuple(strings[row].split()), rows[row]
            assert any(
                found[0] == text
                and np.allclose(found[1], [values[name] for name in names], atol=1e-4)
                for text, values in ways
            )


@settings(max_examples=100, deadline=None)
@with_bins
def test_gains_of_bins(
    seed: int, space: SearchOptions, beam: int, words: Any, folder: Path
) -> None:
    """Of every list before the last, as learners get them."""
    model, options, texts, references = drawn(seed, space, beam, folder)
    if not texts:
        return
    metric = Bleu(References.from_streams([lines(references)]), BleuOptions(tokenize="none"))
    tuning = TuneOptions(search_aware=words, nbest=2)
    decoder = model.decoder(options)
    pool = CandidateListKind().search(decoder, lines(texts), metric, tuning, 1).evidence
    gains, names = metric.gain(pool.statistics), list(model.weights)
    lists = {
        (int(pool.sentences[i]), int(pool.keys[i] & 0xFFFFFFFF)): range(
            pool.offsets[i], pool.offsets[i + 1]
        )
        for i in range(len(pool))
    }
    for sentence, number, hypotheses in survivors(
        model, options, texts, potential=words == "potential"
    ):
        source, reference = texts[sentence], references[sentence]
        if number == len(source):
            continue
        expected = [
            (gain_of(text, reference, number / len(source), words), values)
            for ways in hypotheses
            for text, values in ways
        ]
        span = lists[sentence, number]
        for row in span:  # equal candidates are listed once
            assert any(
                gains[row] == near(gain, abs=1e-9)
                and np.allclose(pool.dense[row], [values[name] for name in names], atol=1e-3)
                for gain, values in expected
            )
        assert 0 < len(span) <= len(hypotheses)


def gain_of(text: Words, reference: Words, share: float, words: str) -> float:
    row = bleu_oracle.counts(" ".join(text), [" ".join(reference)], "closest")
    if words == "potential":
        return bleu_oracle.plus_one(row)
    # Statistics are whole numbers, so the length is rounded; see Bleu.partial_statistics.
    length = max(1, int(np.rint(partial_length(reference, share))))
    return bleu_oracle.plus_one(row, length=length)
