#include "demotic/learn/phrase_gold.h"

namespace demotic::learn {

PhraseGold::PhraseGold(const PhraseModel& model) : model_(model), joint_(model.joint()) {
  if (model.operations()) operations_.emplace(model, std::vector<double>(model.features().size()));
}

void PhraseGold::run(PhraseSearch& search, const SourceSentences& source, size_t sentence,
                     const GoldForest& gold, std::span<const double> weights, bool future) {
  search_ = &search;
  source_ = &source;
  sentence_ = sentence;
  gold_ = gold;
  weights_ = weights;
  future_ = future && search.has_future_cost();
  read_reference();
  find_coverage();
  score_edges();
  const size_t bins = gold.source_length + size_t{1};
  totals_.assign(bins, kNoScore);
  best_edges_.assign(bins, kNone);
  best_nodes_.assign(bins, kNone);
  states_.assign(gold.edges.size(), {});
  const auto goal = static_cast<uint32_t>(gold.nodes.size() - 1);
  for (uint32_t node = 1; node <= goal; ++node) {
    double rest = 0;
    if (node == goal)
      rest = gold.whole ? lm_sums_.back() : 0;
    else
      rest = future_score(node);
    const bool ends = operations_ && node == goal && gold.whole;
    const int32_t bin = gold.nodes[node].source_begin;
    for (uint32_t e = gold.edge_offsets[node]; e < gold.edge_offsets[node + 1]; ++e) {
      const uint32_t tail = gold.edges[e].tails[0];
      EdgeState& state = states_[e];
      if (tail == 0) state.best = step_score(kNone, e, state.operations);
      for (uint32_t before = gold.edge_offsets[tail]; before < gold.edge_offsets[tail + 1];
           ++before) {
        OperationState operations;
        const double score = states_[before].best + step_score(before, e, operations);
        if (score > state.best) state = {score, before, operations};
      }
      const double total = state.best + rest + (ends ? operations_->end(state.operations) : 0);
      if (total > totals_[bin]) {
        totals_[bin] = total;
        best_edges_[bin] = e;
        best_nodes_[bin] = node;
      }
    }
  }
}

void PhraseGold::read_reference() {
  const std::span<const WordId> words = source_->reference(sentence_).first(gold_.target_length);
  const std::span<const LanguageModel> models = model_.language_models();
  lm_values_.assign((words.size() + 1) * models.size(), 0);
  lm_sums_.assign(words.size() + 2, 0);
  for (size_t m = 0; m < models.size(); ++m) {
    const double weight = weights_[model_.features().language_model(static_cast<int32_t>(m))];
    LmState state = models[m].begin_state();
    for (size_t i = 0; i <= words.size(); ++i) {
      const WordId word = i < words.size()
                              ? source_->lm_word(model_, static_cast<int32_t>(m), words[i])
                              : kSentenceEnd;
      const double value = models[m].score(state, word, state);
      lm_values_[i * models.size() + m] = value;
      if (i < words.size())
        lm_sums_[i + 1] += weight * value;
      else
        lm_sums_.back() += weight * value;
    }
  }
  for (size_t i = 0; i < words.size(); ++i) lm_sums_[i + 1] += lm_sums_[i];
}

void PhraseGold::find_coverage() {
  coverage_.reset(gold_.source_length, gold_.source_length);
  covered_.assign(gold_.nodes.size(), coverage_.empty());
  for (uint32_t node = 1; node < gold_.nodes.size(); ++node) {
    const GoldEdge& edge = gold_.edges[gold_.edge_offsets[node]];
    covered_[node] = coverage_.with(covered_[edge.tails[0]], edge.begin, edge.end);
  }
}

double PhraseGold::future_score(uint32_t node) const {
  double sum =
      future_ ? double{search_->future_jumps()(coverage_.jumps_after(
                    covered_[node], gold_.nodes[node].source_end, gold_.nodes[node].source_end))}
              : 0;
  coverage_.for_each_gap(covered_[node], [&](int32_t begin, int32_t end) {
    sum += future_ ? search_->future_costs()(begin, end) : search_->unknown_penalties()(begin, end);
  });
  return sum;
}

void PhraseGold::add_future_features(uint32_t node, std::span<double> values) {
  PhraseSteps(model_, *search_)
      .add_future_features(coverage_, covered_[node], gold_.nodes[node].source_end, future_,
                           values);
}

// Everything that does not depend on the previous phrase.
void PhraseGold::score_edges() {
  local_.clear();
  for (const GoldEdge& edge : gold_.edges) {
    const int32_t words = model_.target_words(edge.rule), from = position(edge.tails[0]);
    local_.push_back(lm_sums_[from + words] - lm_sums_[from] +
                     model_.rule_score(edge.rule, words, weights_));
  }
  if (operations_) prepare_operations();
  if (!model_.sparse()) return;
  steps_.clear();
  for (const GoldEdge& edge : gold_.edges) steps_.push_back({edge.rule, edge.begin, edge.end});
  const double* value = search_->sparse().local(steps_, search_->context()).data();
  const double weight = weights_[model_.features().sparse()];
  for (double& score : local_) score += weight * *value++;
}

void PhraseGold::prepare_operations() {
  operations_->reweigh(weights_);
  operations_->forget();
  steps_of_.clear();
  for (const GoldEdge& edge : gold_.edges) {
    const std::span<const WordId> source =
        search_->context().words.subspan(edge.begin, edge.end - edge.begin);
    steps_of_.push_back(is_copy(edge.rule) ? OperationScorer::kCopied
                                           : operations_->prepare(edge.rule, source));
  }
}

Orientations PhraseGold::orientations(uint32_t before, const GoldEdge& edge) const noexcept {
  const CoverageId covered = covered_[edge.tails[0]];
  const auto covers = [&](int32_t i) { return coverage_.covers(covered, i); };
  if (before == kNone) return model_.orientations(-1, 0, edge.begin, edge.end, covers);
  const GoldEdge& last = gold_.edges[before];
  const bool may_swap = last.begin > 0 && !covers(last.begin - 1);
  return model_.orientations(may_swap ? last.begin : -1, last.end, edge.begin, edge.end, covers);
}

OperationState PhraseGold::add_operations(uint32_t before, uint32_t number,
                                          std::span<double> values) {
  const GoldEdge& edge = gold_.edges[number];
  OperationScorer& scorer = *operations_;
  return scorer.add_values(coverage_, covered_[edge.tails[0]], gold_.source_length,
                           before == kNone ? scorer.begin() : states_[before].operations,
                           steps_of_[number], edge.begin, values);
}

template <typename Visit>
void PhraseGold::for_each_order_feature(uint32_t before, const GoldEdge& edge,
                                        Visit&& visit) const {
  const int32_t first_open = coverage_.first_open(covered_[edge.tails[0]]);
  const int32_t last_end = before == kNone ? 0 : gold_.edges[before].end;
  model_.for_each_jump_feature(search_->jump(first_open, last_end, edge.begin, edge.end), visit);
  model_.for_each_reordering_feature(before == kNone ? kNoRule : gold_.edges[before].rule,
                                     edge.rule, orientations(before, edge), visit);
}

SparseFeatures::Past PhraseGold::past(uint32_t before, uint32_t node) const noexcept {
  const std::span<const WordId> words = source_->reference(sentence_);
  const int32_t end = position(node);
  const auto word = [&](int32_t i) { return i < 0 ? kSentenceBegin : words[i]; };
  return model_.sparse().features->relevant(
      {before == kNone ? kNoRule : gold_.edges[before].rule, {word(end - 2), word(end - 1)}});
}

double PhraseGold::step_score(uint32_t before, uint32_t number, OperationState& operations) {
  const GoldEdge& edge = gold_.edges[number];
  double score = local_[number];
  for_each_order_feature(
      before, edge, [&](int32_t feature, double value) { score += weights_[feature] * value; });
  if (operations_) {
    values_.assign(weights_.size(), 0);
    operations = add_operations(before, number, values_);
    for (size_t i = 0; i < values_.size(); ++i) score += weights_[i] * values_[i];
  }
  if (!joint_ || edge.rule == kNoRule) return score;
  const float joint = search_->sparse().joint(past(before, edge.tails[0]), edge.rule);
  return score + weights_[model_.features().sparse()] * joint;
}

void PhraseGold::add_features(int32_t bin, std::span<double> values,
                              std::vector<FeatureKey>& keys) {
  for (uint32_t e = best_edges_[bin]; e != kNone; e = states_[e].before)
    add_step_features(states_[e].before, e, values, keys);
  const std::span<double> lm_values = model_.lm_part(values);
  if (bin < gold_.source_length) {
    add_future_features(best_nodes_[bin], values);
  } else if (gold_.whole) {
    for (size_t m = 0; m < lm_values.size(); ++m)
      lm_values[m] += lm_values_[gold_.target_length * lm_values.size() + m];
    if (operations_) operations_->add_end_values(states_[best_edges_[bin]].operations, values);
  }
}

void PhraseGold::add_step_features(uint32_t before, uint32_t number, std::span<double> values,
                                   std::vector<FeatureKey>& keys) {
  const GoldEdge& edge = gold_.edges[number];
  const int32_t words = model_.target_words(edge.rule), from = position(edge.tails[0]);
  const std::span<double> lm_values = model_.lm_part(values);
  for (size_t m = 0; m < lm_values.size(); ++m)
    for (int32_t i = from; i < from + words; ++i)
      lm_values[m] += lm_values_[i * lm_values.size() + m];
  model_.add_rule_features(edge.rule, words, values);
  for_each_order_feature(before, edge,
                         [&](int32_t feature, double value) { values[feature] += value; });
  if (operations_) add_operations(before, number, values);
  if (!model_.sparse()) return;
  const size_t first = keys.size();
  add_local_keys(*model_.sparse().features, edge.rule, search_->context(), edge.begin, edge.end,
                 keys);
  if (joint_ && edge.rule != kNoRule)
    model_.sparse().features->add_joint_keys(past(before, edge.tails[0]), edge.rule, keys);
  values[model_.features().sparse()] +=
      model_.sparse().weights->sum(std::span(keys).subspan(first));
}

}  // namespace demotic::learn
