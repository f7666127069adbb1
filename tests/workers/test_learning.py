"""Weights learnt with the help of workers are those learnt without, whatever happens to them."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

from demotic.cli.main import run
from demotic.learn.shared_decoding import SharedDecoder
from demotic.workers.arrays import from_bytes, to_bytes
from demotic.workers.driver import Driver
from tests.workers.conftest import KINDS, Use

TUNE = "--src dev.de --ref dev.en --rounds 3 --nbest 20 --quiet --no-confidence".split()
TRAIN = (
    "--src dev.de --tgt dev.en --dev-src dev.de --dev-ref dev.en --epochs 2 --folds 2 --batch 5 "
    "--dense-rate 1 --rate 1 --keep last --min-bleu 0 --quiet --no-confidence"
).split()
WEIGHTS = ("weights.tsv", "sparse.bin")


def weights(folder: Path) -> dict[str, bytes]:
    """What was learnt, and for training the gold forests."""
    names = [name for name in WEIGHTS if (folder / name).exists()]
    names += [path.relative_to(folder).as_posix() for path in folder.rglob("gold.bin")]
    return {name: (folder / name).read_bytes() for name in sorted(names)}


DEV_TOKENS = ["--dev-src-tokenized", "--dev-ref-tokenized"]
TUNED = {
    "mira": [],
    "mert, dev set": [*"--method mert --dev-src t.de --dev-ref t.en".split(), *DEV_TOKENS],
    "search-aware": ["--search-aware", "potential"],
    "new sparse features": ["--features", "z14", "--method", "rm"],
    "forests": ["--method", "hgmert"],
    "forests with sparse features": ["--method", "forest-mira", "--features", "z14"],
}


@pytest.mark.parametrize("flags", TUNED.values(), ids=TUNED)
@pytest.mark.parametrize("kind", KINDS)
def test_tuned_weights(
    home: Path, use: Use, kind: str, flags: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    use("chaos")
    monkeypatch.setattr(SharedDecoder, "search", None)  # the driver searches nothing
    extra = ["--train-src", "dev.de", "--train-tgt", "dev.en"] if "--features" in flags else []
    command = ["tune", f"untuned-{kind}", *TUNE, *flags, *extra]
    assert run([*command, "-o", "one", "--threads", "1"]) == 0
    assert run([*command, "-o", "chaos", "--workers", "chaos"]) == 0
    expected = weights(home / "one")
    assert expected == weights(home / "chaos")
    assert expected["weights.tsv"] != (home / f"untuned-{kind}" / "weights.tsv").read_bytes()


def test_several_runs_share_the_same_text(home: Path, use: Use) -> None:
    use("chaos")
    command = ["tune", "untuned-phrase", *TUNE, "--runs", "2"]
    assert run([*command, "-o", "one"]) == 0
    assert run([*command, "-o", "chaos", "--workers", "chaos"]) == 0
    assert weights(home / "one") == weights(home / "chaos")


def test_sparse_weights_of_a_model_are_tuned(home: Path, use: Use) -> None:
    use("chaos")
    features = ["--features", "z14", "--train-src", "dev.de", "--train-tgt", "dev.en"]
    assert run(["tune", "untuned-phrase", *TUNE, *features, "-o", "sparse"]) == 0
    command = ["tune", "sparse", *TUNE, "--tune-sparse", "--method", "pro"]
    assert run([*command, "-o", "one"]) == 0
    assert run([*command, "-o", "chaos", "--workers", "chaos"]) == 0
    assert weights(home / "one") == weights(home / "chaos")
    assert "sparse.bin" in weights(home / "one")


TRAINED = {
    "folds": ["--features", "z14"],
    "dense": ["--features", "none"],
    "leave-one-out": ["--features", "z14", "--held-out", "leave-one-out", "--start", "zero"],
    "hope and fear": ["--features", "z14", "--unreachable", "hope-fear"],
}


@pytest.mark.parametrize("flags", TRAINED.values(), ids=TRAINED)
@pytest.mark.parametrize("kind", KINDS)
def test_trained_weights(home: Path, use: Use, kind: str, flags: list[str]) -> None:
    use("chaos")
    command = ["train", f"untuned-{kind}", *TRAIN, *flags]
    assert run([*command, "-o", "one", "--threads", "1"]) == 0
    assert run([*command, "-o", "two", "--threads", "2"]) == 0
    assert run([*command, "-o", "chaos", "--workers", "chaos"]) == 0
    expected = weights(home / "one")
    assert expected == weights(home / "two") == weights(home / "chaos")
    assert expected["weights.tsv"] != (home / f"untuned-{kind}" / "weights.tsv").read_bytes()


def test_a_batch_waits_for_a_worker_when_all_have_left(
    home: Path, use: Use, monkeypatch: pytest.MonkeyPatch
) -> None:
    use("chaos")
    command = ["train", "untuned-phrase", *TRAIN, "--features", "z14"]
    assert run([*command, "-o", "one"]) == 0
    monkeypatch.setattr(Driver, "count", 0)
    assert run([*command, "-o", "none", "--workers", "chaos"]) == 0
    assert weights(home / "one") == weights(home / "none")


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_a_killed_process_changes_no_weights(home: Path, use: Use) -> None:
    said = use("killed")
    command = ["train", "untuned-phrase", *TRAIN, "--features", "z14"]
    assert run([*command, "-o", "one"]) == 0
    assert run([*command, "-o", "killed", "--workers", "killed"]) == 0
    assert weights(home / "one") == weights(home / "killed")
    assert any("was lost: killed by SIGKILL" in text for text in said)


def test_training_resumes_with_workers(
    home: Path, use: Use, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An epoch without workers, the next with them."""
    use("chaos")
    command = ["train", "untuned-phrase", *TRAIN, "--features", "z14"]
    assert run([*command, "-o", "one"]) == 0
    first = [*command, "-o", "two", "--epochs", "1"]
    assert run(first) == 0
    (home / "two" / "model.toml").unlink()
    assert run([*command, "-o", "two", "--workers", "chaos"]) == 0
    assert weights(home / "one") == weights(home / "two")


def test_a_rule_of_the_users_own_is_refused(home: Path, capsys: pytest.CaptureFixture) -> None:
    (home / "rule.py").write_text(
        "class Last:\n    def choose(self, g, b, h, w):\n        return 0\n"
    )
    command = ["train", "untuned-phrase", *TRAIN, "--update-rule", "rule.py:Last", "-o", "x"]
    assert run([*command, "--workers", "local:1"]) == 2
    assert "with workers, which do not have its file" in capsys.readouterr().err


def test_arrays_survive_as_bytes() -> None:
    arrays = {
        "a b": np.arange(6, dtype=np.int32).reshape(2, 3),
        "empty": np.zeros(0, np.float64),
        "keys": np.array([1, 2**63], np.uint64),
    }
    found = from_bytes(to_bytes(arrays))
    assert list(found) == list(arrays)
    for name, one in arrays.items():
        assert found[name].dtype == one.dtype
        np.testing.assert_array_equal(found[name], one)
    with pytest.raises(Exception, match="no arrays"):
        from_bytes(to_bytes(arrays)[:-1])
