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

__all__ = ["decoder_of", "native_model"]


def native_model(model: Model) -> _core.PhraseModel | _core.HieroModel:
    """The model as the core searches it."""
    parts = (model.rules.store, model.native_language_models, model.vocabulary)
    sparse = model.sparse.native if model.sparse else _core.Sparse()
    if model.kind == "phrase":
        return _core.PhraseModel(*parts, sparse)
    return _core.HieroModel(*parts, hiero_grammar(model), sparse)


def decoder_of(model: Model, options: SearchOptions, weights: Weights) -> Decoder:
    if isinstance(model.native, _core.HieroModel):
        return HieroDecoder(model, model.native, options, weights)
    return PhraseDecoder(model, model.native, options, weights)
