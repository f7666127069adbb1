#include "demotic/rules/packed_bitext.h"

#include <algorithm>
#include <bit>

#include "demotic/base/huge_pages.h"

namespace demotic::rules {
namespace {

struct Arrays {
  HugeVector<PackedPlace> places;
  HugeVector<WordId> numbers;

  void add_side(std::span<const WordId> words) {
    numbers.insert(numbers.end(), words.begin(), words.end());
    numbers.push_back(kSideEnd);
  }
};

}  // namespace

PackedBitext::PackedBitext(const AlignedBitext& bitext, const StopFlag& stop) {
  const auto arrays = std::make_shared<Arrays>();
  arrays->places.reserve(bitext.rows());
  arrays->numbers.reserve(most_numbers(bitext));
  for (int64_t i = 0; i < bitext.rows(); ++i) {
    if (i % 1024 == 0) stop.check();
    const int64_t pair = bitext.pair_of(i);
    const auto source = bitext.source[pair], target = bitext.target[pair];
    const bool kept = std::max(source.size(), target.size()) <= kMaxExtractLength;
    PackedPlace place{static_cast<int64_t>(arrays->numbers.size()), 0, 0, 0, 0};
    if (i < bitext.size()) {
      place.source = static_cast<uint16_t>(kept ? source.size() : 0);
      place.target = static_cast<uint16_t>(kept ? target.size() : 0);
      arrays->add_side(source.first(place.source));
      arrays->add_side(target.first(place.target));
    } else {
      place = arrays->places[pair];  // the words are those of the first set
    }
    const auto links = kept ? bitext.links_of(i) : std::span<const Link>();
    place.links = static_cast<int64_t>(arrays->numbers.size());
    place.link_count = static_cast<uint32_t>(links.size());
    for (const Link link : links)
      arrays->numbers.push_back(std::bit_cast<WordId>(PackedLink(link.source, link.target)));
    arrays->places.push_back(place);
  }
  parts_.push_back({arrays->places, arrays->numbers, bitext.size(), arrays});
  find_firsts();
}

int64_t PackedBitext::most_numbers(const AlignedBitext& bitext) {
  size_t numbers = bitext.source.words().size() + bitext.target.words().size() + 2 * bitext.size();
  for (const Alignments* links : bitext.links) numbers += links->values.size();
  return static_cast<int64_t>(numbers);
}

PackedBitext::PackedBitext(std::vector<PackedPart> parts) : parts_(std::move(parts)) {
  find_firsts();
}

void PackedBitext::find_firsts() {
  for (const PackedPart& part : parts_) {
    first_rows_.push_back(rows_);
    first_pairs_.push_back(pairs_);
    rows_ += static_cast<int64_t>(part.places.size());
    pairs_ += part.pairs;
  }
  in_first_ = static_cast<int64_t>(parts_[0].places.size());
  places_ = parts_[0].places.data();
  numbers_ = parts_[0].numbers.data();
}

int64_t PackedBitext::bytes() const noexcept {
  size_t bytes = 0;
  for (const PackedPart& part : parts_)
    bytes += part.places.size_bytes() + part.numbers.size_bytes();
  return static_cast<int64_t>(bytes);
}

}  // namespace demotic::rules
