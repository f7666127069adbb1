// Gold and bad derivations in the bins of a Hiero search. A derivation is gold if the gold forest
// has a node of its bin with the same yield. Hypotheses whose best derivation is gold may have
// others: the derivations of a hypothesis are gone through, best first, down to a depth. Not
// thread-safe; use one per thread.
#pragma once

#include <span>
#include <vector>

#include "demotic/learn/hiero_gold.h"
#include "demotic/learn/update_rule.h"
#include "demotic/search/search_kbest.h"

namespace demotic::learn {

class HieroRivals {
 public:
  // Throws std::invalid_argument for early updates.
  HieroRivals(const HieroModel& model, const ViolationOptions& options);

  using Bad = SearchKBest::Item;

  // The search must have been recorded.
  void reset(HieroSearch& search, const SourceSentences& source, size_t sentence);
  // Fills in one entry per bin that has gold derivations, the whole sentence last.
  void compare(const GoldForest& gold, std::span<const double> weights, std::vector<BinPair>& bins,
               std::vector<Bad>& bad);
  size_t bins_without_gold() const noexcept { return 1; }
  int32_t longest_step() const noexcept { return 1; }

  void add_gold_features(int32_t bin, std::span<double> values, std::vector<FeatureKey>& keys) {
    gold_.add_features(gold_.bins()[bin], values, keys);
  }
  // `complete`: with the end of the sentence.
  void add_features(Bad derivation, bool complete, std::span<double> values,
                    std::vector<FeatureKey>& keys);

 private:
  void compare(const HieroBin& bin, const HieroGold::GoldBin& gold, BinPair& pair, Bad& bad);

  const HieroModel& model_;
  const ViolationOptions& options_;
  HieroGold gold_;
  SearchKBest kbest_;

  // Of the sentence.
  HieroSearch* search_ = nullptr;
  const SourceSentences* source_ = nullptr;
  size_t sentence_ = 0;
  std::vector<WordId> words_;
};

}  // namespace demotic::learn
