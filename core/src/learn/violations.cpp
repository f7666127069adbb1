#include "demotic/learn/violations.h"

#include <algorithm>

namespace demotic::learn {

template <typename Kind>
Violations<Kind>::Violations(const typename Kind::Model& model, const ViolationOptions& options)
    : model_(model), options_(options), rivals_(model, options_) {}

template <typename Kind>
SentenceUpdate Violations<Kind>::find(typename Kind::Search& search, const SourceSentences& source,
                                      size_t sentence, const GoldForest& gold,
                                      std::span<const double> weights) {
  search_ = &search;
  SentenceUpdate update;
  bins_.clear();
  if (search.fell_back() || search.length() == 0) return update;
  rivals_.reset(search, source, sentence);
  if (gold.nodes.empty()) {
    bins_.assign(rivals_.bins_without_gold(), {});
    bad_.assign(bins_.size(), {});
    bins_.back().bad = search.total(search.best());
    bad_.back() = {search.best(), 0};
  } else {
    rivals_.compare(gold, weights, bins_, bad_);
  }
  for (const BinPair& bin : bins_) update.bins += bin.both();
  hope_ = {};
  reference_ = source.reference(sentence);
  update.correct = is_correct(gold);
  if (update.correct) return update;
  if (gold.nodes.empty() && options_.kbest > 0)
    update.chosen = choose_hope_and_fear();
  else if (gold.nodes.empty() || options_.rule == UpdateRule::kLocal)
    update.chosen = choose_local();
  else
    update.chosen = choose_bin(options_, bins_, rivals_.longest_step());
  if (update.chosen.updates) fill(update);
  return update;
}

// Whether the search already finds the reference, or the prefix of it that is to be yielded.
template <typename Kind>
bool Violations<Kind>::is_correct(const GoldForest& gold) {
  words_.clear();
  append_yield(typename Kind::Steps(model_, *search_), search_->best(), words_);
  const size_t length = gold.nodes.empty() ? reference_.size() : gold.target_length;
  return std::ranges::equal(words_, reference_.first(length));
}

// Updates towards the complete hypothesis closest to the reference (Yu et al. 2013, section 3.4);
// no update if that is the 1-best.
template <typename Kind>
ChosenBin Violations<Kind>::choose_local() {
  const Bin& goal = search_->bins()[search_->goal_bin()];
  const typename Kind::Steps steps(model_, *search_);
  bleu_.set_reference(reference_);
  double best = -1;
  uint32_t nearest = kNone;
  for (uint32_t i = goal.first; i < goal.alive; ++i) {
    words_.clear();
    append_yield(steps, i, words_);
    const double gain = bleu_(words_);
    if (gain > best || (gain == best && search_->total(i) > search_->total(nearest)))
      best = gain, nearest = i;
  }
  hope_ = {nearest, 0};
  ChosenBin chosen;
  const uint32_t bad = bad_.back().hypothesis;
  if (bad == kNone || nearest == search_->best() || nearest == bad) return chosen;
  chosen.bin = static_cast<int32_t>(bins_.size()) - 1;
  chosen.violation = bins_.back().bad - double{search_->total(nearest)};
  chosen.valid = chosen.updates = chosen.violation >= 0;
  return chosen;
}

// The gain of hope exceeds that of fear by at least the difference of their scores, so the margin
// between them is too small even if hope scores higher.
template <typename Kind>
ChosenBin Violations<Kind>::choose_hope_and_fear() {
  const typename Kind::Steps steps(model_, *search_);
  const double scale = options_.gain_scale * static_cast<double>(reference_.size());
  const auto [hope, fear] =
      hope_fear_.find(steps, rivals_.kbest(), reference_, options_.kbest, scale);
  hope_ = hope.derivation;
  bad_.back() = fear.derivation;
  bins_.back().bad = fear.score;
  ChosenBin chosen;
  if (hope.gain <= fear.gain) return chosen;
  chosen.bin = static_cast<int32_t>(bins_.size()) - 1;
  chosen.violation = fear.score - hope.score;
  chosen.valid = chosen.updates = true;
  return chosen;
}

template <typename Kind>
void Violations<Kind>::fill(SentenceUpdate& update) {
  const int32_t bin = update.chosen.bin;
  const bool complete = bin + size_t{1} == bins_.size();
  const auto width = static_cast<size_t>(model_.features().size());
  update.dense.assign(width, 0);
  bad_values_.assign(width, 0);
  gold_keys_.clear();
  bad_keys_.clear();
  if (hope_.hypothesis == kNone)
    rivals_.add_gold_features(bin, update.dense, gold_keys_);
  else
    rivals_.add_features(hope_, complete, update.dense, gold_keys_);
  rivals_.add_features(bad_[bin], complete, bad_values_, bad_keys_);
  for (size_t i = 0; i < width; ++i) update.dense[i] -= bad_values_[i];
  count_difference(gold_keys_, bad_keys_, update.sparse);
  if (model_.sparse()) take_values(*model_.sparse().features, update.sparse);
}

template class Violations<PhraseTraining>;
template class Violations<HieroTraining>;

}  // namespace demotic::learn
