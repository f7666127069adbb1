"""The lexicon: complete, free of duplicates, and without classes that nothing selects."""

from __future__ import annotations

from collections import Counter

from bundled_corpus import events, links, questions, relatives, reports, sequences
from bundled_corpus.lexicon import load
from bundled_corpus.predicates import template
from bundled_corpus.trees import Leaf, grow, node
from bundled_corpus.where import NAMED

LEXICON = load()
SPECIAL_PLACES = (*NAMED, "company", "home")


def test_size() -> None:
    assert len(LEXICON.entries()) >= 400


def test_no_duplicates() -> None:
    frames = Counter(frame.id for frame in LEXICON.frames)
    nouns = Counter((noun.source, noun.target) for noun in LEXICON.nouns)
    tables = (LEXICON.names, LEXICON.places, LEXICON.adjectives, LEXICON.times)
    others = Counter((i, entry.source) for i, table in enumerate(tables) for entry in table)
    counts = [*frames.items(), *nouns.items(), *others.items()]
    assert [key for key, count in counts if count > 1] == []


def test_slots_can_be_filled() -> None:
    noun_classes = {c for noun in LEXICON.nouns for c in noun.classes} | {"person"}
    place_classes = {c for place in LEXICON.places for c in place.classes} | {*SPECIAL_PLACES}
    for entry in (*LEXICON.frames, *LEXICON.disposals):
        for slot, classes in entry.slots.items():
            known = place_classes if slot == "PLACE" else noun_classes
            assert set(classes) <= known, entry.source
    for frame in LEXICON.frames:
        assert set(frame.places) <= place_classes, frame.id


def test_every_noun_is_used() -> None:
    """Each noun has a class that some verb, adjective or grammar rule selects."""
    wanted = {
        c
        for entry in (*LEXICON.frames, *LEXICON.disposals)
        for classes in entry.slots.values()
        for c in classes
    }
    wanted |= {c for disposal in LEXICON.disposals for c in disposal.agents}
    wanted |= {"kin", "wife", "husband", "role", "problem3", "customer"}
    assert [noun.source for noun in LEXICON.nouns if not wanted & set(noun.classes)] == []


def test_patterns_point_at_leaves() -> None:
    for entry in (*LEXICON.frames, *LEXICON.disposals):
        filled = {slot: node("NP") for slot in ("OBJ", "TO", "PLACE", "ON", "IN", "ROOM", "SENIOR")}
        has_object = "OBJ" in entry.slots
        tree = grow(template(entry.source, has_object), {**filled, "ASP": None})
        count = sum(1 for _ in tree.leaves())
        digits = [int(d) for t in entry.target for w in t.split() for d in w.partition("^")[2]]
        assert max(digits, default=0) <= count, entry.source


def test_themes_name_frames_and_adjectives() -> None:
    frames = {frame.id for frame in LEXICON.frames}
    adjectives = {adjective.source for adjective in LEXICON.adjectives}
    for row in LEXICON.situations:
        kind, _, word = row.event.partition(":")
        assert (word in adjectives) if kind == "is" else (row.event in frames), row


def test_trades_name_nouns_and_frames() -> None:
    nouns = {noun.source for noun in LEXICON.nouns if "trade" in noun.classes}
    frames = {frame.id for frame in LEXICON.frames}
    for trade, names in LEXICON.trades.items():
        assert trade in nouns
        assert set(names) <= frames, trade


def test_frames_named_in_rules() -> None:
    """Lists of frames in the code name only frames that exist."""
    lists = (
        events.DUTIES, events.FAVOURS, links.SCHOOL, links.TIED, links.WORK, questions.SKILLS,
        questions.EXPECTED, relatives.LIKED, relatives.SEEN, reports.CHORES, reports.TASKS,
        reports.LESSONS, reports.FAVOURS, reports.FORBIDDEN, sequences.PASTIMES, *sequences.PAIRS,
        *sequences.ROOMS.values(),
    )  # fmt: skip
    frames = {frame.id for frame in LEXICON.frames}
    assert {name for names in lists for name in names} <= frames


def test_no_class_is_held_out_whole() -> None:
    """Otherwise the training data would have to use a held-out entry."""
    for table in (LEXICON.nouns, LEXICON.places, LEXICON.names, LEXICON.frames):
        open_ = {c for entry in table if not entry.held for c in entry.classes}
        assert {c for entry in table for c in entry.classes} - {"held"} <= open_


def test_ambiguity_and_synonyms() -> None:
    senses = Counter(frame.source for frame in LEXICON.frames)
    assert senses["看"] >= 3
    assert senses["打开"] >= 2
    assert sum(len(entry.target) > 1 for entry in LEXICON.entries()) > 150


def test_grow_reads_brackets() -> None:
    tree = grow(
        "(VP (VV 看) ASP OBJ)", {"ASP": Leaf("AS", "了"), "OBJ": node("NP", Leaf("NN", "书"))}
    )
    assert tree.bracketed() == "(VP (VV 看) (AS 了) (NP (NN 书)))"
