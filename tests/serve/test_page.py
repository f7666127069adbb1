"""The page in a real browser: every view, keyboard only, a phone, dark, right to left, keys.

Needs the group `browser` (playwright) and the system's chromium; skipped without them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from demotic.confidence import calibrate
from demotic.metrics import References
from demotic.model import Model
from demotic.serve.options import ServeOptions
from demotic.serve.served_model import ServedModel
from demotic.serve.service import TranslationService
from tests.browser import launched, needs_chromium
from tests.search import small_models
from tests.serve.running import Running, running
from tests.serve.test_service import SENTENCE, TRANSLATION

pytestmark = needs_chromium

SIZES = {"laptop": (1280, 860), "tablet": (800, 1000), "phone": (360, 740)}
VIEWS = ["why", "search", "forest", "violations"]
NewPage = Callable[..., AbstractContextManager[Any]]


@pytest.fixture(scope="module")
def service(models: list[ServedModel]) -> Iterator[TranslationService]:
    hebrew = ServedModel(models[0].model, "ar", "he")  # for the direction of writing only
    made = TranslationService([*models, hebrew], ServeOptions(), threads=2)
    yield made
    made.scheduler.close()


@pytest.fixture(scope="module")
def server(service: TranslationService) -> Iterator[Running]:
    with running(service) as made:
        yield made


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with launched() as made:
        yield made


@pytest.fixture(scope="module")
def marking(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A calibrated model with a glossary, which is unsure about "Kind", and one without either."""
    folder = tmp_path_factory.mktemp("marking")
    known = small_models.pairs()
    with pytest.MonkeyPatch.context() as patch:
        two = [(source, target.replace("child", "kid")) for source, target in known]
        patch.setattr(small_models, "pairs", lambda: known + two)
        model = small_models.prepared_model(folder)
    (model.path / "glossary.tsv").write_text("Haus\tcottage\n")
    source = [model.raw_text.prepared(text) for text, _ in known]
    right = [text.replace("child", "toddler") for _, text in known]
    references = References.from_streams([list(map(model.raw_text.prepared_reference, right))])
    model = calibrate(model, source, references).attach(model)
    info = replace(model.info, parts=replace(model.info.parts, glossary="glossary.tsv"))
    first = ServedModel(Model.create(model.path, info, model.weights), "de", "en")
    second = ServedModel(small_models.prepared_model(folder / "second", "hiero"), "de", "fr")
    hebrew = ServedModel(first.model, "ar", "he")
    service = TranslationService([first, second, hebrew], ServeOptions(), threads=2)
    with running(service) as made:
        yield made
    service.scheduler.close()


@pytest.fixture
def page(browser: Any, server: Running) -> NewPage:
    """Opens the page; at the end there must have been no error in the console."""

    @contextmanager
    def opened(
        view: str = "", size: str = "laptop", at: Running = server, **settings: Any
    ) -> Iterator[Any]:
        width, height = SIZES[size]
        made = browser.new_page(viewport={"width": width, "height": height}, **settings)
        made.set_default_timeout(20_000)
        problems: list[str] = []

        def heard(one: Any) -> None:
            if one.type in ("error", "warning"):
                problems.append(one.text)

        made.on("console", heard)
        made.on("pageerror", lambda one: problems.append(str(one)))
        made.goto(f"{at.url}/#{view}")
        made.wait_for_selector("#pair option", state="attached")
        yield made
        wide = made.evaluate("document.documentElement.scrollWidth")
        assert wide <= width, f"{view} is {wide} pixels wide"
        made.close()
        assert problems == []

    return opened


def text_of(page: Any) -> str:
    text: str = page.locator(".reading").inner_text()
    return text


def type_text(page: Any, text: str = SENTENCE) -> None:
    page.fill("textarea", text)
    page.wait_for_function("() => document.querySelector('.reading:not(.stale) .token')")


