"""The outputs, messages and refusals of `demotic tune`; it survives kills."""

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

import pytest

from demotic.cli.main import run
from demotic.cli.tune_view import sparkline
from demotic.features.weights import Weights
from demotic.formats.exporting import export_model
from demotic.formats.importing import import_model
from demotic.lm import LanguageModel
from demotic.model import Model
from tests.learn.untuned import untuned, write_dev

PROGRAM = "import sys; from demotic.cli.main import run; sys.exit(run(sys.argv[1:]))"
TUNE = "--src dev.de --ref dev.en --threads 1".split()


@pytest.fixture
def dev(home: Path) -> Path:
    """The folder of models, one of them with bad weights, and a tuning set."""
    untuned(Model.load("phrase"), home / "bad")
    write_dev(home)
    return home


def tuned(capfd: pytest.CaptureFixture[str], *command: str) -> dict[str, object]:
    assert run(["tune", *command, "--json"]) == 0, capfd.readouterr().err
    found: dict[str, object] = json.loads(capfd.readouterr().out)
    return found


def bleu_of(capfd: pytest.CaptureFixture[str], model: str) -> float:
    """As a user would check it: raw text in, raw text out, no flags."""
    assert run(["translate", model, "dev.de"]) == 0
    Path("out").write_text(capfd.readouterr().out, encoding="utf-8")
    assert run("evaluate out --ref dev.en --json".split()) == 0
    found = json.loads(capfd.readouterr().out)
    return float(found["metrics"]["bleu"]["systems"][0]["score"])


def test_a_model_that_translates_better(dev: Path, capfd: pytest.CaptureFixture[str]) -> None:
    before = bleu_of(capfd, "bad")
    flags = "--rounds 3 --beam 30 --pop-limit 60 -o good".split()
    found = tuned(capfd, "bad", *TUNE, *flags)
    assert found["method"] == "mira"
    assert bleu_of(capfd, "good") > 90 > before + 20
    model = Model.load("good")
    assert model.settings["beam_size"] == 30
    assert model.settings["pop_limit"] == 60
    assert dict(model.weights) == found["weights"]
    assert model.info.origin["tuned_by"] == "mira"
    assert model.info.origin["tuning_score"] == pytest.approx(found["score"], abs=1e-4)
    assert str(model.info.origin["tuning_signature"]).startswith("nrefs:1|")
    assert Weights.read("good/runs/1/weights.tsv") == model.weights
    assert os.path.samefile("bad/rules.bin", "good/rules.bin")
    assert dict(Model.load("bad").weights) != dict(model.weights)


def test_what_is_said(dev: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["tune", "bad", *TUNE, "--rounds", "2", "-o", "good"]) == 0
    captured = capfd.readouterr()
    header, *rounds = captured.err.partition("next:\n")[0].splitlines()
    assert header.split()[:2] == ["round", "BLEU"]
    assert [line.split()[0] for line in rounds] == ["1", "2"]
    assert rounds[-1].endswith("0 s")
    curve, outcome = captured.out.splitlines()
    assert re.fullmatch(r"BLEU on the tuning set by round: \d.* [▁-█]{3} \d+\.\d\d", curve)
    assert re.fullmatch(
        r"Wrote the phrase model good, tuned by mira: BLEU on the tuning set \d+\.\d\d before, "
        r"\d+\.\d\d after\. It kept the weights of round \d, the best on the tuning set\. It "
        r"stopped after 2 rounds, because --rounds is 2; [\d.]+ s in total\. BLEU nrefs:1\|.*\.",
        outcome,
    )
    steps = captured.err[captured.err.index("next:\n") :]
    assert "  translate     demotic translate good < FILE.de\n" in steps
    assert run(["tune", "bad", *TUNE, "--rounds", "2", "-o", "good"]) == 0
    assert capfd.readouterr() == (captured.out, steps)  # nothing was left to do


