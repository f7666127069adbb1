// The registry of dense features. To add one, write features/dense/<name>.h with a struct that has
//
//   static constexpr DenseFeature kFeature{name, kinds, weight, description};
//   static double value(const RuleStep&);   // of the rule that is applied, or
//   static double value(const Jump&);       // of the jump to its span (phrases only), or
//   static double value(const FilledGap&);  // of a gap and the words that fill it (Hiero only)
//
// and add the struct to the list below. Search, derivations, gold derivations, n-best lists, Python
// and the docs use this list.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "demotic/features/dense/distortion.h"
#include "demotic/features/dense/given.h"
#include "demotic/features/dense/glue.h"
#include "demotic/features/dense/operations.h"
#include "demotic/features/dense/pass_through.h"
#include "demotic/features/dense/phrase_penalty.h"
#include "demotic/features/dense/structural_distortion.h"
#include "demotic/features/dense/unknown_word.h"
#include "demotic/features/dense/word_penalty.h"

namespace demotic::features {

using DenseFeatureList =
    std::tuple<WordPenalty, PhrasePenalty, Distortion, Glue, PassThrough, UnknownWord,
               StructuralDistortion, OperationSequence, OperationGaps, OperationOpenGaps,
               OperationGapWidth, OperationDeletions, Given>;

// The declarations of all dense features, in the order of the list.
std::vector<DenseFeature> dense_features();

// The position of each dense feature in the weight vector of a model: the scores of its rules, its
// language models, the features of the list above that its search kind has, and the weighted sum of
// its sparse features if it has any.
class DenseLayout {
 public:
  // `optional`: names of the optional features that the model has.
  DenseLayout(DenseFeature::Kinds kind, int32_t scores, int32_t language_models, bool has_sparse,
              std::span<const std::string_view> optional = {});

  int32_t language_models() const noexcept { return language_models_; }
  int32_t language_model(int32_t i) const noexcept { return scores_ + i; }
  int32_t sparse() const noexcept { return size_ - 1; }  // if the model has sparse features
  int32_t size() const noexcept { return size_; }
  // Position of a feature, or -1 if the search kind does not have it.
  template <typename Feature>
  int32_t number() const noexcept {
    return number_of<Feature>(std::make_index_sequence<kCount>());
  }

  // Whether the model has features that depend on a RuleStep, a Jump or a FilledGap.
  template <typename Seen>
  bool any() const noexcept {
    return any_of<Seen>(std::make_index_sequence<kCount>());
  }

  // Calls visit(position, value) for each feature that depends on `seen` (see `any`) and is not 0.
  template <typename Seen, typename Visit>
  void for_each_value(const Seen& seen, Visit&& visit) const {
    visit_all(seen, visit, std::make_index_sequence<kCount>());
  }

 private:
  static constexpr size_t kCount = std::tuple_size_v<DenseFeatureList>;
  template <typename Seen, typename Feature>
  static constexpr bool depends_on = requires(const Seen& seen) { Feature::value(seen); };

  template <typename Feature, size_t... kIndex>
  int32_t number_of(std::index_sequence<kIndex...>) const noexcept {
    int32_t found = -1;
    ((std::is_same_v<Feature, std::tuple_element_t<kIndex, DenseFeatureList>>
          ? void(found = numbers_[kIndex])
          : void()),
     ...);
    return found;
  }
  template <typename Seen, size_t... kIndex>
  bool any_of(std::index_sequence<kIndex...>) const noexcept {
    return ((depends_on<Seen, std::tuple_element_t<kIndex, DenseFeatureList>> &&
             numbers_[kIndex] >= 0) ||
            ...);
  }
  template <typename Seen, typename Visit, size_t... kIndex>
  void visit_all(const Seen& seen, Visit& visit, std::index_sequence<kIndex...>) const {
    (visit_one<std::tuple_element_t<kIndex, DenseFeatureList>>(numbers_[kIndex], seen, visit), ...);
  }
  template <typename Feature, typename Seen, typename Visit>
  static void visit_one(int32_t number, const Seen& seen, Visit& visit) {
    if constexpr (depends_on<Seen, Feature>) {
      if (number < 0) return;
      if (const double value = Feature::value(seen); value != 0) visit(number, value);
    }
  }

  int32_t scores_, language_models_;
  int32_t size_;
  std::array<int32_t, kCount> numbers_;
};

}  // namespace demotic::features
