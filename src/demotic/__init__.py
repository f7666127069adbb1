"""Statistical machine translation for everyone: from two text files to a tuned translator.

Names are imported on first use, so that `demotic --help` is fast.  The functions `align`, `explain`
and `force` have the names of their packages: `from demotic.align import align`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from demotic.lazy import lazy_names

if TYPE_CHECKING:
    from demotic.align import Aligner, Alignments
    from demotic.errors import Error, FormatError, InputError, IoError, ModelError
    from demotic.features.weights import Weights
    from demotic.forest import Forest
    from demotic.lm import LanguageModel, estimate_lm
    from demotic.model import Model
    from demotic.model.build import BuildOptions, build
    from demotic.pipeline import MakeResult, make
    from demotic.rules import Rules, extract
    from demotic.search import Decoder, SearchOptions, SearchResult
    from demotic.text import Corpus, ParallelCorpus, Vocabulary
    from demotic.train import train_model

__version__ = "0.1.0"

_MODULES = {
    "Aligner": ".align",
    "Alignments": ".align",
    "BuildOptions": ".model.build",
    "Corpus": ".text",
    "Decoder": ".search",
    "Error": ".errors",
    "Forest": ".forest",
    "FormatError": ".errors",
    "InputError": ".errors",
    "IoError": ".errors",
    "LanguageModel": ".lm",
    "MakeResult": ".pipeline",
    "Model": ".model",
    "ModelError": ".errors",
    "ParallelCorpus": ".text",
    "Rules": ".rules",
    "SearchOptions": ".search",
    "SearchResult": ".search",
    "Vocabulary": ".text",
    "Weights": ".features.weights",
    "build": ".model.build",
    "estimate_lm": ".lm",
    "extract": ".rules",
    "make": ".pipeline",
    "train_model": ".train",
}

__all__ = [
    "Aligner",
    "Alignments",
    "BuildOptions",
    "Corpus",
    "Decoder",
    "Error",
    "Forest",
    "FormatError",
    "InputError",
    "IoError",
    "LanguageModel",
    "MakeResult",
    "Model",
    "ModelError",
    "ParallelCorpus",
    "Rules",
    "SearchOptions",
    "SearchResult",
    "Vocabulary",
    "Weights",
    "__version__",
    "build",
    "estimate_lm",
    "extract",
    "make",
    "train_model",
]

__getattr__, __dir__ = lazy_names(__name__, _MODULES, __all__)
