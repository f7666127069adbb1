// Language model scoring of phrases appended to partial translations.
//
// A phrase is prepared once: for each of its words, the state after the preceding words of the
// phrase, and the score of the remaining words from there. When the phrase is appended to a
// translation, its words are scored one by one only until the state equals that of the phrase
// without context; from there on the left context does not matter. This is exact and usually
// happens after one or two words. The remaining queries (state, word) go through a small cache of
// recent answers.
//
// With one model a state is its LmState; with several it is the index of the tuple of their states,
// valid until `new_sentence`. Not thread-safe; use one instance per thread.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "demotic/base/flat_map.h"
#include "demotic/search/lm_memo.h"
#include "demotic/search/search_model.h"

namespace demotic::search {

// Words prepared by PhraseLm::prepare.
struct LmPhrase {
  uint32_t first = 0;   // index of the first word
  uint32_t length = 0;  // number of words
};

class PhraseLm {
 public:
  // `weights` has one value per model.
  PhraseLm(const SearchModel& model, std::span<const double> weights);

  // words[i * length ...] are the words as ids of model i.
  LmPhrase prepare(std::span<const WordId> words, uint32_t length);
  // Drops the phrases after the first `kept` words, as counted by `prepared`.
  void forget(size_t kept) { words_.resize(kept); }
  size_t prepared() const noexcept { return words_.size(); }
  void new_sentence();
  void reweigh(std::span<const double> weights) { weights_.assign(weights.begin(), weights.end()); }

  uint32_t begin() const noexcept { return begin_; }
  // Returns the weighted score of the phrase after `from`, and the state after it in `to`.
  float extend(uint32_t from, LmPhrase phrase, uint32_t& to) {
    if (models_.size() != 1) return extend_all(from, phrase, to);
    LmState state{from};
    const float score = weights_[0] * walk(0, words_.data() + phrase.first, phrase.length, state);
    to = state.node;
    return score;
  }
  // Weighted score of the end of the sentence.
  float end(uint32_t from);
  // Weighted score of the phrase without context.
  float context_free(LmPhrase phrase) const noexcept;
  // The same in two steps: scores per model, which do not depend on the weights (words as in
  // `prepare`); and their weighted sum.
  void score_context_free(std::span<const WordId> words, uint32_t length,
                          std::span<float> scores) const noexcept;
  float weighted(std::span<const float> scores) const noexcept;

  // The same for records: adds natural logarithms in double precision to values[model].
  uint32_t add_values(uint32_t from, LmPhrase phrase, std::span<double> values);
  void add_end_values(uint32_t from, std::span<double> values);
  void add_context_free_values(LmPhrase phrase, std::span<double> values) const noexcept;

 private:
  static constexpr int32_t kMax = SearchModel::kMaxLanguageModels;
  using Tuple = std::array<LmState, kMax>;
  struct TupleHash {
    uint64_t operator()(const Tuple& tuple) const noexcept;
  };
  struct Word {
    WordId word;
    LmState before;  // state after the preceding words of the phrase
    float rest;      // ln p of this and the following words, from there
  };
  struct Extension {
    float score = 0;
    LmState to;
  };

  float query(size_t model, LmState from, WordId word, LmState& to) noexcept;
  float walk(size_t model, const Word* words, uint32_t length, LmState& state) noexcept {
    float score = 0;
    for (uint32_t i = 0; i < length; ++i) {
      if (state == words[i].before) {
        state = words[length].before;
        return score + words[i].rest;
      }
      score += query(model, state, words[i].word, state);
    }
    return score;
  }
  float extend_all(uint32_t from, LmPhrase phrase, uint32_t& to);
  uint32_t intern(const Tuple& states);
  Tuple states(uint32_t from) const noexcept;
  const Word* words(size_t model, LmPhrase phrase) const noexcept {
    return words_.data() + phrase.first + model * (phrase.length + 1);
  }

  std::span<const LanguageModel> models_;
  std::vector<float> weights_;
  std::vector<Word> words_;               // length + 1 entries per phrase and model
  std::vector<LmMemo<Extension>> memos_;  // per model
  std::vector<Tuple> tuples_;             // by state, if there are several models
  FlatMap<Tuple, uint32_t, TupleHash> tuple_ids_;
  uint32_t begin_ = 0;
};

inline float PhraseLm::query(size_t model, LmState from, WordId word, LmState& to) noexcept {
  const Extension& extension =
      memos_[model](from, word, [](const LanguageModel& lm, LmState state, WordId next) {
        Extension made;
        made.score = lm.score(state, next, made.to);
        return made;
      });
  to = extension.to;
  return extension.score;
}

}  // namespace demotic::search
