"""The figures that a run reports: their names in experiment files, headings and digits."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["COMPARED", "CURVES", "FIGURES", "Figure"]


class Figure(NamedTuple):
    heading: str
    digits: int
    meaning: str


FIGURES = {
    "dev": Figure("dev", 2, "the metric on the dev set, or on the part of it that is held out"),
    "test": Figure("test", 2, "the metric on the test set"),
    "ter": Figure("TER", 2, "TER on the test set; lower is better"),
    "chrf": Figure("chrF", 2, "chrF on the test set"),
    "combined": Figure("(TER-BLEU)/2", 2, "(TER - BLEU) / 2; lower is better"),
    "length": Figure("length", 3, "length of the translations relative to the references"),
    "rounds": Figure("rounds", 1, "rounds of tuning, or epochs of training"),
    "kept": Figure("kept", 1, "the round or epoch whose weights were kept"),
    "features": Figure("features", 0, "sparse features that learning has seen"),
    "active": Figure("active", 0, "sparse features with a weight other than 0"),
    "pairs": Figure("pairs", 0, "reachable training pairs"),
    "invalid_first": Figure("% invalid, first", 1, "invalid updates of the first epoch"),
    "invalid_last": Figure("% invalid, last", 1, "invalid updates of the last epoch"),
    "spread": Figure("spread", 2, "score of the hope minus that of the worst candidate, mean"),
    "spread_sd": Figure("spread, sd", 2, "standard deviation of the spread"),
    "spread_kept": Figure("spread, kept", 2, "mean spread in the round that was kept"),
    "spread_kept_sd": Figure("sd, kept", 2, "its standard deviation"),
    "cpu": Figure("CPU s", 1, "CPU seconds to learn, all threads"),
    "seconds": Figure("seconds", 1, "elapsed seconds to learn"),
    "optimiser": Figure("optimiser CPU s", 2, "CPU seconds of all weight updates"),
    "optimiser_last": Figure("last round", 2, "CPU seconds of the weight update of the last round"),
    "one_best": Figure("final bin", 2, "the metric of the best translations of the final bins"),
    "all_bins": Figure("all bins", 2, "the metric of the best hypothesis of every bin, completed"),
    "oracle": Figure("oracle", 2, "the metric of the best candidates of the k-best lists"),
    "diversity": Figure("diversity", 3, "mean distance of two candidates of a k-best list"),
    "reachable": Figure("% reachable", 1, "pairs with a derivation of the reference"),
    "reachable_words": Figure("% of words", 1, "source words in reachable pairs"),
    "with_prefixes": Figure("% with prefixes", 1, "pairs that are reachable or have a prefix"),
    "with_prefixes_words": Figure(
        "% of their words", 1, "source words in pairs that are reachable or have a prefix"
    ),
    "undecided": Figure("undecided", 0, "pairs whose forced decoding hit its limit"),
    "derivations": Figure(
        "log10 derivations", 2, "log10 of the number of derivations, mean over reachable pairs"
    ),
}

# Columns that compare with the baseline.
COMPARED = {
    "baseline": Figure("baseline", 0, "the system that it is compared with"),
    "gain": Figure("against baseline", 2, "difference of the test score from the baseline's"),
    "p": Figure("p", 4, "p-value by approximate randomisation over all runs"),
    "gain_ter": Figure("TER against baseline", 2, "difference of TER from the baseline's"),
}

CURVES = {
    "learning": ("round or epoch", "dev score"),
    "invalid": ("epoch", "% invalid updates"),
    "time": ("seconds", "dev score"),
    "reachable": ("source words", "% reachable"),
    "derivations": ("source words", "log10 of derivations"),
    "mu-0": ("score behind the best", "sentence BLEU"),
    "mu-0.5": ("score behind the best", "sentence BLEU"),
    "mu-1": ("score behind the best", "sentence BLEU"),
    "mu-infinity": ("score behind the best", "sentence BLEU"),
}
