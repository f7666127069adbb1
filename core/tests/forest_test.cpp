// Algorithms on hypergraphs agree with a list of all derivations, and depth needs no stack.
#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "demotic/base/rng.h"
#include "demotic/forest/distinct.h"
#include "demotic/forest/envelope.h"
#include "demotic/forest/features.h"
#include "demotic/forest/kbest.h"
#include "demotic/forest/posteriors.h"
#include "demotic/forest/prune.h"
#include "demotic/forest/sample.h"
#include "demotic/forest/viterbi.h"
#include "demotic/forest/yields.h"
#include "test.h"

namespace test = demotic::test;
using namespace demotic::all;

namespace {

using Edges = std::vector<int32_t>;

const StopFlag kNever;

struct Drawn {
  Hypergraph graph;
  std::vector<double> scores;  // halves, so that sums are exact
};

Drawn draw(Rng& rng, int32_t nodes) {
  Drawn drawn;
  for (int32_t node = 0; node < nodes; ++node) {
    for (uint64_t edges = rng.below(4); edges > 0; --edges) {
      for (uint64_t arity = node == 0 ? 0 : rng.below(4); arity > 0; --arity)
        drawn.graph.tails.push_back(static_cast<int32_t>(rng.below(node)));
      drawn.graph.end_edge();
      drawn.scores.push_back(rng.below(12) == 0 ? kNoScore : double(rng.below(9)) / 2 - 3);
    }
    drawn.graph.end_node();
  }
  return drawn;
}

std::vector<Edges> all_derivations(const HypergraphView& graph, int32_t node) {
  std::vector<Edges> all;
  for (const int32_t edge : graph.incoming(node)) {
    std::vector<Edges> partial{{edge}};
    for (const int32_t tail : graph.tails_of(edge)) {
      std::vector<Edges> longer;
      for (const Edges& left : partial)
        for (const Edges& right : all_derivations(graph, tail)) {
          longer.push_back(left);
          longer.back().insert(longer.back().end(), right.begin(), right.end());
        }
      partial = std::move(longer);
    }
    all.insert(all.end(), partial.begin(), partial.end());
  }
  return all;
}

double sum_of(const Edges& edges, const std::vector<double>& scores) {
  double sum = 0;
  for (const int32_t edge : edges) sum += scores[edge];
  return sum;
}

// Random hypergraphs with at most a thousand derivations, and all derivations that have a score.
template <typename Check>
void for_many(Check&& check_one) {
  Rng rng(7);
  for (int round = 0; round < 400; ++round) {
    const Drawn drawn = draw(rng, static_cast<int32_t>(1 + rng.below(6)));
    check(drawn.graph);
    if (count_derivations(drawn.graph).back() > 1000) continue;
    std::vector<Edges> all = all_derivations(drawn.graph, HypergraphView(drawn.graph).root());
    std::erase_if(all, [&](const Edges& d) { return sum_of(d, drawn.scores) == kNoScore; });
    check_one(drawn, all);
  }
}

// Node i is built from node i - 1 by `choices` edges.
Hypergraph chain(int32_t nodes, int32_t choices) {
  Hypergraph graph;
  for (int32_t node = 0; node < nodes; ++node) {
    for (int32_t i = 0; i < choices; ++i) {
      if (node > 0) graph.tails.push_back(node - 1);
      graph.end_edge();
    }
    graph.end_node();
  }
  return graph;
}

bool close(double a, double b) { return a == b || std::abs(a - b) < 1e-9; }

}  // namespace

TEST_CASE("the best, the k best and the sum are those of the list") {
  for_many([](const Drawn& drawn, const std::vector<Edges>& all) {
    const int32_t root = HypergraphView(drawn.graph).root();
    std::vector<double> expected;
    double sum = 0;
    for (const Edges& edges : all) {
      expected.push_back(sum_of(edges, drawn.scores));
      sum += std::exp(expected.back());
    }
    std::sort(expected.rbegin(), expected.rend());
    const Derivations best = kbest(drawn.graph, drawn.scores, root, 2000, kNever);
    CHECK(best.scores == expected);
    std::set<Edges> seen;
    for (size_t i = 0; i < best.scores.size(); ++i) {
      const Edges edges(best.edges[i].begin(), best.edges[i].end());
      CHECK_EQ(sum_of(edges, drawn.scores), best.scores[i]);
      CHECK(seen.insert(edges).second);
    }
    const auto nodes = viterbi(drawn.graph, drawn.scores);
    CHECK_EQ(nodes[root].score, expected.empty() ? kNoScore : expected.front());
    CHECK(best_derivation(drawn.graph, nodes, root) ==
          (expected.empty() ? Edges{} : Edges(best.edges[0].begin(), best.edges[0].end())));
    const double total = log_inside(drawn.graph, drawn.scores)[root];
    CHECK(close(total, sum == 0 ? kNoScore : std::log(sum)));
  });
}

