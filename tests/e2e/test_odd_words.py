"""Words that look like something else (<unk>, <s>, |||, [X], unusual spaces) are ordinary words in
building, language models, translation, lists, forests, and other toolkits' files."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from demotic.cli.main import run
from demotic.formats.exporting import ExportFormat, export_model
from demotic.formats.importing import import_model
from demotic.lines import split_words
from demotic.model import Model
from demotic.search.nbest import read_nbest

ODD = [
    "<unk>", "&lt;unk&gt;", "<s>", "</s>", "<UNK>", "&#x3C;s>", "|||", "&#124;&#124;&#124;",
    "&amp;#124;&#124;&#124;", "a|b", "&#x7C;", "[X]", "[X,1]", "[X][X]", "\u200b", "\u3000",
    "a\xa0b", "\u2028", "\u2009x", "<seg>", "</seg>", "#", "=", "x\ufeff",
]  # fmt: skip
COPIED = "never-seen"


def written(path: Path, lines: list[str]) -> str:
    path.write_bytes("".join(f"{line}\n" for line in lines).encode())
    return str(path)


def built(folder: Path, kind: str, rng: random.Random) -> tuple[dict[str, str], list[str], str]:
    """The translation of each word, longer sentences of the same text, and the model's path."""
    targets = ODD.copy()
    rng.shuffle(targets)
    meaning = dict(zip(ODD, targets, strict=True))
    sentences = [rng.choices(ODD, k=rng.randint(2, 5)) for _ in range(40)]
    source = [*ODD * 3, *(" ".join(words) for words in sentences)]
    target = [" ".join(meaning[word] for word in split_words(line)) for line in source]
    links = [" ".join(f"{i}-{i}" for i in range(len(split_words(line)))) for line in source]
    files = {"src": source, "tgt": target, "links": links}
    flags = [part for name in files for part in (f"--{name}", written(folder / name, files[name]))]
    model = str(folder / "model")
    assert (
        run(
            [
                "build",
                *flags,
                "-o",
                model,
                "--kind",
                kind,
                "--order",
                "2",
                "--preset",
                "fast",
                "--quiet",
            ]
        )
        == 0
    )
    return meaning, source[len(ODD) * 3 :], model


def translated(folder: Path, model: str, lines: list[str]) -> tuple[list[str], Path]:
    """By the command line, with a list and a forest."""
    text, nbest, forest = written(folder / "text", lines), folder / "nbest", folder / "forest"
    output = folder / "output"
    arguments = ["--nbest", "5", "--nbest-file", str(nbest), "--forest", str(forest), "--alignment"]
    with pytest.MonkeyPatch.context() as patch, output.open("w", encoding="utf-8") as stream:
        patch.setattr("sys.stdout", stream)
        assert run(["translate", model, text, *arguments]) == 0
    columns = output.read_text(encoding="utf-8").removesuffix("\n").split("\n")
    assert len(forest.read_text(encoding="utf-8").split("\n")) > len(lines)
    return [line.split("\t")[1] for line in columns], nbest


@pytest.mark.parametrize("kind", ["phrase", "hiero"])
@settings(max_examples=4, deadline=None)
@given(seed=st.integers(0, 2**20))
def test_from_text_to_translations(
    kind: str, seed: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("odd")
    meaning, sentences, model = built(folder, kind, random.Random(seed))
    assert set(Model.load(model).vocabulary.words()[3:]) == set(ODD)
    lines = [*ODD, COPIED, *sentences]
    outputs, nbest = translated(folder, model, lines)
    assert outputs[: len(ODD) + 1] == [*(meaning[word] for word in ODD), COPIED]
    lists: dict[int, list[str]] = {}
    for entry in read_nbest(nbest):
        assert len(split_words(entry.text)) >= 1
        assert all(word in ODD or word == COPIED for word in split_words(entry.text))
        lists.setdefault(entry.sentence, []).append(entry.text)
    assert [lists[number][0] for number in range(len(lines))] == outputs


@pytest.mark.parametrize(
    ("kind", "toolkit"), [("phrase", "moses"), ("hiero", "moses"), ("hiero", "cdec")]
)
def test_other_toolkits_files_keep_the_words(
    kind: str, toolkit: ExportFormat, tmp_path: Path
) -> None:
    _, sentences, path = built(tmp_path, kind, random.Random(1))
    ours = Model.load(path)
    export_model(ours, toolkit, tmp_path / "out")
    again = import_model(tmp_path / "out" / f"{toolkit}.ini", tmp_path / "again").model
    rules = [{(rule.source, rule.target) for rule in model.rules} for model in (ours, again)]
    assert rules[0] == rules[1]
    lines = [*ODD, COPIED, *sentences]
    first, second = (model.decoder().translate(lines) for model in (ours, again))
    assert second.text == first.text
    assert second.scores == pytest.approx(first.scores, abs=1e-3)


def test_tables_are_harmless_to_moses(tmp_path: Path) -> None:
    """No word is split into factors or fields, and tables and ARPA file have the same words."""
    import gzip

    _, _, path = built(tmp_path, "phrase", random.Random(1))
    export_model(Model.load(path), "moses", tmp_path / "out")
    table = gzip.decompress((tmp_path / "out" / "phrase-table.gz").read_bytes()).decode()
    words = set()
    for line in table.removesuffix("\n").split("\n"):
        fields = line.split(" ||| ")
        assert len(fields) == 5
        words |= set(split_words(fields[1]))
    assert not any("|" in word for word in words)
    assert words.isdisjoint({"<unk>", "<s>", "</s>"})
    arpa = (tmp_path / "out" / "lm-0.arpa").read_text(encoding="utf-8")
    unigrams = arpa.split("\\1-grams:\n")[1].split("\n\n")[0].split("\n")
    assert {line.split("\t")[1] for line in unigrams} - {"<unk>", "<s>", "</s>"} == words


def test_explain_and_force(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    meaning, sentences, model = built(tmp_path, "phrase", random.Random(2))
    source = sentences[:5]
    target = [" ".join(meaning[word] for word in split_words(line)) for line in source]
    files = ["--src", written(tmp_path / "s", source), "--ref", written(tmp_path / "r", target)]
    capfd.readouterr()
    assert run(["force", model, *files, "--out", str(tmp_path / "gold"), "--json"]) == 0
    assert json.loads(capfd.readouterr().out)["reachable"] == len(source)
    assert run(["explain", model, "<unk> |||", "--json"]) == 0
    assert json.loads(capfd.readouterr().out)["source"] == ["<unk>", "|||"]
