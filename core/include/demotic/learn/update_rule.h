// Selects the bin that a violation-fixing perceptron updates on (Huang, Fayong & Guo 2012; for
// translation Yu et al. 2013, section 3, and Zhao et al. 2014, section 3.1). Shared by phrases,
// whose bins are numbers of covered words, and Hiero, whose bins are N[i:j].
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "demotic/features/sparse_features.h"

namespace demotic::learn {

enum class UpdateRule : uint8_t {
  kMaxViolation,  // the bin with the largest score difference, best bad minus best gold
  kEarly,         // the bin where the gold derivations have fallen off the beam
  kStandard,      // the final bin, valid or not
  kSkip,          // the final bin, if valid
  kLocal,         // the final bin, towards the surviving hypothesis closest to the reference
};

inline constexpr double kNoScore = -std::numeric_limits<double>::infinity();

// Scores of the best gold and the best bad derivation of a bin; kNoScore if there is none.
struct BinPair {
  double gold = kNoScore, bad = kNoScore;
  bool holds_gold = false;  // a gold derivation survived pruning

  bool both() const noexcept { return gold != kNoScore && bad != kNoScore; }
  double violation() const noexcept { return bad - gold; }
};

struct ChosenBin {
  int32_t bin = -1;  // -1: no update
  double violation = 0;
  bool valid = false;    // violation >= 0; ties count, otherwise zero weights would never move
                         // (hope and fear: plus the difference of their gains)
  bool updates = false;  // valid, or the rule does not require it
};

// The last bin is the end of the search. `window`, for kEarly only: gold derivations count as lost
// once this many consecutive bins hold none; the length of the longest phrase. Ties go to the last
// bin. Does not handle kLocal.
ChosenBin choose_bin(UpdateRule rule, std::span<const BinPair> bins, int32_t window);

// A user-defined rule: returns the bin to update on, or -1 for none. Called from several threads.
using CustomRule = std::function<int32_t(std::span<const BinPair> bins, int32_t window)>;

// Updates on the bin that the rule returns, whether or not it is a violation. Throws
// std::invalid_argument if that bin does not exist or lacks a gold or a bad derivation.
ChosenBin choose_bin(const CustomRule& rule, std::span<const BinPair> bins, int32_t window);

struct ViolationOptions {
  UpdateRule rule = UpdateRule::kMaxViolation;
  std::shared_ptr<const CustomRule> custom_rule;  // replaces `rule` if set
  // Phrases: compare partial derivations by score alone, even if the search ranks them with their
  // future cost. By default as the search ranks them.
  bool by_score = false;
  // Phrases: hypotheses that agree with the reference so far but cannot be completed to it count as
  // bad. By default they are neither bad nor gold.
  bool dead_ends_bad = false;
  // Hiero: how many derivations of a hypothesis to enumerate in search of one that is not gold.
  int32_t depth = 100;
  // Sentences without gold derivations: update from fear to hope among this many best derivations;
  // 0 for local updates.
  int32_t kbest = 0;
  // The gain of hope and fear is Bleu+1 times the length of the reference times this.
  double gain_scale = 1;
};

inline ChosenBin choose_bin(const ViolationOptions& options, std::span<const BinPair> bins,
                            int32_t window) {
  return options.custom_rule ? choose_bin(*options.custom_rule, bins, window)
                             : choose_bin(options.rule, bins, window);
}

struct KeyDelta {
  FeatureKey key;
  float delta;
};

// The update of one sentence: features of the gold derivation minus those of the bad one.
struct SentenceUpdate {
  ChosenBin chosen;
  bool correct = false;          // the 1-best is the reference, so there is no update
  int32_t bins = 0;              // number of bins with both a gold and a bad derivation
  std::vector<double> dense;     // empty if there is no update
  std::vector<KeyDelta> sparse;  // ascending keys, no zeros
};

// Computes the counts of `gold` minus those of `bad`. Sorts both inputs.
void count_difference(std::vector<FeatureKey>& gold, std::vector<FeatureKey>& bad,
                      std::vector<KeyDelta>& difference);

// Replaces counts of keys by those of their features times their values, see
// SparseFeatures::has_values.
void take_values(const SparseFeatures& features, std::vector<KeyDelta>& difference);

}  // namespace demotic::learn
