"""Decoding of a tuning set by workers: actors with the model, which get the weights of each round.

    decoding = SharedDecoding(workers, model, search, [dev.source], folder)
    decoder = decoding.decoder(local, sparse)      # its lists and translations come from the actors

What comes back is what the decoder here would have found: the lists or forests of consecutive parts
of the text, put together in order.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from demotic import _core
from demotic.features.feature_set import FeatureSet
from demotic.features.weights import FeatureIndex, Weights
from demotic.learn.tuned_weights import SparseArrays
from demotic.lines import write_text
from demotic.model import Model
from demotic.search.decoder import Bins, Decoder, Progress
from demotic.search.found_forest import FoundForest
from demotic.search.kinds import decoder_with, native_model
from demotic.search.options import SearchOptions
from demotic.search.sentence import AnnotatedSentence, annotations_of
from demotic.workers.arrays import from_bytes, to_bytes
from demotic.workers.shards import Shard

if TYPE_CHECKING:
    from demotic.workers import Arguments, Workers

__all__ = [
    "DecodingActor",
    "SharedDecoder",
    "SharedDecoding",
    "model_with",
    "read_sentences",
    "write_sentences",
]

_PARTS = 64  # of a text; does not affect the result
_LISTS = ("kbest", "bins")
_COLUMNS = (
    "offsets sentence bin covered features scores word_offsets words part_offsets parts "
    "key_offsets keys key_values"
).split()


def model_with(model: Model, features: FeatureSet | None, folder: Path) -> Model:
    """A model that has these sparse features, in a new directory unless it has them already."""
    known = model.sparse
    if features is None or (known is not None and known.layout == features.native.layout):
        return model
    path = folder / "no-weights.bin"
    nothing = np.zeros(0, np.uint64), np.zeros(0, np.float32)
    _core.store_weights(str(path), *nothing, features.native.layout)
    return model.derive(
        folder / "model", sparse=path, templates=features.templates, classes=features.layers
    )


class SharedDecoding:
    """The actors of one run and the texts that they have; `model` has all sparse features."""

    def __init__(
        self,
        workers: Workers,
        model: Model,
        search: SearchOptions,
        texts: Sequence[Sequence[str]],
        folder: Path,
    ) -> None:
        self.texts = texts
        self._start: Arguments = {
            "model": workers.share(model.path),
            "search": asdict(search),
            "texts": [
                workers.share(write_sentences(text, folder / f"text-{number}.jsonl"))
                for number, text in enumerate(texts)
            ],
        }
        self._actors = workers.actors("decoding", self._start)
        self._weights = b""

    def decoder(self, decoder: Decoder, sparse: SparseArrays | None) -> SharedDecoder:
        """Tells the actors the weights of a decoder, which they replace."""
        weights = _weights_bytes(decoder.weights, sparse)
        if weights != self._weights:
            self._actors.tell({}, weights)
            self._actors.reset(self._start, weights)
            self._weights = weights
        return SharedDecoder(decoder, self)

    def ask(self, text: int, arguments: Arguments, progress: Progress | None = None) -> list[bytes]:
        """The answers for the parts of a text, in order."""
        size = len(self.texts[text])
        parts = [Shard(number + 1, _PARTS).part(size) for number in range(_PARTS)]
        items = [
            ({**arguments, "text": text, "part": [part.start, part.stop]}, b"")
            for part in parts
            if part
        ]
        told: Callable[[int, int, str], None] | None = None
        if progress is not None:
            report = progress

            def told(done: int, total: int, _: str) -> None:
                report(size * done // total, size)

        return list(self._actors.map(items, told))


class SharedDecoder(Decoder):
    """A decoder whose lists, forests and best translations of known texts come from workers."""

    def __init__(self, decoder: Decoder, decoding: SharedDecoding) -> None:
        super().__init__(
            decoder.model, decoder._native, decoder._kind, decoder.options, decoder.weights
        )
        self._decoding = decoding
        self._numbers: dict[int, tuple[_core.SourceSentences, int]] = {}

    def sentences(self, lines: Sequence[str]) -> _core.SourceSentences:
        source = super().sentences(lines)
        number = self._number(lines)
        if number is not None:
            self._numbers[id(source)] = source, number
        return source

    def candidates(
        self,
        source: _core.SourceSentences,
        *,
        k: int = 0,
        distinct: bool = True,
        bins: Bins | None = None,
        parts: bool = False,
        threads: int = 1,
        progress: Progress | None = None,
        part: tuple[int, int] | None = None,
    ) -> tuple[_core.SearchedCandidates, _core.SearchedCandidates]:
        asked = {"k": k, "distinct": distinct, "bins": bins, "parts": parts}
        _, number = self._numbers[id(source)]
        found = self._decoding.ask(number, {"lists": asked}, progress)
        first = _lists_of(found[0])
        for data in found[1:]:
            for lists, more in zip(first, _lists_of(data), strict=True):
                lists.append(more)
        return first[0], first[1]

    def forests(
        self,
        lines: Sequence[str],
        *,
        density: float = math.inf,
        parts: bool = False,
        threads: int = 1,
        progress: Progress | None = None,
    ) -> list[FoundForest]:
        number = self._number(lines)
        if number is None:
            return super().forests(
                lines, density=density, parts=parts, threads=threads, progress=progress
            )
        asked = {"density": None if math.isinf(density) else density, "parts": parts}
        found = self._decoding.ask(number, {"forests": asked}, progress)
        return [one for data in found for one in _forests_of(data, self.weights.index)]

    def texts(
        self, lines: Sequence[str], *, threads: int = 1, progress: Progress | None = None
    ) -> list[str]:
        number = self._number(lines)
        if number is None:
            return super().texts(lines, threads=threads, progress=progress)
        found = self._decoding.ask(number, {}, progress)
        return [line for data in found for line in json.loads(data)]

    def _number(self, lines: Sequence[str]) -> int | None:
        """Of a text of the workers."""
        return next((i for i, text in enumerate(self._decoding.texts) if text is lines), None)


class DecodingActor:
    """The other end: a model, texts, and the decoder with the weights told last."""

    def __init__(self, arguments: Arguments, data: bytes) -> None:
        self._model = Model.load(arguments["model"])
        self._search = SearchOptions(**arguments["search"])
        self._texts = [read_sentences(path) for path in arguments["texts"]]
        self._decoder: Decoder | None = None
        self._sources: dict[int, _core.SourceSentences] = {}
        if data:
            self.tell({}, data)

    def tell(self, arguments: Arguments, data: bytes) -> None:
        self._decoder = _decoder(self._model, self._search, from_bytes(data))
        self._sources.clear()

    def ask(self, arguments: Arguments, data: bytes) -> bytes:
        assert self._decoder is not None
        number, (begin, end) = arguments["text"], arguments["part"]
        lines = self._texts[number]
        if "forests" in arguments:
            asked = arguments["forests"]
            density = math.inf if asked["density"] is None else asked["density"]
            found = self._decoder.forests(lines[begin:end], density=density, parts=asked["parts"])
            return _bytes_of_forests(found)
        if "lists" not in arguments:
            return json.dumps(self._decoder.texts(lines[begin:end])).encode()
        if number not in self._sources:
            self._sources[number] = self._decoder.sentences(lines)
        both = self._decoder.candidates(
            self._sources[number], **arguments["lists"], part=(begin, end)
        )
        return to_bytes(
            {
                f"{name}.{column}": getattr(lists, column)
                for name, lists in zip(_LISTS, both, strict=True)
                for column in _COLUMNS
            }
        )


def _lists_of(data: bytes) -> list[_core.SearchedCandidates]:
    arrays = from_bytes(data)
    return [
        _core.SearchedCandidates.of(*(arrays[f"{name}.{column}"] for column in _COLUMNS))
        for name in _LISTS
    ]


def _bytes_of_forests(found: Sequence[FoundForest]) -> bytes:
    return to_bytes(
        {f"{i}.{name}": array for i, one in enumerate(found) for name, array in one.arrays()}
    )


def _forests_of(data: bytes, names: FeatureIndex) -> list[FoundForest]:
    each: dict[str, dict[str, NDArray[Any]]] = {}
    for name, array in from_bytes(data).items():
        number, _, column = name.partition(".")
        each.setdefault(number, {})[column] = array
    return [FoundForest.of_arrays(arrays, names) for arrays in each.values()]


def _weights_bytes(weights: Weights, sparse: SparseArrays | None) -> bytes:
    arrays: dict[str, NDArray[Any]] = {
        "names": np.frombuffer("\n".join(weights).encode(), np.uint8),
        "weights": weights.array,
    }
    if sparse is not None:
        arrays |= {"keys": sparse[0], "values": sparse[1]}
    return to_bytes(arrays)


def _decoder(model: Model, search: SearchOptions, arrays: dict[str, NDArray[Any]]) -> Decoder:
    names = arrays["names"].tobytes().decode().split("\n")
    weights = Weights.of(dict(zip(names, arrays["weights"].tolist(), strict=True)))
    if "keys" not in arrays:
        return model.decoder(search, weights=weights)
    assert model.sparse is not None
    features = FeatureSet.of_part(model.sparse)
    table = _core.SparseTable(features.native.layout)
    table.add(arrays["keys"], arrays["values"], 0)
    native = native_model(model, _core.Sparse(features.native, table))
    return decoder_with(model, native, search, weights)


def write_sentences(lines: Sequence[str], path: Path) -> Path:
    """Writes sentences with their annotations as lines of JSON."""
    with write_text(path) as file:
        for line in lines:
            given = {name: one for name, one in annotations_of(line).items() if one}
            file.write(json.dumps([str(line), given], ensure_ascii=False) + "\n")
    return path


def read_sentences(path: str) -> list[str]:
    with open(path, encoding="utf-8") as file:
        both = [json.loads(line) for line in file]
    return [AnnotatedSentence(text, **given) if given else text for text, given in both]
