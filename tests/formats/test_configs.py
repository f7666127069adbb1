"""Configurations of Moses, cdec and Joshua: what they mean for us, and what is refused."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from demotic.errors import Error, FormatError
from demotic.features.weights import Weights
from demotic.formats.exporting import export_model
from demotic.formats.importing import import_model, read_config
from demotic.formats.plan import find_file
from demotic.lm.model import LanguageModel

ARPA = "\\data\\\nngram 1=1\n\n\\1-grams:\n-1\t<unk>\n\n\\end\\\n"

MOSES = """\
# comment
[input-factors]
0
[mapping]
0 T 0
[distortion-limit]
6
[stack]
50
[feature]
PhraseDictionaryMemory num-features=4 path={table} input-factor=0 output-factor=0
KENLM factor=0 order=2 path=lm.arpa
LexicalReordering type=msd-bidirectional-fe num-features=6 path=reordering
Distortion
WordPenalty
UnknownWordPenalty
[weight]
PhraseDictionaryMemory0= 0.1 0.2 0.3 0.4
KENLM0= 0.5
LexicalReordering0= 1 2 3 4 5 6
Distortion0= 0.7
WordPenalty0= -1
"""

CDEC = """\
formalism=scfg
grammar=grammar
feature_function=WordPenalty
feature_function=KLanguageModel -n LM lm.arpa
cubepruning_pop_limit=30
add_pass_through_rules=true
"""

JOSHUA = """\
tm = thrax -owner pt -maxspan 12 -path /somewhere/else/grammar
tm = thrax -owner glue -maxspan -1 -path glue
lm = kenlm 2 false false 100 lm.arpa
feature-function = WordPenalty
feature-function = OOVPenalty
pop-limit = 10
goalSymbol = GOAL
default_non_terminal = X
lm_0 2
tm_pt_0 -1
tm_pt_1 3
tm_glue_0 1
WordPenalty -4
OOVPenalty 1
"""

GLUE = """\
[GOAL] ||| <s> ||| <s> ||| 0
[GOAL] ||| [GOAL,1] [X,2] ||| [GOAL,1] [X,2] ||| -1
[GOAL] ||| [GOAL,1] </s> ||| [GOAL,1] </s> ||| 0
"""


@pytest.fixture
def home(tmp_path: Path) -> Path:
    files = {
        "phrase-table": "a ||| x ||| 0.5 0.5 0.5 0.5\n",
        "reordering": "a ||| x ||| 0.5 0.25 0.25 0.5 0.25 0.25\n",
        "lm.arpa": ARPA,
        "grammar": "[X] ||| a ||| x ||| 1 2\n",
        "weights": "LM 2\nWordPenalty -4\nPhraseModel_0 1\nGlue 3\nPassThrough -5\n",
        "glue": GLUE,
        "moses.ini": MOSES.format(table="phrase-table"),
        "cdec.ini": CDEC,
        "joshua.config": JOSHUA,
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def test_moses(home: Path, tmp_path: Path) -> None:
    model = import_model(home / "moses.ini", tmp_path / "model").model
    weights = dict(model.weights)
    assert [weights.pop(name) for name in list(weights)[:4]] == [0.1, 0.2, 0.3, 0.4]
    assert [weights.pop(name) for name in list(weights)[:6]] == [1, 2, 3, 4, 5, 6]
    assert weights == {
        "language_model": 0.5,
        "word_penalty": -1,
        "phrase_penalty": 0,
        "distortion": 0.7,
        "unknown_word": 1,
    }
    assert model.settings == {
        "beam_size": 50,
        "rule_limit": 20,
        "distortion_limit": 6,
        "unknown_phrase_penalty": True,
    }
    assert model.info.origin == {"toolkit": "moses", "configuration": "moses.ini"}
    stored = LanguageModel.load(model.language_models[0])
    given = LanguageModel.load(home / "lm.arpa", marks_may_miss=True)
    assert stored.score("a b") == given.score("a b") == pytest.approx(3 * math.log(0.1))


def test_cdec(home: Path) -> None:
    plan = read_config(home / "cdec.ini")
    assert plan.weights == pytest.approx(
        {
            "language_model": 2 / math.log(10),
            "word_penalty": -4 / math.log(10),
            "PhraseModel_0": 1,
            "glue": 3,
            "pass_through": -5,
        }
    )
    assert plan.search["pop_limit"] == 30
    assert plan.search["pass_through_all"] is True


def test_joshua(home: Path) -> None:
    plan = read_config(home / "joshua.config")
    assert plan.weights == pytest.approx(
        {
            "language_model": 2 / math.log(10),
            "word_penalty": -4 / math.log(10),
            "phrase_penalty": 0,
            "pass_through": -100,
            "glue": 1,
            "tm_pt_0": 1,
            "tm_pt_1": -3,
        }
    )
    assert plan.search["span_limit"] == 12
    assert plan.search["glue"] == "builtin"
    assert plan.origin["score_offset"] == pytest.approx(1 + 8 / math.log(10))


@pytest.mark.parametrize("value", ["true", "false"])
def test_a_setting_of_joshua_without_effect_is_reported(home: Path, value: str) -> None:
    (home / "joshua.config").write_text(f"mark_oovs = {value}\n{JOSHUA}")
    plan = read_config(home / "joshua.config")
    found = [notice for notice in plan.notices if notice.startswith("markoovs")]
    assert found == ["markoovs on line 1 has no effect here"] * (value == "true")
    assert "mark_unknown" not in plan.search


def test_joshua_of_version_5(home: Path) -> None:
    text = JOSHUA.replace("thrax -owner pt -maxspan 12 -path", "thrax pt 12")
    (home / "joshua.config").write_text(text.replace("-owner glue -maxspan -1 -path", "glue -1"))
    plan = read_config(home / "joshua.config")
    assert [table.prefix for table in plan.tables] == ["tm_pt_"]
    assert plan.search["span_limit"] == 12


JOSHUA_PHRASES = """\
tm = moses -owner pt -maxspan 0 -path phrases -max-source-len 5
feature-function = StateMinimizingLanguageModel -lm_order 2 -lm_file lm.arpa
search = stack
mark-oovs = false
pop-limit = 30
reordering-limit = 6
feature-function = OOVPenalty
feature-function = WordPenalty
feature-function = Distortion
feature-function = PhrasePenalty -owner pt
OOVPenalty 0.5
Distortion 0.25
WordPenalty -0.2
PhrasePenalty -0.3
tm_pt_0 0.1
tm_pt_1 0.2
tm_pt_2 0.3
tm_pt_3 0.4
tm_pt_4 0.6
lm_0 0.7
"""


def joshua_phrases(home: Path, text: str = JOSHUA_PHRASES) -> Path:
    (home / "phrases").write_text(
        "a ||| x ||| 0.5 0.25 0.125 1 2.718 ||| 0-0 ||| 1 1 1\n"
        "b c ||| y ||| 0.5 0.5 0.5 0.5 2.718 ||| 0-0 1-0\n"
    )
    (home / "packed").mkdir()
    path = home / "joshua.config"
    path.write_text(text)
    return path


def test_phrases_of_joshua(home: Path, tmp_path: Path) -> None:
    found = import_model(joshua_phrases(home), tmp_path / "model")
    model, weights = found.model, dict(found.model.weights)
    assert model.kind == "phrase"
    assert [weights.pop(name) for name in list(weights)[:5]] == [0.1, 0.2, 0.3, 0.4, 0.6]
    assert weights == pytest.approx(
        {
            "language_model": 0.7 / math.log(10),
            "word_penalty": -0.2 / math.log(10),
            "phrase_penalty": -0.3,
            "distortion": 0.25,
            "unknown_word": 0.5,
        }
    )
    expected = {"pop_limit": 30, "beam_size": 30, "distortion_limit": 6, "rule_limit": 20}
    assert model.settings == expected
    assert found.notices == ()


def test_a_score_of_phrases_of_joshua(home: Path, tmp_path: Path) -> None:
    """Computed by Joshua's definitions: log10 p, -log10(e) per word, -100 per unknown word."""
    model = import_model(joshua_phrases(home), tmp_path / "model").model
    (result,) = model.search(["b c a z"])
    assert result.best.text == "y x z"
    table = sum(
        weight * math.log(p)
        for row in ((0.5, 0.25, 0.125, 1, 2.718), (0.5, 0.5, 0.5, 0.5, 2.718))
        for weight, p in zip((0.1, 0.2, 0.3, 0.4, 0.6), row, strict=True)
    )
    words, phrases, unknown = 3, 2, 1
    language_model = 0.7 * -1 * (words + 1)  # every word is <unk>, and </s>
    penalties = -0.2 * -math.log10(math.e) * words - 0.3 * phrases + 0.5 * -100 * unknown
    assert result.best.score == pytest.approx(table + language_model + penalties, abs=1e-4)


