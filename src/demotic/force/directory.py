"""Forced decoding of a set of sentences into a directory: gold forests, counts, page, texts."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from demotic.errors import Error
from demotic.force.examples import examples
from demotic.force.options import ForceOptions
from demotic.force.report import page_of
from demotic.force.run import Reachability, force
from demotic.force.tables import Row, as_dict, by_length, limit_name, totals
from demotic.force.texts import TEXT_NAMES, write_texts
from demotic.lines import write_text
from demotic.model import Model
from demotic.outputs import nothing_left_on_failure, refuse_foreign, set_aside
from demotic.search.decoder import Progress

if TYPE_CHECKING:
    from demotic.learn.dev_set import DevSet

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

    def run(self, out: Path, *, force: bool = False) -> Forced:
        """`force` replaces an earlier result, which is restored after a failure."""
        refuse_existing(out, force=force)
        # Moved away, not written over: a training may have the gold forests open.
        with nothing_left_on_failure(out), set_aside(out, _FILES):
            return self._written(out)

    def _written(self, out: Path) -> Forced:
        out.mkdir(parents=True, exist_ok=True)
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

    def _search(self, options: ForceOptions, path: Path | None) -> Reachability:
        first, texts = self.pairs.references.first, self.pairs.references.texts
        with self.progress(self._label(options)) as advance:
            return force(
                self.model,
                self.pairs.source,
                [texts[first[i] : first[i + 1]] for i in range(len(self.pairs))],
                options,
                path=path,
                leave_one_out=self.leave_one_out,
                threads=self.threads,
                progress=advance,
            )

    def _label(self, options: ForceOptions) -> str:
        if self.model.kind == "hiero":
            return "forced decoding"
        return f"forced decoding, distortion limit {limit_name(options.distortion_limit)}"

    def _at_limit(self, limit: int) -> Row:
        options = replace(self.options, distortion_limit=limit, prefixes="none", find_cause=False)
        found = self._search(options, None)
        sums = totals(found)
        wanted = ("reachable", "reachable_share", "reachable_words_share", "undecided", "edges")
        figures = {name: sums[name] for name in wanted}
        return {"distortion_limit": limit, **figures, "by_length": by_length(found)}
