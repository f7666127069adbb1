#include "demotic/rules/hiero_extract.h"

#include <algorithm>
#include <array>
#include <stdexcept>

namespace demotic::rules {
namespace {

bool disjoint(int32_t a_begin, int32_t a_end, int32_t b_begin, int32_t b_end) {
  return a_end <= b_begin || b_end <= a_begin;
}

bool strictly_inside(const InitialPhrase& inner, const InitialPhrase& outer) {
  return inner.source_begin >= outer.source_begin && inner.source_end <= outer.source_end &&
         inner.target_begin >= outer.target_begin && inner.target_end <= outer.target_end &&
         inner.source_size() < outer.source_size() && inner.target_size() < outer.target_size();
}

Gap relative(const InitialPhrase& gap, const InitialPhrase& phrase) {
  return {static_cast<uint8_t>(gap.source_begin - phrase.source_begin),
          static_cast<uint8_t>(gap.source_size()),
          static_cast<uint8_t>(gap.target_begin - phrase.target_begin),
          static_cast<uint8_t>(gap.target_size())};
}

// Those of `range`, sorted by source end, that end at `end`; earlier ones are removed from it.
std::span<const InitialPhrase> ending_at(int32_t end, std::span<const InitialPhrase>& range) {
  while (!range.empty() && range.front().source_end < end) range = range.subspan(1);
  size_t count = 0;
  while (count < range.size() && range[count].source_end == end) ++count;
  return range.first(count);
}

bool overlap_on_target(const InitialPhrase& a, const InitialPhrase& b) {
  return !disjoint(a.target_begin, a.target_end, b.target_begin, b.target_end);
}

}  // namespace

// The state for one sentence pair.
struct HieroExtractor::Context {
  const PackedBitext& bitext;
  int32_t sentence;
  const InitialPhrases& initial;
  std::vector<Occurrence>* out;
};

std::span<const InitialPhrase> InitialPhrases::with_source(int32_t begin,
                                                           int32_t end) const noexcept {
  auto range = at(begin);
  return ending_at(end, range);
}

HieroExtractor::HieroExtractor(const HieroExtractOptions& options)
    : options_(options), phrases_(options.max_initial, options.max_initial, options.tight) {
  if (options.max_initial < 1 || options.max_initial > kMaxPhraseSize || options.max_gaps < 0 ||
      options.max_gaps > kMaxGaps || options.min_gap < 1 || options.max_source_symbols < 1)
    throw std::invalid_argument("hiero options out of range");
}

InitialPhrases HieroExtractor::read(const PackedPair& pair) {
  const size_t source_words = pair.source.size();
  const auto spans = phrases_.extract(pair);
  first_at_.assign(source_words + 2, 0);
  for (const PhraseSpan& phrase : spans) ++first_at_[phrase.source_begin + 1];
  for (size_t i = 0; i <= source_words; ++i) first_at_[i + 1] += first_at_[i];
  initial_.clear();
  for (const PhraseSpan& span : spans)
    initial_.push_back(
        {static_cast<uint16_t>(span.source_begin), static_cast<uint16_t>(span.source_end),
         static_cast<uint16_t>(span.target_begin), static_cast<uint16_t>(span.target_end)});
  // Stable: phrases with the same source span stay in the order of their target spans.
  std::ranges::stable_sort(initial_, {}, [](const InitialPhrase& phrase) {
    return uint32_t{phrase.source_begin} << 16 | phrase.source_end;
  });
  source_linked_.assign(source_words, 0);
  for (const PackedLink link : pair.links) source_linked_[link.source()] = 1;
  return {initial_, first_at_, source_linked_};
}

void HieroExtractor::extract(const PackedBitext& bitext, int32_t sentence,
                             std::vector<Occurrence>& out) {
  const InitialPhrases initial = read(bitext[sentence]);
  Context context{bitext, sentence, initial, &out};
  rules_of_phrases_.clear();
  for (const InitialPhrase& phrase : initial.phrases) {
    const size_t before = out.size();
    add_rules(context, phrase);
    rules_of_phrases_.push_back(static_cast<uint32_t>(out.size() - before));
    if (!options_.share_count) continue;
    for (size_t i = before; i < out.size(); ++i)
      out[i].count = 1.0f / static_cast<float>(out.size() - before);
  }
}

bool HieroExtractor::usable(const InitialPhrase& gap, const InitialPhrase& phrase) const noexcept {
  return gap.source_size() >= options_.min_gap && strictly_inside(gap, phrase);
}

void HieroExtractor::add_rules(Context& context, const InitialPhrase& phrase) {
  try_rule(context, phrase, {});
  if (options_.max_gaps < 1) return;
  const InitialPhrases& all = context.initial;
  const uint32_t end = all.first_at[phrase.source_end];
  for (uint32_t i = all.first_at[phrase.source_begin]; i < end; ++i) {
    const InitialPhrase& first = all.phrases[i];
    if (!usable(first, phrase)) continue;
    try_rule(context, phrase, std::array{first});
    if (options_.max_gaps < 2) continue;
    const int32_t apart = options_.adjacent_gaps ? 0 : 1;
    const int32_t next = std::min<int32_t>(first.source_end + apart, phrase.source_end);
    for (uint32_t k = all.first_at[next]; k < end; ++k) {
      const InitialPhrase& second = all.phrases[k];
      if (usable(second, phrase) && !overlap_on_target(first, second))
        try_rule(context, phrase, std::array{first, second});
    }
  }
}

void HieroExtractor::extract_at(const Row& row, const SourcePlace& place, FrameSet frames,
                                Framed& out) {
  Context context{row.bitext, row.sentence, row.initial, nullptr};
  std::array<Choices, kMaxGaps> inner;
  for (int32_t k = 0; k < place.gap_count; ++k) {
    inner[k] = row.initial.with_source(place.gaps[k].begin, place.gaps[k].end);
    if (inner[k].empty()) return;
  }
  std::array<Choices, 2 * kMaxGaps> gaps;
  const int32_t first = std::max(0, place.end - options_.max_initial);
  for (int32_t begin = place.begin; begin >= first; --begin) {
    const size_t before = begin < place.begin ? kGapBefore : 0;
    const bool extended = contains(frames, before | kGapAfter);
    if (!extended && !contains(frames, before)) continue;
    size_t count = 0;
    if (before) gaps[count++] = row.initial.with_source(begin, place.begin);
    if (before && gaps[0].empty()) continue;
    for (int32_t k = 0; k < place.gap_count; ++k) gaps[count++] = inner[k];
    Choices right = row.initial.at(place.end);  // phrases that end later, for a gap after
    for (const InitialPhrase& phrase : row.initial.at(begin)) {
      if (phrase.source_end < place.end) continue;
      const size_t after = phrase.source_end > place.end ? kGapAfter : 0;
      if (after && !extended) break;
      if (!contains(frames, before | after)) continue;
      if (after) {
        gaps[count] = ending_at(phrase.source_end, right);
        if (gaps[count].empty()) continue;
      }
      std::vector<Occurrence>& to = out[before | after];
      const size_t known = to.size();
      context.out = &to;
      add_rules_with(context, phrase, std::span(gaps).first(count + (after ? 1 : 0)));
      if (!options_.share_count) continue;
      const uint16_t rules = row.rules[&phrase - row.initial.phrases.data()];
      for (size_t i = known; i < to.size(); ++i) to[i].count = 1.0f / static_cast<float>(rules);
    }
  }
}

// The rules of a phrase, given the phrases that may fill each gap.
void HieroExtractor::add_rules_with(Context& context, const InitialPhrase& phrase,
                                    std::span<const Choices> gaps) {
  if (gaps.empty()) return try_rule(context, phrase, {});
  for (const InitialPhrase& first : gaps[0]) {
    if (!usable(first, phrase)) continue;
    if (gaps.size() == 1) {
      try_rule(context, phrase, std::array{first});
      continue;
    }
    for (const InitialPhrase& second : gaps[1])
      if (usable(second, phrase) && !overlap_on_target(first, second))
        try_rule(context, phrase, std::array{first, second});
  }
}

void HieroExtractor::try_rule(Context& context, const InitialPhrase& phrase,
                              std::span<const InitialPhrase> gaps) {
  int32_t words = phrase.source_size();
  for (const InitialPhrase& gap : gaps) words -= gap.source_size();
  if (words + static_cast<int32_t>(gaps.size()) > options_.max_source_symbols) return;
  if (options_.require_link) {
    // A linked source word outside all gaps: its links stay inside the phrase and outside the gaps.
    bool found = false;
    for (int32_t i = phrase.source_begin; i < phrase.source_end && !found; ++i) {
      found = context.initial.linked[i] && std::ranges::none_of(gaps, [&](const InitialPhrase& g) {
                return i >= g.source_begin && i < g.source_end;
              });
    }
    if (!found) return;
  }
  Occurrence occurrence{};
  occurrence.sentence = context.sentence;
  occurrence.source_begin = phrase.source_begin;
  occurrence.target_begin = phrase.target_begin;
  occurrence.source_size = static_cast<uint8_t>(phrase.source_size());
  occurrence.target_size = static_cast<uint8_t>(phrase.target_size());
  occurrence.gap_count = static_cast<uint8_t>(gaps.size());
  for (size_t k = 0; k < gaps.size(); ++k) occurrence.gaps[k] = relative(gaps[k], phrase);
  occurrence.count = 1.0f;
  occurrence.key = rule_key(context.bitext, occurrence);
  context.out->push_back(occurrence);
}

void HieroExtractor::count_distortion(const PackedBitext& bitext,
                                      std::span<const Occurrence> occurrences, int64_t sentences,
                                      DistortionCounts& counts) {
  Rule rule;
  for (const Occurrence& occurrence : occurrences) {
    if (occurrence.gap_count == 0 || bitext.pair_of(occurrence.sentence) >= sentences) continue;
    spell(bitext, occurrence, rule);
    int32_t gap = 0;
    for (const Link link : rule.links) {  // sorted by source, so gaps come in order
      if (!is_gap(rule.source[link.source])) continue;
      const int32_t size = std::min<int32_t>(occurrence.gaps[gap++].source_size, kMaxGapSize);
      ++counts.counts[is_crossed(link, std::span<const Link>(rule.links))][size];
    }
  }
}

}  // namespace demotic::rules
