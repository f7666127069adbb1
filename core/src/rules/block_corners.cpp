#include "demotic/rules/block_corners.h"

#include <algorithm>

namespace demotic::rules {
namespace {

constexpr int32_t kMaxBlock = 100;  // words on either side; bounds the time for long sentences

Orientation orientation(bool monotone, bool swap) noexcept {
  if (monotone == swap) return Orientation::kDiscontinuous;
  return monotone ? Orientation::kMonotone : Orientation::kSwap;
}

}  // namespace

void BlockCorners::find(const PackedPair& pair) {
  source_words_ = static_cast<int32_t>(pair.source.size());
  target_words_ = static_cast<int32_t>(pair.target.size());
  corners_.assign((source_words_ + size_t{1}) * (target_words_ + size_t{1}), 0);
  PhraseExtractor blocks(kMaxBlock, kMaxBlock, false);
  for (const PhraseSpan& block : blocks.extract(pair)) add(block);
}

void BlockCorners::add(const PhraseSpan& block) noexcept {
  const auto mark = [&](int32_t source, int32_t target, Corner corner) {
    corners_[source * (target_words_ + size_t{1}) + target] |= corner;
  };
  mark(block.source_end, block.target_end, kEndEnd);
  mark(block.source_begin, block.target_end, kBeginEnd);
  mark(block.source_begin, block.target_begin, kBeginBegin);
  mark(block.source_end, block.target_begin, kEndBegin);
}

// The corners before the first and after the last words of both sides count as blocks.
Orientation BlockCorners::previous(const PhraseSpan& phrase) const noexcept {
  const bool first = phrase.source_begin == 0 && phrase.target_begin == 0;
  return orientation(first || has(kEndEnd, phrase.source_begin, phrase.target_begin),
                     has(kBeginEnd, phrase.source_end, phrase.target_begin));
}

Orientation BlockCorners::next(const PhraseSpan& phrase) const noexcept {
  const bool last = phrase.source_end == source_words_ && phrase.target_end == target_words_;
  return orientation(last || has(kBeginBegin, phrase.source_end, phrase.target_end),
                     has(kEndBegin, phrase.source_begin, phrase.target_end));
}

}  // namespace demotic::rules
