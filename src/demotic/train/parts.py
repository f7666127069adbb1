"""The parts that a bitext is trained on in, each with rules and language models of its own.

A model knows its own bitext too well: its rules were counted there and its language model has read
the references, so what training learns there does not hold elsewhere.  With folds, each part of the
bitext is searched with rules and a language model that were made from the other parts; sparse
features keep the keys that they have in the model itself.  With leave-one-out (Yu et al. 2013,
section 4.2) there is one part, searched without the rules that come from the pair alone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
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
from demotic.lm import LanguageModel, estimate_lm
from demotic.lm.estimate import LmOptions
from demotic.options import Options, declared
from demotic.rules import RuleOptions, extract
from demotic.search.kinds import native_model
from demotic.steps import Steps
from demotic.train.pairs import Bitext, NativeModel, TrainingPairs
from demotic.verified import opened, policy

if TYPE_CHECKING:
    from demotic.model import Model
    from demotic.search.options import SearchOptions
    from demotic.text.parallel import ParallelCorpus
    from demotic.train.features import FeatureSet
    from demotic.train.options import TrainOptions

__all__ = ["Part", "find_parts"]

Progress = Callable[[str, int, int], None]
"""Called with what is going on, how much is done, and how much there is."""

_Options = TypeVar("_Options", bound=Options)


@dataclass(frozen=True)
class Part:
    """Pairs, and what they are searched with; None: what the model itself has."""

    model: Model
    pairs: TrainingPairs
    rules: _core.RuleStore | None = None
    language_models: tuple[_core.LanguageModel, ...] | None = None

    def native(
        self, features: FeatureSet | None, weights: _core.SparseWeights | None
    ) -> NativeModel:
        sparse = _core.Sparse()
        if features is not None and weights is not None:
            sparse = _core.Sparse(self._features(features), weights)
        return native_model(
            self.model, sparse, rules=self.rules, language_models=self.language_models
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
) -> list[Part]:
    """Made in `folder`, unless they are there already."""
    usable = bitext.usable(options.max_words)
    folds = options.folds if options.held_out == "folds" else 1
    _check_origin(model, bitext, options)
    found = []
    for number, chosen in enumerate(bitext.folds(usable, folds), 1):
        home = folder / (f"part-{number}-of-{folds}" if folds > 1 else "whole")
        told = _named(progress, f"part {number} of {folds}" if folds > 1 else "bitext")
        rules, models = None, None
        if folds > 1:
            fold = _Fold(model, bitext, chosen, home)
            fold.make(threads, told("aligning"))
            rules, models = fold.rules, fold.language_models
        pairs = TrainingPairs.find(
            native_model(model, _core.Sparse(), rules=rules, language_models=models),
            bitext,
            chosen,
            options,
            search,
            home,
            key=_key(model, bitext, folds),
            threads=threads,
            progress=told("forced search"),
        )
        found.append(Part(model, pairs, rules, models))
    if not any(part.pairs.derived for part in found):
        raise Error(
            "no pair whose reference the model can derive",
            expected="the bitext that the model was built from",
            advice="see what demotic force says about it, or try --prefixes",
        )
    return [part for part in found if len(part.pairs)]


def _named(progress: Progress | None, name: str) -> Callable[[str], Callable[[int, int], None]]:
    def of(what: str) -> Callable[[int, int], None]:
        return lambda done, total: progress(f"{name}: {what}", done, total) if progress else None

    return of


def _key(model: Model, bitext: Bitext, folds: int) -> dict[str, Any]:
    return {
        "rules": model.info.files[model.info.parts.rules].digest,
        "goal": model.settings.get("goal", ""),
        "bitext": bitext.digest,
        "folds": folds,
    }


class _Fold:
    """The rules and the language model of all pairs but some."""

    def __init__(
        self, model: Model, bitext: Bitext, without: NDArray[np.int64], home: Path
    ) -> None:
        self.model, self.bitext, self.home = model, bitext, home
        self._left_out = set(without.tolist())
        self._settings = {
            "align": _chosen(AlignOptions, model, "align"),
            "rules": _chosen(RuleOptions, model, "rules"),
            "lm": _chosen(LmOptions, model, "lm"),
        }

    def make(self, threads: int, progress: Callable[[int, int], None]) -> None:
        options = {
            "settings": {name: repr(one) for name, one in self._settings.items()},
            "left_out": key_of(sorted(self._left_out)),
            "bitext": self.bitext.digest,
            "words": len(self.model.vocabulary),
        }
        outputs = [self.home / "rules.bin", self.home / "lm.lm"]

        def work() -> None:
            self.home.mkdir(parents=True, exist_ok=True)
            self._build(threads, progress)

        Steps(self.home).run("rules", work, outputs=outputs, options=options)

    @cached_property
    def rules(self) -> _core.RuleStore:
        return opened(_core.RuleStore.open, self.home / "rules.bin", policy(True))

    @cached_property
    def language_models(self) -> tuple[_core.LanguageModel, ...]:
        """Its own, unless the model's has not been made from the bitext."""
        if not _reads_bitext(self.model):
            return tuple(self.model.native_language_models)
        return (LanguageModel.load(self.home / "lm.lm").native,)

    def _build(self, threads: int, progress: Callable[[int, int], None]) -> None:
        from demotic.align import Aligner
        from demotic.text.pairs import Pair
        from demotic.text.parallel import ParallelCorpus

        kept = [i for i in range(len(self.bitext)) if i not in self._left_out]
        pairs = (Pair(self.bitext.source[i], self.bitext.target[i], "", i) for i in kept)
        corpus = _known(ParallelCorpus.from_pairs(pairs, vocabulary=self.model.vocabulary))
        aligner = Aligner(self._settings["align"])  # type: ignore[arg-type]
        aligner.fit(corpus, threads=threads, progress=progress)
        extract(
            corpus.source.sentences,
            corpus.target.sentences,
            aligner.align(corpus, threads=threads),
            self.home / "rules.bin",
            kind=self.model.info.kind,
            options=self._settings["rules"],  # type: ignore[arg-type]
            threads=threads,
        )
        spoken = corpus.target.select(np.diff(corpus.target.sentences.offsets) > 0)
        lm = estimate_lm(spoken.lines(), self._settings["lm"])  # type: ignore[arg-type]
        lm.save(self.home / "lm.lm", threads=threads)


