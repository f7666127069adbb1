"""Phrase search on Moses' own tests: same translations, scores, features, alignments, lists.

The expected results are those of Moses' regression suite: stack 200, threshold 1e-5.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import pytest

from demotic.formats.importing import import_model
from demotic.model import Model
from demotic.search import SearchOptions
from tests.external.where import models
from tests.oracle.phrase_search import Derivation, Phrase, PhraseOracle, Words
from tests.search.model_oracle import derivation_of, oracle_of

pytestmark = pytest.mark.external

EARLY, LEXICAL = "early-distortion-cost.kenlm", "lexicalized-reordering"
ALIGNED = "nbest-with-alignment"
NAMES = {
    "LM": ("language_model",),
    "Distortion": ("distortion",),
    "WordPenalty": ("word_penalty",),
    "PhraseDictionaryMemory": (
        "source_given_target",
        "lexical_source_given_target",
        "target_given_source",
        "lexical_target_given_source",
        "score_5",
    ),
}


@dataclass(frozen=True)
class Entry:
    """A line of a Moses n-best list."""

    words: Words
    values: dict[str, float]
    total: float
    phrases: list[tuple[int, int, int, int]]  # source and target spans, half open
    links: str


@dataclass(frozen=True)
class Truth:
    model: Model
    sentences: list[Words]
    translations: list[str]
    scores: list[float]
    nbest: list[list[Entry]]
    folder: Path

    def options(self, **changes: float) -> SearchOptions:
        return SearchOptions.for_model(self.model, changes)

    @cached_property
    def oracle(self) -> PhraseOracle:
        return oracle_of(self.model, self.options(), self.folder)


@pytest.fixture(scope="module")
def truths(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Truth]:
    return {
        name: _read(name, tmp_path_factory.mktemp("moses")) for name in (EARLY, LEXICAL, ALIGNED)
    }


def _read(name: str, folder: Path) -> Truth:
    moses = models() / "moses"
    home = moses / "tests" / f"phrase.{name}"
    model = import_model(home / "moses.ini", folder / "model", look_in=[moses / "models"]).model
    lines = (home / "to-translate.txt").read_text(encoding="utf-8").splitlines()
    sentences = [tuple(word.split("|")[0] for word in line.split()) for line in lines]
    text = (home / "truth" / "results.txt").read_text(encoding="utf-8")
    nbest: list[list[Entry]] = [[] for _ in sentences]
    for number, entry in re.findall(r"TRANSLATION_(\d+)_NBEST_\d+=(.*)", text):
        nbest[int(number)].append(_entry(entry))
    return Truth(
        model,
        sentences,
        [line.strip() for line in re.findall(r"TRANSLATION_\d+=(.*)", text)],
        [float(score) for score in re.findall(r"SCORE_\d+ = (.*)", text)],
        nbest,
        folder,
    )


def _entry(text: str) -> Entry:
    words, features, total, segments, links = (part.strip() for part in text.split("|||"))
    values: dict[str, float] = {}
    for kind, numbers in re.findall(r"(\w+?)0= ([^=]*)(?= |$)", features + " "):
        names = NAMES["LM" if kind.endswith("LM") else kind]
        values |= dict(
            zip(names, map(float, re.findall(r"[-\d.e]+(?= )", numbers + " ")), strict=True)
        )
    spans = re.findall(r"(\d+)(?:-(\d+))?=(\d+)(?:-(\d+))?", segments)
    phrases = [(int(a), int(b or a) + 1, int(c), int(d or c) + 1) for a, b, c, d in spans]
    return Entry(tuple(words.split()), values, float(total), phrases, links)


def entry_derivation(truth: Truth, source: Words, entry: Entry) -> Derivation:
    oracle, found = truth.oracle, []
    for begin, end, first, last in entry.phrases:
        target = entry.words[first:last]
        scores = dict(oracle.table.get(source[begin:end], ())).get(target)
        assert scores is not None or target == source[begin:end]
        found.append(Phrase(begin, end, target, scores))
    return tuple(found)


# Moses' own limits; the same with cube pruning; far larger ones.
EFFORTS = {
    "Moses": {"cube_pruning": False, "beam_size": 200, "beam_threshold": math.log(1e5)},
    "cubes": {"cube_pruning": True, "beam_size": 200, "pop_limit": 400},
    "large": {"cube_pruning": True, "beam_size": 5000, "pop_limit": 20_000},
}


@pytest.mark.parametrize("effort", EFFORTS)
@pytest.mark.parametrize("name", [EARLY, LEXICAL])
def test_translations_and_scores(truths: dict[str, Truth], name: str, effort: str) -> None:
    truth = truths[name]
    options = truth.options(**EFFORTS[effort])
    found = truth.model.decoder(options).translate([" ".join(s) for s in truth.sentences])
    assert found.text == truth.translations
    assert found.scores == pytest.approx(truth.scores, abs=1e-3)
    oracle = truth.oracle
    for i, words in enumerate(truth.sentences):
        values = oracle.features(derivation_of(truth.model, oracle, words, found.steps(i)))
        ours = dict(zip(truth.model.weights, found.features[i].tolist(), strict=True))
        assert ours == pytest.approx(values, rel=1e-6, abs=1e-5)


def test_printed_derivations_have_our_features(truths: dict[str, Truth]) -> None:
    """Moses' segmentation and order, scored by us: each printed value, early distortion too."""
    truth, entries = truths[EARLY], 0
    oracle = truth.oracle
    for source, nbest in zip(truth.sentences, truth.nbest, strict=True):
        for entry in nbest:
            values = oracle.features(entry_derivation(truth, source, entry))
            shown = {name: values[name] for name in entry.values}
            assert shown == pytest.approx(entry.values, rel=1e-5, abs=1e-3)
            assert oracle.score(values) == pytest.approx(entry.total, rel=1e-5, abs=1e-3)
            entries += 1
    assert entries == 250