def show(page: Any, sentence: str = SENTENCE, reference: str = TRANSLATION) -> None:
    page.fill("#sentence", sentence)
    if page.is_visible("#reference"):  # not in the view of the forest
        page.fill("#reference", reference)
    page.click("#show")
    page.wait_for_selector("main:not([aria-busy]) svg")


@pytest.mark.parametrize("size", SIZES)
def test_translate(page: NewPage, size: str) -> None:
    with page(size=size) as one:
        # All views can be chosen without scrolling.
        assert (
            one.evaluate(
                "(nav => nav.scrollWidth - nav.clientWidth)(document.querySelector('nav'))"
            )
            <= 0
        )
        type_text(one, f"{SENTENCE} Das Haus ist Zzz.\n\n{SENTENCE}")
        assert text_of(one).startswith(TRANSLATION)
        assert text_of(one).endswith(f"\n\n{TRANSLATION}")
        assert one.locator(".reading .token.copied").all_inner_texts() in (["Zzz"], ["zzz"])
        assert "3 sentences" in one.locator(".pane-foot").nth(1).inner_text()


def test_links_in_both_directions(page: NewPage) -> None:
    with page() as one:
        type_text(one)
        one.hover(".token:has-text('today')")
        assert one.locator(".behind mark").all_inner_texts() == ["Heute"]
        one.focus("textarea")
        one.keyboard.press("Control+Home")
        one.keyboard.press("ArrowRight")
        assert one.locator(".token.linked").all_inner_texts() == ["today"]
        one.fill("textarea", "")
        one.wait_for_function("() => !document.querySelector('.reading .token')")


@pytest.mark.parametrize("size", ["laptop", "phone"])
@pytest.mark.parametrize("pair", ["German → English", "Arabic → Hebrew"])
def test_words_are_marked(page: NewPage, marking: Running, pair: str, size: str) -> None:
    with page(size=size, at=marking) as one:
        one.select_option("#pair", label=pair)
        type_text(one, "Das Haus ist Zzz. Ich sehe das <b>Kind</b> {Buch}.")
        assert text_of(one).startswith("The cottage is")
        assert text_of(one).endswith("{Buch}.")

        def marked(kind: str) -> list[str]:
            words: list[str] = one.locator(f".reading .token.{kind}").all_inner_texts()
            return words

        assert marked("term") == ["cottage"]
        assert marked("copied") == ["zzz"]
        assert marked("unsure") in (["child"], ["kid"])
        title = one.locator(".reading .unsure").get_attribute("title")
        assert re.fullmatch(r"\d+ % likely to be correct", title)
        look = "(name) => getComputedStyle(document.querySelector(name)).textDecoration"
        kinds = (".sentence", ".term", ".copied", ".unsure")
        assert len({one.evaluate(look, f".reading {kind}") for kind in kinds}) == len(kinds)


def test_copy(page: NewPage, marking: Running) -> None:
    allowed = {"permissions": ["clipboard-read", "clipboard-write"]}
    with page(at=marking, **allowed) as one:
        assert not one.is_visible("button:has-text('Copy')")
        type_text(one, "Das Haus ist alt.\nIch sehe das Buch.")
        one.click("button:has-text('Copy')")
        one.wait_for_selector("button:has-text('Copied')")
        copied = one.evaluate("() => navigator.clipboard.readText()")
        assert copied == "The cottage is old.\nI see the book."
        one.wait_for_selector("button:text-is('Copy')")  # a moment later


def test_text_is_marked_where_it_cannot_be_copied(page: NewPage) -> None:
    with page() as one:
        type_text(one)
        one.evaluate("() => { navigator.clipboard.writeText = () => Promise.reject(new Error()); }")
        one.click("button:has-text('Copy')")
        one.wait_for_selector("#message:has-text('Ctrl-C')")
        assert one.evaluate("() => String(getSelection())") == TRANSLATION


