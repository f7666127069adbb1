"""The ways of tuning in `demotic make`: its own, and those that `--story` adds for comparison."""

from __future__ import annotations

from dataclasses import dataclass

from demotic.learn.methods import DEFAULT_METHOD
from demotic.learn.options import Gain

__all__ = ["AGAIN", "STORY", "TITLES", "TUNED", "Way"]


@dataclass(frozen=True)
class Way:
    """A method and its settings; `name` is that of the stage, `does` what the display says."""

    name: str
    does: str
    text: str
    method: str = DEFAULT_METHOD
    search_aware: Gain = "none"
    story: bool = False

    @property
    def folder(self) -> str:
        return self.name.lower().replace(" ", "-")


TUNED = Way("tuned", "tune", "MIRA")
AGAIN = Way("tuned again", "tune again", "MIRA")
STORY = (
    Way("MERT", "tune by MERT", "line searches on BLEU", "mert", story=True),
    Way("relative margin", "tune by relative margin", "MIRA, bounded spread", "rm", story=True),
    Way(
        "search-aware MIRA",
        "search-aware tuning",
        "MIRA on all bins",
        search_aware="potential",
        story=True,
    ),
)
# Names of stages next to those of other methods.
TITLES = {
    "built": "untuned",
    "tuned": "MIRA",
    "trained": "MaxForce",
    "tuned again": "MaxForce, tuned again",
}
