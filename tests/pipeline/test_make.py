"""`demotic.make` from raw text to a finished translator, on a small part of the bundled corpus."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import demotic
from bundled_corpus import generate, write
from demotic.cli.main import run
from demotic.cli.make_view import result_text
from demotic.errors import Error, FormatError
from demotic.learn import DevSet
from demotic.metrics import Bleu, BleuOptions
from demotic.model import Model
from demotic.pipeline import MakeResult
from demotic.pipeline.options import PRESETS
from demotic.pipeline.progress import Silent
from demotic.pipeline.scores import scoring
from demotic.pipeline.work import Work
from demotic.search.decision import DecisionOptions
from demotic.search.sentence_grammars import Sentence
from demotic.search.stream import LineTranslator
from tests.report.html_pages import check_page

SIZES: dict[str, Any] = {"dev_size": 30, "test_size": 30}


@pytest.fixture(scope="module")
def text(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Raw Chinese and English."""
    folder = tmp_path_factory.mktemp("text")
    write(generate(3, train=700, dev=20, test=20), folder)
    return folder / "raw"


def made_in(out: Path, text: Path, **options: Any) -> MakeResult:
    return demotic.make(
        text / "train.zh",
        text / "train.en",
        out=out,
        source_language="zh",
        target_language="en",
        **{**SIZES, "preset": "fast", **options},
    )


@pytest.fixture(scope="module")
def fast(text: Path, tmp_path_factory: pytest.TempPathFactory) -> MakeResult:
    return made_in(tmp_path_factory.mktemp("out") / "zh-en", text)


def test_the_directory_is_a_model(fast: MakeResult) -> None:
    model = Model.load(fast.path)
    assert model.info.source_language == "zh"
    assert model.info.target_language == "en"
    (line,) = fast.model.translate([fast.good[0].source])
    assert line == fast.good[0].after


def test_stages_and_scores(fast: MakeResult) -> None:
    assert [stage.name for stage in fast.stages] == ["built", "tuned"]
    assert fast.best.dev == max(stage.dev for stage in fast.stages)
    for stage in fast.stages:
        bleu = stage.scores["bleu"]
        assert bleu.low <= bleu.value <= bleu.high
        assert (fast.path / stage.model / "model.toml").exists()
    assert "case:mixed" in fast.signatures["bleu"]
    assert "tok:13a" in fast.signatures["bleu"]
    assert fast.stages[0].p_value is None
    assert 0 < (fast.stages[1].p_value or 0) <= 1
    assert fast.sentences["dev"] == fast.sentences["test"] == 30


def test_scores_are_those_of_the_written_translations(fast: MakeResult, text: Path) -> None:
    """Recomputed from the files by sacrebleu itself."""
    from sacrebleu.metrics.bleu import BLEU

    work = fast.path / "work"
    for stage in fast.stages:
        output = work / "output" / f"test.{stage.kind}.{stage.name}.en"
        references = (work / "text" / "test.en").read_text(encoding="utf-8").splitlines()
        lines = output.read_text(encoding="utf-8").splitlines()
        score = BLEU().corpus_score(lines, [references]).score
        assert score == pytest.approx(stage.scores["bleu"].value, abs=1e-9)


def test_held_out_sentences_are_not_trained_on(fast: MakeResult, text: Path) -> None:
    work = fast.path / "work"
    origins = (work / "prepared" / "corpus.origin.tsv").read_text(encoding="utf-8").splitlines()
    raw = (text / "train.zh").read_text(encoding="utf-8").splitlines()
    trained = {raw[int(line.split("\t")[1]) - 1] for line in origins}
    for part in ("dev", "test"):
        held_out = (work / "text" / f"{part}.zh").read_text(encoding="utf-8").splitlines()
        assert not trained & set(held_out)


def test_every_pair_is_counted_once(fast: MakeResult) -> None:
    """Held-out pairs are not also left out."""
    number = fast.sentences
    parts = number["train"] + number["dev"] + number["test"]
    assert parts + sum(fast.dropped.values()) == number["read"]


def test_the_result_is_kept(fast: MakeResult) -> None:
    assert MakeResult.load(fast.path) == fast
    assert (fast.path / "report.html").exists()


def test_again_is_instant_and_changes_nothing(fast: MakeResult, text: Path) -> None:
    before = {path: path.stat().st_mtime_ns for path in fast.path.rglob("*") if path.is_file()}
    assert made_in(fast.path, text) == fast
    after = {path: path.stat().st_mtime_ns for path in fast.path.rglob("*") if path.is_file()}
    assert before == after


