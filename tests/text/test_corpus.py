"""Corpora: encoding and decoding, and the origins of pairs."""

from __future__ import annotations

import gzip
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from demotic import _core
from demotic.errors import FormatError, IoError, ModelError
from demotic.text import Corpus, Pair, ParallelCorpus
from tests.text.pair_writers import PAIRS, any_texts, cleaned

LINES = ["the boat is slow", "", "  the   river", "slow slow river"]

words = st.text(st.characters(exclude_categories=["Cs", "Cc", "Zs", "Zl", "Zp"]), min_size=1)
sentences = st.lists(st.lists(st.sampled_from(["the", "boat", "河", "é"]) | words, max_size=6))
pair_lists = st.lists(
    st.builds(
        Pair,
        any_texts.filter(lambda text: "<" not in text),
        any_texts.filter(lambda text: "<" not in text),
        st.sampled_from(["a.tmx", "b.po", "目录/c.tsv"]),
        st.integers(1, 2**40),
    ),
    max_size=8,
)


def normal(text: str) -> str:
    return " ".join(word for word in cleaned(text).split(" ") if word)


@given(sentences=sentences)
def test_words_come_back(sentences: list[list[str]]) -> None:
    texts = [normal(" ".join(sentence)) for sentence in sentences]
    corpus = Corpus.from_lines(" ".join(sentence) for sentence in sentences)
    assert corpus.lines().tolist() == texts
    assert [corpus.text(i) for i in range(len(corpus))] == texts
    assert list(corpus) == [tuple(text.split(" ")) if text else () for text in texts]
    assert corpus.tokens == sum(map(len, corpus))


def test_indexing() -> None:
    corpus = Corpus.from_lines(LINES)
    assert corpus[0] == ("the", "boat", "is", "slow")
    assert corpus[-1] == corpus[3]
    assert corpus[1] == ()
    assert corpus.text(2) == "the river"
    ids = corpus.ids(3)
    assert ids.dtype == np.int32
    assert ids[0] == ids[1] == corpus.vocabulary.find("slow")
    with pytest.raises(ValueError, match="read-only"):
        ids[0] = 1
    for index in (4, -5):
        with pytest.raises(IndexError, match=f"no sentence {index}: the corpus has 4"):
            corpus[index]
    assert repr(corpus) == "Corpus(4 sentences, 9 tokens, 8 words)"


def test_a_given_vocabulary_stays() -> None:
    known = Corpus.from_lines(LINES).vocabulary
    corpus = Corpus.from_lines(["the new boat", "<s> river"], known, threads=2)
    assert corpus.vocabulary is known
    assert corpus[0] == ("the", "<unk>", "boat")
    assert corpus[1] == ("<unk>", "river")


def test_read(tmp_path: Path) -> None:
    path = tmp_path / "text.gz"
    path.write_bytes(gzip.compress("\n".join(LINES).encode()))
    corpus = Corpus.read(path)
    assert corpus.lines().tolist() == Corpus.from_lines(LINES).lines().tolist()
    assert Corpus.read(path, corpus.vocabulary)[3] == corpus[3]
    path = tmp_path / "broken"
    path.write_bytes(b"fine\n\xff\n")
    with pytest.raises(FormatError, match="line 2"):
        Corpus.read(path)
    assert len(Corpus.read(path, encoding_errors="skip")) == 2


def test_strings_from_anywhere_are_cleaned_and_giants_are_cut() -> None:
    corpus = Corpus.from_lines(["a\nb\tc\x85d\u2028e", "x" * 5000])
    assert corpus[0] == ("a", "b", "c", "d\u2028e")
    assert len(corpus[1][0]) == _core.MAX_WORD_BYTES
    assert corpus.capped_tokens == 1
    with pytest.raises(FormatError, match="text line 2: byte 0xFF"):
        Corpus.from_lines(["good", "bad \udcff"])


@pytest.mark.parametrize("lines", [LINES, [], ["", ""]])
def test_save_and_open(tmp_path: Path, lines: list[str]) -> None:
    corpus = Corpus.from_lines(lines)
    for _ in range(2):  # the second time over what is there
        corpus.save(tmp_path / "corpus")
        opened = Corpus.open(tmp_path / "corpus")
        assert opened.lines().tolist() == corpus.lines().tolist()
        assert opened.vocabulary.words() == corpus.vocabulary.words()
        corpus = opened


