"""The exact output of `demotic weights`."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from demotic import _core
from demotic.cli.main import run
from demotic.features import Templates
from demotic.features.dense import dense_features
from demotic.features.sparse_part import compile_templates
from demotic.features.weights import Weights
from demotic.formats.tables import MOSES_SCORES, TableFile, read_tables
from demotic.model import Model
from demotic.model.file import ModelInfo

TABLE = """\
haus ||| house ||| 0.5 0.5 0.5 0.5
das haus ||| the house ||| 1 1 1 1
银行 ||| bank ||| 1 1 1 1
"""
TEMPLATES = """\
rule
source.first:word target.first:word
source.length source.after:word
"""

DENSE = """\
source_given_target            0.200000
lexical_source_given_target    0.200000
target_given_source            0.200000
lexical_target_given_source    0.200000
word_penalty                  -1.000000
phrase_penalty                 0.200000
distortion                     0.300000
unknown_word                   1.000000
"""

GROUPS = """\
sparse                         1.000000

family         features         mass       mean
ruleid                3        3.500   1.166667
wordedges             4        1.625   0.406250

template                                 features         mass       mean
rule                                            3        3.500   1.166667
source.first:word target.first:word             2        0.375   0.187500
source.after:word source.length                 2        1.250   0.625000
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A model, `plain`, and one with sparse weights, `learned`."""
    monkeypatch.chdir(tmp_path)
    home = Path("plain")
    home.mkdir()
    Path("table").write_text(TABLE, encoding="utf-8")
    vocabulary = _core.VocabularyBuilder()
    read_tables([TableFile(Path("table"), "moses_phrases")], vocabulary, home / "rules.bin")
    vocabulary.finish().save(str(home / "vocabulary.bin"))
    names = dense_features("phrase", MOSES_SCORES, 0)
    model = Model.create(home, ModelInfo(kind="phrase"), Weights.default(names))
    Path("templates").write_text(TEMPLATES, encoding="utf-8")
    templates = Templates.read("templates")
    features = compile_templates(templates, [], model.rules, "phrase")
    words = np.array([model.vocabulary.find(word) for word in ("das", "haus")], np.int32)
    keys = [key for rule in range(3) for key in features.rule_keys(rule).tolist()]
    keys += (
        features.span_keys(words, 2, 0, 1).tolist() + features.span_keys(words, 2, 1, 2).tolist()
    )
    weights = np.array([0.5, -0.25, 1, 0.125, -2, 0, 0.75, -0.5], np.float32)
    _core.store_weights("weights.bin", np.array(keys, np.uint64), weights, features.layout)
    model.derive("learned", sparse="weights.bin", templates=templates, classes=[])
    return tmp_path


TRANSCRIPTS = {
    "weights plain": f"""\
{DENSE}
no sparse features
exit code 0
""",
    "weights learned --top 2": f"""\
{DENSE}{GROUPS}
largest weights
  1.000000  rule=das haus ||| the house
  0.750000  source.after:word=haus source.length=1

smallest weights
 -2.000000  rule=银行 ||| bank
 -0.500000  source.after:word=</s> source.length=1
exit code 0
""",
    "weights learned --top 1 --group": f"""\
{DENSE}{GROUPS}
largest weights of rule
  1.000000  rule=das haus ||| the house

smallest weights of rule
 -2.000000  rule=银行 ||| bank

largest weights of source.first:word target.first:word
  0.125000  source.first:word=das target.first:word=the

smallest weights of source.first:word target.first:word
 -0.250000  source.first:word=haus target.first:word=house

largest weights of source.after:word source.length
  0.750000  source.after:word=haus source.length=1

smallest weights of source.after:word source.length
 -0.500000  source.after:word=</s> source.length=1
exit code 0
""",
    "weights learned --top 0": f"""\
{DENSE}{GROUPS}exit code 0
""",
    "weights nowhere": """\
demotic: error: nowhere: no such directory; expected a directory that demotic make, build, import, \
tune or train has made
exit code 2
""",
    "weights plain --top -1": """\
demotic: error: --top: -1 is not in the range x>=0 (see demotic weights --help)
exit code 2
""",
}


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("command", TRANSCRIPTS)
def test_transcripts(command: str, capfd: pytest.CaptureFixture[str]) -> None:
    code = run(command.split())
    captured = capfd.readouterr()
    assert f"{captured.out}{captured.err}exit code {code}\n" == TRANSCRIPTS[command]
