"""Models built from the links of several aligners."""

from __future__ import annotations

from pathlib import Path

import pytest

from bundled_corpus import generate, write
from demotic.align import AlignOptions, align, read_links
from demotic.align.options import aligners
from demotic.cli.main import run
from demotic.errors import InputError
from demotic.model.sharing import link_files
from demotic.text.parallel import ParallelCorpus
from demotic.train.parts import _aligners
from tests.build.test_build import made


@pytest.fixture(scope="module")
def text(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    folder = tmp_path_factory.mktemp("corpus")
    write(generate(3, train=200, dev=2, test=2), folder)
    return folder / "tok" / "train.zh", folder / "tok" / "train.en"


def test_both_aligners_by_default(text: tuple[Path, Path], tmp_path: Path) -> None:
    model, _ = made(text, tmp_path / "m")
    options = model.info.options
    assert (options["align_model"], options["align_2_model"]) == ("hmm", "diagonal")
    assert _aligners(model) == ["align", "align_2"]
    corpus = ParallelCorpus.read(*text)
    files = link_files(tmp_path / "m" / "bitext")
    assert [file.name for file in files] == ["links.gz", "links-2.gz"]
    for file, name in zip(files, ("hmm", "diagonal"), strict=True):
        found = read_links(file)
        assert found.links.tolist() == align(corpus, AlignOptions(model=name)).links.tolist()
    assert max(rule.count for rule in model.rules) > 200


def test_one_aligner_replaces_two(text: tuple[Path, Path], tmp_path: Path) -> None:
    both, _ = made(text, tmp_path / "m")
    one, skipped = made(text, tmp_path / "m", align=aligners("hmm"))
    assert skipped == ["corpus", "language_model"]
    assert len(one.rules) < len(both.rules)
    assert _aligners(one) == ["align"]
    assert [file.name for file in link_files(tmp_path / "m" / "bitext")] == ["links.gz"]


def test_given_sets_are_those_of_the_aligners(text: tuple[Path, Path], tmp_path: Path) -> None:
    made(text, tmp_path / "m")
    flags = ["--src", str(text[0]), "--tgt", str(text[1]), "--quiet", "-o", str(tmp_path / "n")]
    files = [str(file) for file in link_files(tmp_path / "m" / "work")]
    plain = ["--preset", "fast"]
    assert run(["build", *flags, *plain, "--links", files[0], "--links", files[1]]) == 0
    assert (tmp_path / "m" / "rules.bin").read_bytes() == (
        tmp_path / "n" / "rules.bin"
    ).read_bytes()
    assert run(["build", *flags, "--links", files[0], "--align", "hmm"]) == 2


def test_sizes_of_aligners() -> None:
    """As the flag --memory of demotic align reads them."""
    assert aligners("hmm:memory=4G,diagonal:memory=1.5k") == (
        AlignOptions(memory=4 << 30),
        AlignOptions(model="diagonal", memory=1536),
    )
    assert aligners("hmm:memory=512") == (AlignOptions(memory=512),)
    for wrong in ("4X", "", "-1", "inf", "nan"):
        with pytest.raises(InputError, match="expected a size like 64M or 4G of at least 0"):
            aligners(f"hmm:memory={wrong}")


def test_names_of_aligners() -> None:
    assert aligners("diagonal,ibm1")[1] == AlignOptions(model="ibm1")
    posterior = AlignOptions(posterior=0.4, symmetrize="gdf", agree=False)
    assert aligners("hmm:posterior=0.4:symmetrize=gdf:agree=off,hmm") == (posterior, AlignOptions())
    with pytest.raises(InputError, match="model is 'giza'; expected one of ibm1, diagonal, hmm"):
        aligners("hmm,giza")
    with pytest.raises(InputError, match="no option prior"):
        aligners("hmm:prior=0.1")
    with pytest.raises(InputError, match="posterior is '2'; expected a number from 0 to 1"):
        aligners("hmm:posterior=2")
    with pytest.raises(InputError, match="posterior is ''"):
        aligners("hmm:posterior")
    with pytest.raises(InputError, match="each aligner once"):
        aligners("hmm,hmm")
