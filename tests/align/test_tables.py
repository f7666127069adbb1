"""Lexical tables and priors: what a trained aligner gives to other programs and takes from them."""

from __future__ import annotations

import gzip
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from demotic.align import Aligner, AlignOptions
from demotic.align.lexical import lexical_paths, write_lexical_tables
from demotic.align.priors import Priors, count_priors, read_priors, write_priors
from demotic.cli.main import run
from demotic.errors import FormatError
from demotic.text.parallel import ParallelCorpus
from tests.align.texts import invented, parallel, tiny


def test_lexical_tables(tmp_path: Path) -> None:
    corpus = tiny()
    aligner = Aligner(AlignOptions(model="ibm1")).fit(corpus)
    counts = write_lexical_tables(aligner, str(tmp_path / "lex"), 0.001)
    for backward, path in enumerate(lexical_paths(str(tmp_path / "lex"))):
        rows = [line.split(" ") for line in Path(path).read_text().splitlines()]
        assert len(rows) == counts[backward]
        for word, given, probability in rows:
            assert float(probability) >= 0.001
            sides = (word, given) if backward else (given, word)
            ids = [aligner.vocabulary_.find(one) for one in sides]
            if given == "NULL":
                nulls = (aligner.native_.forward_null, aligner.native_.backward_null)[backward]
                wanted = nulls[aligner.vocabulary_.find(word)]
            else:
                wanted = aligner.native_.translation(*ids)[backward]
            assert float(probability) == pytest.approx(wanted, abs=1e-7)
        for given in {row[1] for row in rows}:  # the small ones are missing
            total = sum(float(row[2]) for row in rows if row[1] == given)
            assert total == pytest.approx(1, abs=0.01)


