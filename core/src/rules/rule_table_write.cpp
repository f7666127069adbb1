// Sorts a rule table and writes it as a store.
#include <algorithm>
#include <cmath>

#include "demotic/base/errors.h"
#include "demotic/base/hash.h"
#include "demotic/rules/occurrence.h"
#include "demotic/rules/rule_store_writer.h"
#include "demotic/rules/rule_table.h"

namespace demotic::rules {
namespace {

// The first two symbols as one number with the same order; 0 stands for "no more symbols".
uint64_t first_symbols(std::span<const Symbol> symbols) noexcept {
  const auto at = [&](size_t i) -> uint64_t {
    return i < symbols.size() ? static_cast<uint32_t>(symbols[i]) ^ 0x80000000u : 0;
  };
  return at(0) << 32 | at(1);
}

struct SortKey {
  uint64_t first;
  uint32_t rule;
};

// Distinct target sides, in the order of their first rule.
class TargetNumbers {
 public:
  TargetNumbers(CsrView<Symbol> targets, size_t rules) : targets_(targets), ids_(rules) {}

  void add(uint32_t rule, float count) {
    for (uint64_t hash = hash_symbols(targets_[rule]);; hash = mix64(hash + 1)) {
      const auto [id, fresh] = by_hash_.insert(hash);
      if (fresh) {
        id = static_cast<uint32_t>(first_.size());
        first_.push_back(rule);
        counts_.push_back(0);
      } else if (!std::ranges::equal(targets_[first_[id]], targets_[rule])) {
        continue;
      }
      ids_[rule] = id;
      counts_[id] = std::max(counts_[id], count);
      return;
    }
  }

  void write(RuleStoreWriter& writer) {
    for (size_t id = 0; id < first_.size(); ++id)
      places_.push_back(writer.add_target(targets_[first_[id]], counts_[id]));
  }

  // The offset of the rule's target side.
  uint32_t operator[](uint32_t rule) const noexcept { return places_[ids_[rule]]; }

 private:
  CsrView<Symbol> targets_;
  std::vector<uint32_t> ids_, first_, places_;
  std::vector<float> counts_;
  FlatMap<uint64_t, uint32_t> by_hash_;
};

}  // namespace

bool RuleTable::same_rule(uint32_t a, uint32_t b) const noexcept {
  return lhs_[a] == lhs_[b] && std::ranges::equal(sources_[a], sources_[b]) &&
         std::ranges::equal(targets_[a], targets_[b]);
}

// By source side, then falling count, then target side: the order of RuleStore. Lines of the same
// rule stay together and in order.
std::vector<uint32_t> RuleTable::sorted(const StopFlag& stop) const {
  std::vector<SortKey> keys(size());
  for (uint32_t rule = 0; rule < size(); ++rule) keys[rule] = {first_symbols(sources_[rule]), rule};
  stop.check();
  std::sort(keys.begin(), keys.end(), [&](const SortKey& a, const SortKey& b) {
    if (a.first != b.first) return a.first < b.first;
    const auto source =
        std::lexicographical_compare_three_way(sources_[a.rule].begin(), sources_[a.rule].end(),
                                               sources_[b.rule].begin(), sources_[b.rule].end());
    if (source != 0) return source < 0;
    const auto target =
        std::lexicographical_compare_three_way(targets_[a.rule].begin(), targets_[a.rule].end(),
                                               targets_[b.rule].begin(), targets_[b.rule].end());
    if (target != 0) return target < 0;
    return std::pair(lhs_[a.rule], a.rule) < std::pair(lhs_[b.rule], b.rule);
  });
  std::vector<uint32_t> order(size());
  std::ranges::transform(keys, order.begin(), &SortKey::rule);
  return order;
}

void RuleTable::drop_duplicates(std::vector<uint32_t>& order, Duplicates duplicates) {
  size_t kept = 0;
  for (const uint32_t rule : order) {
    if (kept == 0 || !same_rule(order[kept - 1], rule)) {
      order[kept++] = rule;
      continue;
    }
    if (duplicates == Duplicates::kRefuse) refuse_duplicate(order[kept - 1], rule);
    order[kept - 1] = rule;
    ++report_.replaced;
  }
  order.resize(kept);
}

void RuleTable::refuse_duplicate(uint32_t first, uint32_t second) const {
  const File& file = file_of(first);
  throw FormatError({.path = file_of(second).name,
                     .line = lines_[second],
                     .found = "a rule that is also on line " + std::to_string(lines_[first]) +
                              (file.name == file_of(second).name ? "" : " of " + file.name),
                     .expected = "distinct rules",
                     .advice = "remove one of them, or keep the last one with --duplicates last"});
}

std::span<const float> RuleTable::row(uint32_t rule, std::vector<float>& buffer) const {
  const auto scores = scores_[rule];
  buffer.assign(scores.begin(), scores.end());
  buffer.resize(columns_.size(), 0);
  for (const AddedColumns& added : added_columns_) {
    const auto values = added.values.begin() + static_cast<ptrdiff_t>(rule * added.width);
    std::copy_n(values, added.width, buffer.begin() + added.first_column);
  }
  return buffer;
}

TableReport RuleTable::write(const std::string& path, Duplicates duplicates, const StopFlag& stop,
                             Progress& progress) {
  std::vector<uint32_t> order = sorted(stop);
  drop_duplicates(order, duplicates);
  RuleStoreWriter writer(path, columns_, labels_, frequent_first(targets_.values));
  TargetNumbers targets(targets_.view(), size());
  for (const uint32_t rule : order) targets.add(rule, counts_[rule][0]);
  targets.write(writer);
  progress.expect(static_cast<int64_t>(order.size()));
  std::vector<float> scores;
  for (size_t begin = 0, end = 0; begin < order.size(); begin = end) {
    stop.check();
    while (end < order.size() && std::ranges::equal(sources_[order[end]], sources_[order[begin]]))
      ++end;
    const auto rules = std::span(order).subspan(begin, end - begin);
    begin_source(rules, writer);
    for (const uint32_t rule : rules) {
      writer.add_rule(stored(rule, targets[rule], row(rule, scores)));
      for (const AddedColumns& added : added_columns_) report_.missing += !added.filled[rule];
    }
    progress.advance(static_cast<int64_t>(rules.size()));
  }
  writer.commit();
  report_.rules = static_cast<int64_t>(order.size());
  return report_;
}

void RuleTable::begin_source(std::span<uint32_t> rules, RuleStoreWriter& writer) const {
  float count = 0;
  for (const uint32_t rule : rules) count = std::max(count, counts_[rule][1]);
  std::stable_sort(rules.begin(), rules.end(),
                   [&](uint32_t a, uint32_t b) { return counts_[a][2] > counts_[b][2]; });
  writer.begin_source(sources_[rules[0]], count);
}

// A table without counts has every rule once; counts of only the sides do not determine it.
StoredRule RuleTable::stored(uint32_t rule, uint32_t target, std::span<const float> scores) const {
  const auto [target_count, source_count, both] = counts_[rule];
  const bool counted = target_count > 0 || source_count > 0 || both > 0;
  return {.target = target,
          .links = links_[rule],
          .occurrences = static_cast<int32_t>(std::lround(std::min(both, 2e9f))),
          .only_sentence = -1,
          .lhs = lhs_[rule],
          .scores = scores,
          .count = counted ? both : 1.0f};
}

}  // namespace demotic::rules
