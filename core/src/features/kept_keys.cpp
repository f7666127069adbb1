#include "demotic/features/kept_keys.h"

namespace demotic::features {

std::optional<KeptKeys::View> KeptKeys::find(RuleId first) const noexcept {
  const Place* place = places_.find(first);
  if (!place) return std::nullopt;
  const auto numbers = std::span(numbers_).subspan(place->begin);
  return View{numbers.first(place->keys), numbers.subspan(place->keys, place->ends),
              numbers.subspan(size_t{place->keys} + place->ends, place->groups), place->parts};
}

void KeptKeys::put(RuleId first, const SharedKeysView& shared, const SparseWeights& weights,
                   KeptWeights& copies) {
  if (size_bytes() >= kMaxBytes) return;
  const size_t begin = numbers_.size();
  numbers_.resize(begin + shared.keys.size());
  if (!copies.keep(shared.keys, weights, std::span(numbers_).subspan(begin))) {
    numbers_.resize(begin);
    return;
  }
  numbers_.insert(numbers_.end(), shared.ends.begin(), shared.ends.end());
  numbers_.insert(numbers_.end(), shared.groups.begin(), shared.groups.end());
  places_[first] = {static_cast<uint32_t>(begin), static_cast<uint32_t>(shared.keys.size()),
                    static_cast<uint32_t>(shared.ends.size()),
                    static_cast<uint32_t>(shared.groups.size()),
                    static_cast<uint32_t>(shared.parts)};
}

}  // namespace demotic::features
