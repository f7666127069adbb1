"""Translation as a service: several models, limits, a queue.  It knows nothing of HTTP.

    service = TranslationService([ServedModel.load("zh-en")], ServeOptions(), threads=2)
    job = service.translate(TranslationRequest(texts=("他想看书。",), source="zh", target="en"))
    job.future.result()[0].text

Every method that searches returns a job; `job.stop()` ends it early.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import accumulate
from typing import Any, NamedTuple, TypeVar, overload

from demotic.constraints.markup import Format, pieces_of
from demotic.constraints.tagged import Untagged, has_tags
from demotic.constraints.xml_input import XmlInput
from demotic.errors import Error, FormatError
from demotic.serve.jobs import CallJob, Check, Job, TextJob
from demotic.serve.options import ServeOptions
from demotic.serve.paragraphs import Paragraphs, sound
from demotic.serve.refusals import (
    BadRequest,
    NotSupported,
    TooLarge,
    UnknownLanguage,
    UnknownPair,
)
from demotic.serve.scheduler import Scheduler
from demotic.serve.served_model import ServedModel, TranslatedSentence
from demotic.text.languages import base_language
from demotic.text.sentence_split import split_sentences

__all__ = ["Detected", "TranslatedText", "TranslationRequest", "TranslationService"]

_TOGETHER = 4  # sentences per native call: enough to hide its cost, few enough to take turns
_SHORT = 2000  # characters that are prepared at once, before they are in the queue
_DETECTED = 1000  # characters looked at to detect a language

Result = TypeVar("Result")


@dataclass(frozen=True, kw_only=True)
class TranslationRequest:
    """What a client wants to have translated."""

    texts: Sequence[str]
    source: str = ""
    """A language code; empty or "auto": detected."""
    target: str = ""
    alternatives: int = 0
    details: bool = False
    """Also tokens, links and phrases; implied by alternatives."""
    confidence: bool = False
    """Details have the confidence of each word, if the model is calibrated."""
    tokenized: bool = False
    """The text is tokens, one sentence per line, and so is the translation."""
    format: Format = "text"
    """Of a text of any other format only the translation is known, without alternatives."""
    xml_input: XmlInput = "pass-through"
    """Treatment of Moses' XML words; lines that may have them are not split into sentences."""


@dataclass(frozen=True)
class Detected:
    """A language that a text may be in."""

    language: str
    confidence: float  # 0 to 100


class _Work(NamedTuple):
    """One text of a request, and what translates it."""

    source: Paragraphs
    model: ServedModel
    detected: Detected | None


@dataclass(frozen=True)
class TranslatedText:
    """One text of a request."""

    source: Paragraphs
    sentences: tuple[TranslatedSentence, ...]
    text: str
    places: tuple[tuple[int, int], ...]
    """Where the translations of the sentences are in `text`."""
    model: ServedModel
    detected: Detected | None = None
    wanted: int = field(default=0, repr=False)

    @property
    def alternatives(self) -> list[str]:
        """The whole text with the second best translation of every sentence, the third best, ..."""
        found = []
        for rank in range(1, self.wanted + 1):
            chosen = [
                one.candidates[min(rank, len(one.candidates) - 1)].text for one in self.sentences
            ]
            found.append(self.source.joined(chosen, self.model.target)[0])
        return [one for one in dict.fromkeys(found) if one != self.text]


def _unchanged(found: Any) -> Any:
    return found


