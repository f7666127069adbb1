"""Sentences of words as a corpus with its vocabulary, for tests."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from demotic._core import Corpus, CorpusBuilder, Lines, Vocabulary, VocabularyBuilder


def encoded(sentences: Iterable[Sequence[str]]) -> tuple[Corpus, Vocabulary]:
    lines = Lines()
    for sentence in sentences:
        lines.append(" ".join(sentence))
    vocabulary = VocabularyBuilder()
    builder = CorpusBuilder(vocabulary)
    builder.add(lines)
    return builder.finish(), vocabulary.finish()
