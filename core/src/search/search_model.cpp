#include "demotic/search/search_model.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <stdexcept>

#include "demotic/base/errors.h"

namespace demotic::search {
namespace {

// Calls visit(token) for the tokens of a line, which are separated by spaces.
template <typename Visit>
void for_each_token(std::string_view line, Visit&& visit) {
  for (size_t begin = 0; begin < line.size();) {
    const size_t end = std::min(line.find(' ', begin), line.size());
    if (end > begin) visit(line.substr(begin, end - begin));
    begin = end + 1;
  }
}

// Reads `begin-end-rest` and returns the rest.
std::string_view parsed_span(std::string_view text, int32_t& begin, int32_t& end) {
  for (int32_t* number : {&begin, &end}) {
    const auto read = std::from_chars(text.data(), text.data() + text.size(), *number);
    const auto size = static_cast<size_t>(read.ptr - text.data());
    if (read.ec != std::errc() || size >= text.size() || *read.ptr != '-')
      throw std::invalid_argument("expected constituents such as 0-2-NP");
    text.remove_prefix(size + 1);
  }
  return text;
}

}  // namespace

void check_estimate(RuleId rule, float estimate) {
  if (!(std::abs(estimate) <= 1e30f))
    throw ModelError(
        {.found = "rule " + std::to_string(rule) + " with a score of " + std::to_string(estimate),
         .expected = "scores between -1e30 and 1e30",
         .advice = "correct the rule's values or the weights"});
}

SearchModel::SearchModel(DenseFeature::Kinds kind, RuleStore rules,
                         std::vector<LanguageModel> language_models, Vocabulary vocabulary,
                         std::vector<int32_t> reordering, Sparse sparse,
                         bool unknown_phrase_penalty, std::span<const std::string_view> optional)
    : rules_(std::move(rules)),
      language_models_(std::move(language_models)),
      vocabulary_(std::move(vocabulary)),
      sparse_(std::move(sparse)),
      copy_is_phrase_(unknown_phrase_penalty),
      features_(kind, rules_.score_count(), static_cast<int32_t>(language_models_.size()),
                bool(sparse_), optional),
      context_free_(rules_.most(), language_models_.size()) {
  if (language_models_.size() > kMaxLanguageModels)
    throw ModelError({.found = std::to_string(language_models_.size()) + " language models",
                      .expected = "at most " + std::to_string(kMaxLanguageModels)});
  for (const LanguageModel& model : language_models_) lm_words_.push_back(model.map(vocabulary_));
  for (int32_t column = 0; column < rules_.score_count(); ++column)
    if (std::ranges::count(reordering, column) == 0) local_.push_back(column);
}

int32_t SearchModel::target_words(RuleId rule) const {
  if (is_copy(rule)) return 1;
  if (is_glue(rule)) return 0;
  if (is_given(rule)) return given_words(rule);
  int32_t words = 0;
  for (const Symbol symbol : rules_.target(rule)) words += !is_gap(symbol);
  return words;
}

SourceSentences::SourceSentences(const SearchModel& model, const std::vector<std::string>& lines,
                                 const TrainingPairs& training, const Annotations& annotations)
    : vocabulary_(model.vocabulary()),
      known_(vocabulary_.size()),
      lengths_(training.lengths),
      pairs_(training.pairs) {
  VocabularyBuilder extra;
  read(lines, extra, sentences_);
  read(training.references, extra, references_);
  check(training);
  read_tags(model, annotations.tags);
  read_trees(model, annotations.constituents);
  if (model.sparse() && model.sparse().features->reads_annotations()) {
    tag_texts_ = annotations.tags;
    tree_texts_ = annotations.constituents;
    for (const auto* texts : {&tag_texts_, &tree_texts_})
      if (!texts->empty() && texts->size() != size())
        throw std::invalid_argument("expected one line of annotations per sentence");
  }
  read_constraints(annotations.constraints, extra);
  for (const LanguageModel& lm : model.language_models()) {
    lm_words_.emplace_back();
    for (const std::string& word : extra_) {
      lm_words_.back().push_back(lm.find(word));
    }
  }
}

void SourceSentences::read(const std::vector<std::string>& lines, VocabularyBuilder& extra,
                           Csr<WordId>& words) {
  for (const std::string& line : lines) {
    for_each_token(line, [&](std::string_view token) {
      WordId id = vocabulary_.find(token);
      if (id == kUnknown) {
        const WordId number = extra.add(token);
        id = known_ + number;
        if (static_cast<size_t>(number) >= extra_.size()) extra_.resize(number + size_t{1});
        extra_[number] = token;
      }
      words.values.push_back(id);
    });
    words.end_row();
  }
}

void SourceSentences::check(const TrainingPairs& training) const {
  const auto fits = [&](size_t count) { return count == 0 || count == size(); };
  if (!fits(training.references.size()) || !fits(lengths_.size()) || !fits(pairs_.size()))
    throw std::invalid_argument("expected one reference, length and pair number per sentence");
  for (size_t i = 0; i < lengths_.size(); ++i)
    if (lengths_[i] < 0 || lengths_[i] > int64_t(sentences_[i].size()))
      throw std::invalid_argument("a length exceeds its sentence");
}

void SourceSentences::read_tags(const SearchModel& model, const TagLines& lines) {
  if (lines.empty() || !model.sparse() || !model.sparse().features->has_token_tags()) return;
  if (lines.size() != size()) throw std::invalid_argument("expected one line of tags per sentence");
  for (size_t i = 0; i < lines.size(); ++i) {
    for_each_token(lines[i], [&](std::string_view token) {
      tags_.values.push_back(model.sparse().features->token_tag(token));
    });
    tags_.end_row();
    if (!tags_[i].empty() && tags_[i].size() != sentences_[i].size())
      throw std::invalid_argument("expected one tag per token");
  }
}

void SourceSentences::read_trees(const SearchModel& model, const std::vector<std::string>& lines) {
  if (lines.empty() || !model.sparse() || !model.sparse().features->has_constituents()) return;
  if (lines.size() != size()) throw std::invalid_argument("expected one tree per sentence");
  for (size_t i = 0; i < lines.size(); ++i) {
    for_each_token(lines[i], [&](std::string_view token) {
      Constituent one{};
      const std::string_view label = parsed_span(token, one.begin, one.end);
      if (one.begin < 0 || one.begin >= one.end || size_t(one.end) > sentences_[i].size())
        throw std::invalid_argument("expected constituents within the sentence");
      one.label = model.sparse().features->constituent_label(label);
      if (one.label >= 0) trees_.values.push_back(one);
    });
    trees_.end_row();
  }
}

void SourceSentences::read_constraints(const ConstraintLists& lists, VocabularyBuilder& extra) {
  if (lists.empty()) return;
  if (lists.size() != size() || !lengths_.empty())
    throw std::invalid_argument("expected constraints for each whole sentence");
  for (size_t i = 0; i < lists.size(); ++i) {
    if (lists[i].empty()) {
      constraints_.emplace_back();
      continue;
    }
    Csr<WordId> targets;
    for (const ConstraintText& one : lists[i]) read(one.targets, extra, targets);
    constraints_.emplace_back(std::in_place, lists[i], std::move(targets),
                              static_cast<int32_t>(sentences_[i].size()));
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

}  // namespace demotic::search
