// The rows of an aligned bitext (one per pair and set of links) laid out for random access: the
// words of both sides and the links are contiguous, on huge pages, so that a visit touches few
// cache lines. Four bytes per word and per link, sixteen per row. Immutable; safe to share.
#pragma once

#include <compare>
#include <cstdint>
#include <span>
#include <vector>

#include "demotic/base/huge_pages.h"
#include "demotic/base/stop.h"
#include "demotic/rules/aligned_bitext.h"

namespace demotic::rules {

inline constexpr int32_t kMaxExtractLength = 65535;  // words; longer sentences yield no rules

// A link in one number, which is ordered like the link.
class PackedLink {
 public:
  constexpr PackedLink(int32_t source, int32_t target) noexcept
      : bits_(static_cast<uint32_t>(source) << 16 | static_cast<uint32_t>(target)) {}

  constexpr int32_t source() const noexcept { return static_cast<int32_t>(bits_ >> 16); }
  constexpr int32_t target() const noexcept { return static_cast<int32_t>(bits_ & 0xffff); }
  friend auto operator<=>(const PackedLink&, const PackedLink&) = default;

 private:
  uint32_t bits_;
};

// A view of one pair.
struct PackedPair {
  std::span<const WordId> source, target;
  std::span<const PackedLink> links;  // sorted
};

class PackedBitext {
 public:
  // Pairs with a side over kMaxExtractLength are empty here. The links must be inside their pairs;
  // see check_bitext. Throws Interrupted.
  PackedBitext(const AlignedBitext& bitext, const StopFlag& stop);

  int64_t size() const noexcept { return static_cast<int64_t>(places_.size()); }  // rows
  int64_t pairs() const noexcept { return pairs_; }
  int32_t pair_of(int32_t row) const noexcept {
    return row < pairs_ ? row : static_cast<int32_t>(row % pairs_);
  }
  int64_t bytes() const noexcept {
    return static_cast<int64_t>(places_.size() * sizeof(Place) + numbers_.size() * sizeof(WordId));
  }

  PackedPair operator[](int64_t row) const noexcept {
    const Place& place = places_[row];
    const WordId* source = numbers_.data() + place.begin;
    const WordId* target = source + place.source;
    const auto* links = reinterpret_cast<const PackedLink*>(target + place.target);
    return {{source, place.source}, {target, place.target}, {links, place.links}};
  }

  // Prefetches what operator[] reads.
  void prefetch(int64_t row) const noexcept { __builtin_prefetch(&places_[row]); }

 private:
  struct Place {
    int64_t begin;
    uint16_t source, target;  // words
    uint32_t links;
  };
  static_assert(sizeof(PackedLink) == sizeof(WordId));

  int64_t pairs_;
  std::vector<Place, HugePages<Place>> places_;
  std::vector<WordId, HugePages<WordId>> numbers_;  // words and links
};

}  // namespace demotic::rules
