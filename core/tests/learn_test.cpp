#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "demotic/base/rng.h"
#include "demotic/learn/difference.h"
#include "demotic/learn/line_search.h"
#include "demotic/learn/margin.h"
#include "demotic/learn/merged_lists.h"
#include "demotic/learn/mert.h"
#include "demotic/learn/pairs.h"
#include "demotic/learn/ramp.h"
#include "demotic/learn/rivals.h"
#include "demotic/learn/smo.h"
#include "test.h"

namespace test = demotic::test;
using namespace demotic::all;

namespace {

const std::vector<double> kWeights{0.3, -0.2, 0.1, 0.05, -0.05, 0.1, 0.0, 0.2};

// A pool that owns its arrays: lists of 0 to 20 candidates, dense and sparse features.
struct RandomPool {
  std::vector<int64_t> offsets{0};
  std::vector<float> dense;
  std::vector<int32_t> statistics;
  Csr<int32_t> parts, part_features;
  std::vector<double> part_values;

  static constexpr int kParts = 40;

  explicit RandomPool(uint64_t seed) {
    Rng rng(seed);
    for (int part = 0; part < kParts; ++part) add_part(rng);
    for (int list = 0; list < 30; ++list) {
      const auto count = static_cast<int64_t>(rng.below(21));
      for (int64_t i = 0; i < count; ++i) add(rng);
      offsets.push_back(offsets.back() + count);
    }
  }

  void add(Rng& rng) {
    for (int f = 0; f < 3; ++f) dense.push_back(static_cast<float>(rng.uniform() - 0.5));
    for (int n = 0; n < 4; ++n) statistics.push_back(static_cast<int32_t>(rng.below(8 - n)));
    for (int n = 0; n < 4; ++n) statistics.push_back(10 - n);
    statistics.push_back(11);
    const auto first = static_cast<int64_t>(parts.values.size());
    for (uint64_t left = rng.below(5); left > 0; --left)
      parts.values.push_back(static_cast<int32_t>(rng.below(kParts)));
    std::sort(parts.values.begin() + first, parts.values.end());
    parts.end_row();
  }

  void add_part(Rng& rng) {
    for (int32_t id = 0; id < 5; ++id)
      if (rng.below(2) == 0) {
        part_features.values.push_back(id);
        part_values.push_back(rng.uniform());
      }
    part_features.end_row();
  }

  // kWeights . features of a candidate.
  double score(int64_t candidate) const {
    double sum = 0;
    for (int f = 0; f < 3; ++f) sum += kWeights[f] * double{dense[candidate * 3 + f]};
    for (const int32_t part : parts[candidate])
      for (int64_t k = part_features.offsets[part]; k < part_features.offsets[part + 1]; ++k)
        sum += kWeights[3 + part_features.values[k]] * part_values[k];
    return sum;
  }

  PoolView view() const {
    return {.offsets = offsets,
            .dense = dense,
            .statistics = statistics,
            .dense_features = 3,
            .statistics_size = 9,
            .parts = parts.view(),
            .part_features = part_features.view(),
            .part_values = part_values,
            .sparse_features = 5,
            .list_weights = {}};
  }
};

constexpr MetricForm kBleu;

}  // namespace

TEST_CASE("scores are sums over dense and sparse features") {
  const RandomPool pool(1);
  const CandidateLists lists(pool.view());
  std::vector<double> scores(lists.longest());
  CandidateLists::PartSums sums;
  for (int64_t list = 0; list < lists.size(); ++list) {
    lists.score(list, kWeights, scores.data(), sums);
    for (int32_t i = 0; i < lists.length(list); ++i)
      CHECK(std::abs(scores[i] - pool.score(lists.first(list) + i)) < 1e-12);
  }
}

TEST_CASE("the difference of two candidates is that of their feature vectors") {
  const RandomPool pool(12);
  const CandidateLists lists(pool.view());
  for (int64_t list = 0; list < lists.size(); ++list)
    for (int32_t i = 0; i < lists.length(list); ++i) {
      const Difference difference(lists, list, 0, i);
      const double expected = pool.score(lists.first(list)) - pool.score(lists.first(list) + i);
      CHECK(std::abs(difference.dot(kWeights) - expected) < 1e-12);
      for (size_t k = 1; k < difference.parts().size(); ++k)
        CHECK(difference.parts()[k - 1].first < difference.parts()[k].first);
      CHECK(i > 0 || difference.parts().empty());
    }
}

