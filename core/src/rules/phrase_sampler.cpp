#include "phrase_sampler.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace demotic::rules {
namespace {

// Past this many pairs of words the lexicon is read from the file again.
constexpr size_t kMostPairs = size_t{1} << 22;

// Any bound will do: rules of one source side need no order.
constexpr WordId kAnyWord = INT32_MAX - 2;

}  // namespace

PhraseSampler::PhraseSampler(const std::vector<BitextIndex>& indices, const PackedBitext& bitext,
                             const ExtractOptions& options)
    : indices_(indices),
      bitext_(bitext),
      options_(options),
      extractor_(options),
      order_(kAnyWord),
      scorer_(lexicon_, options, smoothing_),
      ranges_(indices.size()) {}

SampledRules PhraseSampler::sample(std::span<const WordId> words) {
  uint64_t taken = 0;
  const uint64_t all = extract(words, taken);
  sort_occurrences();
  Csr<CountedRule> counted = count_rules(bitext_, occurrences_, order_);
  std::vector<CountedRule>& rules = counted.values;
  const bool complete = taken == all;
  const double scale = static_cast<double>(all) / static_cast<double>(std::max<uint64_t>(1, taken));
  for (CountedRule& rule : rules) {
    if (complete) break;
    rule.count = static_cast<float>(rule.count * scale);
    rule.occurrences = static_cast<int32_t>(std::lround(rule.occurrences * scale));
  }
  const SideCounts source = smoothing_.counts(rules);
  SampledRules result;
  result.source_count = static_cast<float>(source.total);
  std::erase_if(rules, [&](const CountedRule& rule) { return !keeps(rule); });
  std::ranges::stable_sort(rules, std::greater(), &CountedRule::count);
  for (const CountedRule& rule : rules) add(rule, source, complete, result);
  return result;
}

// Returns the number of occurrences of the phrase and sets `taken` to how many were looked at.
uint64_t PhraseSampler::extract(std::span<const WordId> words, uint64_t& taken) {
  occurrences_.clear();
  uint64_t all = 0;
  for (size_t i = 0; i < indices_.size(); ++i) {
    ranges_[i] = indices_[i].source().find(words);
    all += ranges_[i].size();
  }
  const BitextIndex::Settings& settings = indices_[0].settings();
  const auto wanted = static_cast<uint64_t>(settings.sample);
  taken = wanted == 0 ? all : std::min(wanted, all);
  uint64_t random = hash_symbols(words, static_cast<uint64_t>(settings.seed));
  size_t part = 0;
  uint64_t before = 0;  // occurrences in the parts before
  uint64_t least = 0;   // after the last one chosen
  for (uint64_t i = 0; i < taken; ++i) {
    uint64_t chosen = i;
    if (taken < all) {  // from the i-th of `taken` equal shares of all / taken occurrences
      random = mix64(random + i);
      chosen = std::max(least, (i * all + random % all) / taken);
    }
    least = chosen + 1;
    while (chosen - before >= ranges_[part].size()) before += ranges_[part++].size();
    extract_at(part, static_cast<uint32_t>(ranges_[part].begin + (chosen - before)),
               static_cast<int32_t>(words.size()));
  }
  return all;
}

void PhraseSampler::extract_at(size_t part, uint32_t rank, int32_t words) {
  const BitextIndex& index = indices_[part];
  const uint32_t position = index.source().suffixes()[rank];
  const uint32_t pair = index.pair_at(position);
  const auto begin = static_cast<int32_t>(position - index.part().places[pair].words);
  for (int32_t set = 0; set < index.settings().sets; ++set) {
    const int64_t row = bitext_.first_row(part) + set * index.part().pairs + pair;
    extractor_.extract(bitext_, static_cast<int32_t>(row), begin, begin + words, occurrences_);
  }
}

// By rule; those of a rule in the order in which extract_rules finds them, which decides between
// equally frequent alignments.
void PhraseSampler::sort_occurrences() {
  std::ranges::sort(occurrences_, [&](const Occurrence& a, const Occurrence& b) {
    if (a.key != b.key) return a.key < b.key;
    const auto place = [&](const Occurrence& o) {
      return std::tuple(bitext_.rank(o.sentence), o.target_begin, o.target_size, -o.source_begin);
    };
    return place(a) < place(b);
  });
}

bool PhraseSampler::keeps(const CountedRule& rule) const noexcept {
  return rule.occurrences >= options_.min_count ||
         (options_.keep_word_pairs && rule.place.source_size == 1 && rule.place.target_size == 1);
}

double PhraseSampler::target_count(std::span<const Symbol> target) const {
  uint64_t count = 0;
  for (const BitextIndex& index : indices_)
    count += index.target_extractions(index.target().find(target), target.size());
  return static_cast<float>(count);  // rounded as it is stored
}

void PhraseSampler::add(const CountedRule& rule, const SideCounts& source, bool complete,
                        SampledRules& result) {
  spell(bitext_, rule.place, rule_);
  need_lexicon(rule_);
  const double exact = target_count(rule_.target);
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
void PhraseSampler::need_lexicon(const Rule& rule) {
  if (known_pairs_.size() > kMostPairs) {
    known_pairs_.clear();
    lexicon_ = LexicalTable();
  }
  for (const Link link : rule.links) need_pair(rule.source[link.source], rule.target[link.target]);
  for (const WordId word : rule.source) need_pair(word, kNull);
  for (const WordId word : rule.target) need_pair(kNull, word);
}

void PhraseSampler::need_pair(WordId source, WordId target) {
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
