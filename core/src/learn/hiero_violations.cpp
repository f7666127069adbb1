#include "demotic/learn/hiero_violations.h"

#include <stdexcept>

#include "demotic/search/hiero_derivation.h"

namespace demotic::learn {

HieroViolations::HieroViolations(const HieroModel& model, const ViolationOptions& options)
    : model_(model), options_(options), gold_(model) {
  if (options.rule == UpdateRule::kEarly)
    throw std::invalid_argument("early updates are for phrases: groups have no order of time");
}

SentenceUpdate HieroViolations::find(HieroSearch& search, const SourceSentences& source,
                                     size_t sentence, const GoldForest& gold,
                                     std::span<const double> weights) {
  search_ = &search;
  source_ = &source;
  sentence_ = sentence;
  SentenceUpdate update;
  bins_.clear();
  if (search.fell_back() || search.root() == kNone) return update;
  gold_.run(source, sentence, gold, weights);
  kbest_.reset(search);
  if (gold.nodes.empty())
    nothing_is_gold();
  else
    compare();
  for (const BinPair& bin : bins_) update.bins += bin.both();
  liked_ = kNone;
  const bool local = options_.rule == UpdateRule::kLocal || gold.nodes.empty();
  update.chosen = local ? choose_local() : choose_bin(options_, bins_, 1);
  if (update.chosen.updates) fill(update);
  return update;
}

void HieroViolations::nothing_is_gold() {
  const uint32_t best = search_->best();
  bins_.assign(1, {.bad = search_->hypotheses()[best].score + end_score(best, true)});
  bad_.assign(1, {.hypothesis = best});
}

void HieroViolations::compare() {
  const auto gold = gold_.groups();
  bins_.assign(gold.size(), {});
  bad_.assign(gold.size(), {});
  for (size_t i = 0; i < gold.size(); ++i) bins_[i].gold = gold[i].total;
  const auto groups = search_->groups();
  for (uint32_t g = 0; g < groups.size(); ++g) {
    const uint32_t number = gold_.find(groups[g].label, groups[g].begin, groups[g].end);
    if (number != kNone) compare(groups[g], number, g == search_->root());
  }
}

float HieroViolations::end_score(uint32_t hypothesis, bool root) {
  if (!root) return 0;
  const bool started = HieroSearch::started(search_->groups()[search_->root()]);
  return search_->lm().end(hypothesis, started);
}

// Equal states end alike, so the order of a hypothesis' derivations is not changed by the end.
void HieroViolations::compare(const HieroGroup& group, uint32_t number, bool root) {
  const HieroGold::Group& gold = gold_.groups()[number];
  BinPair& pair = bins_[number];
  for (uint32_t i = group.first; i < group.alive; ++i) {
    const float end = end_score(i, root);
    for (uint32_t rank = 0; rank < static_cast<uint32_t>(options_.depth); ++rank) {
      // Most are not the best bad one: their score says so before any word is read.
      if (rank == 0 && search_->hypotheses()[i].score + end <= pair.bad) break;
      const HieroKBest::Derivation* derivation = kbest_.find(i, rank);
      if (!derivation || derivation->score + end <= pair.bad) break;
      const double score = derivation->score + end;
      words_.clear();
      kbest_.append_words(model_, i, rank, (*source_)[sentence_], words_);
      if (gold_.is_gold(gold, words_)) {
        pair.holds_gold = true;
        continue;
      }
      if (score > pair.bad) pair.bad = score, bad_[number] = {i, rank};
      break;
    }
  }
}

// Towards the hypothesis of the root that is most like the reference; nothing if that is the best.
ChosenBin HieroViolations::choose_local() {
  const HieroGroup& root = search_->groups()[search_->root()];
  bleu_.set_reference(source_->reference(sentence_));
  double best = -1;
  float best_score = 0;
  for (uint32_t i = root.first; i < root.alive; ++i) {
    words_.clear();
    kbest_.append_words(model_, i, 0, (*source_)[sentence_], words_);
    const double gain = bleu_(words_);
    const float score = search_->hypotheses()[i].score + end_score(i, true);
    if (gain > best || (gain == best && score > best_score))
      best = gain, best_score = score, liked_ = i;
  }
  ChosenBin chosen;
  const Bad bad = bad_.empty() ? Bad{} : bad_.back();
  if (bad.hypothesis == kNone || liked_ == search_->best() || liked_ == bad.hypothesis)
    return chosen;
  chosen.bin = static_cast<int32_t>(bins_.size()) - 1;
  chosen.violation = bins_.back().bad - double{best_score};
  chosen.valid = chosen.updates = chosen.violation >= 0;
  return chosen;
}

void HieroViolations::add_features(Bad derivation, bool root, std::span<double> values,
                                   std::vector<FeatureKey>& keys) {
  const HieroFeatures& features = model_.features();
  const SentenceWords sentence = source_->context(sentence_);
  words_.clear();
  kbest_.append_words(model_, derivation.hypothesis, derivation.rank, (*source_)[sentence_],
                      words_);
  const HieroGroup& top = search_->group_of(derivation.hypothesis);
  add_piece_values(model_, *source_, words_, root || HieroSearch::started(top), root,
                   values.subspan(features.language_model(0), features.language_models));
  const size_t first = keys.size();
  kbest_.for_each_step(derivation.hypothesis, derivation.rank,
                       [&](uint32_t option, uint32_t hypothesis) {
                         const HieroGroup& group = search_->group_of(hypothesis);
                         const RuleId rule = search_->options()[option].rule;
                         add_rule_features(model_, rule, values);
                         if (model_.sparse())
                           add_step_keys(model_, rule, sentence, group.begin, group.end, keys);
                       });
  if (model_.sparse())
    values[features.sparse()] += model_.sparse().weights->sum(std::span(keys).subspan(first));
}

void HieroViolations::fill(SentenceUpdate& update) {
  const int32_t bin = update.chosen.bin;
  const bool root = bin + size_t{1} == bins_.size();
  const auto width = static_cast<size_t>(model_.features().size());
  update.dense.assign(width, 0);
  bad_values_.assign(width, 0);
  gold_keys_.clear();
  bad_keys_.clear();
  if (liked_ == kNone)
    gold_.add_features(gold_.groups()[bin], update.dense, gold_keys_);
  else
    add_features({liked_, 0}, root, update.dense, gold_keys_);
  add_features(bad_[bin], root, bad_values_, bad_keys_);
  for (size_t i = 0; i < width; ++i) update.dense[i] -= bad_values_[i];
  count_difference(gold_keys_, bad_keys_, update.sparse);
}

}  // namespace demotic::learn
