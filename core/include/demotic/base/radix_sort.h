// A stable sort by 64-bit keys: least significant digit first, 11 bits at a time, skipping digits
// that are equal in all keys. About 10 ns per item for millions of items.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "demotic/namespaces.h"

namespace demotic::base {

struct KeyedIndex {
  uint64_t key;
  uint32_t index;
};

// `scratch` can be reused by callers that sort often.
inline void radix_sort(std::vector<KeyedIndex>& items, std::vector<KeyedIndex>& scratch) {
  constexpr int kBits = 11;
  constexpr size_t kDigits = size_t{1} << kBits;
  constexpr int kPasses = (64 + kBits - 1) / kBits;
  std::vector<std::array<uint32_t, kDigits>> counts(kPasses);
  for (const KeyedIndex& item : items)
    for (int pass = 0; pass < kPasses; ++pass)
      ++counts[pass][item.key >> (pass * kBits) & (kDigits - 1)];
  scratch.resize(items.size());
  for (int pass = 0; pass < kPasses && !items.empty(); ++pass) {
    const int shift = pass * kBits;
    auto& count = counts[pass];
    if (count[items[0].key >> shift & (kDigits - 1)] == items.size()) continue;
    uint32_t begin = 0;
    for (uint32_t& c : count) {
      const uint32_t size = c;
      c = begin;
      begin += size;
    }
    for (const KeyedIndex& item : items) scratch[count[item.key >> shift & (kDigits - 1)]++] = item;
    items.swap(scratch);
  }
}

inline void radix_sort(std::vector<KeyedIndex>& items) {
  std::vector<KeyedIndex> scratch;
  radix_sort(items, scratch);
}

}  // namespace demotic::base