def test_nbest_list_is_at_least_as_good_rank_by_rank(truths: dict[str, Truth]) -> None:
    """Our list has every entry of Moses' list above the end of ours, with the same score."""
    truth = truths[EARLY]
    decoder = truth.model.decoder(truth.options(**EFFORTS["large"]))
    results = decoder.search([" ".join(s) for s in truth.sentences])
    for source, result, nbest in zip(truth.sentences, results, truth.nbest, strict=True):
        ours = {
            key(derivation_of(truth.model, truth.oracle, source, one.steps)): one.score
            for one in result.kbest(200)
        }
        assert len(ours) == min(200, result.forest.number_of_derivations)
        ranked = sorted(ours.values(), reverse=True)
        for rank, entry in enumerate(nbest):
            assert ranked[rank] >= entry.total - 1e-3
            score = ours[key(entry_derivation(truth, source, entry))]
            assert score == pytest.approx(entry.total, abs=1e-3)


def key(derivation: Derivation) -> tuple[object, ...]:
    return tuple(phrase.key for phrase in derivation)


def irstlm_difference(truth: Truth, words: Words) -> float:
    """IRSTLM has 1 / (10^7 - words) for an unknown word, of which </s> is one here, not <unk>'s
    share, and begins with two <s>: what that adds to our language model's value."""
    (arpa,) = truth.oracle.language_models
    known = [gram for gram in arpa.entries if len(gram) == 1 and gram != ("</s>",)]
    unknown = 1 + sum((word,) not in arpa.entries for word in words)
    share = -math.log10(1e7 - len(known)) - arpa.entries["<unk>",][0]
    return math.log(10) * (unknown * share + arpa.entries["<s>", "<s>"][1])


def test_nbest_list_with_alignment(truths: dict[str, Truth]) -> None:
    """Five best, in order, with every value and both alignments; IRSTLM's own numbers accounted."""
    truth = truths[ALIGNED]
    ((source,), (nbest,)) = truth.sentences, truth.nbest
    oracle, decoder = truth.oracle, truth.model.decoder()
    (result,) = decoder.search([" ".join(source)])
    for ours, entry in zip(result.kbest(5), nbest, strict=True):
        extra = irstlm_difference(truth, ours.words)
        values = oracle.features(entry_derivation(truth, source, entry))
        values["language_model"] += extra
        shown = {name: values[name] for name in entry.values}
        assert shown == pytest.approx(entry.values, rel=1e-5, abs=1e-3)
        assert oracle.score(values) == pytest.approx(entry.total, rel=1e-5, abs=1e-3)
        weight = truth.model.weights["language_model"]
        assert ours.score + weight * extra == pytest.approx(entry.total, abs=1e-3)
        assert ours.words == entry.words
        assert [(s.begin, s.end) for s in ours.steps] == [(b, e) for b, e, *_ in entry.phrases]
        assert sorted(f"{a}-{b}" for a, b in decoder.links(ours.steps)) == sorted(
            entry.links.split()
        )


def test_no_better_derivation_within_moses_limits(truths: dict[str, Truth]) -> None:
    """Moses' limits lose nothing on these sentences: its best is ours with any limits."""
    truth = truths[LEXICAL]
    lines = [" ".join(s) for s in truth.sentences]
    options = replace(truth.options(), beam_size=20_000, pop_limit=100_000)
    large = truth.model.decoder(options).translate(lines, threads=2)
    assert large.scores == pytest.approx(truth.scores, abs=1e-3)
