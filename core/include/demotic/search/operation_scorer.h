// Scores derivations of phrase search by the operation sequence model (Durrani, Schmid & Fraser
// 2011; Durrani, Fraser, Schmid, Hoang & Koehn 2013): an n-gram model of the operations that
// generate the pair (rules/operations.h), with counts of gaps and deletions.
//
// The steps of a rule are found once. A phrase appended to a hypothesis adds the moves between its
// words, which depend on the covered words and the position of the last source word generated; so
// the state is that position and the context of the n-gram model. Not thread-safe; use one instance
// per thread.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "demotic/base/flat_map.h"
#include "demotic/lm/language_model.h"
#include "demotic/rules/operations.h"
#include "demotic/search/coverage.h"
#include "demotic/search/interned_states.h"
#include "demotic/search/lm_memo.h"
#include "demotic/search/phrase_model.h"

namespace demotic::search {

struct OperationState {
  LmState lm;
  int32_t position = 0;  // after the last source word that was generated
  friend bool operator==(const OperationState&, const OperationState&) = default;
};

class OperationScorer {
 public:
  // The model must have a model of operations.
  OperationScorer(const PhraseModel& model, std::span<const double> weights);

  void reweigh(std::span<const double> weights);

  // The steps of a rule, of a copied word, and of a dropped one; prepared once until `forget`.
  static constexpr uint32_t kCopied = 0, kDropped = 1;
  uint32_t prepare(RuleId rule, std::span<const WordId> source);
  // The steps of a translation that the user gave for some source words: one cept of unknown words.
  uint32_t prepare_given(int32_t source_words);
  void forget();

  OperationState begin() const noexcept { return {lm_.begin_state(), 0}; }
  // Returns the weighted score of a phrase of a sentence of `length` words, at `begin`, after a
  // hypothesis; `to` is the state after it.
  float extend(const CoverageTable& coverage, CoverageId covered, int32_t length,
               OperationState from, uint32_t phrase, int32_t begin, OperationState& to);
  float end(OperationState from);
  // Weighted score of the phrase without context: its steps alone, as if nothing else existed.
  float context_free(uint32_t phrase) const noexcept;

  // The same for records, in double precision; add_values returns the state after the phrase.
  OperationState add_values(const CoverageTable& coverage, CoverageId covered, int32_t length,
                            OperationState from, uint32_t phrase, int32_t begin,
                            std::span<double> values);
  void add_end_values(OperationState from, std::span<double> values) const;
  void add_context_free_values(uint32_t phrase, std::span<double> values) const;

 private:
  struct Counts {
    int32_t gaps = 0, open_gaps = 0, width = 0, deletions = 0;
  };
  struct Step {
    int16_t source;  // offset in the phrase; -1: no source word
    bool generates, deletes;
    WordId operation;
  };
  struct Phrase {
    uint32_t first, count;  // its steps
    int32_t words;          // source words
    bool in_order = true;   // they are generated from left to right
    int32_t deletions = 0;
    Counts counts{};         // without context
    float context_free = 0;  // ln p without context
  };

  void add_phrase(std::span<const Step> steps, int32_t length);
  // Calls query(operation) for each operation; returns the position after the phrase.
  template <typename Query>
  int32_t run(const CoverageTable& coverage, CoverageId covered, int32_t length, int32_t position,
              const Phrase& phrase, int32_t begin, Counts& counts, Query&& query);
  template <typename Query>
  void walk(SourceString& string, const Phrase& phrase, int32_t begin, Counts& counts,
            Query&& query) const;
  float query(LmState& state, WordId operation) noexcept;
  float weighted(const Counts& counts) const noexcept;
  void add(const Counts& counts, std::span<double> values) const noexcept;

  const PhraseModel& model_;
  const LanguageModel& lm_;
  std::array<int32_t, 5> numbers_;  // of the features
  std::array<float, 5> weights_{};
  WordId gap_, forward_, continue_;
  std::array<WordId, kMaxBack + 1> back_;

  struct Extension {
    float score = 0;
    LmState to;
  };
  LmMemo<Extension> memo_;
  std::vector<Step> steps_;
  std::vector<Phrase> phrases_;
  FlatMap<int32_t, uint32_t> given_;  // phrases by number of words, negative if they are deleted
  SourceString string_;
  OperationSteps found_;
  std::vector<Link> links_;
  std::vector<Symbol> target_;
  std::vector<Step> made_;
};

// States of hypotheses, numbered: the number of the state without operations, and theirs.
struct OrderedState {
  uint32_t inner;
  OperationState operations;
  friend bool operator==(const OrderedState&, const OrderedState&) = default;
};

struct OrderedStateHash {
  uint64_t operator()(const OrderedState& state) const noexcept {
    const uint64_t high = uint64_t{state.inner} << 32 | state.operations.lm.node;
    return mix64(mix64(high) ^ static_cast<uint32_t>(state.operations.position));
  }
};
using OrderedStates = InternedStates<OrderedState, OrderedStateHash>;

}  // namespace demotic::search
