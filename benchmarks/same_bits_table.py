"""The commands whose results `same_bits` records: one row per command.

Commands run inside the folder of their task and kind, with paths relative to it: `../train.src`,
`../dev.src`, ... are the texts of the task.  These words stand for several arguments:

    {refs}     --ref ../dev.ref0 --ref ../dev.ref1 ... (every reference of the tuning set)
    {dev}      --dev-src ../dev.src --dev-ref ../dev.ref0 ...
    {test}     --ref ../test.ref0 ... (every reference of the test set)
    {outputs}  translations and n-best list in files named after the row
    {forests}  the same, and the forests
    {kind}     phrase or hiero
"""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["IMPORTED", "KINDS", "MODELS", "TEXTS", "Row", "rows"]

KINDS = ("phrase", "hiero")
TEXTS = "texts"


@dataclass(frozen=True)
class Row:
    """A command line of `demotic`; the artefacts that it leaves are named after the row."""

    name: str
    command: str
    quick: bool = False
    """Part of --quick as well."""
    kinds: tuple[str, ...] = KINDS


_PHRASE, _HIERO = ("phrase",), ("hiero",)

_BUILD = "build --src ../train.src --tgt ../train.tgt"
_SMALL = "build --src ../small.src --tgt ../small.tgt"
# Keep the last weights: on so small a set the initial ones may score best.
_TUNE = "tune model --src ../dev.src {refs} --rounds 2 --keep last --beam 30 --pop-limit 60 --json"
_TRAIN = (
    "train small --src ../small.src --tgt ../small.tgt {dev} --beam 30 --pop-limit 60"
    " --epochs 1 --keep last --json"
)
_FORCE = "force small --src ../small.src --ref ../small.tgt --json"

# Every tuning method, on k-best lists and, where it can, search-aware.
_TUNED = (
    Row("mira", f"{_TUNE} --method mira", quick=True),
    Row("mert", f"{_TUNE} --method mert --option restarts=3", quick=True),
    Row("pro", f"{_TUNE} --method pro"),
    Row("rampion", f"{_TUNE} --method rampion"),
    Row("rm", f"{_TUNE} --method rm --option sweeps=10"),
    Row("rm-cp", f"{_TUNE} --method rm-cp --option sweeps=5"),
    Row("hgmert", f"{_TUNE} --method hgmert", quick=True),
    Row("forest-mira", f"{_TUNE} --method forest-mira", quick=True),
    Row("mira-potential", f"{_TUNE} --method mira --search-aware potential", quick=True),
    Row("mira-partial", f"{_TUNE} --method mira --search-aware partial --bin-weight equal"),
    Row("mert-potential", f"{_TUNE} --method mert --option restarts=3 --search-aware potential"),
    Row("mert-partial", f"{_TUNE} --method mert --option restarts=3 --search-aware partial"),
    Row("pro-potential", f"{_TUNE} --method pro --search-aware potential --max-words 12"),
    Row("pro-partial", f"{_TUNE} --method pro --search-aware partial --max-words 12"),
    Row("rampion-potential", f"{_TUNE} --method rampion --search-aware potential"),
    Row("rm-potential", f"{_TUNE} --method rm --option sweeps=5 --search-aware potential"),
    Row("rm-cp-potential", f"{_TUNE} --method rm-cp --option sweeps=2 --search-aware potential"),
    Row("mira-two-runs", f"{_TUNE} --method mira --runs 2 --seed 7 --ref-length shortest"),
    Row("mira-shards", f"{_TUNE} --method mira --option shards=4 --option scheme=shared"),
)

_SPARSE = "--features default"
_DENSE = "--features none --dense-rate 0.1"

# Every update rule, with dense and sparse features, and every way to hold out pairs.
_TRAINED = (
    Row("max-violation", f"{_TRAIN} {_SPARSE} --held-out none", quick=True),
    Row("max-violation-folds", f"{_TRAIN} {_SPARSE} --epochs 2 --folds 3 --batch 8"),
    Row("early", f"{_TRAIN} {_DENSE} --method early --held-out leave-one-out", kinds=_PHRASE),
    Row("standard", f"{_TRAIN} {_DENSE} --method standard --held-out none"),
    Row("local", f"{_TRAIN} {_DENSE} --method local --held-out leave-one-out --combine sum"),
    Row("skip", f"{_TRAIN} --features wordedges --method skip --held-out none --no-balance"),
    Row("dense-rms", f"{_TRAIN} {_DENSE} --dense-scale rms --held-out none --no-average"),
    Row(
        "prefixes",
        f"{_TRAIN} --features wordedges --prefixes --compare-by score --dead-ends bad"
        " --held-out none",
        kinds=_PHRASE,
    ),
    Row("nonlocal", f"{_TRAIN} --features nonlocal --held-out none", kinds=_PHRASE),
)

_NARROW = "translate model ../few.src {forests} --beam 20 --pop-limit 40"

_ALL_HIERO = "--no-cube-pruning --beam 5 --rule-limit 3 --span-limit 6"