class TranslationService:
    """Models by language pair, behind one queue."""

    def __init__(
        self, models: Sequence[ServedModel], limits: ServeOptions, *, threads: int = 1
    ) -> None:
        self.limits = limits
        self.scheduler = Scheduler(threads, limits.queue)
        self.models: dict[tuple[str, str], ServedModel] = {}
        for model in models:
            pair = (model.source.lower(), model.target.lower())
            if pair in self.models:
                raise Error(
                    f"two models for {model.source}-{model.target}: {self.models[pair].model.path} "
                    f"and {model.model.path}",
                    expected="one model per language pair",
                )
            self.models[pair] = model
        self.default = models[0]

    @property
    def sources(self) -> list[str]:
        """Source languages, each once."""
        return list(dict.fromkeys(model.source for model in self.models.values()))

    def targets(self, source: str) -> list[str]:
        return [model.target for model in self.models.values() if model.source == source]

    def model(self, source: str = "", target: str = "") -> ServedModel:
        """The model of a pair; codes may differ in case, region and ISO 639 part.

        Without both it is the first model.  Raises UnknownLanguage or UnknownPair.
        """
        if not source and not target:
            return self.default
        exact = self.models.get((_plain(source), _plain(target)))
        if exact is not None:
            return exact
        left, right = (_base(code) if code else "" for code in (source, target))
        served = self.models.values()
        from_source = [one for one in served if not left or _base(one.source) == left]
        to_target = [one for one in served if not right or _base(one.target) == right]
        for code, found in ((source, from_source), (target, to_target)):
            if not found:
                raise UnknownLanguage(f"{code} is not supported")
        both = [one for one in from_source if one in to_target]
        if not both:
            raise UnknownPair(f"no model translates from {source} into {target}")
        return both[0]

    def detect(self, text: str) -> list[Detected]:
        """The source languages by the share of the words that their models know, best first."""
        text = sound(text)[:_DETECTED].replace("\n", " ")
        if has_tags(text):
            text = Untagged.of(text).text
        shares: dict[str, float] = {}
        for one in self.models.values():
            shares[one.source] = max(shares.get(one.source, 0.0), one.known_share(text))
        found = [Detected(language, round(100 * share, 1)) for language, share in shares.items()]
        return sorted(found, key=lambda one: -one.confidence)

    @overload
    def translate(self, request: TranslationRequest) -> Job[list[TranslatedText]]: ...

    @overload
    def translate(
        self,
        request: TranslationRequest,
        make: Callable[[list[TranslatedText]], Result],
        *,
        accepted: bool = False,
    ) -> Job[Result]: ...

    def translate(
        self,
        request: TranslationRequest,
        make: Callable[[list[TranslatedText]], Any] = _unchanged,
        *,
        accepted: bool = False,
    ) -> Job[Any]:
        """A job whose result is `make(translations)`.  That is computed on the thread that ends the
        job: on the thread that handles requests, long work would delay all others.

        Raises a Refusal; so may the future.  A part of a stream that was `accepted` is translated
        while the server stops, too.
        """
        self._check(request)
        if request.format != "text":
            return self._marked_up(request, make, accepted=accepted)
        work = [self._text(request, text) for text in request.texts]
        self._check_number(sum(len(text.sentences) for text, _, _ in work))
        if _is_short(request, work):
            return self._submit(self._short(request, work, make), accepted=accepted)
        tasks, ends = [], []
        for text, model, _ in work:
            for begin in range(0, len(text.sentences), _TOGETHER):
                part = text.sentences[begin : begin + _TOGETHER]
                tasks.append(partial(_translated, request, model, part))
            ends.append(len(tasks))
        job = self._calls(tasks, lambda found: make(_assembled(request, work, ends, found)))
        return self._submit(job, accepted=accepted)

    def _short(
        self,
        request: TranslationRequest,
        work: Sequence[_Work],
        make: Callable[[list[TranslatedText]], Result],
    ) -> Job[Result]:
        """Texts for one model of which only the translation is asked."""
        model = work[0].model
        sentences = [one for text, _, _ in work for one in text.sentences]
        lines = list(map(model.prepared, sentences))
        ends = list(accumulate(len(text.sentences) for text, _, _ in work))

        def finish(found: list[str]) -> Result:
            each = [[one] for one in model.restored(sentences, lines, found)]
            return make(_assembled(request, work, ends, each))

        return TextJob(model.decoder, lines, finish, self.limits.max_seconds)

    def _marked_up(
        self,
        request: TranslationRequest,
        make: Callable[[list[TranslatedText]], Result],
        *,
        accepted: bool,
    ) -> Job[Result]:
        """Texts of HTML or XLIFF: translated whole, tags stay; nothing else is known about them."""
        if request.details or request.xml_input != "pass-through":
            raise NotSupported("text with markup is translated without details and XML words")
        work = [self._text(request, text) for text in request.texts]
        self._check_number(
            sum(_sentences_between_tags(one.source.text, request, one.model) for one in work)
        )
        tasks = [partial(_marked_up, request, model, source.text) for source, model, _ in work]

        def finish(found: list[list[str]]) -> Result:
            return make(
                [
                    TranslatedText(source, (), text, (), model, detected)
                    for (source, model, detected), (text,) in zip(work, found, strict=True)
                ]
            )

        return self._submit(self._calls(tasks, finish), accepted=accepted)

    def run(self, work: Callable[[Check], Result]) -> Job[Result]:
        """Any other work with the models, in the same queue and with the same deadline."""
        return self._submit(self._calls([work], lambda found: found[0]))

    def _calls(
        self, tasks: Sequence[Callable[[Check], Any]], finish: Callable[[list[Any]], Result]
    ) -> Job[Result]:
        return CallJob(tasks, finish, self.limits.max_seconds)

    def _submit(self, job: Job[Result], *, accepted: bool = False) -> Job[Result]:
        return job if job.is_finished else self.scheduler.submit(job, accepted=accepted)

    def _check(self, request: TranslationRequest) -> None:
        limits = self.limits
        characters = sum(map(len, request.texts))
        if characters > limits.max_characters:
            raise TooLarge(
                f"{characters} characters in one request; this server allows "
                f"{limits.max_characters}"
            )
        if len(request.texts) > limits.max_sentences:
            raise TooLarge(
                f"{len(request.texts)} texts in one request; this server allows "
                f"{limits.max_sentences}"
            )
        if not 0 <= request.alternatives <= limits.max_alternatives:
            raise BadRequest(
                f"{request.alternatives} alternatives; this server gives 0 to "
                f"{limits.max_alternatives}"
            )

    def _check_number(self, sentences: int) -> None:
        if sentences > self.limits.max_sentences:
            raise TooLarge(
                f"{sentences} sentences in one request; this server allows "
                f"{self.limits.max_sentences}"
            )

    def _text(self, request: TranslationRequest, text: str) -> _Work:
        source, detected = request.source, None
        if source in ("", "auto") and (len(self.models) > 1 or source):
            detected = self._detected(text, request.target)
            source = detected.language
        model = self.model(source, request.target)
        plain = request.xml_input == "pass-through"
        split = plain and not request.tokenized and model.reads_raw_text
        return _Work(Paragraphs.of(text, model.source, split=split), model, detected)

    def _detected(self, text: str, target: str) -> Detected:
        """The best language for which there is a model into the target."""
        found = self.detect(text)
        for one in found:
            if not target or any(_base(to) == _base(target) for to in self.targets(one.language)):
                return one
        raise UnknownLanguage(f"{target} is not supported")


