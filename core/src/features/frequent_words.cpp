#include "demotic/features/frequent_words.h"

#include <algorithm>
#include <array>
#include <stdexcept>

#include "demotic/base/flat_map.h"

namespace demotic::features {
namespace {

class Counter {
 public:
  Counter(const RuleStore& store, std::string_view role) : store_(store), role_(role) {
    constexpr std::array<std::string_view, 5> kRoles = {"pairs", "source", "target", "inserted",
                                                        "deleted"};
    if (std::ranges::find(kRoles, role) == kRoles.end())
      throw std::invalid_argument("no such role of words");
  }

  // Counts the rules below a node; `source_` is its source side.
  void visit(TrieNode node) {
    if (store_.has_rules(node)) {
      const RuleRange range = store_.rules(node);
      for (RuleId rule = range.begin; rule < range.end; ++rule) count(rule);
    }
    for (const StoredNode& child : store_.children(node)) {
      source_.push_back(child.symbol);
      visit(store_.number(child));
      source_.pop_back();
    }
  }

  std::vector<std::pair<WordId, WordId>> best(size_t limit) const {
    std::vector<std::pair<double, uint64_t>> sorted;  // by rising -count, then by id
    counts_.for_each([&](uint64_t key, double sum) { sorted.emplace_back(-sum, key); });
    std::ranges::sort(sorted);
    sorted.resize(std::min(sorted.size(), limit));
    std::vector<std::pair<WordId, WordId>> words;
    for (const auto& [sum, key] : sorted)
      words.emplace_back(static_cast<WordId>(key >> 32), static_cast<WordId>(uint32_t(key)));
    return words;
  }

 private:
  void count(RuleId rule) {
    store_.target(rule, target_);
    const std::span<const RuleLink> links = store_.links(rule);
    amount_ = double{store_.count(rule)};
    if (role_ == "pairs") {
      for (const RuleLink link : links)
        if (!is_gap(source_[link.source])) add(source_[link.source], target_[link.target]);
      return;
    }
    const bool of_target = role_ == "target" || role_ == "inserted";
    const bool unaligned = role_ == "inserted" || role_ == "deleted";
    if (unaligned && std::ranges::all_of(
                         links, [&](const RuleLink link) { return is_gap(source_[link.source]); }))
      return;
    const std::vector<Symbol>& side = of_target ? target_ : source_;
    for (size_t at = 0; at < side.size(); ++at) {
      const bool linked = unaligned && std::ranges::any_of(links, [&](const RuleLink link) {
                            return (of_target ? link.target : link.source) == at;
                          });
      if (!is_gap(side[at]) && !linked) add(side[at], -1);
    }
  }
  void add(WordId first, WordId second) {
    counts_[uint64_t(uint32_t(first)) << 32 | uint32_t(second)] += amount_;
  }

  const RuleStore& store_;
  const std::string_view role_;
  std::vector<Symbol> source_, target_;
  double amount_ = 0;
  FlatMap<uint64_t, double> counts_;
};

}  // namespace

std::vector<std::pair<WordId, WordId>> frequent_words(const RuleStore& store, std::string_view role,
                                                      size_t limit) {
  Counter counter(store, role);
  counter.visit(kTrieRoot);
  return counter.best(limit);
}

}  // namespace demotic::features
