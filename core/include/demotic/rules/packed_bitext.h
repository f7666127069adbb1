// The rows of an aligned bitext (one per pair and set of links) laid out for random access: the
// words of both sides and the links of the first set are contiguous, so that a visit touches few
// cache lines. Four bytes per word and per link, eight per pair, and 24 per row. Immutable; safe to
// share.
//
// A bitext has one or more parts, each packed in memory or mapped from a file (bitext_index.h): the
// rows of a part are numbered after those of the parts before it.
#pragma once

#include <compare>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "demotic/base/portable.h"
#include "demotic/base/stop.h"
#include "demotic/rules/aligned_bitext.h"

namespace demotic::rules {

inline constexpr int32_t kMaxExtractLength = 65535;  // words; longer sentences yield no rules

// Follows each side of a pair, so that a search for words does not run past the end of a sentence.
inline constexpr WordId kSideEnd = kUnknown;  // no text contains it, see CorpusBuilder

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

// Where a row is in the numbers of its part.
struct PackedPlace {
  int64_t words, links;     // the source words; then follow kSideEnd, the target words and kSideEnd
  uint16_t source, target;  // number of words
  uint32_t link_count;
};
static_assert(sizeof(PackedPlace) == 24);

struct PackedPart {
  std::span<const PackedPlace> places;  // by set of links, then by pair
  std::span<const WordId> numbers;      // words and links
  int64_t pairs = 0;
  std::shared_ptr<const void> owner;
};

class PackedBitext {
 public:
  // Pairs with a side over kMaxExtractLength are empty here. The links must be inside their pairs;
  // see check_bitext. Throws Interrupted.
  PackedBitext(const AlignedBitext& bitext, const StopFlag& stop);
  // There is at least one part, and all have the same number of sets of links.
  explicit PackedBitext(std::vector<PackedPart> parts);
  // The size of `numbers` when a bitext is packed, or more if some of its pairs are too long.
  static int64_t most_numbers(const AlignedBitext& bitext);

  int64_t size() const noexcept { return rows_; }
  int64_t pairs() const noexcept { return pairs_; }
  std::span<const PackedPart> parts() const noexcept { return parts_; }
  int64_t first_row(size_t part) const noexcept { return first_rows_[part]; }
  int32_t pair_of(int32_t row) const noexcept {
    if (row < pairs_ && parts_.size() == 1) return row;
    const size_t part = part_of(row);
    return static_cast<int32_t>(first_pairs_[part] +
                                (row - first_rows_[part]) % parts_[part].pairs);
  }
  // The number that the row would have if all parts were one.
  int64_t rank(int32_t row) const noexcept {
    if (parts_.size() == 1) return row;
    const size_t part = part_of(row);
    return (row - first_rows_[part]) / parts_[part].pairs * pairs_ + pair_of(row);
  }
  int64_t bytes() const noexcept;
  size_t part_of(int64_t row) const noexcept {
    size_t part = 0;
    while (part + 1 < parts_.size() && row >= first_rows_[part + 1]) ++part;
    return part;
  }

  PackedPair operator[](int64_t row) const noexcept {
    if (row < in_first_) return pair_of_place(places_[row], numbers_);  // all rows of most bitexts
    const size_t part = part_of(row);
    return pair_of_place(parts_[part].places[row - first_rows_[part]], parts_[part].numbers.data());
  }

  // Prefetches what operator[] reads.
  void prefetch(int64_t row) const noexcept {
    if (row < in_first_) prefetch_line(&places_[row]);
  }

 private:
  static_assert(sizeof(PackedLink) == sizeof(WordId));

  static PackedPair pair_of_place(const PackedPlace& place, const WordId* numbers) noexcept {
    const WordId* source = numbers + place.words;
    const WordId* target = source + place.source + 1;
    const auto* links = reinterpret_cast<const PackedLink*>(numbers + place.links);
    return {{source, place.source}, {target, place.target}, {links, place.link_count}};
  }
  void find_firsts();

  std::vector<PackedPart> parts_;
  std::vector<int64_t> first_rows_, first_pairs_;  // by part
  int64_t rows_ = 0, pairs_ = 0;
  // The first part, without another indirection.
  int64_t in_first_ = 0;  // rows
  const PackedPlace* places_ = nullptr;
  const WordId* numbers_ = nullptr;
};

}  // namespace demotic::rules
