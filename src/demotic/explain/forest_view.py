"""The likely part of a forest, as values and as a drawing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from demotic.report.forest_drawing import DrawnEdge, DrawnNode, forest_drawing

if TYPE_CHECKING:
    from demotic.forest import Forest
    from demotic.report.markup import Html
    from demotic.search import SearchResult

__all__ = ["drawn_forest", "forest_values", "likely_part"]


def likely_part(result: SearchResult, edges: int) -> Forest:
    """The edges of the best derivations, about this many, at least those of the best one."""
    forest = result.forest
    best = len(forest.viterbi(result.edge_scores)[0])
    return forest.prune(result.edge_scores, density=max(1.0, edges / max(1, best)))


def drawn_forest(result: SearchResult, part: Forest, scale: float = 1.0) -> Html:
    """Posteriors are those of the part, with scores multiplied by `scale`."""
    scores = part.scores(result.decoder.weights)
    scaled = scale * scores
    by_edge, by_node = part.edge_posteriors(scaled), part.node_posteriors(scaled)
    best_edges = set(part.viterbi(scores)[0].tolist())
    heads = part.graph.edge_heads().tolist()
    best_nodes = {heads[edge] for edge in best_edges}
    covered = result.covered(part).tolist()
    nodes = [
        DrawnNode(
            covered[i] + (i == part.nodes - 1),
            _name(result, part, i),
            float(min(1.0, by_node[i])),
            i in best_nodes,
            f"{_name(result, part, i)}\nposterior {by_node[i]:.3f}",
        )
        for i in range(part.nodes)
    ]
    edges = []
    for edge, head in enumerate(heads):
        label = _label(result, part, edge)
        tails = part.tails[part.tail_offsets[edge] : part.tail_offsets[edge + 1]].tolist()
        source = " ".join(result.source[part.edge_begin[edge] : part.edge_end[edge]])
        hover = (
            f"{source} → {label or '(nothing)'}\nscore {scores[edge]:+.3f}, "
            f"posterior {by_edge[edge]:.3f}"
        )
        posterior = float(min(1.0, by_edge[edge]))
        edges.append(DrawnEdge(head, tails, label, posterior, edge in best_edges, hover))
    return forest_drawing(nodes, edges, one_start=result.decoder.model.kind == "phrase")


def _name(result: SearchResult, part: Forest, node: int) -> str:
    if node == part.nodes - 1:
        return "end"
    return result.bin_name(int(part.node_bin[node]))


def _label(result: SearchResult, part: Forest, edge: int) -> str:
    symbols = part.edge_target[edge].tolist()
    phrase = result.decoder.model.kind == "phrase"
    if phrase:
        return " ".join(result.spelled([symbol for symbol in symbols if symbol >= 0]))
    return " ".join(result.spelled([s])[0] if s >= 0 else f"[{-s}]" for s in symbols)


def forest_values(result: SearchResult, part: Forest) -> dict[str, Any]:
    """Sizes, for the caption and for JSON."""
    return {
        "nodes": result.forest.nodes,
        "edges": result.forest.edges,
        "derivations": _count(result.forest.number_of_derivations),
        "shown_nodes": part.nodes,
        "shown_edges": part.edges,
    }


def _count(number: float) -> float | str:
    return number if np.isfinite(number) and number < 2**53 else f"{number:.3g}"
