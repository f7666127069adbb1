// Shared by the reader and the writer of stored sparse weights.
#pragma once

#include <cstdint>
#include <string_view>

#include "demotic/features/stored_weights.h"

namespace demotic::features {

inline constexpr std::string_view kWeightsKind = "sparse-weights";
inline constexpr uint32_t kWeightsVersion = 1;
inline constexpr uint64_t kWeightsOfBucket = 38;

struct WeightsHead {
  uint64_t features, layout;
};

// Padded so that eight bytes can be read at any entry.
inline uint64_t packed_bytes(uint64_t features, const WeightPacking& packing) noexcept {
  return (features * packing.entry_bits() + 7) / 8 + 8;
}

// The inverse of mix64.
constexpr uint64_t unmix64(uint64_t x) noexcept {
  constexpr auto inverse = [](uint64_t odd) {
    uint64_t result = odd;  // correct in three bits; each step doubles that
    for (int i = 0; i < 5; ++i) result *= 2 - odd * result;
    return result;
  };
  x ^= x >> 27 ^ x >> 54;
  x *= inverse(0x1c69b3f74ac4ae35u);
  x ^= x >> 33;
  x *= inverse(0x3c79ac492ba7b653u);
  return x ^ (x >> 27 ^ x >> 54);
}

}  // namespace demotic::features
