"""Which words the edits of TER keep."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from demotic.metrics import References, Ter, TerOptions

WORDS = st.lists(st.sampled_from("abcde"), max_size=9)


def kept(text: str, *references: str) -> str:
    """The text with its kept words in upper case."""
    ter = Ter(References.from_sentences([references]), TerOptions(case_sensitive=True))
    marks = ter.kept_words([text])[0]
    pairs = zip(text.split(), marks, strict=True)
    return " ".join(word.upper() if mark else word for word, mark in pairs)


def test_edits() -> None:
    assert kept("a b c", "a b c") == "A B C"
    assert kept("a x c", "a b c") == "A x C"  # substituted
    assert kept("a x b c", "a b c") == "A x B C"  # deleted
    assert kept("a c", "a b c") == "A C"  # inserted
    assert kept("a b c d e", "d e a b c") == "A B C D E"  # shifted
    assert kept("x a b c d e", "d e a b c") == "x A B C D E"
    assert kept("a a", "a") in ("A a", "a A")
    assert kept("", "a") == ""
    assert kept("a", "") == "a"


def test_the_reference_with_the_fewest_edits_counts() -> None:
    assert kept("a b c", "x y z", "a b d") == "A B c"


def test_several_texts() -> None:
    ter = Ter(References.from_streams([["a b", "", "c"]]), TerOptions(case_sensitive=True))
    assert [marks.tolist() for marks in ter.kept_words(["a x", "", "c"])] == [
        [True, False],
        [],
        [True],
    ]


@given(WORDS, WORDS)
def test_kept_words_are_in_the_reference(words: list[str], reference: list[str]) -> None:
    """With as many edits as TER counts: wrong words, missing words and shifts."""
    references = References.from_sentences([[" ".join(reference)]])
    ter = Ter(references, TerOptions(case_sensitive=True))
    marks = ter.kept_words([" ".join(words)])[0].tolist()
    right = Counter(word for word, mark in zip(words, marks, strict=True) if mark)
    assert right <= Counter(reference)
    edits = int(ter.statistics([" ".join(words)])[0, 0])
    wrong, missing = len(words) - right.total(), len(reference) - right.total()
    assert max(wrong, missing) <= edits
    if sorted(words) == sorted(reference) and edits == 0:
        assert all(marks)
