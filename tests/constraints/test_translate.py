"""Translation of text with tags, with a small model of raw text."""

from __future__ import annotations

from pathlib import Path

import pytest

from demotic.constraints import translate_marked_up
from demotic.model import Model
from tests.search.small_models import prepared_model


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Model:
    folder: Path = tmp_path_factory.mktemp("model")
    return prepared_model(folder)


def test_lines_and_white_space_are_kept(model: Model) -> None:
    assert translate_marked_up(model, " Das Haus ist alt.\n\nIch sehe das Buch.\n") == (
        " The house is old.\n\nI see the book.\n"
    )


def test_blocks_are_translated_one_by_one(model: Model) -> None:
    text = "<ul><li>Das Haus ist alt.</li>\n<li>Ich sehe das Buch.</li></ul><!-- x -->"
    assert translate_marked_up(model, text, "html") == (
        "<ul><li>The house is old.</li>\n<li>I see the book.</li></ul><!-- x -->"
    )
