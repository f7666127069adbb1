"""Streams of links: the same links as in memory, for any batches, threads and interruptions."""

from __future__ import annotations

import gzip
import io
import json
import math
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from demotic import lines
from demotic.align import Aligner, AlignOptions, pair_text
from demotic.align.pair_text import PairText, read_parallel
from demotic.align.resumable import ResumableText
from demotic.align.stream import Columns, LinkStream
from demotic.cli.main import run
from demotic.errors import Error, FormatError
from demotic.text.parallel import ParallelCorpus
from tests.align.texts import invented, parallel

ODD = [("", "x"), ("<unk> <s> new", "</s> <unk>"), ("a a a", "t1 t1"), ("été　x", "ＡＢ"), ("", "")]


def pairs_of(corpus: ParallelCorpus) -> list[tuple[str, str]]:
    return [(corpus.source.text(k), corpus.target.text(k)) for k in range(len(corpus))]


@pytest.fixture(scope="module")
def text() -> list[tuple[str, str]]:
    return [*pairs_of(invented(300)), *ODD, ("s1 " * 40, "t1 " * 40)]


@pytest.fixture(scope="module", params=["ibm1", "diagonal", "hmm"])
def aligner(request: pytest.FixtureRequest) -> Aligner:
    return Aligner(AlignOptions(model=request.param, max_length=30)).fit(invented(200, seed=2))


@pytest.fixture
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pair_text, "BATCH_BYTES", 500)
    monkeypatch.setattr(lines, "CHUNK_BYTES", 400)


def tsv(path: Path, text: list[tuple[str, str]]) -> PairText:
    path.write_text("".join(f"{s}\t{t}\n" for s, t in text))
    return PairText(path)


@pytest.mark.parametrize("options", [{}, {"posterior": 0.3}, {"symmetrize": "forward"}])
def test_links_of_a_stream_are_those_in_memory(
    text: list[tuple[str, str]], aligner: Aligner, options: dict[str, float], tmp_path: Path
) -> None:
    chosen = Aligner(AlignOptions(**options)).adopt(aligner)  # type: ignore[arg-type]
    wanted = chosen.align(parallel(text)).format().tolist()
    source = tsv(tmp_path / "x.tsv", text)
    for threads in (1, 3):
        for size in (300, 5000, 1 << 20):
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(pair_text, "BATCH_BYTES", size)
                patch.setattr(lines, "CHUNK_BYTES", size)
                stream = LinkStream(chosen, threads=threads)
                found = b"".join(stream.lines(source.batches())).decode()
        assert found.split("\n")[:-1] == wanted
        assert stream.counts.pairs == len(text)
        assert stream.counts.links == sum(len(line.split()) for line in wanted)
        assert stream.counts.empty == sum(not s.strip() or not t.strip() for s, t in text)
        assert stream.counts.cut == 1


def test_scores_and_posteriors(text: list[tuple[str, str]], aligner: Aligner) -> None:
    short = [pair for pair in text if max(len(side.split()) for side in pair) <= 30]
    corpus = parallel(short)
    own = aligner._in_own_words
    source, target = own(corpus.source).sentences, own(corpus.target).sentences
    found = LinkStream(aligner, Columns(True, True)).align(
        corpus.source.lines(), corpus.target.lines()
    )
    for k, line in enumerate(found.decode().split("\n")[:-1]):
        links, forward, backward, posteriors = line.split("\t")
        ahead, back, *log_likelihood = aligner.native_.posteriors(source, target, k)
        sizes = len(corpus.target[k]), len(corpus.source[k])
        for score, total, words in zip((forward, backward), log_likelihood, sizes, strict=True):
            wanted = total / words if all(sizes) else -math.inf
            assert float(score) == pytest.approx(wanted, abs=6e-5)
        places = [tuple(map(int, link.split("-"))) for link in links.split()]
        wanted_p = [(ahead[place] + back[place]) / 2 for place in places]
        assert [float(p) for p in posteriors.split()] == pytest.approx(wanted_p, abs=6e-5)


