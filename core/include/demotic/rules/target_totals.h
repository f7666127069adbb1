// The counts of target sides of an indexed bitext that have several rules: the denominators of
// p(source | target) of Hiero rules, which no suffix array can add up, because target sides have
// gaps and rules share counts. A target side with one rule, as most are, has the count of that
// rule, which whoever asks knows. Eight bytes per target side and an eighth to a quarter of a byte
// of directory; a look-up reads two places.
//
// A target side is known by its hash: by the bucket that it is in, of some 16 to 32, and 32 further
// bits. About one in 10^8 is taken for another.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "demotic/rules/occurrence.h"

namespace demotic::rules {

class TargetTotals {
 public:
  struct Entry {
    uint32_t check;
    float total;
  };

  TargetTotals() = default;
  // `begins` has the first entry of each bucket, and one more; their number is a power of two.
  TargetTotals(std::span<const uint32_t> begins, std::span<const Entry> entries) noexcept;

  // Brings what `find` reads into the cache, given the key of the target side. A load, which others
  // overlap: a prefetch is dropped where the page is not in the TLB.
  void touch(uint32_t target_key) const noexcept {
    const uint32_t at = begins_[bucket(target_key)];
    if (at == entries_.size()) return;
    const uint32_t check = entries_[at].check;
    asm volatile("" : : "r"(check));
  }
  // 0 for a target side with one rule or none.
  float find(std::span<const Symbol> target) const noexcept;
  bool sound() const noexcept;

 private:
  size_t bucket(uint32_t target_key) const noexcept { return target_key >> shift_; }

  std::span<const uint32_t> begins_;
  std::span<const Entry> entries_;
  int shift_ = 31;  // from the key of a target side to its bucket
};

// Makes the arrays from target sides in the order of their hashes.
class TargetTotalsWriter {
 public:
  // With about this many target sides.
  explicit TargetTotalsWriter(int64_t expected);

  // Throws ModelError if there are too many.
  TargetTotals::Entry add(uint64_t target_hash, float total);
  // After the last one.
  std::span<const uint32_t> begins();

 private:
  void begin_buckets(size_t end);

  int bits_;
  uint64_t entries_ = 0;
  std::vector<uint32_t> begins_;
};

}  // namespace demotic::rules
