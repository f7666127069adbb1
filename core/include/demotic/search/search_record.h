// What a search leaves behind for those who look into it or learn from it: a forest whose nodes are
// the hypotheses, and the bins in which they competed. Tails come before heads; the goal is the
// last node, and its edges carry the end of the sentence.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "demotic/base/csr.h"
#include "demotic/rules/symbols.h"

namespace demotic::search {

enum class RecordKind : uint8_t {
  kForest,  // what complete derivations use
  kBins,    // everything that entered a bin
};

struct SearchRecord {
  static constexpr int32_t kCopied = -1, kGlue = -2;  // in edge_rule; the goal counts as glue

  // The hypergraph.
  std::vector<int32_t> edge_offsets{0}, tail_offsets{0}, tails;
  // Of the edges. A target side has words, and -(i + 1) where the words of tail i go.
  std::vector<int32_t> edge_rule, edge_begin, edge_end;
  Csr<Symbol> edge_target;
  Csr<int32_t> feature_ids;  // ascending, without zeros
  std::vector<double> feature_values;
  // Of the nodes, the goal included.
  std::vector<int32_t> node_bin;      // phrases: source words covered; Hiero: number of the bin
  std::vector<float> node_score;      // as the search had them: before and
  std::vector<float> node_future;     // beyond the hypothesis
  std::vector<uint8_t> node_alive;    // survived in its bin
  std::vector<uint8_t> node_reaches;  // is part of a complete derivation
  // Hiero: the nonterminal (-1 for glue) and the span of each bin.
  std::vector<int32_t> bin_label, bin_begin, bin_end;
  // The best monotone translation of words [i, j), at row i * (length + 1) + j; if asked for.
  Csr<Symbol> monotone;
  std::vector<float> monotone_score;
  bool fell_back = false;  // see PhraseSearch::monotone and HieroSearch::fell_back
};

// Writes a record edge by edge and node by node.
class RecordBuilder {
 public:
  explicit RecordBuilder(int32_t features) : values_(features) {}

  // An edge into the node that is ended next: begin it, fill target and values, add tails, end it.
  void begin_edge(int32_t rule, int32_t begin, int32_t end) {
    record.edge_rule.push_back(rule);
    record.edge_begin.push_back(begin);
    record.edge_end.push_back(end);
  }
  std::vector<Symbol>& target() noexcept { return record.edge_target.values; }
  std::span<double> values() noexcept { return values_; }  // by feature, all 0 at first
  void add_tail(int32_t node) { record.tails.push_back(node); }
  void end_edge() {
    record.tail_offsets.push_back(static_cast<int32_t>(record.tails.size()));
    record.edge_target.end_row();
    for (size_t i = 0; i < values_.size(); ++i) {
      if (values_[i] == 0) continue;
      record.feature_ids.values.push_back(static_cast<int32_t>(i));
      record.feature_values.push_back(values_[i]);
      values_[i] = 0;
    }
    record.feature_ids.end_row();
  }
  // The node's number.
  int32_t end_node(int32_t bin, float score, float future, bool alive, bool reaches) {
    record.edge_offsets.push_back(static_cast<int32_t>(record.edge_rule.size()));
    record.node_bin.push_back(bin);
    record.node_score.push_back(score);
    record.node_future.push_back(future);
    record.node_alive.push_back(alive);
    record.node_reaches.push_back(reaches);
    return static_cast<int32_t>(record.node_bin.size()) - 1;
  }

  SearchRecord record;

 private:
  std::vector<double> values_;
};

}  // namespace demotic::search
