"""Templates: which features fire, in which group, under which key and name."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from demotic import _core
from demotic.errors import FormatError, ModelError
from tests.features.random_features import RandomFeatures, random_features, random_use
from tests.oracle.features import Use, names_of


def _ids(made: RandomFeatures, words: Sequence[str]) -> list[int]:
    """Word ids as in a search: unknown words come after all known ones."""
    find, size = made.rules.vocabulary.find, len(made.rules.vocabulary)
    marks = {"<s>": _core.SENTENCE_BEGIN, "</s>": _core.SENTENCE_END}
    return [
        marks.get(word, find(word) if word in made.known else size + 1 + ord(word[0]))
        for word in words
    ]


def _keys(made: RandomFeatures, use: Use, rule: int, past: int) -> tuple[list[int], list[int]]:
    """Local keys and joint ones."""
    words = np.array(_ids(made, use.words), np.int32)
    (after,) = _ids(made, [use.after])
    features, span = made.features, (use.begin, use.end, _tags(made, use))
    local = [
        *features.rule_keys(rule).tolist(),
        *features.span_keys(words, after, *span).tolist(),
        *features.mixed_keys(rule, words, after, *span).tolist(),
    ]
    first, last = _ids(made, use.past_words)
    joint = features.joint_keys(past, (first, last), rule).tolist()
    kept = features.relevant(past, (first, last))
    assert features.joint_keys(*kept, rule).tolist() == joint  # the reduced state suffices
    return local, joint


def _tags(made: RandomFeatures, use: Use) -> list[int]:
    return [made.features.token_tag(tag) for tag in use.tags]


@pytest.mark.parametrize("token_tags", [False, True], ids=["", "tags of tokens"])
@pytest.mark.parametrize("gaps", [False, True], ids=["phrase", "hiero"])
@pytest.mark.parametrize("seed", range(12))
def test_keys_are_those_of_the_templates(
    tmp_path: Path, seed: int, gaps: bool, token_tags: bool
) -> None:
    rng = random.Random(f"{seed} {gaps}")
    made = random_features(rng, tmp_path, gaps=gaps, token_tags=token_tags)
    assert made.features.has_token_tags == token_tags
    key_of: dict[str, int] = {}
    for _ in range(60):
        use, rule, past = random_use(rng, made)
        local, joint = _keys(made, use, rule, past)
        assert len(set(local + joint)) == len(local + joint)
        names = [made.features.name(key) for key in local + joint]
        expected = names_of(made.texts, use, made.classes, made.known)
        assert sorted(names) == sorted(expected)
        for key, name in zip(local + joint, names, strict=True):
            assert made.texts[made.features.template_of(key)] in _atoms(name)
            assert key_of.setdefault(name, key) == key  # one key per name; below, one name per key
        past_seen = {name for name in names if "past." in name}
        assert past_seen == {made.features.name(key) for key in joint}
    assert len(set(key_of.values())) == len(key_of)


@pytest.mark.parametrize("token_tags", [False, True], ids=["", "tags of tokens"])
@pytest.mark.parametrize("gaps", [False, True], ids=["phrase", "hiero"])
@pytest.mark.parametrize("seed", range(12))
def test_rules_of_a_source_side_share_keys_without_losing_any(
    tmp_path: Path, seed: int, gaps: bool, token_tags: bool
) -> None:
    rng = random.Random(f"shared {seed} {gaps}")
    made = random_features(rng, tmp_path, gaps=gaps, token_tags=token_tags)
    sources = [rule.source for rule in made.rules]
    for _ in range(20):
        use, rule, _ = random_use(rng, made)
        rules = [other for other, source in enumerate(sources) if source == sources[rule]]
        rng.shuffle(rules)
        words, (after,) = np.array(_ids(made, use.words), np.int32), _ids(made, [use.after])
        at = (words, after, use.begin, use.end, _tags(made, use))
        of_rules, mixed = made.features.shared_keys(rules, *at)
        for i, one in enumerate(rules):
            assert sorted(of_rules[i]) == sorted(made.features.rule_keys(one).tolist())
            assert sorted(mixed[i]) == sorted(made.features.mixed_keys(one, *at).tolist())
    assert made.features.shared_keys([], *at) == ([], [])


def _atoms(name: str) -> list[str]:
    """The template's text, which a name holds with values in between."""
    return [" ".join(part.partition("=")[0] for part in name.split() if "=" in part)]


