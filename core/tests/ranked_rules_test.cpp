// Ranked rules: the best of them, and sharing between threads.
#include "demotic/search/ranked_rules.h"

#include "demotic/base/rng.h"
#include "test.h"

namespace test = demotic::test;
using namespace demotic::all;

namespace {

std::vector<RankedRule> drawn(Rng& rng, size_t count) {
  std::vector<RankedRule> rules;
  for (size_t i = 0; i < count; ++i)  // many are equally good
    rules.push_back({.estimate = static_cast<float>(rng.below(6)),
                     .score = 0,
                     .dense = 0,
                     .rule = static_cast<RuleId>(i)});
  for (size_t i = count; i > 1; --i) std::swap(rules[i - 1], rules[rng.below(i)]);
  return rules;
}

std::vector<RuleId> numbers(const std::vector<RankedRule>& rules) {
  std::vector<RuleId> result;
  for (const RankedRule& one : rules) result.push_back(one.rule);
  return result;
}

}  // namespace

TEST_CASE("the best rules are the first ones of the sorted list") {
  Rng rng(1);
  for (int round = 0; round < 200; ++round) {
    std::vector<RankedRule> some = drawn(rng, rng.below(30)), all = some;
    const auto limit = static_cast<int32_t>(rng.below(12));
    keep_best_rules(some, limit);
    keep_best_rules(all, 0);
    for (size_t i = 1; i < all.size(); ++i)
      CHECK(all[i - 1].estimate > all[i].estimate ||
            (all[i - 1].estimate == all[i].estimate && all[i - 1].rule < all[i].rule));
    if (limit > 0 && all.size() > static_cast<size_t>(limit)) all.resize(limit);
    CHECK(numbers(some) == numbers(all));
  }
}

TEST_CASE("the first choice that is stored is shared until all are cleared") {
  Rng rng(2);
  SharedChoices shared;
  const std::vector<RankedRule> first = drawn(rng, 9), second = drawn(rng, 20), none;
  std::vector<RankedRule> found = second;
  CHECK(!shared.find(7, found));
  CHECK(numbers(found) == numbers(second));
  shared.put(7, first);
  shared.put(8, second);
  shared.put(7, second);  // too late
  CHECK(shared.find(7, found));
  CHECK(numbers(found) == numbers(first));
  CHECK(shared.find(8, found));
  CHECK(numbers(found) == numbers(second));
  shared.clear();
  CHECK(!shared.find(7, found));
  shared.put(7, none);
  CHECK(shared.find(7, found));
  CHECK(found.empty());
}