def test_another_command_is_refused(fast: MakeResult, text: Path) -> None:
    with pytest.raises(Error) as caught:
        made_in(fast.path, text, kind="phrase")
    assert "kind: hiero before, phrase now" in str(caught.value)
    assert "--force" in str(caught.value)
    assert MakeResult.load(fast.path) == fast


def test_a_killed_run_resumes(
    fast: MakeResult, text: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Stopped after the build, it ends with the same weights and does not build again."""
    out = tmp_path / "zh-en"
    with monkeypatch.context() as patched:
        patched.setattr("demotic.pipeline.run.tune_stage", _stop)
        with pytest.raises(KeyboardInterrupt):
            made_in(out, text)
    rules = out / "work" / "hiero" / "built" / "rules.bin"
    written = rules.stat().st_mtime_ns
    again = made_in(out, text)
    assert rules.stat().st_mtime_ns == written
    assert again.model.weights == fast.model.weights
    assert [one.scores for one in again.stages] == [one.scores for one in fast.stages]


def _stop(*_: object, **__: object) -> None:
    raise KeyboardInterrupt


def test_training_and_both_kinds(text: Path, tmp_path: Path) -> None:
    made = made_in(tmp_path / "best", text, kind="best", preset="balanced")
    names = [(stage.kind, stage.name) for stage in made.stages]
    assert names[:4] == [
        ("phrase", "built"),
        ("phrase", "tuned"),
        ("hiero", "built"),
        ("hiero", "tuned"),
    ]
    assert [name for _, name in names[4:]] == ["trained", "tuned again"]
    assert made.kind == names[4][0] == made.best.kind
    assert made.best.dev == max(stage.dev for stage in made.stages)
    helped = made.stages[4].kept > 0  # else the model from before the training was kept
    learnt = helped and made.best.name in ("trained", "tuned again")
    assert (made.sizes["features"] > 0) == learnt


def test_the_best_preset_combines_both_kinds(text: Path, tmp_path: Path) -> None:
    made = made_in(tmp_path / "out", text, kind="best", preset="best", train=False)
    names = [stage.name for stage in made.stages]
    assert names == ["built", "tuned", "built", "tuned", "combined"]
    decided = Model.load(tmp_path / "out" / made.stages[-1].model)
    assert decided.settings["decision"] == "combined"
    assert decided.partner is not None
    assert {decided.kind, decided.partner.kind} == {"phrase", "hiero"}
    final = PRESETS["best"].search.items()  # not the smaller beams of tuning
    assert final <= dict(decided.settings).items()
    assert final <= dict(decided.partner.settings).items()
    dev = tmp_path / "out" / "work" / "text"
    read = DevSet.read(dev / "dev.zh", [dev / "dev.en"], decided.raw_text)
    metric = Bleu(read.references, BleuOptions(tokenize="none"))
    both = LineTranslator(decided.decoder(), decided.raw_text)
    both = both.deciding(DecisionOptions.for_model(decided))
    lines = both.lines([Sentence(line) for line in read.source])
    score = metric.score([line.candidates[0].text for line in lines])
    assert score == pytest.approx(made.stages[-1].dev)
    assert made.best.dev == max(stage.dev for stage in made.stages if not stage.story)
    source = (tmp_path / "out" / "work" / "text" / "test.zh").read_text("utf-8").splitlines()
    name = f"test.{made.best.kind}.{made.best.name.replace(' ', '-')}.en"
    written = (tmp_path / "out" / "work" / "output" / name).read_text("utf-8").splitlines()
    assert made.model.translate(source) == written


def test_the_story_compares_and_changes_nothing(
    fast: MakeResult, text: Path, tmp_path: Path
) -> None:
    made = made_in(tmp_path / "story", text, story=True)
    names = ["built", "MERT", "relative margin", "search-aware MIRA", "tuned"]
    assert [stage.name for stage in made.stages] == names
    assert [stage.label for stage in made.stages] == ["untuned", *names[1:4], "MIRA"]
    for stage in made.stages[1:]:
        assert stage.compared_with == "built"
        assert 0 < (stage.p_value or 0) <= 1
    assert made.best.story is False
    assert made.best.scores == fast.best.scores
    assert dict(Model.load(made.path).weights) == dict(Model.load(fast.path).weights)
    assert "story" not in json.loads((fast.path / "work" / "command.json").read_text("utf-8"))
    printed = result_text(made)
    assert "search-aware MIRA" in printed
    assert "(against untuned)" in printed


def test_the_report_shows_weights_and_derivations(fast: MakeResult, tmp_path: Path) -> None:
    assert run(["report", str(fast.path), "-o", str(tmp_path / "report.html"), "--quiet"]) == 0
    tags = check_page((tmp_path / "report.html").read_text("utf-8"))
    assert {"What was learned", "Derivations side by side", "Versions"} <= set(tags.headings)


def test_no_train(text: Path, tmp_path: Path) -> None:
    made = made_in(tmp_path / "out", text, preset="balanced", train=False)
    assert [stage.name for stage in made.stages] == ["built", "tuned"]


def test_a_glossary_is_obeyed(text: Path, tmp_path: Path) -> None:
    terms = tmp_path / "terms.tsv"
    terms.write_text("桌子\tworkbench\n", "utf-8")
    made = made_in(tmp_path / "zh-en", text, glossaries=[terms], train=False)
    assert "workbench" in Model.load(made.path).translate(["他把书放在桌子上。"])[0]
    with pytest.raises(Error, match="another command"):
        made_in(tmp_path / "zh-en", text, train=False)
    terms.write_text("桌子\n", "utf-8")
    with pytest.raises(FormatError, match=r"terms\.tsv line 1"):
        made_in(tmp_path / "other", text, glossaries=[terms])
    assert not (tmp_path / "other").exists()


def test_given_sets_with_several_references(text: Path, tmp_path: Path) -> None:
    made = made_in(
        tmp_path / "out",
        text,
        dev=[(text / "dev.zh", text / f"dev.en.{k}") for k in range(4)],
        test=[(text / "test.zh", text / f"test.en.{k}") for k in range(2)],
    )
    assert (made.sentences["dev"], made.sentences["test"]) == (20, 20)
    assert made.sentences["references"] == 2
    assert "nrefs:2" in made.signatures["bleu"]
    assert len(made.good[0].references) == 2


def test_tmx(text: Path, tmp_path: Path) -> None:
    """The same sentences from a translation memory give the same translator."""
    units = zip(
        (text / "train.zh").read_text(encoding="utf-8").splitlines(),
        (text / "train.en").read_text(encoding="utf-8").splitlines(),
        strict=True,
    )
    body = "".join(
        f'<tu><tuv xml:lang="zh"><seg>{zh}</seg></tuv>'
        f'<tuv xml:lang="en"><seg>{en.replace("&", "&amp;")}</seg></tuv></tu>\n'
        for zh, en in units
    )
    path = tmp_path / "memory.tmx"
    path.write_text(
        f'<?xml version="1.0"?><tmx version="1.4"><header srclang="zh"/><body>{body}</body></tmx>',
        encoding="utf-8",
    )
    made = demotic.make(
        path,
        out=tmp_path / "out",
        source_language="zh",
        target_language="en",
        preset="fast",
        **SIZES,
    )
    assert made.sentences["test"] == 30
    assert made.best.scores["bleu"].value > 10


REFUSED = {
    "empty text": ("", "", "no pair"),
    "lines missing": ("你好。\n再见。\n", "Hello.\n", "2 lines"),
    "too little": ("你好，我的朋友。\n", "Hello, my friend.\n", "1 sentence pairs"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_bad_text_is_refused_and_nothing_is_left(case: str, tmp_path: Path) -> None:
    source, target, message = REFUSED[case]
    (tmp_path / "a.zh").write_text(source, encoding="utf-8")
    (tmp_path / "a.en").write_text(target, encoding="utf-8")
    with pytest.raises(Error) as caught:
        made_in_files(tmp_path)
    assert message in str(caught.value)
    assert not (tmp_path / "out").exists()


def made_in_files(folder: Path) -> MakeResult:
    return demotic.make(
        folder / "a.zh",
        folder / "a.en",
        out=folder / "out",
        source_language="zh",
        target_language="en",
    )


def test_a_directory_of_others_is_left_alone(tmp_path: Path, text: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "thesis.txt").write_text("all of it", encoding="utf-8")
    with pytest.raises(Error, match="did not write"):
        made_in(tmp_path / "out", text)
    assert (tmp_path / "out" / "thesis.txt").read_text(encoding="utf-8") == "all of it"


def test_force_makes_it_anew(tmp_path: Path) -> None:
    work = Work(tmp_path / "out")
    work.claim({"kind": "phrase"}, force=False)
    (work.home / "notes.txt").write_text("mine", encoding="utf-8")
    work.path("old").write_text("old", encoding="utf-8")
    work.claim({"kind": "hiero"}, force=True)
    assert not work.path("old").exists()
    assert (work.home / "notes.txt").exists()
    assert work.read("command.json") == {"kind": "hiero"}


def test_the_command_line(
    fast: MakeResult,
    text: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The same command, so everything is there: what is printed, and as JSON."""
    monkeypatch.chdir(fast.path.parent)
    command = [
        *("make", str(text / "train.zh"), str(text / "train.en"), "-o", "zh-en"),
        *("--src-lang", "zh", "--tgt-lang", "en", "--preset", "fast"),
        *("--dev-size", "30", "--test-size", "30"),
    ]
    assert run(command) == 0
    printed = capsys.readouterr().out
    assert f"Chinese to English: {fast.best.scores['bleu'].value:.1f} BLEU" in printed
    assert "demotic translate zh-en < new.zh > new.en" in printed
    assert printed.count("translation  ") == 3
    assert run([*command, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["stages"][1]["name"] == "tuned"
    assert run([*command, "--seed", "2"]) == 2
    assert "seed: 1 before, 2 now" in capsys.readouterr().err


def test_the_report_of_a_folder_of_the_demo(
    fast: MakeResult, capsys: pytest.CaptureFixture[str]
) -> None:
    """It is that of its translator, zh-en, and nothing else appears."""
    page = fast.path / "report.html"
    page.unlink()
    assert run(["report", str(fast.path.parent)]) == 0
    assert capsys.readouterr().out.strip() == str(page)
    assert page.exists()
    assert not (fast.path.parent / "report.html").exists()


class _Heard(Silent):
    """Remembers the warnings."""

    def __init__(self) -> None:
        self.warnings: list[str] = []

    def warn(self, text: str) -> None:
        self.warnings.append(text)


def test_a_given_set_in_the_wrong_language_is_warned_of(text: Path, tmp_path: Path) -> None:
    """Here with its two sides swapped; the score near zero then stops it."""
    heard = _Heard()
    with pytest.raises(Error, match="BLEU"):
        made_in(
            tmp_path / "out",
            text,
            dev=[(text / "train.en", text / "train.zh")],
            test=[(text / "test.zh", text / "test.en.0")],
            progress=heard,
        )
    assert any("dev set" in warning and "target" in warning for warning in heard.warnings)


def test_every_stage_has_a_line(
    text: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = [
        *("make", str(text / "train.zh"), str(text / "train.en"), "-o", str(tmp_path / "zh en")),
        *("--src-lang", "zh", "--tgt-lang", "en", "--preset", "fast"),
        *("--dev-size", "30", "--test-size", "30"),
    ]
    assert run(command) == 0
    printed, progress = capsys.readouterr()
    stages = [line.split(":")[0] for line in progress.splitlines() if line.startswith("[")]
    names = ["check", "split", "prepare", "build", "tune", "test", "report"]
    assert stages == [f"[{i}/7] {name}" for i, name in enumerate(names, 1)]
    assert f"translate '{tmp_path / 'zh en'}' < new.zh" in printed  # to be copied into a shell


def test_shared_translations_are_warned_of(text: Path, tmp_path: Path) -> None:
    lines = (text / "train.en").read_text(encoding="utf-8").splitlines()[:20]
    (tmp_path / "t.en").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    (tmp_path / "t.zh").write_text("".join(f"第{i}句话。\n" for i in range(20)), encoding="utf-8")
    heard = _Heard()
    made = made_in(
        tmp_path / "out", text, test=[(tmp_path / "t.zh", tmp_path / "t.en")], progress=heard
    )
    assert any("training pairs have the same translation" in one for one in heard.warnings)
    assert made.sentences["test"] == 20


def test_swapped_languages_are_warned_of(text: Path, tmp_path: Path) -> None:
    heard = _Heard()
    demotic.make(
        text / "train.en",
        text / "train.zh",
        out=tmp_path / "out",
        source_language="zh",
        target_language="en",
        preset="fast",
        progress=heard,
        **SIZES,
    )
    assert any("look swapped" in warning for warning in heard.warnings)


@pytest.mark.parametrize(
    ("language", "names", "tokenize", "asian"),
    [
        ("en", ["bleu", "chrf", "ter"], "13a", False),
        ("zh-Hant", ["bleu", "chrf", "ter"], "zh", True),
        ("ja", ["bleu", "chrf", "ter"], "char", True),
        ("th", ["bleu", "chrf"], "char", False),
    ],
)
def test_metrics_fit_the_language(
    language: str, names: list[str], tokenize: str, asian: bool
) -> None:
    metrics, options = scoring(language)
    assert (metrics, options.tokenize, options.ter_asian) == (names, tokenize, asian)
