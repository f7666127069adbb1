#include "demotic/forest/decision.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "demotic/forest/viterbi.h"
#include "demotic/metrics/sentence_bleu.h"

namespace demotic::forest {
namespace {

// The n-grams of a sentence, by number, without those that the table does not hold.
void find_ngrams(const NgramTable& table, std::span<const int32_t> words,
                 std::vector<int32_t>& ngrams) {
  ngrams.clear();
  for (size_t begin = 0; begin < words.size(); ++begin) {
    int32_t ngram = 0;
    for (size_t i = begin; i < std::min(words.size(), begin + NgramTable::kOrder); ++i) {
      ngram = table.find(ngram, words[i]);
      if (ngram == 0) break;
      ngrams.push_back(ngram);
    }
  }
}

}  // namespace

std::vector<int32_t> minimum_risk(const NgramForest& forest, std::span<const double> counts,
                                  const RiskOptions& options) {
  std::array<double, NgramTable::kOrder + 1> factors{};
  for (int32_t n = 1; n <= NgramTable::kOrder; ++n)
    factors[n] = 1 / (NgramTable::kOrder * options.precision * std::pow(options.ratio, n - 1));
  std::vector<double> values(counts.size());
  for (size_t ngram = 1; ngram < counts.size(); ++ngram)
    values[ngram] =
        std::min(counts[ngram], 1.0) * factors[forest.table().words(static_cast<int32_t>(ngram))];
  values[0] = -1;
  const std::vector<Best::Value> best = viterbi(forest.graph(), forest.edge_values(values));
  std::vector<int32_t> edges = best_derivation(forest.graph(), best, forest.graph().root());
  for (int32_t& edge : edges) edge = forest.edges()[edge];
  return edges;
}

std::vector<double> consensus_gains(const NgramTable& table, std::span<const double> counts,
                                    const CsrView<int32_t>& yields) {
  std::vector<double> gains(yields.size());
  std::vector<int32_t> ngrams;
  for (size_t i = 0; i < yields.size(); ++i) {
    find_ngrams(table, yields[i], ngrams);
    std::ranges::sort(ngrams);
    std::array<double, NgramTable::kOrder> matches{};
    for (auto begin = ngrams.begin(); begin != ngrams.end();) {
      const auto end = std::upper_bound(begin, ngrams.end(), *begin);
      matches[table.words(*begin) - 1] +=
          std::min(static_cast<double>(end - begin), counts[*begin]);
      begin = end;
    }
    gains[i] = bleu_plus_one(matches, static_cast<double>(yields[i].size()), counts[0]);
  }
  return gains;
}

}  // namespace demotic::forest