@pytest.mark.parametrize(
    ("old", "new", "found"),
    [
        ("search = stack", "search = cky", "line 3: search = cky"),
        ("tm = moses", "tm = phrase", "line 1: tm = phrase, whose values are probabilities or"),
        ("-path phrases", "-path packed", "line 1: the packed grammar packed"),
        ("pop-limit = 30", "tm = moses pt 0 phrases", "line 5: a second phrase table"),
        ("tm = moses -owner pt -maxspan 0 -path phrases", "tm = moses", "expected moses -owner"),
    ],
)
def test_phrases_of_joshua_that_are_refused(home: Path, old: str, new: str, found: str) -> None:
    with pytest.raises(FormatError, match=found):
        read_config(joshua_phrases(home, JOSHUA_PHRASES.replace(old, new)))


def test_defaults_of_phrases_of_joshua(home: Path) -> None:
    lines = [one for one in JOSHUA_PHRASES.splitlines() if not one.startswith("reordering-limit")]
    text = "\n".join(["num_translation_options = 7", *lines]).replace(
        "moses -owner pt -maxspan 0 -path phrases -max-source-len 5", "moses pt 0 phrases"
    )
    plan = read_config(joshua_phrases(home, text))
    assert (plan.search["distortion_limit"], plan.search["rule_limit"]) == (8, 7)


