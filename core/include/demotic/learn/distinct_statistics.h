// The distinct rows of statistics in each candidate list. Many of the hundreds of candidates in a
// k-best list share their statistics, so whatever depends only on the statistics is computed once
// per distinct row.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "demotic/base/huge_pages.h"
#include "demotic/namespaces.h"

namespace demotic::learn {

class DistinctStatistics {
 public:
  DistinctStatistics() = default;
  // `statistics` has one row of `size` numbers per candidate. Distinct rows are numbered per list,
  // in order of first occurrence.
  DistinctStatistics(std::span<const int64_t> offsets, std::span<const int32_t> statistics,
                     int32_t size);

  // For each candidate of the pool: the index of its row among the distinct rows of its list.
  const int32_t* ids() const noexcept { return ids_.data(); }
  // A distinct row of a list. They lie close together, those of the candidates do not.
  const int32_t* row(int64_t list, int32_t id) const noexcept {
    return rows_.data() + (offsets_[list] + id) * size_;
  }
  // The distinct rows of a list by column: number i of column k is values[k * count + i].
  struct Columns {
    const int32_t* values;
    int32_t count;
  };
  Columns columns(int64_t list) const noexcept {
    return {columns_.data() + offsets_[list] * size_,
            static_cast<int32_t>(offsets_[list + 1] - offsets_[list])};
  }
  // The mean of the last statistic over the distinct rows of a list that is not empty.
  double mean_of_last(int64_t list) const noexcept { return means_[list]; }

 private:
  void number_rows(std::span<const int64_t> offsets, std::span<const int32_t> statistics);
  void transpose();

  std::vector<int32_t> ids_;
  HugeVector<int32_t> rows_, columns_;
  int32_t size_ = 0;
  std::vector<int64_t> offsets_{0};
  std::vector<double> means_;
};

}  // namespace demotic::learn
