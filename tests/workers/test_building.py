"""Models built with the help of workers are those built without, whatever happens to them.

Aligners, counts of n-grams and extracted rules are divided; all files of the model are compared.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from bundled_corpus import generate, write
from demotic import _core
from demotic import shared_extraction as shared
from demotic.align import Aligner, AlignOptions
from demotic.align import shared_training as training
from demotic.align.priors import Priors
from demotic.cli.main import run
from demotic.errors import FormatError
from demotic.features.dense import Kind
from demotic.lm import LmOptions, estimate_lm, shared_counts
from demotic.lm.disk import estimate_on_disk
from demotic.rules import RuleOptions, extract
from demotic.shared_extraction import extract_shared
from demotic.text.parallel import ParallelCorpus
from demotic.workers.driver import Driver
from tests.lm.test_disk import ODD, zipf
from tests.workers.chaos import chaotic
from tests.workers.conftest import KINDS, Use


@pytest.fixture(scope="module")
def text(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The bundled corpus, a part of it, with some empty lines."""
    folder = tmp_path_factory.mktemp("corpus")
    write(generate(3, train=150, dev=2, test=2), folder)
    for side in ("train.zh", "train.en"):
        path = folder / "tok" / side
        path.write_text(path.read_text(encoding="utf-8") + "\n" * 2, encoding="utf-8")
    return folder / "tok"


@pytest.fixture(scope="module")
def corpus(text: Path) -> ParallelCorpus:
    return ParallelCorpus.read(text / "train.zh", text / "train.en")


@pytest.fixture
def workers() -> Iterator[Driver]:
    with chaotic(3, 7) as driver:
        yield driver


def files(home: Path) -> dict[str, bytes]:
    """All files of a model directory; records of steps hold times."""
    paths = [path for path in home.rglob("*") if path.is_file() and path.suffix != ".json"]
    return {path.relative_to(home).as_posix(): path.read_bytes() for path in paths}


def flags(text: Path, kind: str, *more: str) -> list[str]:
    sides = ["--src", str(text / "train.zh"), "--tgt", str(text / "train.en")]
    return ["build", *sides, "--kind", kind, "--quiet", *more]


@pytest.mark.parametrize("kind", KINDS)
def test_models(text: Path, home: Path, use: Use, kind: str) -> None:
    use("chaos")
    assert run(flags(text, kind, "-o", "one", "--threads", "1")) == 0
    assert run(flags(text, kind, "-o", "two", "--threads", "2")) == 0
    assert run(flags(text, kind, "-o", "chaos", "--workers", "chaos")) == 0
    expected = files(home / "one")
    assert {"rules.bin", "lm-0.lm", "work/links.gz"} <= expected.keys()
    assert expected == files(home / "two") == files(home / "chaos")


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_a_killed_process_changes_no_model(text: Path, home: Path, use: Use) -> None:
    said = use("killed")
    small = ["--preset", "fast"]
    assert run(flags(text, "hiero", *small, "-o", "one")) == 0
    assert run(flags(text, "hiero", *small, "-o", "killed", "--workers", "killed")) == 0
    assert files(home / "one") == files(home / "killed")
    assert any("was lost: killed by SIGKILL" in line for line in said)


def test_a_build_resumes_with_workers(text: Path, home: Path, use: Use) -> None:
    """What was done without them is kept, and folders of a killed process are removed."""
    use("chaos")
    command = flags(text, "phrase", "--preset", "fast", "-o", "model")
    assert run(command) == 0
    expected = files(home / "model")
    (home / "model" / "rules.bin").unlink()
    (home / "model" / "rules.partial-x").mkdir()
    assert run([*command, "--workers", "chaos"]) == 0
    assert files(home / "model") == expected
    assert not list((home / "model").glob("*.partial-*"))


ALIGNERS = {
    "hmm": AlignOptions(iterations=2, initial_iterations=2),
    "hmm after diagonal": AlignOptions(iterations=1, initial_model="diagonal", agree=False),
    "diagonal": AlignOptions(model="diagonal", iterations=3),
    "ibm1, l0": AlignOptions(model="ibm1", iterations=2, l0=True),
    "few cells, short": AlignOptions(iterations=2, max_cells=0, max_length=8),
}


