// What violations of phrases and of Hiero have in common.
#pragma once

#include <memory>

#include "demotic/learn/update_rule.h"

namespace demotic::learn {

struct ViolationOptions {
  UpdateRule rule = UpdateRule::kMaxViolation;
  std::shared_ptr<const OwnRule> own_rule;  // instead of `rule`, if there is one
  // Phrases: partial derivations are compared with the future that the search saw (METHODS AMB 20).
  bool future = true;
  // Phrases: what agrees with the reference so far but cannot be completed to it counts as bad; by
  // default it is neither bad nor gold (METHODS AMB 21).
  bool dead_ends_bad = false;
  // Hiero: how far to go down the derivations of a hypothesis for one that is not gold.
  int32_t depth = 100;
};

inline ChosenBin choose_bin(const ViolationOptions& options, std::span<const BinPair> bins,
                            int32_t window) {
  return options.own_rule ? choose_bin(*options.own_rule, bins, window)
                          : choose_bin(options.rule, bins, window);
}

}  // namespace demotic::learn
