// Sets of translated source words, each stored once a sentence.
//
// A set is the first open word and a mask of the words from there on, so that with a distortion
// limit of up to 63 words (and the gap test) 64 bits are enough for a sentence of any length:
// no covered word is further ahead. Without such a limit the mask has a bit for every word.
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "demotic/base/flat_map.h"

namespace demotic::search {

using CoverageId = uint32_t;

class CoverageTable {
 public:
  // Begins a sentence. `reach` is how far behind the first open word a covered one may end.
  void reset(int32_t length, int32_t reach);

  CoverageId empty() const noexcept { return 0; }
  // The first word that is not covered; the sentence's length if all are.
  int32_t first_open(CoverageId id) const noexcept { return first_[id]; }
  bool covers(CoverageId id, int32_t word) const noexcept {
    const int32_t bit = word - first_[id];
    if (bit < 0) return true;
    const size_t cell = bit / size_t{64};
    return cell < width_ && (mask(id)[cell] >> bit % 64 & 1);
  }
  // Which are covered of the 64 words from the first open one on.
  uint64_t window(CoverageId id) const noexcept { return *mask(id); }
  // The first covered word from `word` on, which must not be before the first open one; the
  // sentence's length if there is none.
  int32_t next_covered(CoverageId id, int32_t word) const noexcept;
  // visit(begin, end) for each open stretch, from left to right.
  template <typename Visit>
  void for_each_gap(CoverageId id, Visit&& visit) const {
    for (int32_t begin = first_open(id); begin < length_;) {
      if (covers(id, begin)) {
        ++begin;
        continue;
      }
      const int32_t end = next_covered(id, begin);
      visit(begin, end);
      begin = end;
    }
  }
  // The set with [begin, end) too, which must be open.
  CoverageId with(CoverageId id, int32_t begin, int32_t end);

 private:
  struct Key {
    uint64_t mask;  // of one word; else the hash of all, and the sets are compared
    int32_t first;
    uint32_t next;  // numbers sets whose hashes are equal
    friend bool operator==(const Key&, const Key&) = default;
  };
  struct KeyHash {
    uint64_t operator()(const Key& key) const noexcept {
      return mix64(key.mask ^ (uint64_t{static_cast<uint32_t>(key.first)} << 32 | key.next) *
                                  0x9e3779b97f4a7c15u);
    }
  };
  const uint64_t* mask(CoverageId id) const noexcept { return masks_.data() + id * width_; }
  CoverageId intern(int32_t first);  // the set in scratch_

  int32_t length_ = 0;
  size_t width_ = 1;  // 64-bit words per mask
  std::vector<int32_t> first_;
  std::vector<uint64_t> masks_;
  std::vector<uint64_t> scratch_;
  FlatMap<Key, CoverageId, KeyHash> ids_;
};

}  // namespace demotic::search
