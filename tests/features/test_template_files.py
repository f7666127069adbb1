"""Template files: those that are shipped, own ones, and error messages."""

from __future__ import annotations

from pathlib import Path

import pytest

from demotic.errors import Error, FormatError
from demotic.feature_sets import FEATURE_SETS, SPARSE_PARTS
from demotic.features import Templates, shipped


def test_shipped_files_are_complete() -> None:
    assert shipped() == (
        *("default", "distortion", "e13-sparse", "large", "large-tags", "lexical", "nonlocal"),
        *("ruleid", "source-tags", "syntax-coarse", "syntax-fine", "tags"),
        *("wordedges", "wordedges-large", "z14"),
    )
    found = {name: Templates.find(name) for name in shipped()}
    assert set(found["default"]) == set(found["ruleid"]) | set(found["wordedges"])
    assert 20 <= len(found["default"]) <= 40
    assert not any("cluster" in text or "type" in text or "past" in text for text in found["z14"])
    assert {one.family for one in found["nonlocal"].native} == {"nonlocal"}
    assert set(found["large"]) == set(found["ruleid"]) | set(found["wordedges-large"])
    assert set(found["large-tags"]) == set(found["large"]) | set(found["tags"])
    for name, templates in found.items():
        tags = {layer for layer in templates.layers if layer.endswith(".tag")}
        if "tags" not in name:
            assert not tags, name  # no files are needed
        elif name == "source-tags":
            assert tags == {"source.tag"}
        else:
            assert tags == {"source.tag", "target.tag"}, name


def test_large_sets_extend_the_default_with_more_places_and_prefixes() -> None:
    default, large = (Templates.find(name) for name in ("default", "large"))
    assert set(default) < set(large)
    new = [one for one in large.native if one.text not in set(default)]
    assert sum(len(one.text.split()) >= 3 for one in new) > 25
    assert {"source.prefix4", "source.prefix6", "target.prefix6"} <= set(large.layers)
    assert max(one.cost for one in large.native) == 10


def test_families_can_be_left_out() -> None:
    both = Templates.find("default+nonlocal")
    assert repr(both) == "Templates(1 ruleid, 33 wordedges, 6 nonlocal)"
    assert both.only(["ruleid", "wordedges"]) == Templates.find("default")
    assert list(both.only(["ruleid"])) == ["rule"]
    assert Templates.find("default+default") == Templates.find("default")
    with pytest.raises(Error, match="no templates"):
        Templates.find("ruleid").only(["nonlocal"])


def test_written_and_read(tmp_path: Path) -> None:
    templates = Templates.find("default+nonlocal")
    templates.write(tmp_path / "t")
    assert Templates.read(tmp_path / "t") == templates
    assert Templates.find(tmp_path / "t") == templates


def test_comments_and_includes(tmp_path: Path) -> None:
    file = tmp_path / "own.templates"
    file.write_text("# mine\n\n  include ruleid # one each\ntarget.last:tag   source.first:word\n")
    assert list(Templates.find(file)) == ["rule", "source.first:word target.last:tag"]
    assert Templates.find(file).layers == ("target.tag",)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("rule\nsource.first:wrod\n", "own line 2: 'source.first:wrod' in a template; expected "),
        ("rule\n\nrule\n", "own line 3: 'rule' again (see line 1); expected distinct"),
        ("rule\ninclude ruleid\n", "own line 2: 'rule' again (see line 1)"),
        ("include none\n", "own line 1: 'include none'; expected one of default, distortion"),
        ("# nothing\n", "own: no templates; expected one per line"),
        (
            "source.first:word source.last:word target.last:tag\n",
            "own line 1: the template 'source.first:word source.last:word target.last:tag', "
            "with cost 12; expected a cost of at most 10",
        ),
    ],
)
def test_errors_name_the_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("own").write_text(text)
    with pytest.raises(FormatError) as caught:
        Templates.read("own")
    assert str(caught.value).startswith(message)


def test_a_name_that_is_neither_shipped_nor_a_file(tmp_path: Path) -> None:
    with pytest.raises(Error, match="no templates called defualt; expected default, dist"):
        Templates.find("defualt")
    with pytest.raises(OSError, match="cannot be opened"):
        Templates.find(tmp_path / "nowhere")


def test_sets_of_papers_have_sparse_parts() -> None:
    assert Templates.find("c08-all") == Templates.find("syntax-fine+distortion")
    assert Templates.find("y13") == Templates.find("default+nonlocal")
    for name, part in SPARSE_PARTS.items():
        if part:
            assert Templates.find(name) == Templates.find(part)
            continue
        with pytest.raises(Error, match=f"the set {name} has only dense features"):
            Templates.find(name)
    assert SPARSE_PARTS.keys() == FEATURE_SETS.keys()
