#include "demotic/features/kept_weights.h"

namespace demotic::features {
namespace {

constexpr size_t kAhead = 12;  // keys whose memory is asked for before they are looked up

}  // namespace

bool KeptWeights::keep(std::span<const FeatureKey> keys, const SparseWeights& weights,
                       std::span<uint32_t> places) {
  const std::lock_guard lock(mutex_);
  if (places_.size() + keys.size() > most_) return false;
  if (!copies_) copies_ = std::make_unique_for_overwrite<float[]>(most_);
  const size_t known = places_.size();
  fresh_.clear();
  ends_.clear();
  for (size_t i = 0; i < keys.size(); ++i) {
    if (i + kAhead < keys.size()) places_.prefetch(keys[i + kAhead]);
    const auto [place, fresh] = places_.insert(keys[i]);
    if (fresh) {
      place = static_cast<uint32_t>(known + fresh_.size());
      fresh_.push_back(keys[i]);
      ends_.push_back(static_cast<uint32_t>(fresh_.size()));
    }
    places[i] = place;
  }
  sums_.resize(fresh_.size());
  weights.sums(fresh_, ends_, sums_);
  for (size_t i = 0; i < fresh_.size(); ++i) copies_[known + i] = static_cast<float>(sums_[i]);
  return true;
}

}  // namespace demotic::features
