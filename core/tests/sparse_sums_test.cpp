// Sums of sparse weights: keys that are kept while weights change, and sums that threads share.
#include "demotic/search/sparse_sums.h"

#include <numeric>

#include "demotic/search/phrase_model.h"
#include "scratch.h"
#include "small_models.h"
#include "small_sparse.h"
#include "test.h"

using namespace demotic;
using namespace demotic::test;

namespace {

struct Made {
  Scratch folder;
  RuleStore store;
  std::shared_ptr<SmallWeights> weights = std::make_shared<SmallWeights>();
  Sparse sparse;
  std::vector<RuleId> all;

  explicit Made(uint64_t seed)
      : store(drawn(seed, folder / "rules")),
        sparse{std::make_shared<SmallFeatures>(store), weights},
        all(store.size()) {
    std::iota(all.begin(), all.end(), RuleId{0});
  }

  // As they are defined, one key after the other.
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
    return rules(rng, path);
  }
};

std::vector<float> copied(std::span<const float> sums) { return {sums.begin(), sums.end()}; }

}  // namespace

TEST_CASE("keys that are kept give the sums of the weights of the moment") {
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    Made made(seed);
    SparseSums sums(made.sparse);
    sums.keep_keys();
    for (uint64_t weights = 1; weights <= 4; ++weights) {
      made.weights->reseed(weights);
      CHECK(copied(sums.rules(made.all)) == made.expected());
    }
    CHECK(made.weights->kept()->size() > 0);
  }
}

TEST_CASE("threads share sums until they are cleared") {
  Made made(1);
  CHECK(made.all.size() >= SharedSums::kFewest);
  SharedSums shared;
  SparseSums first(made.sparse), second(made.sparse);
  first.share(shared);
  second.share(shared);
  const std::vector<float> before = made.expected();
  CHECK(copied(first.rules(made.all)) == before);
  made.weights->reseed(2);
  CHECK(copied(second.rules(made.all)) == before);  // it did not work them out
  shared.clear();
  CHECK(copied(second.rules(made.all)) == made.expected());
  CHECK(copied(first.rules(made.all)) == made.expected());
}