TEST_CASE("inconsistent arrays are refused") {
  const RandomPool pool(2);
  const auto refused = [](const PoolView& view) {
    try {
      CandidateLists lists(view);
    } catch (const std::invalid_argument&) {
      return true;
    }
    return false;
  };
  CHECK(!refused(pool.view()));
  PoolView view = pool.view();
  view.dense = view.dense.first(view.dense.size() - 1);
  CHECK(refused(view));
  view = pool.view();
  view.sparse_features = 4;
  CHECK(refused(view));
  view = pool.view();
  view.offsets = view.offsets.subspan(1);
  CHECK(refused(view) || view.offsets[0] == 0);
}

TEST_CASE("the score that a line search reports is that of its step") {
  const RandomPool pool(3);
  const CandidateLists lists(pool.view());
  std::vector<double> scores(lists.candidates());
  CandidateLists::PartSums sums;
  for (int64_t list = 0; list < lists.size(); ++list)
    lists.score(list, kWeights, scores.data() + lists.first(list), sums);
  LineSearch search(lists, kBleu);
  for (int32_t f = 0; f < 3; ++f) {
    const LinePoint found = search.along_feature(scores, f, StopFlag());
    std::vector<double> moved = kWeights;
    moved[f] += found.step;
    const double there = score_of(kBleu, best_statistics(lists, moved));
    CHECK(std::abs(there - found.score) < 1e-12);
    CHECK(there >= score_of(kBleu, best_statistics(lists, kWeights)));
  }
}

TEST_CASE("a metric that scores rows agrees with its formula") {
  const RandomPool pool(7);
  const CandidateLists lists(pool.view());
  const ScoreRows score = [](std::span<const double> sums, std::span<double> scores) {
    score_all(kBleu, sums, scores);
  };
  const std::vector<double> ones(9, 1.0);
  const MetricForm rows{
      .kind = MetricKind::rows, .columns = 9, .score_rows = &score, .background = ones};
  CHECK(fits(rows, 9));
  CHECK(!fits(rows, 2));
  ThreadPool threads(3);
  const StopFlag stop;
  const MertOptions climb{.restarts = 3};
  CHECK(mert(lists, rows, kWeights, climb, threads, stop).weights ==
        mert(lists, kBleu, kWeights, climb, threads, stop).weights);
  const MarginOptions margins{.gain_scale = GainScale::corpus, .sweeps = 5, .shards = 2};
  const auto found = learn_margins(lists, rows, kWeights, margins, threads, stop).weights;
  const auto expected = learn_margins(lists, kBleu, kWeights, margins, threads, stop).weights;
  for (size_t f = 0; f < expected.size(); ++f) CHECK(std::abs(found[f] - expected[f]) < 1e-9);
}

TEST_CASE("formulas of metrics other than BLEU") {
  const std::vector<double> chrf{4, 8, 4, 3, 7, 0};  // precision 1 and 0, recall 1/2 and 0
  const MetricForm f_score{.kind = MetricKind::chrf, .beta = 2};
  CHECK(std::abs(score_of(f_score, chrf) - 5 * 0.5 * 0.25 / (4 * 0.5 + 0.25)) < 1e-12);
  CHECK(score_of(f_score, std::vector<double>{0, 8, 0}) == 0);
  const std::vector<double> both{3, 24, 4, 3, 2, 1, 8, 7, 6, 5, 12};
  const MetricForm mean{.kind = MetricKind::ter_bleu, .ter_length_scale = 2};
  const double bleu = score_of(kBleu, std::span(both).subspan(2));
  CHECK(std::abs(score_of(mean, both) - (1 - (3.0 / 12 - bleu) / 2)) < 1e-12);
}

TEST_CASE("every learner gives the same result with one thread and four") {
  const RandomPool pool(4);
  const CandidateLists lists(pool.view());
  ThreadPool one(1), four(4);
  const StopFlag stop;
  const MertOptions climb{.restarts = 5};
  CHECK(mert(lists, kBleu, kWeights, climb, one, stop).weights ==
        mert(lists, kBleu, kWeights, climb, four, stop).weights);
  for (const bool cutting_plane : {false, true})
    for (const MarginScheme scheme : {MarginScheme::mixing, MarginScheme::independent,
                                      MarginScheme::minibatch, MarginScheme::shared}) {
      const MarginOptions margins{
          .bound = 0.2, .cutting_plane = cutting_plane, .sweeps = 5, .shards = 3, .scheme = scheme};
      CHECK(learn_margins(lists, kBleu, kWeights, margins, one, stop).weights ==
            learn_margins(lists, kBleu, kWeights, margins, four, stop).weights);
    }
  const std::vector<double> gains(lists.candidates(), 0.5);
  CHECK(sample_pairs(pool.offsets, gains, {}, one, stop).better.empty());
  // All gains are equal: hope and fear are the same, so nothing is learnt.
  CHECK(learn_ramp(lists, gains, kWeights, {}, stop) == kWeights);
}

