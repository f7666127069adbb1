"""Preparing corpora: what is kept, what is written, and that it can be undone and repeated."""

from __future__ import annotations

import tomllib
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from demotic.errors import Error, FormatError, IoError
from demotic.text.clean import clean
from demotic.text.pairs import Pair
from demotic.text.preparation import MAX_TOKEN_BYTES, Preparation, PrepareOptions
from demotic.text.prepare import prepare, prepare_as, prepare_stream, prepare_text
from demotic.text.readers import read_pairs
from demotic.text.side_learning import SideLearner
from tests.text.test_segment import LEXICON, sentences

BUILTIN = PrepareOptions(tokenizer="builtin", case="lower")
KEEP = PrepareOptions(tokenizer="builtin", case="lower", keep_all=True)

# Anything at all, but more often what rules are about.
PIECES = [
    "a",
    "B",
    "中",
    "ä",
    "\r",
    "\t",
    "\0",
    "\u2028",
    "\u00a0",
    "\ufeff",
    "|||",
    "<s>",
    "]",
    "&",
]
LINE = st.one_of(
    st.text(st.characters(exclude_characters="\n", exclude_categories=["Cs"]), max_size=30),
    st.lists(st.sampled_from([*PIECES, " ", "'s", ".", "\x85", "\x1c", "e\u0301"])).map("".join),
)


def pairs_of(*texts: tuple[str, str]) -> list[Pair]:
    return [Pair(source, target, "f", i) for i, (source, target) in enumerate(texts, 1)]


def lines_in(path: Path) -> list[str]:
    return path.read_bytes().decode().removesuffix("\n").split("\n")


def test_bad_pairs_are_dropped_and_counted(tmp_path: Path) -> None:
    pairs = pairs_of(
        ("Hallo Welt!", "Hello world!"),
        ("", "Nothing"),
        ("\u00a0", "Nothing"),
        ("a " * 12, "b " * 13),
        ("a", "b c d e f"),
        ("Hallo Welt!", "Hello  world!"),
        ("Ja", "Yes"),
    )
    options = PrepareOptions(
        tokenizer="builtin", case="lower", max_length=12, max_ratio=4.0, drop_duplicates=True
    )
    report = prepare(pairs, options, "de", "en", tmp_path)
    assert lines_in(tmp_path / "corpus.de") == ["hallo welt !", "ja"]
    assert lines_in(tmp_path / "corpus.en") == ["hello world !", "yes"]
    assert lines_in(tmp_path / "corpus.origin.tsv") == ["f\t1", "f\t7"]
    assert (report.read, report.kept) == (7, 2)
    assert report.dropped == {"empty": 2, "too long": 1, "ratio": 1, "duplicate": 1}
    assert report.tokens == {"de": 4, "en": 4}


def test_any_name_of_a_file(tmp_path: Path) -> None:
    pairs = [Pair("a", "b", "odd\tname\n\udcff", 1)]
    for case in ("lower", "true"):
        prepare(pairs, PrepareOptions(tokenizer="none", case=case), "de", "en", tmp_path)
        assert lines_in(tmp_path / "corpus.origin.tsv") == ["odd name \ufffd\t1"]


def test_progress_is_told(tmp_path: Path) -> None:
    told: list[tuple[int, int, str]] = []

    def tell(*values: Any) -> None:
        told.append(values)

    prepare(pairs_of(*[("a", "b")] * 250), BUILTIN, "fr", "en", tmp_path, tell)
    assert told == [(100, 0, "reading"), (200, 0, "reading")]
    true = PrepareOptions(tokenizer="builtin")
    prepare(pairs_of(*[("a", "b")] * 250), true, "de", "en", tmp_path, tell)
    assert told[2:] == [*told[:2], (100, 250, "writing"), (200, 250, "writing")]


def test_min_length(tmp_path: Path) -> None:
    options = PrepareOptions(tokenizer="builtin", min_length=2)
    report = prepare(pairs_of(("a", "b c"), ("a b", "c d")), options, "de", "en", tmp_path)
    assert report.dropped == {"too short": 1}


def test_everything_is_kept_if_asked(tmp_path: Path) -> None:
    pairs = pairs_of(("", ""), ("a", "b " * 500), ("a", "b " * 500))
    report = prepare(pairs, KEEP, "de", "en", tmp_path)
    assert report.kept == len(lines_in(tmp_path / "corpus.de")) == 3
    assert lines_in(tmp_path / "corpus.de")[0] == ""


