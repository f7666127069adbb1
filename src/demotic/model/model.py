"""A model: one directory with rules, vocabulary, language models and weights, opened by mapping.

    model = Model.load("model")
    tuned = model.derive("tuned", weights=new_weights)      # shares the large files

`model.toml` is written last, so that a directory without it is not a model yet.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from demotic import _core
from demotic._core import Vocabulary
from demotic.counts import counted
from demotic.errors import Error, ModelError
from demotic.features.dense import (
    FEATURES,
    OPERATION_FEATURES,
    OWN_PARTS,
    default_weight,
    dense_features,
)
from demotic.features.weights import Weights
from demotic.lines import PathLike
from demotic.model.file import (
    MODEL_NAME,
    ModelInfo,
    Scalar,
    changed_file,
    check_size,
    confined,
    record,
)
from demotic.model.history import history_entry
from demotic.model.output import new_model, refuse_existing
from demotic.model.partner import PARTNER, without_decision
from demotic.model.sharing import BITEXT, copy_file, share_bitext, share_file
from demotic.model.sparse import NewSparseParts
from demotic.options import kind_name
from demotic.rules import Rules
from demotic.verified import open_verified, policy

if TYPE_CHECKING:
    from demotic.constraints.lines import LineConstraints
    from demotic.constraints.terms import TermFinder
    from demotic.features import Templates
    from demotic.features.sparse_part import SparsePart
    from demotic.search import Decoder, Record, SearchOptions, SearchResult
    from demotic.search.text import RawText
    from demotic.text.preparation import Preparation

__all__ = ["Model"]


@dataclass(frozen=True)
class Model:
    """Rules, vocabulary and weights that belong together; immutable."""

    path: Path
    info: ModelInfo
    vocabulary: Vocabulary
    rules: Rules
    weights: Weights
    allow_outside: bool = False
    sparse: SparsePart | None = None

    @classmethod
    def load(cls, path: PathLike, *, verify: bool = True, allow_outside: bool = False) -> Model:
        """Opens a model directory; without `verify`, checksums are not checked."""
        directory = Path(path)
        info = ModelInfo.read(directory)

        def part(name: str) -> Path:
            return confined(directory, name, allow_outside=allow_outside)

        for name in (*info.parts.big, *info.parts.small):
            check_size(part(name), name, info)
        vocabulary = open_verified(Vocabulary.open, part(info.parts.vocabulary), policy(verify))
        added = [part(name) for name in info.parts.added]
        rules = Rules.open(part(info.parts.rules), vocabulary, added=added, verify=verify)
        sparse = _sparse_part(info, part, rules, verify=verify)
        names = dense_features(
            info.kind,
            rules.store.score_names,
            info.parts.models,
            optional=_optional_features(directory, info, sparse),
        )
        weights_path = part(info.parts.weights)
        weights = Weights.read(weights_path).ordered(names, weights_path)
        return cls(directory, info, vocabulary, rules, weights, allow_outside, sparse)

    @classmethod
    def create(cls, path: PathLike, info: ModelInfo, weights: Weights) -> Model:
        """Makes a model of a directory that already has the large files, and opens it."""
        directory = Path(path)
        files = {name: record(confined(directory, name)) for name in info.parts.big}
        weights.write(confined(directory, info.parts.weights))
        replace(info, files=files).write(directory)
        return cls.load(directory)

    @property
    def kind(self) -> str:
        return self.info.kind

    @property
    def settings(self) -> Mapping[str, Scalar]:
        """The search settings of this model that differ from the defaults: [search] in its file."""
        return self.info.search

    def decoder(
        self, options: SearchOptions | None = None, *, weights: Weights | None = None
    ) -> Decoder:
        """The decoder with the model's settings and weights, or with others."""
        from demotic.search import SearchOptions
        from demotic.search.kinds import decoder_of

        options = options or SearchOptions.for_model(self)
        return decoder_of(self, options, (weights or self.weights).ordered(self.weights))

    def with_given(self) -> Model:
        """The model with the feature `given`: translations given with probabilities.

        A model has it if its `weights.tsv` was tuned with it; otherwise it has the default weight.
        """
        if "given" in self.weights:
            return self
        names = dense_features(
            self.info.kind,
            self.rules.store.score_names,
            self.info.parts.models,
            optional=[*_optional_features(self.path, self.info, self.sparse), "given"],
        )
        weights = Weights.of({**self.weights, "given": default_weight("given")}).ordered(names)
        info = replace(self.info, features=(*self.info.features, "given"))
        model = replace(self, info=info, weights=weights)
        model.__dict__["native_language_models"] = self.native_language_models
        return model

    def reopened(self) -> Model:
        """The same model without the rules on demand that were extracted so far."""
        added = [self.part(name) for name in self.info.parts.added]
        path = self.part(self.info.parts.rules)
        model = replace(self, rules=Rules.open(path, self.vocabulary, added=added))
        model.__dict__["native_language_models"] = self.native_language_models
        return model

    def translate(
        self, lines: Iterable[str], *, options: SearchOptions | None = None, threads: int = 1
    ) -> list[str]:
        """The best translations of raw lines, or of tokenised ones if there is no preparation.

        Terms of the model's glossary are obeyed, and times, dates and decimals of raw lines
        translated by rule.
        """
        from demotic.search.decision import DecisionOptions
        from demotic.search.stream import LineTranslator
        from demotic.search.text import cleaned

        translator = LineTranslator(
            self.decoder(options) if options else self._decoder,
            self.raw_text,
            threads=threads,
            constraints=self._line_constraints,
        ).deciding(DecisionOptions.for_model(self))
        return translator.texts(translator.prepared(cleaned(lines)))[0]

    @cached_property
    def _line_constraints(self) -> LineConstraints | None:
        if self.terms is None and self.preparation is None:
            return None
        from demotic.constraints.lines import LineConstraints
        from demotic.constraints.numbers import NumberRule

        numbers = NumberRule(self.info.source_language, self.info.target_language)
        return LineConstraints(terms=self.terms, numbers=numbers)

    @cached_property
    def terms(self) -> TermFinder | None:
        """The terms that translations obey, if the model carries a glossary."""
        if self.glossary_path is None:
            return None
        from demotic.constraints.terms import model_terms

        return model_terms(self)

    def search(
        self,
        lines: Sequence[str],
        *,
        record: Record = "forest",
        options: SearchOptions | None = None,
        threads: int = 1,
    ) -> list[SearchResult]:
        """Decodes tokenised sentences and records forests, or bins as well."""
        return self.decoder(options).search(lines, record=record, threads=threads)

    @cached_property
    def _decoder(self) -> Decoder:
        return self.decoder()

    @cached_property
    def raw_text(self) -> RawText:
        """Converts raw lines to the model's tokens and back."""
        from demotic.search.text import RawText

        return RawText(self)

    @cached_property
    def partner(self) -> Model | None:
        """The model with which this one decides together (docs/models.md), if there is one."""
        name = self.info.parts.partner
        return None if name is None else Model.load(self.part(name))

    @cached_property
    def native_language_models(self) -> list[_core.LanguageModel]:
        """Native language models, of words, then of classes. Imported ARPA files may lack </s>."""
        from demotic.lm import LanguageModel

        return [
            LanguageModel.load(path, marks_may_miss=True).native
            for path in (*self.language_models, *self.class_language_models)
        ]

    @cached_property
    def native(self) -> _core.PhraseModel | _core.HieroModel:
        """The model in native form."""
        from demotic.search.kinds import native_model

        return native_model(self)

    @cached_property
    def preparation(self) -> Preparation | None:
        """How raw text becomes tokens and back, if `demotic prepare` prepared the model's text."""
        from demotic.text.preparation import Preparation

        if self.info.parts.preparation is None:
            return None
        return Preparation.load(self.part(self.info.parts.preparation).parent)

    @property
    def glossary_path(self) -> Path | None:
        """The file of the terms that translations obey, if the model carries one."""
        name = self.info.parts.glossary
        return None if name is None else self.part(name)

    @cached_property
    def distortion(self) -> _core.DistortionCounts | None:
        """The counts of reordered gaps, if the model has the feature that needs them."""
        from demotic.model.distortion import FEATURE, read_distortion

        if FEATURE not in self.info.features or self.info.parts.distortion is None:
            return None
        return read_distortion(self.part(self.info.parts.distortion))

    @cached_property
    def operations(self) -> _core.LanguageModel | None:
        """The n-gram model of the operation sequence model, if there is one."""
        from demotic.lm import LanguageModel

        name = self.info.parts.operations
        return LanguageModel.load(self.part(name)).native if name else None

    @cached_property
    def language_models(self) -> tuple[Path, ...]:
        """The files of the language models."""
        return tuple(self.part(name) for name in self.info.parts.language_models)

    @cached_property
    def class_language_models(self) -> tuple[Path, ...]:
        """The files of the class-based language models."""
        return tuple(self.part(name) for name in self.info.parts.class_language_models)

    def part(self, name: str) -> Path:
        return confined(self.path, name, allow_outside=self.allow_outside)

    def verify(self) -> None:
        """Compares every large file with its recorded digest. Raises ModelError."""
        for name in self.info.parts.big:
            known = self.info.files.get(name)
            if known is not None and record(self.part(name)) != known:
                raise changed_file(self.part(name))
        if self.partner is not None:
            self.partner.verify()

    def save(self, path: PathLike) -> Model:
        """A copy that shares the large files with this model."""
        return self.derive(path)

    def derive(
        self,
        path: PathLike,
        *,
        weights: Weights | None = None,
        search: Mapping[str, Scalar] | None = None,
        origin: Mapping[str, Scalar] | None = None,
        sparse: PathLike | None = None,
        templates: Templates | None = None,
        classes: Sequence[_core.ClassLayer] | None = None,
        partner: Model | None = None,
        write: Callable[[Path, ModelInfo], ModelInfo] | None = None,
    ) -> Model:
        """A new model directory with other weights or settings, sharing the large files.

        They are hard links where the file system allows, else copies; either way the two
        directories are independent.  `sparse` is a file of sparse weights; templates and classes
        that are not given are this model's.  `partner` becomes part of the new model, which
        decides together with it; this model's is kept as long as the weights are.  `write` may
        write further parts into the directory and returns the description that names them.
        """
        directory = Path(path)
        attached = NewSparseParts.to(self, sparse, templates, classes)
        more = {"sparse": default_weight("sparse")} if attached else {}
        weights = Weights.of({**more, **(weights or self.weights)})
        weights = weights.ordered({**self.weights, **more})
        if directory.exists() and os.path.samefile(directory, self.path):
            raise Error(
                "the directory of the model itself",
                path=str(directory),
                expected="another directory for the new model",
            )
        refuse_existing(directory)
        parts = attached.parts if attached else self.info.parts
        known = self.info.search
        if attached or weights != self.weights:  # these hold for one set of weights
            parts = replace(parts, confidence=None)
            known = without_decision(known)
        settings = {**known, **(search or {})}
        partner = (partner or self.partner) if settings.get("decision") == "combined" else None
        parts = replace(parts, partner=PARTNER if partner else None)
        info = replace(
            self.info,
            parts=parts,
            search=settings,
            origin={**self.info.origin, **(origin or {})},
            history=(*self.info.history, *filter(None, [history_entry(origin or {})])),
        )
        with new_model(directory):
            replaced = attached.write(directory) if attached else set()
            for name in self.info.parts.big:
                if name not in replaced and name in info.parts.big:
                    share_file(self.part(name), confined(directory, name))
            for name in self.info.parts.small[1:]:
                if name not in replaced and name in info.parts.small:
                    copy_file(self.part(name), confined(directory, name))
            share_bitext(sorted((self.path / BITEXT).glob("*")), directory)
            if partner is not None:
                (directory / PARTNER / MODEL_NAME).unlink(missing_ok=True)  # of an earlier model
                own = {"decision": "map"} if partner.partner else None  # it decides alone here
                partner.derive(directory / PARTNER, search=own)
            return Model.create(directory, write(directory, info) if write else info, weights)

    def __repr__(self) -> str:
        return (
            f"Model({str(self.path)!r}, {self.kind}, {self.rules.size_text}, "
            f"{len(self.vocabulary):,} words, "
            f"{counted(sum(self.info.parts.models), 'language model')}, "
            f"{len(self.weights)} weights"
            f"{f', {len(self.sparse):,} sparse ones' if self.sparse else ''})"
        )


