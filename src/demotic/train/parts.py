"""The parts of a bitext in training, each with its own rules and language models.

A model knows its own bitext too well: its rules were counted there and its language model has seen
the references, so what training learns there does not generalise.  With folds, each part of the
bitext is decoded with rules and a language model made from the other parts; sparse features have
the same keys as in the model itself.  With leave-one-out (Yu et al. 2013, section 4.2) there is one
part, decoded without the rules seen only in the pair.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from demotic import _core
from demotic.align.options import AlignOptions
from demotic.errors import Error
from demotic.learn.journal import key_of
from demotic.lm import LanguageModel
from demotic.lm.disk import estimate_to_file
from demotic.lm.estimate import LmOptions
from demotic.model.class_lm import estimate_like
from demotic.model.operations import estimate_operations_like
from demotic.model.recorded import recorded_aligners, recorded_options
from demotic.options import Options
from demotic.rules import RuleOptions
from demotic.search.kinds import native_model
from demotic.shared_extraction import extract_shared
from demotic.steps import Steps
from demotic.train.forced import Forcing, LocalForcing, SharedForcing
from demotic.train.pairs import GOLD, Bitext, NativeModel, TrainingPairs
from demotic.verified import open_verified, policy

if TYPE_CHECKING:
    from demotic.model import Model
    from demotic.search.options import SearchOptions
    from demotic.text.corpus import Corpus
    from demotic.text.parallel import ParallelCorpus
    from demotic.train.features import FeatureSet
    from demotic.train.options import TrainOptions
    from demotic.workers import Workers

__all__ = ["Part", "PartFiles", "find_parts"]

Progress = Callable[[str, int, int], None]
"""Called with the current activity, the amount done, and the total."""

Named = Callable[[str], Callable[..., None]]
"""Returns the progress callback of a step by its name."""

_OPERATIONS = "operations.lm"
_Options = TypeVar("_Options", bound=Options)


@dataclass(frozen=True)
class PartFiles:
    """The files of a part; None or empty for those of the model."""

    gold: Path
    rules: Path | None = None
    language_models: tuple[Path, ...] = ()
    operations: Path | None = None


@dataclass(frozen=True)
class Part:
    """Pairs, and the rules and language models to decode them with; None for the model's own."""

    model: Model
    pairs: TrainingPairs
    rules: _core.RuleStore | None = None
    language_models: tuple[_core.LanguageModel, ...] | None = None
    operations: _core.LanguageModel | None = None
    unknown: int = 0
    """Pairs of the whole bitext with words that the model does not know."""
    files: PartFiles | None = None
    """Where all this is, if it was made here."""

    def native(
        self, features: FeatureSet | None, weights: _core.SparseWeights | None
    ) -> NativeModel:
        sparse = _core.Sparse()
        if features is not None and weights is not None:
            sparse = _core.Sparse(self._features(features), weights)
        return native_model(
            self.model,
            sparse,
            rules=self.rules,
            language_models=self.language_models,
            operations=self.operations,
        )

    def _features(self, features: FeatureSet) -> _core.TemplateFeatures:
        if self.rules is None:
            return features.native
        return features.native.for_rules(self.rules, self._same)

    @cached_property
    def _same(self) -> NDArray[np.uint32]:
        assert self.rules is not None
        return _core.map_rules(self.rules, self.model.rules.store)


def find_parts(
    model: Model,
    bitext: Bitext,
    options: TrainOptions,
    search: SearchOptions,
    folder: Path,
    *,
    threads: int = 1,
    progress: Progress | None = None,
    workers: Workers | None = None,
) -> list[Part]:
    """Made in `folder`, unless they exist already; `workers` build the models and decode."""
    usable = bitext.usable(options.max_words)
    folds = options.folds if options.held_out == "folds" else 1
    _check_origin(model, bitext, options)
    encoded = _Encoded(model, bitext)
    found = []
    for number, chosen in enumerate(bitext.folds(usable, folds), 1):
        home = folder / (f"part-{number}-of-{folds}" if folds > 1 else "whole")
        progress_of = _named(progress, f"part {number} of {folds}" if folds > 1 else "bitext")
        rules, models, operations, unknown = None, None, None, 0
        files = PartFiles(home / GOLD)
        if folds > 1:
            fold = _Fold(encoded, chosen, home)
            fold.make(threads, progress_of, workers)
            rules, models, operations = fold.rules, fold.language_models, fold.operations
            unknown, files = encoded.unknown, fold.files
        pairs = TrainingPairs.find(
            _forcing(model, rules, models, files, workers, threads, progress_of("forced decoding")),
            bitext,
            chosen,
            options,
            search,
            home,
            key=_key(model, bitext, folds),
        )
        found.append(Part(model, pairs, rules, models, operations, unknown, files))
    if not any(part.pairs.reachable for part in found):
        raise Error(
            "no reachable pair",
            expected="the bitext that the model was built from",
            advice="run demotic force on it for the reasons, or try --prefixes",
        )
    return [part for part in found if len(part.pairs)]