def test_two_models_side_by_side(page: NewPage, marking: Running) -> None:
    with page("search", at=marking) as one:
        choices = one.locator("#settings select option").all_inner_texts()
        assert [name.split(" (")[0] for name in choices] == [
            "German → English",
            "German → French",
        ]
        one.select_option("#settings select", index=1)
        one.fill("#settings input >> nth=1", "30")
        show(one, "Ich sehe das Haus.", "I see the cottage.")
        assert one.locator(".compare h2").all_inner_texts() == [
            "German → English, beam 200",
            "German → French, beam 30",
        ]
        found = one.locator(".compare .verdict bdi")
        assert "cottage" in found.nth(0).inner_text()
        assert "house" in found.nth(1).inner_text()
        languages = [found.nth(i).get_attribute("lang") for i in range(2)]
        assert languages == ["en", "fr"]
        assert one.locator(".compare svg").count() == 2


def test_alternatives_by_click(page: NewPage) -> None:
    with page() as one:
        type_text(one, f"{SENTENCE}\n{SENTENCE}")
        one.click(".sentence >> nth=1")
        one.wait_for_selector(".other")
        other = one.locator(".other").nth(1)
        wanted = other.get_attribute("data-text")
        other.click()
        assert text_of(one) == f"{TRANSLATION}\n{wanted}"
        one.click("text=Why this one?")
        one.wait_for_selector("main svg")  # the view changes after the click has ended
        assert one.input_value("#sentence") == SENTENCE


def test_the_keyboard_is_enough(page: NewPage) -> None:
    with page() as one:
        one.wait_for_selector("textarea:focus")
        one.keyboard.type(SENTENCE)
        one.wait_for_function("() => document.querySelector('.reading:not(.stale) .token')")
        one.focus(".reading")
        for _ in range(3):
            one.keyboard.press("ArrowRight")
        assert one.locator(".token:focus").inner_text() == "the"
        assert one.locator(".behind mark").all_inner_texts() == ["das"]
        one.keyboard.press("ArrowLeft")
        one.keyboard.press("Enter")
        one.wait_for_selector(".other")
        one.focus("nav a >> nth=2")
        one.keyboard.press("Enter")
        one.wait_for_selector("#reference")
        one.focus("#reference")
        one.keyboard.type(TRANSLATION)
        one.keyboard.press("Enter")
        one.wait_for_selector("main:not([aria-busy]) svg .agrees", state="attached")
        one.focus("input[type=range]")
        one.keyboard.press("ArrowRight")
        assert one.locator(".bin.chosen").get_attribute("data-bin") == "1"
        one.focus(".bin >> nth=3")
        one.keyboard.press("Enter")
        assert one.locator(".bin.chosen").get_attribute("data-bin") == "3"


@pytest.mark.parametrize(
    ("pair", "size"),
    [
        ("0", "laptop"),
        ("1", "phone"),
        pytest.param("0", "phone", marks=pytest.mark.long),
        pytest.param("0", "tablet", marks=pytest.mark.long),
        pytest.param("1", "laptop", marks=pytest.mark.long),
        pytest.param("1", "tablet", marks=pytest.mark.long),
    ],
)
@pytest.mark.parametrize("view", VIEWS)
def test_views(page: NewPage, view: str, pair: str, size: str) -> None:
    with page(view, size) as one:
        one.select_option("#pair", pair)
        show(one)
        assert one.locator("nav a[aria-current]").inner_text().lower() == view
        assert one.locator("main svg").count() >= 1
        assert one.locator("main [style*=width]").count() >= (view == "why")


