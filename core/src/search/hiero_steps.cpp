#include "demotic/search/hiero_steps.h"

namespace demotic::search {

Step HieroSteps::step(const Edge& edge, uint32_t head) const noexcept {
  const HieroBin& bin = search_.bin_of(head);
  return {search_.options()[edge.option].rule, bin.begin, bin.end};
}

void HieroSteps::append_target(const Edge& edge, uint32_t head,
                               std::vector<Symbol>& symbols) const {
  const RuleId rule = search_.options()[edge.option].rule;
  if (is_given(rule)) {
    const std::span<const WordId> given = search_.constraints()->target(given_number(rule));
    symbols.insert(symbols.end(), given.begin(), given.end());
  } else if (is_copy(rule)) {
    symbols.push_back(search_.context().words[search_.bin_of(head).begin]);
  } else if (is_glue(rule)) {
    symbols.push_back(gap_symbol(0));
    if (rule == kGlueNext) symbols.push_back(gap_symbol(1));
  } else {
    for (const Symbol symbol : model_.rules().target(rule)) symbols.push_back(symbol);
  }
}

// The bin tells the span.
uint64_t HieroSteps::option_on_span(const Edge& edge, uint32_t head) const noexcept {
  const auto bin = static_cast<uint64_t>(&search_.bin_of(head) - search_.bins().data());
  return bin << 32 | edge.option;
}

void HieroSteps::add_local_features(const Edge& edge, uint32_t head,
                                    std::span<double> values) const {
  const Step step = this->step(edge, head);
  if (is_given(step.rule))
    model_.add_rule_features(step.rule, given_words(step.rule), values,
                             search_.constraints()->log_probability(given_number(step.rule)));
  else
    model_.add_step_features(step.rule, search_.gap_sizes(edge), values);
  if (model_.sparse() && !is_glue(step.rule))
    values[model_.features().sparse()] +=
        search_.sparse().local(option_on_span(edge, head), stored_rule(step.rule),
                               search_.context(), step.begin, step.end);
  for_each_sparse_gap(edge, [&](bool reordered, int32_t size) {
    values[model_.features().sparse()] += model_.sparse_gap_value(reordered, size);
  });
}

void HieroSteps::add_features(const Edge& edge, uint32_t head, std::span<double> values) const {
  add_local_features(edge, head, values);
  const HieroTranslationOption& used = search_.options()[edge.option];
  search_.lm().add_values(used.target, edge.tails, used.rule == kGlueFirst, model_.lm_part(values));
}

void add_hiero_keys(const HieroModel& model, const Step& step, const GapSizes& sizes,
                    const SentenceWords& sentence, std::vector<FeatureKey>& keys) {
  if (is_glue(step.rule)) return;
  add_local_keys(*model.sparse().features, stored_rule(step.rule), sentence, step.begin, step.end,
                 keys);
  if (!model.has_sparse_gaps()) return;
  model.for_each_gap(step.rule, sizes, [&](const FilledGap& gap) {
    model.sparse().features->add_gap_keys(gap.reordered, gap.size, keys);
  });
}

void HieroSteps::add_keys(const Edge& edge, uint32_t head, std::vector<FeatureKey>& keys) const {
  add_hiero_keys(model_, step(edge, head), search_.gap_sizes(edge), search_.context(), keys);
}

void HieroSteps::add_local_keys(const Edge& edge, uint32_t head,
                                std::vector<FeatureKey>& keys) const {
  add_hiero_keys(model_, step(edge, head), {}, search_.context(), keys);
}

void HieroSteps::add_end_features(uint32_t hypothesis, std::span<double> values) const {
  const std::span<double> lm_values = model_.lm_part(values);
  if (hypothesis == kNone)
    search_.lm().add_sentence_values({}, 0, lm_values);
  else
    search_.lm().add_end_values(hypothesis, HieroSearch::started(search_.bin_of(hypothesis)),
                                lm_values);
}

void HieroSteps::add_derivation_features(uint32_t top, const SourceSentences& source,
                                         std::span<double> values) const {
  std::vector<uint32_t> nodes;
  std::vector<WordId> words, lm_words;
  if (top != kNone) {
    derivation_of(search_, top, nodes);
    append_yield(*this, top, words);
  }
  for (const uint32_t node : nodes)
    add_local_features(search_.hypotheses()[node].edge, node, values);
  for (int32_t i = 0; i < model_.features().language_models(); ++i)
    for (const WordId word : words) lm_words.push_back(source.lm_word(model_, i, word));
  search_.lm().add_sentence_values(lm_words, words.size(), model_.lm_part(values));
}

}  // namespace demotic::search
