#include "demotic/rules/hiero_extract.h"

#include <algorithm>
#include <array>
#include <stdexcept>

namespace demotic::rules {
namespace {

bool disjoint(int32_t a_begin, int32_t a_end, int32_t b_begin, int32_t b_end) {
  return a_end <= b_begin || b_end <= a_begin;
}

bool strictly_inside(const PhraseSpan& inner, const PhraseSpan& outer) {
  return inner.source_begin >= outer.source_begin && inner.source_end <= outer.source_end &&
         inner.target_begin >= outer.target_begin && inner.target_end <= outer.target_end &&
         inner.source_size() < outer.source_size() && inner.target_size() < outer.target_size();
}

Gap relative(const PhraseSpan& gap, const PhraseSpan& phrase) {
  return {static_cast<uint8_t>(gap.source_begin - phrase.source_begin),
          static_cast<uint8_t>(gap.source_size()),
          static_cast<uint8_t>(gap.target_begin - phrase.target_begin),
          static_cast<uint8_t>(gap.target_size())};
}

}  // namespace

// The state for one sentence pair.
struct HieroExtractor::Context {
  const PackedBitext& bitext;
  int32_t sentence;
  std::vector<Occurrence>& out;
};

HieroExtractor::HieroExtractor(const HieroExtractOptions& options)
    : options_(options), phrases_(options.max_initial, options.max_initial, options.tight) {
  if (options.max_initial < 1 || options.max_initial > kMaxPhraseSize || options.max_gaps < 0 ||
      options.max_gaps > kMaxGaps || options.min_gap < 1 || options.max_source_symbols < 1)
    throw std::invalid_argument("hiero options out of range");
}

void HieroExtractor::extract(const PackedBitext& bitext, int32_t sentence,
                             std::vector<Occurrence>& out) {
  const PackedPair pair = bitext[sentence];
  const auto source_words = static_cast<int32_t>(pair.source.size());
  const auto spans = phrases_.extract(pair);
  initial_.assign(spans.begin(), spans.end());
  std::stable_sort(initial_.begin(), initial_.end(), [](const PhraseSpan& a, const PhraseSpan& b) {
    return std::pair(a.source_begin, a.source_end) < std::pair(b.source_begin, b.source_end);
  });
  first_at_.assign(source_words + 2, 0);
  for (const PhraseSpan& phrase : initial_) ++first_at_[phrase.source_begin + 1];
  for (int32_t i = 0; i <= source_words; ++i) first_at_[i + 1] += first_at_[i];
  source_linked_.assign(source_words, 0);
  for (const PackedLink link : pair.links) source_linked_[link.source()] = 1;

  Context context{bitext, sentence, out};
  for (const PhraseSpan& phrase : initial_) {
    const size_t before = out.size();
    add_rules(context, phrase);
    if (!options_.share_count) continue;
    for (size_t i = before; i < out.size(); ++i)
      out[i].count = 1.0f / static_cast<float>(out.size() - before);
  }
}

void HieroExtractor::add_rules(Context& context, const PhraseSpan& phrase) {
  try_rule(context, phrase, {});
  if (options_.max_gaps < 1) return;
  const auto usable = [&](const PhraseSpan& gap) {
    return gap.source_size() >= options_.min_gap && strictly_inside(gap, phrase);
  };
  const int32_t end = first_at_[phrase.source_end];
  for (int32_t i = first_at_[phrase.source_begin]; i < end; ++i) {
    const PhraseSpan& first = initial_[i];
    if (!usable(first)) continue;
    try_rule(context, phrase, std::array{first});
    if (options_.max_gaps < 2) continue;
    const int32_t apart = options_.adjacent_gaps ? 0 : 1;
    const int32_t next = std::min(first.source_end + apart, phrase.source_end);
    for (int32_t k = first_at_[next]; k < end; ++k) {
      const PhraseSpan& second = initial_[k];
      if (usable(second) &&
          disjoint(first.target_begin, first.target_end, second.target_begin, second.target_end))
        try_rule(context, phrase, std::array{first, second});
    }
  }
}

void HieroExtractor::try_rule(Context& context, const PhraseSpan& phrase,
                              std::span<const PhraseSpan> gaps) {
  int32_t words = phrase.source_size();
  for (const PhraseSpan& gap : gaps) words -= gap.source_size();
  if (words + static_cast<int32_t>(gaps.size()) > options_.max_source_symbols) return;
  if (options_.require_link) {
    // A linked source word outside all gaps: its links stay inside the phrase and outside the gaps.
    bool found = false;
    for (int32_t i = phrase.source_begin; i < phrase.source_end && !found; ++i) {
      found = source_linked_[i] && std::none_of(gaps.begin(), gaps.end(), [&](const PhraseSpan& g) {
                return i >= g.source_begin && i < g.source_end;
              });
    }
    if (!found) return;
  }
  Occurrence occurrence{};
  occurrence.sentence = context.sentence;
  occurrence.source_begin = static_cast<uint16_t>(phrase.source_begin);
  occurrence.target_begin = static_cast<uint16_t>(phrase.target_begin);
  occurrence.source_size = static_cast<uint8_t>(phrase.source_size());
  occurrence.target_size = static_cast<uint8_t>(phrase.target_size());
  occurrence.gap_count = static_cast<uint8_t>(gaps.size());
  for (size_t k = 0; k < gaps.size(); ++k) occurrence.gaps[k] = relative(gaps[k], phrase);
  occurrence.count = 1.0f;
  occurrence.key = rule_key(context.bitext, occurrence);
  context.out.push_back(occurrence);
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
