"""Arrays as bytes: a line of JSON with names, types and shapes, then the values.

The same arrays give the same bytes.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from demotic.errors import FormatError

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["from_bytes", "to_bytes"]


def to_bytes(arrays: Mapping[str, NDArray[Any]]) -> bytes:
    head = [[name, one.dtype.str, list(one.shape)] for name, one in arrays.items()]
    return b"\n".join([json.dumps(head).encode(), b"".join(a.tobytes() for a in arrays.values())])


def from_bytes(data: bytes) -> dict[str, NDArray[Any]]:
    """Raises FormatError for other bytes; the arrays are read-only."""
    import numpy as np

    end = data.find(b"\n") + 1
    arrays, begin = {}, end
    try:
        for name, kind, shape in json.loads(data[:end]):
            dtype = np.dtype(kind)
            size = int(np.prod(shape, dtype=np.int64))
            flat = np.frombuffer(data, dtype, size, begin)
            arrays[name] = flat.reshape(shape)
            begin += size * dtype.itemsize
    except (ValueError, TypeError) as error:
        raise FormatError(f"no arrays ({error})", expected="arrays of a worker") from None
    return arrays
