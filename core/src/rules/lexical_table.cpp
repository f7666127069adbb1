#include "demotic/rules/lexical_table.h"

#include <vector>

namespace demotic {
namespace {

// The product over one side's words of the mean over their links. `side` and `other` choose the
// direction; w(other word or NULL, word) is the table.
template <typename W>
double product(std::span<const Symbol> words, std::span<const Symbol> others,
               std::span<const Link> links, int32_t Link::* side, int32_t Link::* other, W&& w) {
  double weight = 1;
  for (size_t i = 0; i < words.size(); ++i) {
    if (is_gap(words[i])) continue;
    double sum = 0;
    int count = 0;
    for (const Link& link : links) {
      if (link.*side != static_cast<int32_t>(i) || is_gap(others[link.*other])) continue;
      sum += w(others[link.*other], words[i]);
      ++count;
    }
    weight *= count ? sum / count : w(kNull, words[i]);
  }
  return weight;
}

}  // namespace

LexicalTable LexicalTable::count(const AlignedBitext& bitext, const StopFlag& stop) {
  struct Totals {
    double source = 0, target = 0;
  };
  LexicalTable table;
  FlatMap<WordId, Totals> totals;
  const auto add = [&](WordId source, WordId target) {
    Entry& entry = table.pairs_[key(source, target)];
    entry.target_given_source += 1;
    entry.source_given_target += 1;
    totals[source].source += 1;
    totals[target].target += 1;
  };
  std::vector<uint8_t> source_linked, target_linked;
  for (int64_t i = 0; i < bitext.size(); ++i) {
    if (i % 1024 == 0) stop.check();
    const auto source = bitext.source[i], target = bitext.target[i];
    source_linked.assign(source.size(), 0);
    target_linked.assign(target.size(), 0);
    for (const Link link : bitext.links[i]) {
      add(source[link.source], target[link.target]);
      source_linked[link.source] = target_linked[link.target] = 1;
    }
    for (size_t k = 0; k < source.size(); ++k)
      if (!source_linked[k]) add(source[k], kNull);
    for (size_t k = 0; k < target.size(); ++k)
      if (!target_linked[k]) add(kNull, target[k]);
  }
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

double LexicalTable::weigh_target(const Rule& rule) const {
  return product(rule.target, rule.source, rule.links, &Link::target, &Link::source,
                 [&](WordId source, WordId target) { return target_given_source(source, target); });
}

double LexicalTable::weigh_source(const Rule& rule) const {
  return product(rule.source, rule.target, rule.links, &Link::source, &Link::target,
                 [&](WordId target, WordId source) { return source_given_target(source, target); });
}

}  // namespace demotic