TEST_CASE("posteriors count a node as often as it is used") {
  for_many([](const Drawn& drawn, const std::vector<Edges>& all) {
    std::vector<double> expected(HypergraphView(drawn.graph).edges(), 0);
    double sum = 0;
    for (const Edges& edges : all) {
      const double weight = std::exp(sum_of(edges, drawn.scores));
      sum += weight;
      for (const int32_t edge : edges) expected[edge] += weight;
    }
    const std::vector<double> found = edge_posteriors(drawn.graph, drawn.scores);
    for (size_t i = 0; i < expected.size(); ++i)
      CHECK(close(found[i], sum == 0 ? 0 : expected[i] / sum));
  });
}

TEST_CASE("the envelope is the highest line everywhere") {
  EnvelopeFinder again;  // must not depend on the previous hypergraph
  for_many([&](const Drawn& drawn, const std::vector<Edges>& all) {
    Rng rng(drawn.scores.size());
    std::vector<double> slopes(drawn.scores.size());
    for (double& slope : slopes) slope = double(rng.below(7)) - 3;
    const Envelope found = envelope(drawn.graph, drawn.scores, slopes, kNever);
    const Envelope& kept = again(drawn.graph, drawn.scores, slopes, kNever);
    CHECK(kept.left == found.left);
    CHECK(kept.derivations.values == found.derivations.values);
    CHECK_EQ(found.left.empty(), all.empty());
    if (all.empty()) return;
    for (double x = -20; x <= 20; x += 0.37) {
      double highest = kNoScore;
      for (const Edges& edges : all)
        highest = std::max(highest, sum_of(edges, drawn.scores) + x * sum_of(edges, slopes));
      const size_t i =
          std::upper_bound(found.left.begin(), found.left.end(), x) - found.left.begin() - 1;
      const Edges edges(found.derivations[i].begin(), found.derivations[i].end());
      CHECK_EQ(sum_of(edges, drawn.scores), found.intercept[i]);
      CHECK_EQ(sum_of(edges, slopes), found.slope[i]);
      CHECK(close(found.intercept[i] + x * found.slope[i], highest));
    }
  });
}

TEST_CASE("distinct yields are the best derivation of each yield") {
  for_many([](const Drawn& drawn, const std::vector<Edges>& all) {
    const HypergraphView graph = drawn.graph;
    Csr<int32_t> targets;  // few words, some empty: many derivations share a yield
    for (int32_t edge = 0; edge < graph.edges(); ++edge) {
      for (int32_t i = graph.arity(edge) - 1; i >= 0; --i) targets.values.push_back(gap_symbol(i));
      if (edge % 3 > 0) targets.values.push_back(edge % 2);
      targets.end_row();
    }
    check_targets(graph, targets.view());
    Csr<int32_t> rows;
    for (const Edges& edges : all) {
      rows.values.insert(rows.values.end(), edges.begin(), edges.end());
      rows.end_row();
    }
    const Csr<int32_t> words = yields(graph, rows.view(), targets.view());
    std::map<Edges, double> best;
    for (size_t i = 0; i < all.size(); ++i) {
      const Edges words_i(words[i].begin(), words[i].end());
      const double score = sum_of(all[i], drawn.scores);
      const auto [entry, fresh] = best.try_emplace(words_i, score);
      if (!fresh) entry->second = std::max(entry->second, score);
    }
    std::vector<double> expected;
    for (const auto& [_, score] : best) expected.push_back(score);
    std::sort(expected.rbegin(), expected.rend());
    const auto found =
        distinct_kbest(graph, drawn.scores, targets.view(), graph.root(), 2000, 1'000'000, kNever);
    CHECK(found.derivations.scores == expected);
    CHECK(found.complete);
  });
}

// Such a word sequence and its complement have the same hash modulo 2^64, for any base.
TEST_CASE("different yields with the same hash are distinguished") {
  const Hypergraph graph = chain(1, 3);
  Csr<int32_t> targets;
  for (int32_t edge = 0; edge < 3; ++edge) {
    for (uint32_t i = 0; i < 2048; ++i)
      targets.values.push_back((std::popcount(i) + (edge == 1)) % 2);  // the third is the first
    targets.end_row();
  }
  const std::vector<double> scores{3, 2, 1};
  const auto found = distinct_kbest(graph, scores, targets.view(), 0, 10, 100, kNever);
  CHECK(found.derivations.edges.values == (Edges{0, 1}));
}

TEST_CASE("pruning keeps exactly the derivations that are good enough") {
  for_many([](const Drawn& drawn, const std::vector<Edges>& all) {
    double best = kNoScore;
    for (const Edges& edges : all) best = std::max(best, sum_of(edges, drawn.scores));
    for (const double threshold : {0.0, 1.0, 2.5}) {
      std::set<int32_t> expected;
      for (const Edges& edges : all)
        if (sum_of(edges, drawn.scores) >= best - threshold)
          expected.insert(edges.begin(), edges.end());
      const SubHypergraph part = prune(drawn.graph, drawn.scores, {.threshold = threshold});
      check(part.graph);
      CHECK(Edges(expected.begin(), expected.end()) == part.edges);
    }
  });
}

