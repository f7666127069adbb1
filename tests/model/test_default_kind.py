"""The kind of model by language, in `build` and `make`."""

from __future__ import annotations

from pathlib import Path

import pytest

from demotic.cli.main import run
from demotic.model import Model
from demotic.model.default_kind import default_kind
from demotic.pipeline.options import MakeOptions
from demotic.pipeline.request import MakeRequest


@pytest.mark.parametrize(
    ("source", "target", "kind"),
    [
        ("ja", "en", "hiero"),
        ("en", "ko", "hiero"),
        ("fa_IR", "de-AT", "hiero"),
        ("ja", "ko", "phrase"),
        ("zh", "en", "hiero"),
        ("de", "zh-TW", "hiero"),
        ("zh", "ja", "hiero"),
        ("zh", "yue", "phrase"),
        ("de", "en", "phrase"),
        ("ja", "", "phrase"),
        ("", "", "phrase"),
    ],
)
def test_by_languages(source: str, target: str, kind: str) -> None:
    assert default_kind(source, target) == kind


def _text(folder: Path) -> list[Path]:
    paths = [folder / "t.ja", folder / "t.en"]
    for path, line in zip(paths, ("kare wa hon o yomu", "he reads a book"), strict=True):
        path.write_text(f"{line}\n" * 3, "utf-8")
    return paths


@pytest.mark.parametrize("flags", [[], ["--kind", "phrase"]])
def test_build(tmp_path: Path, flags: list[str]) -> None:
    source, target = map(str, _text(tmp_path))
    command = ["build", "--src", source, "--tgt", target, "--tgt-lang", "en", *flags]
    assert run([*command, "--src-lang", "ja", "-o", str(tmp_path / "m"), "--quiet"]) == 0
    model = Model.load(tmp_path / "m")
    assert model.kind == ("phrase" if flags else "hiero")
    named = any("operation" in name for name in model.weights)
    assert named == bool(flags)  # of the preset, for phrases


def test_make(tmp_path: Path) -> None:
    def request(source: str, kind: str) -> MakeRequest:
        options = MakeOptions(kind=kind)  # type: ignore[arg-type]
        return MakeRequest(
            inputs=_text(tmp_path),
            source_language=source,
            target_language="en",
            out=tmp_path / "out",
            options=options,
        )

    assert request("ja", "auto").kinds == ("hiero",)
    assert request("ja", "best").kinds == ("phrase", "hiero")
    assert request("ja", "best").command()["kind"] == "best"
    # A directory of a named kind can be resumed without naming it, if it is the default.
    assert request("de", "auto").command() == request("de", "phrase").command()
    assert request("ja", "auto").command() != request("ja", "phrase").command()
