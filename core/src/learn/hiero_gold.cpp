#include "demotic/learn/hiero_gold.h"

#include <algorithm>

#include "demotic/lm/chart_state.h"
#include "demotic/search/hiero_derivation.h"

namespace demotic::learn {

void add_piece_values(const HieroModel& model, const SourceSentences& source,
                      std::span<const WordId> words, bool starts, bool ends,
                      std::span<double> values) {
  const std::span<const LanguageModel> models = model.language_models();
  for (size_t m = 0; m < models.size(); ++m) {
    ChartScorer scorer(models[m]);
    if (starts) scorer.start();
    for (const WordId word : words)
      scorer.terminal(source.lm_word(model, static_cast<int32_t>(m), word));
    if (ends) scorer.terminal(kSentenceEnd);
    values[m] += scorer.score();
  }
}

void HieroGold::run(const SourceSentences& source, size_t sentence, const GoldForest& gold,
                    std::span<const double> weights) {
  source_ = &source;
  sentence_ = sentence;
  gold_ = gold;
  weights_ = weights;
  best_.assign(gold.nodes.size(), kNoScore);
  chosen_.assign(gold.nodes.size(), kNone);
  count_ = 0;
  numbers_.clear();
  for (uint32_t node = 0; node < gold.nodes.size(); ++node) {
    for (uint32_t e = gold.edge_offsets[node]; e < gold.edge_offsets[node + 1]; ++e) {
      double score = local_score(gold.edges[e]);
      for (const uint32_t tail : gold.edges[e].tails)
        if (tail != kNone) score += best_[tail];
      if (score > best_[node]) best_[node] = score, chosen_[node] = e;
    }
    group(node, best_[node] + lm_score(node));
  }
}

void HieroGold::group(uint32_t node, double total) {
  const GoldNode& one = gold_.nodes[node];
  const auto [number, fresh] = numbers_.insert(key(one.label, one.source_begin, one.source_end));
  if (fresh) {
    number = static_cast<uint32_t>(count_++);
    if (groups_.size() < count_) groups_.resize(count_);
    Group& made = groups_[number];
    made.label = one.label;
    made.begin = one.source_begin;
    made.end = one.source_end;
    made.total = kNoScore;
    made.nodes.clear();
  }
  Group& group = groups_[number];
  group.nodes.push_back(node);
  if (total > group.total) group.total = total, group.node = node;
}

uint32_t HieroGold::find(int32_t label, int32_t begin, int32_t end) const noexcept {
  const uint32_t* number = numbers_.find(key(label, begin, end));
  return number ? *number : kNone;
}

bool HieroGold::is_gold(const Group& group, std::span<const WordId> said) const noexcept {
  return std::ranges::any_of(group.nodes,
                             [&](uint32_t node) { return std::ranges::equal(words(node), said); });
}

double HieroGold::local_score(const GoldEdge& edge) {
  row_.assign(model_.features().size(), 0);
  keys_.clear();
  add_rule_features(model_, edge.rule, row_);
  double score = 0;
  for (size_t i = 0; i < row_.size(); ++i) score += weights_[i] * row_[i];
  if (!model_.sparse()) return score;
  add_step_keys(model_, edge.rule, source_->context(sentence_), edge.begin, edge.end, keys_);
  return score + weights_[model_.features().sparse()] * model_.sparse().weights->sum(keys_);
}

double HieroGold::lm_score(uint32_t node) {
  const HieroFeatures& features = model_.features();
  row_.assign(features.language_models, 0);
  add_piece_values(model_, *source_, words(node),
                   is_goal(node) || gold_.nodes[node].label == HieroGroup::kGlue, is_goal(node),
                   row_);
  double score = 0;
  for (int32_t m = 0; m < features.language_models; ++m)
    score += weights_[features.language_model(m)] * row_[m];
  return score;
}

void HieroGold::add_features(const Group& group, std::span<double> values,
                             std::vector<FeatureKey>& keys) {
  const HieroFeatures& features = model_.features();
  const uint32_t top = group.node;
  add_piece_values(model_, *source_, words(top),
                   is_goal(top) || gold_.nodes[top].label == HieroGroup::kGlue, is_goal(top),
                   values.subspan(features.language_model(0), features.language_models));
  const size_t first = keys.size();
  std::vector<uint32_t> open{top};
  while (!open.empty()) {
    const GoldEdge& edge = gold_.edges[chosen_[open.back()]];
    open.pop_back();
    add_rule_features(model_, edge.rule, values);
    if (model_.sparse())
      add_step_keys(model_, edge.rule, source_->context(sentence_), edge.begin, edge.end, keys);
    for (const uint32_t tail : edge.tails)
      if (tail != kNone) open.push_back(tail);
  }
  if (model_.sparse())
    values[features.sparse()] += model_.sparse().weights->sum(std::span(keys).subspan(first));
}

}  // namespace demotic::learn
