// What every search needs of a model: rules, language models and the words between them. Does not
// change with the weights; safe to share between threads.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "demotic/base/csr.h"
#include "demotic/features/sparse_features.h"
#include "demotic/lm/language_model.h"
#include "demotic/rules/rule_store.h"

namespace demotic::search {

// The value of the feature unknown_word for each word; Moses and Joshua have the same.
inline constexpr double kUnknownWordValue = -100;

inline constexpr uint32_t kNone = UINT32_MAX;

// Throws ModelError for a score so large that sums in single precision may be no numbers: bins
// could not be sorted.
void check_estimate(RuleId rule, float estimate);

class SearchModel {
 public:
  // Throws ModelError if there are more than kMaxLanguageModels. With `unknown_phrase_penalty`,
  // copied words count in the phrase penalty as rules do, as in Moses.
  SearchModel(RuleStore rules, std::vector<LanguageModel> language_models, Vocabulary vocabulary,
              Sparse sparse, bool unknown_phrase_penalty);

  static constexpr int32_t kMaxLanguageModels = 4;

  const RuleStore& rules() const noexcept { return rules_; }
  const Vocabulary& vocabulary() const noexcept { return vocabulary_; }
  std::span<const LanguageModel> language_models() const noexcept { return language_models_; }
  // A language model's id of a word of the vocabulary.
  WordId lm_word(int32_t model, WordId word) const noexcept { return lm_words_[model][word]; }
  const Sparse& sparse() const noexcept { return sparse_; }
  // The value of the feature phrase_penalty for a copied word: 0 or 1.
  double copied_phrase() const noexcept { return copied_phrase_; }

 private:
  RuleStore rules_;
  std::vector<LanguageModel> language_models_;
  Vocabulary vocabulary_;
  std::vector<std::vector<WordId>> lm_words_;
  Sparse sparse_;
  double copied_phrase_;
};

// What training knows about its sentences; lists may be empty.
struct TrainingPairs {
  std::vector<std::string> references;
  std::vector<int32_t> lengths;  // only so many words of each sentence are translated
  std::vector<int32_t> pairs;    // numbers in the bitext: rules that stand there alone are left out
};

// Sentences to translate. Words that the vocabulary lacks get the numbers after its own.
class SourceSentences {
 public:
  // Tokens are what stands between spaces.
  SourceSentences(const SearchModel& model, const std::vector<std::string>& lines,
                  const TrainingPairs& training = {});

  size_t size() const noexcept { return sentences_.size(); }
  std::span<const WordId> operator[](size_t sentence) const noexcept {
    return lengths_.empty() ? sentences_[sentence] : sentences_[sentence].first(lengths_[sentence]);
  }
  // Whether all its words are translated, so that the translation ends with it.
  bool whole(size_t sentence) const noexcept {
    return lengths_.empty() || lengths_[sentence] == int64_t(sentences_[sentence].size());
  }
  // With the word behind those that are translated.
  SentenceWords context(size_t sentence) const noexcept {
    const std::span<const WordId> words = (*this)[sentence];
    return {words, whole(sentence) ? kSentenceEnd : words.data()[words.size()]};
  }
  // Its number in the bitext that the rules are from, or -1.
  int32_t pair(size_t sentence) const noexcept { return pairs_.empty() ? -1 : pairs_[sentence]; }
  bool has_references() const noexcept { return references_.size() == sentences_.size(); }
  std::span<const WordId> reference(size_t sentence) const noexcept {
    return references_[sentence];
  }
  std::string_view word(WordId id) const {
    return id < known_ ? vocabulary_.word(id) : std::string_view(extra_[id - known_]);
  }
  std::string spelled(std::span<const WordId> words) const;
  // A language model's id of it.
  WordId lm_word(const SearchModel& model, int32_t lm, WordId id) const noexcept {
    return id < known_ ? model.lm_word(lm, id) : lm_words_[lm][id - known_];
  }

 private:
  void read(const std::vector<std::string>& lines, VocabularyBuilder& extra, Csr<WordId>& words);
  void check(const TrainingPairs& training) const;

  Vocabulary vocabulary_;
  WordId known_;
  Csr<WordId> sentences_, references_;
  std::vector<int32_t> lengths_, pairs_;
  std::vector<std::string> extra_;
  std::vector<std::vector<WordId>> lm_words_;  // of them, by language model
};

}  // namespace demotic::search
