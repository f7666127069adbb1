"""Files with a parse tree for each sentence, read together with the text they belong to."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from demotic.lines import PathLike
from demotic.search.sentence import AnnotatedSentence, annotations_of
from demotic.text.trees import Constituent, TreeStream, read_trees

__all__ = ["SourceTrees", "read_parsed"]


class SourceTrees:
    """A file of trees, read line by line together with the tokenised text it belongs to."""

    def __init__(self, path: PathLike) -> None:
        self._trees = TreeStream(path)

    def annotated(self, line: str) -> AnnotatedSentence:
        """The next sentence of the text. Raises FormatError if its tree has another text."""
        return _with_tree(line, self._trees.next(line))

    def finish(self) -> None:
        """Raises FormatError if there are trees after the last sentence."""
        self._trees.finish()


def read_parsed(path: PathLike, lines: Sequence[str]) -> list[str]:
    """Sentences with the constituents of a file that has one tree for each."""
    trees = read_trees(path, lines)
    return [_with_tree(line, trees.constituents(i)) for i, line in enumerate(lines)]


def _with_tree(line: str, constituents: Iterable[Constituent]) -> AnnotatedSentence:
    """The sentence with its constituents and the annotations that it has already."""
    text = " ".join(f"{begin}-{end}-{label}" for begin, end, label in constituents)
    return AnnotatedSentence(line, **{**annotations_of(line), "constituents": text})