def test_a_copied_word_has_features_of_its_span_only(tmp_path: Path) -> None:
    made = random_features(random.Random(1), tmp_path, gaps=False)
    words = np.array([3, 4], np.int32)
    assert made.features.rule_keys(_core.NO_RULE).size == 0
    assert made.features.mixed_keys(_core.NO_RULE, words, 2, 0, 1).size == 0
    assert made.features.joint_keys(0, (3, 4), _core.NO_RULE).size == 0


def _edge_tags(folder: Path, layer: str, text: str) -> _core.TemplateFeatures:
    rules = random_features(random.Random(3), folder, gaps=False).rules
    numbers = np.array([0, 0, 0, *([1] * (len(rules.vocabulary) - 3))], np.int32)
    layers = [_core.ClassLayer(layer, numbers, ["-", "N", "V"])]
    template = _core.FeatureTemplate(text)
    return _core.TemplateFeatures([template], layers, rules.store, rules.vocabulary, False)


def test_tags_of_tokens_depend_on_the_sentence(tmp_path: Path) -> None:
    """The same features fire as with tags of words, with the same keys if the tags agree."""
    text = "source.first:tag source.last:tag"
    of_words = _edge_tags(tmp_path, "source.tag", text)
    of_tokens = _edge_tags(tmp_path, "source.token_tag", text)
    assert of_words.layout == of_tokens.layout
    assert of_tokens.rule_keys(0).size == 0
    words = np.array([3, 3], np.int32)
    same, other = (of_tokens.mixed_keys(0, words, 2, 0, 1, [tag, 1]).tolist() for tag in (1, 2))
    assert (
        same == of_words.rule_keys(0).tolist() == of_tokens.mixed_keys(0, words, 2, 0, 1).tolist()
    )
    assert of_tokens.name(other[0]) == "source.first:tag=V source.last:tag=V"
    assert of_tokens.span_keys(words, 2, 0, 1, [2, 2]).size == 0  # none for copied words


def test_tags_of_tokens_cannot_be_combined_with_the_past(tmp_path: Path) -> None:
    text = "source.first:tag past.last:word"
    assert _edge_tags(tmp_path, "source.tag", text).joint
    with pytest.raises(ModelError, match=r"combines the past .* \(give a list of tags of words"):
        _edge_tags(tmp_path, "source.token_tag", text)


@pytest.mark.parametrize("text", ["source.first:word", "source.length source.last:cluster"])
def test_first_and_last_words_are_of_phrases_or_of_spans(tmp_path: Path, text: str) -> None:
    for gaps in (False, True):
        rules = random_features(random.Random(3), tmp_path, gaps=gaps).rules
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
def test_invalid_templates_are_refused(text: str, found: str, expected: str) -> None:
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
    made = random_features(random.Random(2), tmp_path, gaps=False)
    store, vocabulary = made.rules.store, made.rules.vocabulary

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
    made = random_features(random.Random(2), tmp_path, gaps=False)
    levels = ("tag", "type", "prefix4", "prefix6")
    size = len(made.rules.vocabulary)
    names = ["-", *map(str, range(1 << 16))]
    layers = [_core.ClassLayer(f"source.{one}", np.zeros(size, np.int32), names) for one in levels]
    text = " ".join(f"source.first:{one}" for one in levels)
    with pytest.raises(ModelError) as caught:
        _core.TemplateFeatures(
            [_core.FeatureTemplate(text)], layers, made.rules.store, made.rules.vocabulary, False
        )
    assert "source.first:prefix6 source.first:prefix4 source.first:tag" in str(caught.value)
    assert "69 bits" in str(caught.value)


def test_foreign_keys_have_no_name(tmp_path: Path) -> None:
    made = random_features(random.Random(5), tmp_path, gaps=False)
    for key in (2**64 - 1, 31 << 59):
        with pytest.raises(ValueError, match="no template"):
            made.features.name(key)
    assert len(made.texts) == 25  # five bits for the template number, and 31 is not one
