"""The sparse features of a training run: templates and their word classes.

Tags of source tokens belong to the sentences of the bitext (`search/sentence.py`); lists of tags,
and tags of target tokens, are files.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from demotic import _core
from demotic.errors import Error
from demotic.features import Templates
from demotic.features.families import with_lists
from demotic.features.feature_set import FeatureSet
from demotic.features.layers import TOKEN_TAGS, LayerTexts, make_layers, save_layers
from demotic.learn.journal import key_of
from demotic.lines import PathLike, write_text
from demotic.search.sentence import constituents_of, tags_of
from demotic.steps import Steps, file_digest
from demotic.verified import open_verified, policy

if TYPE_CHECKING:
    from demotic.model import Model
    from demotic.search.text import RawText
    from demotic.train.pairs import Bitext

__all__ = [
    "ClassTexts",
    "FeatureSet",
    "TagFiles",
    "check_tag_templates",
    "find_templates",
    "new_features",
    "training_features",
]


@dataclass(frozen=True, kw_only=True)
class TagFiles:
    """A list of source tags, and a list of target tags or the tags of the target tokens."""

    source: PathLike | None = None
    target: PathLike | None = None

    @property
    def digest(self) -> str:
        """Identifies the tags; empty if there are none."""
        files = (self.source, self.target)
        if files == (None, None):
            return ""
        return key_of([None if one is None else file_digest(Path(one)) for one in files])


def find_templates(model: Model, name: PathLike | None) -> Templates | None:
    """Templates by name, or `none`; None takes the model's, else the default."""
    if name == "none":
        return None
    if name is None and model.sparse is not None:
        return model.sparse.templates
    return Templates.find(name or "default")


def check_tag_templates(model: Model, name: PathLike | None, *, source: bool, target: bool) -> None:
    """Raises Error if tags of a side are given but not used, or the other way round."""
    templates = find_templates(model, name)
    own = name is None and model.sparse is not None
    for side, flag, given in (("source", "--src-tags", source), ("target", "--tgt-tags", target)):
        used = templates is not None and f"{side}.tag" in templates.layers
        may_use = side == "source" and templates is not None and templates.own
        if given and not (used or may_use):
            raise Error(
                f"tags of the {side}, but no template looks at them",
                expected=f"templates such as {side}.first:tag",
                advice=f"give --features large-tags, or omit {flag}",
            )
        if used and not given and not own:
            raise Error(
                f"templates with tags of the {side}, but no tags",
                expected=f"a file of {side} tags",
                advice=f"give {flag}, or other --features",
            )


def training_features(
    model: Model,
    name: PathLike | None,
    bitext: Bitext,
    folder: Path,
    progress: Callable[[int, int], object] | None = None,
    tags: TagFiles | None = None,
) -> FeatureSet | None:
    """Features of templates, see `find_templates`.

    Word classes are made from the bitext once and kept in `folder`.
    """
    templates = find_templates(model, name)
    if templates is None:
        return None
    if name is None and model.sparse is not None:
        return FeatureSet.of_part(model.sparse)
    trees = constituents_of(bitext.source)
    texts = ClassTexts(bitext.source, bitext.target, bitext.digest, tags or TagFiles(), trees)
    return new_features(model, templates, texts, folder, progress)


class ClassTexts(NamedTuple):
    """The tokenised training text that word classes are made from, as far as it is known.

    `trees`: the constituents of the sentences that weights are learnt from.
    """

    source: Sequence[str] | None = None
    target: Sequence[str] | None = None
    digest: str = ""
    tags: TagFiles = TagFiles()
    trees: Sequence[str] = ()

    @classmethod
    def read(
        cls,
        source: PathLike | None,
        target: PathLike | None,
        text: RawText,
        trees: Sequence[str] = (),
    ) -> ClassTexts:
        """From files, prepared by `text`."""
        found = (
            None if source is None else text.read_source(source),
            None if target is None else text.read_references(target),
        )
        return cls(*found, key_of([list(lines or ()) for lines in found]), trees=trees)


def new_features(
    model: Model,
    templates: Templates,
    texts: ClassTexts,
    folder: Path,
    progress: Callable[[int, int], object] | None = None,
) -> FeatureSet:
    """Features for a model; word classes are made from the texts once and kept in `folder`."""
    templates = with_lists(templates, model.rules, texts.trees)
    layers = _layers(model, templates, texts, folder, progress)
    return FeatureSet.of(model.rules, model.info.kind, templates, layers, texts.tags.digest)


def _layers(
    model: Model,
    templates: Templates,
    texts: ClassTexts,
    folder: Path,
    progress: Callable[[int, int], object] | None,
) -> list[_core.ClassLayer]:
    names = templates.layers
    if not names:
        return []
    source_tags = tags_of(texts.source or ())
    stored = {"source.tag": TOKEN_TAGS} if source_tags else {}
    paths = [folder / "classes" / f"{stored.get(name, name)}.bin" for name in names]

    def work() -> None:
        folder.mkdir(parents=True, exist_ok=True)
        source = _written(folder / "source.txt", texts.source)
        target = _written(folder / "target.txt", texts.target)
        of_tokens = _written(folder / "source.tags", source_tags or None)
        files = LayerTexts(
            source=source,
            target=target,
            source_tags=texts.tags.source if of_tokens is None else of_tokens,
            target_tags=texts.tags.target,
        )
        try:
            save_layers(make_layers(names, model.vocabulary, files, None, progress), folder)
        finally:
            for path in (source, target, of_tokens):
                if path is not None:
                    path.unlink()

    settings = {
        "layers": names,
        "words": len(model.vocabulary),
        "text": key_of(texts.digest),
        "tags": texts.tags.digest,
    }
    Steps(folder).run("classes", work, outputs=paths, options=settings)
    return [open_verified(_core.ClassLayer.open, path, policy(True)) for path in paths]


def _written(path: Path, lines: Sequence[str] | None) -> Path | None:
    if lines is None:
        return None
    with write_text(path) as file:
        file.writelines(f"{line}\n" for line in lines)
    return path
