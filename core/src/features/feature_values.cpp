#include "demotic/features/feature_values.h"

#include <algorithm>

namespace demotic::features {
namespace {

// Weights times values, by the keys of features with values.
class ValuedWeights final : public SparseWeights {
 public:
  ValuedWeights(std::shared_ptr<const SparseFeatures> features,
                std::shared_ptr<const SparseWeights> weights)
      : features_(std::move(features)), weights_(std::move(weights)) {}

  void sums(std::span<const FeatureKey> keys, std::span<const uint32_t> ends,
            std::span<double> sums) const override {
    const auto has_value = [&](FeatureKey key) { return features_->has_value(key); };
    if (std::ranges::none_of(keys, has_value)) return weights_->sums(keys, ends, sums);
    size_t i = 0;
    for (size_t group = 0; group < ends.size(); ++group) {
      double sum = 0;
      for (; i < ends[group]; ++i) {
        const auto [key, value] = features_->feature_of(keys[i]);
        sum += value * double{weights_->weight(key)};
      }
      sums[group] = sum;
    }
  }
  float weight(FeatureKey key) const noexcept override { return weights_->weight(key); }
  WeightCache* cache() const noexcept override { return weights_->cache(); }

 private:
  std::shared_ptr<const SparseFeatures> features_;
  std::shared_ptr<const SparseWeights> weights_;
};

}  // namespace

void take_values(const SparseFeatures& features, std::span<FeatureKey> keys,
                 std::vector<double>& values) {
  if (!features.has_values()) return;
  for (FeatureKey& key : keys.subspan(values.size())) {
    const FeatureValue found = features.feature_of(key);
    key = found.key;
    values.push_back(found.value);
  }
}

Sparse sparse_of(std::shared_ptr<const SparseFeatures> features,
                 std::shared_ptr<const SparseWeights> weights) {
  if (features && features->has_values())
    weights = std::make_shared<ValuedWeights>(features, std::move(weights));
  return {std::move(features), std::move(weights)};
}

}  // namespace demotic::features
