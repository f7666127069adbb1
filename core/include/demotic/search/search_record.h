// The record of a search, for inspection and learning: a forest whose nodes are the hypotheses, and
// the bins in which they competed. Tails come before heads. The goal is the last node; its edges
// carry the end of the sentence.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "demotic/base/csr.h"
#include "demotic/rules/symbols.h"
#include "demotic/search/kinds.h"
#include "demotic/search/step_parts.h"

namespace demotic::search {

enum class RecordKind : uint8_t {
  kForest,  // only what complete derivations use
  kBins,    // everything that entered a bin
};

struct SearchRecord {
  // Values of edge_rule; the goal counts as glue. An option given by the user has kGiven minus its
  // number of target words.
  static constexpr int32_t kCopied = -1, kGlue = -2, kGiven = -4;

  // The hypergraph.
  std::vector<int32_t> edge_offsets{0}, tail_offsets{0}, tails;
  // Per edge. A target side consists of words, and -(i + 1) in place of tail i.
  std::vector<int32_t> edge_rule, edge_begin, edge_end;
  Csr<Symbol> edge_target;
  Csr<int32_t> feature_ids;  // ascending, without zeros
  std::vector<double> feature_values;
  // If requested: the parts of each edge (see StepParts), the keys of each part, and their values
  // unless all are 1.
  Csr<int32_t> edge_parts;
  Csr<FeatureKey> part_keys;
  std::vector<double> part_values;
  // Per node, including the goal.
  std::vector<int32_t> node_bin;      // phrases: source words covered; Hiero: number of the bin
  std::vector<float> node_score;      // score so far, in the search's precision
  std::vector<float> node_future;     // estimate of the rest, likewise
  std::vector<uint8_t> node_alive;    // survived pruning
  std::vector<uint8_t> node_reaches;  // part of a complete derivation
  // Hiero: nonterminal (-1 for glue) and span of each bin.
  std::vector<int32_t> bin_label, bin_begin, bin_end;
  // The best monotone translation of words [i, j), at row i * (length + 1) + j; if requested.
  Csr<Symbol> monotone;
  std::vector<float> monotone_score;
  bool fell_back = false;  // see BinSearch::fell_back
};

// The encoding of a rule or a special step in edge_rule.
inline int32_t recorded_rule(RuleId rule) noexcept {
  if (is_copy(rule)) return SearchRecord::kCopied;
  if (is_given(rule)) return SearchRecord::kGiven - given_words(rule);
  return is_glue(rule) ? SearchRecord::kGlue : static_cast<int32_t>(rule);
}

// The record of the last search, which must have been recorded. The empty hypothesis of phrase
// search is not a node: phrases that follow it have no tail. With `parts`, which must be of
// `steps`, the edges have parts, but their keys are left to the caller.
template <typename Kind>
SearchRecord record_of(const typename Kind::Steps& steps, RecordKind kind,
                       StepParts<typename Kind::Steps>* parts = nullptr);

// Adds the best monotone translation of every span.
void add_monotone(const PhraseSteps& steps, SearchRecord& record);

}  // namespace demotic::search
