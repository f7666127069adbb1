"""Penn brackets: every rule by hand, and random trees that are written and read back."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from demotic.errors import FormatError
from tests.text.trees.brackets import (
    Leaf,
    Node,
    bracketed,
    constituents_of,
    leaves_of,
    nodes,
    read,
    spans,
)


def test_a_tree(tmp_path: Path) -> None:
    text = "(S (NP (DT the) (NN man)) (VP (VBD saw) (NP (PRP me))) (. .))\n"
    trees = read(tmp_path, text, ["the man saw me ."])
    assert spans(trees) == [(0, 5, "S"), (0, 2, "NP"), (2, 4, "VP"), (3, 4, "NP")]
    assert list(trees.tag_lines()) == ["DT NN VBD PRP ."]
    assert trees.counts.without_tree == 0


@pytest.mark.parametrize("line", ["", "()", "( )", " ( ) ", "(())", "( ( ) )", "\t"])
def test_no_tree(tmp_path: Path, line: str) -> None:
    trees = read(tmp_path, f"{line}\n(S (NN b))\n", ["a a", "b"])
    assert spans(trees, 0) == []
    assert spans(trees, 1) == [(0, 1, "S")]
    assert trees.counts.without_tree == 1
    assert list(trees.tag_lines()) == ["X X", "NN"]


@pytest.mark.parametrize(
    "text",
    [
        "( (S (NN b)))",
        "((S (NN b)))",
        "(ROOT (S (NN b)))",
        "( (ROOT (S (NN b)) ) )",
        "(TOP (S (NN b)))",
        "(S1 (S (NN b)))",
        "  (  S  (  NN   b  )  )  ",
        "\t(S\t(NN\tb))",
        "(S(NN b))",
        "(S-TPC-1 (NN b))",
        "(S=2 (NN b))",
        "(S-HLN=2 (NP-SBJ (-NONE- *T*-1)) (NN b) (VP (NP (-NONE- *)) (-NONE- *ICH*)))",
    ],
)
def test_one_constituent(tmp_path: Path, text: str) -> None:
    assert spans(read(tmp_path, text, ["b"])) == [(0, 1, "S")]


def test_the_name_of_the_outermost_bracket_counts_below_it(tmp_path: Path) -> None:
    trees = read(tmp_path, "(S (NN a) (TOP (NN b)))", ["a b"])
    assert spans(trees) == [(0, 2, "S"), (1, 2, "TOP")]


def test_unary_chains_keep_all_labels(tmp_path: Path) -> None:
    trees = read(tmp_path, "(IP (VP (VP (NP-SBJ (NN 雨)))))", ["雨"])
    assert spans(trees) == [(0, 1, "IP"), (0, 1, "VP"), (0, 1, "VP"), (0, 1, "NP")]


def test_a_single_word_has_no_constituent(tmp_path: Path) -> None:
    trees = read(tmp_path, "(NN rain)", ["rain"])
    assert spans(trees) == []
    assert trees.counts.without_tree == 0
    assert list(trees.tag_lines()) == ["NN"]


def test_escapes(tmp_path: Path) -> None:
    text = r"(S (-LRB- -LRB-) (CD 1\/2) (: \*) (-RRB- -RRB-) (NN -lsb-x) (-LSB- -lsb-))"
    trees = read(tmp_path, text, ["( 1/2 * ) -lsb-x &#91;"])
    assert spans(trees) == [(0, 6, "S")]
    assert list(trees.tag_lines()) == ["-LRB- CD : -RRB- NN -LSB-"]


def test_empty_elements_move_no_span(tmp_path: Path) -> None:
    text = "(S (NP (-NONE- *)) (VP (VB go) (SBAR (-NONE- 0) (S (NP (NN home)) (NP (-NONE- *T*))))))"
    trees = read(tmp_path, text, ["go home"])
    assert spans(trees) == [
        (0, 2, "S"),
        (0, 2, "VP"),
        (1, 2, "SBAR"),
        (1, 2, "S"),
        (1, 2, "NP"),
    ]


def test_deep_trees(tmp_path: Path) -> None:
    depth = 20_000
    trees = read(tmp_path, "(NP " * depth + "(NN a)" + ")" * depth, ["a"])
    assert spans(trees) == [(0, 1, "NP")] * depth


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "(S (NP (DT the) man))",
            "column 17: a leaf without a tag: 'man'; expected a tag and a word in brackets, such "
            "as (NN man) (write '(X word)' if the parser gives no tags)",
        ),
        (
            "(S (NN a) ",
            "column 10: unbalanced bracket: the line ends with 1 of them open; expected 1 more ')' "
            "(write one tree per line)",
        ),
        (
            "(S (NN a)))",
            "column 11: unbalanced bracket: ')' without its '('; expected the end of the line",
        ),
        (
            "(S (NN a)) (S (NN b))",
            "column 12: text after the tree; expected the end of the line (write one tree per "
            "line)",
        ),
        (
            "(NN a) (NN b)",
            "column 8: text after the tree; expected the end of the line (write one tree per line)",
        ),
        (
            "(S (NP) (NN a))",
            "column 7: a bracket without words; expected a word before ')' (write brackets of the "
            "text as -LRB- and -RRB-, a sentence without a tree as ())",
        ),
        (
            "(S (NN a) (PU ())",
            "column 15: a bracket without a label; expected a label after '(' (write brackets of "
            "the text as -LRB- and -RRB-, a sentence without a tree as ())",
        ),
        ("a (S (NN a))", "column 1: 'a' before a bracket; expected '(' (write one tree per line)"),
        (
            "(S (NN a)) b",
            "column 12: text after the tree; expected the end of the line (write one "
            "tree per line)",
        ),
        ("山 (", "column 1: '山' before a bracket; expected '(' (write one tree per line)"),
    ],
)
def test_errors_have_a_column(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(FormatError) as caught:
        read(tmp_path, f"()\n{text}\n", ["x", "a"])
    assert str(caught.value) == f"{tmp_path / 'some.trees'} line 2: {message}"


@given(nodes, st.data())
def test_read_back(
    tmp_path_factory: pytest.TempPathFactory, tree: Node, data: st.DataObject
) -> None:
    """With the tokens of the tree, every constituent keeps its words."""
    text = bracketed(tree)
    if data.draw(st.booleans()):
        text = f"( {text})"
    text = text.replace(" ", " " * data.draw(st.integers(1, 3)))
    words = [leaf.word for leaf in leaves_of(tree)]
    trees = read(tmp_path_factory.mktemp("penn"), text, [" ".join(words)])
    assert trees.constituents(0) == list(constituents_of(tree))
    assert list(trees.tag_lines()) == [" ".join(leaf.tag for leaf in leaves_of(tree))]
    assert trees.counts.widened == 0


@given(nodes)
def test_traces_and_function_tags_change_nothing(
    tmp_path_factory: pytest.TempPathFactory, tree: Node
) -> None:
    def marked(part: Leaf | Node) -> Leaf | Node:
        if isinstance(part, Leaf):
            return part
        trace = Node("NP-OBJ", [Node("NP=1", [Leaf("-NONE-", "*T*-1")])])
        return Node(f"{part.label}-SBJ-2", [trace, *map(marked, part.children), trace])

    words = " ".join(leaf.word for leaf in leaves_of(tree))
    trees = read(tmp_path_factory.mktemp("penn"), bracketed(marked(tree)), [words])
    assert trees.constituents(0) == list(constituents_of(tree))
