#include "demotic/rules/phrase_extract.h"

#include <algorithm>
#include <climits>

namespace demotic::rules {

void PhraseExtractor::read(const PackedPair& pair) {
  links_ = pair.links;
  source_reach_.assign(pair.source.size(), {INT_MAX, -1});
  target_reach_.assign(pair.target.size(), {INT_MAX, -1});
  first_link_.assign(pair.source.size(), static_cast<uint32_t>(links_.size()));
  for (size_t i = links_.size(); i-- > 0;) {
    const int32_t source = links_[i].source(), target = links_[i].target();
    first_link_[source] = static_cast<uint32_t>(i);
    source_reach_[source].add(target);
    target_reach_[target].add(source);
  }
}

std::span<const PhraseSpan> PhraseExtractor::extract(const PackedPair& pair) {
  read(pair);
  phrases_.clear();
  const auto target_words = static_cast<int32_t>(pair.target.size());
  for (int32_t begin = 0; begin < target_words; ++begin) {
    if (tight_ && !target_reach_[begin].linked()) continue;
    Reach source{INT_MAX, -1};  // reach of the target words [begin, last]
    const int32_t limit = std::min(target_words, begin + max_target_);
    for (int32_t last = begin; last < limit; ++last) {
      const Reach& reach = target_reach_[last];
      if (reach.linked()) {
        source.add(reach.low);
        source.add(reach.high);
      }
      if (!source.linked() || (tight_ && !reach.linked())) continue;
      if (source.high - source.low >= max_source_) break;  // it only grows with more target words
      const auto sources =
          std::span(source_reach_).subspan(source.low, source.high + 1 - source.low);
      if (closed(sources, begin, last + 1))
        extend(source_reach_, source.low, source.high + 1, max_source_,
               [&](int32_t b, int32_t e) { phrases_.push_back({b, e, begin, last + 1}); });
    }
  }
  return phrases_;
}

std::span<const PhraseSpan> PhraseExtractor::with_source(int32_t begin, int32_t end) {
  phrases_.clear();
  const auto sources = std::span<const Reach>(source_reach_).subspan(begin, end - begin);
  if (tight_ && !(sources.front().linked() && sources.back().linked())) return phrases_;
  const Reach target = reach_of(sources);
  if (!target.linked() || target.high - target.low >= max_target_) return phrases_;
  const auto targets = std::span(target_reach_).subspan(target.low, target.high + 1 - target.low);
  if (closed(targets, begin, end))
    extend(target_reach_, target.low, target.high + 1, max_target_,
           [&](int32_t b, int32_t e) { phrases_.push_back({begin, end, b, e}); });
  return phrases_;
}

Reach PhraseExtractor::reach_of(std::span<const Reach> words) noexcept {
  Reach reach{INT_MAX, -1};
  for (const Reach& one : words) {
    if (!one.linked()) continue;
    reach.add(one.low);
    reach.add(one.high);
  }
  return reach;
}

// Whether these words are linked only to [begin, end).
bool PhraseExtractor::closed(std::span<const Reach> words, int32_t begin, int32_t end) noexcept {
  return std::ranges::all_of(
      words, [&](const Reach& r) { return !r.linked() || (r.low >= begin && r.high < end); });
}

// Calls add(begin, end) for the core of a phrase on one side and, unless tight, for its extensions
// by unaligned words at both edges to at most `most` words.
template <typename Add>
void PhraseExtractor::extend(std::span<const Reach> words, int32_t core_begin, int32_t core_end,
                             int32_t most, Add&& add) {
  if (tight_) return add(core_begin, core_end);
  const auto size = static_cast<int32_t>(words.size());
  for (int32_t begin = core_begin; begin >= 0; --begin) {
    if (begin < core_begin && words[begin].linked()) break;
    if (core_end - begin > most) break;
    for (int32_t end = core_end; end <= size && end - begin <= most; ++end) {
      if (end > core_end && words[end - 1].linked()) break;
      add(begin, end);
    }
  }
}

// The corners before the first and after the last words of both sides count as linked.
bool PhraseExtractor::linked(int32_t source, int32_t target) const noexcept {
  const auto source_words = static_cast<int32_t>(source_reach_.size());
  const auto target_words = static_cast<int32_t>(target_reach_.size());
  if (source == -1 && target == -1) return true;
  if (source == source_words && target == target_words) return true;
  if (source < 0 || source >= source_words || target < 0 || target >= target_words) return false;
  for (size_t i = first_link_[source]; i < links_.size() && links_[i].source() == source; ++i)
    if (links_[i].target() == target) return true;
  return false;
}

Orientation PhraseExtractor::previous(const PhraseSpan& phrase) const noexcept {
  return orientation(linked(phrase.source_begin - 1, phrase.target_begin - 1),
                     linked(phrase.source_end, phrase.target_begin - 1));
}

Orientation PhraseExtractor::next(const PhraseSpan& phrase) const noexcept {
  return orientation(linked(phrase.source_end, phrase.target_end),
                     linked(phrase.source_begin - 1, phrase.target_end));
}

}  // namespace demotic::rules
