"""A source file of the core is found by the name of the header that it implements."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.house import cpp


def headers_of(source: Path) -> list[Path]:
    """Headers of a source's name, or of the beginning of it: parts of a.h are in a_<part>.cpp."""
    homes = (cpp.INCLUDE / cpp.folder(source), source.parent)
    words = source.stem.split("_")
    names = ["_".join(words[:count]) + ".h" for count in range(len(words), 0, -1)]
    return [home / name for name in names for home in homes if (home / name).is_file()]


@pytest.mark.parametrize("source", cpp.files(".cpp"), ids=lambda path: path.name)
def test_a_source_includes_the_header_of_its_name(source: Path) -> None:
    header = next(iter(headers_of(source)), None)
    assert header is not None, f"no header is called {source.stem}.h or like a beginning of it"
    wanted = (
        f'#include "demotic/{header.relative_to(cpp.INCLUDE).as_posix()}"'
        if header.is_relative_to(cpp.INCLUDE)
        else f'#include "{header.name}"'
    )
    assert wanted in source.read_text("utf-8").splitlines(), f"expected {wanted}"
