#include "demotic/search/constraints.h"

#include <algorithm>
#include <stdexcept>
#include <tuple>

namespace demotic::search {
namespace {

// Whether words of the span are translated by the given options, or by rules that contain them.
bool is_closed(ConstraintKind kind) noexcept {
  return kind == ConstraintKind::kExclusive || kind == ConstraintKind::kContaining;
}

}  // namespace

SentenceConstraints::SentenceConstraints(std::span<const ConstraintText> texts, Csr<WordId> targets,
                                         int32_t length)
    : targets_(std::move(targets)) {
  if (targets_.size() > kMaxGivenOptions)
    throw std::invalid_argument("too many given translations of a sentence");
  uint32_t number = 0;
  for (const ConstraintText& one : texts) {
    const bool wall = one.kind == ConstraintKind::kWall;
    if (one.begin < 0 || one.end > length || (wall ? one.begin != one.end : one.begin >= one.end))
      throw std::invalid_argument("a constraint outside of its sentence");
    if (one.targets.size() != one.log_probabilities.size())
      throw std::invalid_argument("expected one log probability per target");
    const auto count = static_cast<uint32_t>(one.targets.size());
    if (one.kind == ConstraintKind::kZone) zones_.push_back({one.begin, one.end});
    if (one.kind < ConstraintKind::kWall)
      on_spans_.push_back({one.kind, {one.begin, one.end}, number, count});
    if (one.kind < ConstraintKind::kForbidden) longest_ = std::max(longest_, one.end - one.begin);
    number += count;
    log_probabilities_.insert(log_probabilities_.end(), one.log_probabilities.begin(),
                              one.log_probabilities.end());
  }
  for (size_t i = 0; i < targets_.size(); ++i)
    if (targets_[i].empty() || targets_[i].size() > kMaxGivenWords)
      throw std::invalid_argument("a given translation is empty or too long");
  std::ranges::stable_sort(
      on_spans_, {}, [](const OnSpan& one) { return std::tuple(one.span.begin, one.span.end); });
  add_walls(texts, length);
}

// The scope of a wall is the smallest zone around it.
void SentenceConstraints::add_walls(std::span<const ConstraintText> texts, int32_t length) {
  for (const ConstraintText& one : texts) {
    if (one.kind != ConstraintKind::kWall) continue;
    WordSpan scope{0, length};
    for (const WordSpan& zone : zones_)
      if (zone.begin < one.begin && one.begin < zone.end && scope.covers(zone)) scope = zone;
    if (scope.begin < one.begin && one.begin < scope.end)
      walls_.push_back({scope.begin, one.begin, scope.end});
  }
}

bool SentenceConstraints::may_copy(int32_t word) const noexcept {
  return std::ranges::none_of(on_spans_, [&](const OnSpan& one) {
    return is_closed(one.kind) && one.span.covers({word, word + 1});
  });
}

bool SentenceConstraints::may_apply(const RuleWords& words, TargetChecks& checks) const {
  checks.contains.clear();
  checks.lacks.clear();
  checks.in_order = checks.only_goal = false;
  for (uint32_t i = 0; i < on_spans_.size(); ++i) {
    const OnSpan& one = on_spans_[i];
    if (one.kind == ConstraintKind::kInclusive) continue;
    const int32_t own = words.in(one.span);
    if (own == 0) continue;
    if (one.kind == ConstraintKind::kForbidden) {
      checks.lacks.push_back(i);
      continue;
    }
    if (one.kind == ConstraintKind::kExclusive || own < one.span.size()) return false;
    checks.contains.push_back(i);
  }
  return may_apply_in_order(words, checks);
}

// A rule that only joins its gaps in the order of the source may cross walls. The goal may then
// also cross the edge of a zone: it is never moved as a whole.
bool SentenceConstraints::may_apply_in_order(const RuleWords& words, TargetChecks& checks) const {
  const bool joins = words.in(words.span) == 0;
  for (const Wall& wall : walls_) {
    if (wall.at <= words.span.begin || wall.at >= words.span.end) continue;
    if (!joins) return false;
    checks.in_order = true;
  }
  for (const WordSpan& zone : zones_) {
    if (zone.overlap(words.span) == 0 || zone.covers(words.span)) continue;
    if (std::ranges::any_of(words.gaps, [&](const WordSpan& gap) { return gap.covers(zone); }))
      continue;
    if (!words.has_gaps() && words.span.covers(zone)) continue;
    if (!joins) return false;
    checks.in_order = checks.only_goal = true;
  }
  return true;
}

bool SentenceConstraints::contains_one(std::span<const Symbol> target, const OnSpan& one) const {
  for (uint32_t i = one.first; i < one.first + one.count; ++i)
    if (!std::ranges::search(target, targets_[i]).empty()) return true;
  return false;
}

bool SentenceConstraints::fulfils(std::span<const Symbol> target, bool reordered,
                                  const TargetChecks& checks) const {
  if (checks.in_order && reordered) return false;
  return std::ranges::all_of(checks.contains,
                             [&](uint32_t i) { return contains_one(target, on_spans_[i]); }) &&
         std::ranges::none_of(checks.lacks,
                              [&](uint32_t i) { return contains_one(target, on_spans_[i]); });
}

}  // namespace demotic::search
