#include <algorithm>

#include "demotic/rules/sorted_rules.h"
#include "part_bytes.h"

namespace demotic::rules {
namespace {

constexpr const char* kExpected = "scored rules of source sides in order";

// The ascending places of the alignments in `links`; false if the last one is incomplete.
bool list_places(std::span<const RuleLink> links, std::vector<uint32_t>& places) {
  size_t at = 0;
  while (at < links.size()) {
    places.push_back(static_cast<uint32_t>(at));
    at += 1 + RuleStore::list_size(links[at]);
  }
  return at == links.size();
}

}  // namespace

std::string SortedRules::to_bytes() const {
  std::string out;
  const uint64_t levels = levels_.size();
  append_array(out, std::span(&levels, 1));
  for (const Level& level : levels_) {
    append_array(out, std::span(level.nodes));
    append_array(out, std::span(level.source_counts));
  }
  append_array(out, std::span(first_));
  append_array(out, std::span(source_));
  const std::array<uint32_t, 2> numbers{rules_, keep_source_counts_};
  append_array(out, std::span<const uint32_t>(numbers));
  append_array(out, std::span(rows_));
  append_array(out, std::span(lhs_));
  append_array(out, std::span(counts_));
  append_array(out, std::span(links_));
  return out;
}

SortedRules SortedRules::from_bytes(std::span<const char> bytes, size_t scores) {
  PartReader in(bytes, kExpected);
  SortedRules rules(scores);
  const auto levels = in.array<uint64_t>();
  if (levels.size() != 1 || levels[0] > bytes.size()) refuse_part(kExpected);
  rules.levels_.resize(levels[0]);
  for (Level& level : rules.levels_) {
    level.nodes = in.array<StoredNode>();
    level.source_counts = in.array<float>();
  }
  rules.first_ = in.array<Symbol>();
  rules.source_ = in.array<Symbol>();
  const auto numbers = in.array<uint32_t>();
  if (numbers.size() != 2) refuse_part(kExpected);
  rules.rules_ = numbers[0];
  rules.keep_source_counts_ = numbers[1] != 0;
  rules.rows_ = in.array<uint32_t>();
  rules.lhs_ = in.array<uint16_t>();
  rules.counts_ = in.array<float>();
  rules.links_ = in.array<RuleLink>();
  if (!in.done() || !rules.consistent()) refuse_part(kExpected);
  return rules;
}

bool SortedRules::consistent() const {
  const auto fits = [&](size_t size) { return size == 0 || size == rules_; };
  if (rows_.size() != rules_ * stride() || !fits(lhs_.size()) || !fits(counts_.size()))
    return false;
  if (first_.size() > levels_.size() || source_.size() > levels_.size()) return false;
  for (const Level& level : levels_)
    if (level.nodes.empty() || level.nodes.size() != level.source_counts.size()) return false;
  std::vector<uint32_t> places;
  if (!list_places(links_, places)) return false;
  std::vector<bool> begins(links_.size(), false);
  for (const uint32_t place : places) begins[place] = true;
  for (size_t i = 1; i < rows_.size(); i += stride()) {
    const uint32_t place = rows_[i] & ~RuleStore::kLastOfNode;
    if (place >= begins.size() || !begins[place]) return false;
  }
  return levels_.empty() == (rules_ == 0);
}

}  // namespace demotic::rules
