"""What a Moses client asks for with `sg` and `topt`: the search graph and translation options."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from demotic.serve.refusals import NotSupported

if TYPE_CHECKING:
    from demotic.search import SearchResult

__all__ = ["search_graph", "translation_options"]


def translation_options(record: SearchResult) -> list[dict[str, Any]]:
    """The rules that complete translations use, each span and target once, by span and score."""
    forest, scores = record.forest, record.edge_scores
    names, hiero = list(forest.feature_names), record.decoder.model.kind == "hiero"
    found: dict[tuple[int, int, str], dict[str, Any]] = {}
    columns = (forest.edge_begin.tolist(), forest.edge_end.tolist(), scores.tolist())
    for edge, (begin, end, score) in enumerate(zip(*columns, strict=True)):
        words = forest.edge_target[edge].tolist()
        if begin == end or (hiero and any(word < 0 for word in words)):
            continue  # the goal, or a rule with gaps
        phrase = " ".join(record.spelled([word for word in words if word >= 0]))
        known = found.get((begin, end, phrase))
        if known is None or known["fscore"] < score:
            values = {names[id_]: value for id_, value in forest.edge_features[edge].items()}
            found[begin, end, phrase] = {
                "phrase": phrase,
                "fscore": score,
                "start": begin,
                "end": end - 1,
                "scores": list(values.values()),
                "labelledScores": values,
            }
    return sorted(found.values(), key=lambda one: (one["start"], one["end"], -one["fscore"]))


def search_graph(record: SearchResult) -> list[dict[str, Any]]:
    """One entry per edge of the forest: hypothesis, stack, the one it extends, scores, words."""
    if record.decoder.model.kind != "phrase":
        raise NotSupported("search graphs are those of phrase models; this model is Hiero")
    forest, bins = record.forest, record.bins
    heads = forest.graph.edge_heads().tolist()
    goal = len(bins.bin)
    found: list[dict[str, Any]] = [{"hyp": 0, "stack": 0, "score": 0.0}]
    for edge, head in enumerate(heads):
        tails = forest.tails[forest.tail_offsets[edge] : forest.tail_offsets[edge + 1]].tolist()
        if head == goal:
            continue
        words = [word for word in forest.edge_target[edge].tolist() if word >= 0]
        found.append(
            {
                "hyp": head + 1,
                "stack": int(bins.bin[head]),
                "back": tails[0] + 1 if tails else 0,
                "score": float(bins.score[head]),
                "transition": float(record.edge_scores[edge]),
                "fscore": float(bins.score[head] + bins.future[head]),
                "cover-start": int(forest.edge_begin[edge]),
                "cover-end": int(forest.edge_end[edge]) - 1,
                "out": " ".join(record.spelled(words)),
            }
        )
    return found
