"""Families of features: which fire, under which key and name, and the lists they look at."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from demotic import _core
from demotic.errors import Error, FormatError, ModelError
from demotic.features import FAMILIES, Templates, shipped
from demotic.features.families import with_lists
from demotic.rules import Rule, Rules
from tests.oracle.families import FamilyUse, families_of
from tests.search.tiny_hiero import tiny_hiero
from tests.search.tiny_parts import SOURCE, TARGET
from tests.search.tiny_phrase import tiny_phrase

LABELS = ("NP", "VP", "IP", "x-y")
LINES = (
    "family syntax-coarse labels=NP,IP",
    "family syntax-fine labels=NP,VP,x-y",
    "family distortion",
    "family shape",
    "family length",
    f"family word-translation source={SOURCE[0]},{SOURCE[1]} target={TARGET[0]},absent",
    f"family word-context pairs={SOURCE[0]}~{TARGET[0]},{SOURCE[1]}~{TARGET[1]},absent~absent",
    f"family insertion inserted={TARGET[0]},{TARGET[1]}",
    f"family deletion deleted={SOURCE[0]},{SOURCE[2]}",
    f"family target-bigrams target={','.join(TARGET)}",
)


def _features(rules: Rules, lines: tuple[str, ...], *, gaps: bool) -> _core.TemplateFeatures:
    templates = [_core.FeatureTemplate(line) for line in lines]
    return _core.TemplateFeatures(templates, [], rules.store, rules.vocabulary, gaps)


def _rules(rng: random.Random, folder: Path, *, gaps: bool) -> Rules:
    return (tiny_hiero if gaps else tiny_phrase)(rng, folder).rules


def _use(rng: random.Random, rule: Rule, *, gaps: bool) -> FamilyUse:
    before, after = ((*rng.choices((*SOURCE, "z"), k=rng.randint(0, 2)),) for _ in range(2))
    covered: tuple[str, ...] = ()
    sizes = []
    for symbol in rule.source:
        filled = rng.choices((*SOURCE, "z"), k=rng.choice((1, 2, 9, 10, 11)))
        if symbol.startswith("["):
            sizes.append(len(filled))
        covered += tuple(filled) if symbol.startswith("[") else (symbol,)
    words = before + covered + after
    tree = []
    for _ in range(rng.randint(0, 8)):
        begin = rng.randrange(len(words))
        tree.append((begin, rng.randint(begin + 1, len(words)), rng.choice(LABELS)))
    return FamilyUse(
        rule.source,
        rule.target,
        rule.links,
        words,
        len(before),
        len(before) + len(covered),
        after=rng.choice(("</s>", SOURCE[0], "z")),
        tree=tree,
        last="" if gaps else rng.choice(("<s>", "z", *TARGET)),
        gaps=tuple(zip(rule.reordered, sizes, strict=True)),
    )


def _ids(rules: Rules, words: tuple[str, ...]) -> list[int]:
    """Word ids as in a search: unknown words come after all known ones."""
    marks = {"<s>": _core.SENTENCE_BEGIN, "</s>": _core.SENTENCE_END}
    known = set(rules.vocabulary.words())
    return [
        marks.get(w, rules.vocabulary.find(w) if w in known else len(rules.vocabulary) + 7)
        for w in words
    ]


@pytest.mark.parametrize("gaps", [False, True], ids=["phrase", "hiero"])
@pytest.mark.parametrize("seed", range(12))
def test_keys_are_those_of_the_definition(tmp_path: Path, seed: int, gaps: bool) -> None:
    rng = random.Random(f"{seed} {gaps}")
    rules = _rules(rng, tmp_path, gaps=gaps)
    features = _features(rules, LINES, gaps=gaps)
    assert features.has_constituents
    assert features.joint == (not gaps)
    all_rules, key_of = list(rules), dict[str, int]()
    known = set(rules.vocabulary.words())
    for _ in range(60):
        number = rng.randrange(len(all_rules))
        use = _use(rng, all_rules[number], gaps=gaps)
        # A listed word that no rule has is unknown, like all others.
        use = replace(use, words=tuple(w if w in known else "z" for w in use.words))
        words, (after,) = np.array(_ids(rules, use.words), np.int32), _ids(rules, (use.after,))
        at = (words, after, use.begin, use.end)
        keys = [
            *features.rule_keys(number).tolist(),
            *features.span_keys(*at, [], use.tree).tolist(),
            *features.mixed_keys(number, *at).tolist(),
        ]
        assert len(set(keys)) == len(keys)
        for reordered, size in use.gaps:
            keys += features.gap_keys(reordered, min(size, 10)).tolist()
        if use.last:
            past = (_core.NO_RULE, (_core.SENTENCE_BEGIN, *_ids(rules, (use.last,))))
            assert features.relevant(*past)[1][1] == past[1][1]
            keys += features.joint_keys(*past, number).tolist()
        expected = Counter(
            (line, name) for line in range(len(LINES)) for name in families_of(LINES[line], use)
        )
        found = Counter((features.template_of(key), features.name(key)) for key in keys)
        assert found == expected
        for key in keys:
            name = f"{features.template_of(key)} {features.name(key)}"
            assert key_of.setdefault(name, key) == key
        same = [i for i, rule in enumerate(all_rules) if rule.source == use.source]
        of_rules, mixed = features.shared_keys(same, *at)
        for i, one in enumerate(same):
            assert sorted(of_rules[i]) == sorted(features.rule_keys(one).tolist())
            assert sorted(mixed[i]) == sorted(features.mixed_keys(one, *at).tolist())


def test_a_span_never_matches_and_crosses_one_constituent(tmp_path: Path) -> None:
    rules = _rules(random.Random(1), tmp_path, gaps=False)
    features = _features(rules, ("family syntax-fine labels=NP",), gaps=False)
    words = np.full(6, 3, np.int32)
    spans = [(i, j) for i in range(6) for j in range(i + 1, 7)]
    for begin, end in spans:
        for first, last in spans:
            keys = features.span_keys(words, 2, begin, end, [], [(first, last, "NP")]).tolist()
            names = [features.name(key) for key in keys]
            match = (begin, end) == (first, last)
            cross = begin < first < end < last or first < begin < last < end
            assert names == ["syntax.NP=match"] * match + ["syntax.NP=cross"] * cross


def test_labels_of_unary_chains_all_fire_and_each_once(tmp_path: Path) -> None:
    rules = _rules(random.Random(1), tmp_path, gaps=False)
    features = _features(rules, ("family syntax-fine labels=NP,VP", LINES[0]), gaps=False)
    tree = [(0, 2, "VP"), (0, 2, "NP"), (0, 2, "NP"), (1, 3, "NP"), (1, 4, "NP")]
    keys = features.span_keys(np.full(4, 3, np.int32), 2, 0, 2, [], tree).tolist()
    assert [features.name(key) for key in keys] == [
        *("syntax.NP=match", "syntax.NP=cross", "syntax.VP=match"),
        *("syntax.any=match", "syntax.any=cross"),
    ]


@pytest.mark.parametrize("gaps", [False, True], ids=["phrase", "hiero"])
@pytest.mark.parametrize("seed", range(4))
def test_lists_are_the_most_frequent_words_of_the_rules(
    tmp_path: Path, seed: int, gaps: bool
) -> None:
    rules = _rules(random.Random(seed), tmp_path, gaps=gaps)
    counts: dict[str, Counter[tuple[str, ...]]] = {
        role: Counter() for role in ("pairs", "source", "target", "inserted", "deleted")
    }
    for rule in rules:
        links = [(i, j) for i, j in rule.links if not rule.source[i].startswith("[")]
        for i, j in links:
            counts["pairs"][rule.source[i], rule.target[j]] += rule.count
        for side, all_, loose in ((0, "source", "deleted"), (1, "target", "inserted")):
            for place, word in enumerate((rule.source, rule.target)[side]):
                if word.startswith("["):
                    continue
                counts[all_][(word,)] += rule.count
                if links and place not in {link[side] for link in links}:
                    counts[loose][(word,)] += rule.count
    word = rules.vocabulary.word
    for role, expected in counts.items():
        for limit in (1, 3, 100):
            found = _core.frequent_words(rules.store, role, limit)
            named = [tuple(word(one) for one in pair if one >= 0) for pair in found]
            assert len(set(named)) == len(named) == min(limit, len(expected))
            best = sorted(expected.values(), reverse=True)[:limit]
            assert [expected[one] for one in named] == pytest.approx(best)
    with pytest.raises(ValueError, match="no such role"):
        _core.frequent_words(rules.store, "verbs", 1)


def test_lists_are_chosen_once_and_kept(tmp_path: Path) -> None:
    rules = _rules(random.Random(3), tmp_path, gaps=True)
    (tmp_path / "own.templates").write_text(
        "rule\nfamily insertion top=2\nfamily syntax-fine min-count=2\nfamily shape\n"
    )
    given = Templates.read(tmp_path / "own.templates")
    trees = ["0-1-NP 0-1-FRAG 0-2-VP", "", "0-1-NP 3-4-FRAG 0-9-a-b 1-2-a-b"]
    found = with_lists(given, rules, trees)
    assert [one.family for one in found.native] == ["ruleid", "insertion", "syntax-fine", "shape"]
    assert found.texts[2] == "family syntax-fine labels=NP,a-b"
    assert found.texts[1].startswith("family insertion inserted=")
    assert with_lists(found, rules, []) is found
    found.write(tmp_path / "kept.templates")
    assert Templates.read(tmp_path / "kept.templates") == found
    with pytest.raises(Error, match=r"no label is frequent enough .*most frequent: none"):
        with_lists(given, rules, [])
    with pytest.raises(ModelError, match="without its list of labels"):
        _core.TemplateFeatures(list(given.native), [], rules.store, rules.vocabulary, True)


def test_items_of_lists_may_be_any_words() -> None:
    odd = ["a,b", "100%", "#1", "x=y", "~", "的 of", "é", "[gap]", "<unk>"]
    family = _core.FeatureTemplate("family word-context").with_list("pairs", odd)
    assert "#" not in family.text
    assert len(family.text.split(" ")) == 3
    again = _core.FeatureTemplate(family.text)
    assert again.text == family.text
    assert again.missing == []


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("family nonsense", "one of the families deletion, distortion"),
        ("family shape top=3", "expected no settings"),
        ("family insertion top=none", "a number of at least 1"),
        ("family insertion words=3", "one of the settings inserted, top"),
        ("family insertion often", "settings such as name=value"),
        ("family insertion inserted=5%", "write a percent sign as %25"),
        ("family insertion inserted=", "'inserted=' without a value after family insertion"),
        ("family insertion inserted=a inserted=b", "a second 'inserted=b' after family insertion"),
        ("family python", "family python without function; expected function="),
        ("family python function=", "'function=' without a value after family python"),
        ("family python function=a.py:f code=", "'code=' without a value after family python"),
        ("family python function=a.py:f function=b.py:g", "a second 'function=b.py:g'"),
        ("family python function=a.py:f,b.py:g", "several of function: 'a.py:f', 'b.py:g'"),
    ],
)
def test_wrong_lines_are_refused(tmp_path: Path, line: str, message: str) -> None:
    (tmp_path / "own.templates").write_text(f"rule\n{line}\n")
    with pytest.raises(FormatError, match=message) as error:
        Templates.read(tmp_path / "own.templates")
    assert error.value.line == 2


def test_shipped_files_have_families() -> None:
    found = {name: Templates.find(name) for name in shipped()}
    assert {name for name in found if found[name].trees} == {"syntax-coarse", "syntax-fine"}
    families = {one.family for one in found["e13-sparse"].native}
    assert families == {*("ruleid", "shape", "distortion", "word-context", "insertion", "deletion")}
    assert {one.family for name in found for one in found[name].native} == {*FAMILIES} - {"python"}
