"""Outputs, messages and refusals of `demotic train`; a killed run ends with the same weights."""

from __future__ import annotations

import json
import os
import random
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from demotic.cli.main import run
from demotic.model import Model
from tests.learn.untuned import write_dev
from tests.search.small_models import pairs

TRAIN = (
    "train phrase --src train.de --tgt train.en --dev-src dev.de --dev-ref dev.en "
    "--epochs 3 --patience 0 --threads 1 --quiet --features z14"
).split()


@pytest.fixture
def texts(home: Path) -> Path:
    write_dev(home)
    for side, name in enumerate(("train.de", "train.en")):
        lines = "".join(f"{pair[side]}\n" for pair in pairs())
        (home / name).write_text(lines, encoding="utf-8")
    return home


def weights_of(path: Path) -> tuple[dict[str, float], bytes]:
    model = Model.load(path)
    assert model.sparse is not None
    keys, weights = model.sparse.weights.arrays()
    return dict(model.weights), np.asarray(keys).tobytes() + np.asarray(weights).tobytes()


def test_a_model_with_sparse_weights_that_translates(
    texts: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert run([*TRAIN, "--folds", "2", "--json", "-o", "trained"]) == 0, capfd.readouterr().err
    shown = json.loads(capfd.readouterr().out)
    assert [one["number"] for one in shown["epochs"]] == [1, 2, 3]
    assert 0 < shown["pairs"] <= shown["bitext"] == len(pairs())
    lines = (texts / "trained" / "training" / "epochs.jsonl").read_text("utf-8").splitlines()
    assert len(lines) == 4
    model = Model.load("trained")
    assert model.sparse is not None
    assert model.info.origin["trained_by"] == "max-violation"
    assert run(["translate", "trained", "dev.de", "--quiet"]) == 0
    assert len(capfd.readouterr().out.splitlines()) == 33
    assert run(["weights", "trained", "--json"]) == 0
    assert json.loads(capfd.readouterr().out)["sparse"]


def test_the_kind_of_text_and_of_settings_that_is_refused(
    texts: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (texts / "short.en").write_text("The house is small.\n", "utf-8")
    wrong = [*TRAIN, "--tgt", "short.en", "-o", "t"]
    assert run(wrong) == 2
    assert "short.en" in capfd.readouterr().err
    assert run([*TRAIN, "--features", "no-such", "-o", "t"]) == 2
    assert "no-such" in capfd.readouterr().err
    assert run([*TRAIN, "--rate", "nan", "-o", "t"]) == 2
    assert run([*TRAIN, *"--held-out none --start zero --rate 1e30 -o t".split()]) in (1, 2)
    assert "Traceback" not in capfd.readouterr().err


def test_what_is_said(texts: Path, capfd: pytest.CaptureFixture[str]) -> None:
    order = [one for one in TRAIN if one != "--quiet"]
    (texts / "train.de").write_text(
        (texts / "train.de").read_text("utf-8") + "Neue Wörter.\n", "utf-8"
    )
    (texts / "train.en").write_text(
        (texts / "train.en").read_text("utf-8") + "New words.\n", "utf-8"
    )
    flags = "--folds 2 --epochs 1 --keep best -o trained".split()
    assert run([*order, *flags]) == 0
    captured = capfd.readouterr()
    progress = captured.err.partition("next:\n")[0]
    unknown, derived, header, start, *epochs = progress.splitlines()
    assert unknown == (
        "1 of 65 pairs have words that the model does not know (its text was filtered); the rules "
        "and language models of the folds are made without them"
    )
    assert " of 65 pairs (" in derived
    assert header.split()[:2] == ["epoch", "BLEU"]
    assert start.split() == "0 100.00 1.000 the given model".split()
    assert [line.split()[0] for line in epochs] == ["1"]
    curve, outcome = captured.out.splitlines()
    assert re.fullmatch(r"BLEU on the dev set by epoch: 100\.00 [▁-█]{2} \d+\.\d\d", curve)
    assert re.fullmatch(
        r"Wrote the phrase model trained, trained by max-violation on \d+ of 65 pairs, and by "
        r"local updates on \d+ unreachable ones\. It ran 1 epoch in [\d.]+ s and "
        r"stopped because --epochs is 1\. Training did not help: dev BLEU 100\.00 before, "
        r"\d+\.\d\d after the best epoch, so the weights of the given model are kept\. "
        r"BLEU nrefs:1\|.*\.",
        outcome,
    )
    assert "  translate     demotic translate trained < FILE.de\n" in captured.err
    assert "demotic tune" not in captured.err  # nothing has changed
    assert Model.load("trained").weights == Model.load("phrase").weights


def test_what_is_said_of_training_that_helped(
    texts: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """From zero, so that every epoch is better than none, and with length control."""
    order = [one for one in TRAIN if one != "--quiet"]
    flags = "--held-out none --start zero --dense-rate 1 --epochs 2 --keep best-epoch -o trained"
    assert run([*order, *flags.split()]) == 0
    captured = capfd.readouterr()
    outcome = captured.out.splitlines()[1]
    assert re.fullmatch(
        r"Wrote the phrase model trained, trained by max-violation on 64 of 64 pairs\. It ran 2 "
        r"epochs in [\d.]+ s and stopped because --epochs is 2\. Epoch \d is kept, the best on the "
        r"dev set: BLEU [\d.]+ before, [\d.]+ after \([+-][\d.]+\), with [\d,]+ sparse features\. "
        r"(That is worse than the given model; .* --keep best\. )?"
        r"Length control changed the word penalty from \S+ to \S+, which gives translations of "
        r"the dev set [\d.]+ times the length of the references, instead of [\d.]+\. BLEU .*\.",
        outcome,
    )
    line = "demotic tune trained --src dev.de --ref dev.en -o trained-tuned"
    assert line in captured.err
    assert run([*line.split()[1:], "--rounds", "1", "--quiet"]) == 0


def test_what_is_said_of_a_last_epoch_that_is_worse(
    texts: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """The given model translates the dev set perfectly, but training begins from zero."""
    order = [one for one in TRAIN if one != "--quiet"]
    assert run([*order, *"--held-out none --start zero --length-ratio 0 -o trained".split()]) == 0
    outcome = capfd.readouterr().out.splitlines()[1]
    assert re.search(
        r"Epoch 3 is kept, the last one: BLEU 100\.00 before, \d\d\.\d\d after \(-[\d.]+\), with "
        r"[\d,]+ sparse features\. That is worse than the given model; tune the new one before you "
        r"judge it, or keep the better weights with --keep best\.",
        outcome,
    )


def test_a_model_that_is_not_changed_need_not_be_tuned(
    texts: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """Even if it has sparse weights already."""
    flags = "--held-out none --epochs 1 --keep last".split()
    assert run([*TRAIN, *flags, "-o", "first"]) == 0
    order = ["train", "first", *(one for one in TRAIN[2:] if one != "--quiet")]
    capfd.readouterr()
    assert run([*order, *"--held-out none --epochs 1 --rate 0 --keep best -o second".split()]) == 0
    captured = capfd.readouterr()
    assert "Training did not help" in captured.out
    assert "demotic tune" not in captured.err


@pytest.mark.parametrize("kills", [3, pytest.param(200, marks=pytest.mark.long)])
def test_killed_at_any_time_it_ends_with_the_same_weights(texts: Path, kills: int) -> None:
    flags = [*TRAIN, *"--held-out none --start zero --batch 1 --epochs 20".split()]
    assert run([*flags, "-o", "whole"]) == 0
    expected = weights_of(texts / "whole")
    rng = random.Random(1)
    done = runs = 0
    while done < kills:
        out = f"killed-{runs}"
        done += killed(flags, texts / out, kills - done, rng)
        runs += 1
        assert run([*flags, "-o", out]) == 0
        assert weights_of(texts / out) == expected


def killed(flags: list[str], out: Path, most: int, rng: random.Random) -> int:
    """Kills a run repeatedly until it finishes; returns the number of kills."""
    command = [sys.executable, "-m", "tests.cli.train_in_small_steps", *flags, "-o", out.name]
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    checkpoint = out / "training" / "checkpoint.json"
    states, kills = set(), 0
    while kills < most and not (out / "model.toml").exists():
        process = subprocess.Popen(
            command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        before = checkpoint.read_bytes() if checkpoint.exists() else b""
        while process.poll() is None and (
            not checkpoint.exists() or checkpoint.read_bytes() == before
        ):
            time.sleep(0.01)
        time.sleep(rng.uniform(0, 0.4))
        process.send_signal(signal.SIGKILL)
        kills += process.wait() == -signal.SIGKILL
        if checkpoint.exists():
            states.add(checkpoint.read_bytes())
    assert states  # it made progress before being stopped
    return kills