def test_a_damaged_corpus_is_refused(tmp_path: Path) -> None:
    Corpus.from_lines(LINES).save(tmp_path / "a")
    Corpus.from_lines(["x"]).save(tmp_path / "b")
    (tmp_path / "b" / "vocabulary.bin").rename(tmp_path / "a" / "vocabulary.bin")
    with pytest.raises(ModelError, match="word ids up to 7, but only 4 words"):
        Corpus.open(tmp_path / "a")
    with pytest.raises(IoError, match=r"vocabulary\.bin"):
        Corpus.open(tmp_path / "b")
    path = tmp_path / "a" / "sentences.bin"
    data = bytearray(path.read_bytes())
    data[-3] ^= 1
    path.write_bytes(data)
    with pytest.raises(FormatError, match=r"sentences\.bin"):
        Corpus.open(tmp_path / "a")


def test_an_interrupted_save_cannot_be_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Corpus.from_lines(LINES).save(tmp_path / "c")
    other = Corpus.from_lines(["other words", "entirely"])

    class Full:
        def save(self, path: str) -> None:
            raise IoError("no space", path=path)

    with pytest.raises(IoError, match="no space"):
        Corpus(Full(), other.vocabulary).save(tmp_path / "c")  # type: ignore[arg-type]
    with pytest.raises(IoError, match=r"sentences\.bin"):
        Corpus.open(tmp_path / "c")