def test_a_piece_with_an_empty_side_has_no_likelihood(aligner: Aligner) -> None:
    """100 words are cut in four pieces; three words leave one of them empty."""
    text = [("s1 s2 s3", "t1 " * 100), ("s1 " * 100, "t1 t2"), ("", "t1 " * 100), ("", "")]
    corpus = parallel([*text, ("s1 s2 s3 s4", "t1 " * 100)])
    found = LinkStream(aligner, Columns(True, True)).align(
        corpus.source.lines(), corpus.target.lines()
    )
    *cut, whole = (line.split("\t")[1:3] for line in found.decode().split("\n")[:-1])
    assert cut == [["-inf", "-inf"]] * 4
    assert all(math.isfinite(float(score)) for score in whole)


@settings(deadline=None, max_examples=30)
@given(
    st.lists(
        st.tuples(*[st.lists(st.sampled_from(["a", "||", "é", "x\u3000y"])).map(" ".join)] * 2),
        min_size=1,
    )
)
def test_both_formats_and_two_files_read_the_same(text: list[tuple[str, str]]) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as name:
        home = Path(name)
        (home / "tsv").write_text("".join(f"{s}\t{t}\tmore\n" for s, t in text))
        (home / "turned").write_text("".join(f"0\t{t}\t{s}\n" for s, t in text))
        (home / "joined").write_text("".join(f"{s} ||| {t}\n" for s, t in text))
        for k, side in enumerate(("source", "target")):
            (home / side).write_text("".join(f"{pair[k]}\n" for pair in text))
        wanted = text
        every = (
            PairText(home / "tsv"),
            PairText(home / "turned", None, (2, 1)),
            PairText(home / "joined"),
            PairText(home / "source", home / "target"),
        )
        for reader in every:
            found = [
                (s.strip(), t.strip())
                for batch in reader.batches()
                for s, t in zip(*(side.tolist() for side in batch), strict=True)
            ]
            assert found == wanted
            assert reader.count() == len(text)
            assert pairs_of(read_parallel([reader])) == wanted


def test_bad_lines_are_refused(tmp_path: Path) -> None:
    (tmp_path / "tsv").write_text("a\tb\nc\n")
    with pytest.raises(FormatError, match="tsv line 2: 1 column; expected at least 2 columns"):
        PairText(tmp_path / "tsv").count()
    (tmp_path / "joined").write_text("a ||| b\na ||| b ||| c\n")
    with pytest.raises(FormatError, match=r"joined line 2: 2 separators '\|\|\|'; expected one"):
        PairText(tmp_path / "joined").count()
    (tmp_path / "one").write_text("a\nb\n")
    (tmp_path / "two").write_text("a\n")
    with pytest.raises(FormatError, match="2 lines here, but 1 in"):
        PairText(tmp_path / "one", tmp_path / "two").count()
    (tmp_path / "none").write_text("")
    assert PairText(tmp_path / "none").count() == 0


class StoppedError(Exception):
    pass


@pytest.mark.parametrize("name", ["links", "links.gz"])
@pytest.mark.parametrize("at", [1, 2, 7])
def test_an_interrupted_file_resumes(
    text: list[tuple[str, str]], tmp_path: Path, small_batches: None, name: str, at: int
) -> None:
    aligner = Aligner().fit(invented(200, seed=2))
    source = tsv(tmp_path / "x.tsv", text)
    wanted = b"".join(LinkStream(aligner).lines(source.batches()))
    calls = 0

    def stop(pairs: int) -> None:
        nonlocal calls
        calls += 1
        if calls == at:
            raise StoppedError

    out = tmp_path / name
    first = LinkStream(aligner, threads=2)
    with pytest.raises(StoppedError):
        first.write(source, out, report=stop)
    assert not out.exists()
    # A killed program may have written more than it recorded.
    with open(tmp_path / f"{name}.partial", "ab") as partial:
        partial.write(b"0-0 1-")
    again = LinkStream(aligner)
    again.write(source, out)
    found = gzip.decompress(out.read_bytes()) if name.endswith("gz") else out.read_bytes()
    assert found == wanted
    assert again.counts.resumed == first.counts.pairs
    assert again.counts.pairs == len(text)
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(["x.tsv", name])


