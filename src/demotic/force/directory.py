"""Forced decoding of a set of sentences into a directory: gold forests, counts, page, texts."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from demotic import _core
from demotic.errors import Error
from demotic.force.examples import examples
from demotic.force.options import ForceOptions
from demotic.force.report import page_of
from demotic.force.run import ForcedArrays, Reachability, as_pairs, force
from demotic.force.tables import Row, as_dict, by_length, limit_name, totals
from demotic.force.texts import TEXT_NAMES, write_texts
from demotic.lines import write_text
from demotic.model import Model
from demotic.outputs import nothing_left_on_failure, refuse_foreign, set_aside
from demotic.search.decoder import Progress
from demotic.workers.arrays import from_bytes, to_bytes

if TYPE_CHECKING:
    from demotic.learn.dev_set import DevSet
    from demotic.workers.shards import Shard, ShardFile

__all__ = ["ForceRequest", "Forced", "refuse_existing"]


# The files that forced decoding writes; texts only if requested.
_FILES = ("gold.bin", "reachability.json", "report.html", *TEXT_NAMES)


def refuse_existing(out: Path, *, force: bool = False) -> None:
    """Refuses a directory with gold forests or other files, unless `force` replaces them."""
    if not force and (out / "gold.bin").exists():
        raise Error(
            "gold forests exist already",
            path=str(out),
            expected="a new directory",
            advice="give --force to replace them, or choose another name",
        )
    refuse_foreign(out, force=force)


@dataclass(frozen=True)
class Forced:
    """The result, results for other limits, and all of it as a dictionary."""

    found: Reachability
    sweep: list[Row]
    values: Row


@dataclass(frozen=True, kw_only=True)
class ForceRequest:
    """What to decode, and how."""

    model: Model
    pairs: DevSet
    options: ForceOptions
    limits: tuple[int, ...] = ()
    """Further distortion limits for which reachable pairs are counted."""
    leave_one_out: bool = False
    texts: bool = False
    threads: int = 1
    progress: Callable[[str], AbstractContextManager[Progress]]
    """Called with a label for each pass."""
    shards: Sequence[ShardFile] = ()
    """The results of all shards, which are used instead of decoding."""

    def run(self, out: Path, *, force: bool = False) -> Forced:
        """`force` replaces an earlier result, which is restored after a failure."""
        refuse_existing(out, force=force)
        # Moved away, not written over: a training may have the gold forests open.
        with nothing_left_on_failure(out), set_aside(out, _FILES):
            return self._written(out)

    def write_shard(self, shard: Shard, folder: Path) -> dict[str, bytes]:
        """Decodes the pairs of a shard; `folder` is for scratch files."""
        passes = [self.options, *map(self._with_limit, self.limits)]
        gold = folder / _FILES[0]
        parts = {}
        for number, options in enumerate(passes):
            found = self._search(options, None if number else gold, shard)
            arrays = {one.name: getattr(found.native, one.name) for one in fields(ForcedArrays)}
            parts[str(number)] = to_bytes(arrays)
        return {**parts, _FILES[0]: gold.read_bytes()}

    def _written(self, out: Path) -> Forced:
        out.mkdir(parents=True, exist_ok=True)
        if self.shards:
            self._join_gold(out / "gold.bin")
        found = self._search(self.options, out / "gold.bin")
        sweep = [self._at_limit(limit) for limit in self.limits]
        values = {
            "model": str(self.model.path),
            "leave_one_out": self.leave_one_out,
            **as_dict(found),
            **({"by_distortion_limit": sweep} if sweep else {}),
        }
        with write_text(out / "reachability.json") as file:
            json.dump(values, file, ensure_ascii=False, indent=2)
            file.write("\n")
        shown = examples(found, self.model, leave_one_out=self.leave_one_out)
        page = page_of(found, str(self.model.path), sweep, shown, kind=self.model.kind)
        page.write(out / "report.html")
        if self.texts:
            write_texts(found, out)
        return Forced(found, sweep, values)

    def _search(
        self, options: ForceOptions, path: Path | None, shard: Shard | None = None
    ) -> Reachability:
        first, texts = self.pairs.references.first, self.pairs.references.texts
        references = [texts[first[i] : first[i + 1]] for i in range(len(self.pairs))]
        if self.shards:
            pairs = as_pairs(self.pairs.source, references)
            return Reachability(options, *pairs, self._known(options))
        with self.progress(self._label(options)) as advance:
            return force(
                self.model,
                self.pairs.source,
                references,
                options,
                path=path,
                leave_one_out=self.leave_one_out,
                threads=self.threads,
                progress=advance,
                shard=shard,
            )

    def _label(self, options: ForceOptions) -> str:
        if self.model.kind == "hiero":
            return "forced decoding"
        return f"forced decoding, distortion limit {limit_name(options.distortion_limit)}"

    def _known(self, options: ForceOptions) -> ForcedArrays:
        """The arrays of all shards for one pass."""
        number = [self.options, *map(self._with_limit, self.limits)].index(options)
        parts = [from_bytes(one.parts[str(number)]) for one in self.shards]
        return ForcedArrays(
            **{name: np.concatenate([one[name] for one in parts]) for name in parts[0]}
        )

    def _join_gold(self, path: Path) -> None:
        with tempfile.TemporaryDirectory(prefix="gold-", dir=path.parent) as folder:
            files = [Path(folder) / str(number) for number in range(len(self.shards))]
            for file, shard in zip(files, self.shards, strict=True):
                file.write_bytes(shard.parts[path.name])
            _core.GoldForests.join([str(file) for file in files], str(path))

    def _with_limit(self, limit: int) -> ForceOptions:
        return replace(self.options, distortion_limit=limit, prefixes="none", find_cause=False)

    def _at_limit(self, limit: int) -> Row:
        found = self._search(self._with_limit(limit), None)
        sums = totals(found)
        wanted = ("reachable", "reachable_share", "reachable_words_share", "undecided", "edges")
        figures = {name: sums[name] for name in wanted}
        return {"distortion_limit": limit, **figures, "by_length": by_length(found)}
