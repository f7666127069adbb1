// The best gold derivation of every bin N[i:j] that has one: Viterbi over the gold forest with the
// current weights (Zhao et al. 2014, section 3.1). A node's words are known, so the language model
// is asked once per node and takes no part in the recursion. Not thread-safe; use one per thread.
#pragma once

#include <span>
#include <vector>

#include "demotic/base/flat_map.h"
#include "demotic/force/gold_forests.h"
#include "demotic/learn/update_rule.h"
#include "demotic/search/hiero_steps.h"

namespace demotic::learn {

// Adds ln p of a piece's words to values[model], as a chart search counts them: from <s> if
// `starts`, to </s> if `ends`, else without context.
void add_piece_values(const HieroModel& model, const SourceSentences& source,
                      std::span<const WordId> words, bool starts, bool ends,
                      std::span<double> values);

class HieroGold {
 public:
  explicit HieroGold(const HieroModel& model) : model_(model) {}

  void run(const SourceSentences& source, size_t sentence, const GoldForest& gold,
           std::span<const double> weights);

  // Bins that have gold derivations; that of the whole sentence comes last.
  struct GoldBin {
    int32_t label, begin, end;
    double total = kNoScore;
    uint32_t node = kNone;  // the best of its nodes
    std::vector<uint32_t> nodes;
  };
  std::span<const GoldBin> bins() const noexcept { return {bins_.data(), count_}; }
  // The number of a bin, or kNone.
  uint32_t find(int32_t label, int32_t begin, int32_t end) const noexcept;
  // Whether words are the yield of one of the bin's nodes.
  bool is_gold(const GoldBin& bin, std::span<const WordId> words) const noexcept;
  // Adds the features of the best one.
  void add_features(const GoldBin& bin, std::span<double> values, std::vector<FeatureKey>& keys);

 private:
  static uint64_t key(int32_t label, int32_t begin, int32_t end) noexcept {
    return uint64_t(uint32_t(label + 1)) << 32 | uint64_t(begin) << 16 | uint64_t(end);
  }
  double local_score(const GoldEdge& edge);
  double lm_score(uint32_t node);
  std::span<const WordId> words(uint32_t node) const noexcept {
    const GoldNode& one = gold_.nodes[node];
    return source_->reference(sentence_).subspan(one.target_begin,
                                                 one.target_end - one.target_begin);
  }
  bool is_goal(uint32_t node) const noexcept { return node + 1 == gold_.nodes.size(); }
  void add_to_bin(uint32_t node, double total);

  const HieroModel& model_;
  // Of the sentence.
  const SourceSentences* source_ = nullptr;
  size_t sentence_ = 0;
  GoldForest gold_{};
  std::span<const double> weights_;
  std::vector<double> best_;      // by node, without the language model
  std::vector<uint32_t> chosen_;  // by node: its best edge
  std::vector<GoldBin> bins_;     // the first count_ of them
  size_t count_ = 0;
  FlatMap<uint64_t, uint32_t> numbers_;
  std::vector<double> row_;       // scratch
  std::vector<FeatureKey> keys_;  // scratch
};

}  // namespace demotic::learn
