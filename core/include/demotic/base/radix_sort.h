// A stable sort by 64-bit keys: least significant digit first, 11 bits at a time, skipping digits
// that are equal in all keys. About 10 ns per item for millions of items.
#pragma once

#include <algorithm>
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

// `scratch` can be reused by callers that sort often. The bits below `kFirstBit` are ignored.
template <int kFirstBit = 0>
void radix_sort(std::vector<KeyedIndex>& items, std::vector<KeyedIndex>& scratch) {
  constexpr int kBits = 11;
  constexpr size_t kDigits = size_t{1} << kBits;
  constexpr int kPasses = (64 - kFirstBit + kBits - 1) / kBits;
  std::array<std::array<uint32_t, kDigits>, kPasses> counts{};
  for (const KeyedIndex& item : items)
    for (int pass = 0; pass < kPasses; ++pass)
      ++counts[pass][item.key >> (kFirstBit + pass * kBits) & (kDigits - 1)];
  scratch.resize(items.size());
  for (int pass = 0; pass < kPasses && !items.empty(); ++pass) {
    const int shift = kFirstBit + pass * kBits;
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

// The same order, faster if few keys are equal in their upper 31 bits: three passes over these,
// then those that are equal in them are sorted by comparison. The indices must ascend.
inline void sort_spread(std::vector<KeyedIndex>& items, std::vector<KeyedIndex>& scratch) {
  constexpr int kFirstBit = 33;
  radix_sort<kFirstBit>(items, scratch);
  const auto before = [](const KeyedIndex& a, const KeyedIndex& b) {
    return a.key != b.key ? a.key < b.key : a.index < b.index;
  };
  for (size_t begin = 0, end = 0; begin < items.size(); begin = end) {
    const uint64_t upper = items[begin].key >> kFirstBit;
    for (++end; end < items.size() && items[end].key >> kFirstBit == upper;) ++end;
    if (end - begin > 1) std::sort(items.begin() + begin, items.begin() + end, before);
  }
}

}  // namespace demotic::base
