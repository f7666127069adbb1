"""Checks values against the schemas of the server's OpenAPI description."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

__all__ = ["DESCRIPTION", "faults", "schema_of"]

DESCRIPTION: dict[str, Any] = json.loads(
    files("demotic.serve").joinpath("page/openapi.json").read_text("utf-8")
)
_TYPES: dict[str, Any] = {
    "string": str,
    "integer": int,
    "number": (int, float),
    "boolean": bool,
    "array": list,
    "object": dict,
    "null": type(None),
}


def schema_of(path: str, method: str = "post") -> dict[str, Any]:
    """The schema of the answer of a path."""
    answer = DESCRIPTION["paths"][path][method]["responses"]["200"]
    schema: dict[str, Any] = answer["content"]["application/json"]["schema"]
    return schema


def faults(value: Any, schema: dict[str, Any], place: str = "answer") -> list[str]:
    """What is wrong with a value; unknown properties are, unless they are allowed."""
    if "$ref" in schema:
        name = schema["$ref"].rsplit("/", 1)[1]
        return faults(value, DESCRIPTION["components"]["schemas"][name], place)
    if "oneOf" in schema:
        found = [faults(value, one, place) for one in schema["oneOf"]]
        return [] if [] in found else [fault for one in found for fault in one]
    kind = schema["type"]
    right = isinstance(value, _TYPES[kind]) and (kind == "boolean") == isinstance(value, bool)
    if not right:
        return [f"{place} is {value!r}, not {kind}"]
    if "enum" in schema and value not in schema["enum"]:
        return [f"{place} is {value!r}"]
    return _inner(value, schema, place)


def _inner(value: Any, schema: dict[str, Any], place: str) -> list[str]:
    if isinstance(value, list):
        bounds = schema.get("minItems", 0), schema.get("maxItems", len(value))
        wrong = [] if bounds[0] <= len(value) <= bounds[1] else [f"{place} has {len(value)} items"]
        return wrong + [
            fault
            for i, one in enumerate(value)
            for fault in faults(one, schema["items"], f"{place}[{i}]")
        ]
    if not isinstance(value, dict) or "properties" not in schema:
        return []
    known = schema["properties"]
    wrong = [f"{place}.{name} is missing" for name in schema["required"] if name not in value]
    if not schema.get("additionalProperties"):
        wrong += [f"{place}.{name} is not described" for name in value if name not in known]
    return wrong + [
        fault
        for name in value.keys() & known.keys()
        for fault in faults(value[name], known[name], f"{place}.{name}")
    ]
