#include "demotic/learn/distinct_statistics.h"

#include <algorithm>
#include <bit>
#include <numeric>

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
  number_rows(offsets, statistics);
  transpose();
}

void DistinctStatistics::number_rows(std::span<const int64_t> offsets,
                                     std::span<const int32_t> statistics) {
  std::vector<int32_t> table;  // hash table of the distinct rows of a list; -1 if empty
  for (size_t list = 0; list + 1 < offsets.size(); ++list) {
    const int64_t begin = offsets[list], end = offsets[list + 1];
    const uint64_t mask = std::bit_ceil(static_cast<uint64_t>(2 * (end - begin) + 1)) - 1;
    table.assign(mask + 1, -1);
    int32_t count = 0;
    for (int64_t i = begin; i < end; ++i) {
      const int32_t* own = statistics.data() + i * size_;
      uint64_t at = hash_of(own, size_) & mask;
      const auto is_other = [&](int32_t id) {
        return !std::equal(own, own + size_, rows_.data() + (offsets_.back() + id) * size_);
      };
      while (table[at] >= 0 && is_other(table[at])) at = (at + 1) & mask;
      if (table[at] < 0) {
        table[at] = count++;
        rows_.insert(rows_.end(), own, own + size_);
      }
      ids_[i] = table[at];
    }
    offsets_.push_back(offsets_.back() + count);
  }
}

void DistinctStatistics::transpose() {
  columns_.resize(rows_.size());
  for (size_t list = 0; list + 1 < offsets_.size(); ++list) {
    const int64_t begin = offsets_[list], count = offsets_[list + 1] - begin;
    int32_t* block = columns_.data() + begin * size_;
    for (int64_t i = 0; i < count; ++i)
      for (int32_t k = 0; k < size_; ++k) block[k * count + i] = rows_[(begin + i) * size_ + k];
    const int32_t* last = block + (size_ - 1) * count;
    const double sum = std::accumulate(last, last + count, 0.0);
    means_.push_back(sum / static_cast<double>(std::max<int64_t>(count, 1)));
  }
}

}  // namespace demotic::learn
