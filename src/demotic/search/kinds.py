"""The kinds of search, and the native model and decoder of a model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from demotic import _core
from demotic.search.decoder import Decoder, SearchKind
from demotic.search.hiero import HieroSteps, hiero_grammar
from demotic.search.options import SearchOptions
from demotic.search.phrase import PhraseSteps

if TYPE_CHECKING:
    from demotic.features.weights import Weights
    from demotic.model import Model

__all__ = ["KINDS", "decoder_of", "decoder_with", "native_model"]

KINDS: dict[str, SearchKind] = {
    "phrase": SearchKind(SearchOptions.phrase, _core.PhraseSearchers, PhraseSteps),
    "hiero": SearchKind(SearchOptions.hiero, _core.HieroSearchers, HieroSteps),
}


def native_model(
    model: Model,
    sparse: _core.Sparse | None = None,
    *,
    rules: _core.RuleStore | None = None,
    language_models: Sequence[_core.LanguageModel] | None = None,
    operations: _core.LanguageModel | None = None,
) -> _core.PhraseModel | _core.HieroModel:
    """The model in native form; arguments replace its own parts."""
    if sparse is None:
        sparse = model.sparse.native if model.sparse is not None else _core.Sparse()
    if language_models is None:
        language_models = model.native_language_models
    parts = (rules or model.rules.store, list(language_models), model.vocabulary)
    counted = bool(model.settings.get("unknown_phrase_penalty", False))
    given = "given" in model.info.features
    if model.kind == "phrase":
        models = (operations or model.operations, given)
        return _core.PhraseModel(*parts, sparse, counted, *models)
    return _core.HieroModel(*parts, hiero_grammar(model), sparse, counted, model.distortion, given)


def decoder_of(model: Model, options: SearchOptions, weights: Weights) -> Decoder:
    return decoder_with(model, model.native, options, weights)


def decoder_with(
    model: Model,
    native: _core.PhraseModel | _core.HieroModel,
    options: SearchOptions,
    weights: Weights,
) -> Decoder:
    """The decoder of a model with another native one, such as training has."""
    return Decoder(model, native, KINDS[model.kind], options, weights)
