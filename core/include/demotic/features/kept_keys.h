// The shared keys of many source sides. They do not change with the weights, so a learner, whose
// weights change every few sentences, makes them once. In bounded memory: what is met first stays,
// and that is what comes often. One object a thread.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "demotic/base/flat_map.h"
#include "demotic/features/sparse_features.h"

namespace demotic {

class KeptKeys {
 public:
  // Those of the source side with this rule as its first; valid until the next call of `put`.
  std::optional<SharedKeysView> find(RuleId first) const noexcept;
  // There must be none yet. Nothing happens if the memory is used up.
  void put(RuleId first, const SharedKeysView& shared);

  size_t size_bytes() const noexcept {
    return keys_.size() * sizeof keys_[0] + numbers_.size() * sizeof numbers_[0];
  }

 private:
  static constexpr size_t kMaxBytes = size_t{64} << 20;
  struct Place {
    uint32_t keys = 0, numbers = 0;  // where they begin
    uint32_t key_count = 0, ends = 0, groups = 0, parts = 0;
  };

  FlatMap<RuleId, Place> places_;
  std::vector<FeatureKey> keys_;
  std::vector<uint32_t> numbers_;  // ends, then groups
};

}  // namespace demotic