def test_phrases_of_joshua_need_no_algorithm(home: Path) -> None:
    plan = read_config(joshua_phrases(home, JOSHUA_PHRASES.replace("search = stack\n", "")))
    assert plan.kind == "phrase"
    assert plan.notices == []


@pytest.mark.parametrize(
    ("table", "penalty", "counted"),
    [
        ("pt", "", True),
        ("pt", " -owner pt", True),
        ("mine", " -owner mine", True),
        ("mine", "", False),
        ("pt", " -owner other", False),
    ],
)
def test_the_phrase_penalty_of_joshua_counts_rules_of_one_owner(
    table: str, penalty: str, counted: bool, home: Path
) -> None:
    text = JOSHUA_PHRASES.replace("PhrasePenalty -owner pt", f"PhrasePenalty{penalty}")
    plan = read_config(
        joshua_phrases(home, text.replace("-owner pt -maxspan", f"-owner {table} -maxspan"))
    )
    assert plan.weights["phrase_penalty"] == (-0.3 if counted else 0)
    assert len(plan.notices) == (not counted)


JOSHUA_PHRASE_TEST = """\
tm = moses pt 0 phrases
lm = kenlm 5 true false 100 lm.arpa
feature-function = OOVPenalty
feature-function = WordPenalty
feature-function = Distortion
feature-function = PhrasePenalty -owner pt
OOVPenalty 1.0
Distortion 0.114849
WordPenalty -0.201544
PhrasePenalty -0.236965
tm_pt_0 0.0370068
tm_pt_1 0.0495759
tm_pt_2 0.196742
tm_pt_3 0.0745423
lm_0 0.204412452147565
"""
PRINTED_BY_JOSHUA = [  # words, four scores, language model, distance, phrases, total
    (7, (-9.702, -10.800, -7.543, -8.555), -19.117, 0, 5, -7.496),
    (11, (-15.792, -17.550, -14.599, -18.298), -29.452, -24, 7, -15.163),
    (11, (-14.986, -17.951, -14.075, -18.699), -29.452, -32, 6, -15.762),
]


@pytest.mark.parametrize(
    ("words", "scores", "lm", "distance", "phrases", "total"), PRINTED_BY_JOSHUA
)
def test_totals_printed_by_joshua(
    words: int,
    scores: tuple[float, ...],
    lm: float,
    distance: int,
    phrases: int,
    total: float,
    home: Path,
) -> None:
    """Outputs of its phrase tests: the same totals from our values with imported weights."""
    (home / "phrases").write_text("a ||| x ||| 0.5 0.25 0.125 1 ||| 0-0\n")
    (home / "joshua.config").write_text(JOSHUA_PHRASE_TEST)
    weights = read_config(home / "joshua.config").weights
    names = "source_given_target lexical_source_given_target".split()
    names += "target_given_source lexical_target_given_source".split()
    values = dict(zip(names, scores, strict=True)) | {
        "language_model": lm * math.log(10),
        "word_penalty": -words,
        "distortion": distance,
        "phrase_penalty": phrases,
    }
    score = sum(weights[name] * value for name, value in values.items())
    assert score == pytest.approx(total, abs=2e-3)  # it prints three decimals