def _forcing(
    model: Model,
    rules: _core.RuleStore | None,
    language_models: tuple[_core.LanguageModel, ...] | None,
    files: PartFiles,
    workers: Workers | None,
    threads: int,
    progress: Callable[[int, int], None],
) -> Forcing:
    if workers is not None:
        return SharedForcing(workers, model, files.rules, progress)
    native = native_model(model, _core.Sparse(), rules=rules, language_models=language_models)
    return LocalForcing(native, threads, progress)


def _named(progress: Progress | None, name: str) -> Named:
    def of(what: str) -> Callable[..., None]:
        return lambda done, total, *_: (
            progress(f"{name}: {what}", done, total) if progress else None
        )

    return of


def _key(model: Model, bitext: Bitext, folds: int) -> dict[str, Any]:
    return {
        "rules": model.info.files[model.info.parts.rules].digest,
        "goal": model.settings.get("goal", ""),
        "bitext": bitext.digest,
        "folds": folds,
    }


class _Encoded:
    """The bitext in the vocabulary of the model, encoded once for all folds."""

    def __init__(self, model: Model, bitext: Bitext) -> None:
        self.model, self.bitext = model, bitext

    @cached_property
    def corpus(self) -> ParallelCorpus:
        from demotic.text.pairs import Pair
        from demotic.text.parallel import ParallelCorpus

        both = zip(self.bitext.source, self.bitext.target, strict=True)
        pairs = (Pair(source, target, "the bitext", i) for i, (source, target) in enumerate(both))
        return ParallelCorpus.from_pairs(pairs, vocabulary=self.model.vocabulary)

    @cached_property
    def known(self) -> NDArray[np.bool_]:
        """Pairs without words that are unknown to the model.

        Such words occur if the text was filtered before the model was built.  They have no id of
        their own, so rules and language models cannot be made from them.
        """
        return _all_known(self.corpus.source) & _all_known(self.corpus.target)

    @property
    def unknown(self) -> int:
        return int((~self.known).sum())


def _all_known(side: Corpus) -> NDArray[np.bool_]:
    """For every sentence: whether all of its words are in the vocabulary."""
    unknown = np.concatenate([[0], np.cumsum(side.sentences.words == _core.UNKNOWN)])
    counts = np.diff(unknown[side.sentences.offsets])
    known: NDArray[np.bool_] = counts == 0
    return known


