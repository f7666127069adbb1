"""The same probabilities, states and matches as KenLM on the same ARPA file."""

from __future__ import annotations

import math
import random

import pytest

from demotic._core import SENTENCE_END
from demotic.lm import LanguageModel, LmOptions, estimate_lm
from tests.lm.texts import WORDS, data_folder, estimated, lines_of, real_sentences

kenlm = pytest.importorskip("kenlm", reason="KenLM's Python module is not installed")

MODELS = {
    "bengali": "models/joshua/bn-en-hiero/lm.gz",
    "lattice": "models/joshua/lattice-short/test.lm",
    "europarl": "models/moses/models/lexicalized-reordering/europarl.lm",
}


def check_sentence(ours: LanguageModel, theirs, sentence: str, begin=True, end=True) -> None:
    native = ours.native
    state = native.begin_state if begin else native.empty_state
    words = [*(ours.vocabulary.find(word) for word in sentence.split()), *[SENTENCE_END] * end]
    full = theirs.full_scores(sentence, bos=begin, eos=end)
    for found, (log10, length, unknown) in zip(words, full, strict=True):
        got, state, matched, _ = native.match(state, found)
        assert got == pytest.approx(log10, abs=1e-5)
        assert (matched, found == 0) == (length, unknown)


def check_states(ours: LanguageModel, theirs, sentences: list[str]) -> None:
    """Ours are equal exactly where KenLM's are."""
    pairs = {}
    for sentence in sentences:
        state, there = ours.begin_state, kenlm.State()
        theirs.BeginSentenceWrite(there)
        for word in sentence.split():
            after = kenlm.State()
            expected = theirs.BaseScore(there, word, after)
            score, state = ours.step(state, word)
            assert score / math.log(10) == pytest.approx(expected, abs=1e-5, rel=1e-6)
            there = after
            assert pairs.setdefault(state, there) == there
    assert len(set(pairs.values())) == len(pairs)


@pytest.mark.parametrize("order", [2, 3, 4, 5])
@pytest.mark.parametrize("prune", ["0", "0 1"])
def test_random_text(tmp_path, order, prune):
    rng = random.Random(order)
    text = [rng.choices(WORDS, range(1, 7), k=rng.randrange(9)) for _ in range(60)]
    path = tmp_path / "model.arpa"
    ours = estimated(text, order, prune)
    ours.save(path)
    theirs = kenlm.Model(str(path))
    sentences = [" ".join(rng.choices([*WORDS, "zzz"], k=rng.randrange(9))) for _ in range(300)]
    for i, sentence in enumerate(sentences):
        check_sentence(ours, theirs, sentence, begin=i % 2 == 0, end=i % 3 != 0)
    check_states(ours, theirs, sentences)


def check_news(tmp_path, train: int, test: int) -> None:
    path = tmp_path / "news.arpa"
    ours = estimate_lm(
        lines_of([s.split() for s in real_sentences("train", train)]), LmOptions(order=5)
    )
    ours.save(path)
    theirs = kenlm.Model(str(path))
    sentences = (real_sentences("test", 3003) + real_sentences("train", test))[:test]
    scores = ours.token_scores(lines_of([s.split() for s in sentences]), threads=2)
    at = 0
    total = 0.0
    for sentence in sentences:
        for log10, _, unknown in theirs.full_scores(sentence):
            assert abs(scores.log10[at] - log10) <= 1e-5
            assert scores.known[at] != unknown
            total += log10
            at += 1
    assert at == len(scores.log10)
    perplexity = ours.perplexity(lines_of([s.split() for s in sentences]))
    assert f"{perplexity.with_unknown:.4g}" == f"{10 ** (-total / at):.4g}"


@pytest.mark.external
def test_news(tmp_path):
    check_news(tmp_path, 10_000, 2_000)


@pytest.mark.external
@pytest.mark.long
def test_news_in_full(tmp_path):
    check_news(tmp_path, 116_904, 100_000)


@pytest.mark.external
@pytest.mark.parametrize("name", MODELS)
def test_models_of_others(name):
    path = data_folder() / MODELS[name]
    ours, theirs = LanguageModel.load(path), kenlm.Model(str(path))
    sentences = real_sentences("test", 500)
    for i, sentence in enumerate(sentences):
        check_sentence(ours, theirs, sentence, begin=i % 2 == 0, end=i % 3 != 0)
    check_states(ours, theirs, sentences[:200])


@pytest.mark.external
def test_without_sentence_marks_both_refuse():
    path = data_folder() / "models/moses/models/ptable-with-alignment/mini.irstlm.en.3g.lm"
    with pytest.raises(Exception, match="</s>"):
        kenlm.Model(str(path))
    with pytest.raises(Exception, match="</s>"):
        LanguageModel.load(path)
    assert LanguageModel.load(path, marks_may_miss=True).order == 3
