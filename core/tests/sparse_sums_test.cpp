// Sums of sparse weights, with keys that stay cached while weights change.
#include "demotic/search/sparse_sums.h"

#include <numeric>

#include "demotic/search/phrase_model.h"
#include "scratch.h"
#include "small_models.h"
#include "small_sparse.h"
#include "test.h"

namespace test = demotic::test;
using namespace demotic::all;
using namespace demotic::test;

namespace {

struct SparseSetup {
  Scratch folder;
  RuleStore store;
  std::shared_ptr<SmallWeights> weights = std::make_shared<SmallWeights>();
  Sparse sparse;
  std::vector<RuleId> all;

  explicit SparseSetup(uint64_t seed)
      : store(drawn(seed, folder / "rules")),
        sparse{std::make_shared<SmallFeatures>(store), weights},
        all(store.size()) {
    std::iota(all.begin(), all.end(), RuleId{0});
  }

  // By definition, one key after the other.
  std::vector<float> expected() const {
    std::vector<float> sums;
    for (const RuleId rule : all) {
      std::vector<FeatureKey> keys;
      sparse.features->add_rule_keys(rule, keys);
      double sum = 0;
      for (const FeatureKey key : keys) sum += static_cast<double>(weights->weight(key));
      sums.push_back(static_cast<float>(sum));
    }
    return sums;
  }

 private:
  static RuleStore drawn(uint64_t seed, const std::string& path) {
    Rng rng(seed);
    return test::rules(rng, path);
  }
};

std::vector<float> copied(std::span<const float> sums) { return {sums.begin(), sums.end()}; }

}  // namespace

TEST_CASE("cached keys give the sums of the current weights") {
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    SparseSetup made(seed);
    SparseSums sums(made.sparse);
    sums.keep_keys();
    for (uint64_t weights = 1; weights <= 4; ++weights) {
      made.weights->reseed(weights);
      CHECK(copied(sums.rules(made.all)) == made.expected());
    }
    CHECK(made.weights->cache()->size() > 0);
  }
}

TEST_CASE("the steps of a sentence have the sums of their keys, each kind rounded separately") {
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    SparseSetup made(seed);
    SparseSums sums(made.sparse);
    const std::vector<WordId> words = {5, 6, 7, 8};
    const SentenceWords sentence{words, kSentenceEnd};
    std::vector<SparseSums::Step> steps = {{kNoRule, 2, 3}};
    for (const RuleId rule : made.all) steps.push_back({rule, 1, 3});
    const std::vector<double> found(sums.local(steps, sentence).begin(),
                                    sums.local(steps, sentence).end());
    CHECK_EQ(found.size(), steps.size());
    for (size_t i = 0; i < steps.size(); ++i) {
      const auto [rule, begin, end] = steps[i];
      double expected = 0;
      std::vector<FeatureKey> keys;
      made.sparse.features->add_span_keys(sentence, begin, end, keys);
      expected += double{made.weights->sum(keys)};
      if (rule != kNoRule) {
        std::vector<FeatureKey> of_rule, mixed;
        made.sparse.features->add_rule_keys(rule, of_rule);
        made.sparse.features->add_mixed_keys(rule, sentence, begin, end, mixed);
        expected += double{made.weights->sum(of_rule)} + double{made.weights->sum(mixed)};
      }
      CHECK_EQ(found[i], expected);
    }
  }
}