TEST_CASE("the mass of a block keeps its sum and moves to the element with the larger gradient") {
  const std::vector<double> products{0, 0, 0, 2}, linear{0, 1};
  const std::vector<int32_t> blocks{0, 0};
  std::vector<double> mass{3, 0};
  const int32_t steps = smo({products, linear, blocks, 1}, 1e-9, 100, mass);
  CHECK(std::abs(mass[1] - 0.5) < 1e-12);
  CHECK(std::abs(mass[0] - 2.5) < 1e-12);
  CHECK(steps <= 2);
}

namespace {

// The first position with the highest value.
template <typename Value>
int32_t first_highest(int32_t count, Value&& value) {
  int32_t best = 0;
  for (int32_t i = 1; i < count; ++i)
    if (value(i) > value(best)) best = i;
  return best;
}

}  // namespace

TEST_CASE("hope, fear, best and worst are the first of equals, in lists of any length") {
  Rng rng(5);
  for (int32_t count = 1; count < 60; ++count)
    for (int repeat = 0; repeat < 20; ++repeat) {
      std::vector<double> scores(count), gains(count);
      for (double& score : scores) score = static_cast<double>(rng.below(4)) - 2;
      for (double& gain : gains) gain = static_cast<double>(rng.below(3));
      const Rivals found = choose_rivals(scores, gains);
      CHECK(found.hope == first_highest(count, [&](int32_t i) { return scores[i] + gains[i]; }));
      CHECK(found.fear == first_highest(count, [&](int32_t i) { return scores[i] - gains[i]; }));
      CHECK(found.best == first_highest(count, [&](int32_t i) { return scores[i]; }));
      CHECK(found.worst == first_highest(count, [&](int32_t i) { return -scores[i]; }));
      CHECK(highest_of(scores.data(), count) == found.best);
    }
}

TEST_CASE("gains in context are the metric of the background plus each candidate") {
  const RandomPool pool(6);
  const CandidateLists lists(pool.view());
  Background background(kBleu, 9, 0.9);
  std::vector<double> sums(9, 1.0), gains(lists.longest());
  for (int64_t list = 0; list < lists.size(); ++list) {
    if (lists.length(list) == 0) continue;
    background.gains(lists, list, GainScale::corpus, gains.data());
    for (int32_t i = 0; i < lists.length(list); ++i) {
      std::vector<double> together = sums;
      for (int k = 0; k < 9; ++k) together[k] += lists.statistics(lists.first(list) + i)[k];
      CHECK(gains[i] == score_of(kBleu, together));
    }
    background.add(lists, list, 0);
    for (int k = 0; k < 9; ++k) sums[k] = 0.9 * (sums[k] + lists.statistics(lists.first(list))[k]);
  }
}

TEST_CASE("merged lists keep the first of equal candidates and at most the last few") {
  const std::vector<int64_t> offsets{0, 3, 4, 4, 7}, places{1, 0, 2, 1};
  const std::vector<uint64_t> hashes{7, 0, 7, 7, 0, 8, 9};
  const MergedLists all = merge_lists(offsets, places, 3, hashes, 0);
  CHECK(all.kept == (std::vector<int64_t>{3, 0, 1, 5, 6}));
  CHECK(all.counts == (std::vector<int64_t>{1, 4, 0}));
  const MergedLists two = merge_lists(offsets, places, 3, hashes, 2);
  CHECK(two.kept == (std::vector<int64_t>{3, 5, 6}));
  CHECK(two.counts == (std::vector<int64_t>{1, 2, 0}));
  const std::vector<float> rows{0.0F, 1.0F, 2.0F, -0.0F, 1.0F, 2.0F, 0.0F, 2.0F, 1.0F};
  const std::vector<uint64_t> found = hash_rows(rows, 3);
  CHECK(found.size() == 3 && found[0] == found[1] && found[0] != found[2]);
}
