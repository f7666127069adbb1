"""Language models of word classes: KenLM on the text of classes, search, files, errors."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from demotic import _core
from demotic.errors import Error, FormatError, InputError
from demotic.features.dense import Kind
from demotic.lm import LanguageModel
from demotic.model import Model
from demotic.model.build import BuildOptions, build
from demotic.model.class_lm import ClassLmOptions, estimate_class_lm, estimate_like
from demotic.rules import RuleOptions
from demotic.search import SearchOptions
from tests.search.small_models import pairs

LINES = [
    "the house is small",
    "the book is big",
    "a house is old",
    "the the <unk> is </s> small",
    "ein über ü e\u0308 house",
] * 3
TEXT = [*LINES, "", "zzz house zzz", "<s> the", "small small small"]


def text(lines: list[str]) -> _core.Lines:
    made = _core.Lines()
    for line in lines:
        made.append(line)
    return made


def class_text(model: LanguageModel, line: str) -> str:
    """The classes of the words; a word without one is an unknown class."""
    native = model.native
    ids = [int(native.classes[native.words.find(word)]) for word in line.split()]
    return " ".join("<unk>" if one == 0 else native.vocabulary.word(one) for one in ids)


@pytest.mark.parametrize("chosen", [ClassLmOptions(2, 3), ClassLmOptions(5, 4)])
def test_scores_are_those_of_kenlm_on_the_text_of_classes(
    tmp_path: Path, chosen: ClassLmOptions
) -> None:
    kenlm = pytest.importorskip("kenlm", reason="KenLM's Python module is not installed")
    ours = estimate_class_lm(text(LINES), chosen)
    ours.save(tmp_path / "classes.arpa")
    theirs = kenlm.Model(str(tmp_path / "classes.arpa"))
    assert theirs.order == chosen.order
    scores = ours.score_text(text(TEXT)).log10
    for line, score in zip(TEXT, scores.tolist(), strict=True):
        expected = theirs.score(class_text(ours, line))
        assert score == pytest.approx(expected, abs=1e-5)
        assert ours.score(line) == pytest.approx(expected * np.log(10), abs=1e-4)


def test_a_file_keeps_the_classes(tmp_path: Path) -> None:
    ours = estimate_class_lm(text(LINES), ClassLmOptions(4, 3))
    ours.save(tmp_path / "c.lm")
    again = LanguageModel.load(tmp_path / "c.lm")
    assert again.native.has_classes
    assert len(again.vocabulary) == 4 + _core.RESERVED_WORDS
    assert [again.score(line) for line in TEXT] == [ours.score(line) for line in TEXT]
    data = bytearray((tmp_path / "c.lm").read_bytes())
    data[-200] ^= 1
    (tmp_path / "bad.lm").write_bytes(data)
    with pytest.raises(FormatError):
        LanguageModel.load(tmp_path / "bad.lm")


def test_the_same_classes_on_other_text() -> None:
    ours = estimate_class_lm(text(LINES), ClassLmOptions(4, 3))
    other = estimate_like(ours.native, text(LINES))
    assert [other.score(line) for line in TEXT] == [ours.score(line) for line in TEXT]
    assert (other.native.classes == ours.native.classes).all()


def test_other_text_may_lack_classes() -> None:
    ours = estimate_class_lm(text(LINES), ClassLmOptions(4, 3))
    other = estimate_like(ours.native, text(["the the", "the"]))
    assert other.score("the the") > other.score("small") > float("-inf")


@pytest.mark.parametrize("wrong", [[0, 1, 2, 99], [0, 1, 2, 1], [1, 1, 2, 3], [0, 1, 2]])
def test_classes_must_be_those_of_the_model(wrong: list[int]) -> None:
    model = estimate_class_lm(text(LINES), ClassLmOptions(2, 2)).native
    words = _core.VocabularyBuilder()
    words.add("a")
    with pytest.raises(ValueError, match="one class"):
        model.with_classes(words.finish(), np.array(wrong, np.int32))


@pytest.mark.parametrize("given", ["100", "a:3", "1:3", "10:0", "10:99", "-5:3", "10:3:2", ""])
def test_options_are_checked(given: str) -> None:
    with pytest.raises(InputError, match="class language model"):
        ClassLmOptions.parsed(given)


def built(folder: Path, kind: Kind, *chosen: ClassLmOptions) -> Model:
    for side, name in enumerate(("t.de", "t.en")):
        lines = [pair[side].lower().replace(".", " .") for pair in pairs()]
        (folder / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    options = BuildOptions(
        source=folder / "t.de",
        target=folder / "t.en",
        kind=kind,
        rules=RuleOptions(max_phrase=2),
        class_lms=chosen,
    )
    return build(options, folder / "model").model


@pytest.mark.parametrize("kind", ["phrase", "hiero"])
def test_search_scores_classes(tmp_path: Path, kind: Kind) -> None:
    model = built(tmp_path, kind, ClassLmOptions(3, 4), ClassLmOptions(6, 2))
    names = list(model.weights)
    assert [name for name in names if "language_model" in name] == [
        "language_model",
        "class_language_model",
        "class_language_model_2",
    ]
    lines = ["heute sehe ich das haus .", "zzz <unk> das das", "", "das kind ist klein ."]
    for beam in (1, 50):
        for result in model.decoder(SearchOptions(beam_size=beam)).search(lines):
            for one in result.kbest(10):
                for name, file in zip(
                    names[names.index("class_language_model") :],
                    model.class_language_models,
                    strict=False,
                ):
                    expected = LanguageModel.load(file).score(" ".join(one.words))
                    value = one.features[names.index(name)]
                    assert value == pytest.approx(expected, abs=1e-3)
                total = sum(one.features * model.weights.array)
                assert one.score == pytest.approx(total, abs=1e-6)


def test_a_model_records_its_classes_and_shares_them(tmp_path: Path) -> None:
    model = built(tmp_path, "phrase", ClassLmOptions(3, 4))
    assert model.info.options["class_lms"] == "3:4"
    tuned = model.derive(tmp_path / "tuned", weights=model.weights)
    assert tuned.class_language_models[0].exists()
    tuned.verify()


def test_other_decoders_have_no_classes(tmp_path: Path) -> None:
    from demotic.formats.exporting import export_model

    model = built(tmp_path, "phrase", ClassLmOptions(3, 4))
    with pytest.raises(Error, match="word classes"):
        export_model(model, "moses", tmp_path / "moses")
    assert not (tmp_path / "moses").exists()


def test_there_are_at_most_three(tmp_path: Path) -> None:
    options = BuildOptions(source=tmp_path / "s", target=tmp_path / "t")
    many = replace(options, class_lms=[ClassLmOptions(3, 4)] * 4)
    with pytest.raises(InputError, match="5 language models"):
        build(many, tmp_path / "m")
