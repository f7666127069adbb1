"""Glossaries: every format, what is refused, and where terms are found."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from demotic.constraints import LineConstraints, MarkupTranslator
from demotic.constraints.glossary import Entry, Glossary, Term, is_forbidden, read_glossary
from demotic.constraints.terms import TermFinder
from demotic.constraints.tokens import source_tokens
from demotic.errors import FormatError
from demotic.model import Model
from demotic.search.constraint import Constraint, wall, zone
from demotic.search.sentence import constraints_of
from demotic.search.text import RawText
from demotic.serve.jobs import Check
from demotic.serve.served_model import ServedModel
from tests.search.small_models import prepared_model, token_model

OLD = """<?xml version="1.0"?>
<martif type="TBX" xml:lang="en"><text><body>
<termEntry id="1"><note>a place</note>
 <langSet xml:lang="de-DE"><tig><term>Haus</term></tig></langSet>
 <langSet xml:lang="en"><tig><term>home</term></tig>
  <ntig><termGrp><term>hovel</term>
   <termNote type="administrativeStatus">deprecatedTerm-admn-sts</termNote></termGrp></ntig>
 </langSet>
 <langSet xml:lang="fr"><tig><term>maison</term></tig></langSet>
</termEntry></body></text></martif>"""
NEW = """<tbx xmlns="urn:iso:std:iso:30042:ed-2" style="dct" type="TBX-Basic" xml:lang="en"
 xmlns:basic="http://www.tbxinfo.net/ns/basic"><text><body>
<conceptEntry id="1"><note>a place</note>
 <langSec xml:lang="de"><termSec><term>Haus</term></termSec></langSec>
 <langSec xml:lang="en"><termSec><term>home</term>
   <basic:administrativeStatus>preferredTerm-admn-sts</basic:administrativeStatus></termSec>
  <termSec><term>hovel</term>
   <basic:administrativeStatus>forbidden</basic:administrativeStatus></termSec></langSec>
