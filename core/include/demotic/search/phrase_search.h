// Phrase-based beam search (Koehn et al. 2003) with cube pruning (Huang & Chiang 2007): hypotheses
// compete in bins by the number of source words that they cover.
//
// Hypotheses of a bin that cover the same words and end in the same place form a group: a phrase
// continues all of them at the same distortion and future cost. A group and a phrase that may
// follow it are an expansion: a grid of the group's hypotheses times the phrase's options, both
// best first. A bin is filled from its expansions' grids, best cell first, until the pop limit; or
// from all of their cells (`cube_pruning = false`), which is slow and misses nothing.
//
// Hypotheses with the same future (covered words, last phrase as far as reordering needs it,
// language model state, what joint features know) are recombined. Of a sentence that is translated
// only to some word the translation has no end. Time is linear in the sentence's length. One object
// a thread; the result is valid until the next call, as long as the source is there.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "demotic/base/stop.h"
#include "demotic/search/best_first.h"
#include "demotic/search/coverage.h"
#include "demotic/search/future_costs.h"
#include "demotic/search/joint_states.h"
#include "demotic/search/phrase_options.h"

namespace demotic::search {

struct Hypothesis {
  float score = 0;  // weights . features so far
  float total = 0;  // with the best future; of complete ones, with the end of the sentence
  uint32_t parent = kNone, option = kNone;
  uint32_t state = 0;    // see PhraseSearch::lm_state and past
  uint32_t forward = 0;  // class of the last phrase
  uint32_t group = 0;
  uint32_t arc = kNone;  // the last that was recombined into this one, if they are recorded
};

// Another way to reach a hypothesis, not better than its own.
struct RecombinedArc {
  uint32_t parent, option;
  uint32_t next;  // the one before
};

struct PhraseGroup {
  CoverageId coverage;
  int32_t end;    // of the last phrase
  int32_t begin;  // of the last phrase if one may still be swapped with it, else -1
  float future;
  uint32_t first = 0, count = 0;  // its hypotheses, best first
};

// The hypotheses of a bin: first those that survived, by group; then, if recorded, the others.
struct PhraseBin {
  uint32_t begin, alive, end;
};

class PhraseSearch {
 public:
  PhraseSearch(const PhraseModel& model, std::span<const double> weights,
               const PhraseSearchOptions& options);

  // New dense weights, and whatever the sparse ones are now: the same as a new search, but what
  // does not change with the weights is kept. Throws as check_weights does.
  void reweigh(std::span<const double> weights);
  // Choices of rules go to searches of other threads that have the same weights and limits, and
  // come from them; whoever changes weights clears them.
  void share(SharedChoices& choices) noexcept { options_.share(choices); }
  // `record`: keep what was recombined and what fell off the beam.
  void run(const SourceSentences& source, size_t sentence, bool record, const StopFlag& stop);

  uint32_t best() const noexcept { return best_; }  // the best complete hypothesis
  // Whether the search had to do without reordering: the sentence was too long for an unlimited
  // one, or, without the gap test, no hypothesis could be completed.
  bool monotone() const noexcept { return monotone_; }

  int32_t length() const noexcept { return length_; }
  const SentenceWords& context() const noexcept { return context_; }
  bool whole() const noexcept { return whole_; }  // the end of the sentence counts
  std::span<const Hypothesis> hypotheses() const noexcept { return hypotheses_; }
  std::span<const RecombinedArc> arcs() const noexcept { return arcs_; }
  std::span<const PhraseGroup> groups() const noexcept { return groups_; }
  std::span<const PhraseBin> bins() const noexcept { return bins_; }
  const CoverageTable& coverage() const noexcept { return coverage_; }
  const PhraseOptions& phrase_options() const noexcept { return options_; }
  const FutureCosts& future_costs() const noexcept { return future_; }
  LmQueries& lm() noexcept { return options_.lm(); }
  SparseSums& sparse() noexcept { return options_.sparse(); }
  uint32_t lm_state(const Hypothesis& hypothesis) const noexcept {
    return lm_state(hypothesis.state);
  }
  // What joint features know there; only if there are any.
  const SparseFeatures::Past& past(const Hypothesis& hypothesis) const noexcept {
    return joint_states_[hypothesis.state].past;
  }

