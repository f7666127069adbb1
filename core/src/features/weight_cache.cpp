#include "demotic/features/weight_cache.h"

namespace demotic::features {
namespace {

constexpr size_t kKeysAhead = 12;  // prefetch distance in keys

}  // namespace

bool WeightCache::add(std::span<const FeatureKey> keys, const SparseWeights& weights,
                      std::span<uint32_t> slots) {
  const std::lock_guard lock(mutex_);
  if (slots_.size() + keys.size() > capacity_) return false;
  if (!weights_) weights_ = std::make_unique_for_overwrite<float[]>(capacity_);
  const size_t known = slots_.size();
  fresh_.clear();
  ends_.clear();
  for (size_t i = 0; i < keys.size(); ++i) {
    if (i + kKeysAhead < keys.size()) slots_.prefetch(keys[i + kKeysAhead]);
    const auto [slot, fresh] = slots_.insert(keys[i]);
    if (fresh) {
      slot = static_cast<uint32_t>(known + fresh_.size());
      fresh_.push_back(keys[i]);
      ends_.push_back(static_cast<uint32_t>(fresh_.size()));
    }
    slots[i] = slot;
  }
  sums_.resize(fresh_.size());
  weights.sums(fresh_, ends_, sums_);
  for (size_t i = 0; i < fresh_.size(); ++i) weights_[known + i] = static_cast<float>(sums_[i]);
  return true;
}

}  // namespace demotic::features