def test_another_text_or_aligner_does_not_resume(
    text: list[tuple[str, str]], tmp_path: Path, small_batches: None
) -> None:
    aligner = Aligner().fit(invented(200, seed=2))
    source = tsv(tmp_path / "x.tsv", text)

    def stop(pairs: int) -> None:
        if pairs > 100:
            raise StoppedError

    with pytest.raises(StoppedError):
        LinkStream(aligner).write(source, tmp_path / "links", report=stop)
    before = (tmp_path / "links.partial").read_bytes()
    other = Aligner().fit(invented(200, seed=3))
    with pytest.raises(Error, match="unfinished links of another aligner"):
        LinkStream(other).write(source, tmp_path / "links")
    changed = tsv(tmp_path / "y.tsv", [("s1 s2", "t2"), *text[1:]])
    with pytest.raises(Error, match="not the text whose first"):
        LinkStream(aligner).write(changed, tmp_path / "links")
    shorter = tsv(tmp_path / "z.tsv", text[:3])
    with pytest.raises(Error, match="not the text whose first"):
        LinkStream(aligner).write(shorter, tmp_path / "links")
    assert (tmp_path / "links.partial").read_bytes() == before
    LinkStream(other).write(source, tmp_path / "links", force=True)
    assert (tmp_path / "links").read_bytes() == b"".join(LinkStream(other).lines(source.batches()))


def test_a_failure_before_the_first_batch_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "bad").write_text("a\n")
    with pytest.raises(FormatError):
        LinkStream(Aligner().fit(invented(20))).write(PairText(tmp_path / "bad"), tmp_path / "out")
    assert [path.name for path in tmp_path.iterdir()] == ["bad"]


