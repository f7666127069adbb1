"""A model with its languages, ready to translate sentences on any thread."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from demotic.confidence import ConfidenceEstimator
from demotic.constraints.lines import LineConstraints
from demotic.constraints.placeholders import PLACEHOLDER_KINDS
from demotic.constraints.tagged import TaggedSentence, Untagged, has_tags, tagged_sentence
from demotic.constraints.translate import MarkupTranslator
from demotic.errors import InputError, ModelError
from demotic.lines import PathLike, split_words
from demotic.model import Model
from demotic.search.chooser import Chooser, Chosen
from demotic.search.decision import DecisionOptions
from demotic.search.options import SearchOptions, Unknown
from demotic.search.output import step_kind
from demotic.search.romanizer import Romanizer
from demotic.search.sentence import constraints_of
from demotic.search.text import RawText
from demotic.search.unknowns import KnownWords
from demotic.serve.jobs import Check
from demotic.text.language_names import language_name
from demotic.text.languages import checked_language

if TYPE_CHECKING:
    from demotic.constraints import Format
    from demotic.constraints.xml_input import XmlInput
    from demotic.search import Candidate, Decoder
    from demotic.search.constraint import Constraint

__all__ = ["Phrase", "SentenceCandidate", "ServedModel", "TranslatedSentence"]


@dataclass(frozen=True)
class Phrase:
    """A step of the derivation: the spans of its source and target tokens."""

    source: tuple[int, int]
    target: tuple[int, int]
    kind: str  # rule, copied, glue, or given by a constraint


@dataclass(frozen=True)
class SentenceCandidate:
    """One translation of a sentence."""

    text: str
    candidate: Candidate
    decoder: Decoder
    confidences: tuple[float, ...] | None = None  # one per token, of the best candidate

    @property
    def tokens(self) -> tuple[str, ...]:
        return self.candidate.words

    # These take longer than all else about a candidate, and alternatives are often texts only.

    @cached_property
    def links(self) -> tuple[tuple[int, int], ...]:
        return tuple(self.decoder.links(self.candidate.steps))

    @cached_property
    def phrases(self) -> tuple[Phrase, ...]:
        steps = self.candidate.steps
        segments = zip(steps, self.decoder.segments(steps), strict=True)
        return tuple(Phrase(*segment, step_kind(step.rule)) for step, segment in segments)

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
    constraints: tuple[Constraint, ...] = ()


class _Prepared(NamedTuple):
    """A sentence of a request as the decoder reads it."""

    line: str
    raw: RawText
    tagged: TaggedSentence | None = None

    @property
    def constraints(self) -> tuple[Constraint, ...]:
        return constraints_of(self.line) if self.tagged is None else self.tagged.constraints

    def restored(self, one: Candidate, decoder: Decoder) -> str:
        """A translation as text."""
        if self.tagged is None:
            return self.raw.restored(one.text, self.line)
        return self.tagged.written(Chosen([one], decoder, fell_back=False), self.raw)

    def candidate(self, one: Candidate, decoder: Decoder) -> SentenceCandidate:
        return SentenceCandidate(self.restored(one, decoder), one, decoder)


class ServedModel:
    """Immutable; all methods are thread-safe."""

    def __init__(
        self, model: Model, source: str = "", target: str = "", *, unknown: Unknown = "copy"
    ) -> None:
        """Raises ModelError if the model does not declare its languages and none are given.

        A model that cannot treat unknown words as wanted copies them, with a notice.
        """
        self.notices: list[str] = []  # warnings for whoever starts the server
        self.model = model
        self.source = checked_language(source or model.info.source_language or _asked(model))
        self.target = checked_language(target or model.info.target_language or _asked(model))
        unknown = self._possible(unknown)
        self._romanizes = unknown == "transliterate"
        self.asked: dict[str, Any] = {"drop_unknown": True} if unknown == "drop" else {}
        """Settings of the search that are not the model's."""
        self.decoder = model.decoder(SearchOptions.for_model(model, self.asked))
        self._raw = RawText(model, romanize=self._romanizes)
        self._tokens = RawText(model, tokenized=True, romanize=self._romanizes)
        self._known = KnownWords(model)
        self._decision = DecisionOptions.for_model(model)
        self._chooser = Chooser.of(self.decoder, self._decision)
        self._marked_up = MarkupTranslator(
            model, decoder=self.decoder, raw=self._raw, decision=self._decision
        )
        self._constraints = LineConstraints(terms=model.terms, placeholders=PLACEHOLDER_KINDS)
        self._confidence = self._calibrated()

    def _possible(self, unknown: Unknown) -> Unknown:
        found = ""
        if unknown == "drop" and self.model.kind != "phrase":
            found = "a Hiero model does not drop words"
        elif unknown == "transliterate":
            try:
                Romanizer(self.model)
            except InputError as error:
                found = error.found
        if not found:
            return unknown
        self.notices.append(f"{self.model.path}: {found}; unknown words are copied as they are")
        return "copy"

    def _calibrated(self) -> ConfidenceEstimator | None:
        """None without a calibration for the present weights, with which all else works."""
        if self.model.info.parts.confidence is None:
            return None
        try:
            return ConfidenceEstimator.of(self.model)
        except ModelError as error:
            self.notices.append(f"{error}; served without the confidence of words")
            return None

    @classmethod
    def load(cls, name: PathLike, *, unknown: Unknown = "copy") -> ServedModel:
        """A model directory, or SOURCE-TARGET=DIRECTORY for one that does not know its languages,
        with a colon instead of the hyphen for codes with hyphens."""
        languages, equals, path = str(name).partition("=")
        if not equals:
            return cls(Model.load(name), unknown=unknown)
        source, _, target = languages.partition(":" if ":" in languages else "-")
        return cls(Model.load(path), source, target, unknown=unknown)

    def warm(self) -> None:
        """Loads everything that the first request would wait for."""
        self.translate(["."], Check(), details=True, confidence=True)
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
        confidence: bool = False,
        xml_input: XmlInput = "pass-through",
    ) -> list[TranslatedSentence]:
        """Translates clean sentences; `check` may stop the search by raising.

        `confidence` adds that of each word to the details, if the model is calibrated. Raises
        FormatError for a sentence with malformed XML words.
        """
        prepared = [self._read(one, tokenized=tokenized, xml_input=xml_input) for one in sentences]
        lines = [one.line for one in prepared]
        chooser = self._chooser if xml_input == "pass-through" else self._given_chooser
        if not details and nbest == 1 and not chooser.decision.needs_forest:
            best = chooser.decoder.translate(lines, stop=check.flag)
            texts = [one.restored(best[i], chooser.decoder) for i, one in enumerate(prepared)]
            return [TranslatedSentence(*pair) for pair in zip(sentences, texts, strict=True)]
        if tokenized and nbest > 1:  # clients of Moses want lists that are ranked by score
            chooser = Chooser(chooser.decoder)
        record = confidence and self._confidence is not None
        found = chooser.choose(lines, nbest=nbest, distinct=True, record=record, stop=check)
        return [
            self._detailed(*one, chooser.decoder, tokenized=tokenized, confidence=confidence)
            for one in zip(sentences, prepared, found, strict=True)
        ]

    @property
    def searches_alone(self) -> bool:
        """Whether the best derivation of a search is the translation, without a decision rule."""
        return not self._chooser.decision.needs_forest

    def restored(
        self, sentences: Sequence[str], lines: Sequence[str], found: Sequence[str]
    ) -> list[TranslatedSentence]:
        """Clean sentences with their translations; `lines` and `found` are tokens of both."""
        texts = map(self._raw.restored, found, lines)
        return [TranslatedSentence(*pair) for pair in zip(sentences, texts, strict=True)]

    def prepared(
        self, sentence: str, *, tokenized: bool = False, xml_input: XmlInput = "pass-through"
    ) -> str:
        """The tokens of a sentence without tags, with its terms and placeholders as constraints.

        Only its terms if it is `tokenized`. Raises FormatError for malformed XML words.
        """
        raw = self.raw(tokenized=tokenized)
        if tokenized or xml_input != "pass-through":
            kinds = () if tokenized else PLACEHOLDER_KINDS
            asked = LineConstraints(xml_input=xml_input, terms=self.model.terms, placeholders=kinds)
            return asked.prepared(raw, sentence)
        if raw.is_raw and has_tags(sentence):
            sentence = Untagged.of(sentence).text
        return self._constraints.prepared(raw, sentence)

    def _read(self, sentence: str, *, tokenized: bool, xml_input: XmlInput) -> _Prepared:
        """The same with what puts its tags into the translation."""
        raw = self.raw(tokenized=tokenized)
        if xml_input == "pass-through" and raw.is_raw:
            tagged = tagged_sentence(raw, sentence, self.model.terms)
            if tagged is not None:
                return _Prepared(tagged.line, raw, tagged)
        return _Prepared(self.prepared(sentence, tokenized=tokenized, xml_input=xml_input), raw)

    def decoder_for(self, xml_input: XmlInput) -> Decoder:
        """The decoder of lines that are prepared so."""
        return self.decoder if xml_input == "pass-through" else self._given_chooser.decoder

    @cached_property
    def _given_chooser(self) -> Chooser:
        """For translations that are given with probabilities, which are a feature."""
        decoder = self.model.with_given().decoder(self.decoder.options)
        return Chooser.of(decoder, self._decision)

    def _detailed(
        self,
        source: str,
        prepared: _Prepared,
        found: Chosen,
        decoder: Decoder,
        *,
        tokenized: bool,
        confidence: bool,
    ) -> TranslatedSentence:
        best = prepared.candidate(found.best, found.decoder)
        # The calibration holds for the model itself, not for a partner that it decides with.
        if confidence and self._confidence and found.result and found.decoder is decoder:
            words = self._confidence.words(found.result, found.best)
            best = replace(best, confidences=tuple(words.tolist()))
        others = [prepared.candidate(one, decoder) for one in found.candidates[1:]]
        tokens = self._as_written(source, prepared.line, tokenized=tokenized)
        return TranslatedSentence(source, best.text, tokens, (best, *others), prepared.constraints)

    def _as_written(self, source: str, line: str, *, tokenized: bool) -> tuple[str, ...]:
        """The tokens of a sentence, those in Latin letters that were written otherwise too."""
        tokens = tuple(split_words(line))
        if not self._romanizes:
            return tokens
        written = tuple(split_words(self.raw(tokenized=tokenized).tokens(source)))
        return written if len(written) == len(tokens) else tokens

    def candidate(
        self, one: Candidate, decoder: Decoder, *, tokenized: bool = False
    ) -> SentenceCandidate:
        """A candidate with its details; `decoder` is the one whose rules it uses."""
        return _Prepared("", self.raw(tokenized=tokenized)).candidate(one, decoder)

    def translate_marked_up(self, texts: Sequence[str], form: Format, check: Check) -> list[str]:
        """Texts with tags, which are kept. Raises FormatError for malformed XLIFF."""
        return self._marked_up.translate(texts, form, stop=check)

    def known_share(self, text: str) -> float:
        """The share of the words of a text that the model can translate."""
        words = [
            word for word in split_words(self._raw.tokens(text)) if any(map(str.isalpha, word))
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


def _asked(model: Model) -> str:
    raise ModelError(
        "a model that does not know its languages",
        path=model.path / "model.toml",
        expected="source_language and target_language, such as de and en",
        advice=f"write them into the file, or serve it as de-en={model.path}",
    )
