// The different statistics of every candidate list. Of a k-best list's hundreds of candidates most
// share their statistics with others, so what depends on statistics alone is computed once a kind.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "demotic/namespaces.h"

namespace demotic::learn {

class Kinds {
 public:
  Kinds() = default;
  // Rows of `size` numbers, a row a candidate; lists by their offsets. Kinds of a list are numbered
  // in order of appearance.
  Kinds(std::span<const int64_t> offsets, std::span<const int32_t> statistics, int32_t size);

  // Of every candidate of the pool.
  const int32_t* of_candidates() const noexcept { return kinds_.data(); }
  // The first candidate of the pool that is of each kind of a list.
  std::span<const int64_t> firsts(int64_t list) const noexcept {
    return std::span(firsts_).subspan(offsets_[list], offsets_[list + 1] - offsets_[list]);
  }

 private:
  std::vector<int32_t> kinds_;
  std::vector<int64_t> offsets_{0}, firsts_;
};

}  // namespace demotic::learn
