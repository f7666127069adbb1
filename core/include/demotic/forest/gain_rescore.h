// What every edge of a forest adds to pseudo-document BLEU (Chiang, Marton & Resnik 2008, 2.3-2.4):
// from the bottom up each node keeps the derivation that is best by a mix of score and gain, with
// its length, its unclipped n-gram matches and the words at its ends that longer n-grams need.
//
//   B(node) = (O_f + covered words) * BLEU(O + counts), reference length in proportion to covered
//   gain(edge) = B(edge with its tails' choices) - sum of B(tails)      each B less B(nothing)
//
// Along the derivation that the nodes have chosen the gains add up to B of its words exactly; for
// others they are an approximation, since a node is never split by its words. With one number an
// edge, Viterbi and k-best under `score_factor * score + gain_factor * gain` find hope and fear.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "demotic/base/stop.h"
#include "demotic/forest/hypergraph.h"
#include "demotic/forest/targets.h"
#include "demotic/metrics/reference_ngrams.h"

namespace demotic::forest {

struct GainContext {
  std::span<const double> background;  // O: matches and totals of 1 to 4 words, reference length
  double background_source = 0;        // O_f: source words of the background
  double reference_length = 0;         // of the whole sentence
  double gain_factor = 1;              // how much the gain counts in the choice at a node
  double score_factor = 1;
};

// `covered` source words of every node; that of the root is the whole sentence. Words of `targets`
// are those of the table. One gain an edge, 0 where it is in no derivation. Linear time.
std::vector<double> gain_rescore(const HypergraphView& graph, const TargetSides& targets,
                                 std::span<const double> scores, std::span<const int32_t> covered,
                                 const ReferenceNgramsView& references, const GainContext& context,
                                 const StopFlag& stop);

}  // namespace demotic::forest
