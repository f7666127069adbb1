"""Joining by character offsets: clitics, repeated words, escapes, case; sets of characters."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from demotic.errors import FormatError
from demotic.text.case import lowered
from demotic.text.escape import escape
from demotic.text.trees.fold import fold, folded
from tests.oracle.trees import main_tag, moved_boundaries, projected
from tests.text.trees.brackets import (
    Node,
    bracketed,
    constituents_of,
    leaves_of,
    nodes,
    read,
    spans,
)


def test_a_clitic_makes_pp_and_np_coextensive(tmp_path: Path) -> None:
    """Arabic `b+ Albyt` (in the house) is one token of the translation model."""
    trees = read(tmp_path, "(VP (VB sAr) (PP (IN b) (NP (NN Albyt))))", ["sAr bAlbyt"])
    assert spans(trees) == [(0, 2, "VP"), (1, 2, "PP"), (1, 2, "NP")]
    assert trees.counts.widened == 1
    assert list(trees.tag_lines()) == ["VB NN"]


def test_siblings_that_share_a_token_both_have_it(tmp_path: Path) -> None:
    text = "(S (NP (DT the) (NN man)) (VP (VBZ 's) (VP (VBG running))))"
    trees = read(tmp_path, text, ["the man's running"])
    assert spans(trees) == [(0, 3, "S"), (0, 2, "NP"), (1, 3, "VP"), (2, 3, "VP")]
    assert trees.counts.widened == 2
    assert list(trees.tag_lines()) == ["DT NN VBG"]


def test_tokens_smaller_than_leaves(tmp_path: Path) -> None:
    trees = read(tmp_path, "(S (NP (NN don't)) (VP (VB 打电话)))", ["don 't 打 电话"])
    assert spans(trees) == [(0, 4, "S"), (0, 2, "NP"), (2, 4, "VP")]
    assert trees.counts.widened == 0
    assert list(trees.tag_lines()) == ["NN NN VB VB"]


def test_repeated_words(tmp_path: Path) -> None:
    text = "(S (NP (NN had)) (VP (VB hadhad) (NP (NN had) (NN had))) (NP (NN had)))"
    trees = read(tmp_path, text, ["had had had hadhad had"])
    assert spans(trees) == [(0, 5, "S"), (0, 1, "NP"), (1, 4, "VP"), (3, 4, "NP"), (4, 5, "NP")]
    assert trees.counts.widened == 0


def test_tags_of_tokens_with_several_leaves(tmp_path: Path) -> None:
    """The most characters decide, then the order."""
    trees = read(tmp_path, "(S (A ab) (B c) (C d) (D e))", ["abc de"])
    assert list(trees.tag_lines()) == ["A C"]


@pytest.mark.parametrize(
    ("leaves", "tokens"),
    [
        (
            "John 's | < [ ] & > \" dog",
            "john &apos;s &#124; &lt; &#91; &#93; &amp; &gt; &quot; dog",
        ),
        ("John &apos;s -LRB- dog", "john &apos;s ( dog"),  # parsed with the escapes
        ("& apos ; s", "&apos;s"),
        ("&lt;", "&amp;lt;"),
        ("`` No '' -LRB- ... -RRB- -lcb-", '"No" (…) {'),
        ("“ No ”", "&quot; no &quot;"),
        ("it ’s", "it 's"),
        ("-LRB- a -RRB-", "-LRB- a -RRB-"),
        ("STRASSE", "straße"),
        ("Straße", "STRAS SE"),
        ("İstanbul", "istanbul"),
        ("İstanbul", "i̇stanbul"),
        ("ISPARTA", "ısparta"),
        ("ΟΔΟΣ", "οδος"),
        ("ﬁne", "FINE"),
        ("a\u200bb c", "ab\u200b \u3000 c"),
        ("10\u00a0000", "10 000"),
    ],
)
def test_texts_that_are_the_same(tmp_path: Path, leaves: str, tokens: str) -> None:
    text = f"(S {' '.join(f'(X {leaf})' for leaf in leaves.split(' '))})"
    assert spans(read(tmp_path, text, [tokens])) == [(0, len(tokens.split(" ")), "S")]


def test_a_boundary_within_a_letter_that_becomes_two(tmp_path: Path) -> None:
    trees = read(tmp_path, "(S (NP (NN STRAS)) (VP (VB SE)))", ["Stra ß e"])
    assert spans(trees) == [(0, 3, "S"), (0, 2, "NP"), (1, 3, "VP")]
    assert trees.counts.widened == 2


def test_invisible_tokens_belong_to_what_surrounds_them(tmp_path: Path) -> None:
    trees = read(tmp_path, "(S (NP (NN ab)) (VP (VB c)))", ["\u200b a \u200b b \u200b c"])
    assert spans(trees) == [(1, 6, "S"), (1, 4, "NP"), (5, 6, "VP")]
    assert list(trees.tag_lines()) == ["X NN X NN X VB"]
    assert trees.counts.widened == 0


def test_invisible_constituents_are_dropped(tmp_path: Path) -> None:
    trees = read(tmp_path, "(S (NP (NN \u200b)) (VP (VB ab)))", ["a b"])
    assert spans(trees) == [(0, 2, "S"), (0, 2, "VP")]


@pytest.mark.parametrize(
    ("tokens", "message"),
    [
        (
            "the old man slept",
            "tree 2 differs from the text at character 13, not counting spaces: 'The old man "
            "sleeps'; expected 'the old man slept' as in sentence 2",
        ),
        (
            "the old man sleeps until noon comes again",
            "tree 2 differs from the text at character 16, not counting spaces: '... old man "
            "sleeps'; expected '... old man sleeps until noon comes again' as in sentence 2",
        ),
        (
            "",
            "tree 2 differs from the text at character 1, not counting spaces: 'The old man "
            "sleeps'; expected '' as in sentence 2",
        ),
    ],
)
def test_other_texts_are_refused(tmp_path: Path, tokens: str, message: str) -> None:
    text = "()\n(S (DT The) (JJ old) (NN man) (VB sleeps))\n"
    with pytest.raises(FormatError) as caught:
        read(tmp_path, text, ["a", tokens])
    where = f"{tmp_path / 'some.trees'} line 2: "
    assert str(caught.value) == f"{where}{message} (parse the same text, raw or prepared)"


def cut(text: str, places: list[int]) -> list[str]:
    """Tokens of a text that end at some of these places."""
    ends = sorted({0, len(text), *(place % (len(text) + 1) for place in places)})
    return [text[begin:end] for begin, end in pairwise(ends)]


@given(nodes, st.lists(st.integers(0, 99), max_size=9))
def test_any_tokenisation(
    tmp_path_factory: pytest.TempPathFactory, tree: Node, places: list[int]
) -> None:
    parts = list(leaves_of(tree))
    words = [leaf.word for leaf in parts]
    tokens = cut("".join(words), places)
    trees = read(tmp_path_factory.mktemp("join"), bracketed(tree), [" ".join(tokens)])
    # Positions count characters whose case folding is longer than one as several.
    leaves, pieces = [fold(word) for word in words], [fold(token) for token in tokens]
    known = list(constituents_of(tree))
    assert spans(trees) == [
        (*projected((begin, end), leaves, pieces), label) for begin, end, label in known
    ]
    assert trees.counts.widened == sum(moved_boundaries(one[:2], leaves, pieces) for one in known)
    tags = [leaf.tag for leaf in parts]
    expected = [main_tag(i, tags, leaves, pieces) for i in range(len(tokens))]
    assert list(trees.tag_lines()) == [" ".join(expected)]
    assert all(0 <= begin < end <= len(tokens) for begin, end, _ in spans(trees))


@given(nodes, st.lists(st.integers(0, 99), max_size=9), st.sampled_from(["en", "tr"]))
def test_lower_case_and_escapes_change_nothing(
    tmp_path_factory: pytest.TempPathFactory, tree: Node, places: list[int], language: str
) -> None:
    folder = tmp_path_factory.mktemp("join")
    tokens = cut("".join(leaf.word for leaf in leaves_of(tree)), places)
    prepared = [escape(lowered(token, language), quotes=True) for token in tokens]
    plain = read(folder, bracketed(tree), [" ".join(tokens)])
    again = read(folder, bracketed(tree), [" ".join(prepared)])
    assert spans(plain) == spans(again)
    assert list(plain.tag_lines()) == list(again.tag_lines())


any_text = st.text(st.characters(exclude_categories=["Cs"]), max_size=5)


@given(any_text, any_text)
def test_folding_is_by_character(one: str, other: str) -> None:
    assert fold(one + other) == fold(one) + fold(other)


@given(st.lists(any_text | st.sampled_from(["-LRB-", "ß", '"', "İ", "\u200b"]), max_size=6))
def test_boundaries_are_those_of_folded_words(words: list[str]) -> None:
    assume(not any(word.startswith("-") for word in words if word != "-LRB-"))
    text, bounds = folded(words)
    plain = [fold("(" if word == "-LRB-" else word) for word in words]
    assert text == "".join(plain)
    assert bounds == [len("".join(plain[:i])) for i in range(len(words) + 1)]
