"""Flags for the tags of tokens, and the checks that they fit a model and a text."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

import click

from demotic.errors import Error, ModelError

if TYPE_CHECKING:
    from demotic.features import Templates
    from demotic.model import Model
    from demotic.search.text import RawText

__all__ = [
    "TrainTags",
    "check_tags",
    "check_target_tags",
    "tag_list",
    "tags_flag",
]

_Command = TypeVar("_Command", bound=Callable[..., Any])


def tags_flag(name: str, help_text: str) -> Callable[[_Command], _Command]:
    return click.option(name, type=click.Path(dir_okay=False), metavar="FILE", help=help_text)


def _check_tagged_text(tags: str, text: RawText, path: str, name: str = "src") -> None:
    """Refuses tags of the tokens of a text that is still to be tokenised."""
    if text.for_source(path).is_raw:
        raise Error(
            "tags of tokens, but raw text",
            path=tags,
            expected="text that is already in the model's tokens",
            advice=f"give the tokenised text, and --tokenized or --{name}-tokenized",
        )


def _check_tags_are_used(model: Model) -> None:
    """Refuses tags for a model that would ignore them."""
    features = None if model.sparse is None else model.sparse.features
    if features is None or not (features.has_token_tags or features.reads_annotations):
        raise ModelError(
            "tags of tokens for a model without features of them",
            path=model.path,
            expected="a model trained with --src-tags",
            advice="omit --src-tags",
        )


def check_tags(
    model: Model,
    tags: str | None,
    text: RawText,
    path: str,
    name: str = "src",
    new: Templates | None = None,
) -> None:
    """Refuses tags that fit neither the text nor the model, which is to get the features `new`;
    None is always fine."""
    if tags is not None:
        _check_tagged_text(tags, text, path, name)
        if new is None or not new.own:
            _check_tags_are_used(model)


def tag_list(path: str | None) -> str | None:
    """The file if it is a list of `word TAB tag`; None if it has tags of tokens."""
    from demotic.text.tags import is_tag_list

    return path if path is not None and is_tag_list(path) else None


def check_target_tags(path: str | None, target: Sequence[str], files: int) -> None:
    """Refuses tags of target tokens that are not one per token, before any work."""
    from demotic.search.tagged import read_tagged

    if path is None or tag_list(path):
        return
    if files > 1:
        raise Error(
            "tags of the tokens of several target files",
            path=path,
            expected="a list of word TAB tag",
            advice="give such a list, or one --tgt",
        )
    read_tagged(path, target)


@dataclass(frozen=True)
class TrainTags:
    """The files with tags of source tokens that `demotic train` gets."""

    of_tokens: str | None
    of_dev_tokens: str | None

    @classmethod
    def of(
        cls, model: Model, flags: Mapping[str, Any], text: RawText, dev_text: RawText
    ) -> TrainTags:
        """Raises Error for tags that do not fit the templates or the texts."""
        from demotic.train.features import check_tag_templates

        path, dev, name = flags["src_tags"], flags["dev_src_tags"], flags["features"]
        check_tag_templates(
            model, name, source=path is not None, target=flags["tgt_tags"] is not None
        )
        of_tokens = None if tag_list(path) else path
        own = name is None and model.sparse is not None
        if own and (flags["tgt_tags"] is not None or of_tokens != path):
            raise Error(
                "tags of words for a model that has its own",
                path=str(model.path),
                expected="tags of source tokens alone",
                advice="give --features to train new features, or omit the tags of words",
            )
        if of_tokens is not None:
            _check_tagged_text(of_tokens, text, flags["src"])
            if own:
                _check_tags_are_used(model)
        if dev is not None:
            _check_tagged_text(dev, dev_text, flags["dev_src"], "dev-src")
            if of_tokens is None:
                _check_tags_are_used(model)
        return cls(of_tokens, dev)
