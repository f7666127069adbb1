// The weights of a step's sparse features summed up, by what the features look at. The keys go
// through one buffer, so that nothing is allocated. One object a thread.
#pragma once

#include <cmath>
#include <limits>
#include <vector>

#include "demotic/features/sparse_features.h"

namespace demotic {

// Appends the keys of all local features of a step. kNoRule: a copied word, which has those of its
// span alone.
inline void add_local_keys(const SparseFeatures& features, RuleId rule,
                           const SentenceWords& sentence, int32_t begin, int32_t end,
                           std::vector<FeatureKey>& keys) {
  if (rule != kNoRule) features.add_rule_keys(rule, keys);
  features.add_span_keys(sentence, begin, end, keys);
  if (rule != kNoRule) features.add_mixed_keys(rule, sentence, begin, end, keys);
}

class SparseSums {
 public:
  explicit SparseSums(const Sparse& sparse)
      : features_(sparse.features.get()), weights_(sparse.weights.get()) {}

  // Whether there are sparse features; nothing else may be called if not.
  explicit operator bool() const noexcept { return features_ != nullptr; }
  const SparseFeatures& features() const noexcept { return *features_; }

  float rule(RuleId rule) {
    keys_.clear();
    features_->add_rule_keys(rule, keys_);
    return weights_->sum(keys_);
  }
  float span(const SentenceWords& sentence, int32_t begin, int32_t end) {
    keys_.clear();
    features_->add_span_keys(sentence, begin, end, keys_);
    return weights_->sum(keys_);
  }
  float mixed(RuleId rule, const SentenceWords& sentence, int32_t begin, int32_t end) {
    keys_.clear();
    features_->add_mixed_keys(rule, sentence, begin, end, keys_);
    return weights_->sum(keys_);
  }
  float joint(const SparseFeatures::Past& past, RuleId rule) {
    keys_.clear();
    features_->add_joint_keys(past, rule, keys_);
    return weights_->sum(keys_);
  }
  // The value of the dense feature `sparse` of an option, without joint features, worked out once
  // between two calls of `new_sentence`: a record has many steps that use the same option.
  void new_sentence() noexcept { values_.clear(); }
  double local(uint32_t option, RuleId rule, const SentenceWords& sentence, int32_t begin,
               int32_t end) {
    if (option >= values_.size())
      values_.resize(option + size_t{1}, std::numeric_limits<double>::quiet_NaN());
    if (std::isnan(values_[option])) values_[option] = local(rule, sentence, begin, end);
    return values_[option];
  }
  // The same of any rule on a span.
  double local(RuleId rule, const SentenceWords& sentence, int32_t begin, int32_t end) {
    const double around = span(sentence, begin, end);
    if (rule == kNoRule) return around;
    return around + (double{this->rule(rule)} + mixed(rule, sentence, begin, end));
  }

 private:
  const SparseFeatures* features_;
  const SparseWeights* weights_;
  std::vector<FeatureKey> keys_;
  std::vector<double> values_;  // by option; not a number if not known
};

}  // namespace demotic
