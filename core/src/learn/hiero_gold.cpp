#include "demotic/learn/hiero_gold.h"

#include <algorithm>

#include "demotic/lm/chart_state.h"

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
    add_to_bin(node, best_[node] + lm_score(node));
  }
}

void HieroGold::add_to_bin(uint32_t node, double total) {
  const GoldNode& one = gold_.nodes[node];
  const auto [number, fresh] = numbers_.insert(key(one.label, one.source_begin, one.source_end));
  if (fresh) {
    number = static_cast<uint32_t>(count_++);
    if (bins_.size() < count_) bins_.resize(count_);
    GoldBin& made = bins_[number];
    made.label = one.label;
    made.begin = one.source_begin;
    made.end = one.source_end;
    made.total = kNoScore;
    made.nodes.clear();
  }
  GoldBin& bin = bins_[number];
  bin.nodes.push_back(node);
  if (total > bin.total) bin.total = total, bin.node = node;
}

uint32_t HieroGold::find(int32_t label, int32_t begin, int32_t end) const noexcept {
  const uint32_t* number = numbers_.find(key(label, begin, end));
  return number ? *number : kNone;
}

bool HieroGold::is_gold(const GoldBin& bin, std::span<const WordId> yield) const noexcept {
  return std::ranges::any_of(bin.nodes,
                             [&](uint32_t node) { return std::ranges::equal(words(node), yield); });
}

double HieroGold::local_score(const GoldEdge& edge) {
  const double score = model_.step_score(edge.rule, gap_sizes(edge), weights_);
  if (!model_.sparse()) return score;
  keys_.clear();
  add_hiero_keys(model_, {edge.rule, edge.begin, edge.end}, gap_sizes(edge),
                 source_->context(sentence_), keys_);
  return score + weights_[model_.features().sparse()] * model_.sparse().weights->sum(keys_);
}

GapSizes HieroGold::gap_sizes(const GoldEdge& edge) const noexcept {
  GapSizes sizes{};
  for (int k = 0; k < kMaxGaps && edge.tails[k] != kNone; ++k) {
    const GoldNode& tail = gold_.nodes[edge.tails[k]];
    sizes[k] = tail.source_end - tail.source_begin;
  }
  return sizes;
}

double HieroGold::lm_score(uint32_t node) {
  const std::span<const double> weights = model_.lm_part(weights_);
  row_.assign(weights.size(), 0);
  add_piece_values(model_, *source_, words(node),
                   is_goal(node) || gold_.nodes[node].label == HieroBin::kGlue, is_goal(node),
                   row_);
  double score = 0;
  for (size_t m = 0; m < weights.size(); ++m) score += weights[m] * row_[m];
  return score;
}

void HieroGold::add_features(const GoldBin& bin, std::span<double> values,
                             std::vector<FeatureKey>& keys) {
  const uint32_t top = bin.node;
  add_piece_values(model_, *source_, words(top),
                   is_goal(top) || gold_.nodes[top].label == HieroBin::kGlue, is_goal(top),
                   model_.lm_part(values));
  const size_t first = keys.size();
  std::vector<uint32_t> open{top};
  while (!open.empty()) {
    const GoldEdge& edge = gold_.edges[chosen_[open.back()]];
    open.pop_back();
    model_.add_step_features(edge.rule, gap_sizes(edge), values);
    if (model_.sparse())
      add_hiero_keys(model_, {edge.rule, edge.begin, edge.end}, gap_sizes(edge),
                     source_->context(sentence_), keys);
    for (const uint32_t tail : edge.tails)
      if (tail != kNone) open.push_back(tail);
  }
  if (model_.sparse())
    values[model_.features().sparse()] +=
        model_.sparse().weights->sum(std::span(keys).subspan(first));
}

}  // namespace demotic::learn