@pytest.fixture
def files(tmp_path: Path, text: list[tuple[str, str]], monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    training = pairs_of(invented(200, seed=2))
    tsv(tmp_path / "train.tsv", training)
    tsv(tmp_path / "a.tsv", text[:100])
    tsv(tmp_path / "b.tsv", text[100:])
    (tmp_path / "c.txt").write_text("".join(f"{s} ||| {t}\n" for s, t in text[:5]))
    assert run(["align", "train.tsv", "--save", "A", "--train-only", "--quiet"]) == 0
    return tmp_path


def test_standard_input(
    files: Path, capfdbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    data = (files / "a.tsv").read_bytes()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
    assert run(["align", "--load", "A", "-", "--quiet"]) == 0
    links = capfdbinary.readouterr().out
    assert run(["align", "a.tsv", "--load", "A", "-o", "links", "--quiet"]) == 0
    assert (files / "links").read_bytes() == links
    assert links.count(b"\n") == 100


def test_many_files(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    many = ["align", "--load", "A", "a.tsv", "b.tsv", "c.txt", "-o", "links", "--json"]
    assert run(many) == 0
    first = json.loads(capsys.readouterr().out)
    assert first["pairs"] == 306 + 5
    assert first["resumed"] == 0
    names = {"a.tsv.links", "b.tsv.links", "c.txt.links", "finished.json"}
    assert {path.name for path in (files / "links").iterdir()} == names
    before = {name: (files / "links" / name).stat().st_mtime_ns for name in names}
    assert run(many) == 0
    assert json.loads(capsys.readouterr().out)["resumed"] == first["pairs"]
    assert {n: (files / "links" / n).stat().st_mtime_ns for n in names} == before
    # A file that has changed is not overwritten without --force.
    (files / "a.tsv").write_text("s1\tt1\n")
    assert run(many) == 2
    assert "a.tsv.links: the file exists already" in capsys.readouterr().err
    assert run([*many, "--force"]) == 0
    assert (files / "links" / "a.tsv.links").read_text() == "0-0\n"
    # Two files of pairs need a flag: otherwise they are the two sides.
    assert run(["align", "--load", "A", "b.tsv", "c.txt", "--pairs", "-o", "two", "--quiet"]) == 0
    assert (files / "two" / "c.txt.links").exists()


def test_a_sample(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["align", "train.tsv", "-o", "all", "--quiet"]) == 0
    assert run(["align", "train.tsv", "--sample", "500", "-o", "same", "--quiet"]) == 0
    assert (files / "same").read_bytes() == (files / "all").read_bytes()
    sample = ["align", "train.tsv", "--sample", "50", "--save"]
    assert run([*sample, "B", "-o", "some", "--quiet"]) == 0
    assert len((files / "some").read_text().splitlines()) == 200
    assert run([*sample, "C", "--train-only", "--quiet"]) == 0
    assert (files / "B").read_bytes() == (files / "C").read_bytes()
    assert run([*sample, "D", "--train-only", "--quiet", "--seed", "2"]) == 0
    assert (files / "B").read_bytes() != (files / "D").read_bytes()
    assert Aligner.load("B").native_.used == 50


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        ([], "expected SRC TGT, or one or more files of pairs"),
        (["--load", "A", "a.tsv", "--sample", "3"], "--sample is about training"),
        (["--load", "A", "a.tsv", "--train-only"], "--train-only is about training"),
        (["-", "--sample", "3"], "which standard input does not allow"),
        (["a.tsv", "--columns", "0,1"], "expected two numbers from 1"),
    ],
)
def test_flags_that_do_not_go_together(
    files: Path, capsys: pytest.CaptureFixture[str], flags: list[str], message: str
) -> None:
    assert run(["align", *flags]) == 2
    assert message in capsys.readouterr().err


def test_a_record_without_its_file_starts_again(tmp_path: Path) -> None:
    (tmp_path / "x.partial").write_text("0-0\n")
    out = ResumableText(tmp_path / "x", {})
    assert out.begin_at.pairs == 0
    out.finish()
    assert (tmp_path / "x").read_bytes() == b""


def test_a_mask_chooses_pairs(tmp_path: Path, small_batches: None) -> None:
    text = [(f"s{k}", f"t{k}") for k in range(200)]
    mask = np.arange(200) % 7 == 3
    corpus = read_parallel([tsv(tmp_path / "x", text[:90]), tsv(tmp_path / "y", text[90:])], mask)
    assert pairs_of(corpus) == [pair for pair, kept in zip(text, mask, strict=True) if kept]
    assert corpus.pair(13).line == 94 - 90 + 1
    assert corpus.pair(13).origin == str(tmp_path / "y")


@pytest.mark.parametrize("name", ["links", "links.gz"])
def test_a_failed_write_loses_nothing(
    text: list[tuple[str, str]],
    aligner: Aligner,
    small_batches: None,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    name: str,
) -> None:
    source, path = tsv(tmp_path / "pairs.tsv", text), tmp_path / name
    write, calls = ResumableText.write, iter(range(100))

    def fails(self: ResumableText, text: bytes, position: object) -> None:
        if next(calls) == 2:
            raise KeyboardInterrupt
        write(self, text, position)  # type: ignore[arg-type]

    monkeypatch.setattr(ResumableText, "write", fails)
    with pytest.raises(KeyboardInterrupt):
        LinkStream(aligner).write(source, path)
    LinkStream(aligner).write(source, path)
    data = gzip.decompress(path.read_bytes()) if path.suffix else path.read_bytes()
    assert data == b"".join(LinkStream(aligner).lines(source.batches()))


def test_standard_input_is_answered_line_by_line(
    aligner: Aligner, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[bytes] = []

    def arriving(_: object) -> Iterator[bytes]:
        for line in (b"s1 s2\tt1 t2\n", b"s1\tt1\n"):
            read.append(line)
            yield line

    monkeypatch.setattr(pair_text, "open_plain_bytes", arriving)
    answers = LinkStream(aligner).lines(PairText("-").batches())
    assert next(answers).count(b"\n") == 1
    assert len(read) == 1


def test_several_files_have_links_of_their_own(
    text: list[tuple[str, str]], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    for folder in ("a", "b", "c"):
        (tmp_path / folder).mkdir()
        tsv(tmp_path / folder / f"{folder}.tsv", text[:50])
        tsv(tmp_path / folder / "same.tsv", text[:50])
    files = [str(tmp_path / one / f"{one}.tsv") for one in ("a", "b", "c")]
    taken = tmp_path / "taken"
    taken.write_text("mine\n")
    assert run(["align", *files, "-o", str(taken), "--quiet"]) == 2
    assert taken.read_text() == "mine\n"
    assert run(["align", *files, "-o", str(tmp_path / "links"), "--quiet"]) == 0
    made = sorted(path.name for path in (tmp_path / "links").glob("*.links"))
    assert made == ["a.tsv.links", "b.tsv.links", "c.tsv.links"]
    capfd.readouterr()
    same = [str(tmp_path / one / "same.tsv") for one in ("a", "b", "c")]
    assert run(["align", *same, "-o", str(tmp_path / "more"), "--quiet"]) == 2
    assert "expected files with different names" in capfd.readouterr().err
    (tmp_path / "links" / "finished.json").write_text("{")
    assert run(["align", *files, "-o", str(tmp_path / "links"), "--force", "--quiet"]) == 0
