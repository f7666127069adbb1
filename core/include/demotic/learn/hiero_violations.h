// Where a Hiero search went wrong: in each group N[i:j] that has gold derivations the best of them,
// and the best derivation on the beam that is not gold (Zhao et al. 2014, section 3.1). Hypotheses
// whose best derivation is gold may have others: the derivations of the group are gone through,
// best first, down to a depth. One object a thread.
#pragma once

#include <span>
#include <vector>

#include "demotic/learn/hiero_gold.h"
#include "demotic/learn/violations.h"
#include "demotic/metrics/sentence_bleu.h"
#include "demotic/search/hiero_kbest.h"

namespace demotic::learn {

class HieroViolations {
 public:
  // Early updates need bins in an order of time: std::invalid_argument.
  HieroViolations(const HieroModel& model, const ViolationOptions& options);

  // After a recorded `search` of the sentence with these weights. A search that fell back teaches
  // nothing. If there are no gold derivations the update is local, whatever the rule is.
  SentenceUpdate find(HieroSearch& search, const SourceSentences& source, size_t sentence,
                      const GoldForest& gold, std::span<const double> weights);

  // Of the last sentence, by gold group; the whole sentence comes last.
  std::span<const BinPair> bins() const noexcept { return bins_; }
  const HieroGold& gold() const noexcept { return gold_; }

 private:
  struct Bad {
    uint32_t hypothesis = kNone, rank = 0;
  };

  void nothing_is_gold();
  void compare();
  void compare(const HieroGroup& group, uint32_t number, bool root);
  ChosenBin choose_local();
  float end_score(uint32_t hypothesis, bool root);
  void add_features(Bad derivation, bool root, std::span<double> values,
                    std::vector<FeatureKey>& keys);
  void fill(SentenceUpdate& update);

  const HieroModel& model_;
  const ViolationOptions options_;
  HieroGold gold_;
  HieroKBest kbest_;
  SentenceBleu bleu_;

  // Of the sentence.
  HieroSearch* search_ = nullptr;
  const SourceSentences* source_ = nullptr;
  size_t sentence_ = 0;
  std::vector<BinPair> bins_;
  std::vector<Bad> bad_;    // by bin
  uint32_t liked_ = kNone;  // kLocal: the hypothesis that is most like the reference
  std::vector<WordId> words_;
  std::vector<FeatureKey> gold_keys_, bad_keys_;
  std::vector<double> bad_values_;
};

}  // namespace demotic::learn
