"""Templates: which features fire, in which group, under which key and name."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from demotic import _core
from demotic.errors import FormatError, ModelError
from tests.features.drawn import Drawn, draw, draw_use
from tests.oracle.features import Use, names_of


def _ids(drawn: Drawn, words: Sequence[str]) -> list[int]:
    """As a search numbers them: unknown words after all known ones."""
    find, size = drawn.rules.vocabulary.find, len(drawn.rules.vocabulary)
    marks = {"<s>": _core.SENTENCE_BEGIN, "</s>": _core.SENTENCE_END}
    return [
        marks.get(word, find(word) if word in drawn.known else size + 1 + ord(word[0]))
        for word in words
    ]


def _keys(drawn: Drawn, use: Use, rule: int, past: int) -> tuple[list[int], list[int]]:
    """Local keys and joint ones."""
    words = np.array(_ids(drawn, use.words), np.int32)
    (after,) = _ids(drawn, [use.after])
    features, span = drawn.features, (use.begin, use.end)
    local = [
        *features.rule_keys(rule).tolist(),
        *features.span_keys(words, after, *span).tolist(),
        *features.mixed_keys(rule, words, after, *span).tolist(),
    ]
    first, last = _ids(drawn, use.past_words)
    joint = features.joint_keys(past, (first, last), rule).tolist()
    kept = features.relevant(past, (first, last))
    assert features.joint_keys(*kept, rule).tolist() == joint  # nothing that matters is lost
    return local, joint


@pytest.mark.parametrize("gaps", [False, True], ids=["phrase", "hiero"])
@pytest.mark.parametrize("seed", range(12))
def test_groups_give_what_templates_say(tmp_path: Path, seed: int, gaps: bool) -> None:
    rng = random.Random(f"{seed} {gaps}")
    drawn = draw(rng, tmp_path, gaps=gaps)
    key_of: dict[str, int] = {}
    for _ in range(60):
        use, rule, past = draw_use(rng, drawn)
        local, joint = _keys(drawn, use, rule, past)
        assert len(set(local + joint)) == len(local + joint)
        names = [drawn.features.name(key) for key in local + joint]
        expected = names_of(drawn.texts, use, drawn.classes, drawn.known)
        assert sorted(names) == sorted(expected)
        for key, name in zip(local + joint, names, strict=True):
            assert drawn.texts[drawn.features.template_of(key)] in _atoms(name)
            assert key_of.setdefault(name, key) == key  # one key a name, and as names one a key
        past_seen = {name for name in names if "past." in name}
        assert past_seen == {drawn.features.name(key) for key in joint}
    assert len(set(key_of.values())) == len(key_of)


@pytest.mark.parametrize("gaps", [False, True], ids=["phrase", "hiero"])
@pytest.mark.parametrize("seed", range(12))
def test_rules_of_a_source_side_share_keys_without_losing_any(
    tmp_path: Path, seed: int, gaps: bool
) -> None:
    rng = random.Random(f"shared {seed} {gaps}")
    drawn = draw(rng, tmp_path, gaps=gaps)
    sources = [rule.source for rule in drawn.rules]
    for _ in range(20):
        use, rule, _ = draw_use(rng, drawn)
        rules = [other for other, source in enumerate(sources) if source == sources[rule]]
        rng.shuffle(rules)
        words, (after,) = np.array(_ids(drawn, use.words), np.int32), _ids(drawn, [use.after])
        at = (words, after, use.begin, use.end)
        of_rules, mixed = drawn.features.shared_keys(rules, *at)
        for i, one in enumerate(rules):
            assert sorted(of_rules[i]) == sorted(drawn.features.rule_keys(one).tolist())
            assert sorted(mixed[i]) == sorted(drawn.features.mixed_keys(one, *at).tolist())
    assert drawn.features.shared_keys([], *at) == ([], [])


def _atoms(name: str) -> list[str]:
    """The template's text, which a name holds with values in between."""
    return [" ".join(part.partition("=")[0] for part in name.split() if "=" in part)]


def test_a_copied_word_has_features_of_its_span_only(tmp_path: Path) -> None:
    drawn = draw(random.Random(1), tmp_path, gaps=False)
    words = np.array([3, 4], np.int32)
    assert drawn.features.rule_keys(_core.NO_RULE).size == 0
    assert drawn.features.mixed_keys(_core.NO_RULE, words, 2, 0, 1).size == 0
    assert drawn.features.joint_keys(0, (3, 4), _core.NO_RULE).size == 0


