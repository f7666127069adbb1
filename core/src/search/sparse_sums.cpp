#include "demotic/search/sparse_sums.h"

#include <array>

namespace demotic {

std::span<const float> SparseSums::rules(std::span<const RuleId> rules) {
  rule_sums_.resize(rules.size());
  if (rules.empty()) return rule_sums_;
  const bool shared = others_ && rules.size() >= SharedSums::kFewest;
  if (shared && others_->find(rules[0], rule_sums_)) return rule_sums_;
  if (const auto kept = kept_.find(rules[0])) {
    sum_up(*kept);
  } else {
    features_->share_rule_keys(rules, shared_);
    if (copies_) kept_.put(rules[0], shared_.view(), *weights_, *copies_);
    sum_up(shared_.view());
  }
  if (shared) others_->put(rules[0], rule_sums_);
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

// Into rule_sums_, which has the right size.
void SparseSums::sum_up(const SharedKeysView& shared) {
  group_sums_.resize(shared.ends.size());
  weights_->sums(shared.keys, shared.ends, group_sums_);
  add_parts(shared.groups, shared.parts);
}

void SparseSums::sum_up(const KeptKeys::View& kept) {
  group_sums_.resize(kept.ends.size());
  size_t i = 0;
  for (size_t group = 0; group < kept.ends.size(); ++group) {
    double sum = 0;
    for (; i < kept.ends[group]; ++i) sum += static_cast<double>((*copies_)[kept.places[i]]);
    group_sums_[group] = sum;
  }
  add_parts(kept.groups, kept.parts);
}

void SparseSums::add_parts(std::span<const uint32_t> groups, size_t parts) {
  const size_t rules = rule_sums_.size();
  for (size_t i = 0; i < rules; ++i) {
    double sum = 0;
    for (size_t part = 0; part < parts; ++part) sum += group_sums_[groups[part * rules + i]];
    rule_sums_[i] = static_cast<float>(sum);
  }
}

double SparseSums::local(RuleId rule, const SentenceWords& sentence, int32_t begin, int32_t end) {
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

}  // namespace demotic
