// What a phrase search leaves behind for those who look into it or learn from it: a forest whose
// nodes are the hypotheses, and the bins in which they competed.
//
// The empty hypothesis is no node: phrases that follow it have no tail. The goal is the last node;
// its edges carry the end of the sentence. Nodes stand in the order of their bins, so tails come
// before heads.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "demotic/base/csr.h"
#include "demotic/search/phrase_search.h"

namespace demotic {

enum class RecordKind : uint8_t { kForest, kBins };

struct SearchRecord {
  static constexpr int32_t kCopied = -1, kGoal = -2;  // in edge_rule

  // The hypergraph.
  std::vector<int32_t> edge_offsets{0}, tail_offsets{0}, tails;
  // Of the edges. A target side has words, and -1 where the tail's words go.
  std::vector<int32_t> edge_rule, edge_begin, edge_end;
  Csr<Symbol> edge_target;
  Csr<int32_t> feature_ids;  // ascending, without zeros
  std::vector<double> feature_values;
  // Of the nodes, the goal included.
  std::vector<int32_t> node_bin;      // source words covered
  std::vector<float> node_score;      // as the search had them: before and
  std::vector<float> node_future;     // beyond the hypothesis
  std::vector<uint8_t> node_alive;    // survived in its bin
  std::vector<uint8_t> node_reaches;  // is part of a complete derivation
  // The best monotone translation of words [i, j), at row i * (length + 1) + j; if asked for.
  Csr<Symbol> monotone;
  std::vector<float> monotone_score;
  bool fell_back = false;  // see PhraseSearch::monotone
};

// kForest keeps what complete derivations use, kBins everything that entered a bin.
SearchRecord record_of(const PhraseModel& model, PhraseSearch& search,
                       std::span<const WordId> source, RecordKind kind, bool monotone);

}  // namespace demotic
