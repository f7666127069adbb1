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

RulePlace place_of(int32_t sentence, const InitialPhrase& phrase,
                   std::span<const InitialPhrase> gaps) {
  RulePlace place{};
  place.sentence = sentence;
  place.source_begin = phrase.source_begin;
  place.target_begin = phrase.target_begin;
  place.source_size = static_cast<uint8_t>(phrase.source_size());
  place.target_size = static_cast<uint8_t>(phrase.target_size());
  place.gap_count = static_cast<uint8_t>(gaps.size());
  for (size_t k = 0; k < gaps.size(); ++k) place.gaps[k] = relative(gaps[k], phrase);
  return place;
}

Occurrence occurrence_at(const PackedBitext& bitext, const RulePlace& place) {
  return {place, 1.0f, rule_key(bitext, place)};
}

}  // namespace

// The state for one sentence pair.
struct HieroExtractor::Context {
  const PackedBitext& bitext;
  int32_t sentence;
  const InitialPhrases& initial;
  std::vector<Occurrence>* out;

  void add(const InitialPhrase& phrase, std::span<const InitialPhrase> gaps) const {
    out->push_back(occurrence_at(bitext, place_of(sentence, phrase, gaps)));
  }
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
  linked_below_.assign(source_words + 1, 0);
  for (const PackedLink link : pair.links) linked_below_[link.source() + 1] = 1;
  for (size_t i = 0; i < source_words; ++i)
    linked_below_[i + 1] = static_cast<uint16_t>(linked_below_[i + 1] + linked_below_[i]);
  return {initial_, first_at_, linked_below_};
}

// Appends make(place) for every rule, and sets its count.
template <typename Record, typename Make>
void HieroExtractor::extract_pair(const PackedBitext& bitext, int32_t sentence, bool gaps,
                                  std::vector<Record>& out, Make&& make) {
  const InitialPhrases initial = read(bitext[sentence]);
  for (const InitialPhrase& phrase : initial.phrases) {
    const size_t before = out.size();
    const auto add = [&](std::span<const InitialPhrase> chosen) {
      out.push_back(make(bitext, place_of(sentence, phrase, chosen)));
    };
    if (gaps)
      for_each_rule(initial, phrase, add);
    else if (admits(initial, phrase, {}))
      add({});
    if (!options_.share_count || out.size() == before) continue;
    const size_t rules = gaps ? out.size() - before : count_rules(initial, phrase);
    for (size_t i = before; i < out.size(); ++i) out[i].count = 1.0f / static_cast<float>(rules);
  }
}

void HieroExtractor::extract(const PackedBitext& bitext, int32_t sentence,
                             std::vector<Occurrence>& out) {
  extract_pair(bitext, sentence, true, out, occurrence_at);
}

void HieroExtractor::count(const PackedBitext& bitext, int32_t sentence, bool gaps,
                           std::vector<HashedRule>& out) {
  extract_pair(bitext, sentence, gaps, out, hashed);
}

bool HieroExtractor::usable(const InitialPhrase& gap, const InitialPhrase& phrase) const noexcept {
  return gap.source_size() >= options_.min_gap && strictly_inside(gap, phrase);
}

// Whether a rule with these gaps, which are usable, has few enough symbols and the links it needs.
bool HieroExtractor::admits(const InitialPhrases& all, const InitialPhrase& phrase,
                            std::span<const InitialPhrase> gaps) const noexcept {
  const auto linked = [&](const InitialPhrase& span) {
    return all.linked_below[span.source_end] - all.linked_below[span.source_begin];
  };
  int32_t words = phrase.source_size(), linked_words = linked(phrase);
  for (const InitialPhrase& gap : gaps) {
    words -= gap.source_size();
    linked_words -= linked(gap);
  }
  // The links of a linked source word outside all gaps are inside the phrase, outside the gaps.
  return words + static_cast<int32_t>(gaps.size()) <= options_.max_source_symbols &&
         (!options_.require_link || linked_words > 0);
}

// Calls visit(gaps) for every rule of the phrase.
template <typename Visit>
void HieroExtractor::for_each_rule(const InitialPhrases& all, const InitialPhrase& phrase,
                                   Visit&& visit) const {
  if (admits(all, phrase, {})) visit(std::span<const InitialPhrase>());
  if (options_.max_gaps < 1) return;
  // How many words two gaps have to cover, and to leave between them.
  const int32_t covered = phrase.source_size() + 2 - options_.max_source_symbols;
  const int32_t apart = options_.adjacent_gaps ? 0 : 1;
  std::array<InitialPhrase, 2> gaps;
  const uint32_t end = all.first_at[phrase.source_end];
  for (uint32_t i = all.first_at[phrase.source_begin]; i < end; ++i) {
    const InitialPhrase& first = gaps[0] = all.phrases[i];
    if (!usable(first, phrase)) continue;
    if (admits(all, phrase, std::span(gaps).first(1))) visit(std::span(gaps).first(1));
    const int32_t next = first.source_end + apart;
    const int32_t least = std::max(1, covered - first.source_size());  // words of the second gap
    const int32_t last = phrase.source_end - least;                    // where it begins at most
    if (options_.max_gaps < 2 || next > last) continue;
    for (uint32_t k = all.first_at[next]; k < all.first_at[last + 1]; ++k) {
      const InitialPhrase& second = gaps[1] = all.phrases[k];
      if (second.source_size() >= least && usable(second, phrase) &&
          !overlap_on_target(first, second) && admits(all, phrase, gaps))
        visit(std::span<const InitialPhrase>(gaps));
    }
  }
}

uint32_t HieroExtractor::count_rules(const InitialPhrases& all, const InitialPhrase& phrase) const {
  uint32_t rules = 0;
  for_each_rule(all, phrase, [&](std::span<const InitialPhrase>) { ++rules; });
  return rules;
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
      if (!options_.share_count || to.size() == known) continue;
      uint32_t& rules = row.rules[&phrase - row.initial.phrases.data()];
      if (rules == 0) rules = count_rules(row.initial, phrase);
      for (size_t i = known; i < to.size(); ++i) to[i].count = 1.0f / static_cast<float>(rules);
    }
  }
}

// The rules of a phrase, given the phrases that may fill each gap.
void HieroExtractor::add_rules_with(Context& context, const InitialPhrase& phrase,
                                    std::span<const Choices> gaps) {
  const auto add_if_admitted = [&](std::span<const InitialPhrase> chosen) {
    if (admits(context.initial, phrase, chosen)) context.add(phrase, chosen);
  };
  if (gaps.empty()) return add_if_admitted({});
  for (const InitialPhrase& first : gaps[0]) {
    if (!usable(first, phrase)) continue;
    if (gaps.size() == 1) {
      add_if_admitted(std::array{first});
      continue;
    }
    for (const InitialPhrase& second : gaps[1])
      if (usable(second, phrase) && !overlap_on_target(first, second))
        add_if_admitted(std::array{first, second});
  }
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