@pytest.mark.parametrize("parts", [64, 2])
@pytest.mark.parametrize("options", ALIGNERS.values(), ids=ALIGNERS)
def test_aligners(
    corpus: ParallelCorpus,
    workers: Driver,
    monkeypatch: pytest.MonkeyPatch,
    options: AlignOptions,
    parts: int,
) -> None:
    monkeypatch.setattr(training, "_PARTS", parts)
    alone = Aligner(options).fit(corpus)
    for threads in (1, 3):
        divided = Aligner(options).fit(corpus, threads=threads, workers=workers)
        assert divided.digest() == alone.digest()
        assert divided.log_likelihoods_ == alone.log_likelihoods_
        assert divided.align(corpus, workers=workers) == alone.align(corpus)
        assert divided.cut_ == alone.cut_


def test_aligners_with_priors(corpus: ParallelCorpus, workers: Driver) -> None:
    word, other = (
        side.vocabulary.word(int(side.ids(0)[0])) for side in (corpus.source, corpus.target)
    )
    priors = Priors(pairs={(word, other): 50.0})
    alone = Aligner(ALIGNERS["hmm"]).fit(corpus, priors=priors)
    divided = Aligner(ALIGNERS["hmm"]).fit(corpus, priors=priors, workers=workers)
    assert divided.digest() == alone.digest() != Aligner(ALIGNERS["hmm"]).fit(corpus).digest()


RULES = {
    "plain": {},
    "removed": {"min_count": 2, "significance": 0.01},
    "smoothed": {"smoothing": "kneser-ney", "low_counts": True},
    "smoothed and removed": {"smoothing": "good-turing", "min_count": 2},
    "hierarchical": {"orientation": "hierarchical"},
    "little memory": {"memory": 1},
    "all gaps": {"distortion_sentences": 0, "share_count": False},
    "without rare gaps": {"min_gapped_count": 0.04},
}


@pytest.mark.parametrize("given", RULES.values(), ids=RULES)
@pytest.mark.parametrize("kind", KINDS)
def test_rules(
    corpus: ParallelCorpus,
    workers: Driver,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    kind: Kind,
    given: dict[str, object],
) -> None:
    """Of two sets of links, with any number of shards and parts."""
    options = replace(RuleOptions(), **given)  # type: ignore[arg-type]
    sides = corpus.source.sentences, corpus.target.sentences
    links = [
        Aligner(AlignOptions(model=model, iterations=1)).fit(corpus).align(corpus)
        for model in ("ibm1", "diagonal")
    ]
    report = extract(*sides, links, tmp_path / "alone", kind=kind, options=options)
    for parts in (64, 3):
        monkeypatch.setattr(shared, "_PARTS", parts)
        path = tmp_path / "divided"
        same = extract_shared(workers, *sides, links, path, kind=kind, options=options)
        assert path.read_bytes() == (tmp_path / "alone").read_bytes()
        for name in ("sentences", "too_long", "occurrences", "rules", "removed"):
            assert getattr(same, name) == getattr(report, name)
        assert same.distortion.in_order == report.distortion.in_order
        assert same.distortion.reordered == report.distortion.reordered


@pytest.mark.parametrize("parts", [64, 2])
@pytest.mark.parametrize(("order", "prune"), [(1, "0"), (2, "0"), (4, "0 0 1"), (5, "0 1 2")])
def test_language_models(
    workers: Driver,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    order: int,
    prune: str,
    parts: int,
) -> None:
    monkeypatch.setattr(shared_counts, "_PARTS", parts)
    for name, lines in (("a", zipf(200)), ("b", ODD)):
        (tmp_path / name).write_text("\n".join(lines) + "\n")
    texts, options = [tmp_path / "a", tmp_path / "b"], LmOptions(order=order, prune=prune)
    model = estimate_lm(texts, options)
    for ending in ("arpa", "lm"):
        wanted, found = tmp_path / f"wanted.{ending}", tmp_path / f"found.{ending}"
        model.save(wanted)
        report = estimate_on_disk(texts, found, options, memory=1, workers=workers)
        assert found.read_bytes() == wanted.read_bytes()
        assert (report.counts, report.discounts) == (model.counts, model.discounts)
    assert {path.name for path in tmp_path.iterdir()} == {
        *("a", "b", "wanted.arpa", "wanted.lm", "found.arpa", "found.lm")
    }


