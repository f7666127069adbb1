#include "rule_counter.h"

#include <bit>

#include "demotic/base/hash.h"
#include "prefetch.h"

namespace demotic::rules {
namespace {

// No symbol has rank 0, so a side comes before its extensions.
uint64_t rank(Symbol symbol) noexcept {
  static_assert(gap_symbol(kLabelX) == -1, "the only gap on the source side of extracted rules");
  return static_cast<uint64_t>(int64_t{symbol} + 2);
}

// The index in `group` of the first occurrence that has its most frequent alignment.
size_t most_frequent_alignment(const PackedBitext& bitext, std::span<const Occurrence> group) {
  struct Seen {
    uint64_t hash;
    size_t first;
    double count;
  };
  thread_local std::vector<Seen> seen;  // short: most rules have one alignment
  thread_local Rule scratch;
  seen.clear();
  for (size_t i = 0; i < group.size(); ++i) {
    const uint64_t hash = hash_links(bitext, group[i], scratch);
    const auto known =
        std::find_if(seen.begin(), seen.end(), [&](const Seen& s) { return s.hash == hash; });
    if (known == seen.end()) {
      seen.push_back({hash, i, group[i].count});
    } else {
      known->count += group[i].count;
    }
  }
  const auto best = std::max_element(
      seen.begin(), seen.end(), [](const Seen& a, const Seen& b) { return a.count < b.count; });
  return best->first;
}

bool same_target(const PackedBitext& bitext, const RulePlace& a, const RulePlace& b) {
  thread_local std::vector<Symbol> x, y;
  return std::ranges::equal(target_symbols(bitext, a, x), target_symbols(bitext, b, y));
}

bool same_rule(const PackedBitext& bitext, const RulePlace& a, const RulePlace& b) {
  thread_local std::vector<Symbol> x, y;
  return std::ranges::equal(source_symbols(bitext, a, x), source_symbols(bitext, b, y)) &&
         same_target(bitext, a, b);
}

// In how many positions the rule occurs, whatever the set of links.
int32_t count_positions(const PackedBitext& bitext, std::span<const Occurrence> group) {
  if (group.size() == 1 || bitext.size() == bitext.pairs())
    return static_cast<int32_t>(group.size());
  using Position = std::array<uint32_t, 5>;
  static_assert(sizeof(Position) == sizeof(RulePlace));
  std::vector<Position> positions;
  for (const RulePlace& occurrence : group) {
    RulePlace place = occurrence;
    place.sentence = bitext.pair_of(place.sentence);
    place.orientations = 0;
    positions.push_back(std::bit_cast<Position>(place));
  }
  std::ranges::sort(positions);
  return static_cast<int32_t>(std::ranges::unique(positions).begin() - positions.begin());
}

// The rule whose occurrences are exactly `group`.
CountedRule counted(const PackedBitext& bitext, std::span<const Occurrence> group,
                    const SourceOrder& order) {
  CountedRule result{};
  const Occurrence& first = group.front();
  const bool one_alignment =
      group.size() == 1 || (first.source_size == 1 && first.target_size == 1);
  result.place = group[one_alignment ? 0 : most_frequent_alignment(bitext, group)];
  result.target = target_key(first.key);
  result.occurrences = count_positions(bitext, group);
  result.extractions = static_cast<int32_t>(group.size());
  double count = 0;
  std::array<int32_t, OrientationCounts::kCounts> orientations{};
  for (const Occurrence& occurrence : group) {
    count += occurrence.count;
    const auto previous = static_cast<int>(occurrence.previous());
    const auto next = static_cast<int>(occurrence.next());
    if (previous < 2) ++orientations[previous];
    if (next < 2) ++orientations[2 + next];
  }
  result.count = static_cast<float>(count);
  result.orientations = {orientations, result.extractions};
  thread_local std::vector<Symbol> buffer;
  result.source_order = order(source_symbols(bitext, result.place, buffer));
  return result;
}

// Divides a sorted range into groups. Records with equal hashes are adjacent, but different records
// may have equal hashes; `same` then separates them.
template <typename T, typename Hash, typename Same, typename Emit>
void for_each_group(std::span<T> records, Hash&& hash, Same&& same, Emit&& emit) {
  for (auto begin = records.begin(); begin != records.end();) {
    const auto end = std::find_if_not(
        begin + 1, records.end(), [&](const T& record) { return hash(record) == hash(*begin); });
    while (begin != end) {
      const auto is_same = [&](const T& record) { return same(*begin, record); };
      auto others = std::find_if_not(begin + 1, end, is_same);
      if (others != end) others = std::stable_partition(others, end, is_same);
      emit(std::span<T>(begin, others));
      begin = others;
    }
  }
}

// Links only matter for the alignments of rules that occur more than once.
auto prefetch_ahead(const PackedBitext& bitext, std::span<const Occurrence> occurrences) {
  return PrefetchAhead(
      occurrences.size(), [=, &bitext](size_t i) { bitext.prefetch(occurrences[i].sentence); },
      [=, &bitext](size_t i) {
        prefetch_words(bitext, occurrences[i]);
        const auto has_key = [&](size_t k) { return occurrences[k].key == occurrences[i].key; };
        if ((i > 0 && has_key(i - 1)) || (i + 1 < occurrences.size() && has_key(i + 1)))
          prefetch_links(bitext, occurrences[i]);
      });
}

}  // namespace

Csr<CountedRule> count_rules(const PackedBitext& bitext, std::span<Occurrence> occurrences,
                             const SourceOrder& order) {
  auto ahead = prefetch_ahead(bitext, occurrences);
  const auto move_to = [&](const Occurrence& o) { ahead.move_to(&o - occurrences.data()); };
  std::vector<CountedRule> rules;
  rules.reserve(occurrences.size());
  for_each_group(
      occurrences, [](const Occurrence& o) { return o.key; },
      [&](const Occurrence& a, const Occurrence& b) {
        move_to(b);
        return same_rule(bitext, a, b);
      },
      [&](std::span<Occurrence> group) {
        move_to(group.front());
        rules.push_back(counted(bitext, group, order));
      });
  Csr<CountedRule> result;
  result.values.reserve(rules.size());
  for_each_group(
      std::span(rules), [](const CountedRule& c) { return c.target; },
      [&](const CountedRule& a, const CountedRule& b) {
        return same_target(bitext, a.place, b.place);
      },
      [&](std::span<CountedRule> group) {
        result.values.insert(result.values.end(), group.begin(), group.end());
        result.end_row();
      });
  return result;
}

SourceOrder::SourceOrder(const Corpus& source)
    : SourceOrder(source.words().empty() ? 0 : *std::ranges::max_element(source.words())) {}

SourceOrder::SourceOrder(WordId last) {
  bits_ = static_cast<int>(std::bit_width(rank(last)));
  per_number_ = 64 / bits_;
  last_ = ~uint64_t{0} >> (64 - bits_);
}

SourceOrder::Key SourceOrder::operator()(std::span<const Symbol> symbols) const noexcept {
  Key key{};
  size_t i = 0;
  for (uint64_t& number : key)
    for (int k = 0; k < per_number_; ++k, ++i)
      number = number << bits_ | (i < symbols.size() ? rank(symbols[i]) : 0);
  return key;
}

bool BySource::same(const CountedRule& a, const CountedRule& b) const {
  if (a.source_order != b.source_order) return false;
  if (order.is_all(a.source_order)) return true;
  thread_local std::vector<Symbol> x, y;
  return std::ranges::equal(source_symbols(*bitext, a.place, x),
                            source_symbols(*bitext, b.place, y));
}

bool BySource::less(const CountedRule& a, const CountedRule& b) const {
  if (a.source_order != b.source_order) return a.source_order < b.source_order;
  if (!order.is_all(a.source_order)) {
    thread_local std::vector<Symbol> x, y;
    const auto p = source_symbols(*bitext, a.place, x), q = source_symbols(*bitext, b.place, y);
    const auto rest =
        std::lexicographical_compare_three_way(p.begin(), p.end(), q.begin(), q.end());
    if (rest != 0) return rest < 0;
  }
  if (a.count != b.count) return a.count > b.count;
  return a.target < b.target;
}

}  // namespace demotic::rules
