"""Every list learner keeps the contract."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from demotic.learn import Mert, Mira, Pro, Rampion, RelativeMargin
from demotic.testing import Promises
from demotic.testing.learner_contract import CONTRACT

LEARNERS = {
    "mert": Promises(Mert(restarts=3)),
    "pro": Promises(Pro(), candidate_order=False, duplicates=False, tolerance=1e-4),
    "mira": Promises(Mira(sweeps=10)),
    "mira-mixed": Promises(Mira(sweeps=30, shards=4)),
    "mira-independent": Promises(Mira(sweeps=30, shards=4, scheme="independent")),
    "mira-minibatch": Promises(Mira(sweeps=30, shards=4, scheme="minibatch")),
    "mira-shared": Promises(Mira(sweeps=30, shards=4, scheme="shared")),
    "rm-shared": Promises(RelativeMargin(sweeps=30, shards=4, scheme="shared")),
    "mira-cp": Promises(Mira(sweeps=10, solver="cutting-plane"), tolerance=1e-6),
    "rm": Promises(RelativeMargin(sweeps=30, step=0.01)),
    # Solutions within the solver's tolerance of the optimum may differ by more than rounding.
    "rm-cp": Promises(
        RelativeMargin(sweeps=30, solver="cutting-plane", tolerance=1e-7), tolerance=1e-6
    ),
    "rampion": Promises(Rampion(rate=0.01)),
}


@pytest.mark.parametrize("holds", CONTRACT, ids=lambda check: check.__name__)
@pytest.mark.parametrize("name", LEARNERS)
def test_contract(name: str, holds: Callable[[Promises], None]) -> None:
    holds(LEARNERS[name])