def test_unusual_glue_stays_as_rules(home: Path, tmp_path: Path) -> None:
    (home / "glue").write_text(GLUE + "[GOAL] ||| [Y,1] ||| [Y,1] ||| 0\n")
    model = import_model(home / "joshua.config", tmp_path / "model").model
    assert model.settings["glue"] == "rules"
    assert len(model.rules) == 5
    assert model.weights["tm_glue_0"] == -1


OLD_MOSES = """\
[ttable-file]
{table}
[lmodel-file]
8 0 2 lm.arpa
[distortion-file]
0-0 msd-bidirectional-fe 6 reordering
[ttable-limit]
20
0
[weight-d]
0.7
1
2
3
4
5
6
[weight-l]
0.5
[weight-t]
0.1
0.2
0.3
0.4
[weight-w]
-1
[distortion-limit]
6
[stack]
50
[mapping]
0 T 0
[input-factors]
0
"""


@pytest.mark.parametrize("table", ["0 0 0 4 phrase-table", "0 0 4 phrase-table"])
def test_moses_from_before_2013(home: Path, table: str) -> None:
    (home / "moses.ini").write_text(MOSES.format(table="phrase-table"))
    new = read_config(home / "moses.ini")
    (home / "moses.ini").write_text(OLD_MOSES.format(table=table))
    assert read_config(home / "moses.ini") == new


def test_old_charts_have_decimal_language_models(home: Path) -> None:
    (home / "moses.ini").write_text(
        "[search-algorithm]\n3\n[ttable-file]\n6 0 0 4 grammar\n[weight-t]\n1\n2 3\n4\n"
        "[lmodel-file]\n8 0 2 lm.arpa\n[weight-l]\n0.5\n[weight-w]\n-1\n"
    )
    plan = read_config(home / "moses.ini")
    assert plan.kind == "hiero"
    assert plan.weights["language_model"] == pytest.approx(0.5 / math.log(10))
    assert plan.weights["word_penalty"] == pytest.approx(-1 / math.log(10))
    assert list(plan.weights.values())[:4] == [1, 2, 3, 4]


