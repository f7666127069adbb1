#include "demotic/learn/phrase_gold.h"

#include <algorithm>
#include <cstdlib>

#include "demotic/search/phrase_derivation.h"

namespace demotic::learn {
namespace {

// visit(begin, end) for each open stretch, from left to right.
template <typename Visit>
void for_each_gap(const CoverageTable& table, CoverageId coverage, int32_t length, Visit&& visit) {
  for (int32_t begin = table.first_open(coverage); begin < length;) {
    if (table.covers(coverage, begin)) {
      ++begin;
      continue;
    }
    const int32_t end = table.next_covered(coverage, begin);
    visit(begin, end);
    begin = end;
  }
}

}  // namespace

double future_score(const PhraseSearch& search, const CoverageTable& table, CoverageId coverage) {
  double sum = 0;
  for_each_gap(table, coverage, search.length(),
               [&](int32_t begin, int32_t end) { sum += search.future_costs()(begin, end); });
  return sum;
}

void add_future_features(const PhraseModel& model, PhraseSearch& search, const CoverageTable& table,
                         CoverageId coverage, std::span<double> values,
                         std::vector<FeatureKey>& keys) {
  for_each_gap(table, coverage, search.length(), [&](int32_t begin, int32_t end) {
    while (begin < end) {
      const int32_t next = begin + search.future_costs().first_phrase(begin, end);
      for (const PhraseSpan& span : search.phrase_options().starting_at(begin)) {
        if (span.end != next) continue;
        add_local_features(model, search, span.first, values);
        if (model.sparse())
          add_local_keys(*model.sparse().features, search.phrase_options()[span.first].rule,
                         search.context(), begin, next, keys);
      }
      begin = next;
    }
  });
}

void PhraseGold::run(PhraseSearch& search, const SourceSentences& source, size_t sentence,
                     const GoldForest& gold, std::span<const double> weights, bool future) {
  search_ = &search;
  source_ = &source;
  sentence_ = sentence;
  gold_ = gold;
  weights_ = weights;
  future_ = future;
  read_reference();
  find_coverage();
  score_edges();
  const size_t bins = gold.source_length + size_t{1};
  totals_.assign(bins, kNoScore);
  best_edges_.assign(bins, kNone);
  best_nodes_.assign(bins, kNone);
  places_.assign(gold.edges.size(), {});
  const auto goal = static_cast<uint32_t>(gold.nodes.size() - 1);
  for (uint32_t node = 1; node <= goal; ++node) {
    double rest = 0;
    if (node == goal)
      rest = gold.whole ? lm_sums_.back() : 0;
    else if (future)
      rest = future_score(search, coverage_, covered_[node]);
    const int32_t bin = gold.nodes[node].source_begin;
    for (uint32_t e = gold.edge_offsets[node]; e < gold.edge_offsets[node + 1]; ++e) {
      const uint32_t tail = gold.edges[e].tails[0];
      Place& place = places_[e];
      if (tail == 0) place.best = step_score(kNone, e);
      for (uint32_t before = gold.edge_offsets[tail]; before < gold.edge_offsets[tail + 1];
           ++before) {
        const double score = places_[before].best + step_score(before, e);
        if (score > place.best) place = {score, before};
      }
      if (place.best + rest > totals_[bin]) {
        totals_[bin] = place.best + rest;
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

int32_t PhraseGold::target_length(const GoldEdge& edge) const noexcept {
  return edge.rule == kNoRule ? 1 : static_cast<int32_t>(model_.rules().target(edge.rule).size());
}

// All that does not depend on the phrase before.
void PhraseGold::score_edges() {
  local_.clear();
  for (const GoldEdge& edge : gold_.edges) local_.push_back(dense_score(edge));
  if (!model_.sparse()) return;
  steps_.clear();
  for (const GoldEdge& edge : gold_.edges) steps_.push_back({edge.rule, edge.begin, edge.end});
  const double* value = search_->sparse().local(steps_, search_->context()).data();
  const double weight = weights_[model_.features().sparse()];
  for (double& score : local_) score += weight * *value++;
}

double PhraseGold::dense_score(const GoldEdge& edge) const {
  const PhraseFeatures& features = model_.features();
  const int32_t words = target_length(edge), from = position(edge.tails[0]);
  double score =
      lm_sums_[from + words] - lm_sums_[from] - weights_[features.word_penalty()] * words;
  if (edge.rule == kNoRule) {
    score += weights_[features.unknown_word()] * kUnknownWordValue +
             weights_[features.phrase_penalty()] * model_.copied_phrase();
  } else {
    const std::span<const float> scores = model_.rules().scores(edge.rule);
    for (const int32_t column : model_.local()) score += weights_[column] * scores[column];
    score += weights_[features.phrase_penalty()];
  }
  return score;
}

Orientation PhraseGold::orientation(uint32_t before, const GoldEdge& edge) const noexcept {
  const int32_t end = before == kNone ? 0 : gold_.edges[before].end;
  if (edge.begin == end) return kMonotone;
  return before != kNone && edge.end == gold_.edges[before].begin ? kSwap : kDiscontinuous;
}

int32_t PhraseGold::distortion(uint32_t before, const GoldEdge& edge) const noexcept {
  const int32_t first = coverage_.first_open(covered_[edge.tails[0]]);
  const int32_t end = before == kNone ? 0 : gold_.edges[before].end;
  return search_->distortion(first, end, edge.begin, edge.end);
}

SparseFeatures::Past PhraseGold::past(uint32_t before, uint32_t node) const noexcept {
  const std::span<const WordId> words = source_->reference(sentence_);
  const int32_t end = position(node);
  const auto word = [&](int32_t i) { return i < 0 ? kSentenceBegin : words[i]; };
  return model_.sparse().features->relevant(
      {before == kNone ? kNoRule : gold_.edges[before].rule, {word(end - 2), word(end - 1)}});
}

double PhraseGold::step_score(uint32_t before, uint32_t number) {
  const GoldEdge& edge = gold_.edges[number];
  const PhraseFeatures& features = model_.features();
  const Orientation o = orientation(before, edge);
  double score = local_[number] + weights_[features.distortion()] * distortion(before, edge);
  if (model_.has_backward() && edge.rule != kNoRule) {
    const int32_t column = model_.backward()[o];
    score += weights_[column] * model_.rules().scores(edge.rule)[column];
  }
  if (model_.has_forward() && before != kNone && gold_.edges[before].rule != kNoRule) {
    const int32_t column = model_.forward()[o];
    score += weights_[column] * model_.rules().scores(gold_.edges[before].rule)[column];
  }
  if (!joint_ || edge.rule == kNoRule) return score;
  const float joint = search_->sparse().joint(past(before, edge.tails[0]), edge.rule);
  return score + weights_[features.sparse()] * joint;
}

void PhraseGold::add_features(int32_t bin, std::span<double> values,
                              std::vector<FeatureKey>& keys) {
  const PhraseFeatures& features = model_.features();
  for (uint32_t e = best_edges_[bin]; e != kNone; e = places_[e].before)
    add_step_features(places_[e].before, e, values, keys);
  const size_t models = model_.language_models().size();
  if (bin < gold_.source_length) {
    if (future_)
      add_future_features(model_, *search_, coverage_, covered_[best_nodes_[bin]], values, keys);
  } else if (gold_.whole) {
    for (size_t m = 0; m < models; ++m)
      values[features.language_model(static_cast<int32_t>(m))] +=
          lm_values_[gold_.target_length * models + m];
  }
}

void PhraseGold::add_step_features(uint32_t before, uint32_t number, std::span<double> values,
                                   std::vector<FeatureKey>& keys) {
  const GoldEdge& edge = gold_.edges[number];
  const PhraseFeatures& features = model_.features();
  const Orientation o = orientation(before, edge);
  const int32_t words = target_length(edge), from = position(edge.tails[0]);
  const size_t models = model_.language_models().size();
  for (size_t m = 0; m < models; ++m)
    for (int32_t i = from; i < from + words; ++i)
      values[features.language_model(static_cast<int32_t>(m))] += lm_values_[i * models + m];
  values[features.word_penalty()] -= words;
  values[features.distortion()] += distortion(before, edge);
  if (edge.rule == kNoRule) {
    values[features.unknown_word()] += kUnknownWordValue;
    values[features.phrase_penalty()] += model_.copied_phrase();
  } else {
    const std::span<const float> scores = model_.rules().scores(edge.rule);
    for (const int32_t column : model_.local()) values[column] += scores[column];
    values[features.phrase_penalty()] += 1;
    if (model_.has_backward()) values[model_.backward()[o]] += scores[model_.backward()[o]];
  }
  if (model_.has_forward() && before != kNone && gold_.edges[before].rule != kNoRule)
    values[model_.forward()[o]] +=
        model_.rules().scores(gold_.edges[before].rule)[model_.forward()[o]];
  if (!model_.sparse()) return;
  const size_t first = keys.size();
  add_local_keys(*model_.sparse().features, edge.rule, search_->context(), edge.begin, edge.end,
                 keys);
  if (joint_ && edge.rule != kNoRule)
    model_.sparse().features->add_joint_keys(past(before, edge.tails[0]), edge.rule, keys);
  values[features.sparse()] += model_.sparse().weights->sum(std::span(keys).subspan(first));
}

}  // namespace demotic::learn