@pytest.mark.parametrize("text", ["source.first:word", "source.length source.last:cluster"])
def test_edges_belong_to_rules_of_phrases_and_spans_of_grammars(tmp_path: Path, text: str) -> None:
    for gaps in (False, True):
        rules = draw(random.Random(3), tmp_path, gaps=gaps).rules
        names = ["source.cluster"]
        layer = _core.ClassLayer(names[0], np.zeros(len(rules.vocabulary), np.int32), ["-"])
        template = _core.FeatureTemplate(text)
        features = _core.TemplateFeatures([template], [layer], rules.store, rules.vocabulary, gaps)
        assert (features.rule_keys(0).size == 1) == (not gaps)


@pytest.mark.parametrize(
    ("text", "found", "expected"),
    [
        ("", "an empty template", "source.first:word"),
        ("source.frist:word", "'source.frist:word'", "source.first, source.last"),
        ("source.first:wrod", "'source.first:wrod'", "word, first_char"),
        ("source.first", "'source.first'", "word, first_char"),
        ("source.first:", "'source.first:'", "word, first_char"),
        ("target.last:last_char", "'target.last:last_char'", "word, cluster"),
        ("source.length:word", "'source.length:word'", "without a level"),
        ("rule:", "'rule:'", "without a level"),
        ("target.last:tag target.last:tag", "target.last:tag twice", "once"),
        (
            "source.first:word source.last:word target.first:type",
            "cost 11",
            "at most 10",
        ),
    ],
)
def test_what_is_no_template_is_refused(text: str, found: str, expected: str) -> None:
    with pytest.raises(FormatError) as caught:
        _core.FeatureTemplate(text)
    assert found in str(caught.value)
    assert expected in str(caught.value)


def test_costs_are_those_of_the_paper() -> None:
    cost = {
        "source.first:word target.first:word": 10,
        "source.first:first_char source.last:last_char target.last:cluster": 9,
        "source.first:prefix6 source.last:prefix4 target.last:tag": 6,
        "source.length source.after:type rule": 1,
        "past.first:word past.last:word rule": 10,
    }
    assert {text: _core.FeatureTemplate(text).cost for text in cost} == cost


def test_families() -> None:
    family = {
        "rule": "ruleid",
        "rule source.before:word": "wordedges",
        "target.first:word": "wordedges",
        "past.rule rule": "nonlocal",
        "past.last:tag rule": "nonlocal",
    }
    assert {text: _core.FeatureTemplate(text).family for text in family} == family


def test_models_that_do_not_fit_are_refused(tmp_path: Path) -> None:
    drawn = draw(random.Random(2), tmp_path, gaps=False)
    store, vocabulary = drawn.rules.store, drawn.rules.vocabulary

    def refused(*texts: str, layers: Sequence[_core.ClassLayer] = ()) -> str:
        templates = [_core.FeatureTemplate(text) for text in texts]
        with pytest.raises(ModelError) as caught:
            _core.TemplateFeatures(templates, list(layers), store, vocabulary, False)
        return str(caught.value)

    assert "called source.cluster" in refused("source.first:cluster")
    small = _core.ClassLayer("source.cluster", np.zeros(3, np.int32), ["-"])
    assert "over 3 words" in refused("source.first:cluster", layers=[small])
    assert "twice" in refused("rule source.before:word", "source.before:word rule")
    assert "combines the past with the source sentence" in refused("past.rule source.after:word")


def test_keys_of_more_than_64_bits_are_refused_by_name(tmp_path: Path) -> None:
    drawn = draw(random.Random(2), tmp_path, gaps=False)
    levels = ("tag", "type", "prefix4", "prefix6")
    size = len(drawn.rules.vocabulary)
    names = ["-", *map(str, range(1 << 16))]
    layers = [_core.ClassLayer(f"source.{one}", np.zeros(size, np.int32), names) for one in levels]
    text = " ".join(f"source.first:{one}" for one in levels)
    with pytest.raises(ModelError) as caught:
        _core.TemplateFeatures(
            [_core.FeatureTemplate(text)], layers, drawn.rules.store, drawn.rules.vocabulary, False
        )
    assert "source.first:prefix6 source.first:prefix4 source.first:tag" in str(caught.value)
    assert "69 bits" in str(caught.value)


def test_foreign_keys_have_no_name(tmp_path: Path) -> None:
    drawn = draw(random.Random(5), tmp_path, gaps=False)
    for key in (2**64 - 1, 31 << 59):
        with pytest.raises(ValueError, match="no template"):
            drawn.features.name(key)
    assert len(drawn.texts) == 25  # five bits for the number: 31 is none
