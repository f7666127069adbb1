"""The service without HTTP: models by pair, limits, detection, the model's translations."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from demotic.errors import Error, ModelError
from demotic.model import Model
from demotic.serve.jobs import Check
from demotic.serve.options import ServeOptions
from demotic.serve.refusals import BadRequest, NotSupported, TooLarge, UnknownLanguage, UnknownPair
from demotic.serve.served_model import ServedModel
from demotic.serve.service import TranslatedText, TranslationRequest, TranslationService
from demotic.serve.views import explanation
from tests.search.small_models import pairs

SENTENCE = "Heute sehe ich das Haus."
TRANSLATION = "I see the house today."


def translated(service: TranslationService, *texts: str, **fields: object) -> list[TranslatedText]:
    request = TranslationRequest(texts=texts, **{"source": "de", "target": "en", **fields})  # type: ignore[arg-type]
    return service.translate(request).future.result(20)


def test_translations_are_those_of_the_model(service: TranslationService) -> None:
    lines = [source for source, _ in pairs()]
    found = translated(service, *lines)
    assert [one.text for one in found] == service.default.model.translate(lines)


def test_paragraphs_are_split_and_line_breaks_kept(service: TranslationService) -> None:
    (found,) = translated(service, f"{SENTENCE} {SENTENCE}\n\n{SENTENCE}\n")
    assert found.text == f"{TRANSLATION} {TRANSLATION}\n\n{TRANSLATION}\n"
    assert [found.text[begin:end] for begin, end in found.places] == [TRANSLATION] * 3


def test_long_answers_are_made_where_they_delay_nobody(service: TranslationService) -> None:
    """On a thread that translates, and not on the one that handles all requests."""

    def make(found: list[TranslatedText]) -> tuple[str, str]:
        return threading.current_thread().name, found[0].text

    for fields in ({"details": True}, {"format": "html"}):
        request = TranslationRequest(texts=[SENTENCE], source="de", target="en", **fields)  # type: ignore[arg-type]
        thread, text = service.translate(request, make).future.result(20)
        assert thread.startswith("translate-")
        assert text == TRANSLATION


def test_empty_texts(service: TranslationService) -> None:
    assert [one.text for one in translated(service, "", " \n", "\0")] == ["", " \n", ""]
    assert translated(service) == []


def test_alternatives_are_distinct_and_not_the_best(service: TranslationService) -> None:
    (found,) = translated(service, f"{SENTENCE}\n{SENTENCE}", alternatives=3)
    assert found.text == f"{TRANSLATION}\n{TRANSLATION}"
    assert 1 <= len(found.alternatives) <= 3
    assert len({found.text, *found.alternatives}) == 1 + len(found.alternatives)


@pytest.mark.parametrize(
    ("source", "target"),
    [("de", "en"), ("DE", "EN"), ("deu", "eng"), ("de-AT", "en_US"), ("", ""), ("de", "")],
)
def test_codes_of_languages(service: TranslationService, source: str, target: str) -> None:
    assert service.model(source, target) is service.default


def test_unknown_languages_and_pairs(service: TranslationService) -> None:
    with pytest.raises(UnknownLanguage, match=r"^xx is not supported$"):
        service.model("xx", "en")
    with pytest.raises(UnknownLanguage, match=r"^sv is not supported$"):
        service.model("de", "sv")
    with pytest.raises(UnknownPair, match="no model translates from de into fr"):
        service.model("de", "fr")
    with pytest.raises(UnknownLanguage):
        service.model("../../etc/passwd", "en")


def test_two_models_of_a_pair_are_refused(models: list[ServedModel]) -> None:
    with pytest.raises(Error, match="two models for de-en"):
        TranslationService([models[0], models[0]], ServeOptions())


def test_a_model_without_languages_is_asked_for_them(models: list[ServedModel]) -> None:
    from dataclasses import replace

    model = models[0].model
    nameless = replace(model, info=replace(model.info, source_language="", target_language=""))
    with pytest.raises(
        ModelError, match=r"source_language and target_language.*serve it as de-en="
    ):
        ServedModel(nameless)
    assert ServedModel(nameless, "de", "pt-BR").target == "pt-BR"
    named = ServedModel.load(f"de:pt-BR={model.path}")
    assert (named.source, named.target) == ("de", "pt-BR")


@pytest.fixture
def five_sentences(models: list[ServedModel]) -> Iterator[TranslationService]:
    made = TranslationService(models, ServeOptions(max_sentences=5))
    yield made
    made.scheduler.close()


def test_limits(service: TranslationService, five_sentences: TranslationService) -> None:
    with pytest.raises(TooLarge, match="2001 characters"):
        translated(service, "a" * 2001)
    with pytest.raises(TooLarge, match="texts in one request"):
        translated(service, *["a"] * 501)
    with pytest.raises(TooLarge, match="sentences in one request"):
        translated(service, "a\n" * 600)
    for form, block in (("html", "<p>a</p>"), ("html", "<p>A b.</p>\n"), ("html", "A b. ")):
        (found,) = translated(five_sentences, block * 5, format=form)
        assert len(found.text) >= 5
        with pytest.raises(TooLarge, match="6 sentences in one request; this server allows 5"):
            translated(five_sentences, block * 4, block * 2, format=form)
    with pytest.raises(BadRequest, match="21 alternatives"):
        translated(service, "a", alternatives=21)
    with pytest.raises(NotSupported, match="markup"):
        translated(service, "a", format="html", details=True)


def test_detection(service: TranslationService) -> None:
    (found,) = translated(service, SENTENCE, source="auto")
    assert found.detected is not None
    assert found.detected.language == "de"
    assert service.detect("zzz qqq")[0].confidence == 0
    with pytest.raises(UnknownLanguage):
        translated(service, SENTENCE, source="auto", target="sv")


def test_details_agree_with_the_text(service: TranslationService) -> None:
    (found,) = translated(service, SENTENCE, details=True)
    best = found.sentences[0].candidates[0]
    assert best.text == TRANSLATION
    assert sorted(i for phrase in best.phrases for i in range(*phrase.target)) == list(
        range(len(best.tokens))
    )
    assert all(i < len(found.sentences[0].source_tokens) for i, _ in best.links)


def test_a_view_of_a_long_sentence_is_refused(service: TranslationService) -> None:
    with pytest.raises(TooLarge, match="at most 80"):
        explanation(service.default, {"text": "a " * 81}, Check())
    with pytest.raises(BadRequest, match="empty"):
        explanation(service.default, {"text": " "}, Check())


@pytest.mark.parametrize("rule", ["mbr", "consensus"])
def test_the_decision_of_the_model(phrase_home: Path, tmp_path: Path, rule: str) -> None:
    """A server answers as `translate` does, also for models that choose otherwise."""
    settings: dict[str, bool | int | float | str] = {"decision": rule, "decision_scale": 0.2}
    model = Model.load(phrase_home).derive(tmp_path / "own", search=settings)
    served = ServedModel(model)
    lines = [source for source, _ in pairs()][:20]
    expected = model.translate(lines)
    assert [one.text for one in served.translate(lines, Check())] == expected
    for details, nbest in ((True, 1), (True, 4)):
        found = served.translate(lines, Check(), details=details, nbest=nbest)
        assert [one.text for one in found] == expected
        for one in found:
            texts = [candidate.candidate.words for candidate in one.candidates]
            assert len(set(texts)) == len(texts) <= nbest
