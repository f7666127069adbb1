"""Draws the pictures of the documentation from models of the bundled corpus.

    python docs/pictures zh-en zh-en-hiero

Both are models of the tutorial, of phrases and of Hiero.  Each picture is drawn from the first
model that has what it needs; the same models give the same files.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from example import Example
from of_result import confidence, learning_curve
from of_search import alignment, beam, bins, forest, phrases, tree
from of_training import hope_and_fear, potential, violations

from demotic.pipeline.result import MakeResult
from demotic.report.markup import Html
from demotic.report.standalone import standalone_svg

PHRASE = {
    "alignment": alignment,
    "beam": beam,
    "bins": bins,
    "forest": forest,
    "hope-and-fear": hope_and_fear,
    "phrases": phrases,
    "potential": potential,
    "violations": violations,
}
HIERO = {"tree": tree}
RESULT = {"confidence": confidence, "learning-curve": learning_curve}


def main(made: Sequence[Path], out: Path) -> list[Path]:
    """Writes the pictures; returns their paths."""
    out.mkdir(parents=True, exist_ok=True)
    pictures: dict[str, Html] = {}
    for one in made:
        sources: list[tuple[Any, dict[str, Any]]] = [(MakeResult.load(one), RESULT)]
        sources += [(Example.of(one, "phrase"), PHRASE), (Example.of(one, "hiero"), HIERO)]
        for source, functions in sources:
            for name, draw in functions.items():
                if source is not None and name not in pictures:
                    pictures[name] = draw(source)
    for name, drawing in pictures.items():
        (out / f"{name}.svg").write_text(standalone_svg(drawing), encoding="utf-8")
    return [out / f"{name}.svg" for name in sorted(pictures)]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Draws the pictures of the documentation.")
    parser.add_argument("made", type=Path, nargs="+", help="outputs of demotic make or demo")
    parser.add_argument("-o", "--out", type=Path, default=Path(__file__).parent)
    chosen = parser.parse_args()
    for path in main(chosen.made, chosen.out):
        print(path)
