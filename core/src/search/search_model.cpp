#include "demotic/search/search_model.h"

#include <algorithm>
#include <cmath>

#include "demotic/base/errors.h"

namespace demotic {

void check_estimate(RuleId rule, float estimate) {
  if (!(std::abs(estimate) <= 1e30f))
    throw ModelError(
        {.found = "rule " + std::to_string(rule) + " with a score of " + std::to_string(estimate),
         .expected = "scores between -1e30 and 1e30",
         .advice = "correct the rule's values or the weights"});
}

SearchModel::SearchModel(RuleStore rules, std::vector<LanguageModel> language_models,
                         Vocabulary vocabulary)
    : rules_(std::move(rules)),
      language_models_(std::move(language_models)),
      vocabulary_(std::move(vocabulary)) {
  if (language_models_.size() > kMaxLanguageModels)
    throw ModelError({.found = std::to_string(language_models_.size()) + " language models",
                      .expected = "at most " + std::to_string(kMaxLanguageModels)});
  for (const LanguageModel& model : language_models_) lm_words_.push_back(model.map(vocabulary_));
}

SourceSentences::SourceSentences(const SearchModel& model, const std::vector<std::string>& lines)
    : vocabulary_(model.vocabulary()), known_(vocabulary_.size()) {
  // The markers of sentences and the unknown word are words like others when they stand in a text.
  const auto ordinary = [](WordId id) { return id >= kReservedWords; };
  VocabularyBuilder extra;
  for (const std::string& line : lines) {
    for (size_t begin = 0; begin < line.size();) {
      const size_t end = std::min(line.find(' ', begin), line.size());
      const std::string_view token(line.data() + begin, end - begin);
      begin = end + 1;
      if (token.empty()) continue;
      WordId id = vocabulary_.find(token);
      if (!ordinary(id)) {
        const WordId number = extra.add(token);
        id = known_ + number;
        if (static_cast<size_t>(number) >= extra_.size()) extra_.resize(number + size_t{1});
        extra_[number] = token;
      }
      sentences_.values.push_back(id);
    }
    sentences_.end_row();
  }
  for (const LanguageModel& lm : model.language_models()) {
    lm_words_.emplace_back();
    for (const std::string& word : extra_) {
      const WordId id = lm.vocabulary().find(word);
      lm_words_.back().push_back(ordinary(id) ? id : kUnknown);
    }
  }
}

std::string SourceSentences::spelled(std::span<const WordId> words) const {
  std::string text;
  for (const WordId id : words) {
    if (!text.empty()) text += ' ';
    text += word(id);
  }
  return text;
}

}  // namespace demotic
