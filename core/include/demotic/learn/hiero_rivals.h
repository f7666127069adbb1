// Gold and bad derivations in the bins of a Hiero search. A derivation is gold if the gold forest
// has a node in the same bin with the same yield. A hypothesis whose best derivation is gold may
// have bad derivations too: its k-best derivations are enumerated down to a given depth. Not
// thread-safe; use one instance per thread.
#pragma once

#include <span>
#include <vector>

#include "demotic/learn/hiero_gold.h"
#include "demotic/learn/update_rule.h"
#include "demotic/search/hiero_steps.h"
#include "demotic/search/search_kbest.h"

namespace demotic::learn {

class HieroRivals {
 public:
  // Throws std::invalid_argument for early update, which Hiero does not support.
  HieroRivals(const HieroModel& model, const ViolationOptions& options);

  using KBest = SearchKBest<HieroSteps>;
  using Derivation = KBest::Item;

  // The search must have kept its record.
  void reset(HieroSearch& search, const SourceSentences& source, size_t sentence);
  // Fills in one entry per bin that has gold derivations; the whole sentence is the last.
  void compare(const GoldForest& gold, std::span<const double> weights, std::vector<BinPair>& bins,
               std::vector<Derivation>& bad);
  // Of the current sentence.
  KBest& kbest() noexcept { return kbest_; }
  size_t bins_without_gold() const noexcept { return 1; }
  int32_t longest_step() const noexcept { return 1; }

  void add_gold_features(int32_t bin, std::span<double> values, std::vector<FeatureKey>& keys) {
    gold_.add_features(gold_.bins()[bin], values, keys);
  }
  // `complete`: includes the features of the end of the sentence.
  void add_features(Derivation derivation, bool complete, std::span<double> values,
                    std::vector<FeatureKey>& keys);

 private:
  void compare(const HieroBin& bin, const HieroGold::GoldBin& gold, BinPair& pair, Derivation& bad);

  const HieroModel& model_;
  const ViolationOptions& options_;
  HieroGold gold_;
  KBest kbest_;

  // The current sentence.
  HieroSearch* search_ = nullptr;
  const SourceSentences* source_ = nullptr;
  size_t sentence_ = 0;
  std::vector<WordId> words_;
};

}  // namespace demotic::learn
