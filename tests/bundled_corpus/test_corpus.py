"""The drawn corpus: trees, tags and links match the words, and the English is well formed."""

from __future__ import annotations

import re

from bundled_corpus import Corpus, Pair, generate, statistics
from bundled_corpus.english import vowel_sound
from bundled_corpus.statistics import crossings

PRETERMINAL = re.compile(r"\((\S+) ([^\s()]+)\)")


def test_counts(corpus: Corpus) -> None:
    assert (len(corpus.train), len(corpus.dev), len(corpus.test)) == (1500, 120, 120)
    assert {len(pair.targets) for pair in corpus.train} == {1}
    assert {len(pair.targets) for pair in (*corpus.dev, *corpus.test)} == {4}


def test_tree_yields_words_and_tags(pairs: list[Pair]) -> None:
    for pair in pairs:
        leaves = PRETERMINAL.findall(pair.tree)
        assert tuple(word for _, word in leaves) == pair.source
        assert tuple(tag for tag, _ in leaves) == pair.tags
        assert pair.tree.startswith("(ROOT (")
        assert pair.tree.count("(") == pair.tree.count(")")


def test_links_are_in_range_and_unique(pairs: list[Pair]) -> None:
    for pair in pairs:
        for wording in pair.targets:
            assert len(set(wording.links)) == len(wording.links)
            for i, j in wording.links:
                assert 0 <= i < len(pair.source)
                assert 0 <= j < len(wording.tokens)


def test_links_cover_most_words(corpus: Corpus) -> None:
    words = [word for pair in corpus.dev for word in pair.source]
    linked = sum(len({i for i, _ in pair.targets[0].links}) for pair in corpus.dev)
    assert linked / len(words) > 0.75


def test_punctuation_is_linked(corpus: Corpus) -> None:
    for pair in corpus.dev:
        for wording in pair.targets:
            assert (len(pair.source) - 1, len(wording.tokens) - 1) in wording.links


def test_same_seed_same_corpus() -> None:
    one, two = (generate(seed=7, train=60, dev=10, test=10) for _ in range(2))
    assert one == two
    assert generate(seed=8, train=60, dev=10, test=10).train != one.train


def test_no_held_out_source_in_training(corpus: Corpus) -> None:
    training = {pair.source for pair in corpus.train}
    held_out = [pair.source for pair in (*corpus.dev, *corpus.test)]
    assert not training & set(held_out)
    assert len(set(held_out)) == len(held_out)


def test_wordings_are_clean(pairs: list[Pair]) -> None:
    for pair in pairs:
        for wording in pair.targets:
            assert wording.tokens
            text = " ".join(wording.tokens)
            assert text == text.lower()
            assert "  " not in text
            assert "  " not in wording.raw
            assert re.fullmatch(r"[A-Z].*[.?]", wording.raw), wording.raw
            assert not re.search(r"\s[.,?]|,,|\^|\||~|\b[A-Z]{3,}\b", wording.raw), wording.raw


def test_raw_and_tokens_spell_the_same(pairs: list[Pair]) -> None:
    for pair in pairs:
        assert pair.raw_source == "".join(pair.source)
        for wording in pair.targets:
            assert "".join(wording.tokens) == wording.raw.replace(" ", "").lower()


def test_articles_agree(pairs: list[Pair]) -> None:
    for pair in pairs:
        for wording in pair.targets:
            for word, following in zip(wording.tokens, wording.tokens[1:], strict=False):
                if word in ("a", "an"):
                    assert (word == "an") == vowel_sound(following), wording.raw


def test_no_word_is_doubled(pairs: list[Pair]) -> None:
    for pair in pairs:
        for wording in pair.targets:
            doubled = [
                a for a, b in zip(wording.tokens, wording.tokens[1:], strict=False) if a == b
            ]
            assert not [word for word in doubled if word != "had"], wording.raw


def test_links_of_a_known_word(corpus: Corpus) -> None:
    """图书馆 is always translated by `library` and linked to it."""
    seen = 0
    for pair in corpus.train:
        if pair.noisy or "图书馆" not in pair.source:
            continue
        i, wording = pair.source.index("图书馆"), pair.targets[0]
        assert "library" in [wording.tokens[j] for k, j in wording.links if k == i]
        seen += 1
    assert seen >= 3


def test_statistics(corpus: Corpus) -> None:
    figures = statistics(corpus)
    assert figures["train_distinct_sources"] > 0.95
    assert 0.02 < figures["train_noisy_pairs"] < 0.07
    assert 10 < figures["source_length_mean"] < 14
    for part in ("dev", "test"):
        assert 0.005 < figures[f"{part}_unknown_words"] < 0.04
        assert figures[f"{part}_references_all_identical"] < 0.1
        assert figures[f"{part}_references_all_distinct"] > 0.6


def test_long_sentences(corpus: Corpus) -> None:
    """A few sentences have more than twenty words."""
    long = sum(len(pair.source) > 20 for pair in corpus.train)
    assert 0.02 < long / len(corpus.train) < 0.08


def test_no_name_or_time_comes_twice(pairs: list[Pair]) -> None:
    for pair in pairs:
        words = [w for w, tag in zip(pair.source, pair.tags, strict=True) if tag in ("NR", "NT")]
        assert len(set(words)) == len(words), pair.raw_source


def test_chinese_leaves_out_a_person_just_mentioned(corpus: Corpus) -> None:
    """After 因为 … the second clause often drops its subject, which English needs."""
    reasons = [pair for pair in corpus.train if "所以" in pair.source and not pair.noisy]
    silent = [
        pair for pair in reasons if pair.tags[pair.source.index("所以") + 1] not in ("PN", "NR")
    ]
    assert 0.2 < len(silent) / len(reasons) < 0.9


def test_free_translations_keep_their_links(corpus: Corpus) -> None:
    free = [pair for pair in corpus.train if "more often than not" in pair.targets[0].raw]
    for pair in free:
        assert pair.noisy
        j = pair.targets[0].tokens.index("more")
        assert len({i for i, k in pair.targets[0].links if j <= k < j + 4}) == 1


def test_crossings() -> None:
    assert crossings([(0, 0), (1, 1)]) == 0
    assert crossings([(0, 1), (1, 0)]) == 1
    assert crossings([(0, 2), (1, 1), (2, 0)]) == 3
