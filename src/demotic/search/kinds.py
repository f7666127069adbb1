"""The decoder of each kind of model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from demotic import _core
from demotic.search.decoder import Decoder
from demotic.search.hiero import HieroDecoder, hiero_grammar
from demotic.search.options import SearchOptions
from demotic.search.phrase import PhraseDecoder

if TYPE_CHECKING:
    from demotic.features.weights import Weights
    from demotic.model import Model

__all__ = ["decoder_of", "decoder_with", "native_model"]


def native_model(
    model: Model,
    sparse: _core.Sparse | None = None,
    *,
    rules: _core.RuleStore | None = None,
    language_models: Sequence[_core.LanguageModel] | None = None,
) -> _core.PhraseModel | _core.HieroModel:
    """The model in native form; arguments replace its own parts."""
    if sparse is None:
        sparse = model.sparse.native if model.sparse else _core.Sparse()
    if language_models is None:
        language_models = model.native_language_models
    parts = (rules or model.rules.store, list(language_models), model.vocabulary)
    counted = bool(model.settings.get("unknown_phrase_penalty", False))
    if model.kind == "phrase":
        return _core.PhraseModel(*parts, sparse, counted)
    return _core.HieroModel(*parts, hiero_grammar(model), sparse, counted)


def decoder_of(model: Model, options: SearchOptions, weights: Weights) -> Decoder:
    return decoder_with(model, model.native, options, weights)


def decoder_with(
    model: Model,
    native: _core.PhraseModel | _core.HieroModel,
    options: SearchOptions,
    weights: Weights,
) -> Decoder:
    """The decoder of a model with a given native model, as training needs it."""
    if isinstance(native, _core.HieroModel):
        return HieroDecoder(model, native, options, weights)
    return PhraseDecoder(model, native, options, weights)
