"""A model of our own, exported to Moses and imported again, gives the same scores."""

from __future__ import annotations

from pathlib import Path

import pytest

from demotic.formats.exporting import export_model
from demotic.formats.importing import import_model
from demotic.model.build import BuildOptions, build

SOURCE = ["das haus ist klein", "das kind ist klein", "ein haus", "ein kind sieht das haus"]
TARGET = ["the house is small", "the child is small", "a house", "a child sees the house"]


def test_export_writes_what_moses_can_read(tmp_path: Path) -> None:
    for name, lines in (("de", SOURCE), ("en", TARGET)):
        (tmp_path / name).write_text("\n".join(lines * 3) + "\n", encoding="utf-8")
    options = BuildOptions(source=tmp_path / "de", target=tmp_path / "en")
    ours = build(options, tmp_path / "model").model
    export_model(ours, "moses", tmp_path / "moses")
    again = import_model(tmp_path / "moses" / "moses.ini", tmp_path / "again").model
    lines = [*SOURCE, "das kind sieht ein haus", "ein unbekanntes haus"]
    first, second = (model.decoder().translate(lines) for model in (ours, again))
    assert first.text == second.text
    assert second.scores == pytest.approx(first.scores, abs=1e-4)
