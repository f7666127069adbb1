"""Training as a whole: any number of threads, options, files, degenerate input."""

from __future__ import annotations

from pathlib import Path

import pytest

from demotic.align import Aligner, Alignments, AlignOptions, align, read_joined
from demotic.align.aligner import train_options
from demotic.errors import Error, FormatError
from tests.align.texts import invented, parallel

VARIANTS = {
    "ibm1": AlignOptions(model="ibm1"),
    "diagonal": AlignOptions(model="diagonal"),
    "hmm": AlignOptions(),
    "hmm from diagonal": AlignOptions(initial_model="diagonal"),
    "on its own": AlignOptions(agree=False),
    "l0": AlignOptions(l0=True),
    "posterior": AlignOptions(posterior=0.4),
    "nothing in memory": AlignOptions(max_cells=0),
    "half in memory": AlignOptions(max_cells=20_000),
}


@pytest.mark.parametrize("options", VARIANTS.values(), ids=VARIANTS)
def test_threads_change_nothing(options: AlignOptions) -> None:
    corpus = invented(1500, words=400)
    one, three = (Aligner(options).fit(corpus, threads=threads) for threads in (1, 3))
    assert one.log_likelihoods_ == three.log_likelihoods_
    assert one.native_.jumps(False) == three.native_.jumps(False)
    assert one.native_.tension == three.native_.tension
    assert one.native_.forward_null.tobytes() == three.native_.forward_null.tobytes()
    assert one.align(corpus, threads=1) == three.align(corpus, threads=3)


def test_cells_that_are_not_in_memory_change_nothing() -> None:
    corpus = invented(800, words=300)
    kept, sought = (
        Aligner(AlignOptions(max_cells=cells)).fit(corpus) for cells in (1 << 29, 10_000)
    )
    assert kept.log_likelihoods_ == sought.log_likelihoods_


@pytest.mark.parametrize("options", VARIANTS.values(), ids=VARIANTS)
def test_finds_what_is_there(options: AlignOptions) -> None:
    """In the artificial language s7 translates to t7, and most links agree."""
    corpus = invented(1500, words=400)
    links = align(corpus, options)
    right = total = 0
    for k in range(len(corpus)):
        source, target = corpus.source[k], corpus.target[k]
        for i, j in links[k]:
            right += source[i][1:] == target[j][1:]
            total += 1
    assert total > 0.7 * corpus.target.tokens
    assert right > 0.85 * total


@pytest.mark.parametrize("model", ["ibm1", "diagonal", "hmm"])
def test_a_saved_aligner_aligns_alike(tmp_path: Path, model: str) -> None:
    corpus = invented(300)
    trained = Aligner(AlignOptions(model=model)).fit(corpus)
    trained.save(tmp_path / "aligner")
    loaded = Aligner.load(tmp_path / "aligner", trained.options)
    assert loaded.align(corpus) == trained.align(corpus)
    again = parallel([("s1 s2 nobody", "t2 t1 knows"), ("s3", "")])
    assert loaded.align(again) == trained.align(again)
    assert len(loaded.align(again)) == 2


