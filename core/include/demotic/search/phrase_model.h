// What phrase search needs of a model beside rules and language models: where each dense feature
// stands among the weights.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "demotic/search/alone_scores.h"
#include "demotic/search/search_model.h"

namespace demotic::search {

// How a phrase stands to the one translated before it.
enum Orientation : uint8_t { kMonotone, kSwap, kDiscontinuous };
inline constexpr int kOrientations = 3;

// Numbers of the dense features, in the order of src/demotic/dense_features.py: the rules' scores,
// the language models, then the penalties, then the sum of the sparse features if there are any.
struct PhraseFeatures {
  int32_t scores = 0, language_models = 0;
  bool has_sparse = false;

  int32_t language_model(int32_t i) const noexcept { return scores + i; }
  int32_t word_penalty() const noexcept { return scores + language_models; }
  int32_t phrase_penalty() const noexcept { return word_penalty() + 1; }
  int32_t distortion() const noexcept { return word_penalty() + 2; }
  int32_t unknown_word() const noexcept { return word_penalty() + 3; }
  int32_t sparse() const noexcept { return word_penalty() + 4; }
  int32_t size() const noexcept { return word_penalty() + 4 + has_sparse; }
};

class PhraseModel : public SearchModel {
 public:
  // Rules with gaps are never matched.
  PhraseModel(RuleStore rules, std::vector<LanguageModel> language_models, Vocabulary vocabulary,
              Sparse sparse = {}, bool unknown_phrase_penalty = false);

  const PhraseFeatures& features() const noexcept { return features_; }

  // Columns of the rules' scores. Lexicalised reordering has one a direction and orientation, or
  // none; `local` are all others, which count wherever the rule is used.
  std::span<const int32_t> local() const noexcept { return local_; }
  bool has_backward() const noexcept { return backward_[0] >= 0; }
  bool has_forward() const noexcept { return forward_[0] >= 0; }
  std::span<const int32_t, kOrientations> backward() const noexcept { return backward_; }
  std::span<const int32_t, kOrientations> forward() const noexcept { return forward_; }

  const AloneScores& alone() const noexcept { return alone_; }

 private:
  PhraseFeatures features_;
  std::vector<int32_t> local_;
  std::array<int32_t, kOrientations> backward_{-1, -1, -1}, forward_{-1, -1, -1};
  AloneScores alone_;
};

// The search space and the effort; src/demotic/search/options.py declares the same for people.
struct PhraseSearchOptions {
  int32_t beam_size = 200;        // hypotheses that survive in a bin
  int32_t pop_limit = 400;        // candidates that cube pruning examines for a bin
  bool cube_pruning = true;       // false: examine all of them
  float beam_threshold = 0;       // drop what is worse than the best of its bin by more; 0: nothing
  int32_t distortion_limit = 6;   // source words between phrases; -1: unlimited
  bool gap_test = true;           // a phrase may not leave the first open gap beyond reach
  int32_t rule_limit = 20;        // best rules of a source phrase; 0: all
  bool early_distortion = false;  // distortion is paid as soon as it is known (Moore & Quirk 2007)
  bool drop_unknown = false;      // unknown words vanish instead of being copied
};

}  // namespace demotic::search
