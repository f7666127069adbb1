// Why HieroForce has not reached a pair.
#include <algorithm>

#include "demotic/force/hiero_force.h"
#include "demotic/search/hiero_translation_options.h"

namespace demotic::force {
namespace {

// Longer sentences are not tried without the span limit.
constexpr int32_t kMaxUnlimited = 40;

constexpr int32_t kNoPair = -2, kManyPairs = -1;

int32_t joined(int32_t a, int32_t b) {
  if (a == kNoPair || b == kNoPair) return std::max(a, b);
  return a == b ? a : kManyPairs;
}

}  // namespace

Cause HieroForce::hopeless() {
  if (has_unknown_word()) return Cause::kUnknownWord;
  for (const WordId word : reference_) {
    const bool said = word < static_cast<WordId>(said_.size()) && said_[word];
    if (!said && std::ranges::find(words_, word) == words_.end()) return Cause::kUncoveredWord;
  }
  return Cause::kNoCause;
}

Cause HieroForce::cause(const StopFlag& stop) {
  bool uncovered = has_uncovered_word();
  const bool limited = span_limit_ < length_ && length_ <= kMaxUnlimited;
  if (options_.find_cause && limited && parse(0, stop)) {
    if (goal() != kNone) return Cause::kLimit;
    uncovered = uncovered && has_uncovered_word();  // it may be covered without the limit only
  }
  return uncovered ? Cause::kUncoveredWord : Cause::kOther;
}

bool HieroForce::has_unknown_word() {
  for (const WordId word : words_) {
    const TrieNode node = model_.rules().child(kTrieRoot, word);
    if (rules_.first_place(word) >= 0 || (node != 0 && rules_.usable(node))) continue;
    if (only_pairs_.empty()) find_only_pairs();
    if (word >= static_cast<WordId>(only_pairs_.size())) return true;
    const int32_t pair = only_pairs_[word];
    if (pair == kNoPair || (pair >= 0 && pair == pair_)) return true;
  }
  return false;
}

// For each word the pair that all rules with this source word are from, if it is only one. Nodes
// stand behind their parents, and each has the word of its own.
void HieroForce::find_only_pairs() {
  const RuleStore& rules = model_.rules();
  only_pairs_.assign(model_.vocabulary().size(), kNoPair);
  std::vector<int32_t> below(rules.nodes(), kNoPair);
  for (TrieNode node = rules.nodes(); node-- > 0;) {
    int32_t& pair = below[node];
    const RuleRange range = rules.rules(node);
    for (RuleId rule = range.begin; rule < range.end && pair != kManyPairs; ++rule)
      pair = joined(pair, rules.only_sentence(rule));
    for (const StoredNode& child : rules.children(node)) {
      const int32_t from = below[rules.number(child)];
      pair = joined(pair, from);
      if (is_gap(child.symbol)) continue;
      only_pairs_[child.symbol] = joined(only_pairs_[child.symbol], from);
    }
  }
}

// Whether a word of either side is in no edge, complete derivation or not.
bool HieroForce::has_uncovered_word() {
  covered_.assign(words_.size() + reference_.size(), 0);
  uint8_t* const target = covered_.data() + words_.size();
  edge_offsets_.push_back(static_cast<uint32_t>(edges_.size()));
  for (size_t i = 0; i < nodes_.size(); ++i)
    for (uint32_t e = edge_offsets_[i]; e < edge_offsets_[i + 1]; ++e) {
      const GoldNode& head = nodes_[i];
      const auto [first, second] = edges_[e].tails;
      for (int32_t at = head.source_begin; at < head.source_end; ++at) {
        const auto below = [&](uint32_t tail) {
          return tail != kNone && nodes_[tail].source_begin <= at && at < nodes_[tail].source_end;
        };
        covered_[at] |= !below(first) && !below(second);
      }
      for (int32_t at = head.target_begin; at < head.target_end; ++at) {
        const auto below = [&](uint32_t tail) {
          return tail != kNone && nodes_[tail].target_begin <= at && at < nodes_[tail].target_end;
        };
        target[at] |= !below(first) && !below(second);
      }
    }
  return std::ranges::count(covered_, 0) > 0;
}

}  // namespace demotic::force