def _known(corpus: ParallelCorpus) -> ParallelCorpus:
    """Without the pairs that hold words that the model does not know.

    The model was built without those pairs, so no rule and no n-gram of it comes from them.
    """
    unknown = np.zeros(len(corpus), dtype=bool)
    for side in (corpus.source.sentences, corpus.target.sentences):
        sentence = np.repeat(np.arange(len(side)), np.diff(side.offsets))
        unknown[sentence[side.words == _core.UNKNOWN]] = True
    return corpus.select(~unknown) if unknown.any() else corpus


def _chosen(cls: type[_Options], model: Model, prefix: str) -> _Options:
    """The options that the model was built with."""
    stored: Mapping[str, Any] = model.info.options
    names = [one.name for one in declared(cls)]
    known = {name: stored[f"{prefix}_{name}"] for name in names if f"{prefix}_{name}" in stored}
    if not known and prefix == "rules":
        raise Error(
            "a model that was not built here: its rules cannot be made from parts of the bitext",
            path=str(model.path),
            expected="a model of demotic build",
            advice="give --held-out none",
        )
    return cls(**known)


def _reads_bitext(model: Model) -> bool:
    """Whether its language model was estimated from the target side."""
    return len(model.language_models) == 1 and not model.info.origin.get("lm_text", False)


def _check_origin(model: Model, bitext: Bitext, options: TrainOptions) -> None:
    """Leave-one-out needs the very lines that the rules were extracted from."""
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
