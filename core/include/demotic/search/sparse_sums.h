// Sums the sparse weights of a step, grouped by what the features depend on. All keys go through
// one buffer, so nothing is allocated. Not thread-safe; use one instance per thread.
#pragma once

#include <vector>

#include "demotic/base/flat_map.h"
#include "demotic/features/shared_key_cache.h"
#include "demotic/features/sparse_features.h"

namespace demotic::search {

// Appends the keys of all local features of a step. A copied word (kNoRule) has only those of its
// span.
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

  // True if there are sparse features; otherwise no other function may be called.
  explicit operator bool() const noexcept { return features_ != nullptr; }
  const SparseFeatures& features() const noexcept { return *features_; }

  // Call if weights will change: caches everything that does not depend on them.
  void keep_keys() noexcept {
    if (features_) weight_cache_ = weights_->cache();
  }

  // One sum per rule of one source side; a source side must always come with the same rules. Valid
  // until the next call. The rules share most of their features, see SharedKeys.
  std::span<const float> rules(std::span<const RuleId> rules);
  std::span<const float> mixed(std::span<const RuleId> rules, const SentenceWords& sentence,
                               int32_t begin, int32_t end);
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
  // The value of the dense feature `sparse` of a rule on a span, without joint features; computed
  // once per `number`, which stands for both, until the next `new_sentence`, because many steps of
  // a record use the same option.
  void new_sentence() noexcept { values_.clear(); }
  double local(uint64_t number, RuleId rule, const SentenceWords& sentence, int32_t begin,
               int32_t end) {
    const auto [value, fresh] = values_.insert(number);
    if (fresh) {
      const Step step{rule, begin, end};
      value = local({&step, 1}, sentence)[0];
    }
    return value;
  }
  // The same for any steps of a sentence, looked up together; valid until the next call.
  struct Step {
    RuleId rule;
    int32_t begin, end;
  };
  std::span<const double> local(std::span<const Step> steps, const SentenceWords& sentence);

 private:
  void sum_up(const SharedKeysView& shared);
  void sum_up(const SharedKeyCache::View& cached);
  void add_parts(std::span<const uint32_t> groups, size_t parts);

  const SparseFeatures* features_;
  const SparseWeights* weights_;
  std::vector<FeatureKey> keys_;
  WeightCache* weight_cache_ = nullptr;
  SharedKeyCache key_cache_;

  // Scratch.
  SharedKeys shared_;
  std::vector<uint32_t> ends_;
  std::vector<double> group_sums_;
  std::vector<double> locals_;
  std::vector<float> rule_sums_;
  FlatMap<uint64_t, double> values_;  // by number
};

}  // namespace demotic::search
