// Which bin of a search a violation-fixing perceptron learns from (Huang, Fayong & Guo 2012; for
// translation Yu et al. 2013, section 3; Zhao et al. 2014, section 3.1). The same for phrases,
// whose bins are numbers of covered words, and for Hiero, whose bins are N[i:j].
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
  kMaxViolation,  // where the best bad one is furthest above the best gold one
  kEarly,         // where the gold ones have fallen off the beam
  kStandard,      // at the end, valid or not
  kSkip,          // at the end, if valid
  kLocal,         // at the end, towards what survived and is most like the reference
};

inline constexpr double kNoScore = -std::numeric_limits<double>::infinity();

// The best of both kinds that compete in a bin; kNoScore where there is none.
struct BinPair {
  double gold = kNoScore, bad = kNoScore;
  bool holds_gold = false;  // something gold has survived

  bool both() const noexcept { return gold != kNoScore && bad != kNoScore; }
  double violation() const noexcept { return bad - gold; }
};

struct ChosenBin {
  int32_t bin = -1;  // -1: nothing to learn from
  double violation = 0;
  bool valid = false;    // violation >= 0: ties count, else zero weights would never move
  bool updates = false;  // valid, or the rule does not ask
};

// The last bin is the end of the search. `window`: of kEarly, how many bins in a row may be without
// gold ones before they are lost: the longest phrase. Ties go to the last bin. Not for kLocal.
ChosenBin choose_bin(UpdateRule rule, std::span<const BinPair> bins, int32_t window);

// A rule from outside: the bin to learn from, or -1 for none. Called by several threads at once.
using OwnRule = std::function<int32_t(std::span<const BinPair> bins, int32_t window)>;

// The bin of such a rule is learnt from whether or not it is a violation. Throws
// std::invalid_argument if it is not one with both a gold and a bad derivation.
ChosenBin choose_bin(const OwnRule& rule, std::span<const BinPair> bins, int32_t window);

struct ViolationOptions {
  UpdateRule rule = UpdateRule::kMaxViolation;
  std::shared_ptr<const OwnRule> own_rule;  // instead of `rule`, if there is one
  // Phrases: partial derivations are compared with the future cost that the search added.
  bool future = true;
  // Phrases: hypotheses that agree with the reference so far but cannot be completed to it count as
  // bad; by default they are neither bad nor gold.
  bool dead_ends_bad = false;
  // Hiero: how far to go down the derivations of a hypothesis for one that is not gold.
  int32_t depth = 100;
};

inline ChosenBin choose_bin(const ViolationOptions& options, std::span<const BinPair> bins,
                            int32_t window) {
  return options.own_rule ? choose_bin(*options.own_rule, bins, window)
                          : choose_bin(options.rule, bins, window);
}

struct KeyDelta {
  FeatureKey key;
  float delta;
};

// What one sentence asks for: features of the gold derivation minus those of the bad one.
struct SentenceUpdate {
  ChosenBin chosen;
  int32_t bins = 0;              // that had both
  std::vector<double> dense;     // empty if there is no update
  std::vector<KeyDelta> sparse;  // by rising key, no zeros
};

// Counts `gold` minus `bad`, both in any order; sorts them.
void count_difference(std::vector<FeatureKey>& gold, std::vector<FeatureKey>& bad,
                      std::vector<KeyDelta>& difference);

}  // namespace demotic::learn
