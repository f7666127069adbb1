"""Builds a model from a bitext: corpus, alignment, language model, rules, initial weights.

Each step is recorded (`steps.py`), so that the same command resumes where it stopped and repeats
only steps whose inputs have changed.  Intermediate files are in `work/`.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import asdict, dataclass, field
from functools import cached_property, partial
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

from demotic.align.options import DEFAULT_ALIGNERS, AlignOptions, aligner_names
from demotic.errors import Error
from demotic.extraction_files import refuse_unscored
from demotic.features.dense import OPERATION_FEATURES, Kind, dense_features
from demotic.lines import PathLike
from demotic.lm.estimate import LmOptions
from demotic.lock import locked
from demotic.model import Model
from demotic.model.class_lm import ClassLmOptions
from demotic.model.directories import directory_contents
from demotic.model.distortion import write_distortion
from demotic.model.file import MODEL_NAME, ModelInfo, Parts, Scalar
from demotic.model.further_models import FurtherModels
from demotic.model.language_models import LanguageModels, check_language_models
from demotic.model.operations import OperationOptions
from demotic.model.output import remove_partial, replaced
from demotic.model.prepared_text import PreparedText
from demotic.model.sharing import link_file, share_bitext
from demotic.options import Options
from demotic.rules import RuleOptions
from demotic.steps import Steps
from demotic.text.languages import checked_language
from demotic.text.raw_text_check import refuse_unsegmented
from demotic.text.wordless import refuse_wordless

if TYPE_CHECKING:
    from demotic._core import Alignments, ExtractReport, Lines
    from demotic.lm.text import TextSource
    from demotic.text.parallel import ParallelCorpus
    from demotic.workers import Workers
    from demotic.workers.shards import ShardFile

__all__ = ["BuildOptions", "Built", "build"]

ShowProgress = Callable[[str], AbstractContextManager[Callable[..., None]]]

_FIRST = "corpus"  # the step that depends only on the text
_DISTORTION = "distortion.toml"
_LIMITS = ("memory", "max_cells")


@dataclass(frozen=True, kw_only=True)
class BuildOptions:
    """Inputs, and the options of each step."""

    source: PathLike
    target: PathLike
    source_language: str = ""  # of unprepared text; prepared text knows its languages
    target_language: str = ""
    kind: Kind = "phrase"
    links: Sequence[PathLike] = ()  # sets of links, instead of aligning
    lm_text: Sequence[PathLike] = ()  # one language model each, instead of the target side
    lms: Sequence[PathLike] = ()  # finished language models, instead of the target side as well
    lm_mix: PathLike | None = None  # target side on which a mixture of them all is tuned
    class_lms: Sequence[ClassLmOptions] = ()
    operations: OperationOptions = field(default_factory=OperationOptions)
    align: Sequence[AlignOptions] = DEFAULT_ALIGNERS  # rules are extracted from the links of each
    lm: LmOptions = field(default_factory=LmOptions)
    rules: RuleOptions = field(default_factory=RuleOptions)
    search: Mapping[str, Scalar] = field(default_factory=dict)  # settings that the model keeps


@dataclass(frozen=True)
class Built:
    """The model, and the steps that were already done."""

    model: Model
    skipped: tuple[str, ...]


@contextmanager
def _silent(label: str) -> Iterator[Callable[..., None]]:
    yield lambda done, total=0: None


def _ignored(text: str) -> None:
    pass


def build(
    options: BuildOptions,
    directory: PathLike,
    *,
    threads: int = 1,
    force: bool = False,
    progress: ShowProgress = _silent,
    warn: Callable[[str], None] = _ignored,
    workers: Workers | None = None,
    scored: Sequence[ShardFile] = (),
) -> Built:
    """Builds a model in `directory`, or resumes an earlier build there.

    Refuses a directory that holds something else, and text that is not segmented into words, unless
    `force` is given.  `workers` train aligners, count n-grams, extract, count and score rules.
    `scored`: rules of these files instead (`extraction_files.py`).
    """
    options.rules.native(options.kind, threads)  # refuses features of the other kind at once
    check_language_models(
        len(options.lm_text) + len(options.lms), len(options.class_lms), mixed=bool(options.lm_mix)
    )
    options.operations.check(options.kind)
    refuse_unscored(scored)
    home = Path(directory)
    steps = Steps(home / "work", force=force)
    ours = _is_ours(home, steps, options)
    if not (ours or force):
        raise _occupied(home, steps)
    with locked(home), nullcontext() if ours else replaced(home):
        remove_partial(home)
        chain = _Build(options, home, threads, steps, progress, warn, workers, scored)
        return Built(chain.run(), tuple(chain.steps.skipped))


def _is_ours(home: Path, steps: Steps, options: BuildOptions) -> bool:
    """Whether building here loses nothing: same text, or no finished model."""
    if (home / MODEL_NAME).exists():
        files = [options.source, options.target, *PreparedText(options.source).origins]
        return steps.began_with(_FIRST, files)
    held = directory_contents(home)
    return not home.is_dir() or held.verb == "build" or not held.ours


def _occupied(home: Path, steps: Steps) -> Error:
    if not (home / MODEL_NAME).exists():
        found = directory_contents(home).what
    elif steps.recorded(_FIRST):
        found = "a model built from other text"
    else:
        found = "a model not made by demotic build"
    return Error(
        found,
        path=str(home),
        expected="a new directory, or one that the same command started",
        advice="give --force to build there anyway, or choose another name",
    )


@dataclass
class _Build:
    options: BuildOptions
    home: Path
    threads: int
    steps: Steps
    progress: ShowProgress
    warn: Callable[[str], None]
    workers: Workers | None
    scored: Sequence[ShardFile]

    def run(self) -> Model:
        given = self.options
        corpus = self.steps.run(
            _FIRST,
            self.read_corpus,
            files=[given.source, given.target, *self.prepared.origins],
            outputs=[*self.corpus_files, self.home / "vocabulary.bin"],
        )
        links = self.steps.run(
            "links",
            self.find_links,
            options={} if given.links else self.align_record(),
            files=given.links,
            after=[corpus],
            outputs=[*self.link_files, *(self.home / name for name in self.aligner_files)],
        )
        language_model = self.language_models.add(self.steps, self.target_side, corpus)
        further = self.further.add_class_lms(self.steps, self.lm_text, given.lm_text, corpus)
        further += self.further.add_operations(
            self.steps, lambda: self.corpus, self.link_files[0], links
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
            options={**_languages(given), **({"search": given.search} if given.search else {})},
            files=self.prepared.files,
            after=[language_model, rules, *further],
            outputs=[self.home / MODEL_NAME],
        )
        return Model.load(self.home)

    @cached_property
    def language_models(self) -> LanguageModels:
        given = self.options
        return LanguageModels(
            self.home,
            given.lm_text,
            given.lms,
            given.lm_mix,
            given.lm,
            self.progress,
            self.threads,
            self.workers,
        )

    @property
    def corpus_files(self) -> list[Path]:
        names = ("vocabulary.bin", "source.bin", "target.bin", "provenance.bin")
        return [self.home / "work" / "corpus" / name for name in names]

    @property
    def link_files(self) -> list[Path]:
        sets = len(self.options.links or self.options.align)
        return [link_file(self.home / "work", number) for number in range(sets)]

    @property
    def aligner_files(self) -> tuple[str, ...]:
        """Aligners for text that is added later, which only rules on demand allow."""
        kept = () if self.options.links or not self.options.rules.on_demand else self.options.align
        return tuple(f"aligner-{number}.bin" for number in range(1, len(kept) + 1))

    @cached_property
    def prepared(self) -> PreparedText:
        return PreparedText(self.options.source)

    @cached_property
    def corpus(self) -> ParallelCorpus:
        from demotic.text.parallel import ParallelCorpus

        return ParallelCorpus.open(self.home / "work" / "corpus")

    def read_corpus(self) -> None:
        from demotic.text.parallel import ParallelCorpus

        given = self.options
        if self.prepared.preparation is None:
            languages = (given.source_language, given.target_language)
            refuse_unsegmented(
                given.source,
                given.target,
                languages=languages,
                force=self.steps.force,
                warn=self.warn,
            )
        with self.progress("reading"):
            read = ParallelCorpus.read(given.source, given.target, threads=self.threads)
            refuse_wordless(read.source.sentences, given.source)
            refuse_wordless(read.target.sentences, given.target)
            for origins in self.prepared.origins:
                read = read.with_origins(origins)
            read.save(self.home / "work" / "corpus")
            read.vocabulary.save(os.fspath(self.home / "vocabulary.bin"))

    def find_links(self) -> None:
        from demotic.align import read_links, write_links

        if self.options.links:
            sets = map(read_links, self.options.links)
        else:
            sets = map(self.align, count(1), self.options.align)
        for file, links in zip(self.link_files, sets, strict=True):
            write_links(file, links)

    def align(self, number: int, options: AlignOptions) -> Alignments:
        from demotic.align import Aligner

        aligner = Aligner(options)
        with self.progress(f"training the aligner ({options.model})") as advance:
            aligner.fit(self.corpus, threads=self.threads, progress=advance, workers=self.workers)
        if self.aligner_files:
            aligner.save(self.home / self.aligner_files[number - 1])
        with self.progress(f"aligning ({options.model})") as advance:
            return aligner.align(
                self.corpus, threads=self.threads, progress=advance, workers=self.workers
            )

    @cached_property
    def further(self) -> FurtherModels:
        given = self.options
        return FurtherModels(self.home, given.class_lms, given.operations, self.progress)

    def target_side(self) -> Lines:
        import numpy as np

        target = self.corpus.target
        # Empty lines would distort the probabilities of sentence starts and ends.
        return target.select(np.diff(target.sentences.offsets) > 0).lines()

    def lm_text(self) -> TextSource:
        return list(self.options.lm_text) or self.target_side()

    def extract_rules(self) -> None:
        (self.home / MODEL_NAME).unlink(missing_ok=True)  # it describes the previous rules
        (self.home / _DISTORTION).unlink(missing_ok=True)
        on_demand = self.options.rules.on_demand
        with self.progress("indexing the bitext" if on_demand else "extracting rules") as advance:
            report = self.make_rules(advance)
        if self.options.kind == "hiero":
            write_distortion(self.home / _DISTORTION, report.distortion)

    def make_rules(self, advance: Callable[..., None]) -> ExtractReport:
        from demotic.align import read_links
        from demotic.extraction_files import write_scored
        from demotic.rules import index_bitext
        from demotic.shared_extraction import extract_shared

        sides = self.corpus.source.sentences, self.corpus.target.sentences
        path, given = self.home / "rules.bin", self.options
        if self.scored:
            return write_scored(self.scored, *sides, path, kind=given.kind, options=given.rules)
        make = index_bitext if given.rules.on_demand else partial(extract_shared, self.workers)
        return make(
            *sides,
            [read_links(file) for file in self.link_files],
            path,
            kind=given.kind,
            options=given.rules,
            threads=self.threads,
            progress=advance,
        )

    def write_model(self) -> None:
        from demotic._core import RuleStore
        from demotic.features.weights import Weights

        share_bitext([*self.corpus_files, *self.link_files], self.home)
        languages = self.prepared.languages(
            self.options.source_language, self.options.target_language
        )
        hiero = self.options.kind == "hiero"
        info = ModelInfo(
            kind=self.options.kind,
            parts=Parts(
                aligners=self.aligner_files,
                language_models=self.language_models.names,
                **self.further.parts,
                **self.prepared.save(self.home),
                distortion=_DISTORTION if hiero else None,
            ),
            source_language=languages[0],
            target_language=languages[1],
            search=self.options.search,
            options=self.record(),
            origin={
                "made_by": "demotic build",
                "lm_text": not self.language_models.of_target_side,
            },
            features=self.options.rules.optional_features,
            history=(
                f"build from {len(self.corpus):,} sentence pairs{self.language_models.story}",
            ),
        )
        names = RuleStore.open(os.fspath(self.home / "rules.bin"), False).score_names
        optional = (*info.features, *(OPERATION_FEATURES if info.parts.operations else ()))
        features = dense_features(self.options.kind, names, info.parts.models, optional=optional)
        Model.create(self.home, info, Weights.default(features))

    def record(self) -> dict[str, Any]:
        """Every option by name, for `model.toml`."""
        parts: dict[str, Options] = {"lm": self.options.lm, "rules": self.options.rules}
        recorded = _named(parts) | self.further.record
        return recorded if self.options.links else recorded | self.align_record()

    def align_record(self) -> dict[str, Any]:
        """The options of the aligners; `train/parts.py` reads them."""
        return _named(dict(zip(aligner_names(), self.options.align, strict=False)))


def _named(parts: Mapping[str, Options]) -> dict[str, Any]:
    return {
        f"{part}_{name}": value
        for part, values in parts.items()
        for name, value in _chosen(values).items()
        if value is not None
    }


def _chosen(options: Options) -> dict[str, Any]:
    """The options that determine the result; memory does not."""
    return {name: value for name, value in asdict(options).items() if name not in _LIMITS}


def _languages(options: BuildOptions) -> dict[str, str]:
    given = {"source": options.source_language, "target": options.target_language}
    return {side: checked_language(code) for side, code in given.items() if code}
