#include "demotic/search/coverage.h"

#include <algorithm>

namespace demotic::search {

void CoverageTable::reset(int32_t length, int32_t reach) {
  length_ = length;
  width_ = std::min(length, reach) / size_t{64} + 1;
  first_.clear();
  masks_.clear();
  ids_.clear();
  scratch_.assign(width_, 0);
  intern(0);
}

int32_t CoverageTable::next_covered(CoverageId id, int32_t word) const noexcept {
  const int32_t bit = word - first_[id];
  size_t cell = bit / size_t{64};
  if (cell >= width_) return length_;
  uint64_t rest = mask(id)[cell] >> bit % 64 << bit % 64;
  while (rest == 0) {
    if (++cell == width_) return length_;
    rest = mask(id)[cell];
  }
  return first_[id] + static_cast<int32_t>(64 * cell) + std::countr_zero(rest);
}

CoverageId CoverageTable::with(CoverageId id, int32_t begin, int32_t end) {
  int32_t first = first_[id];
  if (begin > first) {
    std::copy_n(mask(id), width_, scratch_.begin());
    for (int32_t bit = begin - first; bit < end - first; ++bit)
      scratch_[bit / 64] |= uint64_t{1} << bit % 64;
    return intern(first);
  }
  // The window moves to the next uncovered word.
  const uint64_t* old = mask(id);
  int32_t shift = end - first;
  while (first + shift < length_ && covers(id, first + shift)) ++shift;
  for (size_t cell = 0; cell < width_; ++cell) {
    const size_t from = cell + shift / 64;
    const uint64_t low = from < width_ ? old[from] : 0;
    const uint64_t high = from + 1 < width_ ? old[from + 1] : 0;
    scratch_[cell] = shift % 64 ? low >> shift % 64 | high << (64 - shift % 64) : low;
  }
  return intern(first + shift);
}

CoverageId CoverageTable::intern(int32_t first) {
  Key key{scratch_[0], first, 0};
  for (size_t cell = 1; cell < width_; ++cell) key.mask = mix64(key.mask ^ (scratch_[cell] + cell));
  for (;; ++key.next) {
    const auto [id, fresh] = ids_.insert(key);
    if (fresh) {
      id = static_cast<CoverageId>(first_.size());
      first_.push_back(first);
      masks_.insert(masks_.end(), scratch_.begin(), scratch_.end());
      return id;
    }
    if (std::equal(scratch_.begin(), scratch_.end(), mask(id))) return id;
  }
}

}  // namespace demotic::search
