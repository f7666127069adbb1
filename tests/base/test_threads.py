"""The number of threads only affects the time."""

from __future__ import annotations

import random
from pathlib import Path

from demotic._core import CorpusBuilder, Lines, VocabularyBuilder, decode, encode


def random_lines(count: int, seed: int) -> Lines:
    rng = random.Random(seed)
    lines = Lines()
    for _ in range(count):
        lines.append(
            " ".join(
                f"w{int(rng.paretovariate(1)) % 9999}" for _ in range(rng.choice([0, 1, 5, 30]))
            )
        )
    return lines


def test_encoding_is_the_same_bits_for_one_to_eight_threads(tmp_path: Path) -> None:
    lines = random_lines(30_000, seed=5)
    words = VocabularyBuilder()
    builder = CorpusBuilder(words)
    builder.add(lines)
    corpus = builder.finish()
    vocabulary = words.finish()
    corpus.save(str(tmp_path / "built"))
    for threads in range(1, 9):
        encoded = encode(vocabulary, lines, threads)
        assert encoded.words.tobytes() == corpus.words.tobytes()
        assert encoded.offsets.tobytes() == corpus.offsets.tobytes()
        encoded.save(str(tmp_path / "encoded"))
        assert (tmp_path / "encoded").read_bytes() == (tmp_path / "built").read_bytes()
    assert decode(vocabulary, corpus).tolist() == lines.tolist()


def test_arrays_are_views_that_cannot_be_written_and_keep_their_owner() -> None:
    words = VocabularyBuilder()
    builder = CorpusBuilder(words)
    builder.add(random_lines(100, seed=6))
    corpus = builder.finish()
    array = corpus.words
    expected = array.tolist()
    assert not array.flags.writeable
    del corpus, builder
    assert array.tolist() == expected
