#include "growing_rules.h"

#include <bit>
#include <utility>

#include "demotic/base/errors.h"
#include "interned_links.h"

namespace demotic::rules {
namespace {

constexpr size_t kMostNodes = size_t{1} << 26;
constexpr size_t kMostTargetBytes = size_t{1} << 31;
constexpr size_t kMostLinks = size_t{1} << 28;

[[noreturn]] void full() {
  throw ModelError({.found = "more rules than fit in memory at once (limit 2^26)",
                    .expected = "less text per process",
                    .advice = "translate the text in several runs"});
}

}  // namespace

GrowingRules::GrowingRules(size_t scores, std::vector<WordId> target_words)
    : stride_(RuleStore::kRowHead + scores),
      target_words_(std::move(target_words)),
      encoder_(target_words_),
      trie_(kMostNodes),
      rows_(size_t{kMostRules} * stride_),
      targets_(kMostTargetBytes),
      links_(kMostLinks),
      counts_(kMostRules) {
  trie_.append(Node{});  // the root has no rules
}

TrieNode GrowingRules::add(TrieNode parent, Symbol symbol, const SampledRules& rules) {
  const auto count = static_cast<RuleId>(rules.counts.size());
  const RuleId begin = size();
  if (count > kMostRules - begin || trie_.size() == trie_.most()) full();
  const size_t columns = stride_ - RuleStore::kRowHead;
  for (RuleId i = 0; i < count; ++i) {
    encoded_.clear();
    encoder_.append(rules.targets[i], rules.target_counts[i], encoded_);
    if (encoded_.size() > targets_.most() - targets_.size()) full();
    const auto target = static_cast<uint32_t>(targets_.size());
    targets_.append(encoded_);
    const uint32_t last = i + 1 == count ? RuleStore::kLastOfNode : 0;
    const int32_t origin = rules.only_pairs[i] >= 0 ? rules.only_pairs[i] : -rules.occurrences[i];
    row_ = {target, add_links(rules.links[i]) | last, static_cast<uint32_t>(origin)};
    for (size_t k = 0; k < columns; ++k)
      row_.push_back(std::bit_cast<uint32_t>(rules.scores[i * columns + k]));
    rows_.append(row_);
  }
  counts_.append(rules.counts);
  const auto node = static_cast<TrieNode>(trie_.size());
  trie_.append(Node{{begin, begin + count}, rules.source_count});
  rules_.store(begin + count, std::memory_order_release);
  trie_size_.store(node + 1, std::memory_order_release);
  edges_.insert(edge(parent, symbol), node);
  return node;
}

// Rules share their alignments, of which there are few.
uint32_t GrowingRules::add_links(std::span<const RuleLink> links) {
  return interned_links(links, links_, links_by_hash_, [&](std::span<const RuleLink> fresh) {
    if (fresh.size() >= links_.most() - links_.size()) full();
    links_.append(RuleStore::list_head(fresh.size()));
    links_.append(fresh);
  });
}

}  // namespace demotic::rules
