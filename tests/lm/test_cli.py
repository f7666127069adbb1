"""End-to-end tests of `lm` and `lm-query`."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

from demotic.cli.main import run
from demotic.lm import LanguageModel, LmOptions, estimate_lm

TEXT = "a b c\nb c a\na b\n"


@pytest.fixture
def text(tmp_path):
    path = tmp_path / "text"
    path.write_text(TEXT)
    return str(path)


def made(tmp_path, name: str, *arguments: str) -> str:
    path = str(tmp_path / name)
    assert run(["lm", *arguments, "-o", path, "--quiet"]) == 0
    return path


@pytest.mark.parametrize("name", ["m.arpa", "m.arpa.gz", "m.lm"])
def test_the_suffix_decides_the_form(tmp_path, text, name, capsys):
    path = made(tmp_path, name, text, "--order", "3", "--prune", "0 0 1")
    beginning = Path(path).read_bytes()[:4]
    assert beginning == {"m.arpa": b"\\dat", "m.lm": b"\x89DEM"}.get(name, beginning)
    assert (beginning[:2] == b"\x1f\x8b") == name.endswith(".gz")
    expected = estimate_lm(text, LmOptions(order=3, prune="0 0 1"))
    assert LanguageModel.load(path).score("a b zzz") == expected.score("a b zzz")
    assert capsys.readouterr().out == ""


def test_json_report(tmp_path, text, capsys):
    path = str(tmp_path / "m.arpa")
    assert run(["lm", text, "-o", path, "--order", "2", "--json"]) == 0
    printed = capsys.readouterr()
    report = json.loads(printed.out)
    assert report["ngrams"] == [6, 8]
    assert report["fallback_orders"] == [2]
    assert "too little text" in printed.err


def test_query_columns_and_totals(tmp_path, text, capsys):
    model = made(tmp_path, "m.lm", text)
    assert run(["lm-query", model, text]) == 0
    printed = capsys.readouterr()
    loaded = LanguageModel.load(model)
    for line, sentence in zip(printed.out.splitlines(), TEXT.splitlines(), strict=True):
        log10, unknown = line.split("\t")
        assert float(log10) * math.log(10) == pytest.approx(loaded.score(sentence), abs=1e-4)
        assert unknown == "0"
    assert "3 sentences, 11 tokens including sentence ends, 0 unknown" in printed.err
    assert f"perplexity {loaded.perplexity(text).with_unknown:.4f}" in printed.err


def test_query_as_json(tmp_path, text, capsys):
    model = made(tmp_path, "m.lm", text)
    (tmp_path / "asked").write_text("a zzz <s>\n\n")
    assert run(["lm-query", model, str(tmp_path / "asked"), "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["unknown"] == [2, 0]
    assert report["totals"]["tokens"] == 5
    assert sum(report["log10"]) == pytest.approx(report["totals"]["log10"], abs=1e-5)


def test_query_of_nothing(tmp_path, text, capsys):
    model = made(tmp_path, "m.lm", text)
    (tmp_path / "empty").write_text("")
    assert run(["lm-query", model, str(tmp_path / "empty"), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["totals"]["perplexity"] is None


def test_conversion_and_mixture(tmp_path, text, capsys):
    arpa = made(tmp_path, "m.arpa", text)
    binary = made(tmp_path, "m.lm", "--from", arpa)
    assert LanguageModel.load(binary).score("a b") == LanguageModel.load(arpa).score("a b")
    (tmp_path / "other").write_text("c c d\n")
    other = made(tmp_path, "o.arpa", str(tmp_path / "other"))
    capsys.readouterr()
    half = str(tmp_path / "half.lm")
    assert run(["lm", "--from", arpa, "--mix", other, "--weight", "0.5", "-o", half]) == 0
    assert "d" in LanguageModel.load(half).vocabulary
    again = ["-o", half, "--force", "--json"]
    assert run(["lm", text, "--mix", other, "--tune-on", text, *again]) == 0
    assert json.loads(capsys.readouterr().out.split("\n", 1)[1])["weights"][0] > 0.9


def test_mixture_of_three(tmp_path, text, capsys):
    models = []
    for number, words in enumerate(("a b c", "c c d", "e e")):
        (tmp_path / "text").write_text(f"{words}\n")
        models.append(made(tmp_path, f"{number}.lm", text, "--order", "2"))
    (tmp_path / "text").write_text("a b c\na b c\nc d\n")
    given = ["--from", models[0], "--mix", models[1], "--mix", models[2]]
    mixed = str(tmp_path / "mixed.lm")
    assert run(["lm", *given, "--tune-on", text, "-o", mixed, "--json"]) == 0
    printed = capsys.readouterr()
    weights = json.loads(printed.out)["weights"]
    assert math.fsum(weights) == pytest.approx(1)
    assert weights[0] > weights[1] > weights[2]
    assert f"weights {weights[0]:.4f}, {weights[1]:.4f}, {weights[2]:.4f}" in printed.err
    numbers = [f"--weight={weight}" for weight in weights[:2]]
    again = made(tmp_path, "again.lm", *given, *numbers)
    tuned, fixed = LanguageModel.load(mixed), LanguageModel.load(again)
    assert tuned.score("a b c d e") == pytest.approx(fixed.score("a b c d e"), abs=1e-4)
    single = [LanguageModel.load(model).perplexity(text).with_unknown for model in models]
    assert tuned.perplexity(text).with_unknown < min(single)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "either text or --from"),
        (["TEXT", "--from", "x"], "either text or --from"),
        (["TEXT", "--mix", "x"], "either --weight or --tune-on"),
        (["TEXT", "--weight", "0.5"], "require --mix"),
        (["TEXT", "--mix", "x", "--mix", "y", "--weight", "0.5"], "2 of --mix need as many"),
        (["TEXT", "--mix", "x", "--weight", ".5", "--weight", ".6"], "got 2"),
        (
            ["TEXT", "--mix", "x", "--mix", "y", "--weight", ".5", "--weight", ".6"],
            "add up to 1.1",
        ),
        (["TEXT", "--prune", "1"], "prune is '1'"),
        (["TEXT", "--order", "99"], "99 is not in the range"),
        (["nowhere"], "cannot be opened"),
    ],
)
def test_wrong_use(tmp_path, text, arguments, message, capsys):
    arguments = [text if a == "TEXT" else a for a in arguments]
    assert run(["lm", *arguments, "-o", str(tmp_path / "m.lm")]) == 2
    assert message in capsys.readouterr().err
    assert not (tmp_path / "m.lm").exists()


def test_words_that_look_reserved_are_words(tmp_path):
    text = tmp_path / "text"
    text.write_text("fine\na <s> b\n<unk> &#x3C;s> </s>\n<s> <UNK>\n" * 5, encoding="utf-8")
    assert run(["lm", str(text), "--order", "2", "-o", str(tmp_path / "m.arpa")]) == 0
    arpa = (tmp_path / "m.arpa").read_text(encoding="utf-8")
    for word in ("&#x3C;s>", "&#x3C;unk>", "&#x26;#x3C;s>", "&#x3C;/s>", "&#x3C;UNK>"):
        assert f"\t{word}\t" in arpa
    written = LanguageModel.load(tmp_path / "m.arpa")
    estimated = estimate_lm(text, LmOptions(order=2, discount_fallback=True))
    assert written.vocabulary.words() == estimated.vocabulary.words()
    for line in ("a <s> b", "<unk> &#x3C;s> </s>", "<s> <UNK>", "never <s>"):
        assert written.word_scores(line) == pytest.approx(estimated.word_scores(line), abs=1e-6)
    assert written.score("never") < written.score("<unk>")
    # One word at a time, the marks are the marks, and the words are spelled as in the file.
    score, _ = written.step(written.begin_state, "</s>")
    assert score == pytest.approx(written.score(""), abs=1e-6)
    first = written.word_scores("</s>")[0]
    assert written.step(written.begin_state, "&#x3C;/s>")[0] == pytest.approx(first)
    assert written.cursor().score("&#x3C;/s>") == pytest.approx(first)
