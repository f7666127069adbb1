"""Models with rules on demand: equal to tables without sampling, in all that a user does."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from bundled_corpus import generate, write
from demotic.cli.main import run
from demotic.errors import InputError, ModelError
from demotic.model import Model
from demotic.model.adding import add_pairs
from demotic.model.build import BuildOptions, build
from demotic.model.presets import PRESETS
from demotic.rules import RuleKind, RuleOptions
from demotic.text.pairs import Pair


@pytest.fixture(scope="module")
def text(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("corpus")
    write(generate(3, train=600, dev=40, test=60), folder)
    return folder / "tok"


def built(
    text: Path, folder: Path, preset: str = "fast", kind: RuleKind = "phrase", **rules: object
) -> Model:
    options = PRESETS[preset].options(kind)
    chosen = replace(options.pop("rules"), **rules)  # type: ignore[type-var]
    options = BuildOptions(
        source=text / "train.zh", target=text / "train.en", kind=kind, rules=chosen, **options
    )
    return build(options, folder, threads=2).model


@pytest.fixture(scope="module", params=["phrase", "hiero"])
def models(
    text: Path, tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest
) -> Path:
    """`table`, and `all` and `sample` on demand, of which `sample` estimates all that it can."""
    folder = tmp_path_factory.mktemp("models")
    built(text, folder / "table", kind=request.param)
    built(text, folder / "all", kind=request.param, storage="on-demand", sample=0)
    few = {"sample": 20, "counted_pairs": 60}
    built(text, folder / "sample", kind=request.param, storage="on-demand", **few)
    return folder


def some_lines(text: Path) -> list[str]:
    return (text / "test.zh").read_text(encoding="utf-8").splitlines()


def test_translations_equal_those_of_the_table(text: Path, models: Path) -> None:
    lines = some_lines(text)
    table, ours = (Model.load(models / name).decoder() for name in ("table", "all"))
    wanted, found = table.translate(lines), ours.translate(lines, threads=2)
    assert found.text == wanted.text
    assert np.array_equal(found.scores, wanted.scores)
    assert np.array_equal(found.features, wanted.features)
    for i in range(len(lines)):
        assert found.links(i) == wanted.links(i)


@pytest.mark.parametrize("kind", ["phrase", "hiero"])
def test_all_parts_of_the_default_preset(text: Path, tmp_path: Path, kind: RuleKind) -> None:
    """Hierarchical reordering, low counts, operations, classes, two sets of links."""
    lines = some_lines(text)[:20]
    results = []
    for name, rules in (("table", {}), ("ours", {"storage": "on-demand", "sample": 0})):
        model = built(text, tmp_path / name, "balanced", kind, **rules)
        found = model.decoder().translate(lines)
        results.append((found.text, found.scores.tolist(), found.features.tolist()))
    assert results[0] == results[1]


def test_forests_and_lists(text: Path, models: Path) -> None:
    lines = some_lines(text)[:10]
    lists = []
    for name in ("table", "all"):
        decoder = Model.load(models / name).decoder()
        source = decoder.sentences(lines)
        kbest, _ = decoder.candidates(source, k=20, threads=2)
        lists.append(kbest.features.tolist())
        assert decoder.search(lines[:2], record="bins")
    assert lists[0] == lists[1]


def test_results_do_not_depend_on_threads_or_batches(text: Path, models: Path) -> None:
    lines = some_lines(text)
    one = Model.load(models / "sample").decoder().translate(lines)
    for threads, batch in ((3, len(lines)), (2, 7), (1, 1)):
        decoder = Model.load(models / "sample").decoder()
        found = []
        for begin in range(0, len(lines), batch):
            part = decoder.translate(lines[begin : begin + batch], threads=threads)
            found += list(zip(part.text, part.scores.tolist(), strict=True))
        assert found == list(zip(one.text, one.scores.tolist(), strict=True))


def test_an_open_model_with_many_rules_starts_again(
    text: Path, models: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Memory is bounded in long streams, and earlier results stay valid."""
    lines = some_lines(text)
    wanted = Model.load(models / "sample").decoder().translate(lines)
    monkeypatch.setattr("demotic.search.decoder.MOST_RULES", 50)
    decoder = Model.load(models / "sample").decoder()
    parts = [decoder.translate([line]) for line in lines]
    assert [part.text[0] for part in parts] == wanted.text
    assert [part.links(0) for part in parts] == [wanted.links(i) for i in range(len(lines))]
    kept = {id(part.decoder.model.rules.store) for part in parts}
    assert len(kept) > 5


def cli(*arguments: object) -> int:
    return run([str(one) for one in arguments])