@pytest.mark.parametrize("view", VIEWS)
def test_views_by_keyboard_alone(page: NewPage, view: str) -> None:
    """From the address bar on: links, fields and controls are reached by the tabulator key."""
    with page() as one:
        one.wait_for_selector("textarea:focus")
        press_until(one, "Shift+Tab", f"nav a[href='#{view}']")
        one.keyboard.press("Enter")
        press_until(one, "Tab", "#sentence")
        one.keyboard.type(SENTENCE)
        if view != "forest":
            press_until(one, "Tab", "#reference")
            one.keyboard.type(TRANSLATION)
        one.keyboard.press("Enter")
        one.wait_for_selector("main:not([aria-busy]) svg")
        inside = {
            "why": "summary",
            "search": "input[type=range]",
            "forest": "button[title^=Larger]",
        }
        if view in inside:
            press_until(one, "Tab", f"main {inside[view]}")
            one.keyboard.press("ArrowRight" if view == "search" else "Enter")
        if view == "search":
            assert one.locator(".bin.chosen").get_attribute("data-bin") == "1"


def press_until(page: Any, key: str, wanted: str) -> None:
    """Moves the focus until it is on an element, which shows it."""
    for _ in range(60):
        if page.locator(f"{wanted}:focus").count():
            shown = "() => getComputedStyle(document.activeElement).outlineStyle"
            assert page.evaluate(shown) != "none", f"{wanted} does not show its focus"
            return
        page.keyboard.press(key)
    raise AssertionError(f"{wanted} is not reached by {key}")


@pytest.mark.parametrize("size", ["laptop", "phone"])
@pytest.mark.parametrize("view", VIEWS)
def test_views_right_to_left(page: NewPage, view: str, size: str) -> None:
    with page(view, size) as one:
        one.select_option("#pair", label="Arabic → Hebrew")
        direction = "(name) => getComputedStyle(document.querySelector(name)).direction"
        for field in ("#sentence", "#reference"):
            assert one.evaluate(direction, field) == "rtl"
        one.fill("#sentence", "שלום עולם heute")
        if view != "forest":
            one.fill("#reference", "שלום עולם")
        one.click("#show")
        if view == "violations":  # nothing to draw: the reference is not reachable
            one.wait_for_selector("main:not([aria-busy]) .verdict")
        else:
            one.wait_for_selector("main:not([aria-busy]) svg")
            assert one.evaluate(direction, "main svg") == "ltr"  # drawings are read as they are


def test_sections_of_why(page: NewPage) -> None:
    with page("why") as one:
        one.select_option("#settings select", "3")
        show(one)
        headings = one.locator("main h2").all_inner_texts()
        assert headings == [
            "How it was put together",
            "Why it won",
            "What nearly won",
            "The reference",
            "Where the rules come from",
            "The search, bin by bin",
            "Details",
        ]
        assert one.locator("details[open] summary").inner_text() == "Links between words"


def test_two_beams_side_by_side(page: NewPage) -> None:
    with page("search") as one:
        one.fill("#settings input >> nth=1", "1")
        show(one)
        assert one.locator(".compare > section").count() == 2
        assert one.locator(".compare h2").all_inner_texts() == [
            "German → English, beam 200",
            "German → English, beam 1",
        ]
        one.locator("input[type=range]").first.fill("2")
        assert one.locator(".slider output").first.inner_text() == "3 covered"


def test_zoom_of_the_forest(page: NewPage) -> None:
    with page("forest") as one:
        show(one)
        width = "() => document.querySelector('main svg').width.baseVal.value"
        before = one.evaluate(width)
        one.click("button[title^=Larger]")
        assert one.evaluate(width) == pytest.approx(1.25 * before)
        one.click("text=1:1")
        assert one.evaluate(width) == before
        one.locator("main svg .hit").first.focus()
        assert "posterior" in one.locator("main .tools output").inner_text()


def test_violations_need_a_reference(page: NewPage) -> None:
    with page("violations") as one:
        one.fill("#sentence", SENTENCE)
        one.click("#show")
        one.wait_for_selector("main [role=alert]")
        assert "reference" in one.locator("main [role=alert]").inner_text()
        one.fill("#reference", "something else entirely")
        one.click("#show")
        one.wait_for_selector("main .verdict:has-text('not reachable')")


