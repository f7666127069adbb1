#include "demotic/learn/phrase_rivals.h"

#include <algorithm>

namespace demotic::learn {

void PhraseRivals::reset(PhraseSearch& search, const SourceSentences& source, size_t sentence) {
  search_ = &search;
  source_ = &source;
  sentence_ = sentence;
  kbest_.reset(search);
}

void PhraseRivals::compare(const GoldForest& gold, std::span<const double> weights,
                           std::vector<BinPair>& pairs, std::vector<Derivation>& bad) {
  gold_.run(*search_, *source_, sentence_, gold, weights, !options_.by_score);
  follow_reference(gold);
  const auto bins = search_->bins();
  pairs.assign(bins.size(), {});
  bad.assign(bins.size(), {});
  for (size_t b = 1; b < bins.size(); ++b) {
    const bool complete = b == search_->goal_bin();
    pairs[b].gold = gold_.total(static_cast<int32_t>(b));
    for (uint32_t i = bins[b].first; i < bins[b].alive; ++i) {
      // In the final bin, only the whole reference is correct, not a prefix of it.
      const bool agrees = complete ? agreed_[i] == gold.target_length : agreed_[i] >= 0;
      pairs[b].holds_gold |= agrees;
      if (agrees && !dead_end(i)) continue;
      const double score = complete || !options_.by_score ? search_->total(i) : bare_score(i);
      if (score > pairs[b].bad) pairs[b].bad = score, bad[b] = {i};
    }
  }
  pairs[0].holds_gold = true;
}

void PhraseRivals::follow_reference(const GoldForest& gold) {
  const std::span<const WordId> reference = source_->reference(sentence_).first(gold.target_length);
  const auto hypotheses = search_->hypotheses();
  const PhraseSteps steps(model_, *search_);
  agreed_.assign(hypotheses.size(), -1);
  agreed_[0] = 0;
  if (options_.dead_ends_bad) {
    sort_steps(gold);
    nodes_.assign(hypotheses.size(), kNone);
    nodes_[0] = 0;
  }
  for (uint32_t i = 1; i < hypotheses.size(); ++i) {
    const int32_t before = agreed_[hypotheses[i].parent()];
    if (before < 0) continue;
    words_.clear();
    steps.append_words(hypotheses[i].edge.option, words_);
    const std::span<const WordId> rest = reference.subspan(before);
    if (words_.size() <= rest.size() && std::ranges::equal(words_, rest.first(words_.size())))
      agreed_[i] = before + static_cast<int32_t>(words_.size());
    if (!options_.dead_ends_bad || agreed_[i] < 0) continue;
    const uint32_t tail = nodes_[hypotheses[i].parent()];
    if (tail != kNone) nodes_[i] = node_after(tail, steps.step(hypotheses[i].edge, i));
  }
}

void PhraseRivals::sort_steps(const GoldForest& gold) {
  steps_.clear();
  for (uint32_t node = 0; node < gold.nodes.size(); ++node)
    for (const GoldEdge& edge : gold.into(node))
      steps_.push_back({edge.tails[0], edge.rule, edge.begin, edge.end, node});
  std::ranges::sort(steps_);
}

uint32_t PhraseRivals::node_after(uint32_t tail, const Step& step) const {
  const GoldStep wanted{tail, step.rule, step.begin, step.end, 0};
  const auto found = std::ranges::lower_bound(steps_, wanted);
  const bool there = found != steps_.end() && found->tail == tail && found->rule == step.rule &&
                     found->begin == step.begin && found->end == step.end;
  return there ? found->node : kNone;
}

void PhraseRivals::add_features(Derivation derivation, bool complete, std::span<double> values,
                                std::vector<FeatureKey>& keys) {
  const PhraseSteps steps(model_, *search_);
  kbest_.score(derivation);  // computes the derivation if it has not been requested yet
  chain_.clear();
  kbest_.for_each_edge(derivation, [&](const PhraseSearch::Edge& edge, uint32_t head) {
    chain_.emplace_back(edge, head);
  });
  for (auto step = chain_.rbegin(); step != chain_.rend(); ++step) {
    steps.add_features(step->first, step->second, values);
    if (model_.sparse()) steps.add_keys(step->first, step->second, keys);
  }
  if (complete) {
    steps.add_end_features(derivation.hypothesis, values);
  } else {
    const bool of_phrases = !options_.by_score && search_->has_future_cost();
    steps.add_future_features(derivation.hypothesis, of_phrases, values);
  }
}

double PhraseRivals::bare_score(uint32_t hypothesis) const {
  double score = search_->hypotheses()[hypothesis].score;
  search_->for_each_gap(hypothesis, [&](int32_t begin, int32_t end) {
    score += search_->unknown_penalties()(begin, end);
  });
  return score;
}

}  // namespace demotic::learn
