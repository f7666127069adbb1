#include "demotic/rules/lexical_table.h"

#include <algorithm>
#include <array>
#include <vector>

namespace demotic::rules {
namespace {

// Accumulated over the links of one word.
struct LinkedWord {
  double sum;
  int links;

  void add(double w) noexcept {
    sum += w;
    ++links;
  }
};
using LinkedWords = std::array<LinkedWord, kMaxPhraseSize>;

// The product over the words of one side; `null(word)` is for words without links.
template <typename Null>
double product(std::span<const Symbol> words, const LinkedWords& linked, Null&& null) {
  double weight = 1;
  for (size_t i = 0; i < words.size(); ++i)
    if (!is_gap(words[i]))
      weight *= linked[i].links ? linked[i].sum / linked[i].links : null(words[i]);
  return weight;
}

}  // namespace

LexicalTable LexicalTable::count(const AlignedBitext& bitext, const StopFlag& stop) {
  struct Totals {
    double source = 0, target = 0;
  };
  LexicalTable table;
  FlatMap<WordId, Totals> totals;
  for_each_linked_pair(bitext, stop, [&](WordId source, WordId target) {
    Entry& entry = table.pairs_[key(source, target)];
    entry.target_given_source += 1;
    entry.source_given_target += 1;
    totals[source].source += 1;
    totals[target].target += 1;
  });
  table.pairs_.for_each([&](uint64_t pair, Entry& entry) {
    entry.target_given_source /= totals.find(static_cast<WordId>(pair >> 32))->source;
    entry.source_given_target /= totals.find(static_cast<WordId>(pair))->target;
  });
  return table;
}

LexicalTable::Entry& LexicalTable::entry(WordId source, WordId target) {
  const auto [entry, fresh] = pairs_.insert(key(source, target));
  if (fresh) entry = {missing_, missing_};
  return entry;
}

void LexicalTable::set_target_given_source(WordId source, WordId target, double w) {
  entry(source, target).target_given_source = w;
}

void LexicalTable::set_source_given_target(WordId source, WordId target, double w) {
  entry(source, target).source_given_target = w;
}

double LexicalTable::target_given_source(WordId source, WordId target) const noexcept {
  const Entry* entry = pairs_.find(key(source, target));
  return entry ? entry->target_given_source : missing_;
}

double LexicalTable::source_given_target(WordId source, WordId target) const noexcept {
  const Entry* entry = pairs_.find(key(source, target));
  return entry ? entry->source_given_target : missing_;
}

void LexicalTable::prefetch(const Rule& rule) const noexcept {
  for (const Link link : rule.links)
    pairs_.prefetch(key(rule.source[link.source], rule.target[link.target]));
}

LexicalWeights LexicalTable::weigh(const Rule& rule) const {
  LinkedWords sources, targets;
  std::fill_n(sources.begin(), rule.source.size(), LinkedWord{});
  std::fill_n(targets.begin(), rule.target.size(), LinkedWord{});
  const Entry missing{missing_, missing_};
  for (const Link link : rule.links) {
    const Symbol source = rule.source[link.source], target = rule.target[link.target];
    if (is_gap(source) || is_gap(target)) continue;
    const Entry* found = pairs_.find(key(source, target));
    const Entry& pair = found ? *found : missing;
    targets[link.target].add(pair.target_given_source);
    sources[link.source].add(pair.source_given_target);
  }
  return {product(rule.target, targets, [&](WordId t) { return target_given_source(kNull, t); }),
          product(rule.source, sources, [&](WordId s) { return source_given_target(s, kNull); })};
}

}  // namespace demotic::rules
