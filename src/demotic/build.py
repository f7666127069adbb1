"""The chain from bitext to model: corpus, alignment, language model, rules, weights to begin with.

Each step is recorded (`steps.py`), so that the same command goes on where it was stopped, and
redoes exactly what depends on something that has changed.  What only the steps need is in `work/`.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import asdict, dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from demotic.align.options import AlignOptions
from demotic.dense_features import Kind, dense_features
from demotic.lines import PathLike
from demotic.lm.estimate import LmOptions
from demotic.lock import locked
from demotic.model import Model
from demotic.model_file import MODEL_NAME, ModelInfo, Parts
from demotic.options import Options
from demotic.rules import RuleOptions
from demotic.steps import Steps

if TYPE_CHECKING:
    from demotic.text.parallel import ParallelCorpus
    from demotic.text.preparation import Preparation

__all__ = ["BuildOptions", "Built", "build"]

ShowProgress = Callable[[str], AbstractContextManager[Callable[..., None]]]

_PREPARATION = "preparation.toml"
_DISTORTION = "distortion.toml"
_LANGUAGE_MODEL = "lm-0.lm"
_LIMITS = ("memory", "max_cells")


@dataclass(frozen=True, kw_only=True)
class BuildOptions:
    """What goes in and how each step does its work."""

    source: PathLike
    target: PathLike
    kind: Kind = "phrase"
    links: PathLike | None = None  # instead of aligning
    lm_text: Sequence[PathLike] = ()  # instead of the target side
    align: AlignOptions = field(default_factory=AlignOptions)
    lm: LmOptions = field(default_factory=LmOptions)
    rules: RuleOptions = field(default_factory=RuleOptions)


@dataclass(frozen=True)
class Built:
    """The model, and which steps had been done before."""

    model: Model
    skipped: tuple[str, ...]


@contextmanager
def _silent(label: str) -> Iterator[Callable[..., None]]:
    yield lambda done, total=0: None


def build(
    options: BuildOptions,
    directory: PathLike,
    *,
    threads: int = 1,
    force: bool = False,
    progress: ShowProgress = _silent,
) -> Built:
    """Builds a model in `directory`, or finishes what an earlier call began there."""
    home = Path(directory)
    with locked(home):
        for left in home.rglob("*.partial-*"):  # by a process that was killed
            left.unlink()
        chain = _Chain(options, home, threads, Steps(home / "work", force=force), progress)
        return Built(chain.run(), tuple(chain.steps.skipped))


@dataclass
class _Chain:
    options: BuildOptions
    home: Path
    threads: int
    steps: Steps
    progress: ShowProgress

    def run(self) -> Model:
        given = self.options
        corpus = self.steps.run(
            "corpus",
            self.read_corpus,
            files=[given.source, given.target],
            outputs=[*self.corpus_files, self.home / "vocabulary.bin"],
        )
        links = self.steps.run(
            "links",
            self.find_links,
            options=_chosen(given.align),
            files=[given.links] if given.links else [],
            after=[corpus],
            outputs=[self.links_file],
        )
        language_model = self.steps.run(
            "language_model",
            self.estimate_language_model,
            options=_chosen(given.lm),
            files=given.lm_text,
            after=[corpus],
            outputs=[self.home / _LANGUAGE_MODEL],
        )
        rules = self.steps.run(
            "rules",
            self.extract_rules,
            options={"kind": given.kind, **_chosen(given.rules)},
            after=[links],
            outputs=[self.home / "rules.bin", self.home / _DISTORTION],
        )
        self.steps.run(
            "model",
            self.write_model,
            files=self.preparation_file,
            after=[language_model, rules],
            outputs=[self.home / MODEL_NAME],
        )
        return Model.load(self.home)

    @property
    def corpus_files(self) -> list[Path]:
        names = ("vocabulary.bin", "source.bin", "target.bin", "provenance.bin")
        return [self.home / "work" / "corpus" / name for name in names]

    @property
    def links_file(self) -> Path:
        return self.home / "work" / "links.gz"

    @cached_property
    def corpus(self) -> ParallelCorpus:
        from demotic.text.parallel import ParallelCorpus

        return ParallelCorpus.open(self.home / "work" / "corpus")

    def read_corpus(self) -> None:
        from demotic.text.parallel import ParallelCorpus

        with self.progress("reading"):
            read = ParallelCorpus.read(
                self.options.source, self.options.target, threads=self.threads
            )
            read.save(self.home / "work" / "corpus")
            read.vocabulary.save(os.fspath(self.home / "vocabulary.bin"))

    def find_links(self) -> None:
        from demotic.align import Aligner, read_links, write_links

        if self.options.links:
            links = read_links(self.options.links)
        else:
            aligner = Aligner(self.options.align)
            with self.progress("learning to align") as advance:
                aligner.fit(self.corpus, threads=self.threads, progress=advance)
            with self.progress("aligning") as advance:
                links = aligner.align(self.corpus, threads=self.threads, progress=advance)
        write_links(self.links_file, links)

    def estimate_language_model(self) -> None:
        import numpy as np

        from demotic.lm import estimate_lm

        target = self.corpus.target
        # An empty line says nothing about sentences.
        spoken = target.select(np.diff(target.sentences.offsets) > 0)
        text = list(self.options.lm_text) or spoken.lines()
        with self.progress("estimating the language model") as advance:
            model = estimate_lm(text, self.options.lm, progress=advance)
            model.save(self.home / _LANGUAGE_MODEL, threads=self.threads)

    def extract_rules(self) -> None:
        from demotic.align import read_links
        from demotic.rules import extract

        (self.home / MODEL_NAME).unlink(missing_ok=True)  # it describes the rules before
        (self.home / _DISTORTION).unlink(missing_ok=True)
        with self.progress("extracting rules") as advance:
            report = extract(
                self.corpus.source.sentences,
                self.corpus.target.sentences,
                read_links(self.links_file),
                self.home / "rules.bin",
                kind=self.options.kind,
                options=self.options.rules,
                threads=self.threads,
                progress=advance,
            )
        if self.options.kind == "hiero":
            _write_distortion(self.home / _DISTORTION, report.distortion)

    def write_model(self) -> None:
        from demotic._core import RuleStore
        from demotic.weights import Weights

        preparation = self.preparation()
        languages = [side.language for side in preparation.sides] if preparation else ["", ""]
        learnt = preparation.save(self.home) if preparation else ()
        hiero = self.options.kind == "hiero"
        info = ModelInfo(
            kind=self.options.kind,
            parts=Parts(
                language_models=(_LANGUAGE_MODEL,),
                preparation=_PREPARATION if preparation else None,
                learnt=learnt,
                distortion=_DISTORTION if hiero else None,
            ),
            source_language=languages[0],
            target_language=languages[1],
            options=self.record(),
            origin={"made_by": "demotic build", "lm_text": bool(self.options.lm_text)},
        )
        names = RuleStore.open(os.fspath(self.home / "rules.bin"), False).score_names
        weights = Weights.default(dense_features(self.options.kind, names, 1))
        Model.create(self.home, info, weights)

    def record(self) -> dict[str, Any]:
        """Every option by name, for `model.toml`."""
        parts = {"lm": self.options.lm, "rules": self.options.rules}
        if not self.options.links:
            parts["align"] = self.options.align
        return {
            f"{part}_{name}": value
            for part, values in parts.items()
            for name, value in _chosen(values).items()
            if value is not None
        }

    def preparation(self) -> Preparation | None:
        """How the text was prepared, if `demotic prepare` made it."""
        from demotic.text.preparation import Preparation

        return Preparation.load(self.preparation_file[0].parent) if self.preparation_file else None

    @property
    def preparation_file(self) -> list[Path]:
        path = Path(self.options.source).parent / _PREPARATION
        return [path] if path.exists() else []


def _chosen(options: Options) -> dict[str, Any]:
    """What decides the result: memory does not."""
    return {name: value for name, value in asdict(options).items() if name not in _LIMITS}


def _write_distortion(path: Path, counts: list[list[int]]) -> None:
    """How often gaps of 1 to 10 source words (10: or more) were kept in order or reordered."""
    from demotic.toml import write_toml

    rows = {name: row[1:] for name, row in zip(("in_order", "reordered"), counts, strict=True)}
    write_toml(
        path,
        rows,
        header="Gaps of extracted rules by source words under them: 1, 2, ..., 10 or more.",
    )
