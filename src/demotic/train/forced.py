"""Forced decoding of training pairs, here or by workers; both write the same gold forests."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from demotic import _core
from demotic.force.options import ForceOptions
from demotic.learn.shared_decoding import read_sentences, write_sentences
from demotic.model import Model
from demotic.search.kinds import native_model
from demotic.verified import open_verified
from demotic.workers.shards import Shard

if TYPE_CHECKING:
    from demotic.workers import Arguments, Workers

__all__ = ["Forcing", "LocalForcing", "PairTexts", "SharedForcing", "write_part"]

_SHARDS = 64  # does not affect the result


@dataclass(frozen=True)
class PairTexts:
    """Pairs to decode, and their numbers in the bitext if rules seen only there are left out."""

    source: Sequence[str]
    target: Sequence[str]
    numbers: Sequence[int] = ()

    def sentences(self, model: _core.PhraseModel | _core.HieroModel) -> _core.SourceSentences:
        return _core.SourceSentences(
            model, list(self.source), list(self.target), [], list(self.numbers)
        )


@dataclass(frozen=True)
class LocalForcing:
    """By threads of this process."""

    model: _core.PhraseModel | _core.HieroModel
    threads: int = 1
    progress: Callable[[int, int], None] | None = None

    def write(self, pairs: PairTexts, options: ForceOptions, path: Path) -> None:
        sentences = pairs.sentences(self.model)
        _core.force_corpus(
            self.model, options.native(), sentences, str(path), self.threads, self.progress
        )


@dataclass(frozen=True)
class SharedForcing:
    """By workers, with the rules of a file or of the model."""

    workers: Workers
    model: Model
    rules: Path | None = None
    progress: Callable[[int, int], None] | None = None

    def write(self, pairs: PairTexts, options: ForceOptions, path: Path) -> None:
        share = self.workers.share
        with self.workers.folder() as home:
            arguments = {
                "model": share(self.model.path),
                "rules": None if self.rules is None else share(self.rules),
                "source": share(write_sentences(pairs.source, home / "source.jsonl")),
                "target": share(write_sentences(pairs.target, home / "target.jsonl")),
                "numbers": list(pairs.numbers),
                "options": asdict(options),
            }
            size = len(pairs.source)
            parts = [Shard(number + 1, _SHARDS).part(size) for number in range(_SHARDS)]
            filled = [one for one in parts if one] or parts[:1]
            shards = [{**arguments, "part": [one.start, one.stop]} for one in filled]
            found = self.workers.map("force", shards, self._report(size))
            _core.GoldForests.join([str(one) for one in found], str(path))

    def _report(self, size: int) -> Callable[[int, int, str], None]:
        def report(done: int, total: int, _: str) -> None:
            if self.progress is not None:
                self.progress(size * done // total, size)

        return report


Forcing = LocalForcing | SharedForcing


def write_part(arguments: Arguments, out: Path) -> None:
    """The task of a worker: the gold forests of some of the pairs."""
    given = {name: value for name, value in arguments.items() if name != "part"}
    model, sentences, options = _opened(json.dumps(given, sort_keys=True))
    begin, end = arguments["part"]
    _core.force_corpus(model, options.native(), sentences, str(out), 1, None, (begin, end))


@lru_cache(maxsize=1)
def _opened(
    text: str,
) -> tuple[_core.PhraseModel | _core.HieroModel, _core.SourceSentences, ForceOptions]:
    """What is the same for all parts."""
    given = json.loads(text)
    model = Model.load(given["model"])
    rules = open_verified(_core.RuleStore.open, given["rules"]) if given["rules"] else None
    native = native_model(model, _core.Sparse(), rules=rules)
    source, target = read_sentences(given["source"]), read_sentences(given["target"])
    pairs = PairTexts(source, target, given["numbers"])
    return native, pairs.sentences(native), ForceOptions(**given["options"])
