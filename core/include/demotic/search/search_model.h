// The parts of a model that both search kinds need: rules, language models, the vocabulary, and the
// dense features of a step. Independent of the weights; thread-safe.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "demotic/base/csr.h"
#include "demotic/features/dense_features.h"
#include "demotic/features/sparse_features.h"
#include "demotic/lm/language_model.h"
#include "demotic/rules/rule_store.h"
#include "demotic/search/constraints.h"
#include "demotic/search/context_free_scores.h"

namespace demotic::search {

inline constexpr uint32_t kNone = UINT32_MAX;

// Throws ModelError for a score so large that sums in single precision could overflow: bins could
// not be sorted.
void check_estimate(RuleId rule, float estimate);

class SearchModel {
 public:
  // `reordering` are the score columns that depend on the neighbouring phrases.
  // `unknown_phrase_penalty`: copied words count in the phrase penalty, as in Moses. `optional`:
  // see DenseLayout. Throws ModelError for more than kMaxLanguageModels.
  SearchModel(DenseFeature::Kinds kind, RuleStore rules, std::vector<LanguageModel> language_models,
              Vocabulary vocabulary, std::vector<int32_t> reordering, Sparse sparse,
              bool unknown_phrase_penalty, std::span<const std::string_view> optional = {});

  static constexpr int32_t kMaxLanguageModels = 4;

  const RuleStore& rules() const noexcept { return rules_; }
  const Vocabulary& vocabulary() const noexcept { return vocabulary_; }
  std::span<const LanguageModel> language_models() const noexcept { return language_models_; }
  // The id of a vocabulary word in a language model.
  WordId lm_word(int32_t model, WordId word) const noexcept { return lm_words_[model][word]; }
  const Sparse& sparse() const noexcept { return sparse_; }
  bool joint() const noexcept { return sparse_ && sparse_.features->joint(); }
  // The position of each dense feature in the weight vector.
  const DenseLayout& features() const noexcept { return features_; }
  // The part of a row of weights or values that belongs to the language models.
  template <typename T>
  std::span<T> lm_part(std::span<T> row) const noexcept {
    return row.subspan(features_.language_model(0), features_.language_models());
  }
  const ContextFreeScores& context_free() const noexcept { return context_free_; }

  // Calls visit(feature, value) for the context-free dense features of a rule or a special step:
  // all but the language models, reordering, the jump to its span, and the sparse features. Used
  // for weighted sums and for feature vectors.
  // `given`: the log probability of an option given by the user.
  template <typename Visit>
  void for_each_rule_feature(RuleId rule, int32_t target_words, Visit&& visit,
                             double given = 0) const {
    features_.for_each_value(RuleStep{rule, target_words, copy_is_phrase_, given}, visit);
    if (!is_stored(rule)) return;
    const std::span<const float> scores = rules_.scores(rule);
    for (const int32_t column : local_) visit(column, double{scores[column]});
  }
  double rule_score(RuleId rule, int32_t target_words, std::span<const double> weights,
                    double given = 0) const {
    double sum = 0;
    for_each_rule_feature(
        rule, target_words, [&](int32_t feature, double value) { sum += weights[feature] * value; },
        given);
    return sum;
  }
  void add_rule_features(RuleId rule, int32_t target_words, std::span<double> values,
                         double given = 0) const {
    for_each_rule_feature(
        rule, target_words, [&](int32_t feature, double value) { values[feature] += value; },
        given);
  }
  // Number of target words of a rule or a special step that is not dropped.
  int32_t target_words(RuleId rule) const;

 private:
  RuleStore rules_;
  std::vector<LanguageModel> language_models_;
  Vocabulary vocabulary_;
  std::vector<std::vector<WordId>> lm_words_;
  Sparse sparse_;
  bool copy_is_phrase_;
  DenseLayout features_;
  std::vector<int32_t> local_;  // score columns that are context-free
  ContextFreeScores context_free_;
};

// Training information about sentences; each list may be empty.
struct TrainingPairs {
  std::vector<std::string> references;
  std::vector<int32_t> lengths;  // number of words of each sentence to translate
  std::vector<int32_t> pairs;    // index in the bitext: rules that occur only there are held out
};

// Tags of the tokens of each sentence, separated by spaces: one line per sentence, empty for a
// sentence without tags; or no lines at all. A model without features of them ignores them.
using TagLines = std::vector<std::string>;

// Constraints of each sentence, or no lists at all.
using ConstraintLists = std::vector<std::vector<ConstraintText>>;

// What is known about the sentences besides their words. Each list has one entry per sentence, or
// none at all; a model without features of something ignores it, but constraints are obeyed.
struct Annotations {
  TagLines tags;
  // The constituents of each sentence as `begin-end-LABEL`, separated by spaces; empty for a
  // sentence without a tree.
  std::vector<std::string> constituents;
  ConstraintLists constraints;
};

// Sentences to translate. Words missing from the vocabulary get ids after those of the vocabulary.
class SourceSentences {
 public:
  // Tokens are separated by spaces.
  SourceSentences(const SearchModel& model, const std::vector<std::string>& lines,
                  const TrainingPairs& training = {}, const Annotations& annotations = {});