</conceptEntry></body></text></tbx>"""
TERM = Term("Haus", ("home",), ("hovel",), "a place")


def read(folder: Path, name: str, text: str) -> Glossary:
    (folder / name).write_bytes(text.encode())
    return read_glossary(folder / name, source_language="de", target_language="en")


@pytest.mark.parametrize("text", [OLD, NEW], ids=["old", "new"])
def test_tbx(text: str, tmp_path: Path) -> None:
    assert read(tmp_path, "terms.tbx", text).terms == [TERM]


@pytest.mark.parametrize(
    "charset",
    "utf-8 utf-8-sig utf-16 utf-16-le utf-16-be iso-8859-1 windows-1252 gb18030 big5".split(),
)
@pytest.mark.parametrize("name", ["terms.tbx", "terms.xml"])
def test_encodings_of_tbx(charset: str, name: str, tmp_path: Path) -> None:
    declared = OLD.replace("?>", f' encoding="{charset.removesuffix("-sig")}"?>', 1)
    (tmp_path / name).write_bytes(declared.encode(charset))
    found = read_glossary(tmp_path / name, source_language="de", target_language="en")
    assert found.terms == [TERM]


@pytest.mark.parametrize(
    ("charset", "body", "message"),
    [
        ("nonsense", b"", "line 1: the encoding 'nonsense' at column 1; expected UTF-8"),
        ("utf-7", b"", "line 1: the encoding 'utf-7'"),
        ("rot13", b"", "line 1: the encoding 'rot13'"),
        ("utf-8", b"\n\xff", "line 2: malformed utf-8"),
        ("gb18030", b"\n\xff", "line 2: malformed gb18030"),
    ],
)
def test_encodings_that_are_refused(
    charset: str, body: bytes, message: str, tmp_path: Path
) -> None:
    data = f'<?xml version="1.0" encoding="{charset}"?>'.encode()
    (tmp_path / "a.tbx").write_bytes(data + body)
    with pytest.raises(FormatError, match=message):
        read_glossary(tmp_path / "a.tbx", source_language="de", target_language="en")


@pytest.mark.parametrize(
    "empty",
    ["<tig><term/></tig>", "<tig/>", "<tig><term> </term><note>later</note></tig>"],
)
def test_empty_terms_are_ignored(empty: str, tmp_path: Path) -> None:
    text = OLD.replace('<langSet xml:lang="en">', f'<langSet xml:lang="en">{empty}')
    text = text.replace("</langSet>", f"{empty}</langSet>", 1)
    assert read(tmp_path, "terms.tbx", text).terms == [TERM]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.tsv", "# terms of\tHaus\n#\n##x\ty\nsource\ttarget\n#MeToo\t#MoiAussi\n"),
        ("a.tsv", "\n#target\tsource\n#MoiAussi\t#MeToo\n"),
        ("a.tsv", "#MeToo\t#MoiAussi\n#\tnothing\n"),
        ("a.csv", "\nsource,target\n#MeToo,#MoiAussi\n"),
    ],
)
def test_terms_with_a_hash_sign_and_headers_after_comments(
    name: str, text: str, tmp_path: Path
) -> None:
    assert read(tmp_path, name, text).entries == (Entry("#MeToo", "#MoiAussi"),)


words_of_terms = st.text("#ab 中", min_size=1, max_size=5).map(str.strip).filter(bool)


@settings(max_examples=50, deadline=None)
@given(st.lists(st.tuples(words_of_terms, words_of_terms), max_size=4))
def test_any_glossary_is_written_and_read_again(
    tmp_path_factory: pytest.TempPathFactory, terms: list[tuple[str, str]]
) -> None:
    path = tmp_path_factory.getbasetemp() / "any.tsv"
    entries = tuple(Entry(" ".join(a.split()), " ".join(b.split())) for a, b in terms)
    Glossary(entries).write(path)
    assert read_glossary(path).entries == entries


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.tsv", "Haus\thome\ta place\nHaus\thovel\t\tforbidden\n"),
        ("a.tsv", "\ufeff# terms\n\nHaus\thome\ta place\r\nHaus\thovel\t\tdeprecated"),
        ("a.csv", 'Haus,home,a place\n"Haus",hovel,,forbidden\n'),
        ("a.csv", "target,status,source,note\nhome,,Haus,a place\nhovel,Do not use,Haus,\n"),
        ("a.csv", "en,de,note,status\nhome,Haus,a place,\nhovel,Haus,,forbidden\n"),
    ],
)
def test_tables(name: str, text: str, tmp_path: Path) -> None:
    assert read(tmp_path, name, text).terms == [TERM]


def test_a_glossary_is_written_and_read_again(tmp_path: Path) -> None:
    glossary = read(tmp_path, "terms.tbx", OLD)
    glossary.write(tmp_path / "glossary.tsv")
    assert read_glossary(tmp_path / "glossary.tsv") == glossary


@pytest.mark.parametrize(
    ("name", "text", "line"),
    [
        ("a.tsv", "a\tb\nonly one\n", 2),
        ("a.tsv", "a\t\n", 1),
        ("a.csv", 'a,b\n"open\n', 2),
        ("a.tbx", "<tbx>", 1),
        ("a.tbx", "<tbx/>", 1),
        ("a.tbx", "<!DOCTYPE tbx>\n<tbx/>", 1),
        ("a.tbx", '<!DOCTYPE a [<!ENTITY a "b">]>\n<tbx>&a;</tbx>', 1),
        ("a.tbx", "<tbx>" * 200, 1),
        ("a.tbx", "<tbx>\n<conceptEntry><langSec><termSec/></langSec></conceptEntry></tbx>", 2),
    ],
)
def test_bad_files_are_refused_with_their_line(
    name: str, text: str, line: int, tmp_path: Path
) -> None:
    with pytest.raises(FormatError) as caught:
        read(tmp_path, name, text)
    assert caught.value.line == line
    assert name in str(caught.value)


def test_malformed_utf_8_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.tsv").write_bytes(b"a\tb\n\xff\tc\n")
    with pytest.raises(FormatError) as caught:
        read_glossary(tmp_path / "a.tsv")
    assert caught.value.line == 2


TAGS = "<tbx> </tbx> <conceptEntry> </conceptEntry> <termSec> </termSec> <term> </term>".split()
SIGNS = ('<langSec xml:lang="de">', "</langSec>", "a", "\t", "\n", ",", '"', "&lt;", "&x;", "é")
pieces = st.sampled_from((*TAGS, *SIGNS))


@settings(max_examples=200, deadline=None)
@given(
    text=st.lists(pieces, max_size=25).map("".join),
    name=st.sampled_from(["a.tbx", "a.csv", "a.tsv"]),
)
def test_any_file_is_read_or_refused(
    text: str, name: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.getbasetemp()
    try:
        found = read(folder, name, text)
    except FormatError:
        return
    assert all(entry.source and entry.target for entry in found.entries)


def test_status_in_any_spelling() -> None:
    assert all(
        map(is_forbidden, ["forbidden", "Deprecated", "deprecatedTerm-admn-sts", "do not use"])
    )
    assert not any(map(is_forbidden, ["", "preferredTerm-admn-sts", "admitted"]))


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Model:
    return token_model(tmp_path_factory.mktemp("tokens"))


def found(
    model: Model, line: str, *entries: Entry, taken: tuple[Constraint, ...] = ()
) -> list[str]:
    finder = TermFinder(Glossary(entries), RawText(model))
    return [str(one) for one in finder.find(line, taken)]


def test_the_longest_term_wins(model: Model) -> None:
    entries = Entry("a b", "x"), Entry("a", "y"), Entry("a b c", "z"), Entry("b", "w")
    assert found(model, "a b c a b a d b", *entries) == [
        "exclusive [0:3] z",
        "exclusive [3:5] x",
        "exclusive [5:6] y",
        "exclusive [7:8] w",
    ]


def test_several_and_forbidden_targets(model: Model) -> None:
    entries = (
        Entry("a", "x"),
        Entry("a", "y z"),
        Entry("a", "w", "", "forbidden"),
        Entry("b", "v", "", "forbidden"),
    )
    assert found(model, "a b", *entries) == ["exclusive [0:1] x || y z", "forbidden [1:2] v"]


def test_a_capital_at_the_start_of_a_sentence(model: Model) -> None:
    entry = Entry("house", "x")
    assert found(model, "House . House house", entry) == [
        "exclusive [0:1] x",
        "exclusive [2:3] x",
        "exclusive [3:4] x",
    ]
    assert found(model, "the House", entry) == []
    assert found(model, "us", Entry("US", "x")) == []


def test_terms_respect_other_constraints(model: Model) -> None:
    entry = Entry("a b", "x")
    assert found(model, "a b", entry, taken=(Constraint((1, 2), ["y"]),)) == []
    assert found(model, "a b", entry, taken=(wall(1),)) == []
    assert found(model, "a b c", entry, taken=(zone(1, 3),)) == []
    assert found(model, "a b c", entry, taken=(zone(0, 3), wall(2))) == ["exclusive [0:2] x"]


def test_terms_of_a_model_of_raw_text(tmp_path: Path) -> None:
    raw = prepared_model(tmp_path).raw_text
    finder = TermFinder(Glossary((Entry("Haus", "Cottage [old]"),)), raw)
    (one,) = finder.find(raw.prepared("Das Haus ist alt."))
    assert one.span == (1, 2)
    assert one.targets == (("cottage &#91; old &#93;", 0.0),)


def test_text_without_spaces_is_cut_around_terms(model: Model, tmp_path: Path) -> None:
    """So that a segmenter cannot join a part of a term to its neighbours."""
    raw = prepared_model(tmp_path).raw_text
    terms = ("理发店", "理发", "书", "Haus")
    finder = TermFinder(Glossary(tuple(Entry(one, "x") for one in terms)), raw)
    assert finder.cut("我去理发店理发。") == ["我去", "理发店", "理发", "。"]
    assert finder.cut("图书馆 Haus") == ["图书馆 Haus"]  # one character, and a script with spaces
    assert finder.cut("") == []
    tokens = source_tokens(raw, ["我去理发店了", "好"], finder.cut)
    pieces = (source_tokens(raw, [one]).line for one in ("我去", "理发店", "了", "好"))
    assert tokens.line == " ".join(pieces)
    assert tokens.line.split(" ")[tokens.starts[1] :] == ["好"]
    tokens_given = TermFinder(Glossary((Entry("理发店", "x"),)), RawText(model, tokenized=True))
    assert tokens_given.cut("去理发店") == ["去理发店"]


def test_tbx_terms_with_elements_inside(tmp_path: Path) -> None:
    path = tmp_path / "terms.tbx"
    path.write_text(
        "<tbx><text><body><conceptEntry><langSec xml:lang='de'><termSec><term>das <hi>große "
        "</hi>Buch</term></termSec></langSec><langSec xml:lang='en'><termSec><term>the <hi>big</hi>"
        " book</term></termSec></langSec></conceptEntry></body></text></tbx>",
        "utf-8",
    )
    found = read_glossary(path, source_language="de", target_language="en")
    assert [one[:2] for one in found.entries] == [("das große Buch", "the big book")]


def test_terms_are_found_in_lines_of_tokens(tmp_path: Path) -> None:
    """People write terms as raw text; a line of tokens has them tokenised and in another case."""
    model = prepared_model(tmp_path)
    terms = TermFinder(Glossary((Entry("Haus, klein", "Cottage, small"),)), model.raw_text)
    constraints = LineConstraints(terms=terms)
    for raw, line in (
        (model.raw_text, "Das Haus, klein."),
        (RawText(model, tokenized=True), "das haus , klein ."),
        (RawText(model, source_tokenized=True), "das haus , klein ."),
    ):
        prepared = constraints.prepared(raw, line)
        assert prepared == "das haus , klein ."
        asked = [str(one) for one in constraints_of(prepared)]
        assert asked == ["exclusive [1:4] cottage , small"]


def test_the_terms_of_a_model_are_prepared_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = prepared_model(tmp_path)
    (model.path / "glossary.tsv").write_text("Haus\tcottage\n")
    info = replace(model.info, parts=replace(model.info.parts, glossary="glossary.tsv"))
    model = Model.create(model.path, info, model.weights)
    made = []
    known = TermFinder.__init__

    def make(self: TermFinder, glossary: Glossary, raw: RawText) -> None:
        made.append(glossary)
        known(self, glossary, raw)

    monkeypatch.setattr(TermFinder, "__init__", make)
    for _ in range(3):
        assert model.translate(["Das Haus ist alt."]) == ["The cottage is old."]
        assert MarkupTranslator(model).translate(["Das Haus ist alt."]) == ["The cottage is old."]
    served = ServedModel(model)
    for _ in range(3):
        (found,) = served.translate_marked_up(["<p>Das Haus ist alt.</p>"], "html", Check())
        assert found == "<p>The cottage is old.</p>"
        assert served.translate(["Das Haus ist alt."], Check())[0].text == "The cottage is old."
    assert len(made) == 1
