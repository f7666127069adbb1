// How often a rule is monotone and swapped relative to the previous and the next phrase, in 12
// bytes. For rules with 2^24 or more occurrences the lowest bits are lost, as in the float scores.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "demotic/namespaces.h"

namespace demotic::rules {

class OrientationCounts {
 public:
  static constexpr size_t kCounts = 4;  // previous monotone, swap; next monotone, swap

  OrientationCounts() = default;
  // No count exceeds `occurrences`.
  OrientationCounts(const std::array<int32_t, kCounts>& counts, int32_t occurrences) noexcept {
    for (size_t i = 0; i < kCounts; ++i) {
      const auto kept = static_cast<uint32_t>(counts[i]) >> lost_bits(occurrences);
      bytes_[i] = {static_cast<uint8_t>(kept), static_cast<uint8_t>(kept >> 8),
                   static_cast<uint8_t>(kept >> 16)};
    }
  }

  // Must be called with the same number of occurrences.
  int32_t count(size_t i, int32_t occurrences) const noexcept {
    const auto& [low, middle, high] = bytes_[i];
    return (low | middle << 8 | high << 16) << lost_bits(occurrences);
  }

 private:
  static int lost_bits(int32_t occurrences) noexcept {
    return std::max(0, static_cast<int>(std::bit_width(static_cast<uint32_t>(occurrences))) - 24);
  }

  std::array<std::array<uint8_t, 3>, kCounts> bytes_{};
};

}  // namespace demotic::rules
