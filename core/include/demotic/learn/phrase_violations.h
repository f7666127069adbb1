// Where a phrase search went wrong: in each bin the best gold derivation, of all there are, and the
// best hypothesis on the beam that is not gold (Yu et al. 2013, section 3). One object a thread.
#pragma once

#include <span>
#include <vector>

#include "demotic/learn/phrase_gold.h"
#include "demotic/learn/violations.h"
#include "demotic/metrics/sentence_bleu.h"
#include "demotic/search/phrase_derivation.h"

namespace demotic::learn {

class PhraseViolations {
 public:
  PhraseViolations(const PhraseModel& model, const ViolationOptions& options)
      : model_(model), options_(options), gold_(model) {}

  // After `search` of the sentence with these weights. A search that fell back to monotone order
  // teaches nothing. If there are no gold derivations the update is local, whatever the rule is.
  SentenceUpdate find(PhraseSearch& search, const SourceSentences& source, size_t sentence,
                      const GoldForest& gold, std::span<const double> weights);

  // Of the last sentence, by number of covered words; the empty bin has no pair.
  std::span<const BinPair> bins() const noexcept { return bins_; }

 private:
  void nothing_is_gold();
  void follow_reference(const GoldForest& gold);
  void sort_steps(const GoldForest& gold);
  uint32_t node_after(uint32_t tail, const PhraseStep& step) const;
  bool dead_end(uint32_t hypothesis);
  void compare(const GoldForest& gold);
  ChosenBin choose_local();
  double rank(const Hypothesis& hypothesis) const noexcept {
    return options_.future ? hypothesis.total : hypothesis.score;
  }
  void add_features(uint32_t hypothesis, bool complete, std::span<double> values,
                    std::vector<FeatureKey>& keys);
  void fill(SentenceUpdate& update, uint32_t other);

  struct GoldStep {
    uint32_t tail;
    RuleId rule;
    int32_t begin, end;
    uint32_t node;
    auto operator<=>(const GoldStep&) const = default;
  };

  const PhraseModel& model_;
  const ViolationOptions options_;
  PhraseGold gold_;
  SentenceBleu bleu_;

  // Of the sentence.
  PhraseSearch* search_ = nullptr;
  const SourceSentences* source_ = nullptr;
  size_t sentence_ = 0;
  std::vector<int32_t> agreed_;  // by hypothesis: words of the reference that it is; -1: it is not
  std::vector<uint32_t> nodes_;  // by hypothesis: of the gold forest; kNone: not completable
  std::vector<GoldStep> steps_;  // of the gold forest, in order; if dead ends are bad
  std::vector<BinPair> bins_;
  std::vector<uint32_t> bad_;  // by bin: the best bad hypothesis
  uint32_t liked_ = kNone;     // kLocal: the one that is most like the reference
  std::vector<uint32_t> chain_;
  std::vector<WordId> words_;
  std::vector<FeatureKey> gold_keys_, bad_keys_;
  std::vector<double> bad_values_;
};

}  // namespace demotic::learn
