#include "demotic/search/order_gate.h"

#include <algorithm>

namespace demotic::search {
namespace {

int32_t covered_words(const CoverageTable& table, CoverageId covered, int32_t begin, int32_t end) {
  int32_t words = std::clamp(table.first_open(covered) - begin, 0, end - begin);
  for (int32_t word = begin + words; word < end; ++word) words += table.covers(covered, word);
  return words;
}

}  // namespace

void OrderGate::enter(const SentenceConstraints& constraints, const CoverageTable& table,
                      CoverageId covered, int32_t reach) {
  const int32_t first = table.first_open(covered);
  window_ = {0, INT32_MAX};
  blocked_.clear();
  for (const SentenceConstraints::Wall& wall : constraints.walls()) {
    const int32_t before = wall.at - wall.begin;
    const bool open =
        first >= wall.at || covered_words(table, covered, wall.begin, wall.at) == before;
    if (!open) blocked_.push_back({wall.at, wall.end});
  }
  for (const WordSpan& zone : constraints.zones()) {
    const int32_t words = covered_words(table, covered, zone.begin, zone.end);
    if (words > 0 && words < zone.size() && window_.covers(zone)) window_ = zone;
    if (words == 0 && zone.begin > first && zone.end > reach) blocked_.push_back(zone);
  }
}

bool OrderGate::allows(int32_t begin, int32_t end) const noexcept {
  return window_.covers({begin, end}) && std::ranges::none_of(blocked_, [&](const WordSpan& one) {
           return one.covers({begin, begin + 1});
         });
}

}  // namespace demotic::search