  size_t size() const noexcept { return sentences_.size(); }
  std::span<const WordId> operator[](size_t sentence) const noexcept {
    return lengths_.empty() ? sentences_[sentence] : sentences_[sentence].first(lengths_[sentence]);
  }
  // Whether all words are translated, so that the translation ends with </s>.
  bool whole(size_t sentence) const noexcept {
    return lengths_.empty() || lengths_[sentence] == int64_t(sentences_[sentence].size());
  }
  // Includes the word after those that are translated.
  SentenceWords context(size_t sentence) const noexcept {
    const std::span<const WordId> words = (*this)[sentence];
    return {words,
            whole(sentence) ? kSentenceEnd : words.data()[words.size()],
            tags_.size() == 0 ? std::span<const int32_t>() : tags_[sentence],
            trees_.size() == 0 ? std::span<const Constituent>() : trees_[sentence],
            tag_texts_.empty() ? std::string_view() : tag_texts_[sentence],
            tree_texts_.empty() ? std::string_view() : tree_texts_[sentence]};
  }
  // Null if the sentence has none.
  const SentenceConstraints* constraints(size_t sentence) const noexcept {
    return constraints_.empty() || !constraints_[sentence] ? nullptr : &*constraints_[sentence];
  }
  // Its index in the bitext from which rules were extracted, or -1.
  int32_t pair(size_t sentence) const noexcept { return pairs_.empty() ? -1 : pairs_[sentence]; }
  bool has_references() const noexcept { return references_.size() == sentences_.size(); }
  std::span<const WordId> reference(size_t sentence) const noexcept {
    return references_[sentence];
  }
  std::string_view word(WordId id) const {
    return id < known_ ? vocabulary_.word(id) : std::string_view(extra_[id - known_]);
  }
  std::string spelled(std::span<const WordId> words) const;
  // The id of a word in a language model.
  WordId lm_word(const SearchModel& model, int32_t lm, WordId id) const noexcept {
    return id < known_ ? model.lm_word(lm, id) : lm_words_[lm][id - known_];
  }

 private:
  void read(const std::vector<std::string>& lines, VocabularyBuilder& extra, Csr<WordId>& words);
  void check(const TrainingPairs& training) const;
  void read_tags(const SearchModel& model, const TagLines& lines);
  void read_trees(const SearchModel& model, const std::vector<std::string>& lines);
  void read_constraints(const ConstraintLists& lists, VocabularyBuilder& extra);

  Vocabulary vocabulary_;
  WordId known_;
  Csr<WordId> sentences_, references_;
  Csr<int32_t> tags_;       // of all tokens; no rows if there are none
  Csr<Constituent> trees_;  // those with a label that features look at; the same
  std::vector<std::string> tag_texts_, tree_texts_;  // if features look at them; the same
  std::vector<std::optional<SentenceConstraints>> constraints_;  // none if no sentence has any
  std::vector<int32_t> lengths_, pairs_;
  std::vector<std::string> extra_;
  std::vector<std::vector<WordId>> lm_words_;  // ids of these words, per language model
};

// Consecutive sentences of a text, by default all of them. Numbers of sentences are those of the
// whole text, and so are the ids of unknown words, so that parts of a text can be searched apart.
struct SentenceRange {
  SentenceRange(const SourceSentences& all) noexcept
      : SentenceRange(all, 0, static_cast<int64_t>(all.size())) {}
  SentenceRange(const SourceSentences& all, int64_t first, int64_t last) noexcept
      : source(all), begin(first), end(last) {}

  int64_t size() const noexcept { return end - begin; }

  const SourceSentences& source;
  int64_t begin, end;
};

}  // namespace demotic::search