def test_the_choices_are_written_down(tmp_path: Path) -> None:
    prepare(pairs_of(("Ja!", "Yes!")), BUILTIN, "de", "en", tmp_path)
    stored = tomllib.loads((tmp_path / "preparation.toml").read_text())
    assert stored["source"]["language"] == "de"
    assert stored["target"]["tokenizer"] == "builtin"
    assert stored["target"]["version"].startswith("2 (Unicode")
    assert stored["options"]["case"] == "lower"
    assert stored["counts"] == {"read": 1, "kept": 1, "tokens_de": 2, "tokens_en": 2}
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "compounds.de",
        "corpus.de",
        "corpus.en",
        "corpus.origin.tsv",
        "preparation.toml",
    ]


def test_true_case_is_learned_saved_and_used_again(tmp_path: Path) -> None:
    options = PrepareOptions(tokenizer="builtin", case="true")
    pairs = pairs_of(
        ("Das Haus ist das größte.", "The house of Ann is the largest."),
        ("Wo ist Ann?", "Where is Ann?"),
        ("Er sagt: das Haus.", "He says the house."),
    )
    prepare(pairs, options, "de", "en", tmp_path)
    assert lines_in(tmp_path / "corpus.de")[0] == "das Haus ist das größte ."
    assert lines_in(tmp_path / "corpus.en")[0] == "the house of Ann is the largest ."
    again = Preparation.load(tmp_path)
    assert again.source("Das Haus") == "das Haus"
    assert again.target("The Ann") == "the Ann"
    assert again.restore("the house of Ann .") == "The house of Ann."
    # A test set is prepared with what was learned, not with what it would teach.
    prepare_as(pairs_of(("Haus Das", "x The")), again, tmp_path / "dev")
    assert lines_in(tmp_path / "dev" / "corpus.de") == ["Haus Das"]
    assert Preparation.load(tmp_path / "dev").source("Das Haus") == "das Haus"


def test_words_are_learnt_saved_and_used_again(tmp_path: Path) -> None:
    pairs = pairs_of(*((line + "。", "x y z") for line in sentences(400)), ("汤姆" * 12, "x y z"))
    report = prepare(pairs, PrepareOptions(max_ratio=6.0), "zh", "en", tmp_path / "train")
    lines = lines_in(tmp_path / "train" / "corpus.zh")
    assert all(set(line.split()) <= {*LEXICON, "。"} for line in lines)
    assert report.kept == 401  # lengths are counted in words, not in characters
    assert report.tokenizers["zh"].startswith("unigram 2 (Unicode")
    known = Preparation.load(tmp_path / "train")
    prepare_as(pairs_of(("汤姆爱玛丽", "x")), known, tmp_path / "dev")
    assert lines_in(tmp_path / "dev" / "corpus.zh") == ["汤姆 爱 玛丽"]
    assert known.save(tmp_path / "model") == ("truecase.zh", "segmenter.zh", "truecase.en")
    names = ("truecase.zh", "segmenter.zh", "truecase.en")
    for name in names:
        stored = (tmp_path / "train" / name).read_bytes()
        assert (tmp_path / "model" / name).read_bytes() == stored
        assert (tmp_path / "dev" / name).read_bytes() == stored


def test_a_large_corpus_is_sampled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("demotic.text.side_learning.MAX_RUNS", 4)
    side = Preparation.begin(PrepareOptions(), "zh").source_side
    learner = SideLearner(side)
    for i in range(20):
        learner.observe(chr(0x4E00 + i))
    kept = [ord(run) - 0x4E00 for run in learner._runs]
    assert kept == [0, 4, 8, 12, 16]


def test_raw_text_in_raw_text_out() -> None:
    preparation = Preparation.begin(BUILTIN, "de", "en")
    assert preparation.source("Wie geht's [dir] | <s>?") == (
        "wie geht 's &#91; dir &#93; &#124; &lt; s &gt; ?"
    )
    assert preparation.target("I don't.") == "i don 't ."
    assert preparation.restore("i don 't &#91; know &#93; .") == "I don't [know]."
    alone = Preparation.begin(BUILTIN, "en")
    assert alone.restore(alone.target("Yes, sir.")) == "Yes, sir."
    assert alone.of("en").source("A") == "a"
    with pytest.raises(Error, match="expected a prepared language: en"):
        alone.of("de")


