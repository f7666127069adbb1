"""The outputs, messages and refusals of `demotic force`."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from demotic.cli.main import run
from demotic.force.gold import GoldForests
from demotic.model import Model
from tests.learn.untuned import write_dev

FORCE = "force phrase --src dev.de --ref dev.en -o gold --threads 1 --quiet".split()


@pytest.fixture
def dev(home: Path) -> Path:
    write_dev(home)
    return home


def test_files_and_figures(dev: Path, capfd: pytest.CaptureFixture[str]) -> None:
    flags = "--json --prefixes --texts --distortion-limits 0,-1".split()
    assert run([*FORCE, *flags]) == 0, capfd.readouterr().err
    shown = json.loads(capfd.readouterr().out)
    assert shown == json.loads((dev / "gold" / "reachability.json").read_text("utf-8"))
    assert shown["pairs"] == 33
    assert shown["options"]["prefixes"] == "longest"
    assert shown["reachable"] + sum(row["pairs"] for row in shown["by_cause"]) == 33
    assert shown["reachable"] > 20
    strict, loose = shown["by_distortion_limit"]
    assert strict["reachable"] < loose["reachable"]
    model = Model.load("phrase")
    gold = GoldForests.open("gold/gold.bin", model)
    assert sum(one.whole for one in gold) == shown["reachable"]
    assert "Forced decoding" in (dev / "gold" / "report.html").read_text("utf-8")
    sides = [
        (dev / "gold" / f"reachable.{s}").read_text("utf-8").count("\n") for s in ("src", "ref")
    ]
    assert sides == [shown["reachable"]] * 2
    assert (dev / "gold" / "prefixes.src").exists()


def test_prefixes_without_a_value_do_not_take_the_next_argument(
    dev: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert run(["force", "--prefixes", *FORCE[1:], "--json"]) == 0, capfd.readouterr().err
    assert json.loads(capfd.readouterr().out)["options"]["prefixes"] == "longest"


def test_help_names_the_model_only_for_what_models_keep(
    capfd: pytest.CaptureFixture[str],
) -> None:
    assert run(["force", "--help"]) == 0
    shown = " ".join(capfd.readouterr().out.split())
    assert "(the model's, else 20)" in shown
    assert "[default: (5); x>=1]" in shown


def test_text_is_prepared_as_the_model_says(dev: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert run([*FORCE, "--json"]) == 0
    raw = json.loads(capfd.readouterr().out)["reachable"]
    assert run([*FORCE[:-3], "--threads", "1", "--json", "--tokenized", "-o", "gold2"]) == 0
    # "Haus." is not a word of the model.
    assert json.loads(capfd.readouterr().out)["reachable"] < raw


def test_leave_one_out_keeps_rules_that_stand_in_other_pairs_too(
    dev: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (dev / "one.de").write_text("Das Haus ist klein.\n", "utf-8")
    (dev / "one.en").write_text("The house is small.\n", "utf-8")
    # The model's text contains every pair twice, so that leave-one-out excludes nothing.
    order = "force phrase --src one.de --ref one.en --json --quiet --leave-one-out -o g".split()
    assert run(order) == 0
    assert json.loads(capfd.readouterr().out)["reachable"] == 1


def test_tables_for_people(dev: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert run([*FORCE, "--ref", "dev.en", "--distortion-limits", "0,6"]) == 0
    out = capfd.readouterr().out
    for words in (
        "with prefixes",
        "By length of the source",
        "Why others are not",
        "By distortion limit",
    ):
        assert words in out
    assert "66" in out  # one copy of the source per reference
    made, after = out.splitlines()[-2:]
    assert re.fullmatch(
        r"Wrote gold: the derivations of \d+ of 66 pairs \(\d+\.\d %\) in gold\.bin, all results "
        r"in reachability\.json, in [\d.]+ s\.",
        made,
    )
    assert after == "next: open gold/report.html in a browser"


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        ("--src t.de --ref dev.en -o g", "33 lines here, but 3 in t.de"),
        ("--src dev.de --ref dev.en -o g --distortion-limits 0,x", "not a list of numbers"),
        ("--src dev.de --ref dev.en -o g --distortion-limits -2", "not a list of numbers"),
        ("--src none.de --ref dev.en -o g", "none.de"),
        ("--src dev.de --ref dev.en -o g --prefixes shortest", "shortest"),
    ],
)
def test_refusals(dev: Path, flags: str, message: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["force", "phrase", *flags.split()]) == 2
    assert message in capfd.readouterr().err
    assert not (dev / "g").exists()


def test_trees_are_checked_and_change_no_derivation(
    dev: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert run([*FORCE, "--tokenized"]) == 0, capfd.readouterr().err
    lines = (dev / "dev.de").read_text("utf-8").splitlines()
    trees = [" ".join(f"(X {word})" for word in line.split()) for line in lines]
    (dev / "dev.trees").write_text("".join(f"(S {one})\n" if one else "()\n" for one in trees))
    again = [*FORCE, "--tokenized", "--trees", "dev.trees", "-o", "with"]
    assert run(again) == 0, capfd.readouterr().err
    for name in ("gold.bin", "reachability.json"):
        assert (dev / "with" / name).read_bytes() == (dev / "gold" / name).read_bytes()
    (dev / "dev.trees").write_text("(S (X other))\n" * len(lines))
    assert run([*again[:-1], "refused"]) == 2
    assert "dev.trees line 1: tree 1 differs from the text" in capfd.readouterr().err
    assert not (dev / "refused").exists()


def test_nothing_is_written_over(dev: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(FORCE) == 0
    before = (dev / "gold" / "gold.bin").read_bytes()
    assert run(FORCE) == 2
    assert "gold forests exist already" in capfd.readouterr().err
    assert (dev / "gold" / "gold.bin").read_bytes() == before
