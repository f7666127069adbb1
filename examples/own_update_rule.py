"""An update rule of your own: update at the first bin in which the gold derivation loses.

    demotic train zh-en --src train.zh --tgt train.en --dev-src dev.zh --dev-ref dev.en \
        --update-rule examples/own_update_rule.py:FirstViolation -o trained

python examples/own_update_rule.py checks that it keeps the contract of update rules.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from demotic.options import Options, option
from demotic.testing import check_update_rule


@dataclass(frozen=True, kw_only=True)
class FirstViolation(Options):
    """The first bin in which the best bad derivation outscores the best gold one by a margin."""

    margin: float = option(0.0, "minimum difference of their scores", minimum=0)

    def choose(
        self,
        gold: NDArray[np.float64],
        bad: NDArray[np.float64],
        holds_gold: NDArray[np.bool_],
        window: int,
    ) -> int:
        """The bin to update at, or -1 for no update.

        `gold` and `bad` hold the best score of each kind per bin, -inf for bins without one.
        """
        both = np.isfinite(gold) & np.isfinite(bad)
        violated = both & (np.where(both, bad, 0) - np.where(both, gold, 0) >= self.margin)
        return int(np.argmax(violated)) if violated.any() else -1


if __name__ == "__main__":
    check_update_rule(FirstViolation())
    print("FirstViolation keeps the contract of update rules.")