@settings(max_examples=300, deadline=None)
@given(LINE)
def test_prepared_lines_have_single_spaces_and_nothing_reserved(text: str) -> None:
    preparation = Preparation.begin(BUILTIN, "en")
    tokens = preparation.source(text).split(" ")
    assert tokens == [""] or all(token and token.split() == [token] for token in tokens)
    assert not any(sign in "".join(tokens) for sign in "|<>[]")


@settings(max_examples=200, deadline=None)
@given(LINE)
def test_restoring_gives_the_characters_back(text: str) -> None:
    options = PrepareOptions(tokenizer="builtin", case="none")
    preparation = Preparation.begin(options, "en")
    restored = preparation.restore(preparation.source(text))
    assert "".join(restored.split()) == "".join(clean(text, "nfc").split())


def test_lone_surrogates_and_normalisation() -> None:
    assert clean("a\ud800b", "nfc") == "a\ufffdb"
    assert clean("e\u0301\u200e \u00adx", "nfc") == "é x"
    assert clean("ﬁ", "nfkc") == "fi"
    assert clean("e\u0301\u200e", "none") == "e\u0301\u200e"
    many = "a" + "\u0301\u0316" * 300
    assert clean(many, "nfc") == many


@pytest.mark.parametrize("token", ["x" * 5000, "ä" * 5000, "&" * 5000, "İ" * 3000])
def test_long_tokens_are_capped(token: str, tmp_path: Path) -> None:
    options = PrepareOptions(tokenizer="none", case="lower")
    report = prepare(pairs_of((token, "a " + token)), options, "tr", "en", tmp_path)
    assert report.notices == {"truncated tokens": 2}
    (line,) = lines_in(tmp_path / "corpus.en")
    capped = line.split(" ")[1].encode()
    assert MAX_TOKEN_BYTES - 12 < len(capped) <= MAX_TOKEN_BYTES
    assert not capped.endswith((b"&", b"&am"))


def test_nothing_is_left_of_a_run_that_failed(tmp_path: Path) -> None:
    def broken() -> list[Pair]:
        yield from pairs_of(("a", "b"))
        raise FormatError("broken")

    for case in ("lower", "true"):
        with pytest.raises(FormatError, match="broken"):
            prepare(broken(), PrepareOptions(tokenizer="builtin", case=case), "de", "en", tmp_path)
        assert list(tmp_path.iterdir()) == []


def test_reading_errors_are_not_blamed_on_the_output(tmp_path: Path) -> None:
    with pytest.raises(IoError, match=r"missing.txt: the file cannot be opened"):
        prepare_text([tmp_path / "missing.txt"], Preparation.begin(BUILTIN, "en"), tmp_path / "out")


def test_readers_counts_and_notices_are_told(tmp_path: Path) -> None:
    (tmp_path / "a.de").write_bytes(b"\xef\xbb\xbfJa\r\nNein\xff\n")
    (tmp_path / "a.en").write_bytes(b"Yes\nNo\n")
    pairs = read_pairs(
        [tmp_path / "a.de", tmp_path / "a.en"],
        source_language="de",
        target_language="en",
        encoding_errors="replace",
    )
    report = prepare(pairs, BUILTIN, "de", "en", tmp_path / "out")
    assert report.notices == {
        "lines with a byte order mark": 1,
        "lines with carriage returns": 1,
        "lines with replaced bytes": 1,
    }
    assert lines_in(tmp_path / "out" / "corpus.de") == ["ja", "nein \ufffd"]


