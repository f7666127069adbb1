// The shared keys of many source sides, each as the place of its weight's copy. They do not change
// with the weights, so a learner, whose weights change every few sentences, makes them once. In
// bounded memory: what is met first stays, and that is what comes often. One object a thread.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "demotic/base/flat_map.h"
#include "demotic/features/kept_weights.h"

namespace demotic::features {

class KeptKeys {
 public:
  // As in SharedKeysView.
  struct View {
    std::span<const uint32_t> places, ends, groups;
    size_t parts = 0;
  };

  // Those of the source side with this rule as its first; valid until the next call of `put`.
  std::optional<View> find(RuleId first) const noexcept;
  // There must be none yet. Nothing happens if the memory is used up, here or there.
  void put(RuleId first, const SharedKeysView& shared, const SparseWeights& weights,
           KeptWeights& copies);

  size_t size_bytes() const noexcept { return numbers_.size() * sizeof numbers_[0]; }

 private:
  static constexpr size_t kMaxBytes = size_t{64} << 20;
  struct Place {
    uint32_t begin = 0, keys = 0, ends = 0, groups = 0, parts = 0;
  };

  FlatMap<RuleId, Place> places_;
  std::vector<uint32_t> numbers_;  // places of weights, ends, groups
};

}  // namespace demotic::features