def test_the_verbs(text: Path, home: Path, use: Use, capsys: pytest.CaptureFixture[str]) -> None:
    use("chaos")
    english = str(text / "train.en")
    assert run(["lm", english, "-o", "one.arpa", "--quiet"]) == 0
    assert run(["lm", english, "-o", "chaos.arpa", "--workers", "chaos"]) == 0
    assert (home / "chaos.arpa").read_bytes() == (home / "one.arpa").read_bytes()
    assert "parts of the work: worker w0 did" in capsys.readouterr().err
    assert run(["lm", "--from", "one.arpa", "-o", "x.lm", "--workers", "chaos"]) == 2
    assert "--workers is about estimation from text alone" in capsys.readouterr().err
    align = ["align", str(text / "train.zh"), english, "--quiet"]
    assert run([*align, "-o", "one.links", "--save", "one.aligner"]) == 0
    assert run([*align, "-o", "x.links", "--save", "x.aligner", "--workers", "chaos"]) == 0
    for kind in ("links", "aligner"):
        assert (home / f"x.{kind}").read_bytes() == (home / f"one.{kind}").read_bytes()


def test_text_without_words_is_refused(workers: Driver, tmp_path: Path) -> None:
    (tmp_path / "empty").write_text("\n\n")
    with pytest.raises(FormatError, match="no words"):
        estimate_on_disk([tmp_path / "empty"], tmp_path / "x.lm", LmOptions(), workers=workers)
    assert [path.name for path in tmp_path.iterdir()] == ["empty"]


def test_damaged_answers_are_refused(corpus: ParallelCorpus, tmp_path: Path) -> None:
    """Transports compare digests; this is the second check."""
    sides = corpus.source.sentences, corpus.target.sentences
    links = [Aligner(ALIGNERS["diagonal"]).fit(corpus).align(corpus)]
    options = RuleOptions().native("phrase", 1)
    driver = _core.ExtractionDriver(*sides, str(tmp_path / "rules"), options)
    worker = _core.ExtractionWorker(*sides, links, options)
    part, home = tmp_path / "part", str(tmp_path)
    found, _, _ = worker.extract(0, len(corpus), 1)
    part.write_bytes(found[0])
    targets, counted, tallies = worker.count(str(part), home, [])
    driver.add_targets(targets)
    part.write_bytes(counted[0])
    scored = worker.score(str(part), home, [0], tallies)
    for damaged in (b"", scored[:-1], scored[:60], b"\xff" + scored[1:], scored + b"?"):
        with pytest.raises(FormatError, match="a damaged part of rules"):
            driver.add(damaged)
    for damaged in (b"", counted[0][:-1], counted[0] * 2):
        part.write_bytes(damaged)
        with pytest.raises(FormatError, match="a damaged part of rules"):
            worker.score(str(part), home, [0], tallies)
    part.write_bytes(found[0][:-1])
    with pytest.raises(FormatError, match="a damaged part of rules"):
        worker.count(str(part), home, [])
    with pytest.raises(IndexError):
        worker.extract(0, len(corpus) + 1, 1)

    native = training.train_options(AlignOptions())
    trainer = _core.AlignerTrainer(*sides, native, _core.AlignmentPriors(), 1)
    with pytest.raises(FormatError, match="bytes of posteriors"):
        trainer.add(0, trainer.chunks, b"?")
    with pytest.raises(IndexError):
        trainer.add(0, trainer.chunks + 1, b"")

    np.array([1, 5], np.uint32).tofile(tmp_path / "tokens")
    with pytest.raises(FormatError, match="a damaged file"):
        _core.count_ngram_part(
            str(tmp_path / "tokens"), 2, 0, 9, 1, str(tmp_path), str(tmp_path / "out")
        )