def test_dark(page: NewPage) -> None:
    colour = "() => getComputedStyle(document.body).backgroundColor"
    seen = set()
    for scheme in ("light", "dark"):
        with page(color_scheme=scheme) as one:
            seen.add(one.evaluate(colour))
    assert len(seen) == 2


@pytest.mark.parametrize("size", ["laptop", "phone"])
def test_right_to_left(page: NewPage, size: str) -> None:
    with page(size=size) as one:
        one.select_option("#pair", label="Arabic → Hebrew")
        direction = "(name) => getComputedStyle(document.querySelector(name)).direction"
        assert one.evaluate(direction, "textarea") == "rtl"
        type_text(one, "שלום עולם")
        assert one.evaluate(direction, "textarea") == "rtl"
        assert one.evaluate(direction, ".reading") == "rtl"
        one.focus(".reading")
        one.keyboard.press("ArrowLeft")
        assert one.locator(".token:focus").count() == 1


def test_hostile_text_is_only_text(page: NewPage) -> None:
    bad = "<img src=x onerror=document.title='owned'> Haus"
    with page() as one:
        type_text(one, bad)
        for view in ("why", "search", "forest"):
            one.goto(f"{one.url.split('#')[0]}#{view}")
            show(one, bad, bad)
            assert one.locator("main img").count() == 0
        assert one.title() != "owned"


def dropped(one: Any, name: str, content: str) -> None:
    one.evaluate(
        """([name, content]) => {
          const transfer = new DataTransfer();
          transfer.items.add(new File([content], name));
          const event = new DragEvent("drop", { dataTransfer: transfer });
          document.querySelector("main").dispatchEvent(event);
        }""",
        [name, content],
    )


def test_files_are_dropped(page: NewPage, tmp_path: Path) -> None:
    with page() as one:
        dropped(one, "a.txt", f"{SENTENCE}\n{SENTENCE}")
        one.wait_for_function("() => document.querySelector('.reading:not(.stale) .token')")
        assert text_of(one) == f"{TRANSLATION}\n{TRANSLATION}"
        dropped(one, "a.bin", "a\0b")
        one.wait_for_selector("#message:has-text('not a text file')")
        dropped(one, "film.srt", f"1\n00:00:01,000 --> 00:00:02,000\n{SENTENCE}\n")
        link = one.wait_for_selector(".pane-foot a[download='film.en.srt']")
        with one.expect_download() as download:
            link.click()
        download.value.save_as(tmp_path / "film.srt")
    assert TRANSLATION in (tmp_path / "film.srt").read_text("utf-8")


def test_files_are_chosen(page: NewPage, tmp_path: Path) -> None:
    """On a phone, and by keyboard, nothing can be dropped."""
    (tmp_path / "a.txt").write_text(SENTENCE, "utf-8")
    with page(size="phone") as one:
        # The browser is told to hand over the dialog long before the key that opens it: when both
        # arrive together, a busy browser may still answer the dialog by itself.
        with one.expect_file_chooser() as chooser:
            press_until(one, "Tab", "button:has-text('Open file')")
            one.keyboard.press("Enter")
        chooser.value.set_files(tmp_path / "a.txt")
        one.wait_for_function("() => document.querySelector('.reading:not(.stale) .token')")
        assert text_of(one) == TRANSLATION


def test_a_key_is_asked_for(browser: Any, service: TranslationService) -> None:
    with running(service, keys=["sesame"]) as server:
        one = browser.new_page()
        one.goto(server.url)
        one.fill("#key", "sesame")
        one.click("#key-form button")
        type_text(one)
        assert text_of(one) == TRANSLATION
        assert not one.is_visible("#key-form")
        one.close()


def test_a_server_that_has_gone_is_noticed(browser: Any, service: TranslationService) -> None:
    with running(service) as server:
        one = browser.new_page()
        one.goto(server.url)
        type_text(one)
    one.fill("textarea", "Haus")
    one.wait_for_selector(".pane-foot:has-text('does not answer')", timeout=20_000)
    one.close()
