"""Training by workers: each has the model, the pairs and all weights, and searches some sentences.

The updates of a batch come back in the order of its sentences.  They are applied here and, as the
same bytes, by every worker, so that all weights stay the same everywhere.
"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from demotic import _core
from demotic.errors import Error
from demotic.features.feature_set import FeatureSet
from demotic.learn.shared_decoding import model_with, read_sentences, write_sentences
from demotic.lm import LanguageModel
from demotic.model import Model
from demotic.search.options import SearchOptions
from demotic.train.checkpoint import Checkpoint
from demotic.train.options import TrainOptions
from demotic.train.pairs import Bitext, TrainingPairs
from demotic.train.parts import Part
from demotic.train.trainers import Trainers
from demotic.verified import open_verified
from demotic.workers.arrays import from_bytes, to_bytes
from demotic.workers.shards import Shard

if TYPE_CHECKING:
    from demotic.train.own_rule import RuleChoice
    from demotic.workers import Arguments, Workers
    from demotic.workers.protocol import Shared

__all__ = ["SharedTrainers", "TrainingActor"]

_ITEMS = 2  # per worker and batch, so that a worker with short sentences gets more of them
_KEPT = 256 << 20  # bytes of updates that a replaced worker would have to repeat


class SharedTrainers(Trainers):
    """The trainers here, whose updates come from workers."""

    def __init__(
        self, workers: Workers, folder: Path, parts: Sequence[Part], *given: Any, **more: Any
    ) -> None:
        """The arguments of Trainers after `folder`, which is for files that workers get."""
        super().__init__(parts, *given, **more)
        self._refuse_rule(more.get("rule"))
        features, self.table, options, search = given
        self._workers, self._batch = workers, options.batch
        self._folder = Path(tempfile.mkdtemp(dir=folder))
        self._start: Arguments = {
            **_shared_inputs(workers, parts, features, self._folder),
            "options": asdict(options),
            "search": asdict(search),
            "rates": [float(rate) for rate in more["rates"]],
            "sparse_rate": more["sparse_rate"],
        }

    def restore(self, state: Checkpoint) -> None:
        super().restore(state)
        self._actors = self._workers.actors("training", self._start, self._state())

    def run(self, part: int, order: NDArray[np.int64]) -> _core.TrainingCounts:
        counts = _core.TrainingCounts(len(self.weights))
        for first in range(0, len(order), self._batch):
            batch = order[first : first + self._batch].tolist()
            updates = b"".join(self._actors.map(self._items(part, batch)))
            self._actors.tell({"part": part}, updates)
            self.apply(part, updates, counts)
        if self._actors.kept_bytes > _KEPT:
            self._actors.reset(self._start, self._state())
        self._refuse_not_finite()
        return counts

    def _items(self, part: int, batch: list[int]) -> list[tuple[Arguments, bytes]]:
        count = min(len(batch), _ITEMS * max(1, self._workers.count))  # all may have left
        shares = [Shard(number + 1, count).part(len(batch)) for number in range(count)]
        return [({"part": part, "batch": batch[one.start : one.stop]}, b"") for one in shares]

    def _state(self) -> bytes:
        state = {
            "weights": self.weights,
            "sums": np.array(self._last.sums),
            "steps": np.array([self.steps], np.int64),
        }
        if self.table is not None:
            path = self._folder / "table.bin"
            self.table.save(str(path))
            state["table"] = np.frombuffer(path.read_bytes(), np.uint8)
        return to_bytes(state)

    @staticmethod
    def _refuse_rule(rule: RuleChoice | None) -> None:
        if rule is not None:
            raise Error(
                f"the update rule {rule.name} with workers, which do not have its file",
                expected="an update rule of Demotic's",
                advice="omit --workers, or omit --update-rule",
            )


class TrainingActor:
    """The other end: the same trainers, with the weights of the last batch."""

    def __init__(self, arguments: Arguments, data: bytes) -> None:
        model = Model.load(arguments["model"])
        state = from_bytes(data)
        features = table = None
        if "table" in state:
            assert model.sparse is not None
            features, table = FeatureSet.of_part(model.sparse), _table(state["table"].tobytes())
        source, target = map(read_sentences, arguments["bitext"])
        bitext = Bitext(source, target, copies=arguments["copies"])
        self._trainers = Trainers(
            [_part(model, bitext, one) for one in arguments["parts"]],
            features,
            table,
            TrainOptions(**arguments["options"]),
            SearchOptions(**arguments["search"]),
            rates=arguments["rates"],
            sparse_rate=arguments["sparse_rate"],
            threads=1,
        )
        weights, sums = state["weights"].tolist(), state["sums"].tolist()
        self._trainers.restore(Checkpoint(0, 0, weights, sums, [], int(state["steps"][0])))

    def tell(self, arguments: Arguments, data: bytes) -> None:
        counts = _core.TrainingCounts(len(self._trainers.weights))
        self._trainers.apply(arguments["part"], data, counts)

    def ask(self, arguments: Arguments, data: bytes) -> bytes:
        return self._trainers.find(arguments["part"], np.array(arguments["batch"], np.int64))


def _shared_inputs(
    workers: Workers, parts: Sequence[Part], features: FeatureSet | None, folder: Path
) -> Arguments:
    """What actors are made of; `folder` is for files that do not exist yet."""
    bitext = parts[0].pairs.bitext
    texts = (bitext.source, "source.jsonl"), (bitext.target, "target.jsonl")
    return {
        "model": workers.share(model_with(parts[0].model, features, folder).path),
        "bitext": [workers.share(write_sentences(lines, folder / name)) for lines, name in texts],
        "copies": bitext.copies,
        "parts": [_shared_part(workers, part) for part in parts],
    }


def _shared_part(workers: Workers, part: Part) -> Arguments:
    def shared(path: Path | None) -> Shared | None:
        return None if path is None else workers.share(path)

    files, pairs = part.files, part.pairs
    assert files is not None
    return {
        "rules": shared(files.rules),
        "language_models": [shared(path) for path in files.language_models],
        "operations": shared(files.operations),
        "gold": shared(files.gold),
        "number": pairs.number.tolist(),
        "length": pairs.length.tolist(),
        "leave_one_out": pairs.leave_one_out,
    }


def _part(model: Model, bitext: Bitext, one: Arguments) -> Part:
    gold = open_verified(_core.GoldForests.open, one["gold"])
    number, length = np.array(one["number"], np.int64), np.array(one["length"], np.int32)
    models = [LanguageModel.load(path).native for path in one["language_models"]]
    return Part(
        model,
        TrainingPairs(bitext, gold, number, length, one["leave_one_out"]),
        open_verified(_core.RuleStore.open, one["rules"]) if one["rules"] else None,
        tuple(models) or None,
        LanguageModel.load(one["operations"]).native if one["operations"] else None,
    )


def _table(data: bytes) -> _core.SparseTable:
    with tempfile.TemporaryDirectory(prefix="demotic-") as folder:
        path = Path(folder) / "table.bin"
        path.write_bytes(data)
        return _core.SparseTable.load(str(path))
