"""Language models: estimation, ARPA and binary files, queries, mixtures."""

from demotic.lm.estimate import LmOptions, estimate_lm
from demotic.lm.mix import mix_lms, tune_weights
from demotic.lm.model import LanguageModel, Perplexity

__all__ = ["LanguageModel", "LmOptions", "Perplexity", "estimate_lm", "mix_lms", "tune_weights"]
