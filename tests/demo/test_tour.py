"""The demo names everything on which its results depend."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from demotic.demo.corpus import write_corpus
from demotic.demo.tour import request
from demotic.pipeline import MakeOptions


def test_results_do_not_depend_on_installed_tokenisers(tmp_path: Path) -> None:
    write_corpus(tmp_path / "corpus")
    made = request(tmp_path, threads=1)
    prepared = made.preparation
    assert (prepared.tokenizer, prepared.target_tokenizer) == ("unigram", "builtin")
    assert made.command()["target_tokenizer"] == "builtin"
    # Directories that were made before the option existed are resumed.
    usual = replace(made, options=MakeOptions())
    assert not {"tokenizer", "target_tokenizer"} & set(usual.command())
    assert usual.preparation.tokenizer == "auto"
