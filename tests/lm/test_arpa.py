"""ARPA files: what is refused, with its line, and which habits of other tools are accepted."""

from __future__ import annotations

import gzip
import math

import pytest

from demotic import FormatError, IoError
from demotic.lm import LanguageModel

GOOD = """\

\\data\\
ngram 1=5
ngram 2=3
ngram 3=1

\\1-grams:
-1.5\t<unk>
-99\t<s>\t-0.5
-0.7\t</s>
-0.4\ta\t-0.3
-0.9\tb\t-0.1

\\2-grams:
-0.2\t<s> a\t-0.25
-0.3\ta b\t-0.15
-0.6\tb </s>

\\3-grams:
-0.1\t<s> a b

\\end\\
"""


def load(tmp_path, text: str, **options: bool) -> LanguageModel:
    path = tmp_path / "model.arpa"
    path.write_text(text, encoding="utf-8")
    return LanguageModel.load(path, **options)


def log10(model: LanguageModel, sentence: str, **options: bool) -> float:
    return model.score(sentence, **options) / math.log(10)


def test_the_good_file(tmp_path):
    model = load(tmp_path, GOOD)
    assert model.counts == (5, 3, 1)
    assert log10(model, "a b") == pytest.approx(-0.2 - 0.1 - 0.15 - 0.6, abs=1e-6)
    assert log10(model, "b zzz") == pytest.approx(-0.5 - 0.9 - 0.1 - 1.5 - 0.7, abs=1e-6)


# what is changed, into what, in which line, and the words of the message
FAULTS = [
    ("\n\\data\\", "\n\\date\\", 2, r"\\data\\"),
    ("ngram 1=5", "ngram 1:5", 3, "ngram N=COUNT"),
    ("ngram 1=5", "ngram 1=-5", 3, "ngram N=COUNT"),
    ("ngram 2=3", "ngram 3=3", 4, "counts of 3-grams; expected those of 2-grams"),
    ("\\2-grams:", "\\3-grams:", 14, r"'\\3-grams:'; expected \\2-grams:"),
    ("ngram 1=5", "ngram 1=6", 13, "1 1-grams fewer than announced; expected 6"),
    ("ngram 1=5", "ngram 1=4", 12, "expected .2-grams.* more than 'ngram 1=' announced"),
    ("ngram 3=1", "ngram 3=0", 20, "expected .end"),
    ("ngram 3=1", "ngram 3=99999999999", 5, "at most 4294967294"),
    ("-0.4\ta", "0.4\ta", 11, "positive log10 probability 0.4"),
    ("-0.4\ta", "nan\ta", 11, "the probability 'nan'; expected a finite number"),
    ("-0.4\ta", "-inf\ta", 11, "the probability '-inf'"),
    ("-0.4\ta", "-0.4x\ta", 11, "the probability '-0.4x'"),
    ("-0.4\ta", "-0.4 a", 11, "the probability '-0.4 a'"),
    ("-0.4\ta\t-0.3", "-0.4 a", 11, "no tab after the probability"),
    ("a\t-0.3", "a\tnan", 11, "the backoff 'nan'"),
    ("a\t-0.3", "a\t", 11, "the backoff ''"),
    ("a\t-0.3", "\t-0.3", 11, "expected one word"),
    ("a\t-0.3", "a c\t-0.3", 11, "expected one word"),
    ("-0.9\tb", "-0.9\ta", 12, "the word 'a' a second time"),
    ("-0.3\ta b", "-0.3\ta", 16, "1 words; expected 2"),
    ("-0.3\ta b", "-0.3\ta b a", 16, "3 words; expected 2"),
    ("-0.3\ta b", "-0.3\ta c", 16, "the word 'c'; expected a word of the 1-grams"),
    ("-0.3\ta b", "-0.3\t<s> a", 16, "the n-gram '<s> a' a second time"),
    ("-0.1\t<s> a b", "-0.1\t<s> b b", 20, "its first 2 words among the 2-grams"),
    ("-0.1\t<s> a b", "-0.1\t<s> a b\t-0.5", 20, "a backoff for an n-gram of the highest order"),
    ("\\end\\\n", "\\end\\\nmore\n", 23, r"'more' after \\end"),
    ("\\end\\\n", "", 21, r"the end of the file; expected \\end"),
    ("-99\t<s>\t-0.5", "-99\t<S>\t-0.5", 12, "no <s> among the 1-grams"),
    ("-0.7\t</s>", "-0.7\t</S>", 12, "no </s> among the 1-grams"),
]


@pytest.mark.parametrize(("old", "new", "line", "message"), FAULTS)
def test_faults_are_refused_with_their_line(tmp_path, old, new, line, message):
    assert GOOD.count(old) >= 1
    with pytest.raises(FormatError, match=message) as caught:
        load(tmp_path, GOOD.replace(old, new, 1))
    assert caught.value.line == line
    assert caught.value.path.endswith("model.arpa")


