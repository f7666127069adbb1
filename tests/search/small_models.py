"""Small German-English models that translate their training data, for tests of what uses models."""

from __future__ import annotations

from itertools import product
from pathlib import Path

from demotic.align.options import aligners
from demotic.features.dense import Kind
from demotic.model import Model
from demotic.model.build import BuildOptions, build
from demotic.rules import RuleOptions
from demotic.text.pairs import Pair
from demotic.text.preparation import PrepareOptions
from demotic.text.prepare import prepare

_NOUNS = {"Haus": "house", "Buch": "book", "Kind": "child", "Mädchen": "girl"}
_ADJECTIVES = {"klein": "small", "groß": "big", "alt": "old"}
_VERBS = {"sehe": "see", "kenne": "know"}


def pairs() -> list[tuple[str, str]]:
    """Raw sentences and their translations."""
    found = [
        (f"Das {noun} ist {adjective}.", f"The {_NOUNS[noun]} is {_ADJECTIVES[adjective]}.")
        for noun, adjective in product(_NOUNS, _ADJECTIVES)
    ]
    found += [
        (f"Heute {verb} ich das {noun}.", f"I {_VERBS[verb]} the {_NOUNS[noun]} today.")
        for verb, noun in product(_VERBS, _NOUNS)
    ]
    found += [
        (f"Ich {verb} das {noun}.", f"I {_VERBS[verb]} the {_NOUNS[noun]}.")
        for verb, noun in product(_VERBS, _NOUNS)
    ]
    found += [
        (f"Heute ist das {noun} hier.", f"Today the {_NOUNS[noun]} is here.") for noun in _NOUNS
    ]
    return found * 2


def prepared_model(folder: Path, kind: Kind = "phrase") -> Model:
    """A model of raw text."""
    texts = [Pair(source, target, "here", i) for i, (source, target) in enumerate(pairs(), 1)]
    options = PrepareOptions(tokenizer="builtin", case="lower", keep_all=True)
    prepare(texts, options, "de", "en", folder / "text")
    return _built(folder / "text" / "corpus.de", folder / "text" / "corpus.en", folder / kind, kind)


def token_model(folder: Path) -> Model:
    """A model of tokens, without a preparation."""
    for side, name in enumerate(("t.de", "t.en")):
        lines = [pair[side].lower().replace(".", " .") for pair in pairs()]
        (folder / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return _built(folder / "t.de", folder / "t.en", folder / "tokens", "phrase")


def _built(source: Path, target: Path, home: Path, kind: Kind) -> Model:
    # Short phrases, so that reordering is needed.
    # One aligner: with two, everything is reachable without reordering.
    options = BuildOptions(
        source=source,
        target=target,
        kind=kind,
        align=aligners("hmm"),
        rules=RuleOptions(max_phrase=2),
    )
    return build(options, home).model
