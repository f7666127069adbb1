"""Tags, terms, links and confidence of words that are translated in parts."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from demotic.align.options import aligners
from demotic.constraints import translate_marked_up
from demotic.constraints.glossary import Entry, Glossary
from demotic.constraints.lines import LineConstraints
from demotic.constraints.terms import TermFinder
from demotic.constraints.tokens import source_tokens
from demotic.model import Model
from demotic.model.build import BuildOptions, build
from demotic.rules import RuleOptions
from demotic.search.output import LineWriter
from demotic.search.stream import TranslatedLine
from demotic.serve.places import source_places, target_places
from demotic.text.compound_words import JOIN
from demotic.text.pairs import Pair
from demotic.text.preparation import PrepareOptions
from demotic.text.prepare import prepare

_NOUNS = {"Schule": "school", "Hund": "dog", "Garten": "garden", "Wasser": "water"}
_HEADS = {"Buch": "book", "Leine": "lead", "Mauer": "wall", "Flasche": "bottle"}
_MODIFIERS = {"Schul": "school", "Hunde": "dog", "Garten": "garden", "Wasser": "water"}


def _pairs() -> list[tuple[str, str]]:
    words = _NOUNS | _HEADS
    found = [(f"Hier ist {word}.", f"Here is {words[word]}.") for word in words] * 6
    found += 4 * [
        (f"Hier ist {one}{head.lower()}.", f"Here is {_MODIFIERS[one]} {_HEADS[head]}.")
        for one, head in product(_MODIFIERS, _HEADS)
        if (one, head) != ("Wasser", "Flasche")
    ]
    return found


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str, str], Model]:
    models: dict[str, Model] = {}

    def make(source: str, target: str) -> Model:
        if source not in models:
            folder: Path = tmp_path_factory.mktemp(source)
            sides = _pairs() if source == "de" else [(en, de) for de, en in _pairs()]
            pairs = [Pair(*one, "here", i) for i, one in enumerate(sides, 1)]
            options = PrepareOptions(tokenizer="builtin", compounds="on")
            prepare(pairs, options, source, target, folder / "text")
            files = [folder / "text" / f"corpus.{code}" for code in (source, target)]
            models[source] = build(
                BuildOptions(
                    source=files[0],
                    target=files[1],
                    align=aligners("hmm"),
                    rules=RuleOptions(max_phrase=2),
                ),
                folder / "model",
            ).model
        return models[source]

    return make


Made = Callable[[str, str], Model]


def test_a_compound_that_was_never_seen(made: Made) -> None:
    assert made("de", "en").translate(["Hier ist Wasserflasche."]) == ["Here is water bottle."]
    assert made("en", "de").translate(["Here is water bottle."]) == ["Hier ist Wasserflasche."]


def test_the_model_has_parts(made: Made) -> None:
    best = made("en", "de").decoder().translate(["Here is water bottle ."])[0]
    assert best.words == ("Hier", "ist", f"wasser{JOIN}", "Flasche", ".")


def test_tags_surround_whole_words(made: Made) -> None:
    assert translate_marked_up(made("de", "en"), "Hier ist <b>Wasserflasche</b>.", "html") == (
        "Here is <b>water bottle</b>."
    )
    text = "Here is <b>water</b> bottle."
    found = translate_marked_up(made("en", "de"), text, "html")
    assert found == "Hier ist <b>Wasserflasche</b>."
    text = "Here is <b>water</b> <i>bottle</i>."
    found = translate_marked_up(made("en", "de"), text, "html")
    assert re.sub("</?[bi]>", "", found) == "Hier ist Wasserflasche."
    assert sorted(re.findall("<[^>]*>", found)) == ["</b>", "</i>", "<b>", "<i>"]
    assert re.search("r<.*>f", found) is None  # not inside of the word


def test_pieces_begin_at_words(made: Made) -> None:
    raw = made("de", "en").raw_text
    tokens = source_tokens(raw, ["Hier ist Wasserflasche, ", "Hundeleine", " und Buch."])
    words = tokens.line.split(" ")
    assert [words[begin] for begin in tokens.starts[:-1]] == ["Hier", "Hund", "und"]
    assert tokens.starts[-1] == len(words)


def test_terms_are_compounds_or_parts(made: Made) -> None:
    glossary = Glossary((Entry("Wasserflasche", "flask"), Entry("Leine", "leash")))
    model = made("de", "en")
    lines = LineConstraints(terms=TermFinder(glossary, model.raw_text))
    texts = ["Hier ist Wasserflasche.", "Hier ist Hundeleine.", "Hier ist Wasser."]
    prepared = [lines.prepared(model.raw_text, text) for text in texts]
    found = model.decoder().translate(prepared)
    assert [model.raw_text.restored(found[i].text) for i in range(3)] == [
        "Here is flask.",
        "Here is dog leash.",
        "Here is water.",
    ]
    glossary = Glossary((Entry("water bottle", "Gartenflasche"),))
    found = translate_marked_up(made("en", "de"), "Here is water bottle.", glossary=glossary)
    assert found == "Hier ist Gartenflasche."


def test_confidence_of_a_word_in_parts(made: Made) -> None:
    model = made("en", "de")
    (record,) = model.decoder().search(["Here is water bottle ."])
    best = record.best
    values = np.linspace(0.1, 0.9, len(best.words))
    line = TranslatedLine(0, "Here is water bottle .", (best,), False, model.decoder(), record)
    writer = LineWriter(model.raw_text, lambda *_: values)
    shown = writer.columns(line, scores=False, alignment=False).split("\t")[0].split(" ")
    assert JOIN not in " ".join(shown)
    at = best.words.index(f"wasser{JOIN}")
    assert f"Wasserflasche/{values[at]:.2f}" in shown


def test_places_of_words_in_parts(made: Made) -> None:
    side = made("de", "en").raw_text.source_side
    text = "Hier ist Schulbuch, Buch."
    tokens = made("de", "en").raw_text.prepared(text).split(" ")
    assert tokens[2:4] == ["Schule", "Buch"]
    places = source_places(text, tokens, side)
    assert places[2:4] == [(9, 18)] * 2
    assert places[5] == (20, 24)
    side = made("en", "de").raw_text.target_side
    tokens = ["eine", f"wasser{JOIN}", "Flasche", "."]
    places = target_places("Eine Wasserflasche.", tokens, side)
    assert places == [(0, 4), (5, 18), (5, 18), (18, 19)]
