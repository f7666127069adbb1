"""The TOML writer: what it writes is TOML with the same values."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from demotic.toml import write_toml

texts = st.text(st.characters(codec="utf-8"))
scalars = (
    texts
    | st.integers(-(2**63), 2**63 - 1)
    | st.booleans()
    | st.floats(allow_nan=False, allow_infinity=False)
)
tables = st.recursive(
    st.dictionaries(texts, scalars | st.lists(scalars, max_size=3), max_size=4),
    lambda inner: st.dictionaries(texts, scalars | inner, max_size=4),
    max_leaves=8,
)


@settings(deadline=None)
@given(values=tables)
def test_anything_is_read_again(
    tmp_path_factory: pytest.TempPathFactory, values: dict[str, object]
) -> None:
    path: Path = tmp_path_factory.mktemp("toml") / "file.toml"
    write_toml(path, values, header="two\nlines")
    assert tomllib.loads(path.read_text(encoding="utf-8")) == values


def test_nothing_is_left_out() -> None:
    with pytest.raises(ValueError, match="Out of range float"):
        write_toml("/dev/null", {"x": float("nan")})
