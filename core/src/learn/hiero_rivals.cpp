#include "demotic/learn/hiero_rivals.h"

#include <stdexcept>

namespace demotic::learn {

HieroRivals::HieroRivals(const HieroModel& model, const ViolationOptions& options)
    : model_(model), options_(options), gold_(model) {
  if (options.rule == UpdateRule::kEarly)
    throw std::invalid_argument(
        "early update needs a phrase model: the bins of a Hiero search have no temporal order");
}

void HieroRivals::reset(HieroSearch& search, const SourceSentences& source, size_t sentence) {
  search_ = &search;
  source_ = &source;
  sentence_ = sentence;
  kbest_.reset(search);
}

void HieroRivals::compare(const GoldForest& gold, std::span<const double> weights,
                          std::vector<BinPair>& pairs, std::vector<Derivation>& bad) {
  gold_.run(*source_, sentence_, gold, weights);
  const auto gold_bins = gold_.bins();
  pairs.assign(gold_bins.size(), {});
  bad.assign(gold_bins.size(), {});
  for (size_t i = 0; i < gold_bins.size(); ++i) pairs[i].gold = gold_bins[i].total;
  for (const HieroBin& bin : search_->bins()) {
    const uint32_t i = gold_.find(bin.label, bin.begin, bin.end);
    if (i != kNone) compare(bin, gold_bins[i], pairs[i], bad[i]);
  }
}

// All derivations of a hypothesis share its state, so the end of the sentence does not reorder
// them.
void HieroRivals::compare(const HieroBin& bin, const HieroGold::GoldBin& gold, BinPair& pair,
                          Derivation& bad) {
  const HieroSteps steps(model_, *search_);
  for (uint32_t i = bin.first; i < bin.alive; ++i) {
    const float end = search_->future(i);
    // Skip by score before reading any word: most hypotheses cannot be the best bad one.
    if (search_->hypotheses()[i].score + end <= pair.bad) continue;
    for (Derivation item{i, 0}; item.rank < static_cast<uint32_t>(options_.depth); ++item.rank) {
      const std::optional<double> score = kbest_.score(item);
      if (!score || *score + end <= pair.bad) break;
      words_.clear();
      kbest_.append_words(steps, item, words_);
      if (gold_.is_gold(gold, words_)) {
        pair.holds_gold = true;
        continue;
      }
      pair.bad = *score + end;
      bad = item;
      break;
    }
  }
}

void HieroRivals::add_features(Derivation derivation, bool complete, std::span<double> values,
                               std::vector<FeatureKey>& keys) {
  const HieroSteps steps(model_, *search_);
  kbest_.score(derivation);  // computes the score if it has not been requested yet
  words_.clear();
  kbest_.append_words(steps, derivation, words_);
  const bool started = HieroSearch::started(search_->bin_of(derivation.hypothesis));
  add_piece_values(model_, *source_, words_, complete || started, complete, model_.lm_part(values));
  const size_t first = keys.size();
  kbest_.for_each_edge(derivation, [&](const HieroSearch::Edge& edge, uint32_t head) {
    const RuleId rule = search_->options()[edge.option].rule;
    model_.add_step_features(rule, search_->gap_sizes(edge), values);
    if (model_.sparse()) steps.add_keys(edge, head, keys);
  });
  if (model_.sparse())
    values[model_.features().sparse()] +=
        model_.sparse().weights->sum(std::span(keys).subspan(first));
}

}  // namespace demotic::learn
