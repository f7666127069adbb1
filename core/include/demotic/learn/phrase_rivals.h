// Gold and bad derivations in the bins of a phrase search. A hypothesis agrees with the reference
// as long as its yield is a prefix of it. Not thread-safe; use one instance per thread.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "demotic/learn/phrase_gold.h"
#include "demotic/learn/update_rule.h"
#include "demotic/search/phrase_steps.h"
#include "demotic/search/search_kbest.h"

namespace demotic::learn {

class PhraseRivals {
 public:
  PhraseRivals(const PhraseModel& model, const ViolationOptions& options)
      : model_(model), options_(options), gold_(model) {}

  using KBest = SearchKBest<PhraseSteps>;
  using Derivation = KBest::Item;

  void reset(PhraseSearch& search, const SourceSentences& source, size_t sentence);
  // Fills in one entry per bin; the empty bin gets an empty entry.
  void compare(const GoldForest& gold, std::span<const double> weights, std::vector<BinPair>& bins,
               std::vector<Derivation>& bad);
  // Of the current sentence.
  KBest& kbest() noexcept { return kbest_; }
  // Number of bins of a sentence without gold derivations.
  size_t bins_without_gold() const noexcept { return search_->bins().size(); }
  // Number of bins that one step can advance, at most.
  int32_t longest_step() const noexcept { return search_->options().longest(); }

  void add_gold_features(int32_t bin, std::span<double> values, std::vector<FeatureKey>& keys) {
    gold_.add_features(bin, values, keys);
  }
  // `complete`: includes the features of the end of the sentence. Otherwise includes those of the
  // future estimate with which partial derivations are compared.
  void add_features(Derivation derivation, bool complete, std::span<double> values,
                    std::vector<FeatureKey>& keys);

 private:
  void follow_reference(const GoldForest& gold);
  void sort_steps(const GoldForest& gold);
  uint32_t node_after(uint32_t tail, const Step& step) const;
  // Without the future cost of phrases.
  double bare_score(uint32_t hypothesis) const;
  bool dead_end(uint32_t hypothesis) const noexcept {
    return options_.dead_ends_bad && nodes_[hypothesis] == kNone;
  }

  struct GoldStep {
    uint32_t tail;
    RuleId rule;
    int32_t begin, end;
    uint32_t node;
    auto operator<=>(const GoldStep&) const = default;
  };

  const PhraseModel& model_;
  const ViolationOptions& options_;
  PhraseGold gold_;
  KBest kbest_;

  // The current sentence.
  PhraseSearch* search_ = nullptr;
  const SourceSentences* source_ = nullptr;
  size_t sentence_ = 0;
  std::vector<int32_t> agreed_;  // per hypothesis: length of the reference prefix it yields, or -1
  std::vector<uint32_t> nodes_;  // per hypothesis: node of the gold forest; kNone for a dead end
  std::vector<GoldStep> steps_;  // edges of the gold forest, sorted; only if dead ends are bad
  std::vector<std::pair<PhraseSearch::Edge, uint32_t>> chain_;  // edges and heads, last first
  std::vector<WordId> words_;
};

}  // namespace demotic::learn
