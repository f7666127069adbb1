"""Forests as JSON, one per line, so that other programs can read them one at a time.

docs/formats.md describes the keys.  Reading back is exact.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Mapping
from typing import IO, Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from demotic.errors import Error, FormatError
from demotic.features.weights import FeatureIndex
from demotic.forest.forest import NO_RULE, Forest
from demotic.forest.rows import FeatureRows, Rows, offsets_of
from demotic.lines import PathLike, display_name, open_plain_bytes, write_text

__all__ = ["read_forests", "write_forest", "write_forests"]

_LARGEST = sys.float_info.max
_INT32 = range(-(2**31), 2**31)


def write_forests(path: PathLike, forests: Iterable[Forest]) -> int:
    """Writes forests as they come (compressed if the name ends in .gz); returns their number."""
    count = 0
    with write_text(path) as file:
        for forest in forests:
            write_forest(file, forest)
            count += 1
    return count


def write_forest(file: IO[str], forest: Forest, about: Mapping[str, object] = {}) -> None:
    """Writes one line, starting with the fields of `about`, which readers ignore."""
    record = {**about, **_record(forest)}
    json.dump(record, file, separators=(",", ":"), ensure_ascii=False)
    file.write("\n")


def read_forests(path: PathLike) -> Iterator[Forest]:
    """Reads forests one after another.  Raises FormatError with the line of malformed input."""
    for number, line in enumerate(_lines(path), 1):
        try:
            yield _forest(_parsed(line))
        except Error as error:
            raise FormatError(
                error.found,
                path=display_name(path),
                line=number,
                expected=error.expected,
                advice=error.advice,
            ) from None


def _record(forest: Forest) -> dict[str, object]:
    names = forest.feature_names.names
    ends = forest.tail_offsets.tolist()
    tails = forest.tails.tolist()
    columns = zip(
        forest.graph.edge_heads().tolist(),
        forest.edge_rule.tolist(),
        forest.edge_begin.tolist(),
        forest.edge_end.tolist(),
        forest.edge_target,
        forest.edge_features,
        strict=True,
    )
    edges = [
        {
            "head": head,
            "tails": tails[ends[i] : ends[i + 1]],
            "rule": rule,
            "span": [begin, end],
            "target": target.tolist(),
            "features": {names[id_]: value for id_, value in features.items()},
        }
        for i, (head, rule, begin, end, target, features) in enumerate(columns)
    ]
    nodes = [{"bin": bin_} for bin_ in forest.node_bin.tolist()]
    return {"feature_names": names, "nodes": nodes, "edges": edges, "root": forest.nodes - 1}


def _lines(path: PathLike) -> Iterator[bytes]:
    """Raw lines, since a forest may be longer than a line of text may be."""
    parts: list[bytes] = []
    for data in open_plain_bytes(path):
        head, *rest = data.split(b"\n")
        parts.append(head)
        for piece in rest:
            yield b"".join(parts)
            parts = [piece]
    if any(parts):
        yield b"".join(parts)


def _parsed(line: bytes) -> dict[str, Any]:
    try:
        record = json.loads(line, object_pairs_hook=_object, parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        _refuse(f"text that is not JSON ({error})", "one object per line")
    if not isinstance(record, dict):
        _refuse(f"a JSON {type(record).__name__}", "an object")
    return record


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    record = dict(pairs)
    if len(record) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        _refuse(f"two values of {twice!r} in one object", "one value per name")
    return record


def _no_constant(name: str) -> NoReturn:
    _refuse(name, "a finite number")


def _forest(record: dict[str, Any]) -> Forest:
    nodes, edges = _listed(record, "nodes"), _listed(record, "edges")
    heads = _column(edges, "head", None, "edges")
    if heads.size and not 0 <= heads.min() <= heads.max() < len(nodes):
        _refuse(f"a head outside the {len(nodes)} nodes", "the number of a node, from 0")
    if record.get("root") != len(nodes) - 1:
        _refuse(f"the root {record.get('root')!r}", f"the last node, {len(nodes) - 1}")
    order = np.argsort(heads, kind="stable").tolist()  # makes the edges of a node contiguous
    edges = [edges[i] for i in order]
    tails = Rows.of([_integers(edge.get("tails"), "tails") for edge in edges])
    spans = np.array([_span(edge) for edge in edges], dtype=np.int32).reshape(-1, 2)
    names = _names(record, edges)
    return Forest(
        edge_offsets=offsets_of(np.bincount(heads, minlength=len(nodes))).astype(np.int32),
        tail_offsets=tails.offsets.astype(np.int32),
        tails=tails.values,
        edge_rule=_column(edges, "rule", NO_RULE, "edges"),
        edge_begin=spans[:, 0],
        edge_end=spans[:, 1],
        edge_target=Rows.of([_target(edge) for edge in edges]),
        edge_features=FeatureRows.of([_features(edge, names) for edge in edges]),
        node_bin=_column(nodes, "bin", 0, "nodes"),
        feature_names=names,
    )


def _listed(record: dict[str, Any], name: str) -> list[dict[str, Any]]:
    items = record.get(name)
    if not isinstance(items, list) or not all(isinstance(item, dict) for item in items):
        _refuse(f"{name!r} missing or not a list of objects", f"{name} as objects")
    return items


def _column(
    items: list[dict[str, Any]], name: str, default: int | None, of: str
) -> NDArray[np.int32]:
    values = [item.get(name, default) for item in items]
    return np.array(_integers(values, f"{name!r} of {of}"), dtype=np.int32)


def _integers(values: object, name: str) -> list[int]:
    if not isinstance(values, list):
        _refuse(f"{name} missing or not a list", "a list of integers")
    for value in values:
        if type(value) is not int or value not in _INT32:
            _refuse(f"{value!r} among {name}", "32-bit integers")
    return values


def _span(edge: dict[str, Any]) -> list[int]:
    span = _integers(edge.get("span", [-1, -1]), "span")
    if len(span) != 2:
        _refuse(f"the span {span}", "its begin and its end")
    return span


def _target(edge: dict[str, Any]) -> list[int]:
    if "target" in edge:
        return _integers(edge["target"], "target")
    return [-i - 1 for i in range(len(edge["tails"]))]


def _names(record: dict[str, Any], edges: list[dict[str, Any]]) -> FeatureIndex:
    """The listed names; without a list, names in order of appearance."""
    names = record.get("feature_names")
    if names is None:
        maps = [features for edge in edges if isinstance(features := edge.get("features"), dict)]
        names = list(dict.fromkeys(name for features in maps for name in features))
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        _refuse("'feature_names' that are not a list of names", "a list of names")
    return FeatureIndex(names)


def _features(edge: dict[str, Any], names: FeatureIndex) -> dict[int, float]:
    features = edge.get("features", {})
    if not isinstance(features, dict):
        _refuse(f"the features {features!r}", "an object of names and numbers")
    for name, value in features.items():
        if type(value) not in (int, float) or abs(value) > _LARGEST:
            _refuse(f"the value {value!r} of {name}", "a finite number")
    return {names[name]: float(value) for name, value in features.items()}


def _refuse(found: str, expected: str) -> NoReturn:
    raise FormatError(found, expected=expected)