  // Minus the distance from the group's last phrase to [begin, end), or what early distortion says.
  int32_t distortion(const PhraseGroup& group, int32_t begin, int32_t end) const noexcept {
    return distortion(coverage_.first_open(group.coverage), group.end, begin, end);
  }
  // The same, given the first open word and the end of the last phrase.
  int32_t distortion(int32_t first, int32_t last_end, int32_t begin, int32_t end) const noexcept;
  static Orientation orientation(const PhraseGroup& group, int32_t begin, int32_t end) noexcept {
    if (begin == group.end) return kMonotone;
    return end == group.begin ? kSwap : kDiscontinuous;
  }

 private:
  struct Expansion {
    uint32_t group, span;
    float distortion;  // weighted
    float future;      // of the hypotheses that it leads to
    Orientation orientation;
    uint32_t target;  // their group, once it is needed
  };
  struct Cell {
    float key = 0;                    // score with the future
    uint32_t expansion, row, column;  // a hypothesis of the group, an option of the span
    float score = 0;
    uint32_t state = 0;
  };
  struct Pending {
    std::vector<Expansion> expansions;
    BestFirst seeds;  // expansions, by the guessed key of their first cell
  };
  struct GroupKey {
    CoverageId coverage;
    int32_t end, begin;
    friend bool operator==(const GroupKey&, const GroupKey&) = default;
  };
  struct Signature {
    uint32_t group, state, forward;
    friend bool operator==(const Signature&, const Signature&) = default;
  };
  struct TripleHash {
    template <typename Key>
    uint64_t operator()(const Key& key) const noexcept {
      const auto [a, b, c] = std::bit_cast<std::array<uint32_t, 3>>(key);
      return mix64((uint64_t{a} << 32 | b) ^ uint64_t{c} * 0x9e3779b97f4a7c15u);
    }
  };

  void search(int32_t distortion_limit, bool record, const StopFlag& stop);
  void begin();
  void fill_by_cubes(Pending& pending);
  void fill_by_all(Pending& pending);
  void score(Pending& pending, Cell& cell);
  float extend_jointly(uint32_t state, uint32_t option, uint32_t& to);
  float end_score(uint32_t state) { return whole_ ? lm().end(lm_state(state)) : 0; }
  uint32_t lm_state(uint32_t state) const noexcept {
    return joint_ ? joint_states_[state].lm : state;
  }
  void note_last_words();
  SparseFeatures::Past relevant(const SparseFeatures::Past& past) const noexcept;
  void set_weights(std::span<const double> weights);
  void push(Pending& pending, Cell cell);
  void add(Pending& pending, const Cell& cell);
  uint32_t target_group(Expansion& expansion);
  void keep_best();
  void expand(uint32_t group);
  void expand(uint32_t group, const PhraseSpan& span, int32_t gap_begin, int32_t gap_end);

  const PhraseModel& model_;
  const PhraseSearchOptions limits_;
  const bool joint_;  // there are joint features
  float distortion_weight_ = 0, slack_ = 0;
  double sparse_weight_ = 0;
  PhraseOptions options_;
  FutureCosts future_;
  CoverageTable coverage_;

  // Of the sentence.
  SentenceWords context_{};
  bool whole_ = true;
  int32_t length_ = 0, distortion_limit_ = 0;
  int32_t covered_ = 0;       // words that the current bin's hypotheses cover
  uint32_t first_group_ = 0;  // of that bin
  bool record_ = false, monotone_ = false;
  uint32_t best_ = kNone;
  std::vector<Hypothesis> hypotheses_;
  std::vector<RecombinedArc> arcs_;
  std::vector<PhraseGroup> groups_;
  std::vector<PhraseBin> bins_;
  JointStates joint_states_;
  struct LastWords {
    uint32_t count = 0;
    std::array<WordId, 2> words{};
  };
  std::vector<LastWords> last_words_;  // by option, if there are joint features
  std::vector<Pending> pending_;       // a ring: bins no further ahead than the longest phrase

  // Of the bin being filled.
  bool complete_ = false;  // it is the last
  std::vector<Hypothesis> bin_;
  std::vector<Cell> cells_;
  BestFirst heap_;  // of cells
  std::vector<uint32_t> order_;
  FlatMap<GroupKey, uint32_t, TripleHash> group_ids_;
  FlatMap<Signature, uint32_t, TripleHash> signatures_;
};

}  // namespace demotic::search
