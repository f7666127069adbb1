// Violations of a search: per bin, the best gold derivation (of all, pruned or not) and the best
// derivation on the beam that is not gold (Yu et al. 2013, section 3; Zhao et al. 2014, section
// 3.1); and the update for the bin that the update rule selects. Not thread-safe; use one instance
// per thread.
#pragma once

#include <span>
#include <vector>

#include "demotic/force/gold_forests.h"
#include "demotic/learn/hiero_rivals.h"
#include "demotic/learn/hope_fear.h"
#include "demotic/learn/phrase_rivals.h"
#include "demotic/learn/update_rule.h"
#include "demotic/metrics/sentence_bleu.h"
#include "demotic/search/kinds.h"

namespace demotic::learn {

// The search kinds with what training needs in addition.
struct PhraseTraining : PhraseKind {
  using Rivals = PhraseRivals;
  // Whether the search has to keep its record, even without k-best lists.
  static constexpr bool kRecord = false;
};
struct HieroTraining : HieroKind {
  using Rivals = HieroRivals;
  static constexpr bool kRecord = true;
};

template <typename Kind>
class Violations {
 public:
  // Throws std::invalid_argument for early update with Hiero, whose bins have no temporal order.
  Violations(const typename Kind::Model& model, const ViolationOptions& options);

  // Call after `search` has searched the sentence with these weights. A search that fell back gives
  // no update, nor does a sentence whose 1-best is the reference. Without gold derivations, the
  // update is from fear to hope of a k-best list, or local, whatever the rule.
  SentenceUpdate find(typename Kind::Search& search, const SourceSentences& source, size_t sentence,
                      const GoldForest& gold, std::span<const double> weights);

  // Of the last sentence. Phrases: by number of covered words. Hiero: by gold bin, the whole
  // sentence last.
  std::span<const BinPair> bins() const noexcept { return bins_; }

 private:
  using Rivals = typename Kind::Rivals;

  bool is_correct(const GoldForest& gold);
  ChosenBin choose_local();
  ChosenBin choose_hope_and_fear();
  void fill(SentenceUpdate& update);

  const typename Kind::Model& model_;
  const ViolationOptions options_;
  Rivals rivals_;
  SentenceBleu bleu_;
  HopeFear<typename Kind::Steps> hope_fear_;

  // The current sentence.
  typename Kind::Search* search_ = nullptr;
  std::span<const WordId> reference_;
  std::vector<BinPair> bins_;
  std::vector<typename Rivals::Derivation> bad_;  // by bin
  typename Rivals::Derivation hope_;              // to update towards instead of a gold derivation
  std::vector<WordId> words_;
  std::vector<FeatureKey> gold_keys_, bad_keys_;
  std::vector<double> bad_values_;
};

}  // namespace demotic::learn