def test_a_path_that_is_a_file(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(IoError, match="cannot be created"):
        Corpus.from_lines(LINES).save(tmp_path / "file")


def test_select() -> None:
    corpus = Corpus.from_lines(LINES)
    assert list(corpus.select([3, 1, 3, -4])) == [corpus[3], (), corpus[3], corpus[0]]
    assert list(corpus.select(np.array([True, False, False, True]))) == [corpus[0], corpus[3]]
    assert len(corpus.select([])) == 0
    with pytest.raises(IndexError, match="the corpus has 4 sentences"):
        corpus.select([4])
    with pytest.raises(ValueError, match=r"expected 4 mask values \(one per sentence\), got 3"):
        corpus.select(np.ones(3, bool))
    with pytest.raises(TypeError, match="float64"):
        corpus.select(np.array([0.5]))


@given(pairs=pair_lists, data=st.data())
def test_pairs_come_back(
    tmp_path_factory: pytest.TempPathFactory, pairs: list[Pair], data: st.DataObject
) -> None:
    expected = [Pair(normal(p.source), normal(p.target), p.origin, p.line) for p in pairs]
    corpus = ParallelCorpus.from_pairs(pairs)
    assert [corpus.pair(i) for i in range(len(corpus))] == expected
    home = tmp_path_factory.mktemp("parallel")
    corpus.save(home)
    opened = ParallelCorpus.open(home)
    assert [opened.pair(i) for i in range(len(opened))] == expected
    numbers = st.lists(st.integers(0, len(pairs) - 1)) if pairs else st.just([])
    chosen = data.draw(numbers)
    selected = opened.select(chosen)
    assert [selected.pair(i) for i in range(len(selected))] == [expected[i] for i in chosen]
    mask = np.array([pair.line % 2 == 0 for pair in pairs], bool)
    even = opened.select(mask)
    assert [even.pair(i) for i in range(len(even))] == [p for p in expected if p.line % 2 == 0]


def write(folder: Path, source: str, target: str) -> tuple[Path, Path]:
    (folder / "t.zh").write_text(source, encoding="utf-8")
    (folder / "t.en").write_text(target, encoding="utf-8")
    return folder / "t.zh", folder / "t.en"


def test_parallel_files(tmp_path: Path) -> None:
    sides = zip(*PAIRS, strict=True)
    paths = write(tmp_path, *("".join(f"{text}\n" for text in side) for side in sides))
    corpus = ParallelCorpus.read(*paths)
    assert [(corpus.pair(i).source, corpus.pair(i).target) for i in range(3)] == PAIRS
    assert corpus.pair(2).origin == str(paths[0])
    assert corpus.pair(2).line == 3
    with pytest.raises(ValueError, match="read-only"):
        corpus.line[0] = 5
    assert repr(corpus).startswith("ParallelCorpus(3 pairs, ")
    assert repr(corpus).endswith(" words, 1 origin)")
    assert corpus.vocabulary is corpus.source.vocabulary is corpus.target.vocabulary


def test_different_lengths_are_refused(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"t\.zh: 2 lines here, but 1 in .*t\.en"):
        ParallelCorpus.read(*write(tmp_path, "一\n二\n", "one\n"))
    one, two = Corpus.from_lines(["a"]), Corpus.from_lines(["a", "b"])
    other = Corpus.from_lines(["a"])
    with pytest.raises(ModelError, match="2 source and 1 target"):
        ParallelCorpus(two, one, np.zeros(2, np.int32), np.ones(2, np.int64), ("x",))
    with pytest.raises(ModelError, match="two vocabularies"):
        ParallelCorpus(one, other, np.zeros(1, np.int32), np.ones(1, np.int64), ("x",))
    with pytest.raises(ModelError, match="origin numbers from 1 to 1"):
        ParallelCorpus(one, one, np.ones(1, np.int32), np.ones(1, np.int64), ("x",))


def test_empty_files(tmp_path: Path) -> None:
    corpus = ParallelCorpus.read(*write(tmp_path, "", ""))
    assert len(corpus) == 0
    corpus.save(tmp_path / "c")
    assert len(ParallelCorpus.open(tmp_path / "c").select([])) == 0


def test_the_vocabulary_of_another_corpus() -> None:
    known = ParallelCorpus.from_pairs([Pair("甲 乙", "a b", "x", 1)])
    corpus = ParallelCorpus.from_pairs([Pair("乙 丙", "b c", "y", 9)], vocabulary=known.vocabulary)
    assert corpus.pair(0) == Pair("乙 <unk>", "b <unk>", "y", 9)


def test_malformed_text_is_refused_with_its_origin() -> None:
    pairs = [Pair("a", "b", "x.tmx", n) for n in range(1, 9000)]
    pairs[8000] = Pair("a", "b \udcff", "y.po", 77)
    with pytest.raises(FormatError, match=r"y\.po line 77: byte 0xFF"):
        ParallelCorpus.from_pairs(pairs)


def test_words_that_look_reserved_are_words(tmp_path: Path) -> None:
    lines = ["<s> a </s> <unk>", "&lt;unk&gt; <unk> \u200b \u3000", "\xa0x ||| [X]"]
    corpus = Corpus.from_lines(lines)
    assert corpus.lines().tolist() == lines
    assert corpus.sentences.words.min() == _core.RESERVED_WORDS
    assert [len(corpus[i]) for i in range(3)] == [4, 4, 3]
    corpus.save(tmp_path / "c")
    opened = Corpus.open(tmp_path / "c")
    assert opened.lines().tolist() == lines
    assert opened.vocabulary.find("<unk>") == corpus.vocabulary.find("<unk>") > 2
    other = Corpus.from_lines(["<unk> x <s>"], Corpus.from_lines(["x"]).vocabulary)
    assert other.sentences.words.tolist() == [_core.UNKNOWN, 3, _core.UNKNOWN]


def test_parts_that_do_not_belong_together(tmp_path: Path) -> None:
    ParallelCorpus.from_pairs([Pair("a", "b", "x", 1)]).save(tmp_path / "c")
    Corpus.from_lines(["b", "c"]).sentences.save(str(tmp_path / "c" / "target.bin"))
    with pytest.raises(FormatError, match="1 source and 2 target"):
        ParallelCorpus.open(tmp_path / "c")


def test_origins_on_record(tmp_path: Path) -> None:
    corpus = ParallelCorpus.from_pairs([Pair("a", "b", "x", 1), Pair("c", "d", "x", 2)])
    record = tmp_path / "corpus.origin.tsv"
    record.write_text("talks/one two.tmx\t7\nnews.zh\t12\n", "utf-8")
    known = corpus.with_origins(record)
    assert known.pair(0) == Pair("a", "b", "talks/one two.tmx", 7)
    assert known.pair(1) == Pair("c", "d", "news.zh", 12)
    for other in ("news.zh\t12\n", "", "a\nb\n"):  # of another corpus, or no such file
        record.write_text(other, "utf-8")
        assert corpus.with_origins(record).pair(1) == Pair("c", "d", "x", 2)


def test_names_are_there_without_numpy() -> None:
    program = (
        "import sys, demotic.text as t; t.read_pairs; assert 'numpy' not in sys.modules; "
        "assert all(hasattr(t, name) for name in dir(t))"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
