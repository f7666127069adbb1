from __future__ import annotations

from demotic.documents.document import Languages
from demotic.documents.marked import spaced_as
from demotic.documents.placeholders import with_codes
from demotic.documents.segment import Piece, Segment, Tag
from demotic.documents.sentences import split_segment
from demotic.documents.translate import DocumentTranslator


def split(text: str) -> list[str]:
    segment = Segment(with_codes(text), lambda _: [], spaced=True)
    shown = [
        "".join(piece if isinstance(piece, str) else str(piece.code) for piece in part)
        for part in split_segment(segment, "en")
    ]
    assert "".join(shown) == text
    return shown


def test_tags_are_not_cut() -> None:
    assert split("<b>Aa. Bb.</b> Cc.") == ["<b>", "Aa.", " ", "Bb.", "</b> ", "Cc."]
    assert split("Aa <b>bb. Cc</b> dd. Ee") == ["Aa <b>bb. Cc</b> dd.", " ", "Ee"]
    assert split("Aa.<br/> Bb") == ["Aa.", "<br/> ", "Bb"]
    assert split("<b>Aa</b> bb") == ["<b>Aa</b> bb"]
    assert split("<b></b>Aa<i></i> ") == ["<b></b>", "Aa", "<i></i> "]
    assert split("Aa\n\nBb\n") == ["Aa", "\n\n", "Bb", "\n"]


def joined(text: str, target: str) -> str:
    translator = DocumentTranslator(list, Languages("", target))
    data = f'msgid "{text}"\nmsgstr ""\n'.encode()
    made = translator.translate(data, "po").data.decode()
    return made.rpartition('msgstr "')[2][:-2]


def test_spaces_between_sentences_are_those_of_the_target() -> None:
    assert joined("你好。再见。", "en") == "你好。 再见。"
    assert joined("Hello. Bye.", "zh") == "Hello.Bye."
    assert joined("你好。再见。", "ja") == "你好。再见。"
    assert joined("Hello.  Bye. ", "en") == "Hello.  Bye. "


def test_empty_tags_stay_separate_from_words() -> None:
    one, other = Tag("empty", "<img>"), Tag("empty", "<br>")
    source: list[Piece] = ["a ", one, ". b", other, " c"]
    assert spaced_as(source, ["x", one, ". y", other, "z"]) == ["x ", one, ". y", other, " z"]
    assert spaced_as(source, [one, "x", other]) == [one, "x", other]
    between: list[Piece] = [one, " a ", other]
    assert spaced_as(between, [one, "x", other]) == [one, " x ", other]
    assert spaced_as(["a", one, "b"], ["x", one, "y"]) == ["x", one, "y"]
