#include "demotic/features/shared_key_cache.h"

namespace demotic::features {

std::optional<SharedKeyCache::View> SharedKeyCache::find(RuleId first) const noexcept {
  const Entry* entry = entries_.find(first);
  if (!entry) return std::nullopt;
  const auto numbers = std::span(numbers_).subspan(entry->begin);
  return View{numbers.first(entry->keys), numbers.subspan(entry->keys, entry->ends),
              numbers.subspan(size_t{entry->keys} + entry->ends, entry->groups), entry->parts};
}

void SharedKeyCache::put(RuleId first, const SharedKeysView& shared, const SparseWeights& weights,
                         WeightCache& cache) {
  if (size_bytes() >= kMaxBytes) return;
  const size_t begin = numbers_.size();
  numbers_.resize(begin + shared.keys.size());
  if (!cache.add(shared.keys, weights, std::span(numbers_).subspan(begin))) {
    numbers_.resize(begin);
    return;
  }
  numbers_.insert(numbers_.end(), shared.ends.begin(), shared.ends.end());
  numbers_.insert(numbers_.end(), shared.groups.begin(), shared.groups.end());
  entries_[first] = {static_cast<uint32_t>(begin), static_cast<uint32_t>(shared.keys.size()),
                     static_cast<uint32_t>(shared.ends.size()),
                     static_cast<uint32_t>(shared.groups.size()),
                     static_cast<uint32_t>(shared.parts)};
}

}  // namespace demotic::features
