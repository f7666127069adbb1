"""All that is known about a model without decoding: `describe("zh-en")`.

Large files are mapped and only their headers read, so that it takes constant time.
"""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from demotic import _core
from demotic.errors import Error, FormatError
from demotic.lines import LineFile, PathLike
from demotic.model.file import MODEL_NAME, ModelInfo, confined
from demotic.model.history import Scalar, full_history
from demotic.sizes import tree_bytes
from demotic.toml import read_toml

if TYPE_CHECKING:
    from demotic.pipeline.result import MakeResult

__all__ = ["Description", "describe", "ngram_counts"]

_WORK = ("work", "runs", "training")  # kept by verbs for resuming
_HEADER_LINES = 100  # of an ARPA file


@dataclass(frozen=True, kw_only=True)
class Description:
    """A description of a model."""

    path: str
    kind: str
    source_language: str
    target_language: str
    written: str
    """Local date and time of model.toml."""
    history: tuple[str, ...]
    """One clause per verb applied to the model."""
    rules: int
    indexed_pairs: int
    """Sentence pairs from which rules are extracted on demand; 0 for a table of rules."""
    words: int
    ngrams: dict[str, list[int]]
    """Number of n-grams by order, from 1, of each language model by its file."""
    sparse_features: int
    bytes: dict[str, int]
    """Bytes of each file of the model."""
    work_bytes: dict[str, int]
    """Bytes of each folder that verbs keep for resuming."""
    dev_scores: dict[str, dict[str, Any]]
    """Metric and score on the dev set by the verb that measured it: `tune`, `train`."""
    test_scores: dict[str, dict[str, Any]]
    """By metric, if demotic make evaluated the model: value, low, high, signature."""
    search: dict[str, Scalar]
    """Search settings stored in the model."""
    preparation: dict[str, Any]
    """Tokenisers by language, and treatment of case; empty if the model expects tokens."""

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


def describe(path: PathLike, *, allow_outside: bool = False) -> Description:
    """Raises ModelError if there is no model."""
    home = Path(path)
    info = ModelInfo.read(home)

    def part(name: str) -> Path:
        return confined(home, name, allow_outside=allow_outside)

    parts = info.parts
    added = [os.fspath(part(name)) for name in parts.added]
    store = _core.RuleStore.open_with(os.fspath(part(parts.rules)), added, False)
    sparse = parts.sparse and _core.StoredSparseWeights.open(os.fspath(part(parts.sparse)), False)
    written = time.localtime((home / MODEL_NAME).stat().st_mtime)
    return Description(
        path=os.fspath(path),
        kind=info.kind,
        source_language=info.source_language,
        target_language=info.target_language,
        written=time.strftime("%Y-%m-%d %H:%M", written),
        history=full_history(info.history, info.origin),
        rules=len(store),
        indexed_pairs=store.pairs,
        words=len(_core.Vocabulary.open(os.fspath(part(parts.vocabulary)), False)),
        ngrams={
            name: ngram_counts(part(name))
            for name in (*parts.language_models, *parts.class_language_models)
        },
        sparse_features=len(sparse) if sparse else 0,
        bytes={name: part(name).stat().st_size for name in (*parts.big, *parts.small)},
        work_bytes={name: tree_bytes(home / name) for name in _WORK if (home / name).exists()},
        dev_scores=_dev_scores(info.origin),
        test_scores=_test_scores(home),
        search=dict(info.search),
        preparation=_preparation(part(parts.preparation) if parts.preparation else None),
    )


def ngram_counts(path: Path) -> list[int]:
    """Number of n-grams by order, from a mapped model or the header of an ARPA file."""
    from demotic.lm.model import CONTAINER_MAGIC

    with path.open("rb") as file:
        mapped = file.read(len(CONTAINER_MAGIC)) == CONTAINER_MAGIC
    if mapped:
        return list(_core.LanguageModel.open(os.fspath(path), False).counts)
    lines = list(islice(LineFile(path, encoding_errors="replace"), _HEADER_LINES))
    counts = [line.partition("=")[2].strip() for line in lines if line.startswith("ngram ")]
    if not counts or not all(map(str.isdigit, counts)):
        raise FormatError("no header of an ARPA file", path=path, expected="a language model")
    return [int(count) for count in counts]


def _dev_scores(origin: Mapping[str, Scalar]) -> dict[str, dict[str, Any]]:
    """By verb: the metric's name and the score of the dev set."""
    return {
        verb: {
            "metric": origin.get(f"{job}_metric", "BLEU"),
            "score": float(origin.get(f"{job}_dev_score", origin[f"{job}_score"])),
        }
        for verb, job in (("tune", "tuning"), ("train", "training"))
        if f"{job}_score" in origin
    }


def _test_scores(home: Path) -> dict[str, dict[str, Any]]:
    result = _make_result(home)
    if result is None:
        return {}
    return {
        metric: {**asdict(score), "signature": result.signatures.get(metric, "")}
        for metric, score in result.best.scores.items()
    }


def _make_result(home: Path) -> MakeResult | None:
    """The results that `demotic make` recorded for the model, if it made it."""
    from demotic.pipeline.result import RESULT_NAME, MakeResult

    if not (home / RESULT_NAME).exists():
        return None
    try:
        return MakeResult.load(home)
    except (OSError, ValueError, KeyError, TypeError, IndexError):
        raise Error(
            "not a result of demotic make",
            path=str(home / RESULT_NAME),
            expected="the file as demotic make wrote it",
            advice="run the same demotic make again, or remove the file",
        ) from None


def _preparation(path: Path | None) -> dict[str, Any]:
    """Read without loading the tokenisers, which need not be installed."""
    if path is None:
        return {}
    stored = read_toml(path)
    sides = [stored[name] for name in ("source", "target") if name in stored]
    return {
        "tokenizers": {
            str(side.get("language", "")): f"{side.get('tokenizer', '')} {side.get('version', '')}"
            for side in sides
        },
        "case": stored.get("options", {}).get("case", ""),
    }
