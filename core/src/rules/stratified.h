// A sample of `wanted` of the numbers below `all`, ascending: one from each of as many equal parts,
// chosen by a hash of what is sampled and the seed. All of them if there are no more, or if
// `wanted` is 0.
#pragma once

#include <algorithm>
#include <cstdint>

#include "demotic/base/hash.h"
#include "demotic/namespaces.h"

namespace demotic::rules {

// Calls visit(number) and returns how many there were.
template <typename Visit>
uint64_t for_each_sampled(uint64_t all, uint64_t wanted, uint64_t random, Visit&& visit) {
  const uint64_t taken = wanted == 0 ? all : std::min(wanted, all);
  uint64_t least = 0;  // after the last one chosen
  for (uint64_t i = 0; i < taken; ++i) {
    uint64_t chosen = i;
    if (taken < all) {  // from the i-th of `taken` equal shares
      random = mix64(random + i);
      chosen = std::max(least, (i * all + random % all) / taken);
    }
    least = chosen + 1;
    visit(chosen);
  }
  return taken;
}

}  // namespace demotic::rules