def test_the_verb_writes_tables_of_a_saved_aligner(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("text").write_text("la casa\tthe house\nla flor\tthe flower\ncasa\thouse\n")
    assert run(["align", "text", "--save", "A", "--train-only", "--quiet"]) == 0
    assert run(["align", "--load", "A", "--write-lex", "lex.gz", "--quiet"]) == 0
    rows = gzip.decompress(Path("lex.f2e.gz").read_bytes()).decode().splitlines()
    best = {row.split()[1]: row.split()[0] for row in reversed(rows)}
    assert best["casa"] == "house"
    assert best["flor"] == "flower"
    assert run(["align", "--load", "A", "--write-lex", "lex.gz", "--quiet"]) == 2
    assert run(["align", "--load", "A", "--write-lex", "lex.gz", "--quiet", "--force"]) == 0


def counted_by_hand(aligner: Aligner, corpus: ParallelCorpus) -> Priors:
    """The definition, link by link."""
    ways = [
        Aligner(replace(aligner.options, symmetrize=kind)).adopt(aligner).align(corpus)
        for kind in ("forward", "backward")
    ]
    both = aligner.align(corpus)
    pairs: Counter[tuple[str, str]] = Counter()
    jumps: list[Counter[int]] = [Counter(), Counter()]
    fertilities: list[Counter[tuple[str, int]]] = [Counter(), Counter()]
    for k in range(len(corpus)):
        words = corpus.source[k], corpus.target[k]
        pairs.update((words[0][i], words[1][j]) for i, j in both[k])
        for side in (0, 1):
            links = sorted(ways[side][k], key=lambda link: link[1 - side])
            last = -1
            for link in links:
                jumps[side][link[side] - last] += 1
                last = link[side]
            jumps[side][len(words[side]) - last] += 1
            linked = Counter(link[side] for link in links)
            fertilities[side].update((words[side][at], n) for at, n in linked.items())
    return Priors(*map(dict, (pairs, *jumps, *fertilities)))  # type: ignore[arg-type]


def test_counts_of_priors() -> None:
    corpus = parallel(
        [*((corpus_text(k)) for k in range(40)), ("", "x"), ("a", ""), ("<unk> a a", "x x x")]
    )
    aligner = Aligner().fit(corpus)
    assert count_priors(aligner, corpus) == counted_by_hand(aligner, corpus)


def corpus_text(k: int) -> tuple[str, str]:
    made = invented(40)
    return made.source.text(k), made.target.text(k)


def test_priors_are_read_as_written(tmp_path: Path) -> None:
    corpus = invented(30)
    priors = count_priors(Aligner().fit(corpus), corpus)
    lines = write_priors(tmp_path / "priors", priors)
    assert len((tmp_path / "priors").read_text().splitlines()) == lines
    assert read_priors(tmp_path / "priors") == priors


@pytest.mark.parametrize(
    "line", ["LEX\ta\tb", "LEX\ta\tb\t-1", "HMMF\tx\t1", "WORD\ta\t1", "", "LEX\ta\tb\tinf"]
)
def test_malformed_priors(tmp_path: Path, line: str) -> None:
    (tmp_path / "priors").write_text(f"HMMF\t1\t2\n{line}\n")
    with pytest.raises(FormatError, match="priors line 2: "):
        read_priors(tmp_path / "priors")


def test_pseudo_counts_enter_the_m_step() -> None:
    """One iteration of Model 1 with priors, by the definition."""
    corpus = parallel([("a b", "x y"), ("a", "x")])
    options = AlignOptions(model="ibm1", iterations=1, agree=False, null_probability=0.5)
    priors = Priors({("a", "y"): 2.0, ("b", "x"): 0.5, ("zz", "x"): 9.0, ("b", "q"): 9.0})
    found = Aligner(options).fit(corpus, priors=priors)
    # All translations start equal: a word of a pair with n source words links to each with 0.5 / n.
    expected = {("a", "x"): 0.25 + 0.5, ("a", "y"): 0.25, ("b", "x"): 0.25, ("b", "y"): 0.25}
    for pair in expected:
        expected[pair] += priors.pairs.get(pair, 0.0)
    for (source, target), count in expected.items():
        total = sum(c for (s, _), c in expected.items() if s == source)
        ids = found.vocabulary_.find(source), found.vocabulary_.find(target)
        assert found.native_.translation(*ids)[0] == pytest.approx(count / total, abs=1e-6)


def test_no_priors_change_nothing() -> None:
    corpus = invented(50)
    plain = Aligner().fit(corpus)
    assert plain.digest() == Aligner().fit(corpus, priors=Priors()).digest()
    jumps = Aligner().fit(corpus, priors=Priors(forward_jumps={-1: 1e6, 40: 1.0}))
    backwards = jumps.native_.jumps(False)
    assert backwards[9] == max(backwards)  # a step back is now the most likely jump
    assert jumps.native_.jumps(True) != plain.native_.jumps(True)


def test_priors_help_a_small_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two words that always occur together are told apart by another text."""
    monkeypatch.chdir(tmp_path)
    Path("small").write_text("uno dos\ttwo one\n" * 3)
    Path("other").write_text("uno\tone\n" * 5 + "dos\ttwo\n" * 5)
    assert run(["align", "other", "--write-priors", "P", "--train-only", "--quiet"]) == 0
    assert run(["align", "small", "-o", "without", "--quiet"]) == 0
    assert run(["align", "small", "--priors", "P", "-o", "with", "--quiet"]) == 0
    assert Path("without").read_text() == "0-0 1-1\n" * 3
    assert Path("with").read_text() == "0-1 1-0\n" * 3


def test_eflomal_counts_and_reads_the_same_priors(tmp_path: Path) -> None:
    eflomal = pytest.importorskip("eflomal", reason="eflomal is not installed (the bench group)")
    corpus = invented(60)
    aligner = Aligner(AlignOptions(symmetrize="forward")).fit(corpus)
    ours = count_priors(aligner, corpus)
    ways = [
        Aligner(AlignOptions(symmetrize=kind)).adopt(aligner).align(corpus).format().tolist()
        for kind in ("forward", "backward")  # type: ignore[arg-type]
    ]
    texts = [side.lines().tolist() for side in (corpus.source, corpus.target)]
    pairs, *others = eflomal.calculate_priors(*texts, *ways)
    jumps, fertilities = others[:2], others[2:]
    assert ours == Priors(*map(dict, (pairs, *jumps, *fertilities)))
    write_priors(tmp_path / "ours", ours)
    with open(tmp_path / "ours", encoding="utf-8") as file:
        read_pairs, *read_jumps, _, _ = eflomal.read_priors(file)
    assert {(s, t): count for s, t, count in read_pairs} == ours.pairs
    assert read_jumps == [ours.forward_jumps, ours.backward_jumps]
    with open(tmp_path / "theirs", "w", encoding="utf-8") as file:
        eflomal.write_priors(file, pairs, *jumps, *fertilities)
    assert read_priors(tmp_path / "theirs") == ours
    assert (tmp_path / "theirs").read_text() == (tmp_path / "ours").read_text()
