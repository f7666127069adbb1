// Index of the rules of source sides that have many, by one target word each, to find the rules
// whose words all occur in a sentence without reading the others. Kept from sentence to sentence,
// up to some 50 MB. Not thread-safe; use one instance per thread.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "demotic/base/flat_map.h"
#include "demotic/rules/rule_store.h"

namespace demotic::force {

class RulesByWord {
 public:
  explicit RulesByWord(const RuleStore& rules) : rules_(rules) {}

  // Replaces `found` by the rules of a source side, in rising order, leaving out most of those that
  // have other target words than `words`, which are in rising order.
  void find(TrieNode node, std::span<const WordId> words, std::vector<RuleId>& found);

 private:
  struct Keyed {
    WordId word;  // the one with the highest id, which is often the rarest; -1: none
    RuleId rule;
    uint32_t words;  // one bit per word; several words may share one
    friend auto operator<=>(const Keyed&, const Keyed&) = default;
  };
  struct Place {
    uint32_t first = 0, count = 0;
  };
  static constexpr uint32_t kMany = 8;
  static constexpr size_t kMaxKept = 4'000'000;

  // Empty if there is no room; then all rules are found, which is slower.
  std::optional<std::span<const Keyed>> keyed(TrieNode node, RuleRange range);

  const RuleStore& rules_;
  FlatMap<TrieNode, Place> places_;
  std::vector<Keyed> kept_;
};

}  // namespace demotic::force
