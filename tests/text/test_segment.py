"""The learnt segmenter against enumeration, in edge cases, and in the tokeniser."""

from __future__ import annotations

import math
import random
import unicodedata
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from demotic import _core
from demotic.errors import FormatError
from demotic.text.segment import SegmenterOptions, UnigramWords, learn_words
from demotic.text.tokenize.unigram import UnigramTokenizer
from tests.oracle import segmenter as oracle

LEXICON = ["汤姆", "玛丽", "西班牙语", "我", "在", "学", "说", "爱", "他", "的", "书"]
RUNS = st.lists(st.text("abc", min_size=1, max_size=7), min_size=1, max_size=6)


def sentences(count: int, seed: int = 1) -> list[str]:
    """Words in any order without spaces, the frequent ones last in the lexicon."""
    rng = random.Random(seed)
    weights = range(1, len(LEXICON) + 1)
    return ["".join(rng.choices(LEXICON, weights, k=rng.randint(2, 8))) for _ in range(count)]


def corpus_of(runs: list[str], units: str) -> _core.Corpus:
    offsets = np.cumsum([0, *map(len, runs)]).astype(np.int64)
    values = np.array([units.index(unit) for run in runs for unit in run], np.int32)
    return _core.Corpus(offsets, values)


def drawn(rng: random.Random) -> dict[str, float]:
    """Single units and some longer words with random probabilities."""
    words = {"a", "b", "c", *("".join(rng.choices("abc", k=rng.randint(2, 4))) for _ in range(6))}
    weights = {word: rng.random() + 0.01 for word in sorted(words)}
    return {word: math.log(weight / sum(weights.values())) for word, weight in weights.items()}


@settings(max_examples=60, deadline=None)
@given(RUNS, st.integers(0, 10_000))
def test_the_best_segmentation_is_found(runs: list[str], seed: int) -> None:
    log_probs = drawn(random.Random(seed))
    words = UnigramWords(log_probs)
    for run in runs:
        found = words.segment(list(run))
        assert "".join(found) == run
        assert oracle.score(found, log_probs) == pytest.approx(oracle.viterbi(run, log_probs))


@settings(max_examples=60, deadline=None)
@given(RUNS, st.integers(0, 10_000))
def test_expected_counts(runs: list[str], seed: int) -> None:
    log_probs = drawn(random.Random(seed))
    ids = [["abc".index(unit) for unit in word] for word in log_probs]
    model = _core.LearntWords(ids, list(log_probs.values()))
    counts, likelihood = _core.expected_counts(corpus_of(runs, "abc"), model, 2)
    expected, expected_likelihood = oracle.expectations(runs, log_probs)
    assert counts == pytest.approx(list(expected.values()), abs=1e-7)
    assert likelihood == pytest.approx(expected_likelihood)


@settings(max_examples=60, deadline=None)
@given(RUNS, st.integers(1, 3), st.integers(1, 5))
def test_words_are_candidates_that_pay(runs: list[str], min_count: int, max_units: int) -> None:
    options = SegmenterOptions(max_units=max_units, min_count=min_count, min_gain=0.5, cost=0.1)
    learnt = learn_words(runs, options).log_probs
    possible = oracle.candidates(runs, max_units, min_count)
    singles = {unit for run in runs for unit in run}
    assert singles <= learnt.keys() <= singles | possible.keys()
    assert math.fsum(map(math.exp, learnt.values())) == pytest.approx(1)
    for word in learnt.keys() - singles:
        # One more step of EM after the last pruning moves the gain a little.
        assert oracle.gain(word, learnt) > 0.3


def test_words_are_found() -> None:
    words = learn_words(map(list, sentences(400)))
    assert words.segment(list("汤姆在学西班牙语")) == ["汤姆", "在", "学", "西班牙语"]
    assert {word for word in words.log_probs if len(word) > 1} == {"汤姆", "玛丽", "西班牙语"}


def test_threads_change_nothing() -> None:
    runs = [list(run) for run in sentences(3000, seed=2)]
    first, second = (learn_words(runs, threads=threads).log_probs for threads in (1, 3))
    assert first == second


