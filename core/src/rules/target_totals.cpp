#include "demotic/rules/target_totals.h"

#include <algorithm>
#include <bit>

#include "demotic/base/errors.h"

namespace demotic::rules {
namespace {

constexpr uint64_t kPerBucket = 16;  // at least, unless there is one bucket

uint64_t hash_target(std::span<const Symbol> target) noexcept {
  uint64_t hash = kEmptySide;
  for (const Symbol symbol : target) hash = with_symbol(hash, symbol);
  return hash;
}

}  // namespace

TargetTotals::TargetTotals(std::span<const uint32_t> begins,
                           std::span<const Entry> entries) noexcept
    : begins_(begins), entries_(entries) {
  if (!begins.empty()) shift_ = 33 - static_cast<int>(std::bit_width(begins.size()));
}

float TargetTotals::find(std::span<const Symbol> target) const noexcept {
  const uint64_t hash = hash_target(target);
  const size_t at = bucket(static_cast<uint32_t>(hash >> 32));
  const auto check = static_cast<uint32_t>(hash);
  for (uint32_t i = begins_[at]; i < begins_[at + 1]; ++i)
    if (entries_[i].check == check) return entries_[i].total;
  return 0;
}

bool TargetTotals::sound() const noexcept {
  return begins_.size() > 2 && begins_.size() <= (size_t{1} << 31) + 1 &&
         std::has_single_bit(begins_.size() - 1) && begins_.front() == 0 &&
         begins_.back() == entries_.size() && std::ranges::is_sorted(begins_);
}

TargetTotalsWriter::TargetTotalsWriter(int64_t expected)
    : bits_(std::clamp(
          static_cast<int>(std::bit_width(static_cast<uint64_t>(expected) / kPerBucket)), 1, 31)) {
  begins_.reserve((size_t{1} << bits_) + 1);
}

TargetTotals::Entry TargetTotalsWriter::add(uint64_t target_hash, float total) {
  if (entries_ == UINT32_MAX)
    throw ModelError({.found = "too many target sides (limit 2^32-1)",
                      .expected = "a smaller bitext for rules on demand",
                      .advice = "build the model from a part of the text and add the rest"});
  begin_buckets((target_hash >> (64 - bits_)) + 1);
  ++entries_;
  return {static_cast<uint32_t>(target_hash), total};
}

std::span<const uint32_t> TargetTotalsWriter::begins() {
  begin_buckets((size_t{1} << bits_) + 1);
  while (bits_ > 1 && entries_ < kPerBucket << bits_) {  // each two become one
    --bits_;
    for (size_t i = 0; i <= size_t{1} << bits_; ++i) begins_[i] = begins_[2 * i];
    begins_.resize((size_t{1} << bits_) + 1);
  }
  return begins_;
}

void TargetTotalsWriter::begin_buckets(size_t end) {
  while (begins_.size() < end) begins_.push_back(static_cast<uint32_t>(entries_));
}

}  // namespace demotic::rules
