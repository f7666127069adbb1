#include "phrase_demand.h"

#include <algorithm>

namespace demotic::rules {

void PhraseDemand::prepare(std::span<const std::span<const WordId>> sentences, int32_t,
                           ThreadPool& pool, const StopFlag& stop, GrowingRules& rules) {
  const std::vector<Task> tasks = missing(sentences, rules);
  if (tasks.empty()) return;
  while (samplers_.size() < static_cast<size_t>(pool.threads()))
    samplers_.push_back(std::make_unique<PhraseSampler>(indices_, bitext_, options_));
  pool.map_reduce(
      static_cast<int64_t>(tasks.size()), stop,
      [&](int64_t i, int worker) { return samplers_[worker]->sample(tasks[i].words); },
      [&](int64_t i, const SampledRules& sampled) {
        rules.add(tasks[i].parent, tasks[i].words.back(), sampled);
      });
}

// The phrases of the sentences that occur in the bitext and are not known yet, each once, shorter
// ones before their extensions. Their nodes are going to be numbered in this order.
std::vector<PhraseDemand::Task> PhraseDemand::missing(
    std::span<const std::span<const WordId>> sentences, const GrowingRules& rules) const {
  std::vector<Task> tasks;
  FlatMap<uint64_t, TrieNode> fresh;
  const auto occurs = [&](std::span<const WordId> words) {
    return std::ranges::any_of(
        indices_, [&](const BitextIndex& index) { return index.source().find(words).size() > 0; });
  };
  const auto longest = static_cast<size_t>(options_.max_phrase);
  for (const std::span<const WordId> words : sentences)
    for (size_t begin = 0; begin < words.size(); ++begin) {
      TrieNode node = kTrieRoot;
      for (size_t end = begin; end < std::min(words.size(), begin + longest); ++end) {
        const TrieNode parent = node;
        node = rules.child(parent, words[end]);
        if (node != kTrieRoot) continue;
        const uint64_t key = GrowingRules::edge(parent, words[end]);
        if (const TrieNode* found = fresh.find(key)) {
          node = *found;
          continue;
        }
        const auto phrase = words.subspan(begin, end + 1 - begin);
        if (!occurs(phrase)) break;
        node = rules.nodes() + static_cast<TrieNode>(tasks.size());
        fresh[key] = node;
        tasks.push_back({phrase, parent});
      }
    }
  return tasks;
}

}  // namespace demotic::rules
