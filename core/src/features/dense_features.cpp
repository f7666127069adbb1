#include "demotic/features/dense_features.h"

#include <algorithm>

namespace demotic::features {

std::vector<DenseFeature> dense_features() {
  return std::apply([](auto... all) { return std::vector{decltype(all)::kFeature...}; },
                    DenseFeatureList());
}

DenseLayout::DenseLayout(DenseFeature::Kinds kind, int32_t scores, int32_t language_models,
                         bool has_sparse, std::span<const std::string_view> optional)
    : scores_(scores), language_models_(language_models), size_(scores + language_models) {
  const auto has = [&](const DenseFeature& feature) {
    return feature.kinds & kind &&
           (!feature.optional || std::ranges::count(optional, feature.name) > 0);
  };
  size_t i = 0;
  for (const DenseFeature& feature : dense_features()) numbers_[i++] = has(feature) ? size_++ : -1;
  size_ += has_sparse;
}

}  // namespace demotic::features