REFUSED = {
    "old and new": ("[ttable-file]\n0 0 0 5 table\n[weight]\n", 3, "[weight] and sections"),
    "old, too few weights": (
        "[ttable-file]\n0 0 0 5 table\n[weight-t]\n1\n",
        3,
        "too few weights in [weight-t]; expected one per score",
    ),
    "old, too many weights": (
        "[weight-t]\n1\n2\n[ttable-file]\n0 0 0 1 table\n",
        3,
        "more weights in [weight-t] than its tables have scores",
    ),
    "old, fields": ("[ttable-file]\n0 0 table\n", 2, "'0 0 table'; expected KIND 0 0 SCORES"),
    "old, kind": ("[lmodel-file]\n5 0 3 lm.arpa\n", 2, "expected KIND 0 ORDER FILE, KIND one of"),
    "old, generation": ("[generation-file]\n0 1 2 x\n[weight-d]\n1\n", 1, "[generation-file]"),
    "old, binary table": (
        "[ttable-file]\n1 0 0 1 table\n[weight-t]\n1\n",
        2,
        "PhraseDictionaryBinary; expected PhraseDictionaryMemory",
    ),
    "binary table": (
        "[feature]\nPhraseDictionaryCompact path=phrase-table\n",
        2,
        "PhraseDictionaryCompact; expected PhraseDictionaryMemory",
    ),
    "unknown feature": ("[feature]\nOpSequenceModel path=x\n", 2, "the feature OpSequenceModel"),
    "no file": ("[feature]\nKENLM path=gone\n[weight]\nKENLM0= 1\n", 2, "gone, which does not"),
    "factor": ("[feature]\nKENLM factor=1 path=lm.arpa\n", 2, "factor=1 of KENLM0"),
    "no weights": ("[feature]\nDistortion\n", 2, "no weights for Distortion0"),
    "NaN": ("[feature]\nDistortion\n[weight]\nDistortion0= nan\n", 4, "'nan' as a weight of"),
    "two weights": ("[feature]\nDistortion\n[weight]\nDistortion0= 1 2\n", 2, "2 weights for"),
    "weights twice": ("[weight]\nA0= 1\nA0= 2\n", 3, "the weights of A0 a second time"),
    "reordering type": (
        "[feature]\nLexicalReordering type=hier-mslr-bidirectional-fe path=reordering\n",
        2,
        "type hier-mslr-bidirectional-fe",
    ),
    "generation": (
        "[mapping]\n0 T 0\n0 G 0\n[feature]\nPhraseDictionaryMemory num-features=1 "
        "path=phrase-table\n[weight]\nPhraseDictionaryMemory0= 1\n",
        3,
        "the mapping step '0 G 0'",
    ),
    "no table": ("[feature]\n", 0, "no phrase table"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_moses_refusals(name: str, home: Path) -> None:
    text, line, found = REFUSED[name]
    (home / "moses.ini").write_text(text)
    with pytest.raises(FormatError) as caught:
        read_config(home / "moses.ini")
    assert caught.value.line == line
    assert found in str(caught.value)


@pytest.mark.parametrize(
    ("file", "line", "found"),
    [
        ("cdec.ini", "formalism=fst", "the formalism fst"),
        ("cdec.ini", "feature_function=RuleShape", "the feature RuleShape"),
        ("cdec.ini", "grammar=gone", "the file gone"),
        ("cdec.ini", "nothing", "'nothing'; expected key=value"),
        ("joshua.config", "tm = moses -owner pt -path grammar", "beside a grammar of another kind"),
        ("joshua.config", "tm = phrases -owner pt -path grammar", "expected thrax or moses"),
        ("joshua.config", "feature-function = WordPenalty -value 1", "without a value of its own"),
        ("joshua.config", "tm = thrax", "expected thrax -owner"),
        ("joshua.config", "feature-function = EdgePhraseSimilarity", "EdgePhraseSimilarity"),
        ("joshua.config", "lm_0 3", "a second weight for lm_0"),
        ("joshua.config", "a b c", "expected key = value"),
        ("joshua.config", "x nan", "'nan' as the weight of x"),
        ("joshua.config", "lm =", "which does not exist"),
    ],
)
def test_other_refusals(file: str, line: str, found: str, home: Path) -> None:
    text = (home / file).read_text() + line + "\n"
    (home / file).write_text(text)
    with pytest.raises(FormatError) as caught:
        read_config(home / file)
    assert caught.value.line == text.count("\n")
    assert found in str(caught.value)


def test_cdec_without_weights_asks_for_them(home: Path) -> None:
    (home / "weights").unlink()
    with pytest.raises(Error, match="--weights FILE"):
        read_config(home / "cdec.ini")


def test_no_configuration_at_all(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("just a sentence\n")
    with pytest.raises(FormatError, match=r"a moses\.ini, cdec\.ini or joshua\.config"):
        read_config(tmp_path / "text")


def test_files_are_found_by_the_end_of_their_path(tmp_path: Path) -> None:
    for name in ("home/deep/b/t", "other/b/t", "other/c/t.gz"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    config, other = tmp_path / "home" / "ini", tmp_path / "other"
    assert find_file("deep/b/t", config, 1) == tmp_path / "home/deep/b/t"
    assert find_file("${ROOT}/b/t", config, 1, [other]) == other / "b/t"
    assert find_file("/gone/c/t", config, 1, [other]) == other / "c/t.gz"
    with pytest.raises(FormatError, match="line 7: the file x/y"):
        find_file("x/y", config, 7, [other])


@pytest.mark.parametrize(
    ("content", "found"),
    [
        (b"mmap lm http://kheafield.com/code format version 5\n\0", "a binary model of KenLM"),
        (b"blmt 3 10\n", "a binary model of IRSTLM"),
        (b"some text\n", "no .data. line"),
    ],
)
def test_only_arpa_language_models(content: bytes, found: str, home: Path, tmp_path: Path) -> None:
    (home / "lm.arpa").write_bytes(content)
    with pytest.raises(FormatError, match=found):
        import_model(home / "moses.ini", tmp_path / "model")
    assert not (tmp_path / "model").exists()


def test_a_damaged_table_leaves_no_model(home: Path, tmp_path: Path) -> None:
    (home / "phrase-table").write_text("a ||| x ||| 0.5 nan 0.5 0.5\n")
    with pytest.raises(FormatError, match="line 1: the number 'nan'"):
        import_model(home / "moses.ini", tmp_path / "model")
    assert not (tmp_path / "model").exists()


def test_words_of_a_moses_table_are_what_stands_between_ascii_spaces(
    home: Path, tmp_path: Path
) -> None:
    pairs = [("a", "\u200b"), ("b\xa0c", "<unk>"), ("\u3000", "<s> &lt;s&gt;")]
    for name, scores in (("phrase-table", "0.5 " * 4), ("reordering", "0.5 " * 6)):
        links = " ||| 0-0" if name == "phrase-table" else ""
        lines = [f"{source} ||| {target} ||| {scores}{links}\n" for source, target in pairs]
        (home / name).write_bytes("".join(lines).encode())
    model = import_model(home / "moses.ini", tmp_path / "model").model
    assert model.decoder().translate([source for source, _ in pairs]).text == [
        target for _, target in pairs
    ]


def test_moses_phrase_penalty_counts_copied_words(home: Path, tmp_path: Path) -> None:
    text = MOSES.format(table="phrase-table").replace("[weight]\n", "PhrasePenalty\n[weight]\n")
    (home / "moses.ini").write_text(text + "PhrasePenalty0= 0.25\n")
    decoder = import_model(home / "moses.ini", tmp_path / "model").model.decoder()
    found = decoder.translate(["a", "never never"])
    values = [dict(zip(decoder.weights, row, strict=True)) for row in found.features.tolist()]
    assert [one["phrase_penalty"] for one in values] == [1, 2]
    assert found.scores == pytest.approx(found.features @ decoder.weights.array)
    best = decoder.search(["never never"])[0].kbest(1)[0]
    assert best.score == pytest.approx(found.scores[1], abs=1e-4)


CHART_RULES = "a [X] ||| x [X] ||| 0.5 0.5 0.5 0.5 ||| 0-0\n"
CHART_GLUE = """\
<s> [X] ||| <s> [S] ||| 1 ||| ||| 0
[X][S] </s> [X] ||| [X][S] </s> [S] ||| 1 ||| 0-0 ||| 0
[X][S] [X][X] [X] ||| [X][S] [X][X] [S] ||| 2.718281828459045 ||| 0-0 1-1 ||| 0
"""
CHART = """\
[search-algorithm]
3
[feature]
PhraseDictionaryMemory num-features=4 path=rules
PhraseDictionaryMemory num-features=1 path=glue
KENLM path=lm.arpa
WordPenalty
PhrasePenalty
UnknownWordPenalty
[weight]
PhraseDictionaryMemory0= 0.1 0.2 0.3 0.4
PhraseDictionaryMemory1= 0.5
KENLM0= 0.5
WordPenalty0= -1
PhrasePenalty0= 0.25
UnknownWordPenalty0= 1
"""


def test_moses_phrase_penalty_counts_glue_rules(home: Path, tmp_path: Path) -> None:
    """Two pieces more are two rules and two glue rules more; an export says the same to Moses."""
    for name, text in {"rules": CHART_RULES, "glue": CHART_GLUE, "chart.ini": CHART}.items():
        (home / name).write_text(text)
    model = import_model(home / "chart.ini", tmp_path / "model").model
    assert model.weights["glue"] == pytest.approx(0.5 + 0.25)
    plain = import_model(home / "cdec.ini", tmp_path / "plain").model
    assert "unknown_phrase_penalty" not in plain.settings
    one, three = model.decoder().translate(["never", "never never never"]).features
    values = dict(zip(model.weights, (three - one).tolist(), strict=True))
    assert (values["phrase_penalty"], values["glue"], values["unknown_word"]) == (2, 2, -200)
    export_model(model, "moses", tmp_path / "out")
    lines = (tmp_path / "out" / "moses.ini").read_text().split("\n")
    assert "PhraseDictionaryMemory1= 0.5" in lines
    assert "UnknownWordPenalty0= 1.0" in lines


def test_an_export_pays_for_what_moses_counts_and_we_do_not(home: Path, tmp_path: Path) -> None:
    model = import_model(home / "cdec.ini", tmp_path / "model").model
    weights = Weights.of({**model.weights, "phrase_penalty": 0.5})
    ours = model.derive(tmp_path / "ours", weights=weights)
    export_model(ours, "moses", tmp_path / "out")
    again = import_model(tmp_path / "out" / "moses.ini", tmp_path / "again").model
    first, second = (one.decoder().translate(["a", "never a never"]) for one in (ours, again))
    assert second.text == first.text
    assert second.scores == pytest.approx(first.scores, abs=1e-4)


def test_joshua_says_by_how_much_its_scores_differ(home: Path) -> None:
    plan = read_config(home / "joshua.config")
    offset = 1 + 2 * 4 / math.log(10)
    assert plan.origin["score_offset"] == pytest.approx(offset)
    assert any(f"Joshua's scores are ours plus {offset:.4f}" in one for one in plan.notices)
