#include "sample_scorer.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "rule_filter.h"

namespace demotic::rules {
namespace {

// Past this many pairs of words the lexicon is read from the file again.
constexpr size_t kMostPairs = size_t{1} << 22;

constexpr size_t kAhead = 32;  // rules whose target sides are looked up at once

// Any bound will do: rules of one source side need no order.
constexpr WordId kAnyWord = INT32_MAX - 2;

// The order in which extract_rules finds the phrase pairs of a row.
auto phrase_order(const Occurrence& o) {
  return std::tuple(o.target_begin, o.target_size, -o.source_begin);
}

// The same for Hiero rules of one source side.
auto hiero_order(const Occurrence& o) {
  const auto number = [](const Gap& gap) {
    return uint32_t{gap.source_begin} << 24 | uint32_t{gap.source_size} << 16 |
           uint32_t{gap.target_begin} << 8 | gap.target_size;
  };
  return std::tuple(o.source_begin, o.source_size, o.target_begin, o.target_size, number(o.gaps[0]),
                    number(o.gaps[1]));
}

}  // namespace

SampleScorer::SampleScorer(const std::vector<BitextIndex>& indices, const PackedBitext& bitext,
                           const ExtractOptions& options)
    : indices_(indices),
      bitext_(bitext),
      options_(options),
      order_(kAnyWord),
      scorer_(lexicon_, options, smoothing_) {}

SampledRules SampleScorer::score(std::vector<Occurrence>& occurrences, const SampleSize& size) {
  SampledRules result;
  if (occurrences.empty()) return result;
  sort(occurrences);
  if (indices_.size() > 1) add_up_parts(occurrences, size.complete ? 1 : size.scale());
  Csr<CountedRule> counted = count_rules(bitext_, occurrences, order_);
  std::vector<CountedRule>& rules = counted.values;
  const double scale = size.scale();
  for (CountedRule& rule : rules) {
    if (size.complete) break;
    rule.count = static_cast<float>(rule.count * scale);
    rule.occurrences = static_cast<int32_t>(std::lround(rule.occurrences * scale));
  }
  // Sorted before they are added up: in the order of a table, in which rounding errors are equal.
  std::ranges::stable_sort(rules, std::greater(), &CountedRule::count);
  const SideCounts source = smoothing_.counts(rules);
  result.source_count = static_cast<float>(source.total);
  const auto sets = static_cast<size_t>(indices_[0].settings().sets);
  std::erase_if(rules,
                [&](const CountedRule& rule) { return !frequent_enough(rule, options_, sets); });
  for (size_t i = 0; i < rules.size(); ++i) {
    if (i % kAhead == 0) touch(std::span<const CountedRule>(rules).subspan(i));
    add(rules[i], source, size.complete, result);
  }
  return result;
}

// The counts of the target sides of the next rules, each of which is somewhere else.
void SampleScorer::touch(std::span<const CountedRule> rules) const noexcept {
  if (options_.kind != RuleKind::kHiero) return;
  for (const BitextIndex& index : indices_)
    for (const CountedRule& rule : rules.first(std::min(rules.size(), kAhead)))
      index.target_totals().touch(rule.target);
}

// By rule; those of a rule in the order in which extract_rules finds them, which decides between
// equally frequent alignments.
void SampleScorer::sort(std::vector<Occurrence>& occurrences) const {
  const auto by = [&](auto&& order) {
    std::ranges::sort(occurrences, [&](const Occurrence& a, const Occurrence& b) {
      if (a.key != b.key) return a.key < b.key;
      if (a.sentence != b.sentence) return bitext_.rank(a.sentence) < bitext_.rank(b.sentence);
      return order(a) < order(b);
    });
  };
  if (options_.kind == RuleKind::kHiero) return by(hiero_order);
  by(phrase_order);
}

// The count of each rule by index; occurrences are sorted by rule.
void SampleScorer::add_up_parts(std::span<const Occurrence> occurrences, double scale) {
  parts_.clear();
  for (const Occurrence& one : occurrences) {
    if (parts_.empty() || parts_.back().rule != one.key)
      parts_.push_back({one.key, std::vector<double>(indices_.size())});
    parts_.back().counts[bitext_.part_of(one.sentence)] += one.count * scale;
  }
}

// An index has the totals of target sides with several rules; of all others, the only rule.
double SampleScorer::target_count(const CountedRule& rule, std::span<const Symbol> target) const {
  if (indices_.size() == 1) {
    const double count = indices_[0].target_count(target);
    return count > 0 ? count : rule.count;
  }
  const auto of_rule =
      std::ranges::lower_bound(parts_, rule_key(bitext_, rule.place), {}, &RuleParts::rule);
  double count = 0;
  for (size_t i = 0; i < indices_.size(); ++i) {
    const double total = indices_[i].target_count(target);
    count += total > 0 ? total : static_cast<float>(of_rule->counts[i]);
  }
  return static_cast<float>(count);  // rounded as it is stored
}

void SampleScorer::add(const CountedRule& rule, const SideCounts& source, bool complete,
                       SampledRules& result) {
  spell(bitext_, rule.place, rule_);
  need_lexicon(rule_);
  const double exact = target_count(rule, rule_.target);
  SideCounts target;
  target.total = std::max(exact, double{rule.count});  // an estimate may exceed it
  const auto scores = scorer_.score(rule_, rule, source, target);
  result.scores.insert(result.scores.end(), scores.begin(), scores.end());
  result.targets.values.insert(result.targets.values.end(), rule_.target.begin(),
                               rule_.target.end());
  result.targets.end_row();
  for (const Link link : rule_.links)
    result.links.values.push_back(
        {static_cast<uint8_t>(link.source), static_cast<uint8_t>(link.target)});
  result.links.end_row();
  result.counts.push_back(rule.count);
  result.target_counts.push_back(static_cast<float>(exact));
  result.occurrences.push_back(rule.occurrences);
  const bool once = complete && rule.occurrences == 1;
  result.only_pairs.push_back(once ? bitext_.pair_of(rule.place.sentence) : -1);
}

// Reads the word pairs that lexical weights need from the files, unless they are known.
void SampleScorer::need_lexicon(const Rule& rule) {
  if (known_pairs_.size() > kMostPairs) {
    known_pairs_.clear();
    lexicon_ = LexicalTable();
  }
  for (const Link link : rule.links)
    if (!is_gap(rule.source[link.source]))
      need_pair(rule.source[link.source], rule.target[link.target]);
  for (const Symbol word : rule.source)
    if (!is_gap(word)) need_pair(word, kNull);
  for (const Symbol word : rule.target)
    if (!is_gap(word)) need_pair(kNull, word);
}

void SampleScorer::need_pair(WordId source, WordId target) {
  const uint64_t key = static_cast<uint64_t>(source) << 32 | static_cast<uint32_t>(target);
  if (!known_pairs_.insert(key).second) return;
  uint64_t both = 0, sources = 0, targets = 0;
  for (const BitextIndex& index : indices_) {
    both += index.linked(source, target);
    sources += index.source_links(source);
    targets += index.target_links(target);
  }
  if (both == 0) return;  // never linked
  lexicon_.set_target_given_source(source, target,
                                   static_cast<double>(both) / static_cast<double>(sources));
  lexicon_.set_source_given_target(source, target,
                                   static_cast<double>(both) / static_cast<double>(targets));
}

}  // namespace demotic::rules
