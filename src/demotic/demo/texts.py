"""What the tour's stages of tuning and training share: its dev and test set, and a comparison."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from demotic.demo.tour import Tour
    from demotic.learn import DevSet
    from demotic.metrics.significance import PairedTest
    from demotic.search.decoder import Decoder

__all__ = ["Comparison", "compared", "dev_set"]


@dataclass(frozen=True)
class Comparison:
    """BLEU before and after, and the test between the two."""

    before: float
    after: float
    test: PairedTest

    @property
    def change(self) -> str:
        return f"{self.before:.2f} → {self.after:.2f}"


def dev_set(tour: Tour, part: str) -> DevSet:
    """With all four references."""
    from demotic.learn import DevSet
    from demotic.lines import read_lines
    from demotic.metrics import References

    references = [tour.text(f"tok/{part}.en.{i}") for i in range(4)]
    source = read_lines(tour.text(f"tok/{part}.zh")).tolist()
    return DevSet(source, References.read(references))


def compared(tour: Tour, before: Decoder, after: Decoder, test: DevSet) -> Comparison:
    """On the test set."""
    from demotic.metrics import EvaluateOptions, evaluate

    texts = [one.translate(test.source, threads=tour.threads).text for one in (before, after)]
    result = evaluate(
        texts[1],
        test.references,
        baselines={"before": texts[0]},
        options=EvaluateOptions(tokenize="none"),
        threads=tour.threads,
    )
    new, old = result["bleu"].systems
    return Comparison(old.score, new.score, new.against["before"])