def test_a_damaged_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "aligner"
    Aligner().fit(invented(20)).save(path)
    data = bytearray(path.read_bytes())
    for at in range(0, len(data), max(1, len(data) // 200)):
        path.write_bytes(bytes(data[:at]) + bytes([data[at] ^ 0x41]) + bytes(data[at + 1 :]))
        with pytest.raises(Error):
            Aligner.load(path)


@pytest.mark.parametrize("options", VARIANTS.values(), ids=VARIANTS)
@pytest.mark.parametrize(
    "pairs",
    [
        [],
        [("", "")],
        [("a", "")],
        [("", ""), ("a", "x"), ("b", "")],
        [("a", "x")],
        [("a " * 300, "x")],
        [("a", "x " * 300)],
        [("a b " * 150, "x y " * 170)],
        [(" ".join(f"a{k}" for k in range(700)), " ".join(f"x{k}" for k in range(900)))],
        [("a b", "x y"), ("b " * 6000, "y " * 10_000)],
    ],
    ids=lambda pairs: f"{len(pairs)} pairs, {max((len(s + t) for s, t in pairs), default=0)} long",
)
def test_any_length(options: AlignOptions, pairs: list[tuple[str, str]]) -> None:
    corpus = parallel(pairs)
    links = align(corpus, options)
    assert len(links) == len(pairs)
    for k, (source, target) in enumerate(pairs):
        for i, j in links[k]:
            assert 0 <= i < len(source.split())
            assert 0 <= j < len(target.split())
        if not source or not target:
            assert links[k] == []


def test_long_pairs_are_counted_and_aligned_in_pieces() -> None:
    pairs = [("a b c", "x y z")] * 40 + [("a b c " * 20, "x y z " * 20)]
    corpus = parallel(pairs)
    aligner = Aligner(AlignOptions(max_length=30)).fit(corpus)
    links = aligner.align(corpus)
    assert aligner.native_.too_long == 1
    assert aligner.cut_ == 1
    assert aligner.native_.used == 40
    assert links[40] == [(k, k) for k in range(60)]


@pytest.mark.parametrize("model", ["ibm1", "diagonal", "hmm"])
def test_posteriors_of_pairs_longer_than_the_limit(model: str) -> None:
    corpus = parallel([("a b", "x y"), ("a b " * 50, "x y " * 60)])
    aligner = Aligner(AlignOptions(model=model, max_length=5)).fit(corpus)
    found = aligner.native_.posteriors(corpus.source.sentences, corpus.target.sentences, 1)
    assert found[0].shape == (100, 120)
    assert 0 <= found[0].min() <= found[0].max() <= 1.001
    assert (found[0].sum(axis=0) <= 1.001).all()


def test_an_aligner_that_learnt_nothing_says_so() -> None:
    with pytest.raises(ValueError, match="is not trained"):
        Aligner().align(invented(2))


@pytest.mark.parametrize(
    ("options", "alpha", "agree"),
    [
        (AlignOptions(), 0, True),
        (AlignOptions(model="ibm1"), 0, True),
        (AlignOptions(model="diagonal"), 0.01, False),
        (AlignOptions(model="diagonal", agree=True), 0, True),
        (AlignOptions(l0=True), 0, False),
        (AlignOptions(agree=False, alpha=0.5), 0.5, False),
    ],
)
def test_defaults_that_depend_on_the_model(
    options: AlignOptions, alpha: float, agree: bool
) -> None:
    native = train_options(options)
    assert (native.alpha, native.agree) == (alpha, agree)


@pytest.mark.parametrize(
    "line", ["a b", "a ||| b ||| c", "a|||b", "||| |||"], ids=["none", "two", "glued", "only"]
)
def test_joined_lines_have_one_separator(tmp_path: Path, line: str) -> None:
    (tmp_path / "joined").write_text(f"a ||| x\n{line}\n")
    with pytest.raises(FormatError, match=r"joined line 2: \d separators"):
        read_joined(tmp_path / "joined")


def test_joined_lines_may_have_empty_sides(tmp_path: Path) -> None:
    (tmp_path / "joined").write_text("a b ||| x\n||| y\nc |||\n")
    corpus = read_joined(tmp_path / "joined")
    assert corpus.source.sentences.offsets.tolist() == [0, 2, 2, 3]
    assert corpus.target.sentences.offsets.tolist() == [0, 1, 2, 2]


def test_alignments_are_arrays_without_copies() -> None:
    links = Alignments.from_lists([[(1, 0), (0, 0), (1, 0)], [], [(2, 3)]])
    assert links[0] == [(0, 0), (1, 0)]
    assert links[-1] == [(2, 3)]
    assert links.offsets.tolist() == [0, 2, 2, 3]
    assert links.links.tolist() == [[0, 0], [1, 0], [2, 3]]
    with pytest.raises(ValueError, match="read-only"):
        links.links[0, 0] = 5
    with pytest.raises(IndexError):
        links[3]
    with pytest.raises(ValueError, match="at least 0"):
        Alignments.from_lists([[(0, -1)]])


def test_memory_changes_nothing_but_time() -> None:
    corpus = invented(800, words=300)
    free = Aligner().fit(corpus)
    tokens = corpus.source.tokens + corpus.target.tokens
    needed = 28 * free.native_.pairs + 4 * tokens + (32 << 20)
    short = Aligner(AlignOptions(memory=needed)).fit(corpus, threads=2)
    assert short.digest() == free.digest()
    with pytest.raises(Error, match=f"a memory limit of at least {needed} bytes"):
        Aligner(AlignOptions(memory=needed - 1)).fit(corpus)
