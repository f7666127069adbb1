// Language model scoring in chart search: the score of a rule's target side combined with its
// tails, and the state of the result.
//
// States of hypotheses are numbered in the order in which they are kept; before that, a state is
// one of the candidates of a bin. The words of a target side before its first gap are scored once,
// when it is prepared. Queries (state, word) go through a small cache of recent answers. Not
// thread-safe; use one instance per thread.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "demotic/lm/chart_state.h"
#include "demotic/search/lm_memo.h"
#include "demotic/search/packed_states.h"
#include "demotic/search/search_model.h"

namespace demotic::search {

// The queries of a chart scorer to a language model, cached.
class ChartMemo {
 public:
  explicit ChartMemo(const LanguageModel& model) : memo_(model) {}

  LmMatch match(LmState from, WordId word) noexcept {
    return memo_(from, word, [](const LanguageModel& model, LmState state, WordId next) {
      return model.match(state, next);
    });
  }
  LmState begin_state() const noexcept { return model().begin_state(); }
  int32_t length(LmState state) const noexcept { return model().length(state); }
  LmState back_off(LmState state, float& log10) const noexcept {
    return model().back_off(state, log10);
  }
  const LanguageModel& model() const noexcept { return memo_.model(); }

 private:
  LmMemo<LmMatch> memo_;
};

// A target side prepared by ChartLm::prepare: its index, or kNone.
struct ChartPhrase {
  uint32_t number = kNone;
};

class ChartLm {
 public:
  // `weights` has one value per model.
  ChartLm(const SearchModel& model, std::span<const double> weights);

  // symbols[i * length ...] is the target side in the word ids of model i; gaps are negative.
  ChartPhrase prepare(std::span<const Symbol> symbols, uint32_t length);
  // Drops all prepared target sides.
  void forget();
  // Drops all states.
  void new_sentence();
  void reweigh(std::span<const double> weights) { weights_.assign(weights.begin(), weights.end()); }

  // Weighted score of the words of a target side, each run of words between gaps without context.
  float context_free(ChartPhrase phrase) const noexcept;
  // The same in two steps: scores per model, which do not depend on the weights and need only the
  // symbols as in `prepare`; and their weighted sum.
  void score_context_free(std::span<const Symbol> symbols, uint32_t length,
                          std::span<float> scores) const noexcept;
  float weighted(std::span<const float> scores) const noexcept;
  // Weighted score that the target side adds to the scores of its tails. The resulting state
  // becomes the last candidate. `starts`: it begins the sentence.
  float combine(ChartPhrase phrase, std::span<const uint32_t> tails, bool starts);
  void clear_candidates() noexcept { candidates_.shrink(0); }
  void drop_candidate() noexcept { candidates_.shrink(candidates_.size() - 1); }
  uint32_t last_candidate() const noexcept { return static_cast<uint32_t>(candidates_.size() - 1); }
  // Equal candidates have equal futures.
  bool same(uint32_t a, uint32_t b) const noexcept { return candidates_.same(a, b); }
  uint64_t hash(uint32_t candidate) const noexcept { return candidates_.hash(candidate); }
  // Makes a candidate the next state.
  void keep(uint32_t candidate) { states_.add(candidates_, candidate); }
  // Weighted score of completing the sentence after a state. `started`: it already begins with <s>.
  float end(uint32_t state, bool started) { return end_of(states_, state, started); }
  // The same for the last candidate.
  float end_of_last(bool started) { return end_of(candidates_, last_candidate(), started); }

  // The same for records: adds natural logarithms to values[model].
  void add_values(ChartPhrase phrase, std::span<const uint32_t> tails, bool starts,
                  std::span<double> values);
  void add_end_values(uint32_t state, bool started, std::span<double> values);
  // Scores a whole sentence in double precision. `words` are given per model as in `prepare`.
  void add_sentence_values(std::span<const WordId> words, size_t length, std::span<double> values);

 private:
  using State = PackedState<uint64_t>;
  using Piece = PackedState<const uint64_t>;
  using Scorer = BasicChartScorer<ChartMemo, State>;
  static constexpr int32_t kMax = SearchModel::kMaxLanguageModels;
  // A target side for one model.
  struct Side {
    float score = 0;      // of the words before the first gap
    float rest = 0;       // of the later runs of words, each without context
    uint32_t first = 0;   // offset of its symbols
    uint16_t length = 0;  // number of symbols
    uint16_t prefix = 0;  // number of symbols before the first gap
  };
  const Side& side(ChartPhrase phrase, size_t model) const noexcept {
    return sides_[phrase.number * memos_.size() + model];
  }

  // Score of the combined target side under one model; writes its state to `to`.
  float run(size_t model, ChartPhrase phrase, std::span<const uint32_t> tails, bool starts,
            uint64_t* to);
  float run_end(size_t model, const PackedStates& states, uint32_t state, bool started);
  float end_of(const PackedStates& states, uint32_t state, bool started);

  std::vector<ChartMemo> memos_;  // per model
  std::vector<float> weights_;
  std::vector<Symbol> symbols_;
  std::vector<Side> sides_;  // per target side and model
  PackedStates prefixes_;    // per target side: state after the words before the first gap
  PackedStates states_, candidates_;
};

}  // namespace demotic::search
