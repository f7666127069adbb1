"""Files of trees: formats, numbers of trees, damaged input, the bundled corpus."""

from __future__ import annotations

import gzip
import random
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest

from demotic.demo import write_corpus
from demotic.errors import Error, FormatError, InputError, IoError
from demotic.lines import read_lines
from demotic.text.corpus import Corpus
from demotic.text.tags import read_tag_corpus
from demotic.text.trees import TreeCounts, TreeFormat, read_trees
from tests.text.trees.brackets import read, spans
from tests.text.trees.test_conllu import LAKE, MAN

PENN = "(IP (NP (NN a)) (VP (VV b)))\n"


@pytest.fixture(scope="module")
def bundled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("bundled") / "corpus"
    write_corpus(home)
    return home


def test_formats_are_recognised(tmp_path: Path) -> None:
    assert spans(read(tmp_path, PENN, ["a b"]))[1] == (0, 1, "NP")
    assert spans(read(tmp_path, f"\n  \n {PENN}", ["", "", "a b"]), 2)[1] == (0, 1, "NP")
    assert spans(read(tmp_path, MAN, ["The man saw me."])) == [(0, 4, "IP"), (0, 2, "NP"),
        (0, 1, "XP"), (3, 4, "NP"), (3, 4, "XP")]  # fmt: skip
    assert len(spans(read(tmp_path, f"\n{LAKE}", ["au bord du lac"]))) == 6
    assert read(tmp_path, "\n\n", ["a", "b"]).counts == TreeCounts(2, 2, 0, 0)
    assert read(tmp_path, "", []).counts == TreeCounts(0, 0, 0, 0)


def test_a_format_can_be_forced(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="1 columns; expected 10"):
        read(tmp_path, PENN, ["a b"], "conllu")
    with pytest.raises(FormatError, match="column 1: '#' before a bracket"):
        read(tmp_path, MAN, ["a b"], "penn")
    with pytest.raises(InputError, match="one of auto, penn, conllu"):
        read(tmp_path, PENN, ["a b"], "ptb")  # type: ignore[arg-type]


def test_other_formats_are_refused(tmp_path: Path) -> None:
    with pytest.raises(FormatError) as caught:
        read(tmp_path, "\nthe man sleeps\n", ["", "a b"])
    assert str(caught.value) == (
        f"{tmp_path / 'some.trees'} line 2: 'the man sleeps'; expected a tree in Penn brackets, or "
        "a comment or word of CoNLL-U"
    )


@pytest.mark.parametrize(
    ("text", "sentences", "message"),
    [
        (PENN, ["a b"] * 1200, "1 trees; expected 1,200, one per sentence"),
        (PENN * 3, ["a b"], "3 trees; expected 1, one per sentence"),
        (
            PENN + "(NN d)\n",
            ["a b", "c", "d"],
            "2 trees; the text of tree 2 is the first that differs; expected 3, one per sentence",
        ),
        ("# no tree\n\n# no tree\n", [], "2 trees; expected 0, one per sentence"),
    ],
)
def test_numbers_of_trees(tmp_path: Path, text: str, sentences: list[str], message: str) -> None:
    with pytest.raises(FormatError) as caught:
        read(tmp_path, text, sentences)
    advice = "write () or a block with '# no tree' for a sentence without a tree"
    assert str(caught.value) == f"{tmp_path / 'some.trees'}: {message} ({advice})"


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(IoError, match="cannot be opened"):
        read_trees(tmp_path / "none", [])
    (tmp_path / "bad").write_bytes(b"(S (NN \xff))\n")
    with pytest.raises(FormatError, match="UTF-8"):
        read_trees(tmp_path / "bad", ["a"])


def test_compressed_files_and_line_ends(tmp_path: Path) -> None:
    path = tmp_path / "trees.gz"
    path.write_bytes(gzip.compress(b"\xef\xbb\xbf" + PENN.replace("\n", "\r\n").encode()))
    assert len(spans(read_trees(path, ["a b"]))) == 3


