// Sparse features of every kind for tests. Keys depend on the symbols of a rule and not on its id,
// so they are the same for another store. Every key has a weight.
#pragma once

#include <bit>
#include <mutex>

#include "demotic/base/hash.h"
#include "demotic/features/weight_cache.h"

namespace demotic::test {
using namespace all;

class SmallFeatures : public SparseFeatures {
 public:
  // `joint`: 0 none, 1 the last rule, 2 the last two words, 3 both.
  SmallFeatures(RuleStore rules, int joint = 0) : rules_(std::move(rules)), joint_(joint) {}

  void add_rule_keys(RuleId rule, std::vector<FeatureKey>& keys) const override {
    keys.push_back(key(1, content(rule)));
    for (const Symbol symbol : rules_.target(rule)) keys.push_back(key(2, symbol));
  }
  void add_span_keys(const SentenceWords& sentence, int32_t begin, int32_t end,
                     std::vector<FeatureKey>& keys) const override {
    keys.push_back(key(3, sentence.words[begin], before(sentence, begin)));
    keys.push_back(key(4, sentence.words[end - 1], after(sentence, end)));
    keys.push_back(key(5, end - begin));
  }
  void add_mixed_keys(RuleId rule, const SentenceWords& sentence, int32_t begin, int32_t end,
                      std::vector<FeatureKey>& keys) const override {
    keys.push_back(key(6, content(rule), before(sentence, begin)));
    keys.push_back(key(7, content(rule), after(sentence, end)));
  }
  bool has_gaps() const noexcept override { return true; }
  void add_gap_keys(bool reordered, int32_t size, std::vector<FeatureKey>& keys) const override {
    keys.push_back(key(10, reordered, size));
    keys.push_back(key(11, reordered));
  }
  bool joint() const noexcept override { return joint_ != 0; }
  Past relevant(const Past& past) const noexcept override {
    Past seen{kNoRule, {-1, -1}};
    if (joint_ & 1) seen.rule = past.rule;
    if (joint_ & 2) seen.words = past.words;
    return seen;
  }
  void add_joint_keys(const Past& past, RuleId rule, std::vector<FeatureKey>& keys) const override {
    if (joint_ & 1) keys.push_back(key(8, content(past.rule), content(rule)));
    if (joint_ & 2) keys.push_back(key(9, key(past.words[0], past.words[1]), content(rule)));
  }

 private:
  static FeatureKey key(uint64_t a, uint64_t b, uint64_t c = 0) noexcept {
    return mix64(mix64(mix64(a + 1) ^ b) ^ c);
  }
  static WordId before(const SentenceWords& sentence, int32_t begin) noexcept {
    return begin == 0 ? kSentenceBegin : sentence.words[begin - 1];
  }
  static WordId after(const SentenceWords& sentence, int32_t end) noexcept {
    return end == static_cast<int32_t>(sentence.words.size()) ? sentence.after
                                                              : sentence.words[end];
  }
  uint64_t content(RuleId rule) const noexcept {
    if (rule == kNoRule) return 0;
    uint64_t all = rules_.lhs(rule);
    for (const Symbol symbol : rules_.target(rule)) all = key(all, symbol);
    for (const float score : rules_.scores(rule)) all = key(all, std::bit_cast<uint32_t>(score));
    return all;
  }

  RuleStore rules_;
  int joint_;
};

// Weights between -1 and 1, determined by a seed that can be changed in place, as a trainer does.
class SmallWeights : public SparseWeights {
 public:
  void reseed(uint64_t seed) {
    seed_ = seed;
    asked_.for_each([&](FeatureKey key, bool) { cache_.set(key, weight(key)); });
  }

  void sums(std::span<const FeatureKey> keys, std::span<const uint32_t> ends,
            std::span<double> sums) const noexcept override {
    const std::lock_guard lock(mutex_);
    for (const FeatureKey key : keys) asked_[key] = true;
    for (size_t group = 0, i = 0; group < ends.size(); ++group) {
      sums[group] = 0;
      for (; i < ends[group]; ++i) sums[group] += static_cast<double>(weight(keys[i]));
    }
  }
  float weight(FeatureKey key) const noexcept override {
    return static_cast<float>(mix64(key ^ mix64(seed_)) % 2001) / 1000 - 1;
  }
  WeightCache* cache() const noexcept override { return &cache_; }

 private:
  uint64_t seed_ = 1;
  mutable std::mutex mutex_;
  mutable FlatMap<FeatureKey, bool> asked_;  // requested keys, a superset of the cached ones
  mutable WeightCache cache_;
};

}  // namespace demotic::test
