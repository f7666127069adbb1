"""Layers of word classes from tags: a list of `word TAB tag`, or a tag for every token.

A tag corpus is a Corpus with its own vocabulary, parallel to the words token by token; a layer made
from it gives each word its most frequent tag.
"""

from __future__ import annotations

from demotic._core import (
    RESERVED_WORDS,
    ClassLayer,
    Corpus,
    CorpusBuilder,
    Vocabulary,
    VocabularyBuilder,
)
from demotic.counts import counted
from demotic.errors import FormatError
from demotic.lines import LineFile, PathLike
from demotic.text.classes import layer_from_names

__all__ = ["is_tag_list", "most_frequent_tags", "read_tag_corpus", "read_tag_list"]


def is_tag_list(path: PathLike) -> bool:
    """Whether a file of tags is a list of `word TAB tag`, not tags of tokens."""
    return "\t" in next(iter(LineFile(path, keep_tabs=True)), "")


def read_tag_list(name: str, path: PathLike, vocabulary: Vocabulary) -> ClassLayer:
    """A layer from lines `word TAB tag`; words not in the vocabulary are ignored."""
    tags: list[str | None] = [None] * len(vocabulary)
    seen: dict[str, tuple[str, int]] = {}
    for line, text in enumerate(LineFile(path, keep_tabs=True), 1):
        word, tab, tag = text.partition("\t")
        if not (word and tab and tag) or "\t" in tag or " " in text:
            raise FormatError(
                f"'{_shortened(text)}'",
                path=path,
                line=line,
                expected="a word, a tab and a tag",
                advice="give every word one tag",
            )
        before, at = seen.setdefault(word, (tag, line))
        if before != tag:
            raise FormatError(
                f"the tag '{tag}' for the word '{word}'",
                path=path,
                line=line,
                expected=f"'{before}' as on line {at}, or nothing",
                advice="keep one of the two, or give a tag corpus",
            )
        word_id = vocabulary.find(word)
        if word_id >= RESERVED_WORDS:
            tags[word_id] = tag
    return layer_from_names(name, tags)


def read_tag_corpus(path: PathLike, words: Corpus) -> tuple[Corpus, Vocabulary]:
    """The tags of every token of `words`, from a file with the same number of tokens per line."""
    file = LineFile(path)
    vocabulary = VocabularyBuilder()
    builder = CorpusBuilder(vocabulary)
    for chunk in file.chunks():
        builder.add(chunk)
    tags = builder.finish()
    _check_parallel(file.name, words, tags)
    return tags, vocabulary.finish()


def _check_parallel(name: str, words: Corpus, tags: Corpus) -> None:
    import numpy as np

    if len(tags) != len(words):
        raise FormatError(
            f"{counted(len(tags), 'line')} of tags",
            path=name,
            expected=f"{len(words):,}, one per sentence",
            advice="tag the prepared text",
        )
    found, expected = np.diff(tags.offsets), np.diff(words.offsets)
    wrong = np.flatnonzero(found != expected)
    if wrong.size:
        first = int(wrong[0])
        raise FormatError(
            f"{found[first]} tags",
            path=name,
            line=first + 1,
            expected=f"{expected[first]}, one per word",
            advice="tag the prepared text without tokenising it again",
        )


def most_frequent_tags(
    name: str, words: Corpus, vocabulary: Vocabulary, tags: Corpus, tag_vocabulary: Vocabulary
) -> ClassLayer:
    """A layer from the most frequent tag of each word; ties go to the tag seen first with it."""
    import numpy as np

    _check_parallel("the tags", words, tags)
    both = words.words.astype(np.int64) * len(tag_vocabulary) + tags.words
    pairs, first, counts = np.unique(both, return_index=True, return_counts=True)
    word, tag = np.divmod(pairs, len(tag_vocabulary))
    # Sorted so that the best tag of each word comes first: most frequent, then seen first.
    order = np.lexsort((first, -counts, word))
    _, best = np.unique(word[order], return_index=True)
    tag_names = tag_vocabulary.words()
    chosen: list[str | None] = [None] * len(vocabulary)
    for word_id, tag_id in zip(word[order][best].tolist(), tag[order][best].tolist(), strict=True):
        if word_id >= RESERVED_WORDS and tag_id >= RESERVED_WORDS:
            chosen[word_id] = tag_names[tag_id]
    return layer_from_names(name, chosen, tag_names[RESERVED_WORDS:])


def _shortened(text: str) -> str:
    return text if len(text) <= 60 else text[:60] + "..."
