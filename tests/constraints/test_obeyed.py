"""Every exclusive constraint is in the translation, or the line is refused by name."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from demotic.constraints.glossary import Entry, Glossary
from demotic.constraints.lines import LineConstraints
from demotic.constraints.terms import TermFinder
from demotic.errors import FormatError
from demotic.model import Model
from demotic.search import SearchOptions
from demotic.search.decoder import GIVEN, Decoder
from demotic.search.sentence import constraints_of
from tests.search.small_models import prepared_model

WORDS = "Das Haus ist alt Ich sehe das Buch heute das Kind zebra 42 . ,".split()
TARGETS = ["palace", "the old hut", "zzz", "I", "house", "www.a.org", "3 %", "Ω", "a . b", "it's"]
GLOSSARY = Glossary(
    (
        Entry("Haus", "cottage"),
        Entry("das Buch", "the volume"),
        Entry("das Buch", "the tome"),
        Entry("alt", "old", "", "forbidden"),
        Entry("zebra", "donkey"),
    )
)


def generated(rng: random.Random) -> str:
    """Words with given translations, walls and zones; some cannot be obeyed."""
    parts, zones = [], 0
    for _ in range(rng.randint(1, 10)):
        draw = rng.random()
        if draw < 0.55:
            parts.append(rng.choice(WORDS))
        elif draw < 0.85:
            covered = " ".join(rng.choices(WORDS, k=rng.randint(1, 3)))
            targets = rng.choices(TARGETS, k=rng.randint(1, 2))
            weights = [f"{rng.uniform(0.01, 1):.3f}" for _ in targets]
            prob = f' prob="{"||".join(weights)}"' if rng.random() < 0.5 else ""
            inner = "<wall/>" if rng.random() < 0.03 else ""
            parts.append(f'<n translation="{"||".join(targets)}"{prob}>{covered}{inner}</n>')
        elif draw < 0.91:
            parts.append("<wall/>")
        elif draw < 0.96 or not zones:
            parts.append("<zone>")
            zones += 1
        else:
            parts.append("</zone>")
            zones -= 1
    if rng.random() < 0.97:
        parts += ["</zone>"] * zones
    return " ".join(parts)


@pytest.fixture(scope="module", params=["phrase", "hiero"])
def model(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Model:
    folder: Path = tmp_path_factory.mktemp("model")
    return prepared_model(folder, request.param).with_given()


@pytest.fixture(scope="module")
def decoders(model: Model) -> list[Decoder]:
    narrow = SearchOptions.for_model(model, {"beam_size": 1, "pop_limit": 1})
    return [model.decoder(), model.decoder(narrow)]


def read(model: Model, seeds: range) -> Iterator[tuple[str, int]]:
    """Lines with constraints; those that are refused have a reason that names it."""
    terms = TermFinder(GLOSSARY, model.raw_text)
    for number in seeds:
        line = generated(random.Random(number))
        try:
            found = LineConstraints(xml_input="exclusive", terms=terms).prepared(
                model.raw_text, line, number
            )
        except FormatError as error:
            check_refusal(error, number)
            continue
        if found.strip():
            yield found, number


def check_refusal(error: FormatError, number: int) -> None:
    assert error.line == number + 1
    assert any(name in str(error) for name in ("zone", "wall", "<n>", "exclusive")), error
    assert error.expected


def check(decoder: Decoder, lines: list[str]) -> None:
    found = decoder.translate(lines)
    for i, line in enumerate(lines):
        segments: list[Any] = decoder.segments(found[i].steps)
        steps = list(zip(found[i].steps, segments, strict=True))
        for one in constraints_of(line):
            if one.mode == "exclusive":
                (given,) = [
                    seg for step, seg in steps if seg.source == one.span and step.rule <= GIVEN
                ]
                text = " ".join(found[i].words[slice(*given.target)])
                assert text in [target for target, _ in one.targets], (line, found[i].text)
            elif one.mode == "wall" and not any(z.mode == "zone" for z in constraints_of(line)):
                before = [j for _, seg in steps if seg.source[1] <= one.span[0] for j in seg.target]
                after = [j for _, seg in steps if seg.source[0] >= one.span[0] for j in seg.target]
                assert not before or not after or max(before) <= min(after), (line, found[i].text)


def check_lines(model: Model, decoders: list[Decoder], seeds: range) -> int:
    """How many lines were translated."""
    lines = [line for line, _ in read(model, seeds)]
    for decoder in decoders:
        check(decoder, lines)
    return len(lines)


def test_exclusive_constraints_are_obeyed(model: Model, decoders: list[Decoder]) -> None:
    done = check_lines(model, decoders, range(400))
    assert 200 < done < 400  # some are refused


@pytest.mark.long
def test_many_exclusive_constraints_are_obeyed(model: Model, decoders: list[Decoder]) -> None:
    """Two kinds of models: 100,000 lines, each with two beams."""
    parts = pairwise(range(0, 50_001, 1000))
    assert sum(check_lines(model, decoders, range(*part)) for part in parts) > 25_000
