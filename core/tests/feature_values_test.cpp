// Sparse features with values: keys that stand for a feature and a value.
#include "demotic/features/feature_values.h"

#include "demotic/features/recent_map.h"
#include "demotic/learn/update_rule.h"
#include "test.h"

namespace demotic::test {
using namespace all;
namespace {

// Keys from 100 on stand for feature key % 100 with the value key / 100 + 0.5.
class Valued final : public SparseFeatures {
 public:
  void add_rule_keys(RuleId, std::vector<FeatureKey>&) const override {}
  void add_span_keys(const SentenceWords&, int32_t, int32_t,
                     std::vector<FeatureKey>&) const override {}
  void add_mixed_keys(RuleId, const SentenceWords&, int32_t, int32_t,
                      std::vector<FeatureKey>&) const override {}
  bool has_values() const noexcept override { return true; }
  bool has_value(FeatureKey key) const noexcept override { return key >= 100; }
  FeatureValue feature_of(FeatureKey key) const override {
    if (!has_value(key)) return {key, 1};
    return {key % 100, static_cast<double>(key / 100) + 0.5};
  }
};

// The weight of a feature is its key.
class KeyWeights final : public SparseWeights {
 public:
  void sums(std::span<const FeatureKey> keys, std::span<const uint32_t> ends,
            std::span<double> sums) const noexcept override {
    for (size_t group = 0, i = 0; group < ends.size(); ++group)
      for (sums[group] = 0; i < ends[group]; ++i) sums[group] += double{weight(keys[i])};
  }
  float weight(FeatureKey key) const noexcept override { return static_cast<float>(key); }
};

TEST_CASE("weights are multiplied by values") {
  const Sparse sparse = sparse_of(std::make_shared<Valued>(), std::make_shared<KeyWeights>());
  CHECK_EQ(sparse.weights->sum(std::vector<FeatureKey>{2, 3}), 5.0f);
  CHECK_EQ(sparse.weights->sum(std::vector<FeatureKey>{2, 103, 204}), 2 + 3 * 1.5f + 4 * 2.5f);
  CHECK_EQ(sparse.weights->sum({}), 0.0f);
}

TEST_CASE("values are taken from the keys that have none yet") {
  std::vector<FeatureKey> keys{7};
  std::vector<double> values{0.25};
  keys.insert(keys.end(), {103, 4});
  take_values(Valued(), keys, values);
  CHECK(keys == std::vector<FeatureKey>({7, 3, 4}));
  CHECK(values == std::vector<double>({0.25, 1.5, 1}));
}

TEST_CASE("differences of one feature with several values become one") {
  std::vector<FeatureKey> gold{103, 5, 103, 204, 6}, bad{203, 5, 204};
  std::vector<KeyDelta> found;
  count_difference(gold, bad, found);
  take_values(Valued(), found);
  CHECK_EQ(found.size(), size_t{2});
  CHECK_EQ(found[0].key, FeatureKey{3});
  CHECK_EQ(found[0].delta, 2 * 1.5f - 2.5f);
  CHECK_EQ(found[1].key, FeatureKey{6});
  std::vector<KeyDelta> none{{103, 5}, {203, -3}};
  take_values(Valued(), none);  // 5 * 1.5 = 3 * 2.5
  CHECK(none.empty());
}

TEST_CASE("a map of bounded size keeps what is used") {
  RecentMap<uint64_t> map(10);
  map.add(0, 0);
  for (uint64_t key = 1; key < 1000; ++key) {
    map.add(key, 2 * key);
    CHECK(map.find(0) && *map.find(0) == 0);
    CHECK(map.size() <= 20);
    for (uint64_t recent = key - std::min<uint64_t>(key, 8); recent <= key; ++recent)
      CHECK(map.find(recent) && *map.find(recent) == 2 * recent);
  }
  CHECK(!map.find(500));
}

}  // namespace
}  // namespace demotic::test
