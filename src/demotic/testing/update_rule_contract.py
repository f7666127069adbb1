"""What every update rule promises."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from demotic.testing.contract import called, require
from demotic.train.own_rule import UpdateRule

__all__ = ["check_update_rule"]

_SENTENCES = 300


def check_update_rule(rule: UpdateRule) -> None:
    """Raises ContractError at the first promise that the rule does not keep."""
    require(
        callable(getattr(rule, "choose", None)),
        f"{type(rule).__name__} has no method choose(gold, bad, holds_gold, window)",
    )
    rng = np.random.default_rng(1)
    chosen = []
    for _ in range(_SENTENCES):
        gold, bad, holds_gold = _bins(rng)
        window = int(rng.integers(1, 8))
        chosen.append(_chosen(rule, gold, bad, holds_gold, window))
    require(
        any(bin_ >= 0 for bin_ in chosen),
        f"choose returned -1 for all of {_SENTENCES} sentences; nothing would be learnt",
    )
    none = np.full(3, -np.inf)
    for gold, bad in ((none, none), (np.zeros(3), none), (none, np.zeros(3)), (none[:0],) * 2):
        found = _chosen(rule, gold, bad, np.zeros(len(gold), np.bool_), 2)
        require(found == -1, f"choose returned {found} where no bin has both; expected -1")


def _bins(
    rng: np.random.Generator,
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.bool_]]:
    size = int(rng.integers(1, 12))
    gold, bad = rng.normal(size=(2, size))
    gold[rng.random(size) < 0.2] = -np.inf
    bad[rng.random(size) < 0.2] = -np.inf
    return gold, bad, rng.random(size) < 0.5


def _chosen(
    rule: UpdateRule,
    gold: NDArray[np.float64],
    bad: NDArray[np.float64],
    holds_gold: NDArray[np.bool_],
    window: int,
) -> int:
    with called("choose"):
        found = rule.choose(gold.copy(), bad.copy(), holds_gold.copy(), window)
        again = rule.choose(gold.copy(), bad.copy(), holds_gold.copy(), window)
    require(
        isinstance(found, int) and not isinstance(found, bool),
        f"choose returned {found!r}; expected the number of a bin, or -1 for no update",
    )
    require(found == again, f"choose returned {found}, then {again} for the same bins")
    require(-1 <= found < len(gold), f"choose returned {found} of {len(gold)} bins")
    if found >= 0:
        both = np.isfinite(gold[found]) and np.isfinite(bad[found])
        require(both, f"choose returned bin {found}, which has no gold or no bad derivation")
    return found
