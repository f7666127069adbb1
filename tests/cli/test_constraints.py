"""`translate` and `explain` with XML words, glossaries and tags; glossaries of models."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from demotic.cli.main import run
from demotic.model import Model


def translated(
    capfdbinary: pytest.CaptureFixture[bytes], text: str, *flags: str
) -> tuple[int, str, str]:
    """Exit code, output and messages of `translate` for a file with the text."""
    Path("in.de").write_text(text, encoding="utf-8")
    model, *rest = flags
    code = run(["translate", model, "in.de", *rest])
    found = capfdbinary.readouterr()
    return code, found.out.decode(), found.err.decode()


XML = 'Heute sehe ich das <n translation="volume||tome" prob="0.9||0.1">Buch</n>.\n'


@pytest.mark.parametrize("model", ["phrase", "hiero"])
def test_xml_words(model: str, home: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    code, out, _ = translated(capfdbinary, XML, model, "--xml-input", "exclusive")
    assert code == 0
    assert " volume" in out
    code, out, _ = translated(capfdbinary, XML, model, "--xml-input", "ignore")
    assert (code, out) == (0, "I see the book today.\n")
    wall = "Heute <wall/> sehe ich das Buch.\n"
    code, out, _ = translated(capfdbinary, wall, model, "--xml-input", "exclusive")
    assert code == 0
    assert out.startswith("Today")


def test_markup_is_text_unless_asked_for(
    home: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    code, out, err = translated(capfdbinary, XML, "phrase")
    assert code == 0
    assert "translation" in out
    assert "in.de line 1" in err
    assert "--xml-input exclusive" in err


def test_malformed_markup_is_refused_with_its_place(
    home: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    text = "Das Haus ist alt.\nDas <n>Haus</n> ist alt.\n"
    code, _, err = translated(capfdbinary, text, "phrase", "--xml-input", "exclusive")
    assert code == 2
    assert "in.de line 2: <n> at column 5" in err
    overlap = 'Das <zone>Haus <n translation="x">ist</zone> alt</n>.\n'
    code, _, err = translated(capfdbinary, overlap, "phrase", "--xml-input", "exclusive")
    assert code == 2
    assert "column" in err


def test_json_shows_what_was_asked_for(
    home: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    code, out, _ = translated(capfdbinary, XML, "phrase", "--xml-input", "exclusive", "--json")
    assert code == 0
    record = json.loads(out)
    (asked,) = record["constraints"]
    assert asked["source"] == [4, 5]
    assert (asked["mode"], asked["targets"], asked["origin"]) == (
        "exclusive",
        ["volume", "tome"],
        "XML",
    )
    (given,) = [step for step in record["steps"] if step["kind"] == "given"]
    assert record["words"][slice(*given["target"])] == ["volume"]
    assert record["features"]["given"] == pytest.approx(asked["log_probabilities"][0])
    weights = dict(Model.load("phrase").with_given().weights)
    total = sum(weights[name] * value for name, value in record["features"].items())
    assert record["score"] == pytest.approx(total)


def test_a_list_and_a_forest_of_constrained_sentences(
    home: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    flags = ("--xml-input", "exclusive", "--nbest", "5", "--forest", "f.jsonl")
    code, out, _ = translated(capfdbinary, XML, "phrase", *flags)
    assert code == 0
    assert all("volume" in line or "tome" in line for line in out.splitlines())
    assert any(edge["rule"] == -5 for edge in _edges(Path("f.jsonl")))


def _edges(path: Path) -> list[dict[str, int]]:
    found: list[dict[str, int]] = []

    def collect(value: object) -> None:
        if isinstance(value, dict):
            if "rule" in value:
                found.append(value)
            for one in value.values():
                collect(one)
        elif isinstance(value, list):
            for one in value:
                collect(one)

    for line in path.read_text(encoding="utf-8").splitlines():
        collect(json.loads(line))
    return found


def test_glossaries(home: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    Path("terms.tsv").write_text("Haus\tcottage\nKind\tkid\nKind\tbrat\t\tforbidden\n")
    Path("more.csv").write_text('"Buch","volume"\n')
    text = "Das Haus ist alt.\nHeute sehe ich das Kind.\nIch sehe das Buch.\n"
    flags = ("phrase", "--glossary", "terms.tsv", "--glossary", "more.csv")
    code, out, _ = translated(capfdbinary, text, *flags)
    assert (code, out) == (0, "The cottage is old.\nI see the kid today.\nI see the volume.\n")


def test_a_bad_glossary_is_refused(home: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    Path("terms.tsv").write_text("Haus\tcottage\nKind\n")
    code, _, err = translated(capfdbinary, "x\n", "phrase", "--glossary", "terms.tsv")
    assert code == 2
    assert "terms.tsv line 2" in err


def test_formats(home: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    text = "Heute <b>sehe</b> ich das {x}.\n\nDas &lt; ist <i>alt</i>.\n"
    code, out, _ = translated(capfdbinary, text, "phrase", "--format", "html")
    assert code == 0
    assert out.startswith("I <b>see</b> the {x} today.\n\n")
    assert "<i>old</i>" in out
    assert "&lt;" in out
    code, _, err = translated(capfdbinary, text, "phrase", "--format", "html", "--json")
    assert code == 2
    assert "--json does not go with --format" in err


def test_explain_shows_what_was_asked_for(
    home: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    assert run(["explain", "phrase", XML.strip(), "--xml-input", "exclusive"]) == 0
    out = capfdbinary.readouterr().out.decode()
    assert "asked for: exclusive [4:5] volume || tome" in out
    assert XML.strip() in out
    assert "given" in out
    assert run(["explain", "hiero", XML.strip(), "--xml-input", "exclusive", "--json"]) == 0
    record = json.loads(capfdbinary.readouterr().out)
    assert " volume" in record["translation"]
    assert [step["kind"] for step in record["steps"]].count("given") == 1


def test_models_carry_glossaries(
    home: Path, models: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    Path("terms.tsv").write_text("Haus\tcottage\n")
    corpus = models / "text"
    raw = [Path(f"raw.{language}") for language in ("de", "en")]
    for path, language in zip(raw, ("de", "en"), strict=True):
        path.write_bytes((corpus / f"corpus.{language}").read_bytes())
    prepare = ["prepare", "--src-lang", "de", "--tgt-lang", "en", "--case", "lower", *map(str, raw)]
    assert run([*prepare, "-o", "text", "--glossary", "terms.tsv", "--quiet"]) == 0
    build = ["build", "--src", "text/corpus.de", "--tgt", "text/corpus.en", "-o", "own", "--quiet"]
    assert run(build) == 0
    Model.load("own").save("derived")
    capfdbinary.readouterr()
    for model in ("own", "derived"):
        code, out, _ = translated(capfdbinary, "Das Haus ist alt.\n", model)
        assert (code, out) == (0, "The cottage is old.\n")
        Path("in.html").write_text("<p>Das <b>Haus</b> ist alt.</p>")
        assert run(["translate", model, "--file", "in.html", "-o", f"{model}.html", "--quiet"]) == 0
        assert "<b>cottage</b>" in Path(f"{model}.html").read_text()
