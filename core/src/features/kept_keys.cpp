#include "demotic/features/kept_keys.h"

namespace demotic {

std::optional<SharedKeysView> KeptKeys::find(RuleId first) const noexcept {
  const Place* place = places_.find(first);
  if (!place) return std::nullopt;
  const auto numbers = std::span(numbers_).subspan(place->numbers);
  return SharedKeysView{std::span(keys_).subspan(place->keys, place->key_count),
                        numbers.first(place->ends), numbers.subspan(place->ends, place->groups),
                        place->parts};
}

void KeptKeys::put(RuleId first, const SharedKeysView& shared) {
  if (size_bytes() >= kMaxBytes) return;
  places_[first] = {
      static_cast<uint32_t>(keys_.size()),         static_cast<uint32_t>(numbers_.size()),
      static_cast<uint32_t>(shared.keys.size()),   static_cast<uint32_t>(shared.ends.size()),
      static_cast<uint32_t>(shared.groups.size()), static_cast<uint32_t>(shared.parts)};
  keys_.insert(keys_.end(), shared.keys.begin(), shared.keys.end());
  numbers_.insert(numbers_.end(), shared.ends.begin(), shared.ends.end());
  numbers_.insert(numbers_.end(), shared.groups.begin(), shared.groups.end());
}

}  // namespace demotic
