#include "demotic/rules/phrase_extract.h"

#include <algorithm>
#include <climits>

namespace demotic::rules {

std::span<const PhraseSpan> PhraseExtractor::extract(const PackedPair& pair) {
  const auto source_words = static_cast<int32_t>(pair.source.size());
  const auto target_words = static_cast<int32_t>(pair.target.size());
  links_ = pair.links;
  phrases_.clear();
  source_reach_.assign(source_words, {INT_MAX, -1});
  target_reach_.assign(target_words, {INT_MAX, -1});
  first_link_.assign(source_words, static_cast<uint32_t>(links_.size()));
  for (size_t i = links_.size(); i-- > 0;) {
    const int32_t source = links_[i].source(), target = links_[i].target();
    first_link_[source] = static_cast<uint32_t>(i);
    source_reach_[source].add(target);
    target_reach_[target].add(source);
  }
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
      const bool closed = std::all_of(
          source_reach_.begin() + source.low, source_reach_.begin() + source.high + 1,
          [&](const Reach& r) { return !r.linked() || (r.low >= begin && r.high <= last); });
      if (closed) add_all({source.low, source.high + 1, begin, last + 1});
    }
  }
  return phrases_;
}

// Adds the core and, unless tight, its extensions by unaligned source words at both edges.
void PhraseExtractor::add_all(PhraseSpan core) {
  if (tight_) {
    phrases_.push_back(core);
    return;
  }
  const auto words = static_cast<int32_t>(source_reach_.size());
  for (int32_t begin = core.source_begin; begin >= 0; --begin) {
    if (begin < core.source_begin && source_reach_[begin].linked()) break;
    if (core.source_end - begin > max_source_) break;
    for (int32_t end = core.source_end; end <= words && end - begin <= max_source_; ++end) {
      if (end > core.source_end && source_reach_[end - 1].linked()) break;
      phrases_.push_back({begin, end, core.target_begin, core.target_end});
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

namespace {
Orientation orientation(bool monotone, bool swap) noexcept {
  if (monotone == swap) return Orientation::kDiscontinuous;
  return monotone ? Orientation::kMonotone : Orientation::kSwap;
}
}  // namespace

Orientation PhraseExtractor::previous(const PhraseSpan& phrase) const noexcept {
  return orientation(linked(phrase.source_begin - 1, phrase.target_begin - 1),
                     linked(phrase.source_end, phrase.target_begin - 1));
}

Orientation PhraseExtractor::next(const PhraseSpan& phrase) const noexcept {
  return orientation(linked(phrase.source_end, phrase.target_end),
                     linked(phrase.source_begin - 1, phrase.target_end));
}

}  // namespace demotic::rules