_SEARCHES = (
    Row("search", "translate model ../test.src {outputs}", quick=True),
    Row("search-forests", "translate model ../few.src {forests}", quick=True),
    Row("search-narrow", f"{_NARROW} --beam-threshold 2"),
    Row("search-distinct", f"{_NARROW} --distinct --alignment"),
    Row(
        "search-all",
        "translate model ../few.src {forests} --no-cube-pruning --beam 20",
        kinds=_PHRASE,
    ),
    # Without cube pruning Hiero examines every pair of hypotheses: small spans, few rules.
    Row("search-all-small", f"{_NARROW} {_ALL_HIERO}", kinds=_HIERO),
    Row("search-rules", f"{_NARROW} --rule-limit 3"),
    Row("search-monotone", f"{_NARROW} --distortion-limit 0", kinds=_PHRASE),
    Row("search-unlimited", f"{_NARROW} --distortion-limit -1", kinds=_PHRASE),
    Row("search-no-gap-test", f"{_NARROW} --distortion-limit 3 --no-gap-test", kinds=_PHRASE),
    Row("search-early", f"{_NARROW} --early-distortion", kinds=_PHRASE),
    Row("search-drop", f"{_NARROW} --drop-unknown", kinds=_PHRASE),
    Row("search-spans", f"{_NARROW} --span-limit 6", kinds=_HIERO),
)

_VARIANTS = (
    Row("backward", f"{_SMALL} -o backward --reordering backward --order 2", kinds=_PHRASE),
    Row("search-backward", "translate backward ../few.src {forests}", kinds=_PHRASE),
    Row("bare", f"{_SMALL} -o bare --reordering none --max-phrase 3", kinds=_PHRASE),
    Row("search-bare", "translate bare ../few.src {forests}", kinds=_PHRASE),
    *(
        row
        for features in ("c08", "e13", "z14")
        for row in (
            Row(
                features, f"{_SMALL} --kind hiero -o {features} --features {features}", kinds=_HIERO
            ),
            Row(f"search-{features}", f"translate {features} ../few.src {{forests}}", kinds=_HIERO),
        )
    ),
)

_AFTER = (
    Row("scores", "evaluate search.out {test} --metric bleu,ter,chrf,chrf++ --json", quick=True),
    Row("search-tuned", "translate mira ../test.src {outputs}", quick=True),
    Row("search-trained", "translate max-violation ../few.src {forests}", quick=True),
    Row("weights-trained", "weights max-violation --top 1000 --group --json", quick=True),
    Row("weights-folds", "weights max-violation-folds --top 1000 --group --json"),
    Row(
        "tuned-again",
        "tune max-violation --src ../dev.src {refs} --rounds 1 --keep last --beam 30"
        " --pop-limit 60 --json -o tuned-again",
    ),
    Row("explained", "explain mira {sentence} --nbest 5 --json"),
)

_FORCED = (
    Row("forced", f"{_FORCE} -o forced --texts", quick=True),
    Row("forced-leave-one-out", f"{_FORCE} -o forced-leave-one-out --leave-one-out"),
    Row(
        "forced-prefixes",
        f"{_FORCE} -o forced-prefixes --leave-one-out --prefixes maximal"
        " --distortion-limits 0,3,-1 --texts",
        kinds=_PHRASE,
    ),
    Row("forced-spans", f"{_FORCE} -o forced-spans --span-limit 8", kinds=_HIERO),
    Row("forced-dev", "force model --src ../dev.src {refs} -o forced-dev --json"),
)

_BUILT = (
    Row("model", f"{_BUILD} --kind {{kind}} -o model --json", quick=True),
    Row("small", f"{_SMALL} --kind {{kind}} -o small --json", quick=True),
)

# What does not depend on the kind of model; these run once per task.
_TEXT = (
    Row("links-hmm", "align ../small.src ../small.tgt -o links-hmm", quick=True),
    Row("links-ibm1", "align ../small.src ../small.tgt -o links-ibm1 --model ibm1"),
    Row("links-diagonal", "align ../small.src ../small.tgt -o links-diagonal --model diagonal"),
    Row("lm", "lm ../train.tgt -o lm.arpa --order 4 --quiet"),
    Row("lm-query", "lm-query lm.arpa ../test.ref0 --quiet"),
)


def rows(kind: str, *, quick: bool) -> list[Row]:
    """The rows, each after those whose results it uses; `kind` is a kind of model or TEXTS."""
    if kind == TEXTS:
        every: tuple[Row, ...] = _TEXT
    else:
        named = (*(_named(row) for row in (*_TUNED, *_TRAINED)),)
        every = (*_BUILT, *_SEARCHES, *_VARIANTS, *_FORCED, *named, *_AFTER)
        every = tuple(row for row in every if kind in row.kinds)
    return [row for row in every if row.quick or not quick]


def _named(row: Row) -> Row:
    """Tuned and trained models are written to a folder named after the row."""
    return Row(row.name, f"{row.command} -o {row.name}", row.quick, row.kinds)


# Models of other toolkits, by name: below `models` of the data folder their home and in it the
# configuration, the sentences and where its tables are.
MODELS = {
    f"moses-{name}": (
        "moses",
        f"tests/phrase.{test}/moses.ini",
        f"tests/phrase.{test}/to-translate.txt",
        "models",
    )
    for name, test in (
        ("early", "early-distortion-cost.kenlm"),
        ("lexicalized", "lexicalized-reordering"),
        ("alignment", "nbest-with-alignment"),
    )
} | {"joshua": ("joshua/bn-en-hiero", "joshua.config", "input.bn", ".")}

IMPORTED = (
    Row("model", "import {config} --look-in {folder} -o model --quiet --json", quick=True),
    Row("search", "translate model source.txt {forests} --alignment", quick=True),
    Row("search-narrow", "translate model source.txt {forests} --beam 20 --pop-limit 40"),
)
