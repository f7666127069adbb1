// The best gold derivation of each bin N[i:j] that has one: Viterbi over the gold forest under the
// current weights (Zhao et al. 2014, section 3.1). The yield of each node is known, so the language
// model is queried once per node, outside the recursion. Not thread-safe; use one instance per
// thread.
#pragma once

#include <span>
#include <vector>

#include "demotic/base/flat_map.h"
#include "demotic/force/gold_forests.h"
#include "demotic/learn/update_rule.h"
#include "demotic/search/hiero_steps.h"

namespace demotic::learn {

// Adds the log probability of the words under each language model to values[model], as chart search
// scores a partial yield: with <s> as context if `starts`, including </s> if `ends`, otherwise
// without context.
void add_piece_values(const HieroModel& model, const SourceSentences& source,
                      std::span<const WordId> words, bool starts, bool ends,
                      std::span<double> values);

class HieroGold {
 public:
  explicit HieroGold(const HieroModel& model) : model_(model) {}

  void run(const SourceSentences& source, size_t sentence, const GoldForest& gold,
           std::span<const double> weights);

  // Bins with gold derivations; the bin of the whole sentence is the last.
  struct GoldBin {
    int32_t label, begin, end;
    double total = kNoScore;
    uint32_t node = kNone;  // the best of `nodes`
    std::vector<uint32_t> nodes;
  };
  std::span<const GoldBin> bins() const noexcept { return {bins_.data(), count_}; }
  // Returns the index of a bin, or kNone.
  uint32_t find(int32_t label, int32_t begin, int32_t end) const noexcept;
  // True if `words` is the yield of one of the bin's nodes.
  bool is_gold(const GoldBin& bin, std::span<const WordId> words) const noexcept;
  // Adds the features of the bin's best derivation.
  void add_features(const GoldBin& bin, std::span<double> values, std::vector<FeatureKey>& keys);

 private:
  static uint64_t key(int32_t label, int32_t begin, int32_t end) noexcept {
    return uint64_t(uint32_t(label + 1)) << 32 | uint64_t(begin) << 16 | uint64_t(end);
  }
  double local_score(const GoldEdge& edge);
  GapSizes gap_sizes(const GoldEdge& edge) const noexcept;
  double lm_score(uint32_t node);
  std::span<const WordId> words(uint32_t node) const noexcept {
    const GoldNode& one = gold_.nodes[node];
    return source_->reference(sentence_).subspan(one.target_begin,
                                                 one.target_end - one.target_begin);
  }
  bool is_goal(uint32_t node) const noexcept { return node + 1 == gold_.nodes.size(); }
  void add_to_bin(uint32_t node, double total);

  const HieroModel& model_;
  // The current sentence.
  const SourceSentences* source_ = nullptr;
  size_t sentence_ = 0;
  GoldForest gold_{};
  std::span<const double> weights_;
  std::vector<double> best_;      // per node: best score without the language model
  std::vector<uint32_t> chosen_;  // per node: best incoming edge
  std::vector<GoldBin> bins_;     // only the first count_ are in use
  size_t count_ = 0;
  FlatMap<uint64_t, uint32_t> numbers_;
  std::vector<double> row_;       // scratch
  std::vector<FeatureKey> keys_;  // scratch
};

}  // namespace demotic::learn
