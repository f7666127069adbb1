"""Evidence from small forests, and pools that list all derivations of the same forests."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from demotic.forest import Forest, Rows
from demotic.learn import Pool
from demotic.learn.forest_evidence import ForestEvidence
from demotic.metrics import Bleu, BleuOptions, References
from tests.forest.small_forests import NAMES, SmallForest, forest_of
from tests.oracle import forest as oracle


def words_bleu(references: Sequence[str]) -> Bleu:
    """BLEU against references with words such as w0."""
    sentences = [[reference] for reference in references]
    return Bleu(References.from_sentences(sentences), BleuOptions(tokenize="none"))


def evidence_of(
    forests: Sequence[Forest],
    references: Sequence[str],
    covered: Sequence[np.ndarray] | None = None,
) -> ForestEvidence:
    """Evidence of forests whose target word i is w<i>."""
    bleu = words_bleu(references)
    if covered is None:
        covered = [np.zeros(forest.nodes, np.int32) for forest in forests]
    known = tuple(_in_words_of(bleu, forest) for forest in forests)
    return ForestEvidence(known, np.arange(len(forests)), tuple(covered), bleu, NAMES.names)


def _in_words_of(bleu: Bleu, forest: Forest) -> Forest:
    symbols = forest.edge_target.values
    ids = bleu.ids_of([f"w{symbol}" for symbol in symbols.tolist()])
    words = np.where(ids < 0, 1000 + symbols, ids)
    target = Rows(forest.edge_target.offsets, np.where(symbols < 0, symbols, words))
    return replace(forest, edge_target=target)


def enumerated(drawn: Sequence[SmallForest], bleu: Bleu) -> Pool:
    """A pool with every derivation of every forest as a candidate."""
    lists = []
    for sentence, one in enumerate(drawn):
        trees = list(oracle.derivations(one.nodes, one.root))
        if not trees:
            continue
        dense = np.array([_features(one, tree) for tree in trees])
        texts = [" ".join(f"w{w}" for w in oracle.words(tree, one.targets)) for tree in trees]
        lists.append((dense, bleu.statistics(texts, [sentence] * len(texts))))
    return Pool.of(lists, names=NAMES.names) if lists else Pool.of([])


def _features(drawn: SmallForest, tree: oracle.Tree) -> np.ndarray:
    total = np.zeros(len(NAMES))
    for edge in oracle.edges(tree):
        for feature, value in drawn.forest.edge_features[edge].items():
            total[feature] += value
    return total


def separable_evidence(seed: int, *, count: int = 12) -> ForestEvidence:
    """Six words, each right or wrong: the first feature tells which, the second misleads."""
    rng = np.random.default_rng(seed)
    references = [" ".join(f"w{w}" for w in range(6))] + [
        " ".join(f"w{w}" for w in rng.permutation(6)) for _ in range(count - 1)
    ]
    forests = []
    for reference in references:
        words = [int(word[1:]) for word in reference.split()]
        tails: list[list[tuple[int, ...]]] = []
        targets, features = [], []
        for place, word in enumerate(words):
            tails.append([(place - 1,) if place else ()] * 3)
            for choice in range(3):
                targets.append([*([-1] if place else []), word if choice == 0 else 6 + choice])
                right = 1.0 if choice == 0 else 0.0
                features.append({0: right, 1: float(rng.normal()) - right, 2: float(rng.normal())})
        forests.append(forest_of(tails, targets, features))
    covered = [np.arange(1, forest.nodes + 1, dtype=np.int32) for forest in forests]
    return evidence_of(forests, references, covered)
