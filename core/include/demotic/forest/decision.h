// Which derivation of a forest to choose, given how probable its n-grams are.
//
// Minimum Bayes risk (Tromble et al. 2008; over forests Kumar et al. 2009): the derivation with the
// highest expected gain under the linear approximation of BLEU,
//
//   G(y) = -|y| + sum over n-grams w of y, n = 1 to 4, of p(w) / (4 p r^(n-1)),
//
// where p(w) is the probability that a translation contains w: its expected count, at most 1.
// `precision` p and `ratio` r are the assumed unigram precision and the ratio of precisions of
// successive orders.
//
// Consensus (DeNero, Chiang & Knight 2009): of a list of translations the one with the best BLEU
// against expected counts in place of those of a reference.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "demotic/forest/ngram_forest.h"

namespace demotic::forest {

struct RiskOptions {
  double precision = 0.85;
  double ratio = 0.72;
};

// The edges, in pre-order, of the best derivation of the original forest; none if there is none.
// `counts` are those of `NgramForest::expected_counts`.
std::vector<int32_t> minimum_risk(const NgramForest& forest, std::span<const double> counts,
                                  const RiskOptions& options);

// For every row of words, BLEU+1 against expected counts: matches are clipped at them, and the
// brevity penalty compares with the expected length.
std::vector<double> consensus_gains(const NgramTable& table, std::span<const double> counts,
                                    const CsrView<int32_t>& yields);

}  // namespace demotic::forest
