#include "rule_counter.h"

#include <cstring>

#include "demotic/base/hash.h"

namespace demotic {
namespace {

uint64_t hash_links(std::span<const Link> links) noexcept {
  uint64_t hash = links.size();
  for (const Link link : links)
    hash = mix64(hash ^
                 (static_cast<uint64_t>(link.source) << 32 | static_cast<uint32_t>(link.target)));
  return hash;
}

// The position in `group` of the first occurrence that has its most frequent alignment.
size_t most_frequent_alignment(const AlignedBitext& bitext, std::span<const Occurrence> group,
                               Rule& rule) {
  struct Seen {
    uint64_t hash;
    size_t first;
    double count;
  };
  std::vector<Seen> seen;  // few: most rules have one alignment
  for (size_t i = 0; i < group.size(); ++i) {
    spell(bitext, group[i], rule);
    const uint64_t hash = hash_links(rule.links);
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

bool one_word_each(const Occurrence& o) { return o.source_size == 1 && o.target_size == 1; }

CountedRule counted(const AlignedBitext& bitext, std::span<const Occurrence> group, Rule& rule) {
  CountedRule result{};
  const bool one_alignment = group.size() == 1 || one_word_each(group[0]);
  result.place = group[one_alignment ? 0 : most_frequent_alignment(bitext, group, rule)];
  result.occurrences = static_cast<int32_t>(group.size());
  for (const Occurrence& occurrence : group) {
    result.count += occurrence.count;
    result.orientations[static_cast<int>(occurrence.previous())] += 1;
    result.orientations[3 + static_cast<int>(occurrence.next())] += 1;
  }
  return result;
}

// Whether two occurrences with one hash are of the same rule. Without gaps the words stand side by
// side in the bitext and nothing has to be spelled.
bool same_rule(const AlignedBitext& bitext, const Occurrence& a, const Occurrence& b, Rule& x,
               Rule& y) {
  if (a.gap_count != b.gap_count) return false;
  if (a.gap_count == 0) {
    const auto words = [](const Corpus& side, int32_t sentence, int begin, int size) {
      return side[sentence].subspan(begin, size);
    };
    return std::ranges::equal(words(bitext.source, a.sentence, a.source_begin, a.source_size),
                              words(bitext.source, b.sentence, b.source_begin, b.source_size)) &&
           std::ranges::equal(words(bitext.target, a.sentence, a.target_begin, a.target_size),
                              words(bitext.target, b.sentence, b.target_begin, b.target_size));
  }
  spell(bitext, a, x);
  spell(bitext, b, y);
  return x.source == y.source && x.target == y.target;
}

}  // namespace

void count_rules(const AlignedBitext& bitext, OccurrenceSorter& sorter, const StopFlag& stop,
                 const std::function<void(const CountedRule&)>& emit) {
  Rule x, y;
  Grouper<Occurrence, std::function<uint64_t(const Occurrence&)>,
          std::function<bool(const Occurrence&, const Occurrence&)>,
          std::function<void(std::span<Occurrence>)>>
      grouper(
          [](const Occurrence& o) { return o.key; },
          [&](const Occurrence& a, const Occurrence& b) { return same_rule(bitext, a, b, x, y); },
          [&](std::span<Occurrence> group) { emit(counted(bitext, group, x)); });
  sorter.drain(stop, [&](const Occurrence& occurrence) { grouper.add(occurrence); });
  grouper.flush();
}

uint64_t source_order(const Rule& rule) noexcept {
  const auto rank = [&](size_t i) -> uint64_t {
    return i < rule.source.size() ? static_cast<uint32_t>(rule.source[i]) ^ 0x80000000u : 0;
  };
  return rank(0) << 32 | rank(1);
}

bool BySource::operator()(const CountedRule& a, const CountedRule& b) const {
  if (a.order != b.order) return a.order < b.order;
  thread_local Rule x, y;
  spell(*bitext, a.place, x);
  spell(*bitext, b.place, y);
  if (x.source != y.source) return x.source < y.source;
  if (a.count != b.count) return a.count > b.count;
  return x.target < y.target;
}

}  // namespace demotic