class _Fold:
    """The rules and the language model of all pairs but some."""

    def __init__(self, encoded: _Encoded, without: NDArray[np.int64], home: Path) -> None:
        self.encoded, self.home = encoded, home
        model, self.bitext = encoded.model, encoded.bitext
        self.model = model
        self._left_out = without
        self._settings = {
            **{name: _chosen(AlignOptions, model, name) for name in _aligners(model)},
            "rules": _chosen(RuleOptions, model, "rules"),
            "lm": _chosen(LmOptions, model, "lm"),
        }

    def make(self, threads: int, progress_of: Named, workers: Workers | None) -> None:
        options = {
            "settings": {name: repr(one) for name, one in self._settings.items()},
            "left_out": key_of(sorted(self._left_out.tolist())),
            "bitext": self.bitext.digest,
            "words": len(self.model.vocabulary),
        }
        names = ["rules.bin", "lm.lm", *self._class_files]
        names += [_OPERATIONS] if self.model.operations else []
        outputs = [self.home / name for name in names]

        def work() -> None:
            self.home.mkdir(parents=True, exist_ok=True)
            self._build(threads, progress_of, workers)

        Steps(self.home).run("rules", work, outputs=outputs, options=options)

    @cached_property
    def rules(self) -> _core.RuleStore:
        return open_verified(_core.RuleStore.open, self.home / "rules.bin", policy(True))

    @cached_property
    def language_models(self) -> tuple[_core.LanguageModel, ...]:
        """Its own language models, unless the model's were not made from the bitext."""
        if not _reads_bitext(self.model):
            return tuple(self.model.native_language_models)
        return tuple(LanguageModel.load(path).native for path in self.files.language_models)

    @property
    def files(self) -> PartFiles:
        names = ["lm.lm", *self._class_files] if _reads_bitext(self.model) else []
        return PartFiles(
            self.home / GOLD,
            self.home / "rules.bin",
            tuple(self.home / name for name in names),
            self.home / _OPERATIONS if self.model.operations else None,
        )

    @cached_property
    def operations(self) -> _core.LanguageModel | None:
        return LanguageModel.load(self.home / _OPERATIONS).native if self.model.operations else None

    @property
    def _class_files(self) -> list[str]:
        """Class language models with the classes of the model's."""
        if not _reads_bitext(self.model):
            return []
        return [path.name for path in self.model.class_language_models]

    def _build(self, threads: int, progress_of: Named, workers: Workers | None) -> None:
        from demotic.align import Aligner

        kept = self.encoded.known.copy()
        kept[self._left_out] = False
        corpus = self.encoded.corpus.select(kept)
        links = []
        for name in _aligners(self.model):
            aligner = Aligner(self._settings[name])  # type: ignore[arg-type]
            training, aligning = (
                progress_of(f"{what} ({aligner.options.model})")
                for what in ("training the aligner", "aligning")
            )
            aligner.fit(corpus, threads=threads, progress=training, workers=workers)
            links.append(aligner.align(corpus, threads=threads, progress=aligning, workers=workers))
        if self.model.operations:
            estimate_operations_like(self.model.operations, corpus, links[0]).save(
                self.home / _OPERATIONS
            )
        extract_shared(
            workers,
            corpus.source.sentences,
            corpus.target.sentences,
            links,
            self.home / "rules.bin",
            kind=self.model.info.kind,
            options=self._settings["rules"],  # type: ignore[arg-type]
            threads=threads,
            progress=progress_of("extracting rules"),
        )
        non_empty = corpus.target.select(np.diff(corpus.target.sentences.offsets) > 0)
        estimate_to_file(
            non_empty.lines(),
            self.home / "lm.lm",
            self._settings["lm"],  # type: ignore[arg-type]
            threads=threads,
            workers=workers,
            progress=progress_of("estimating the language model"),
        )
        for path in self._class_files:
            like = LanguageModel.load(self.model.part(path)).native
            estimate_like(like, non_empty.lines()).save(self.home / path, threads=threads)


def _aligners(model: Model) -> list[str]:
    """The aligners of the model by name; one with defaults if its links were given."""
    return recorded_aligners(model) or ["align"]


def _chosen(cls: type[_Options], model: Model, prefix: str) -> _Options:
    """The options that the model was built with."""
    known = recorded_options(cls, model, prefix)
    if known is None and prefix == "rules":
        raise Error(
            "a model not built here: its rules cannot be extracted from parts of the bitext",
            path=str(model.path),
            expected="a model of demotic build",
            advice="give --held-out none",
        )
    return known or cls()


def _reads_bitext(model: Model) -> bool:
    """Whether its language model was estimated from the target side."""
    return len(model.language_models) == 1 and not model.info.origin.get("lm_text", False)


def _check_origin(model: Model, bitext: Bitext, options: TrainOptions) -> None:
    """Leave-one-out needs exactly the lines that the rules were extracted from."""
    if options.held_out != "leave-one-out":
        return
    last = _last_pair(model)
    lines = len(bitext) // bitext.copies
    if last >= lines:
        raise Error(
            f"{lines:,} pairs, but the model has rules from pair {last + 1:,}",
            expected="the bitext that the model was built from, line by line",
            advice="give that text, or --held-out none",
        )


def _last_pair(model: Model) -> int:
    return model.rules.store.last_sentence()
