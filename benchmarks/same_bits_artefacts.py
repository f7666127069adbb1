"""The results of a command of `same_bits`: a digest per artefact, and figures for the reader.

Reports are compared only by their numbers, regardless of names and positions, so that a renamed
field is not a difference; times are ignored.  Weights are compared by name.
"""

from __future__ import annotations

import gzip
import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

__all__ = ["Artefact", "failure", "read_artefacts"]

Artefact = dict[str, Any]
"""`digest` and `figures`."""

_SHOWN = 40  # figures per artefact
_TIMES = ("seconds", "time", "version")


def read_artefacts(command: list[str], folder: Path, stdout: str) -> dict[str, Artefact]:
    """Artefacts by name; `folder` is the directory in which `command` ran."""
    verb = command[0]
    found: dict[str, Artefact] = {}
    if "--json" in command:
        found["report"] = _report(json.loads(stdout))
    elif stdout:
        found["stdout"] = _lines(stdout.splitlines())
    out = _after(command, "-o")
    if out and (folder / out).is_dir():
        found |= _directory(folder / out, verb)
    elif out:
        found["output"] = _lines(_text(folder / out))
    if nbest := _after(command, "--nbest-file"):
        found |= _nbest(_text(folder / nbest))
    if forest := _after(command, "--forest"):
        found |= _forests(_text(folder / forest))
    return found


def failure(code: int, stderr: str) -> Artefact:
    return {"digest": f"exit code {code}", "figures": {"stderr": stderr.splitlines()[-3:]}}


def _after(command: list[str], flag: str) -> str | None:
    return command[command.index(flag) + 1] if flag in command else None


def _text(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").split("\n")[:-1]


def _digest(data: bytes | str) -> str:
    data = data.encode() if isinstance(data, str) else data
    return hashlib.sha256(data).hexdigest()[:16]


def _lines(lines: list[str]) -> Artefact:
    return {
        "digest": _digest("\n".join(lines)),
        "figures": {"lines": len(lines), "first": [line[:200] for line in lines[:3]]},
    }


def _report(report: Any) -> Artefact:
    numbers = dict(_numbers(report))
    shown = dict(list(numbers.items())[:_SHOWN])
    return {"digest": _digest(json.dumps(sorted(numbers.values()))), "figures": shown}


def _numbers(value: Any, name: str = "") -> Iterator[tuple[str, float]]:
    """Every number below `value` but times, by the path to it."""
    if isinstance(value, bool):
        return
    if isinstance(value, int | float):
        yield name, float(value)
    if isinstance(value, list):
        value = dict(enumerate(value))
    for key, one in value.items() if isinstance(value, dict) else ():
        if not str(key).endswith(_TIMES):
            yield from _numbers(one, f"{name}.{key}" if name else str(key))


def _directory(folder: Path, verb: str) -> dict[str, Artefact]:
    """Weights by name, text and binary files by their bytes.

    Excludes files that a tuned model shares with its initial model, and HTML pages, which only
    repeat results.
    """
    found = {}
    for path in sorted(folder.iterdir()):
        shared = verb == "tune" or (verb == "train" and path.name != "sparse.bin")
        if path.name == "weights.tsv":
            found["weights"] = _weights(_text(path))
        elif path.suffix in (".ref", ".src"):
            found[path.name] = _lines(_text(path))
        elif path.suffix in (".bin", ".lm") and not shared:
            data = path.read_bytes()
            found[path.name] = {"digest": _digest(data), "figures": {"bytes": len(data)}}
    if (links := folder / "bitext" / "links.gz").exists() and verb == "build":
        found["links"] = _lines(gzip.decompress(links.read_bytes()).decode().splitlines())
    return found


def _weights(lines: list[str]) -> Artefact:
    values = dict(line.split("\t") for line in lines if line and not line.startswith("#"))
    return {"digest": _digest(json.dumps(values, sort_keys=True)), "figures": values}


def _nbest(lines: list[str]) -> dict[str, Artefact]:
    """Separate artefacts for words, scores and feature values.

    So a renamed feature does not look like a changed search.  Segments and word links belong to
    the words.
    """
    parts = [line.split(" ||| ") for line in lines]
    words = [" ||| ".join([*fields[:2], *fields[4:]]) for fields in parts]
    scores = [fields[3] for fields in parts]
    values = [" ".join(sorted(_values(fields[2]))) for fields in parts]
    figures = {"candidates": len(lines), "first": words[:2], "scores": scores[:6]}
    return {
        "nbest": {"digest": _digest("\n".join(words)), "figures": figures},
        "nbest-scores": {
            "digest": _digest("\n".join(scores)),
            "figures": {"sum": repr(sum(map(float, scores))), "scores": scores[:6]},
        },
        "nbest-features": {
            "digest": _digest("\n".join(values)),
            "figures": {"first": [fields[2] for fields in parts[:2]]},
        },
    }


def _values(features: str) -> list[str]:
    return [word for word in features.split() if not word.endswith("=")]


def _forests(lines: list[str]) -> dict[str, Artefact]:
    """Counts, and the values of all fields of the forests, in order but without field names."""
    forests = [json.loads(line) for line in lines]
    counts = [[len(forest["nodes"]), len(forest["edges"])] for forest in forests]
    nodes, edges = (sum(column) for column in zip(*counts, strict=True))
    contents = json.dumps([list(_leaves(forest)) for forest in forests])
    return {
        "forest-counts": {
            "digest": _digest(json.dumps(counts)),
            "figures": {"nodes": nodes, "edges": edges, "per sentence": counts[:10]},
        },
        "forests": {"digest": _digest(contents), "figures": {"characters": len(contents)}},
    }


def _leaves(value: Any) -> Iterator[Any]:
    if isinstance(value, dict | list):
        for one in value.values() if isinstance(value, dict) else value:
            yield from _leaves(one)
    else:
        yield value
