// What every edge of a forest adds to pseudo-document BLEU (Chiang, Marton & Resnik 2008, sections
// 2.3 and 2.4): bottom-up, each node keeps the derivation that is best by a mixture of score and
// gain, with its length, its unclipped n-gram matches and the boundary words needed by longer
// n-grams.
//
//   B(node) = (O_f + covered words) * BLEU(O + counts), reference length in proportion to covered
//   gain(edge) = B(edge with its tails' choices) - sum of B(tails)      each B less B(nothing)
//
// Along the derivations chosen by the nodes, the gains add up to B of their words exactly; for
// others they are an approximation, since nodes are not split by boundary words. With one number
// per edge, Viterbi and k-best under `score_factor * score + gain_factor * gain` find hope and
// fear.
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
  double gain_factor = 1;              // weight of the gain in the choice at a node
  double score_factor = 1;
};

// `covered` is the number of source words covered by every node; the root covers the sentence.
// Words of `targets` are ids of the reference table. One gain per edge, 0 if it is in no
// derivation. Linear time.
std::vector<double> gain_rescore(const HypergraphView& graph, const TargetSides& targets,
                                 std::span<const double> scores, std::span<const int32_t> covered,
                                 const ReferenceNgramsView& references, const GainContext& context,
                                 const StopFlag& stop);

}  // namespace demotic::forest
