"""Which decoder searches which kind of model."""

from __future__ import annotations

from typing import TYPE_CHECKING

from demotic import _core
from demotic.search.decoder import Decoder
from demotic.search.hiero import HieroDecoder, hiero_grammar
from demotic.search.options import SearchOptions
from demotic.search.phrase import PhraseDecoder

if TYPE_CHECKING:
    from demotic.model import Model
    from demotic.weights import Weights

__all__ = ["decoder_of", "decoder_with", "native_model"]


def native_model(
    model: Model, sparse: _core.Sparse | None = None
) -> _core.PhraseModel | _core.HieroModel:
    """The model as the core searches it; `sparse` takes the place of its own sparse part."""
    parts = (model.rules.store, model.native_language_models, model.vocabulary)
    if sparse is None:
        sparse = model.sparse.native if model.sparse else _core.Sparse()
    if model.kind == "phrase":
        return _core.PhraseModel(*parts, sparse)
    return _core.HieroModel(*parts, hiero_grammar(model), sparse)


def decoder_of(model: Model, options: SearchOptions, weights: Weights) -> Decoder:
    return decoder_with(model, model.native, options, weights)


def decoder_with(
    model: Model,
    native: _core.PhraseModel | _core.HieroModel,
    options: SearchOptions,
    weights: Weights,
) -> Decoder:
    """The decoder of a model with another native one, such as training has."""
    if isinstance(native, _core.HieroModel):
        return HieroDecoder(model, native, options, weights)
    return PhraseDecoder(model, native, options, weights)