def _optional_features(directory: Path, info: ModelInfo, sparse: SparsePart | None) -> list[str]:
    from demotic.model.distortion import FEATURE

    for name in info.features:
        known = FEATURES.get(name)
        if known is None or not known.optional or info.kind not in known.kinds or name in OWN_PARTS:
            raise ModelError(
                f"{name!r} among the features in {MODEL_NAME}",
                path=directory / MODEL_NAME,
                expected=f"optional dense features of a {kind_name(info.kind)} model",
                advice="update Demotic, or build the model again",
            )
    if FEATURE in info.features and info.parts.distortion is None:
        raise ModelError(
            f"the feature {FEATURE} without counts of reordered gaps",
            path=directory / MODEL_NAME,
            expected="`distortion` under [parts]",
            advice="build the model again, or remove the feature here and in weights.tsv",
        )
    operations = OPERATION_FEATURES if info.parts.operations else ()
    return [*info.features, *operations, *(["sparse"] if sparse is not None else [])]


def _sparse_part(
    info: ModelInfo, part: Callable[[str], Path], rules: Rules, *, verify: bool
) -> SparsePart | None:
    weights, templates = info.parts.sparse, info.parts.templates
    if weights is None and templates is None:
        return None
    if weights is None or templates is None:
        raise ModelError(
            f"sparse weights or their templates, but not both, in {MODEL_NAME}",
            path=part(MODEL_NAME),
            expected="`sparse` and `templates` under [parts], or neither",
        )
    from demotic.features.sparse_part import SparsePart

    classes = [part(name) for name in info.parts.classes]
    return SparsePart.open(part(weights), part(templates), classes, rules, info.kind, verify=verify)