def test_text_of_one_language(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("One.\n\nTwo.\n")
    report = prepare_text([tmp_path / "a"], Preparation.begin(BUILTIN, "en"), tmp_path / "out")
    assert report.dropped == {"empty": 1}
    assert lines_in(tmp_path / "out" / "corpus.en") == ["one .", "two ."]
    assert Preparation.load(tmp_path / "out").target_side is None


def test_the_same_language_twice(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="source and target are both en"):
        prepare([], BUILTIN, "en", "en", tmp_path)


@pytest.mark.parametrize(
    ("change", "faults"),
    [
        (("case = ", "case = 3 # "), ["case is 3, expected one of true, lower, none"]),
        (("[source]", "[options2]\n[source]"), ["unknown key options2 (did you mean options?)"]),
        (
            ('language = "de"', 'language = "../de"'),
            ["source.language", "expected a language code"],
        ),
        (("max_ratio", "no_ratio"), ["unknown key options.no_ratio (did you mean max_ratio?)"]),
        (("[target]", "[target"), ["not TOML"]),
    ],
)
def test_broken_choices(tmp_path: Path, change: tuple[str, str], faults: list[str]) -> None:
    prepare(pairs_of(("Ja!", "Yes!")), BUILTIN, "de", "en", tmp_path)
    path = tmp_path / "preparation.toml"
    path.write_text(path.read_text().replace(*change))
    with pytest.raises(FormatError) as caught:
        Preparation.load(tmp_path)
    assert all(fault in str(caught.value) for fault in faults)
    assert str(path) in str(caught.value)


def test_all_faults_at_once(tmp_path: Path) -> None:
    (tmp_path / "preparation.toml").write_text(
        '[options]\ncase = "small"\nmax_length = 0\n[source]\ntokenizer = 3\n'
    )
    with pytest.raises(FormatError) as caught:
        Preparation.load(tmp_path)
    for fault in (
        "demotic is missing, expected text",
        'options.case is "small", expected one of true, lower, none',
        "options.max_length is 0, expected a whole number of at least 1",
        "source.language is missing, expected a language code",
        "source.tokenizer is 3, expected text",
        "source.version is missing",
    ):
        assert fault in str(caught.value)


def test_no_choices_at_all(tmp_path: Path) -> None:
    with pytest.raises(IoError, match="demotic prepare"):
        Preparation.load(tmp_path)


def test_another_version_of_the_tokeniser_is_remarked(tmp_path: Path) -> None:
    Preparation.begin(BUILTIN, "fr", "en").save(tmp_path)
    path = tmp_path / "preparation.toml"
    path.write_text(path.read_text().replace('version = "2 (', 'version = "0 ('))
    notices = Preparation.load(tmp_path).notices
    assert len(notices) == 2
    assert "prepared with tokeniser builtin 0" in notices[0]


def check_lines(lines: list[str], folder: Path) -> None:
    """As many lines out as in, whatever they are: as a pair of files and as a stream."""
    data = "".join(f"{line}\n" for line in lines).encode()
    (folder / "in").write_bytes(data)
    pairs = read_pairs(
        [folder / "in", folder / "in"], source_language="de", target_language="fr",
        encoding_errors="replace",
    )  # fmt: skip
    report = prepare(pairs, KEEP, "de", "fr", folder / "out")
    assert report.kept == len(lines)
    for name in ("corpus.de", "corpus.fr", "corpus.origin.tsv"):
        assert (folder / "out" / name).read_bytes().count(b"\n") == len(lines)
    stream = BytesIO()
    prepare_stream(folder / "in", Preparation.begin(KEEP, "de"), stream)
    assert stream.getvalue() == (folder / "out" / "corpus.de").read_bytes()


SHARED_FOLDER = HealthCheck.function_scoped_fixture


@settings(max_examples=60, deadline=None, suppress_health_check=[SHARED_FOLDER])
@given(lines=st.lists(LINE, min_size=20, max_size=80))
@example(lines=["", "\r", "\x1c", "\u2029", "\ufeff", "\x85", "\x0b", "\0"])
def test_lines_in_are_lines_out(lines: list[str], tmp_path: Path) -> None:
    check_lines(lines, tmp_path)


@pytest.mark.long
@settings(
    max_examples=1000, deadline=None, suppress_health_check=[SHARED_FOLDER, *list(HealthCheck)]
)
@given(lines=st.lists(LINE, min_size=100, max_size=100))
def test_a_hundred_thousand_lines_in_are_lines_out(lines: list[str], tmp_path: Path) -> None:
    check_lines(lines, tmp_path)


@settings(max_examples=200, deadline=None, suppress_health_check=[SHARED_FOLDER])
@given(data=st.binary(max_size=300))
def test_any_bytes_as_a_stream(data: bytes, tmp_path: Path) -> None:
    (tmp_path / "in").write_bytes(b"x" + data)  # not the beginning of a compressed file
    stream = BytesIO()
    prepare_stream(tmp_path / "in", Preparation.begin(BUILTIN, "en"), stream)
    lines = (b"x" + data).count(b"\n") + (not data.endswith(b"\n"))
    assert stream.getvalue().count(b"\n") == lines


def test_a_stream_cannot_teach_true_case(tmp_path: Path) -> None:
    options = PrepareOptions(tokenizer="builtin", case="true")
    with pytest.raises(Error, match="add --like DIR"):
        prepare_stream(tmp_path / "in", Preparation.begin(options, "en"), BytesIO())