def test_a_dev_set_chooses_the_round(dev: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """The tuning set is learnt from, the dev set is only scored."""
    for name in ("de", "en"):
        lines = Path(f"dev.{name}").read_text(encoding="utf-8").splitlines(keepends=True)
        Path(f"tune.{name}").write_text("".join(lines[:20]), encoding="utf-8")
        Path(f"rest.{name}").write_text("".join(lines[20:]), encoding="utf-8")
    flags = "--src tune.de --ref tune.en --dev-src rest.de --dev-ref rest.en --rounds 2".split()
    assert run(["tune", "bad", *flags, "-o", "good"]) == 0
    captured = capfd.readouterr()
    assert captured.err.splitlines()[0].split()[:4] == ["round", "BLEU", "dev", "BLEU"]
    assert re.search(
        r"tuned by mira: BLEU on the dev set \d+\.\d\d before, \d+\.\d\d after; on the tuning set "
        r"\d+\.\d\d before, \d+\.\d\d after\. It kept .*, the best on the dev set\.",
        captured.out,
    )
    found = tuned(capfd, "bad", *flags, "-o", "good")
    (one,) = found["runs"]  # type: ignore[misc]
    assert found["dev_score"] == max(one["dev_curve"]) > one["dev_curve"][0]
    assert one["dev_curve"][one["kept_round"]] == found["dev_score"]
    assert found["chosen_on"] == "dev set"
    origin = Model.load("good").info.origin
    assert origin["tuning_dev_score"] == pytest.approx(found["dev_score"], abs=1e-4)
    alone = tuned(capfd, "bad", *flags[:4], *flags[-2:], "-o", "alone")
    assert alone["runs"][0]["curve"] == one["curve"]  # type: ignore[index]
    assert run(["info", "good"]) == 0
    said = capfd.readouterr().out
    assert re.search(r"tune by mira: round \d of 2 \(best on the dev set\), dev BLEU", said)
    assert run(["tune", "bad", *flags[:6], "-o", "x"]) == 2
    assert "--dev-ref is missing" in capfd.readouterr().err
    same = "--src tune.de --ref tune.en --dev-src tune.de --dev-ref tune.en -o x".split()
    assert run(["tune", "bad", *same]) == 2
    assert "the dev set has the same text as the tuning set" in capfd.readouterr().err


def test_the_last_weights_are_kept_by_methods_that_do_not_win_there(
    dev: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    for name, flags in (("aware", "--search-aware potential"), ("rm", "--method rm")):
        command = ["bad", *TUNE, *flags.split(), "--rounds", "2", "-o", name]
        found = tuned(capfd, *command)
        assert (found["keep"], found["kept_round"], found["chosen_on"]) == ("last", 2, None)
        assert run(["tune", *command]) == 0
        assert "It kept the last weights, whether or not they are the best" in (
            capfd.readouterr().out
        )
        assert run(["info", name]) == 0
        assert "round 2 of 2 (last)" in capfd.readouterr().out
    asked = "--search-aware potential --keep best --rounds 2 -o asked".split()
    assert tuned(capfd, "bad", *TUNE, *asked)["chosen_on"] == "tuning set"


def test_runs(dev: Path, capfd: pytest.CaptureFixture[str]) -> None:
    flags = "--rounds 2 --method mert --option restarts=2 --runs 3 --seed 5".split()
    found = tuned(capfd, "bad", *TUNE, *flags, "-o", "good")
    runs = found["runs"]
    assert isinstance(runs, list)
    assert [one["seed"] for one in runs] == [5, 6, 7]
    scores = [one["score"] for one in runs]
    assert found["mean"] == pytest.approx(sum(scores) / 3)
    assert isinstance(found["deviation"], float)
    best = scores.index(max(scores)) + 1
    assert found["best_run"] == best
    kept = [Weights.read(f"good/runs/{number}/weights.tsv") for number in (1, 2, 3)]
    assert kept[best - 1] == Model.load("good").weights
    assert Model.load("good").info.origin["tuning_seed"] == 4 + best
    alone = "--rounds 2 --method mert --option restarts=2 --seed 6".split()
    tuned(capfd, "bad", *TUNE, *alone, "-o", "alone")
    assert Weights.read("alone/weights.tsv") == kept[1]


def test_tokens_are_tuned_on_as_they_are(dev: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Text prepared beforehand or by the model gives the same weights."""
    text = Model.load("bad").raw_text
    for name, prepared in (("dev.de", text.prepared), ("dev.en", text.prepared_reference)):
        lines = [prepared(line) for line in Path(name).read_text(encoding="utf-8").split("\n")]
        Path(f"tok.{name}").write_text("\n".join(lines), encoding="utf-8")
    raw = tuned(capfd, "bad", *TUNE, "--rounds", "1", "-o", "raw")
    files = "--src tok.dev.de --ref tok.dev.en --tokenized".split()
    tokens = tuned(capfd, "bad", *files, "--rounds", "1", "-o", "tokens-out")
    assert tokens["weights"] == raw["weights"]


def test_several_references(dev: Path, capfd: pytest.CaptureFixture[str]) -> None:
    lines = Path("dev.en").read_text(encoding="utf-8").splitlines()
    Path("other.en").write_text("".join(f"oh , {line}\n" for line in lines), encoding="utf-8")
    found = tuned(capfd, "bad", *TUNE, "--ref", "other.en", "--rounds", "1", "-o", "two")
    assert str(found["signature"]).startswith("nrefs:2|")


def test_models_of_moses(dev: Path, capfd: pytest.CaptureFixture[str]) -> None:
    export_model(Model.load("tokens"), "moses", "exported")
    LanguageModel.load("tokens/lm-0.lm").save("exported/lm.arpa")
    config = Path("exported/moses.ini")
    config.write_text(config.read_text().replace("lm-0.lm", "lm.arpa"))
    untuned(import_model("exported/moses.ini", "imported").model, dev / "foreign")
    for name in ("dev.de", "dev.en"):
        text = Path(name).read_text(encoding="utf-8").lower().replace(".", " .")
        Path(name).write_text(text, encoding="utf-8")
    found = tuned(capfd, "foreign", *TUNE, "--rounds", "3", "-o", "good")
    assert found["score"] > 90 > found["score_before"] + 20  # type: ignore[operator]
    assert run("translate good dev.de --quiet".split()) == 0
    assert capfd.readouterr().out.splitlines()[0] == "the house is small ."


def test_hiero(dev: Path, capfd: pytest.CaptureFixture[str]) -> None:
    untuned(Model.load("hiero"), dev / "bad-hiero")
    found = tuned(capfd, "bad-hiero", *TUNE, "--rounds", "3", "-o", "good")
    assert found["score"] > 90 > found["score_before"] + 20  # type: ignore[operator]
    assert run(["tune", "bad-hiero", *TUNE, "--rounds", "1", "-o", "other"]) == 0
    assert "Wrote the Hiero model other, tuned by mira" in capfd.readouterr().out


def test_another_metric_is_named_everywhere(dev: Path, capfd: pytest.CaptureFixture[str]) -> None:
    flags = "--metric TER --method mert --rounds 2 -o ter".split()
    assert run(["tune", "bad", *TUNE, *flags]) == 0
    said = capfd.readouterr()
    assert re.search(r"round    TER  candidates   their TER    change", said.err)
    assert "TER on the tuning set by round:" in said.out
    assert "TER (lower is better) nrefs:1|case:lc" in said.out
    assert "BLEU" not in said.out
    origin = Model.load("ter").info.origin
    assert origin["tuning_metric"] == "TER"
    assert origin["tuning_score"] < origin["tuning_score_before"]  # type: ignore[operator]
    assert run(["info", "ter"]) == 0
    assert re.search(r"dev TER +\d+\.\d\d by tuning", capfd.readouterr().out)
    found = tuned(capfd, "bad", *TUNE, "--metric", "ter-bleu", "--rounds", "1", "-o", "both")
    assert (found["metric"], found["higher_is_better"]) == ("(TER-BLEU)/2", False)


def test_settings_of_a_metric(dev: Path, capfd: pytest.CaptureFixture[str]) -> None:
    flags = "--rounds 1 --metric-option lowercase=on --metric-option tokenize=char -o low".split()
    found = tuned(capfd, "bad", *TUNE, *flags)
    assert "case:lc|eff:no|tok:char" in str(found["signature"])
    assert run("tune --metric chrf++ --help-options".split()) == 0
    listed = capfd.readouterr().out
    assert "chrf++: F score of character and word n-grams" in listed
    assert "word_order=2" in listed
    assert run(["tune", "bad", *TUNE, "--metric-option", "beta=2", "-o", "x"]) == 2
    assert "--metric-option: no option beta; expected one of tokenize, lowercase" in (
        capfd.readouterr().err
    )


def test_search_aware_pro_takes_short_sentences(
    dev: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    long = "Das Haus ist klein. " * 3
    for name in ("dev.de", "dev.en"):
        with open(name, "a", encoding="utf-8") as file:
            file.write(long + "\n")
    flags = "--method pro --search-aware partial --rounds 1".split()
    assert run(["tune", "bad", *TUNE, *flags, "-o", "short"]) == 0
    said = (
        "tuning on 33 of 34 sentences: those of at most 9 words, the default of search-aware pro\n"
    )
    assert capfd.readouterr().err.startswith(said)
    assert run(["tune", "bad", *TUNE, *flags, "--max-words", "99", "-o", "all"]) == 0
    assert capfd.readouterr().err.startswith("tuning on 34 of 34 sentences: those of at most 99")
    assert Model.load("all").info.origin["tuning_sentences"] == 34


def test_options_are_listed(dev: Path, capfd: pytest.CaptureFixture[str]) -> None:
    for order in (["--method", "rm-cp", "--help-options"], ["--help-options", "--method", "rm-cp"]):
        assert run(["tune", *order]) == 0
        listed = capfd.readouterr().out
        assert listed.startswith("rm-cp: relative margin, solved exactly")
        assert "solver=cutting-plane" in listed
        assert "bound=0.3" in listed
    assert run(["tune", "--help-options", "--method", "magic"]) == 2


ERRORS = {
    "bad --src dev.de --ref short.en -o x": (
        "short.en: 1 line here, but 33 in dev.de; expected equal numbers of lines"
    ),
    "bad --src empty --ref empty -o x": "empty: no lines; expected one sentence per line",
    "bad --src blank --ref blank -o x": "the tuning set is empty; expected a few hundred sentences",
    "bad --src dev.de --ref dev.en -o phrase": "phrase: a model exists already",
    "bad --src dev.de --ref dev.en -o bad": "bad: the directory of the model bad itself",
    "nowhere --src dev.de --ref dev.en -o x": "nowhere: no such directory",
    "tokens --src dev.de --ref dev.en -o x --raw": "raw text for a model without a preparation",
    "bad --src dev.de --ref dev.en -o x --option nothing=1": "no option nothing; expected one of s",
    "bad --src dev.de --ref dev.en -o x --option step": "'step' is not NAME=VALUE",
    "bad --src dev.de --ref dev.en -o x --option step=nan": "step is 'nan'; expected a number of",
    "bad --src dev.de --ref dev.en -o x --option sweeps=1.5": "expected a whole number of at leas",
    "bad --src dev.de --ref dev.en -o x --option solver=simplex": "one of pa, cutting-plane (see d",
    "bad --src dev.de --ref dev.en -o x --method magic": "no method 'magic'; expected one of mira",
    "bad --src dev.de -o x": "missing option --ref",
    "bad --src dev.de --ref dev.en": "missing option --out",
    "hiero --src dev.de --ref dev.en -o x --no-future-cost": (
        "hiero: --no-future-cost for a Hiero model; expected a phrase model (omit it)"
    ),
    "bad --src dev.de --ref dev.en -o x --train-src dev.de": (
        "--train-src without --features: word classes"
    ),
    "bad --src dev.de --ref dev.en -o x --features default+tags": (
        "--features default+tags has templates with tags; expected templates without tags"
    ),
    "phrase --src dev.de --ref dev.en -o x --dev-src dev.en --dev-ref dev.de": (
        "on the dev set before anything is learnt: of the source, "
    ),
    "phrase --src dev.en --ref dev.de -o x": (
        "on the tuning set before anything is learnt: of the source, "
    ),
    "bad --src dev.de --ref dev.en -o x --runs 0": "0 is not in the range x>=1",
}


@pytest.mark.parametrize("command", ERRORS)
def test_errors(dev: Path, capfd: pytest.CaptureFixture[str], command: str) -> None:
    (dev / "short.en").write_text("a\n")
    (dev / "empty").write_text("")
    (dev / "blank").write_text("\n\n")
    assert run(["tune", *command.split()]) == 2
    assert ERRORS[command] in capfd.readouterr().err
    assert not (dev / "x" / "model.toml").exists()


def test_weights_that_are_no_numbers(dev: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = dev / "bad" / "weights.tsv"
    path.write_text(re.sub(r"distortion\t.*", "distortion\tnan", path.read_text()))
    assert run(["tune", "bad", *TUNE, "-o", "x"]) == 2
    assert "the weight nan of distortion" in capfd.readouterr().err


def test_steps_without_end(dev: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Weights that overflow are refused; the model keeps the last good ones."""
    flags = "--method rampion --option rate=1e308 --rounds 3 --keep last -o x".split()
    assert run(["tune", "bad", *TUNE, *flags]) == 0
    captured = capfd.readouterr()
    assert "the learner's update was not finite; tuning stopped" in captured.err
    assert dict(Model.load("x").weights) == dict(Model.load("bad").weights)


def started(*flags: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", PROGRAM, "tune", "bad", *TUNE, *flags],
        stderr=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


RUNS = "--rounds 4 --min-change 0 --method pro --runs 2".split()


def survived(name: str, dice: random.Random, most: int) -> int:
    """Kills the run at random times until it finishes; returns the number of kills."""
    kills = 0
    while True:
        process = started(*RUNS, "-o", name)
        try:
            _, error = process.communicate(timeout=dice.uniform(0.3, 2.0) if kills < most else 300)
            assert process.returncode == 0, error
            return kills
        except subprocess.TimeoutExpired:
            os.kill(process.pid, signal.SIGKILL)
            process.communicate()
            kills += 1


@pytest.mark.parametrize("wanted", [3, pytest.param(60, marks=pytest.mark.long)])
def test_kills(dev: Path, capfd: pytest.CaptureFixture[str], wanted: int) -> None:
    """Killed at random times, it ends with the weights of an uninterrupted run."""
    whole = tuned(capfd, "bad", *TUNE, *RUNS, "-o", "whole")
    dice, kills, models = random.Random(3), 0, 0
    while kills < wanted:
        name = f"killed-{models}"
        kills += survived(name, dice, 6)
        models += 1
        assert dict(Model.load(name).weights) == whole["weights"]
        for number in (1, 2):
            weights = f"runs/{number}/weights.tsv"
            assert Path(name, weights).read_bytes() == Path("whole", weights).read_bytes()


def test_one_process_a_directory(dev: Path, capfd: pytest.CaptureFixture[str]) -> None:
    process = started("--rounds", "50", "--min-change", "0", "-o", "busy")
    while not Path("busy/runs/.demotic-lock").exists():
        assert process.poll() is None
        time.sleep(0.02)
    code = run(["tune", "bad", *TUNE, "--rounds", "50", "--min-change", "0", "-o", "busy"])
    os.kill(process.pid, signal.SIGINT)
    process.communicate()
    assert code == 2
    assert f"process {process.pid} on host" in capfd.readouterr().err
    assert process.returncode == 130


def test_sparkline() -> None:
    assert sparkline([1.0, 2.0, 8.0]) == "▁▂█"
    assert sparkline([5.0, 5.0]) == "▁▁"


def test_new_sparse_features(dev: Path, capfd: pytest.CaptureFixture[str]) -> None:
    flags = "--rounds 2 --features z14 --method rm --option sweeps=60".split()
    found = tuned(capfd, "bad", *TUNE, *flags, "-o", "sparse")
    counts = found["sparse"]
    assert isinstance(counts, dict)
    assert 0 < counts["active"] <= counts["seen"]
    assert run(["weights", "sparse", "--top", "3"]) == 0
    shown = capfd.readouterr().out
    assert re.search(r"^wordedges +[1-9]", shown, re.MULTILINE)
    assert "largest weights" in shown
    assert (
        f"tuned by rm: {counts['active']:,} active features (weight other than 0) of "
        f"{counts['seen']:,} in the candidates"
    ) in shown
    assert run(["weights", "sparse", "--json"]) == 0
    assert json.loads(capfd.readouterr().out)["tuned"] == {"method": "rm", **counts}
    assert bleu_of(capfd, "sparse") > 90
    # They can be tuned further, by a common weight or each by itself, but not replaced.
    again = tuned(capfd, "sparse", *TUNE, "--rounds", "1", "-o", "common")
    assert again["sparse"] is None
    again = tuned(capfd, "sparse", *TUNE, "--rounds", "1", "--tune-sparse", "-o", "each")
    assert again["sparse"] is not None
    assert run(["tune", "sparse", *TUNE, "--features", "ruleid", "-o", "other"]) == 2
    assert "new features for a model that has sparse features" in capfd.readouterr().err


def test_new_sparse_features_that_are_not_tuned_are_refused(
    dev: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    flags = ["--features", "z14", "--no-tune-sparse"]
    assert run(["tune", "bad", *TUNE, *flags, "-o", "sparse"]) == 2
    error = capfd.readouterr().err
    assert "new sparse features whose weights are not to be tuned" in error
    assert "omit --no-tune-sparse, or omit --features" in error
    assert not Path("sparse").exists()
    found = tuned(capfd, "bad", *TUNE, "--rounds", "1", "--no-tune-sparse", "-o", "dense")
    assert found["sparse"] is None


def test_the_number_of_sparse_weights_is_reported(
    dev: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert run(["tune", "bad", *TUNE, "--rounds", "1", "--features", "z14", "-o", "sparse"]) == 0
    shown = capfd.readouterr()
    pattern = r"Of [\d,]+ sparse\s+features of the candidates, [\d,]+ have a weight other than 0"
    assert re.search(pattern, shown.out + shown.err)


WORSE = """
from demotic.learn import LearnerResult

class Worse:
    tunes_sparse = True

    def update(self, weights, pool, metric, *, seed=1, round_number=1, threads=1):
        return LearnerResult(-weights, {"score": 0.0})
"""


def test_initial_weights_that_are_kept(dev: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """The new features have no weight: nothing is counted, and other toolkits need none."""
    (dev / "worse.py").write_text(WORSE)
    command = ["tune", "phrase", *TUNE, "--method", "worse.py:Worse", "--rounds", "1"]
    assert run([*command, "--features", "z14", "-o", "same"]) == 0, capfd.readouterr().err
    shown = capfd.readouterr().out
    assert "It kept the initial weights, the best on the tuning set." in shown
    assert shown.rstrip().endswith("Its sparse weights are the initial ones, too.")
    assert run(["info", "same"]) == 0
    clause = ": initial weights, after 1 round (best on the tuning set), BLEU 100.00"
    assert clause in capfd.readouterr().out
    assert run(["export", "same", "--format", "moses", "-o", "for-moses"]) == 0


def test_word_classes_need_the_training_text(dev: Path, capfd: pytest.CaptureFixture[str]) -> None:
    command = ["tune", "bad", *TUNE, "--rounds", "1", "--features", "default", "-o", "sparse"]
    assert run(command) == 2
    said = capfd.readouterr().err
    assert "templates with clusters of the source, but no source text" in said
    assert "--train-src and --train-tgt" in said
    assert not Path("sparse").exists()
    assert run([*command, "--train-src", "dev.de", "--train-tgt", "dev.en"]) == 0
    assert Model.load("sparse").info.parts.classes


def test_methods_of_dense_weights_refuse_sparse_ones(
    dev: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    for method, message in (
        ("mert", r"MERT with [\d,]+ sparse features; expected at most 3 \(choose another --method"),
        ("hgmert", "HypergraphMert cannot tune sparse weights, only dense ones"),
    ):
        command = ["tune", "bad", *TUNE, "--features", "z14", "--method", method, "-o", "sparse"]
        options = ["--option", "max_sparse=3"] if method == "mert" else []
        assert run([*command, *options]) == 2
        assert re.search(message, capfd.readouterr().err)
        assert not Path("sparse/model.toml").exists()