def test_word_that_is_not_utf8(tmp_path):
    path = tmp_path / "model.arpa"
    path.write_bytes(GOOD.encode().replace(b"-0.9\tb", b"-0.9\t\xff"))
    with pytest.raises(FormatError, match="not UTF-8") as caught:
        LanguageModel.load(path)
    assert caught.value.line == 12


def test_a_line_without_end(tmp_path):
    with pytest.raises(FormatError, match="more than 16 MB"):
        load(tmp_path, "x" * (1 << 24) + "x")


@pytest.mark.parametrize("text", ["", "\n\n", "hello\n"])
def test_something_else(tmp_path, text):
    with pytest.raises(FormatError):
        load(tmp_path, text)


HABITS = {
    "no blank line first": (GOOD.lstrip("\n"), {}),
    "carriage returns": (GOOD.replace("\n", "\r\n"), {}),
    "spaces in counts": (GOOD.replace("ngram 1=5", "ngram  1=   5"), {}),
    "more blank lines": (GOOD.replace("\n\n", "\n\n\n"), {}),
    "zero backoff at the top": (GOOD.replace("<s> a b\n", "<s> a b\t0\n"), {}),
    "capital unknown": (GOOD.replace("<unk>", "<UNK>"), {}),
    "no line end at the end": (GOOD.rstrip("\n"), {}),
    "byte order mark": ("\ufeff" + GOOD.lstrip("\n"), {}),
}


@pytest.mark.parametrize("habit", HABITS)
def test_habits_are_taken(tmp_path, habit):
    text, options = HABITS[habit]
    model = load(tmp_path, text, **options)
    (tmp_path / "plain").mkdir()
    plain = load(tmp_path / "plain", GOOD)
    for sentence in ("a b", "b zzz a", ""):
        assert model.score(sentence) == plain.score(sentence)


def test_unusual_space_is_part_of_a_word(tmp_path):
    model = load(
        tmp_path,
        GOOD.replace("-0.9\tb", "-0.9\t\u00a0")
        .replace("a b", "a \u00a0")
        .replace("b </s>", "\u00a0 </s>"),
    )
    assert "\u00a0" in model.vocabulary


def test_missing_unknown_gets_the_default_of_kenlm(tmp_path):
    model = load(tmp_path, GOOD.replace("-1.5\t<unk>\n", "").replace("1=5", "1=4"))
    assert model.counts[0] == 5
    assert log10(model, "zzz", begin=False, end=False) == pytest.approx(-100)


def test_missing_marks_may_be_allowed(tmp_path):
    text = GOOD.replace("</s>", "</S>")
    model = load(tmp_path, text, marks_may_miss=True)
    assert log10(model, "", begin=False) == pytest.approx(-1.5)


def test_missing_suffixes_are_filled_in(tmp_path):
    """What pruned models of SRILM look like: 'a b' is gone, '<s> a b' has stayed."""
    text = GOOD.replace("-0.3\ta b\t-0.15\n", "").replace("2=3", "2=2")
    model = load(tmp_path, text)
    assert model.counts == (5, 3, 1)
    assert log10(model, "a b", end=False) == pytest.approx(-0.2 - 0.1, abs=1e-6)
    # a b by backing off: -0.3 - 0.9
    assert log10(model, "a b", begin=False, end=False) == pytest.approx(-0.4 - 1.2, abs=1e-6)


def test_compressed_files(tmp_path):
    path = tmp_path / "model.arpa.gz"
    path.write_bytes(gzip.compress(GOOD.encode()))
    assert LanguageModel.load(path).counts == (5, 3, 1)
    path.write_bytes(gzip.compress(GOOD.encode())[:-20])
    with pytest.raises(FormatError, match="truncated"):
        LanguageModel.load(path)


def test_binary_files_of_kenlm_are_recognised(tmp_path):
    path = tmp_path / "model.binary"
    path.write_bytes(b"mmap lm http://kheafield.com/code format version 5\n\0" + bytes(100))
    with pytest.raises(FormatError, match="convert it from ARPA"):
        LanguageModel.load(path)


def test_missing_file(tmp_path):
    with pytest.raises(IoError, match="cannot be opened"):
        LanguageModel.load(tmp_path / "nothing")


def test_numbers_survive_writing(tmp_path):
    text = GOOD.replace("-0.4\ta\t-0.3", "-0.40000001\ta\t1.1754944e-38")
    load(tmp_path, text).save(tmp_path / "again.arpa")
    again = (tmp_path / "again.arpa").read_text()
    assert "-0.4\ta\t1.1754944e-38" in again
    assert LanguageModel.load(tmp_path / "again.arpa").counts == (5, 3, 1)
