"""Brown clustering against its definition, on its edges, and its interruption."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import textwrap
import time
from collections import Counter
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from demotic import _core
from demotic.text.brown import BrownClusters, BrownOptions, brown_clusters
from tests.oracle import brown as oracle
from tests.text.encoded import encoded

TOLERANCE = 1e-9


def zipfian(words: int, sentences: int, seed: int) -> list[list[str]]:
    """Sentences in which the next word depends on the last, so that there is something to find."""
    rng = random.Random(seed)
    weights = [1 / (i + 1) for i in range(words)]
    result = []
    for _ in range(sentences):
        drawn = rng.choices(range(words), weights, k=rng.randint(1, 12))
        result.append([f"w{(a * 7 + b) % words}" for a, b in pairwise([0, *drawn])])
    return result


def run(sentences: list[list[str]], **options: int) -> tuple[_core.BrownClusters, _core.Vocabulary]:
    """The native result, which also has the history."""
    corpus, vocabulary = encoded(sentences)
    native = _core.BrownOptions()
    for name, value in options.items():
        setattr(native, name, value)
    return _core.brown_clusters(corpus, len(vocabulary), native, None), vocabulary


def definition(sentences: list[list[str]], class_of: dict[str, int]) -> float:
    """Average mutual information of neighbouring classes."""
    pairs = Counter(
        (class_of[a], class_of[b])
        for s in sentences
        for a, b in pairwise(s)
        if a in class_of and b in class_of
    )
    n = sum(pairs.values())
    left: Counter[int] = Counter()
    right: Counter[int] = Counter()
    for (a, b), count in pairs.items():
        left[a] += count
        right[b] += count
    return sum(float(c / n * np.log(c * n / (left[a] * right[b]))) for (a, b), c in pairs.items())


def classes_of(result: _core.BrownClusters, vocabulary: _core.Vocabulary) -> dict[str, int]:
    return {vocabulary.word(i): int(c) for i, c in enumerate(result.word_class) if c >= 0}


def check_against_oracle(sentences: list[list[str]], classes: int) -> None:
    """Every merge is a best one by the definition, and its loss is the one recomputed."""
    result, vocabulary = run(sentences, classes=classes)
    steps = iter(zip(result.merge_kept, result.merge_gone, result.merge_loss, strict=True))

    def follow(losses: oracle.Losses) -> tuple[str, str]:
        kept, gone, loss = next(steps)
        names = vocabulary.word(kept), vocabulary.word(gone)
        assert losses[names] == pytest.approx(loss, abs=TOLERANCE)
        assert losses[names] <= min(losses.values()) + TOLERANCE
        return names

    found, _ = oracle.cluster(sentences, classes, follow)
    assert next(steps, None) is None
    members: dict[int, set[str]] = {}
    for word, number in classes_of(result, vocabulary).items():
        members.setdefault(number, set()).add(word)
    assert {frozenset(m) for m in members.values()} == set(found)
    pairs = oracle.word_pairs(sentences, oracle.ranked_words(sentences))
    assert result.pairs == len(pairs)
    if pairs:
        assert result.information == pytest.approx(oracle.information(pairs, found), abs=TOLERANCE)


@settings(deadline=None, max_examples=150)
@given(
    st.lists(st.lists(st.sampled_from("abcdefghij"), max_size=8), max_size=8),
    st.integers(1, 6),
)
def test_every_merge_is_best_by_definition(sentences: list[list[str]], classes: int) -> None:
    check_against_oracle(sentences, classes)


@pytest.mark.parametrize("seed", range(40))
def test_ties_are_broken_by_the_order_of_words(seed: int) -> None:
    """Many words with few pairs: most steps are ties."""
    rng = random.Random(seed)
    words = [f"w{i}" for i in range(24)]
    sentences = [rng.choices(words, k=rng.randint(1, 3)) for _ in range(30)]
    classes = rng.randint(3, 9)
    result, vocabulary = run(sentences, classes=classes)
    _, expected = oracle.cluster(
        sentences, classes, oracle.first_of_the_best, oracle.fixed_information
    )
    names = vocabulary.words()
    merged = zip(result.merge_kept.tolist(), result.merge_gone.tolist(), strict=True)
    assert [(names[kept], names[gone]) for kept, gone in merged] == expected


@pytest.mark.parametrize("classes", [2, 5, 9])
def test_larger_windows_agree_with_the_definition(classes: int) -> None:
    check_against_oracle(zipfian(25, 40, seed=classes), classes)


@pytest.mark.parametrize("classes", [1, 7, 60])
def test_losses_of_the_tree_add_up_to_the_information(classes: int) -> None:
    sentences = zipfian(400, 3000, seed=1)
    result, vocabulary = run(sentences, classes=classes)
    class_of = classes_of(result, vocabulary)
    assert result.information == pytest.approx(definition(sentences, class_of), abs=TOLERANCE)
    tree = np.asarray(result.merge_loss)[len(class_of) - classes :]
    assert tree.sum() == pytest.approx(result.information, abs=TOLERANCE)
    assert (np.asarray(result.merge_loss) > -TOLERANCE).all()


def test_counts_beyond_the_tables_of_logarithms() -> None:
    sentences = [["a", "b", "c", "a", "d", "a", "b"] * 1000] * 120
    result, vocabulary = run(sentences, classes=3)
    class_of = classes_of(result, vocabulary)
    assert result.pairs == 120 * 6999
    assert result.information == pytest.approx(definition(sentences, class_of), abs=TOLERANCE)


def test_more_classes_know_more() -> None:
    sentences = zipfian(300, 2000, seed=2)
    found = [run(sentences, classes=c)[0].information for c in (1, 2, 10, 50, 1000)]
    assert found[0] == pytest.approx(0, abs=TOLERANCE)
    assert found == sorted(found)


def test_bit_strings_are_the_leaves_of_a_complete_tree() -> None:
    result, _ = run(zipfian(300, 1000, seed=3), classes=40)
    assert len(result.bits) == 40
    assert result.bits == sorted(result.bits)
    assert not any(b.startswith(a) for a, b in pairwise(result.bits))
    assert sum(Fraction(1, 2 ** len(bits)) for bits in result.bits) == 1
    assert set(result.word_class.tolist()) == {-1, *range(40)}


def test_the_tree_puts_the_class_of_the_more_frequent_word_to_the_left() -> None:
    result, vocabulary = run(zipfian(100, 500, seed=4), classes=10)
    kept, gone = (vocabulary.word(int(x[-1])) for x in (result.merge_kept, result.merge_gone))
    class_of = classes_of(result, vocabulary)
    assert result.bits[class_of[kept]].startswith("0")
    assert result.bits[class_of[gone]].startswith("1")


def test_two_runs_are_the_same() -> None:
    sentences = zipfian(500, 2000, seed=5)
    first, _ = run(sentences, classes=30)
    second, _ = run(sentences, classes=30)
    assert first.bits == second.bits
    assert np.array_equal(first.word_class, second.word_class)
    assert np.array_equal(first.merge_loss, second.merge_loss)


def test_order_of_sentences_matters_only_for_equal_counts() -> None:
    sentences = [["b", "a", "c"]] * 3 + [["a", "c"]] * 2 + [["d", "c", "d", "c"]] * 3
    forth, vocabulary = run(sentences, classes=2)
    back, other = run(sentences[::-1], classes=2)
    assert forth.information == pytest.approx(back.information)
    assert classes_of(forth, vocabulary) == classes_of(back, other)


@pytest.mark.parametrize("sentences", [[], [[]], [[], [], []]])
def test_no_words(sentences: list[list[str]]) -> None:
    result, vocabulary = run(sentences, classes=5)
    assert result.bits == []
    assert result.word_class.tolist() == [-1] * len(vocabulary)
    assert (result.information, result.pairs) == (0, 0)


def test_one_word_is_one_class_with_the_empty_path() -> None:
    result, _ = run([["a", "a"]], classes=5)
    assert result.bits == [""]
    assert result.word_class.tolist() == [-1, -1, -1, 0]


def test_fewer_words_than_classes_each_get_their_own() -> None:
    result, vocabulary = run([["a", "b", "c"], ["c", "a"]], classes=100)
    assert sorted(classes_of(result, vocabulary).values()) == [0, 1, 2]


def test_a_word_without_pairs_joins_the_most_frequent_word() -> None:
    sentences = [["a", "b", "a", "c", "a"], ["a", "b"], ["c", "b"], ["lonely"]]
    result, vocabulary = run(sentences, classes=3)
    class_of = classes_of(result, vocabulary)
    assert class_of["lonely"] == class_of["a"]
    assert len(set(class_of.values())) == 3


def test_ties_go_to_the_most_frequent_words() -> None:
    result, vocabulary = run([[word] for word in "abcdef"], classes=2)
    kept = [vocabulary.word(int(i)) for i in result.merge_kept]
    gone = [vocabulary.word(int(i)) for i in result.merge_gone]
    assert kept == ["a"] * 5
    assert gone == ["b", "c", "d", "e", "f"]


def test_rare_words_get_no_class_and_break_pairs() -> None:
    result, vocabulary = run([["a", "x", "b", "a", "b"]], min_count=2)
    assert classes_of(result, vocabulary).keys() == {"a", "b"}
    assert result.pairs == 2  # b a, a b


def test_max_words_takes_the_most_frequent() -> None:
    result, vocabulary = run([["a", "b", "c"], ["c", "b"], ["c"]], max_words=2)
    assert classes_of(result, vocabulary).keys() == {"b", "c"}


def test_unknown_words_get_no_class() -> None:
    _, vocabulary = encoded([["a", "b"]])
    lines = _core.Lines()
    lines.append("a zzz b a b")
    result = _core.brown_clusters(
        _core.encode(vocabulary, lines, 1), len(vocabulary), _core.BrownOptions(), None
    )
    assert result.word_class[_core.UNKNOWN] == -1
    assert result.pairs == 2


def test_a_vocabulary_that_is_too_small_is_refused() -> None:
    corpus, _ = encoded([["a", "b"]])
    with pytest.raises(IndexError, match="beyond the vocabulary"):
        _core.brown_clusters(corpus, 4, _core.BrownOptions(), None)


@pytest.mark.parametrize("bad", [{"classes": 0}, {"min_count": 0}, {"max_words": -1}])
def test_options_out_of_range(bad: dict[str, int]) -> None:
    with pytest.raises(ValueError, match=next(iter(bad))):
        BrownOptions(**bad)
    with pytest.raises(ValueError, match=next(iter(bad))):
        run([["a"]], **bad)


def test_the_python_call_and_its_progress() -> None:
    corpus, vocabulary = encoded(zipfian(4000, 20000, seed=6))
    heard: list[tuple[int, int]] = []
    clusters = brown_clusters(
        corpus, vocabulary, BrownOptions(classes=150), lambda done, all_: heard.append((done, all_))
    )
    assert isinstance(clusters, BrownClusters)
    assert len(clusters) == 150
    assert repr(clusters).startswith("BrownClusters(150 classes of 4000 words, ")
    assert heard == sorted(heard)
    assert {total for done, total in heard if done} <= {4000 + 149}
    with pytest.raises(ValueError, match="read-only"):
        clusters.word_class[0] = 1


def test_an_error_in_progress_ends_the_work() -> None:
    corpus, vocabulary = encoded(zipfian(4000, 20000, seed=6))

    def fail(done: int, total: int) -> None:
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        brown_clusters(corpus, vocabulary, BrownOptions(classes=400), fail)


INTERRUPTED = """
    import random, sys, time
    from tests.text.encoded import encoded
    from demotic.text.brown import BrownOptions, brown_clusters
    rng = random.Random(1)
    words = [f"w{i}" for i in range(40_000)]
    weights = [1 / (i + 10) for i in range(len(words))]
    drawn = rng.choices(words, weights, k=400_000)
    corpus, vocabulary = encoded([drawn[i : i + 10] for i in range(0, len(drawn), 10)])
    print("ready", flush=True)
    try:
        brown_clusters(corpus, vocabulary, BrownOptions(classes=2000))
        print("finished")
    except KeyboardInterrupt:
        print(f"interrupted {time.monotonic()}", flush=True)
"""


def test_ctrl_c_ends_clustering_at_once() -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(INTERRUPTED)], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    with process.stdout:
        assert process.stdout.readline() == "ready\n"
        time.sleep(1.0)
        sent = time.monotonic()
        process.send_signal(signal.SIGINT)
        verdict, _, when = process.stdout.readline().partition(" ")
        assert process.wait() == 0
    assert verdict == "interrupted"
    assert float(when) - sent < 0.5