def test_the_result_is_immutable_and_flat(tmp_path: Path) -> None:
    trees = read(tmp_path, f"{PENN}()\n{PENN}", ["a b", "c", "ab"])
    assert trees.offsets.tolist() == [0, 3, 3, 6]
    assert trees.begins.tolist() == [0, 0, 1, 0, 0, 0]
    assert trees.ends.tolist() == [2, 1, 2, 1, 1, 1]
    assert trees.labels.tolist() == [0, 1, 2, 0, 1, 2]
    assert trees.label_names == ("IP", "NP", "VP")
    assert trees.token_offsets.tolist() == [0, 2, 3, 4]
    assert trees.tags.tolist() == [0, 1, 2, 0]
    assert trees.tag_names == ("NN", "VV", "X")
    assert trees.counts == TreeCounts(sentences=3, without_tree=1, holes=0, widened=2)
    assert repr(trees) == "Trees(3 sentences, 6 constituents, 3 labels)"
    assert (trees.offsets.dtype, trees.begins.dtype) == (np.int64, np.int32)
    for values in (trees.offsets, trees.begins, trees.ends, trees.labels, trees.tags):
        with pytest.raises(ValueError, match="read-only"):
            values[0] = 1
    assert trees.constituents(-1) == trees.constituents(2)
    with pytest.raises(IndexError, match="no sentence 3: there are 3"):
        trees.constituents(3)


def test_tags_are_read_as_a_tag_corpus(tmp_path: Path) -> None:
    sentences = ["a b", "c d", "", "ab"]
    trees = read(tmp_path, f"{PENN}()\n\n{PENN}", sentences)
    trees.write_tags(tmp_path / "tags.gz")
    tags, vocabulary = read_tag_corpus(tmp_path / "tags.gz", Corpus.from_lines(sentences).sentences)
    assert [vocabulary.word(tag) for tag in tags.words.tolist()] == "NN VV X X NN".split()


@pytest.mark.parametrize("part", ["dev", "test", "train"])
def test_the_bundled_corpus(bundled: Path, part: str) -> None:
    """Trees of segmented text fit it, and the raw text with every character as a token."""
    path = bundled / "tok" / f"{part}.zh.trees"
    lines = read_lines(bundled / "tok" / f"{part}.zh").tolist()
    trees = read_trees(path, lines)
    assert trees.counts == TreeCounts(len(lines), 0, 0, 0)
    assert list(trees.tag_lines()) == read_lines(f"{bundled / 'tok' / part}.zh.tags").tolist()
    assert {"IP", "NP", "VP", "PP", "ADVP", "QP"} <= set(trees.label_names) - {"ROOT"}

    raw = [" ".join(line) for line in read_lines(bundled / "raw" / f"{part}.zh").tolist()]
    by_character = read_trees(path, raw)
    assert by_character.counts == trees.counts
    for i in range(0, len(lines), 50):
        assert words(lines[i], spans(trees, i)) == words(raw[i], spans(by_character, i))


def words(line: str, found: list[tuple[int, int, str]]) -> list[tuple[str, str]]:
    tokens = line.split(" ")
    return [(label, "".join(tokens[begin:end])) for begin, end, label in found]


def mutated(text: str, rng: random.Random) -> str:
    """A few characters removed, repeated, replaced or moved."""
    signs = "()\t\n #-_0123456789.a山-LRB- \u200b\u3000ß\\/"
    for _ in range(rng.randint(1, 4)):
        at, end = sorted(rng.randrange(len(text) + 1) for _ in range(2))
        end = min(end, at + rng.choice([0, 1, 1, 1, 5, 50]))
        new = rng.choice(["", "", text[at:end] * 2, rng.choice(signs), rng.choice(signs) * 3])
        text = text[:at] + new + text[end:]
    return text


MUTATIONS = pytest.mark.parametrize("count", [1000, pytest.param(20_000, marks=pytest.mark.long)])


@MUTATIONS
@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        (f"{PENN}()\n(ROOT (S (-NONE- *) (NP-SBJ (-LRB- -LRB-) (NN d\\/e)) (X 山)))\n",
         ["a b", "c", "( d/e 山"]),
        (f"{MAN}\n# no tree\n\n{LAKE}", ["the man saw me .", "c", "au bord du lac"]),
    ],
    ids=["penn", "conllu"],
)  # fmt: skip
def test_damage_gives_no_other_error(
    tmp_path: Path, text: str, sentences: list[str], count: int
) -> None:
    rng = random.Random(1)
    readable = 0
    for _ in range(count):
        damaged = mutated(text, rng)
        tree_format: TreeFormat = rng.choice(["auto", "penn", "conllu"])
        with suppress(Error):
            trees = read(tmp_path, damaged, sentences, tree_format)
            readable += 1
            lengths = np.repeat(np.diff(trees.token_offsets), np.diff(trees.offsets))
            assert np.all((trees.begins < trees.ends) & (trees.ends <= lengths))
    assert count // 50 < readable < count - count // 50
