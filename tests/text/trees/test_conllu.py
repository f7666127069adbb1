"""CoNLL-U: every rule by hand, and random dependency trees against sets of descendants."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from demotic.errors import FormatError
from demotic.text.trees.subtrees import CycleError, find_subtrees
from tests.oracle.trees import descendants
from tests.text.trees.brackets import read, spans


def row(number: str, form: str, tag: str = "_", head: str = "_") -> str:
    return "\t".join([number, form, "_", tag, "_", "_", head, "_", "_", "_"]) + "\n"


MAN = (
    "# sent_id = 1\n# text = The man saw me.\n"
    + row("1", "The", "DET", "2")
    + row("2", "man", "NOUN", "3")
    + row("3", "saw", "VERB", "0")
    + row("4", "me", "PRON", "3")
    + row("5", ".", "PUNCT", "3")
)
# French "au bord du lac": au = à + le, du = de + le.
LAKE = (
    row("1-2", "au")
    + row("1", "à", "ADP", "3")
    + row("2", "le", "DET", "3")
    + row("3", "bord", "NOUN", "0")
    + row("4-5", "du")
    + row("4", "de", "ADP", "6")
    + row("5", "le", "DET", "6")
    + row("6", "lac", "NOUN", "3")
)


def test_a_tree(tmp_path: Path) -> None:
    trees = read(tmp_path, MAN, ["the man saw me ."])
    assert spans(trees) == [(0, 5, "IP"), (0, 2, "NP"), (0, 1, "XP"), (3, 4, "NP"), (4, 5, "XP")]
    assert list(trees.tag_lines()) == ["DET NOUN VERB PRON PUNCT"]


@pytest.mark.parametrize(
    ("tags", "label"),
    [
        ("NOUN PROPN PRON", "NP"),
        ("VERB AUX", "VP"),
        ("ADP", "PP"),
        ("ADJ", "ADJP"),
        ("ADV", "ADVP"),
        ("NUM", "QP"),
        ("DET PUNCT X CCONJ noun", "XP"),
    ],
)
def test_labels(tmp_path: Path, tags: str, label: str) -> None:
    for tag in tags.split():
        text = row("1", "a", tag, "2") + row("2", "b", tag, "0")
        assert spans(read(tmp_path, text, ["a b"])) == [(0, 2, "IP"), (0, 1, label)]


def test_a_multiword_token_is_one_piece_of_text(tmp_path: Path) -> None:
    trees = read(tmp_path, LAKE, ["au bord du lac"])
    assert spans(trees) == [
        (0, 4, "IP"),
        (0, 1, "PP"),
        (0, 1, "XP"),
        (2, 4, "NP"),
        (2, 3, "PP"),
        (2, 3, "XP"),
    ]
    assert trees.counts.widened == 4  # both words of both multiword tokens lose a boundary
    assert list(trees.tag_lines()) == ["ADP NOUN ADP NOUN"]


def test_the_tag_of_a_multiword_token_is_that_of_its_head(tmp_path: Path) -> None:
    text = (
        row("1-3", "dámelo")
        + row("1", "me", "PRON", "2")
        + row("2", "da", "VERB", "0")
        + row("3", "lo", "PRON", "2")
    )
    assert list(read(tmp_path, text, ["dámelo"]).tag_lines()) == ["VERB"]


def test_empty_nodes_are_skipped(tmp_path: Path) -> None:
    text = row("0.1", "e") + row("1", "a", "NOUN", "0") + row("1.1", "e") + row("1.2", "e")
    trees = read(tmp_path, text + row("2", "b", "ADV", "1"), ["a b"])
    assert spans(trees) == [(0, 2, "IP"), (1, 2, "ADVP")]


def test_holes_are_counted(tmp_path: Path) -> None:
    # "a" and "c" form a phrase around "b".
    text = row("1", "a", "NOUN", "2") + row("2", "b", "VERB", "0") + row("3", "c", "ADJ", "1")
    trees = read(tmp_path, text, ["a b c"])
    assert spans(trees) == [(0, 3, "IP"), (2, 3, "ADJP")]
    assert trees.counts.holes == 1


def test_several_roots(tmp_path: Path) -> None:
    text = row("1", "Go", "VERB", "0") + row("2", ".", "PUNCT", "1") + row("3", "Now", "ADV", "0")
    assert spans(read(tmp_path, text, ["go . now"])) == [(0, 2, "IP"), (1, 2, "XP"), (2, 3, "IP")]


def test_forms_with_spaces_and_tags_from_the_fifth_column(tmp_path: Path) -> None:
    fields = ["1", "10 000", "_", "_", "CD", "_", "0", "_", "_", "_"]
    trees = read(tmp_path, "\t".join(fields), ["10 000"])
    assert spans(trees) == [(0, 2, "IP")]
    assert list(trees.tag_lines()) == ["CD CD"]


@pytest.mark.parametrize(
    "absent", ["# no tree\n", "# text = a b\n", "#No tree\n", "# no tree\n" + row("1", "a")]
)
def test_no_tree(tmp_path: Path, absent: str) -> None:
    trees = read(tmp_path, f"\n\n{MAN}\n \n\n{absent}\n{MAN}", ["the man saw me ."] * 3)
    assert [len(spans(trees, i)) for i in range(3)] == [5, 0, 5]
    assert trees.counts.without_tree == 1


@pytest.mark.parametrize(
    ("rows", "line", "message"),
    [
        (["1\ta"], 1, "2 columns; expected 10, separated by tabs, or an empty line"),
        ([row("1", "a", "X", "0"), "b\n"], 2, "1 columns; expected 10, separated by tabs, or an "
         "empty line"),
        ([row("x", "a")], 1, "the id 'x'; expected a number, such as 1, 1-2 or 1.1"),
        ([row("2", "a", "X", "0")], 1, "the id '2'; expected 1: ids count words from 1"),
        ([row("1", "a", "X", "0"), row("1", "b", "X", "1")], 2, "the id '1'; expected 2: ids count "
         "words from 1"),
        ([row("1", "a", "X", "0"), row("3.1", "b")], 2, "the id '3.1'; expected 1: ids count words "
         "from 1"),
        ([row("1-1", "a")], 1, "the multiword token '1-1'; expected a range that begins at 1, has "
         "at least two words, and overlaps no other"),
        ([row("1-3", "a"), row("1", "a", "X", "0"), row("2-3", "b")], 3, "the multiword token "
         "'2-3'; expected a range that begins at 2, has at least two words, and overlaps no other"),
        ([row("1-3", "a"), row("1", "a", "X", "0")], 2, "a sentence of 1 words; expected more "
         "words, as the multiword token up to 3 needs"),
        ([row("0.1", "a")], 1, "a sentence of 0 words; expected more words"),
        ([row("1", " ", "X", "0")], 1, "a word without a form; expected text in the second column"),
        ([row("1", "a", "X")], 1, "the head '_'; expected the number of a word, or 0 for the root "
         "(write the comment '# no tree' for a sentence that was not parsed)"),
        ([row("1", "a", "X", "2")], 1, "the head 2; expected at most 1, the last word"),
        ([row("1", "a", "X Y", "0")], 1, "the tag 'X Y'; expected a tag without spaces"),
        ([row("1", "a", "X", "1")], 1, "a tree without a root; expected a word with head 0"),
        (
            [row("1", "a", "X", "0"), row("2", "b", "X", "3"), row("3", "c", "X", "2")],
            2,
            "a cycle: word 2 depends on itself; expected heads that lead to a root (head 0)",
        ),
    ],
)  # fmt: skip
def test_errors(tmp_path: Path, rows: list[str], line: int, message: str) -> None:
    with pytest.raises(FormatError) as caught:
        read(tmp_path, MAN + "\n" + "".join(rows), ["the man saw me .", "a"], "conllu")
    assert str(caught.value) == f"{tmp_path / 'some.trees'} line {line + 8}: {message}"


def test_numbers_of_any_length_are_refused(tmp_path: Path) -> None:
    huge = "9" * 5000
    for text in (row(huge, "a", "X", "0"), row("1", "a", "X", huge), row(f"1-{huge}", "a")):
        with pytest.raises(FormatError, match="expected"):
            read(tmp_path, text, ["a"], "conllu")


# A word's head is any other word or none; many of these have cycles.
heads_of_any_kind = st.integers(1, 9).flatmap(
    lambda size: st.lists(st.integers(-1, size - 1), min_size=size, max_size=size)
)


@given(heads_of_any_kind)
def test_cycles_are_found(heads: list[int]) -> None:
    def is_on_cycle(word: int) -> bool:
        at = heads[word]
        for _ in heads:
            if at in (-1, word):
                break
            at = heads[at]
        return at == word

    cycles = [word for word in range(len(heads)) if is_on_cycle(word)]
    if not cycles:
        find_subtrees(heads)
        return
    with pytest.raises(CycleError) as caught:
        find_subtrees(heads)
    assert caught.value.word == cycles[0]


# Heads that precede their words in a random order.
trees_of_words = st.integers(1, 9).flatmap(
    lambda size: st.tuples(
        st.permutations(range(size)), st.tuples(*(st.integers(-1, i - 1) for i in range(size)))
    )
)


@given(trees_of_words)
def test_subtrees_are_all_descendants(
    tmp_path_factory: pytest.TempPathFactory, drawn: tuple[list[int], tuple[int, ...]]
) -> None:
    order, chosen = drawn
    heads = [0] * len(order)
    for word, head in zip(order, chosen, strict=True):
        heads[word] = -1 if head < 0 else order[head]
    below = descendants(heads)
    whole = [sorted(one) == list(range(min(one), max(one) + 1)) for one in below]
    text = "".join(row(str(i + 1), "w", "NOUN", str(head + 1)) for i, head in enumerate(heads))
    trees = read(tmp_path_factory.mktemp("conllu"), text, [" ".join("w" * len(heads))])
    expected = [
        (min(one), max(one) + 1, "IP" if head < 0 else "NP")
        for one, head, is_whole in zip(below, heads, whole, strict=True)
        if is_whole
    ]
    assert spans(trees) == sorted(expected, key=lambda span: (span[0], -span[1]))
    assert trees.counts.holes == whole.count(False)
