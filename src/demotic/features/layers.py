"""Makes the layers of word classes that templates need, for the vocabulary of a model.

Clusters and their prefixes come from one clustering per side, characters and types from spelling,
tags from a file of the user: a list of `word TAB tag`, or a tag for every token of the text.  Tags
of source tokens make features look at the tokens of each sentence; the layer has the most frequent
tag of each word, for sentences without tags.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from demotic._core import ClassLayer, Vocabulary
from demotic.errors import Error
from demotic.lines import PathLike
from demotic.text.brown import BrownClusters, BrownOptions, brown_clusters
from demotic.text.classes import brown_layer, character_layer, type_layer

__all__ = ["TOKEN_TAGS", "LayerTexts", "make_layers", "save_layers"]

Progress = Callable[[int, int], object]

TOKEN_TAGS = "source.token_tag"
"""The layer instead of `source.tag` if tags belong to tokens, not to words."""

_FLAGS = {"source": "src-tags", "target": "tgt-tags"}


@dataclass(frozen=True, kw_only=True)
class LayerTexts:
    """The inputs that classes are made from; only those that the templates need are required."""

    source: PathLike | None = None  # tokenised text, for clusters and for tags of tokens
    target: PathLike | None = None
    source_tags: PathLike | None = None
    target_tags: PathLike | None = None


class _Side:
    """The layers of one side."""

    def __init__(
        self,
        name: str,
        vocabulary: Vocabulary,
        texts: LayerTexts,
        options: BrownOptions,
        progress: Progress | None,
    ) -> None:
        self.name, self.vocabulary = name, vocabulary
        self.text, self.tags = (texts.source, texts.source_tags)
        if name == "target":
            self.text, self.tags = (texts.target, texts.target_tags)
        self.options, self.progress = options, progress

    def layer(self, level: str) -> ClassLayer:
        name = f"{self.name}.{level}"
        if level == "first_char":
            return character_layer(name, self.vocabulary, "leftmost")
        if level == "last_char":
            return character_layer(name, self.vocabulary, "rightmost")
        if level == "type":
            return type_layer(name, self.vocabulary)
        if level == "tag":
            return self._tag_layer(name)
        prefix = {"cluster": None, "prefix6": 6, "prefix4": 4}[level]
        return brown_layer(name, self._clusters, prefix)

    @cached_property
    def _clusters(self) -> BrownClusters:
        from demotic.text.corpus import Corpus

        corpus = Corpus.read(self._needed_text("clusters"), self.vocabulary)
        return brown_clusters(corpus.sentences, self.vocabulary, self.options, self.progress)

    def _tag_layer(self, name: str) -> ClassLayer:
        from demotic.text.corpus import Corpus
        from demotic.text.tags import (
            is_tag_list,
            most_frequent_tags,
            read_tag_corpus,
            read_tag_list,
        )

        if self.tags is None:
            raise Error(
                f"templates with tags of the {self.name}, but no tags",
                expected=f"a file of {self.name} tags",
                advice=f"give --{_FLAGS[self.name]}, or remove these templates",
            )
        if is_tag_list(self.tags):
            return read_tag_list(name, self.tags, self.vocabulary)
        words = Corpus.read(self._needed_text("tags"), self.vocabulary).sentences
        tags, tag_names = read_tag_corpus(self.tags, words)
        stored = TOKEN_TAGS if self.name == "source" else name
        return most_frequent_tags(stored, words, self.vocabulary, tags, tag_names)

    def _needed_text(self, purpose: str) -> PathLike:
        if self.text is None:
            raise Error(
                f"templates with {purpose} of the {self.name}, but no {self.name} text",
                expected=f"the {self.name} side of the training text",
                advice="demotic tune: give --train-src and --train-tgt, or templates that need no "
                "text, such as z14",
            )
        return self.text


def make_layers(
    names: Iterable[str],
    vocabulary: Vocabulary,
    texts: LayerTexts,
    options: BrownOptions | None = None,
    progress: Progress | None = None,
) -> list[ClassLayer]:
    """Layers by name, such as `source.cluster`; each text is clustered only once."""
    options = options or BrownOptions()
    sides = {
        side: _Side(side, vocabulary, texts, options, progress) for side in ("source", "target")
    }
    return [sides[side].layer(level) for side, level in (name.split(".") for name in names)]


def save_layers(layers: Iterable[ClassLayer], home: Path, folder: str = "classes") -> list[str]:
    """Writes each layer to a file below `home`; returns the paths relative to it."""
    names = []
    for layer in layers:
        (home / folder).mkdir(parents=True, exist_ok=True)
        names.append(f"{folder}/{layer.name}.bin")
        layer.save(str(home / names[-1]))
    return names