TEST_CASE("a chain of 10,000 nodes needs no stack") {
  const int32_t nodes = 10'000;
  const Hypergraph graph = chain(nodes, 2);
  check(graph);
  std::vector<double> scores(2 * nodes), slopes(2 * nodes);
  for (size_t i = 0; i < scores.size(); ++i) scores[i] = i % 2 == 0 ? -1 : -2;
  for (size_t i = 0; i < slopes.size(); ++i) slopes[i] = i % 2 == 0 ? 0 : 1;
  const Derivations best = kbest(graph, scores, nodes - 1, 100, kNever);
  CHECK_EQ(best.scores.front(), -nodes);
  CHECK_EQ(best.scores.back(), -nodes - 1);
  CHECK_EQ(best.edges[99].size(), nodes);
  CHECK_EQ(sample(graph, scores, 1, 3, 1, kNever).edges[2].size(), nodes);
  CHECK_EQ(envelope(graph, scores, slopes, kNever).left.size(), 2);
  CHECK_EQ(count_derivations(graph).back(), std::numeric_limits<uint64_t>::max());
  CHECK_EQ(estimate_derivations(graph)[99], std::ldexp(1.0, 100));
  CHECK_EQ(estimate_derivations(graph).back(), std::numeric_limits<double>::infinity());
  CHECK(close(log_inside(graph, std::vector<double>(2 * nodes, 0)).back() / nodes, std::log(2)));

  Csr<int32_t> targets;  // both edges of a node have the same words, except for the last node
  for (int32_t edge = 0; edge < 2 * nodes; ++edge) {
    if (edge > 1) targets.values.push_back(gap_symbol(0));
    targets.values.push_back(edge == 2 * nodes - 1 ? 5 : 4);
    targets.end_row();
  }
  const auto distinct =
      distinct_kbest(graph, scores, targets.view(), nodes - 1, 100, 1'000'000, kNever);
  CHECK_EQ(distinct.derivations.scores.size(), 2);
  CHECK(distinct.complete);
  CHECK(!distinct_kbest(graph, scores, targets.view(), nodes - 1, 100, 20, kNever).complete);
  const Csr<int32_t> words = yields(graph, distinct.derivations.edges.view(), targets.view());
  CHECK_EQ(words[0].size(), nodes);
  CHECK_EQ(words[1].back(), 5);
}

TEST_CASE("a malformed hypergraph is refused") {
  const Hypergraph good = chain(3, 1);
  Hypergraph bad = good;
  bad.tails[1] = 2;
  CHECK_THROWS_AS(check(bad), ModelError);
  bad.tails[1] = -1;
  CHECK_THROWS_AS(check(bad), ModelError);
  bad = good;
  bad.edge_offsets[1] = 3;
  CHECK_THROWS_AS(check(bad), ModelError);
  bad = good;
  bad.tail_offsets.back() = 7;
  CHECK_THROWS_AS(check(bad), ModelError);
  CHECK_THROWS_AS(check(Hypergraph{}), ModelError);
  CHECK_THROWS_AS(check_scores(good, std::vector<double>{0, std::nan(""), 0}), ModelError);
  CHECK_THROWS_AS(check_scores(good, std::vector<double>{0, 0}), std::invalid_argument);
  const Edges two_heads{0, 0};
  const std::vector<int64_t> offsets{0, 2};
  const Csr<int32_t> targets{{0, 0, 0, 0}, {}};
  CHECK_THROWS_AS(yields(good, {offsets, two_heads}, targets.view()), ModelError);
}

TEST_CASE("a derivation larger than memory is refused") {
  Hypergraph graph = chain(1, 1);
  for (int32_t node = 1; node < 40; ++node) {  // each has the previous one twice
    graph.tails.insert(graph.tails.end(), 2, node - 1);
    graph.end_edge();
    graph.end_node();
  }
  const std::vector<double> scores(40, 0);
  CHECK_EQ(count_derivations(graph).back(), 1);
  CHECK_THROWS_AS(best_derivation(graph, viterbi(graph, scores), 39), ModelError);
}

TEST_CASE("sums of features have ascending ids and count an edge as often as it is used") {
  const std::vector<int64_t> offsets{0, 2, 3};
  const std::vector<int32_t> ids{3, 9, 1};
  const std::vector<double> values{1, 2, 4}, weights{0, 10, 0, 1, 0, 0, 0, 0, 0, 1};
  const FeatureRows rows{{offsets, ids}, values};
  CHECK(row_scores(rows, weights) == (std::vector<double>{3, 40}));
  CHECK_THROWS_AS(row_scores(rows, std::span(weights).first(9)), ModelError);
  const std::vector<int64_t> derivation_offsets{0, 3, 3};
  const Edges edges{0, 1, 0};
  const FeatureTable sums = sum_rows({derivation_offsets, edges}, rows);
  CHECK(sums.ids.values == (Edges{1, 3, 9}));
  CHECK(sums.values == (std::vector<double>{4, 2, 4}));
  CHECK(sums.ids.offsets == (std::vector<int64_t>{0, 3, 3}));
}
