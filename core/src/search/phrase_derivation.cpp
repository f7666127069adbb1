#include "demotic/search/phrase_derivation.h"

#include <algorithm>

namespace demotic::search {

void derivation_of(const PhraseSearch& search, uint32_t last, std::vector<uint32_t>& chain) {
  chain.clear();
  const auto hypotheses = search.hypotheses();
  for (uint32_t i = last; hypotheses[i].parent != kNone; i = hypotheses[i].parent)
    chain.push_back(i);
  std::reverse(chain.begin(), chain.end());
}

PhraseStep step_of(const PhraseSearch& search, uint32_t option) {
  const PhraseOption& used = search.phrase_options()[option];
  const PhraseSpan& span = search.phrase_options().spans()[used.span];
  return {used.rule, span.begin, span.end};
}

void append_words(const PhraseModel& model, const PhraseSearch& search, uint32_t option,
                  std::span<const WordId> source, std::vector<WordId>& words) {
  const PhraseOption& used = search.phrase_options()[option];
  if (used.rule != kNoRule) {
    for (const Symbol word : model.rules().target(used.rule)) words.push_back(word);
  } else if (used.words.length > 0) {
    words.push_back(source[search.phrase_options().spans()[used.span].begin]);
  }
}

namespace {

std::span<double> lm_values(const PhraseModel& model, std::span<double> values) {
  return values.subspan(model.features().language_model(0), model.features().language_models);
}

// All but the language model, reordering, distortion and joint features.
void add_rule_features(const PhraseModel& model, PhraseSearch& search, uint32_t option,
                       std::span<double> values) {
  const PhraseFeatures& features = model.features();
  const PhraseOption& used = search.phrase_options()[option];
  if (features.has_sparse) {
    const PhraseSpan& span = search.phrase_options().spans()[used.span];
    values[features.sparse()] +=
        search.sparse().local(option, used.rule, search.context(), span.begin, span.end);
  }
  if (used.rule != kNoRule) {
    const std::span<const float> scores = model.rules().scores(used.rule);
    for (const int32_t column : model.local()) values[column] += scores[column];
    values[features.phrase_penalty()] += 1;
  } else {
    values[features.unknown_word()] += kUnknownWordValue;
    values[features.phrase_penalty()] += model.copied_phrase();
  }
  values[features.word_penalty()] -= used.words.length;
}

bool has_joint(const PhraseModel& model) {
  return model.sparse() && model.sparse().features->joint();
}

}  // namespace

void add_step_keys(const PhraseModel& model, const PhraseSearch& search, const Hypothesis& parent,
                   uint32_t option, std::vector<FeatureKey>& keys) {
  const SparseFeatures& features = *model.sparse().features;
  const PhraseStep step = step_of(search, option);
  add_local_keys(features, step.rule, search.context(), step.begin, step.end, keys);
  if (features.joint() && step.rule != kNoRule)
    features.add_joint_keys(search.past(parent), step.rule, keys);
}

void add_local_features(const PhraseModel& model, PhraseSearch& search, uint32_t option,
                        std::span<double> values) {
  const PhraseOption& used = search.phrase_options()[option];
  add_rule_features(model, search, option, values);
  search.lm().add_alone_values(used.words, lm_values(model, values));
}

void add_features(const PhraseModel& model, PhraseSearch& search, const Hypothesis& parent,
                  uint32_t option, std::span<double> values) {
  const PhraseOption& used = search.phrase_options()[option];
  const PhraseSpan& span = search.phrase_options().spans()[used.span];
  const PhraseGroup& group = search.groups()[parent.group];
  const Orientation o = PhraseSearch::orientation(group, span.begin, span.end);
  add_rule_features(model, search, option, values);
  if (has_joint(model) && used.rule != kNoRule)
    values[model.features().sparse()] += search.sparse().joint(search.past(parent), used.rule);
  if (model.has_backward() && used.rule != kNoRule) {
    const int32_t column = model.backward()[o];
    values[column] += model.rules().scores(used.rule)[column];
  }
  if (model.has_forward() && parent.option != kNone) {
    const RuleId before = search.phrase_options()[parent.option].rule;
    const int32_t column = model.forward()[o];
    if (before != kNoRule) values[column] += model.rules().scores(before)[column];
  }
  values[model.features().distortion()] += search.distortion(group, span.begin, span.end);
  search.lm().add_values(search.lm_state(parent), used.words, lm_values(model, values));
}

void add_end_features(const PhraseModel& model, PhraseSearch& search, const Hypothesis& last,
                      std::span<double> values) {
  if (search.whole()) search.lm().add_end_values(search.lm_state(last), lm_values(model, values));
}

}  // namespace demotic::search