def test_verbs(
    text: Path, models: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    dev = ("--src", text / "dev.zh", "--ref", text / "dev.en.0")
    tuned = tmp_path / "tuned"
    assert cli("tune", models / "sample", *dev, "-o", tuned, "--rounds", 2, "--quiet") == 0
    assert Model.load(tuned).rules.on_demand
    capsys.readouterr()
    assert cli("info", tuned) == 0
    assert "on demand, from 600 sentence pairs" in capsys.readouterr().out
    assert cli("info", tuned, "--json") == 0
    assert json.loads(capsys.readouterr().out)["indexed_pairs"] == 600
    sentence = some_lines(text)[0]
    assert cli("explain", tuned, sentence, "--evidence") == 0
    assert sentence.split()[0] in capsys.readouterr().out
    assert cli("weights", tuned) == 0
    assert cli("status", models / "sample") == 0


@pytest.mark.parametrize("verb", ["train", "force", "export"])
def test_refused_verbs(
    verb: str, text: Path, models: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pairs = ("--src", text / "train.zh", "--tgt", text / "train.en")
    dev = ("--dev-src", text / "dev.zh", "--dev-ref", text / "dev.en.0")
    arguments = {
        "train": (*pairs, *dev, "-o", tmp_path / "new"),
        "force": ("--src", text / "dev.zh", "--ref", text / "dev.en.0", "-o", tmp_path / "new"),
        "export": ("--format", "moses", "-o", tmp_path / "new"),
    }
    assert cli(verb, models / "all", *arguments[verb]) != 0
    message = capsys.readouterr().err
    assert f"demotic {verb}" in message
    assert "--rules table" in message
    assert not (tmp_path / "new").exists()


def test_refused_options(text: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="--smoothing good-turing with --rules on-demand"):
        built(text, tmp_path / "m", storage="on-demand", smoothing="good-turing")
    assert not (tmp_path / "m").exists()


class TestAdding:
    @pytest.mark.parametrize("kind", ["phrase", "hiero"])
    def test_counts_are_those_of_all_text(self, text: Path, tmp_path: Path, kind: RuleKind) -> None:
        """With the same links, adding equals building from all text.

        For Hiero p(source | target) may be higher: a target side with a single rule in a text
        counts there for this rule only (tests/rules has the exact value).
        """
        lines = {
            side: (text / f"train.{side}").read_text("utf-8").splitlines() for side in ("zh", "en")
        }
        links = [f"{i}-{i}" for i in range(3)]
        for name, part in (("old", slice(0, 400)), ("new", slice(400, 600)), ("all", slice(600))):
            for side in ("zh", "en"):
                (tmp_path / f"{name}.{side}").write_text(
                    "\n".join(lines[side][part]) + "\n", "utf-8"
                )
            sizes = [
                min(len(s.split()), len(t.split()))
                for s, t in zip(lines["zh"][part], lines["en"][part], strict=True)
            ]
            rows = [" ".join(links[: max(0, size)]) for size in sizes]
            (tmp_path / f"{name}.links").write_text("\n".join(rows) + "\n")
        models = {}
        for name in ("old", "all"):
            options = BuildOptions(
                source=tmp_path / f"{name}.zh",
                target=tmp_path / f"{name}.en",
                kind=kind,
                links=[tmp_path / f"{name}.links"],
                rules=RuleOptions(storage="on-demand", sample=0, share_count=False),
            )
            models[name] = build(options, tmp_path / f"model-{name}").model
        new = (tmp_path / "new.zh", tmp_path / "new.en")
        made = cli(
            *("add", tmp_path / "model-old", "--src", new[0], "--tgt", new[1], "--quiet"),
            *("--links", tmp_path / "new.links", "-o", tmp_path / "more"),
        )
        assert made == 0
        more = Model.load(tmp_path / "more")
        more.verify()
        assert more.rules.store.pairs == 600
        assert len(more.vocabulary) == len(models["all"].vocabulary)
        assert "add 200 sentence pairs" in more.info.history
        checked = 0
        for line in lines["zh"]:
            for word in line.split():
                ours, theirs = (
                    sorted(
                        ((rule.target, rule.links, rule.count, rule.scores) for rule in one),
                        key=lambda rule: rule[0],
                    )
                    for one in (more.rules.find(word), models["all"].rules.find(word))
                )
                if kind == "hiero":
                    for mine, other in zip(ours, theirs, strict=True):
                        inverse = other[3].pop("source_given_target")
                        assert mine[3].pop("source_given_target") >= inverse
                assert ours == theirs
                checked += len(ours)
        assert checked > 1000
        assert Model.load(tmp_path / "model-old").rules.store.pairs == 400

    def test_new_words_are_translated(self, models: Path, tmp_path: Path) -> None:
        model = Model.load(models / "sample")
        pairs = [Pair("新词 在 这里", "neologism is here", "new", 1)] * 3
        more = add_pairs(model, pairs, tmp_path / "more")
        again = add_pairs(more, [Pair("另外", "besides", "new", 1)] * 3, tmp_path / "again")
        assert model.vocabulary.find("新词") == 0
        assert again.info.parts.added == ("added-1.bin", "added-2.bin")
        for word in ("neologism", "besides"):
            source = {"neologism": "新词", "besides": "另外"}[word]
            targets = {word for rule in again.rules.find(source) for word in rule.target}
            assert word in targets
        before, after = (one.translate(["新词"])[0] for one in (model, again))
        assert before == "新词" != after
        copied = again.save(tmp_path / "copy")
        assert copied.translate(["新词"])[0] == after

    def test_tables_are_refused(self, models: Path, tmp_path: Path) -> None:
        with pytest.raises(ModelError, match="--rules on-demand"):
            add_pairs(Model.load(models / "table"), [Pair("a", "b", "new", 1)], tmp_path / "more")

    def test_no_pairs(self, models: Path, tmp_path: Path) -> None:
        with pytest.raises(InputError, match="no sentence pairs"):
            add_pairs(Model.load(models / "all"), [], tmp_path / "more")

    def test_unequal_files(
        self, models: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        (tmp_path / "a").write_text("x\ny\n")
        (tmp_path / "b").write_text("x\n")
        files = ("--src", tmp_path / "a", "--tgt", tmp_path / "b")
        assert cli("add", models / "all", *files, "-o", tmp_path / "more") == 2
        assert "2" in capsys.readouterr().err
        assert not (tmp_path / "more").exists()
