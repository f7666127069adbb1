"""Weights: one number per dense feature, immutable, kept in a readable file.

`weights.tsv` has one name, tab and value per line, and comments after `#`; cdec's `name value` and
`name=value` are read too.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from demotic.errors import FormatError, ModelError
from demotic.features.dense import default_weight
from demotic.lines import LineFile, PathLike, write_text

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["FeatureIndex", "Weights"]


class FeatureIndex:
    """Feature names and their indices."""

    __slots__ = ("_ids", "names")

    def __init__(self, names: Iterable[str]) -> None:
        self.names = tuple(names)
        self._ids = {name: i for i, name in enumerate(self.names)}
        if len(self._ids) != len(self.names):
            twice = next(name for name in self.names if self.names.count(name) > 1)
            raise ModelError(f"two features called {twice}", expected="distinct names")

    def __getitem__(self, name: str) -> int:
        if name not in self._ids:
            raise ModelError(f"no feature called {name}", expected=", ".join(self.names))
        return self._ids[name]

    def __contains__(self, name: object) -> bool:
        return name in self._ids

    def __len__(self) -> int:
        return len(self.names)

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, FeatureIndex) and self.names == other.names

    def __hash__(self) -> int:
        return hash(self.names)


class Weights(Mapping[str, float]):
    """Dense weights by name, or all of them as the read-only `array`."""

    __slots__ = ("_array", "_values", "index")

    def __init__(self, index: FeatureIndex, values: Iterable[float]) -> None:
        self.index = index
        self._values = tuple(map(float, values))
        self._array: NDArray[np.float64] | None = None
        if len(self._values) != len(index):
            raise ValueError(
                f"expected {len(index)} weights (one per feature), got {len(self._values)}"
            )
        for name, value in zip(index, self._values, strict=True):
            if not math.isfinite(value):
                raise ModelError(f"the weight {value} of {name}", expected="a finite number")

    @property
    def array(self) -> NDArray[np.float64]:
        if self._array is None:
            import numpy as np  # when it is needed: a model opens faster than numpy

            self._array = np.array(self._values, dtype=np.float64)
            self._array.flags.writeable = False
        return self._array

    @property
    def doubles(self) -> Any:
        """The same for the core, which takes any buffer, without loading numpy."""
        return array("d", self._values)

    @classmethod
    def of(cls, values: Mapping[str, float]) -> Weights:
        return cls(FeatureIndex(values), list(values.values()))

    @classmethod
    def default(cls, names: Iterable[str]) -> Weights:
        """Initial weights, before tuning."""
        return cls.of({name: default_weight(name) for name in names})

    def __getitem__(self, name: str) -> float:
        if name not in self.index:
            raise KeyError(name)
        return self._values[self.index[name]]

    def __iter__(self) -> Iterator[str]:
        return iter(self.index)

    def __len__(self) -> int:
        return len(self.index)

    def __hash__(self) -> int:
        return hash((self.index, self._values))

    def __repr__(self) -> str:
        shown = ", ".join(f"{name}={value:g}" for name, value in list(self.items())[:4])
        return f"Weights({len(self)}: {shown}{', ...' if len(self) > 4 else ''})"

    def replace(self, values: Mapping[str, float]) -> Weights:
        """The same weights with new values for some features."""
        changed = list(self._values)
        for name, value in values.items():
            changed[self.index[name]] = value
        return Weights(self.index, changed)

    def ordered(self, names: Iterable[str], path: PathLike = "") -> Weights:
        """The weights in the order of `names`, which must be exactly the features."""
        index = FeatureIndex(names)
        missing = [name for name in index if name not in self.index]
        extra = [name for name in self.index if name not in index]
        if missing or extra:
            found = [f"no weight for {', '.join(missing)}"] if missing else []
            found += [f"a weight for {', '.join(extra)}, not in the model"] if extra else []
            line = f"add {missing[0]} and its weight (0 ignores it) to the file" if missing else ""
            raise ModelError(
                " and ".join(found),
                path=path,
                expected="one weight per dense feature",
                advice=line or f"remove {extra[0]} from the file",
            )
        return Weights(index, [self[name] for name in index])

    @classmethod
    def read(cls, path: PathLike) -> Weights:
        values: dict[str, float] = {}
        lines: dict[str, int] = {}
        for number, line in enumerate(LineFile(path, keep_tabs=True), 1):
            text = line.strip()
            if not text or text.startswith("#"):
                continue
            name, value = _parsed(text, path, number)
            if name in lines:
                raise FormatError(
                    f"a second weight for {name}, after the one on line {lines[name]}",
                    path=path,
                    line=number,
                    expected="one weight per feature",
                    advice="remove one of them",
                )
            values[name], lines[name] = value, number
        return cls.of(values)

    def write(self, path: PathLike) -> None:
        with write_text(path) as file:
            file.write("# feature\tweight\n")
            file.writelines(f"{name}\t{value!r}\n" for name, value in self.items())


def _parsed(text: str, path: PathLike, line: int) -> tuple[str, float]:
    """`name TAB value`, `name value` or `name=value`."""
    parts = text.split("\t") if "\t" in text else text.split()
    if len(parts) == 1:
        parts = list(text.rpartition("=")[::2])
    name = parts[0].strip()
    if len(parts) != 2 or not name:
        raise FormatError(
            repr(text), path=path, line=line, expected="a feature's name, a tab and its weight"
        )
    try:
        value = float(parts[1])
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise FormatError(
            f"the weight {parts[1].strip()} of {name}",
            path=path,
            line=line,
            expected="a finite number",
        )
    return name, value
