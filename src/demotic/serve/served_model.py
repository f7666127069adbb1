"""A model with its languages, ready to translate sentences on any thread."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

from demotic.confidence import ConfidenceEstimator
from demotic.constraints.glossary import model_glossary
from demotic.constraints.lines import LineConstraints
from demotic.errors import ModelError
from demotic.lines import PathLike, split_words
from demotic.model import Model
from demotic.search.decision import DecisionOptions, decide
from demotic.search.output import step_kind
from demotic.search.text import RawText
from demotic.search.unknowns import KnownWords
from demotic.serve.scheduler import Check
from demotic.text.language_names import language_name
from demotic.text.languages import checked_language

if TYPE_CHECKING:
    from demotic.constraints import Format
    from demotic.search import Candidate, Decoder, SearchResult

__all__ = ["Phrase", "SentenceCandidate", "ServedModel", "TranslatedSentence"]


@dataclass(frozen=True)
class Phrase:
    """A step of the derivation: the spans of its source and target tokens."""

    source: tuple[int, int]
    target: tuple[int, int]
    kind: str  # rule, copied, glue, or given by a glossary


@dataclass(frozen=True)
class SentenceCandidate:
    """One translation of a sentence."""

    text: str
    candidate: Candidate
    links: tuple[tuple[int, int], ...]
    phrases: tuple[Phrase, ...]
    confidences: tuple[float, ...] | None = None  # one per token, of the best candidate

    @property
    def tokens(self) -> tuple[str, ...]:
        return self.candidate.words

    @property
    def copied(self) -> Iterator[int]:
        """Positions of the target tokens that were copied from the source."""
        return (i for one in self.phrases if one.kind == "copied" for i in range(*one.target))


@dataclass(frozen=True)
class TranslatedSentence:
    """A sentence and its translations; without details only the text of the best one."""

    source: str
    text: str
    source_tokens: tuple[str, ...] = ()
    candidates: tuple[SentenceCandidate, ...] = ()


class ServedModel:
    """Immutable; all methods are thread-safe."""

    def __init__(self, model: Model, source: str = "", target: str = "") -> None:
        """Raises ModelError if the model does not declare its languages and none are given."""
        self.model = model
        self.source = checked_language(source or model.info.source_language or _asked(model))
        self.target = checked_language(target or model.info.target_language or _asked(model))
        self.decoder = model.decoder()
        self._raw = model.raw_text
        self._tokens = RawText(model, tokenized=True)
        self._known = KnownWords(model)
        self._constraints = LineConstraints(glossary=model_glossary(model))
        self._decision = DecisionOptions.for_model(model)
        calibrated = model.info.parts.confidence is not None
        self._confidence = ConfidenceEstimator.of(model) if calibrated else None

    @classmethod
    def load(cls, name: PathLike) -> ServedModel:
        """A model directory, or SOURCE-TARGET=DIRECTORY for one that does not know its languages,
        with a colon instead of the hyphen for codes with hyphens."""
        languages, equals, path = str(name).partition("=")
        if not equals:
            return cls(Model.load(name))
        source, _, target = languages.partition(":" if ":" in languages else "-")
        return cls(Model.load(path), source, target)

    def warm(self) -> None:
        """Loads everything that the first request would wait for."""
        self.translate(["."], Check(), details=True)
        self.known_share(".")

    @property
    def name(self) -> str:
        """The name of its directory."""
        return self.model.path.resolve().name

    @property
    def title(self) -> str:
        return f"{language_name(self.source)} → {language_name(self.target)}"

    @property
    def reads_raw_text(self) -> bool:
        return self._raw.is_raw

    def raw(self, *, tokenized: bool = False) -> RawText:
        return self._tokens if tokenized else self._raw

    def translate(
        self,
        sentences: Sequence[str],
        check: Check,
        *,
        nbest: int = 1,
        details: bool = False,
        tokenized: bool = False,
    ) -> list[TranslatedSentence]:
        """Translates clean sentences; `check` may stop the search by raising."""
        text = self.raw(tokenized=tokenized)
        lines = [self._constraints.prepared(text, one) for one in sentences]
        found: list[Sequence[Candidate]]
        records: Sequence[SearchResult | None] = [None] * len(lines)
        # N-best lists of tokens, as clients of Moses want them, are ranked by score.
        decides = self._decision.needs_forest and not (tokenized and nbest > 1)
        if nbest > 1 or decides or (details and self._confidence):
            records = searched = self.decoder.search(lines, progress=check)
            found = [record.kbest(nbest, distinct=True) for record in searched]
            if decides:
                found = list(map(self._decided, searched, found))
        else:
            best = self.decoder.translate(lines, stop=check.flag)
            if not details:
                restored = map(text.restored, best.text)
                return [TranslatedSentence(*pair) for pair in zip(sentences, restored, strict=True)]
            found = [[best[i]] for i in range(len(lines))]
        return [
            self._detailed(*one, tokenized=tokenized)
            for one in zip(sentences, lines, found, records, strict=True)
        ]

    def _decided(self, record: SearchResult, best: Sequence[Candidate]) -> list[Candidate]:
        """The translation by the model's own rule, then the others by score."""
        chosen = decide(record, self._decision)
        others = [one for one in best if one.words != chosen.words]
        return [chosen, *others][: len(best)]

    def _detailed(
        self,
        source: str,
        line: str,
        found: Sequence[Candidate],
        record: SearchResult | None,
        *,
        tokenized: bool,
    ) -> TranslatedSentence:
        best, *others = (self.candidate(one, tokenized=tokenized) for one in found)
        if self._confidence and record is not None:
            words = self._confidence.words(record, best.candidate)
            best = replace(best, confidences=tuple(words.tolist()))
        return TranslatedSentence(source, best.text, tuple(split_words(line)), (best, *others))

    def candidate(self, one: Candidate, *, tokenized: bool) -> SentenceCandidate:
        segments = zip(one.steps, self.decoder.segments(one.steps), strict=True)
        return SentenceCandidate(
            self.raw(tokenized=tokenized).restored(one.text),
            one,
            tuple(self.decoder.links(one.steps)),
            tuple(Phrase(*segment, step_kind(step.rule)) for step, segment in segments),
        )

    def translate_marked_up(self, texts: Sequence[str], form: Format, check: Check) -> list[str]:
        """Texts with tags, which are kept. Raises FormatError for malformed XLIFF."""
        from demotic.constraints import MarkupTranslator

        decoder = cast("Decoder", _Stoppable(self.decoder, check))
        return MarkupTranslator(self.model, decoder=decoder).translate(texts, form)

    def known_share(self, text: str) -> float:
        """The share of the words of a text that the model can translate."""
        words = [
            word for word in split_words(self._raw.prepared(text)) if any(map(str.isalpha, word))
        ]
        return sum(map(self._known.source, words)) / len(words) if words else 0.0

    @cached_property
    def description(self) -> dict[str, Any]:
        """For clients: languages, kind, sizes."""
        return {
            "name": self.name,
            "source": self.source,
            "target": self.target,
            "title": self.title,
            "kind": self.model.kind,
            "rules": len(self.model.rules),
            "features": len(self.model.weights),
            "raw_text": self.reads_raw_text,
            "history": list(self.model.info.history),
            "beam_size": self.decoder.options.beam_size,
        }


class _Stoppable:
    """A decoder whose searches `check` may stop by raising."""

    def __init__(self, decoder: Decoder, check: Check) -> None:
        self._decoder, self._check = decoder, check

    def __getattr__(self, name: str) -> Any:
        return getattr(self._decoder, name)

    def translate(self, lines: Sequence[str], **given: Any) -> Any:
        return self._decoder.translate(lines, **{**given, "stop": self._check.flag})

    def search(self, lines: Sequence[str], **given: Any) -> Any:
        return self._decoder.search(lines, **{**given, "progress": self._check})


def _asked(model: Model) -> str:
    raise ModelError(
        "a model that does not know its languages",
        path=model.path / "model.toml",
        expected="source_language and target_language, such as de and en",
        advice=f"write them into the file, or serve it as de-en={model.path}",
    )
