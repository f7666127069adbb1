#include "demotic/learn/phrase_violations.h"

#include <algorithm>

namespace demotic::learn {

SentenceUpdate PhraseViolations::find(PhraseSearch& search, const SourceSentences& source,
                                      size_t sentence, const GoldForest& gold,
                                      std::span<const double> weights) {
  search_ = &search;
  source_ = &source;
  sentence_ = sentence;
  SentenceUpdate update;
  bins_.clear();
  if (search.monotone() || search.length() == 0) return update;
  if (gold.nodes.empty()) {
    nothing_is_gold();
  } else {
    gold_.run(search, source, sentence, gold, weights, options_.future);
    follow_reference(gold);
    compare(gold);
  }
  for (const BinPair& bin : bins_) update.bins += bin.both();
  const bool local = options_.rule == UpdateRule::kLocal || gold.nodes.empty();
  update.chosen =
      local ? choose_local() : choose_bin(options_, bins_, search.phrase_options().longest());
  if (update.chosen.updates) fill(update, local ? liked_ : kNone);
  return update;
}

void PhraseViolations::nothing_is_gold() {
  bins_.assign(search_->bins().size(), {});
  bad_.assign(bins_.size(), kNone);
  bad_.back() = search_->best();
  bins_.back().bad = search_->hypotheses()[bad_.back()].total;
}

// How far each hypothesis agrees with the reference: all of its words are a beginning of it.
void PhraseViolations::follow_reference(const GoldForest& gold) {
  const std::span<const WordId> reference = source_->reference(sentence_).first(gold.target_length);
  const auto hypotheses = search_->hypotheses();
  agreed_.assign(hypotheses.size(), -1);
  agreed_[0] = 0;
  if (options_.dead_ends_bad) {
    sort_steps(gold);
    nodes_.assign(hypotheses.size(), kNone);
    nodes_[0] = 0;
  }
  for (uint32_t i = 1; i < hypotheses.size(); ++i) {
    const int32_t before = agreed_[hypotheses[i].parent];
    if (before < 0) continue;
    words_.clear();
    append_words(model_, *search_, hypotheses[i].option, (*source_)[sentence_], words_);
    const std::span<const WordId> rest = reference.subspan(before);
    if (words_.size() <= rest.size() && std::ranges::equal(words_, rest.first(words_.size())))
      agreed_[i] = before + static_cast<int32_t>(words_.size());
    if (!options_.dead_ends_bad || agreed_[i] < 0) continue;
    const uint32_t tail = nodes_[hypotheses[i].parent];
    if (tail != kNone) nodes_[i] = node_after(tail, step_of(*search_, hypotheses[i].option));
  }
}

void PhraseViolations::sort_steps(const GoldForest& gold) {
  steps_.clear();
  for (uint32_t node = 0; node < gold.nodes.size(); ++node)
    for (const GoldEdge& edge : gold.into(node))
      steps_.push_back({edge.tails[0], edge.rule, edge.begin, edge.end, node});
  std::ranges::sort(steps_);
}

uint32_t PhraseViolations::node_after(uint32_t tail, const PhraseStep& step) const {
  const GoldStep wanted{tail, step.rule, step.begin, step.end, 0};
  const auto found = std::ranges::lower_bound(steps_, wanted);
  const bool there = found != steps_.end() && found->tail == tail && found->rule == step.rule &&
                     found->begin == step.begin && found->end == step.end;
  return there ? found->node : kNone;
}

bool PhraseViolations::dead_end(uint32_t hypothesis) {
  return options_.dead_ends_bad && nodes_[hypothesis] == kNone;
}

void PhraseViolations::compare(const GoldForest& gold) {
  const auto hypotheses = search_->hypotheses();
  const auto bins = search_->bins();
  bins_.assign(bins.size(), {});
  bad_.assign(bins.size(), kNone);
  for (size_t b = 1; b < bins.size(); ++b) {
    const bool complete = b + 1 == bins.size();
    bins_[b].gold = gold_.total(static_cast<int32_t>(b));
    for (uint32_t i = bins[b].begin; i < bins[b].alive; ++i) {
      // At the end a beginning of the reference is no more right than anything else.
      const bool agrees = complete ? agreed_[i] == gold.target_length : agreed_[i] >= 0;
      bins_[b].holds_gold |= agrees;
      if (agrees && !dead_end(i)) continue;
      const double score = complete ? hypotheses[i].total : rank(hypotheses[i]);
      if (score > bins_[b].bad) bins_[b].bad = score, bad_[b] = i;
    }
  }
  bins_[0].holds_gold = true;
}

// Towards the hypothesis of the last bin that is most like the reference (Y13-3.4b); nothing if
// that is the best one.
ChosenBin PhraseViolations::choose_local() {
  const auto hypotheses = search_->hypotheses();
  const PhraseBin& last = search_->bins().back();
  bleu_.set_reference(source_->reference(sentence_));
  double best = -1;
  for (uint32_t i = last.begin; i < last.alive; ++i) {
    derivation_of(*search_, i, chain_);
    words_.clear();
    for (const uint32_t h : chain_)
      append_words(model_, *search_, hypotheses[h].option, (*source_)[sentence_], words_);
    const double gain = bleu_(words_);
    if (gain > best || (gain == best && hypotheses[i].total > hypotheses[liked_].total))
      best = gain, liked_ = i;
  }
  const uint32_t bad = bad_.back();
  ChosenBin chosen;
  if (bad == kNone || liked_ == search_->best() || liked_ == bad) return chosen;
  chosen.bin = static_cast<int32_t>(bins_.size()) - 1;
  chosen.violation = double{hypotheses[bad].total} - double{hypotheses[liked_].total};
  chosen.valid = chosen.updates = chosen.violation >= 0;
  return chosen;
}

void PhraseViolations::add_features(uint32_t last, bool complete, std::span<double> values,
                                    std::vector<FeatureKey>& keys) {
  const auto hypotheses = search_->hypotheses();
  derivation_of(*search_, last, chain_);
  for (const uint32_t i : chain_) {
    const Hypothesis& parent = hypotheses[hypotheses[i].parent];
    search::add_features(model_, *search_, parent, hypotheses[i].option, values);
    if (model_.sparse()) add_step_keys(model_, *search_, parent, hypotheses[i].option, keys);
  }
  if (complete)
    add_end_features(model_, *search_, hypotheses[last], values);
  else if (options_.future)
    add_future_features(model_, *search_, search_->coverage(),
                        search_->groups()[hypotheses[last].group].coverage, values, keys);
}

// `other`: what takes the place of the best gold derivation, if anything.
void PhraseViolations::fill(SentenceUpdate& update, uint32_t other) {
  const int32_t bin = update.chosen.bin;
  const bool complete = bin + size_t{1} == bins_.size();
  const auto width = static_cast<size_t>(model_.features().size());
  update.dense.assign(width, 0);
  bad_values_.assign(width, 0);
  gold_keys_.clear();
  bad_keys_.clear();
  if (other == kNone)
    gold_.add_features(bin, update.dense, gold_keys_);
  else
    add_features(other, complete, update.dense, gold_keys_);
  add_features(bad_[bin], complete, bad_values_, bad_keys_);
  for (size_t i = 0; i < width; ++i) update.dense[i] -= bad_values_[i];
  count_difference(gold_keys_, bad_keys_, update.sparse);
}

}  // namespace demotic::learn
