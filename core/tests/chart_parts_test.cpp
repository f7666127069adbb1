// The compact data structures of chart search, each against its plain definition.
#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "demotic/search/best_first.h"
#include "demotic/search/context_free_scores.h"
#include "demotic/search/packed_states.h"
#include "small_models.h"
#include "test.h"

namespace test = demotic::test;
using namespace demotic::all;
using namespace demotic::test;

TEST_CASE("best first: descending keys, ties by ascending number") {
  Rng rng(1);
  const std::array<float, 7> keys{-3.5f, -1e-30f, -0.0f, 0.0f, 2.0f, 1e30f, -1e30f};
  for (int round = 0; round < 100; ++round) {
    BestFirst heap;
    std::vector<std::pair<float, uint32_t>> all;
    const auto count = static_cast<uint32_t>(rng.below(40));
    for (uint32_t i = 0; i < count; ++i) {
      all.emplace_back(keys[rng.below(keys.size())], rng.below(2) ? i : UINT32_MAX - 1 - i);
      if (i < count / 2) {
        heap.add(all.back().first, all.back().second);
        if (i + 1 == count / 2) heap.arrange();
      } else {
        heap.push(all.back().first, all.back().second);
      }
    }
    std::ranges::sort(all, [](const auto& a, const auto& b) {
      return a.first != b.first ? a.first > b.first : a.second < b.second;
    });
    for (const auto& [key, number] : all) {
      CHECK_EQ(heap.best_key(), key);
      CHECK_EQ(heap.pop(), number);
    }
    CHECK(heap.empty());
  }
}

TEST_CASE("best first: the best of what is left, in any order of pushing and popping") {
  Rng rng(3);
  BestFirst heap;
  std::set<std::pair<float, uint32_t>> left;  // by negative key
  for (uint32_t i = 0; i < 20'000; ++i) {
    if (rng.below(1000) == 0) heap.clear(), left.clear();
    // Longer and shorter heaps in turns.
    if (rng.below(1000) < (i / 500 % 2 ? 600 : 450)) {
      const auto key = static_cast<float>(rng.below(50));
      heap.push(key, i);
      left.emplace(-key, i);
    }
    CHECK_EQ(heap.empty(), left.empty());
    if (left.empty() || rng.below(2)) continue;
    if (rng.below(2)) CHECK_EQ(heap.best_key(), -left.begin()->first);
    CHECK_EQ(heap.pop(), left.begin()->second);
    left.erase(left.begin());
  }
}

TEST_CASE("context-free scores: the stored score or none, also where rules share a slot") {
  Rng rng(2);
  for (const size_t models : {0, 1, 3}) {
    const RuleId rules = 30'000'000;
    const ContextFreeScores table(rules, models);
    std::map<RuleId, std::pair<uint32_t, std::array<float, 3>>> put;
    int lost = 0;
    for (int round = 0; round < 4'000; ++round) {
      // Few slots, many rules for each.
      const auto rule = static_cast<RuleId>(rng.below(200) + (rng.below(7) << 22));
      std::array<float, 3> scores{};
      const int32_t words = table.find(rule, scores);
      CHECK_EQ(words >= 0, table.knows(rule));
      const auto known = put.find(rule);
      if (words >= 0) {
        CHECK(known != put.end());
        CHECK_EQ(static_cast<uint32_t>(words), known->second.first);
        CHECK(std::equal(scores.begin(), scores.begin() + models, known->second.second.begin()));
        continue;
      }
      lost += known != put.end();
      for (size_t i = 0; i < models; ++i) scores[i] = static_cast<float>(-rng.uniform());
      const auto count = static_cast<uint32_t>(rng.below(256));
      table.put(rule, count, scores);
      put[rule] = {count, scores};
      CHECK(table.knows(rule));
    }
    CHECK(lost > 100);
  }
}

TEST_CASE("packed states: the same scores as full states, and equal if and only if those are") {
  Rng rng(3);
  for (int round = 0; round < 100; ++round) {
    const std::array<LanguageModel, 2> models{bigrams(rng), bigrams(rng)};
    const auto order = static_cast<uint32_t>(models[0].order());
    PackedStates packed({0, order, 2 * order});
    std::vector<std::array<ChartState, 2>> plain;
    for (uint32_t n = 0; n < 40; ++n) {
      packed.add();
      plain.emplace_back();
      // A word or none, an earlier state or none, a word or none.
      const bool first = rng.below(2), last = rng.below(2);
      const auto tail = static_cast<uint32_t>(rng.below(n + 1));
      for (size_t m = 0; m < 2; ++m) {
        Rng words(round * 100 + n);
        const auto word = [&] { return static_cast<WordId>(kReservedWords + words.below(kWords)); };
        ChartScorer whole(models[m]);
        BasicChartScorer<const LanguageModel, PackedState<uint64_t>> other(models[m],
                                                                           {packed.of(n, m)}, 0);
        const auto both = [&](WordId id) { whole.terminal(id), other.terminal(id); };
        if (first) both(word());
        if (tail < n) {
          whole.nonterminal(plain[tail][m], 0);
          other.nonterminal(PackedState<const uint64_t>::at_head(packed.of(tail, m)), 0);
        }
        if (last) both(word());
        CHECK_EQ(whole.finish(plain[n][m]), other.score());
        other.state().close();
      }
    }
    for (uint32_t a = 0; a < plain.size(); ++a)
      for (uint32_t b = 0; b < plain.size(); ++b) {
        CHECK_EQ(packed.same(a, b), plain[a] == plain[b]);
        if (plain[a] == plain[b]) CHECK_EQ(packed.hash(a), packed.hash(b));
      }
  }
}
