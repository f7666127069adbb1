#include "demotic/rules/block_corners.h"

#include <algorithm>

namespace demotic::rules {
namespace {

constexpr int32_t kMaxBlock = 100;  // words on either side; bounds the time for long sentences

}  // namespace

void BlockCorners::read(std::span<const Reach> source, std::span<const Reach> target) {
  source_ = source;
  target_ = target;
  known_.assign((source.size() + 1) * (target.size() + 1), 0);
}

bool BlockCorners::Side::add_first_linked() noexcept {
  const int32_t limit = before ? corner : static_cast<int32_t>(reach.size()) - corner;
  for (int32_t i = 0; i < std::min(limit, kMaxBlock); ++i)
    if (reach[word(i)].linked()) {
      words = i + 1;
      return true;
    }
  return false;
}

// Adds the words of the other side up to those that new words of this side are linked to. Returns
// false if one of them is beyond the corner or too far from it.
bool BlockCorners::Side::follow_links(Side& other) noexcept {
  for (; read < words; ++read) {
    const Reach& one = reach[word(read)];
    if (!one.linked()) continue;
    const int32_t nearest = other.before ? one.high : one.low;
    const int32_t farthest = other.before ? one.low : one.high;
    if (other.words_up_to(nearest) < 1 || other.words_up_to(farthest) > kMaxBlock) return false;
    other.words = std::max(other.words, other.words_up_to(farthest));
  }
  return true;
}

bool BlockCorners::find(Corner corner, int32_t source, int32_t target) const noexcept {
  Side sources{source_, source, corner == kEndEnd || corner == kEndBegin};
  Side targets{target_, target, corner == kEndEnd || corner == kBeginEnd};
  if (!sources.add_first_linked()) return false;
  while (sources.read < sources.words || targets.read < targets.words)
    if (!sources.follow_links(targets) || !targets.follow_links(sources)) return false;
  return true;
}

bool BlockCorners::has(Corner corner, int32_t source, int32_t target) noexcept {
  uint8_t& known = known_[source * (target_.size() + 1) + target];
  const int shift = 2 * corner;
  if ((known >> shift & 3) == 0)
    known |= static_cast<uint8_t>((find(corner, source, target) ? 2 : 1) << shift);
  return (known >> shift & 2) != 0;
}

// The corners before the first and after the last words of both sides count as blocks.
Orientation BlockCorners::previous(const PhraseSpan& phrase) noexcept {
  const bool first = phrase.source_begin == 0 && phrase.target_begin == 0;
  return orientation(first || has(kEndEnd, phrase.source_begin, phrase.target_begin),
                     has(kBeginEnd, phrase.source_end, phrase.target_begin));
}

Orientation BlockCorners::next(const PhraseSpan& phrase) noexcept {
  const bool last = phrase.source_end == static_cast<int32_t>(source_.size()) &&
                    phrase.target_end == static_cast<int32_t>(target_.size());
  return orientation(last || has(kBeginBegin, phrase.source_end, phrase.target_end),
                     has(kEndBegin, phrase.source_begin, phrase.target_end));
}

}  // namespace demotic::rules
