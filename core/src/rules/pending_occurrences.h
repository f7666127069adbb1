// A part of the sorted occurrences, divided into pieces that hold whole target sides.
#pragma once

#include <span>
#include <vector>

#include "demotic/rules/occurrence.h"

namespace demotic::rules {

class PendingOccurrences {
 public:
  // Whether `next` begins a target side and there is enough work before it.
  bool full(const Occurrence& next) const noexcept {
    return pieces() >= kPieces && begins_target(next);
  }

  void add(const Occurrence& next) {
    if (occurrences_.size() - begins_.back() >= kPiece && begins_target(next))
      begins_.push_back(occurrences_.size());
    occurrences_.push_back(next);
  }

  int64_t pieces() const noexcept {
    return occurrences_.empty() ? 0 : static_cast<int64_t>(begins_.size());
  }
  std::span<Occurrence> piece(int64_t i) noexcept {
    const bool last = i + 1 == pieces();
    const size_t end = last ? occurrences_.size() : begins_[i + 1];
    return std::span(occurrences_).subspan(begins_[i], end - begins_[i]);
  }

  void clear() noexcept {
    occurrences_.clear();
    begins_.assign(1, 0);
  }

 private:
  static constexpr size_t kPiece = 512;  // minimum occurrences, enough work for a thread
  static constexpr int64_t kPieces = 8;  // few enough for all to stay in the cache

  bool begins_target(const Occurrence& next) const noexcept {
    return !occurrences_.empty() && target_key(occurrences_.back().key) != target_key(next.key);
  }

  std::vector<Occurrence> occurrences_;
  std::vector<size_t> begins_{0};
};

}  // namespace demotic::rules
