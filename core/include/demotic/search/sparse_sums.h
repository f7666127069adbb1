// The weights of a step's sparse features summed up, by what the features look at. The keys go
// through one buffer, so that nothing is allocated. One object a thread.
#pragma once

#include <array>
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

  // Of each of several rules of one source side; valid until the next call. They share most of
  // their features, see SharedKeys.
  std::span<const float> rules(std::span<const RuleId> rules) {
    features_->share_rule_keys(rules, shared_);
    return sums_of(rules.size());
  }
  std::span<const float> mixed(std::span<const RuleId> rules, const SentenceWords& sentence,
                               int32_t begin, int32_t end) {
    features_->share_mixed_keys(rules, sentence, begin, end, shared_);
    return sums_of(rules.size());
  }
  float span(const SentenceWords& sentence, int32_t begin, int32_t end) {
    keys_.clear();
    features_->add_span_keys(sentence, begin, end, keys_);
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
    keys_.clear();
    std::array<uint32_t, 3> ends{};
    const auto end_group = [&](uint32_t& last) { last = static_cast<uint32_t>(keys_.size()); };
    features_->add_span_keys(sentence, begin, end, keys_);
    end_group(ends[0]);
    if (rule != kNoRule) features_->add_rule_keys(rule, keys_);
    end_group(ends[1]);
    if (rule != kNoRule) features_->add_mixed_keys(rule, sentence, begin, end, keys_);
    end_group(ends[2]);
    std::array<double, 3> sums;
    weights_->sums(keys_, ends, sums);
    // As the search has them: each rounded by itself.
    const auto rounded = [](double sum) { return double{static_cast<float>(sum)}; };
    return rounded(sums[0]) + (rounded(sums[1]) + rounded(sums[2]));
  }

 private:
  std::span<const float> sums_of(size_t rules) {
    group_sums_.resize(shared_.ends.size());
    weights_->sums(shared_.keys, shared_.ends, group_sums_);
    rule_sums_.resize(rules);
    for (size_t i = 0; i < rules; ++i) {
      double sum = 0;
      for (size_t part = 0; part < shared_.parts; ++part)
        sum += group_sums_[shared_.groups[part * rules + i]];
      rule_sums_[i] = static_cast<float>(sum);
    }
    return rule_sums_;
  }

  const SparseFeatures* features_;
  const SparseWeights* weights_;
  std::vector<FeatureKey> keys_;
  SharedKeys shared_;
  std::vector<double> group_sums_;
  std::vector<float> rule_sums_;
  std::vector<double> values_;  // by option; not a number if not known
};

}  // namespace demotic
