#include "demotic/rules/packed_bitext.h"

#include <algorithm>
#include <bit>

namespace demotic::rules {

PackedBitext::PackedBitext(const AlignedBitext& bitext, const StopFlag& stop)
    : pairs_(bitext.size()) {
  places_.reserve(bitext.rows());
  size_t numbers = 0;
  for (const Alignments* links : bitext.links)
    numbers += bitext.source.words().size() + bitext.target.words().size() + links->values.size();
  numbers_.reserve(numbers);
  for (int64_t i = 0; i < bitext.rows(); ++i) {
    if (i % 1024 == 0) stop.check();
    const int64_t pair = bitext.pair_of(i);
    const auto source = bitext.source[pair], target = bitext.target[pair];
    const auto links = bitext.links_of(i);
    Place& place = places_.emplace_back(Place{static_cast<int64_t>(numbers_.size()), 0, 0, 0});
    if (std::max(source.size(), target.size()) > kMaxExtractLength) continue;
    place.source = static_cast<uint16_t>(source.size());
    place.target = static_cast<uint16_t>(target.size());
    place.links = static_cast<uint32_t>(links.size());
    numbers_.insert(numbers_.end(), source.begin(), source.end());
    numbers_.insert(numbers_.end(), target.begin(), target.end());
    for (const Link link : links)
      numbers_.push_back(std::bit_cast<WordId>(PackedLink(link.source, link.target)));
  }
}

}  // namespace demotic::rules
