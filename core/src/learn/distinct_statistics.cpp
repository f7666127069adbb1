#include "demotic/learn/distinct_statistics.h"

#include <algorithm>
#include <bit>

#include "demotic/base/hash.h"

namespace demotic::learn {
namespace {

uint64_t hash_of(const int32_t* row, int32_t size) {
  uint64_t state = 0;
  for (int32_t k = 0; k < size; ++k) state = mix64(state ^ static_cast<uint32_t>(row[k]));
  return state;
}

}  // namespace

DistinctStatistics::DistinctStatistics(std::span<const int64_t> offsets,
                                       std::span<const int32_t> statistics, int32_t size)
    : ids_(offsets.back()), size_(size) {
  std::vector<int32_t> table;  // hash table of the distinct rows of a list; -1 if empty
  for (size_t list = 0; list + 1 < offsets.size(); ++list) {
    const int64_t begin = offsets[list], end = offsets[list + 1];
    const uint64_t mask = std::bit_ceil(static_cast<uint64_t>(2 * (end - begin) + 1)) - 1;
    table.assign(mask + 1, -1);
    for (int64_t i = begin; i < end; ++i) {
      const int32_t* row = statistics.data() + i * size;
      uint64_t at = hash_of(row, size) & mask;
      const auto is_other = [&](int32_t id) {
        const int32_t* known = statistics.data() + firsts_[offsets_.back() + id] * size;
        return !std::equal(row, row + size, known);
      };
      while (table[at] >= 0 && is_other(table[at])) at = (at + 1) & mask;
      if (table[at] < 0) {
        table[at] = static_cast<int32_t>(static_cast<int64_t>(firsts_.size()) - offsets_.back());
        firsts_.push_back(i);
        rows_.insert(rows_.end(), row, row + size);
      }
      ids_[i] = table[at];
    }
    offsets_.push_back(static_cast<int64_t>(firsts_.size()));
  }
}

}  // namespace demotic::learn