def _is_short(request: TranslationRequest, work: Sequence[_Work]) -> bool:
    """Whether the sentences can be translated without a step in Python for each."""
    if request.details or request.alternatives or request.tokenized or not work:
        return False
    model = work[0].model
    return (
        request.xml_input == "pass-through"
        and not any(has_tags(text) for text in request.texts)
        and model.searches_alone
        and all(one.model is model for one in work)
        and sum(len(one.source.text) for one in work) <= _SHORT
    )


def _translated(
    request: TranslationRequest, model: ServedModel, sentences: Sequence[str], check: Check
) -> list[TranslatedSentence]:
    try:
        return model.translate(
            sentences,
            check,
            nbest=request.alternatives + 1,
            details=request.details,
            tokenized=request.tokenized,
            confidence=request.confidence,
            xml_input=request.xml_input,
        )
    except FormatError as error:  # of XML words
        raise BadRequest(str(error)) from None


def _sentences_between_tags(text: str, request: TranslationRequest, model: ServedModel) -> int:
    """The number of sentences of a text with markup, in which blocks begin new ones."""
    try:
        pieces = pieces_of(text, request.format)
    except FormatError as error:  # of XLIFF
        raise BadRequest(str(error)) from None
    blocks = [""]
    for piece in pieces:
        if piece.kind == "break":
            blocks.append("")
        elif piece.kind == "text":
            blocks[-1] += piece.text
    return sum(len(split_sentences(block, model.source)) for block in blocks if block.strip())


def _marked_up(
    request: TranslationRequest, model: ServedModel, text: str, check: Check
) -> list[str]:
    try:
        return model.translate_marked_up([text], request.format, check)
    except FormatError as error:  # of XLIFF
        raise BadRequest(str(error)) from None


def _assembled(
    request: TranslationRequest,
    work: Sequence[_Work],
    ends: Sequence[int],
    found: Sequence[list[TranslatedSentence]],
) -> list[TranslatedText]:
    texts = []
    for (source, model, detected), begin, end in zip(work, [0, *ends], ends, strict=False):
        sentences = tuple(one for part in found[begin:end] for one in part)
        text, places = source.joined([one.text for one in sentences], model.target)
        texts.append(
            TranslatedText(
                source, sentences, text, tuple(places), model, detected, request.alternatives
            )
        )
    return texts


def _plain(code: str) -> str:
    return code.lower().replace("_", "-")


def _base(code: str) -> str:
    """Raises UnknownLanguage for something that is no language code."""
    try:
        return base_language(code)
    except Error:
        raise UnknownLanguage(f"{code[:20]} is not supported") from None