def test_what_is_unseen_stays_alone() -> None:
    words = UnigramWords({"ab": -1.0, "a": -2.0})
    assert words.segment(["x", "a", "b", "y", "y"]) == ["x", "ab", "y", "y"]
    assert words.segment([]) == []
    assert UnigramWords({}).segment(["a", "b"]) == ["a", "b"]


def test_words_end_where_units_end() -> None:
    # The word ka does not end inside the unit "a" with a mark.
    words = UnigramWords({"กา": -1.0, "ก": -3.0})
    assert words.segment(["ก", "า"]) == ["กา"]
    assert words.segment(["ก", "า\u0e49"]) == ["ก", "า\u0e49"]


def test_nothing_to_learn_from() -> None:
    assert len(learn_words([])) == 0
    assert list(learn_words([["我"]]).log_probs) == ["我"]


def test_long_runs() -> None:
    run = list("汤姆在学西班牙语" * 2000)
    words = learn_words(map(list, sentences(200)))
    assert words.segment(run)[-4:] == ["汤姆", "在", "学", "西班牙语"]
    assert "汤姆在学西班牙语" in learn_words([run]).log_probs  # in pieces, it repeats itself


def test_save_and_load(tmp_path: Path) -> None:
    words = learn_words(map(list, sentences(200)))
    words.save(tmp_path / "segmenter.zh")
    again = UnigramWords.load(tmp_path / "segmenter.zh")
    assert again.log_probs == pytest.approx(words.log_probs, abs=1e-6)
    first = (tmp_path / "segmenter.zh").read_text(encoding="utf-8").splitlines()[0]
    assert first.split("\t")[0] == max(words.log_probs, key=words.log_probs.__getitem__)


@pytest.mark.parametrize("line", ["书", "书\tx", "\t-1", "书\t1", "书\tnan", "书\t-inf", "我\t-2"])
def test_broken_file(tmp_path: Path, line: str) -> None:
    path = tmp_path / "segmenter.zh"
    path.write_text(f"我\t-1\n{line}\n", encoding="utf-8")
    with pytest.raises(FormatError, match=r"segmenter\.zh line 2: .*expected a new word, a tab"):
        UnigramWords.load(path)


@pytest.mark.parametrize(
    "options",
    [{"max_units": 0}, {"max_units": 65}, {"min_count": 0}, {"min_gain": -1}, {"cost": -1}],
)
def test_options_out_of_range(options: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="expected"):
        SegmenterOptions(**options)  # type: ignore[arg-type]


def tokenizer(language: str = "zh") -> UnigramTokenizer:
    return UnigramTokenizer(language, learn_words(map(list, sentences(400))))


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("汤姆在学西班牙语。", "汤姆 在 学 西班牙语 。"),
        ("汤 姆，玛丽", "汤 姆 ， 玛丽"),
        ("汤姆8书Python西班牙语", "汤姆 8 书 Python 西班牙语"),
        ("don't 汤姆", "don't 汤姆"),
        ("", ""),
    ],
)
def test_other_scripts_and_marks_end_a_run(line: str, expected: str) -> None:
    assert tokenizer().tokenize(line) == expected.split()


def test_characters_before_anything_is_learnt() -> None:
    assert UnigramTokenizer("zh").tokenize("汤姆在") == ["汤", "姆", "在"]
    assert list(UnigramTokenizer("zh").runs("汤姆, 在 a書")) == [["汤", "姆"], ["在"], ["書"]]


ODD = st.text(
    st.one_of(
        st.sampled_from("汤姆玛丽西班牙语กาำ้เขာမြန်မာភាសាຄນカナ。，!?1 aé\u200d\u0301👩🇩"),
        st.characters(exclude_categories=["Cs"]),
    ),
    max_size=40,
)


@settings(max_examples=300, deadline=None)
@given(ODD)
def test_nothing_is_lost_or_added(line: str) -> None:
    tokens = tokenizer().tokenize(line)
    assert "".join(tokens) == "".join(line.split())
    assert all(tokens)
    digits = [token for token in tokens if any(unicodedata.category(c) == "Nd" for c in token)]
    assert not any(len(token) > 1 and token in LEXICON for token in digits)
