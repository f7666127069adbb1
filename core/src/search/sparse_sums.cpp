#include "demotic/search/sparse_sums.h"

namespace demotic::search {

std::span<const float> SparseSums::rules(std::span<const RuleId> rules) {
  rule_sums_.resize(rules.size());
  if (rules.empty()) return rule_sums_;
  if (const auto cached = key_cache_.find(rules[0])) {
    sum_up(*cached);
  } else {
    features_->share_rule_keys(rules, shared_);
    if (weight_cache_) key_cache_.put(rules[0], shared_.view(), *weights_, *weight_cache_);
    sum_up(shared_.view());
  }
  return rule_sums_;
}

std::span<const float> SparseSums::mixed(std::span<const RuleId> rules,
                                         const SentenceWords& sentence, int32_t begin,
                                         int32_t end) {
  rule_sums_.resize(rules.size());
  features_->share_mixed_keys(rules, sentence, begin, end, shared_);
  sum_up(shared_.view());
  return rule_sums_;
}

// Writes to rule_sums_, which has the right size.
void SparseSums::sum_up(const SharedKeysView& shared) {
  group_sums_.resize(shared.ends.size());
  weights_->sums(shared.keys, shared.ends, group_sums_);
  add_parts(shared.groups, shared.parts);
}

void SparseSums::sum_up(const SharedKeyCache::View& cached) {
  group_sums_.resize(cached.ends.size());
  size_t i = 0;
  for (size_t group = 0; group < cached.ends.size(); ++group) {
    double sum = 0;
    for (; i < cached.ends[group]; ++i)
      sum += static_cast<double>((*weight_cache_)[cached.slots[i]]);
    group_sums_[group] = sum;
  }
  add_parts(cached.groups, cached.parts);
}

void SparseSums::add_parts(std::span<const uint32_t> groups, size_t parts) {
  const size_t rules = rule_sums_.size();
  for (size_t i = 0; i < rules; ++i) {
    double sum = 0;
    for (size_t part = 0; part < parts; ++part) sum += group_sums_[groups[part * rules + i]];
    rule_sums_[i] = static_cast<float>(sum);
  }
}

std::span<const double> SparseSums::local(std::span<const Step> steps,
                                          const SentenceWords& sentence) {
  keys_.clear();
  ends_.clear();
  const auto end_group = [&] { ends_.push_back(static_cast<uint32_t>(keys_.size())); };
  for (const auto& [rule, begin, end] : steps) {
    features_->add_span_keys(sentence, begin, end, keys_);
    end_group();
    if (rule != kNoRule) features_->add_rule_keys(rule, keys_);
    end_group();
    if (rule != kNoRule) features_->add_mixed_keys(rule, sentence, begin, end, keys_);
    end_group();
  }
  group_sums_.resize(ends_.size());
  weights_->sums(keys_, ends_, group_sums_);
  // Rounded separately, as in the search.
  const auto rounded = [&](size_t group) { return double{static_cast<float>(group_sums_[group])}; };
  locals_.clear();
  for (size_t i = 0; i < ends_.size(); i += 3)
    locals_.push_back(rounded(i) + (rounded(i + 1) + rounded(i + 2)));
  return locals_;
}

}  // namespace demotic::search
