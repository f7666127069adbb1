#include "demotic/search/phrase_steps.h"

namespace demotic::search {

Step PhraseSteps::step_of(uint32_t option) const noexcept {
  const PhraseTranslationOption& used = search_.options()[option];
  const PhraseSpan& span = search_.options().spans()[used.span];
  return {used.rule, span.begin, span.end};
}

Step PhraseSteps::step(const Edge& edge, uint32_t) const noexcept { return step_of(edge.option); }

void PhraseSteps::append_words(uint32_t option, std::vector<WordId>& words) const {
  const PhraseTranslationOption& used = search_.options()[option];
  if (is_given(used.rule)) {
    const std::span<const WordId> given = search_.constraints()->target(given_number(used.rule));
    words.insert(words.end(), given.begin(), given.end());
  } else if (is_stored(used.rule))
    for (const Symbol word : model_.rules().target(used.rule)) words.push_back(word);
  else if (used.words.length > 0)
    words.push_back(search_.context().words[step_of(option).begin]);
}

void PhraseSteps::append_target(const Edge& edge, uint32_t, std::vector<Symbol>& symbols) const {
  if (!PhraseSearch::is_start(edge.tails[0])) symbols.push_back(gap_symbol(0));
  append_words(edge.option, symbols);
}

double PhraseSteps::log_probability(RuleId rule) const noexcept {
  return is_given(rule) ? search_.constraints()->log_probability(given_number(rule)) : 0;
}

void PhraseSteps::add_rule_features(uint32_t option, std::span<double> values) const {
  const PhraseTranslationOption& used = search_.options()[option];
  model_.add_rule_features(used.rule, static_cast<int32_t>(used.words.length), values,
                           log_probability(used.rule));
  if (!model_.sparse()) return;
  const Step step = step_of(option);
  values[model_.features().sparse()] += search_.sparse().local(
      option, stored_rule(used.rule), search_.context(), step.begin, step.end);
}

void PhraseSteps::add_context_free_features(uint32_t option, std::span<double> values) const {
  const PhraseTranslationOption& used = search_.options()[option];
  model_.add_rule_features(used.rule, static_cast<int32_t>(used.words.length), values,
                           log_probability(used.rule));
  search_.lm().add_context_free_values(used.words, model_.lm_part(values));
  if (model_.operations()) search_.operations().add_context_free_values(used.operations, values);
}

void PhraseSteps::add_future_features(const CoverageTable& coverage, CoverageId covered,
                                      int32_t last_end, bool of_phrases,
                                      std::span<double> values) const {
  coverage.for_each_gap(covered, [&](int32_t begin, int32_t end) {
    if (of_phrases)
      search_.future_costs().for_each_phrase(search_.options(), begin, end, [&](uint32_t option) {
        add_context_free_features(option, values);
      });
    else
      values[model_.features().number<UnknownWord>()] +=
          UnknownWord::kValue * search_.unknown_penalties().words(begin, end);
  });
  if (of_phrases)
    search_.future_jumps().add_features(model_, search_.options(),
                                        coverage.jumps_after(covered, last_end, last_end), values);
}

void PhraseSteps::add_future_features(uint32_t hypothesis, bool of_phrases,
                                      std::span<double> values) const {
  const PhraseGroup& group = search_.groups()[search_.hypotheses()[hypothesis].group];
  add_future_features(search_.coverage(), group.coverage, group.end, of_phrases, values);
}

void PhraseSteps::add_features(const Edge& edge, uint32_t, std::span<double> values) const {
  const PhraseHypothesis& parent = search_.hypotheses()[edge.tails[0]];
  const PhraseGroup& group = search_.groups()[parent.group];
  const Step step = step_of(edge.option);
  const RuleId before =
      PhraseSearch::is_start(edge.tails[0]) ? kNoRule : search_.options()[parent.edge.option].rule;
  const auto add = [&](int32_t feature, double value) { values[feature] += value; };
  add_rule_features(edge.option, values);
  if (model_.joint() && is_stored(step.rule))
    values[model_.features().sparse()] += search_.sparse().joint(search_.past(parent), step.rule);
  model_.for_each_reordering_feature(before, step.rule,
                                     search_.orientations(group, step.begin, step.end), add);
  model_.for_each_jump_feature(search_.jump(group, step.begin, step.end), add);
  const PhraseTranslationOption& used = search_.options()[edge.option];
  search_.lm().add_values(search_.lm_state(parent), used.words, model_.lm_part(values));
  if (model_.operations())
    search_.operations().add_values(search_.coverage(), group.coverage, search_.length(),
                                    search_.operation_state(parent), used.operations, step.begin,
                                    values);
}

void PhraseSteps::add_keys(const Edge& edge, uint32_t head, std::vector<FeatureKey>& keys) const {
  add_local_keys(edge, head, keys);
  if (joint()) add_joint_keys(edge, keys);
}

void PhraseSteps::add_local_keys(const Edge& edge, uint32_t, std::vector<FeatureKey>& keys) const {
  const Step step = step_of(edge.option);
  search::add_local_keys(*model_.sparse().features, stored_rule(step.rule), search_.context(),
                         step.begin, step.end, keys);
}

void PhraseSteps::add_joint_keys(const Edge& edge, std::vector<FeatureKey>& keys) const {
  const RuleId rule = search_.options()[edge.option].rule;
  if (is_stored(rule)) model_.sparse().features->add_joint_keys(past(edge), rule, keys);
}

void PhraseSteps::add_end_features(uint32_t hypothesis, std::span<double> values) const {
  if (!search_.whole()) return;
  const PhraseHypothesis& last = search_.hypotheses()[hypothesis];
  search_.lm().add_end_values(search_.lm_state(last), model_.lm_part(values));
  if (model_.operations())
    search_.operations().add_end_values(search_.operation_state(last), values);
}

void PhraseSteps::add_derivation_features(uint32_t top, const SourceSentences&,
                                          std::span<double> values) const {
  std::vector<uint32_t> nodes;
  derivation_of(search_, top, nodes);
  for (const uint32_t node : nodes) add_features(search_.hypotheses()[node].edge, node, values);
  add_end_features(top, values);
}

}  // namespace demotic::search
