"""Groups of Hiero search as candidate lists, against the record of the same search."""

from __future__ import annotations

import numpy as np
import pytest

from demotic.features.weights import Weights
from demotic.model import Model
from demotic.search import Decoder
from demotic.search.record import SearchResult
from tests.search.small_models import pairs, prepared_model


@pytest.fixture(scope="module")
def decoder(tmp_path_factory: pytest.TempPathFactory) -> Decoder:
    model: Model = prepared_model(tmp_path_factory.mktemp("models"), "hiero")
    return model.decoder()


LINES = [source.lower().replace(".", " .") for source, _ in pairs()[::5]]
LINES += ["", "ganz unbekannt", "das haus das buch das kind ist klein . ich sehe das mädchen ."]


def words_of(result: SearchResult, node: int) -> list[str]:
    """Of the best derivation of a node: its first edge is its best."""
    forest = result.forest
    edge = int(forest.edge_offsets[node])
    tails = forest.tails[forest.tail_offsets[edge] : forest.tail_offsets[edge + 1]]
    words: list[str] = []
    for symbol in forest.edge_target[edge].tolist():
        if symbol < 0:
            words += words_of(result, int(tails[-symbol - 1]))
        else:
            words += result.spelled([symbol])
    return words


def best_pieces(result: SearchResult) -> dict[tuple[int, int], tuple[float, int]]:
    """Score and node of the best piece of every span; glue is none."""
    bins, found = result.bins, {}
    for node in np.flatnonzero(bins.alive).tolist():
        number = int(bins.bin[node])
        span = int(bins.begin[number]), int(bins.end[number])
        score = float(bins.score[node])
        if bins.label[number] >= 0 and score > found.get(span, (-np.inf, 0))[0]:
            found[span] = score, node
    return found


def surroundings(result: SearchResult, begin: int, end: int) -> list[str]:
    """The best concatenation of pieces for words [begin, end), by trying all first pieces."""
    pieces = best_pieces(result)

    def best(at: int) -> tuple[float, list[str]]:
        if at == end:
            return 0.0, []
        ways = []
        for (first, last), (score, node) in pieces.items():
            if first == at and last <= end:
                rest, words = best(last)
                ways.append((score + rest, words_of(result, node) + words))
        return max(ways, key=lambda way: way[0], default=(-np.inf, []))

    return best(begin)[1]


@pytest.mark.parametrize("potential", [False, True])
def test_lists_are_the_groups_of_the_search(decoder: Decoder, potential: bool) -> None:
    source = decoder.sentences(LINES)
    kind = "potential" if potential else "partial"
    _, lists = decoder.candidates(source, bins=kind, threads=2)
    texts = lists.texts(source)
    features = lists.features.reshape(len(lists.scores), -1)
    # float32 of the search against float64 of the features.
    np.testing.assert_allclose(features @ decoder.weights.array, lists.scores, atol=1e-4)
    results = decoder.search(LINES, record="bins")
    place = 0
    for sentence, result in enumerate(results):
        length, bins = len(LINES[sentence].split()), result.bins
        expected = [n for n in bins.numbers if bins.alive[bins.members(n)].any()]
        mine = np.flatnonzero(lists.sentence == sentence)
        assert len(mine) == len(expected) * (length > 0)
        for number, one in zip(expected, mine.tolist(), strict=False):
            assert one == place
            place += 1
            begin, end = int(bins.begin[number]), int(bins.end[number])
            nodes = [n for n in bins.members(number).tolist() if bins.alive[n]]
            rows = range(lists.offsets[one], lists.offsets[one + 1])
            assert lists.covered[one] == end - begin
            whole = one == mine[-1]
            before, after = [], []
            if potential and not whole:
                before = surroundings(result, 0, begin)
                after = surroundings(result, end, length)
            found = [texts[row].split() for row in rows]
            assert found == [before + words_of(result, node) + after for node in nodes]
            scores = bins.score[nodes] + (bins.future[nodes] if whole else 0)
            np.testing.assert_allclose(lists.scores[rows], scores, atol=1e-4)


def test_numbers_of_groups_are_their_own_and_the_same_for_other_weights(decoder: Decoder) -> None:
    source = decoder.sentences(LINES)
    _, lists = decoder.candidates(source, bins="potential")
    keys = list(zip(lists.sentence.tolist(), lists.bin.tolist(), strict=True))
    assert len(set(keys)) == len(keys)
    assert lists.bin.min() >= 1
    known = dict(zip(keys, lists.covered.tolist(), strict=True))
    other = decoder.model.decoder(
        weights=Weights(decoder.weights.index, -0.1 * decoder.weights.array)
    )
    _, again = other.candidates(other.sentences(LINES), bins="potential")
    for key, covered in zip(
        zip(again.sentence.tolist(), again.bin.tolist(), strict=True),
        again.covered.tolist(),
        strict=True,
    ):
        assert known.get(key, covered) == covered


def test_threads_change_nothing(decoder: Decoder) -> None:
    source = decoder.sentences(LINES)
    one, two = (
        decoder.candidates(source, bins="potential", threads=threads)[1] for threads in (1, 3)
    )
    assert one.texts(source) == two.texts(source)
    assert one.features.tobytes() == two.features.tobytes()
