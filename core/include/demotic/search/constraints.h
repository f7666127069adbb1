// What a user asks of the translation of one sentence.
//
//   exclusive   only the given options may cover the span, and nothing else its words
//   inclusive   the given options compete with those of the model
//   containing  a rule with a word of the span must have all of its words, and one of the given
//               targets in its target side; a span without such a rule gets the given options
//   forbidden   a rule with a word of the span may not have one of the targets in its target side;
//               a word that no rule may translate is copied, even if the copy is forbidden
//   wall        the words before it are translated before those after it; inside a zone, those of
//               the zone
//   zone        its words are translated without interruption
//
// Spans of the first and the third kind do not overlap each other or a given option; no given
// option crosses a wall or the edge of a zone; zones nest (src/demotic/search/constraint.py checks
// this).
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "demotic/base/csr.h"
#include "demotic/features/dense/step.h"
#include "demotic/rules/symbols.h"

namespace demotic::search {

enum class ConstraintKind : uint8_t {
  kExclusive,
  kInclusive,
  kContaining,
  kForbidden,
  kWall,
  kZone
};

// A constraint as it is written. A wall before word i has the span [i, i).
struct ConstraintText {
  ConstraintKind kind;
  int32_t begin, end;
  std::vector<std::string> targets;       // words separated by spaces
  std::vector<double> log_probabilities;  // one per target
};

struct WordSpan {
  int32_t begin = 0, end = 0;

  int32_t size() const noexcept { return end - begin; }
  bool covers(const WordSpan& other) const noexcept {
    return begin <= other.begin && other.end <= end;
  }
  int32_t overlap(const WordSpan& other) const noexcept {
    const int32_t common =
        (end < other.end ? end : other.end) - (begin > other.begin ? begin : other.begin);
    return common > 0 ? common : 0;
  }
};

// The source words of a rule that is applied to `span`: those outside of its gaps.
struct RuleWords {
  WordSpan span;
  std::array<WordSpan, kMaxGaps> gaps{};

  int32_t in(const WordSpan& other) const noexcept {
    int32_t words = span.overlap(other);
    for (const WordSpan& gap : gaps) words -= gap.overlap(other);
    return words;
  }
  bool has_gaps() const noexcept { return gaps[0].size() > 0; }
};

// What constraints ask of the target side of a rule.
struct TargetChecks {
  std::vector<uint32_t> contains, lacks;  // constraints: one of its targets; all of them
  bool in_order = false;                  // no gap is reordered
  bool only_goal = false;                 // its left-hand side is the goal of the grammar

  bool any() const noexcept { return !contains.empty() || !lacks.empty() || in_order; }
};

class SentenceConstraints {
 public:
  // Options on a span, or forbidden targets.
  struct OnSpan {
    ConstraintKind kind;
    WordSpan span;
    uint32_t first, count;  // targets
  };
  // Words in [begin, at) are translated before those in [at, end).
  struct Wall {
    int32_t begin, at, end;
  };

  // `targets` has the words of the targets, in the order of `texts`. Throws std::invalid_argument
  // for a span outside of the sentence and for too many, empty or too long targets.
  SentenceConstraints(std::span<const ConstraintText> texts, Csr<WordId> targets, int32_t length);

  // By begin, then end.
  std::span<const OnSpan> on_spans() const noexcept { return on_spans_; }
  std::span<const Wall> walls() const noexcept { return walls_; }
  std::span<const WordSpan> zones() const noexcept { return zones_; }
  bool has_order() const noexcept { return !walls_.empty() || !zones_.empty(); }
  int32_t longest() const noexcept { return longest_; }  // words of the longest span with options

  std::span<const WordId> target(uint32_t number) const noexcept { return targets_[number]; }
  double log_probability(uint32_t number) const noexcept { return log_probabilities_[number]; }
  // The option that yields a target, see step.h.
  RuleId rule(uint32_t number) const noexcept {
    return given_rule(number, static_cast<uint32_t>(targets_[number].size()));
  }

  // Whether a word may be copied if no rule translates it.
  bool may_copy(int32_t word) const noexcept;
  // Whether a rule may be applied to these words, and what its target side has to fulfil then.
  bool may_apply(const RuleWords& words, TargetChecks& checks) const;
  // `reordered`: see RuleStore::reordered_gaps.
  bool fulfils(std::span<const Symbol> target, bool reordered, const TargetChecks& checks) const;

 private:
  bool may_apply_in_order(const RuleWords& words, TargetChecks& checks) const;
  bool contains_one(std::span<const Symbol> target, const OnSpan& one) const;
  void add_walls(std::span<const ConstraintText> texts, int32_t length);

  std::vector<OnSpan> on_spans_;
  std::vector<Wall> walls_;
  std::vector<WordSpan> zones_;
  Csr<WordId> targets_;
  std::vector<double> log_probabilities_;
  int32_t longest_ = 0;
};

}  // namespace demotic::search
