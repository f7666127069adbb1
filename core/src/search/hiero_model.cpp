#include "demotic/search/hiero_model.h"

#include <algorithm>

#include "demotic/base/errors.h"

namespace demotic::search {
namespace {

// Returns the number of labels if no rule has the label.
int32_t find_label(const RuleStore& rules, const std::string& name) {
  const auto& labels = rules.labels();
  return static_cast<int32_t>(std::find(labels.begin(), labels.end(), name) - labels.begin());
}

int32_t needed_label(const RuleStore& rules, const std::string& name) {
  const int32_t label = find_label(rules, name);
  if (label == static_cast<int32_t>(rules.labels().size()) && rules.size() > 0)
    throw ModelError({.found = "no rule with the nonterminal " + name,
                      .expected = "a nonterminal of the grammar",
                      .advice = "correct default_nonterminal or goal in [search] of model.toml"});
  return label;
}

// Heads of rules whose source side is just this label.
std::vector<int32_t> unary_heads(const RuleStore& rules, int32_t label) {
  std::vector<int32_t> heads;
  const TrieNode node = rules.child(kTrieRoot, gap_symbol(label));
  if (node == 0) return heads;
  const RuleRange range = rules.rules(node);
  for (RuleId rule = range.begin; rule < range.end; ++rule) heads.push_back(rules.lhs(rule));
  return heads;
}

// Sorts labels so that each comes after those with a unary rule to it, by depth-first search.
std::vector<int32_t> ordered_labels(const RuleStore& rules, int32_t count) {
  std::vector<int32_t> order;
  std::vector<uint8_t> seen(count, 0);
  for (int32_t root = 0; root < count; ++root) {
    std::vector<std::pair<int32_t, std::vector<int32_t>>> path;
    const auto visit = [&](int32_t label) {
      if (!seen[label]) seen[label] = 1, path.emplace_back(label, unary_heads(rules, label));
    };
    visit(root);
    while (!path.empty()) {
      auto& [label, heads] = path.back();
      if (heads.empty()) {
        order.push_back(label);
        path.pop_back();
        continue;
      }
      const int32_t head = heads.back();
      heads.pop_back();
      visit(head);
    }
  }
  std::reverse(order.begin(), order.end());
  return order;
}

std::vector<std::string_view> optional_hiero_features(bool distortion, bool given) {
  std::vector<std::string_view> names;
  if (distortion) names.push_back(StructuralDistortion::kFeature.name);
  if (given) names.push_back(Given::kFeature.name);
  return names;
}

}  // namespace

HieroModel::HieroModel(RuleStore rules, std::vector<LanguageModel> language_models,
                       Vocabulary vocabulary, HieroGrammar grammar, Sparse sparse,
                       bool unknown_phrase_penalty,
                       const std::optional<DistortionCounts>& distortion, bool given)
    : SearchModel(DenseFeature::kHiero, std::move(rules), std::move(language_models),
                  std::move(vocabulary), {}, std::move(sparse), unknown_phrase_penalty,
                  optional_hiero_features(distortion.has_value(), given)),
      nonterminal_(grammar.goal.empty() ? needed_label(this->rules(), grammar.nonterminal)
                                        : find_label(this->rules(), grammar.nonterminal)),
      goal_(grammar.goal.empty() ? -1 : needed_label(this->rules(), grammar.goal)),
      pass_through_all_(grammar.pass_through_all),
      reordering_(distortion.value_or(DistortionCounts{})),
      order_(ordered_labels(
          this->rules(),
          std::max(static_cast<int32_t>(this->rules().labels().size()), nonterminal_ + 1))),
      ranks_(order_.size()) {
  if (joint())
    throw ModelError({.found = "sparse features of the past in a Hiero model",
                      .expected = "features of a rule and of its source words",
                      .advice = "remove the templates with past places"});
  for (size_t i = 0; i < order_.size(); ++i) ranks_[order_[i]] = static_cast<int32_t>(i);
}

}  // namespace demotic::search
