#include "on_demand_rules.h"

#include <algorithm>
#include <bit>

#include "demotic/base/errors.h"
#include "interned_links.h"

namespace demotic::rules {
namespace {

constexpr size_t kMostNodes = size_t{1} << 26;
constexpr size_t kMostTargetBytes = size_t{1} << 31;
constexpr size_t kMostLinks = size_t{1} << 28;

PackedBitext joined(const std::vector<BitextIndex>& indices) {
  std::vector<PackedPart> parts;
  for (const BitextIndex& index : indices) {
    if (!(index.settings() == indices[0].settings()))
      throw ModelError({.found = "text that was added with other settings",
                        .expected = "the settings of the model's own text",
                        .advice = "add the text again"});
    parts.push_back(index.part());
  }
  return PackedBitext(std::move(parts));
}

// Words of the first index come first, so that adding text does not change their codes.
std::vector<WordId> all_target_words(const std::vector<BitextIndex>& indices) {
  std::vector<WordId> words;
  std::vector<bool> known;
  for (const BitextIndex& index : indices)
    for (const WordId word : index.target_words()) {
      if (static_cast<size_t>(word) >= known.size()) known.resize(word + size_t{1});
      if (!known[word]) words.push_back(word);
      known[word] = true;
    }
  return words;
}

[[noreturn]] void full() {
  throw ModelError({.found = "more rules than fit in memory at once (limit 2^26)",
                    .expected = "less text per process",
                    .advice = "translate the text in several runs"});
}

}  // namespace

OnDemandRules::OnDemandRules(std::vector<BitextIndex> indices)
    : indices_(std::move(indices)),
      bitext_(joined(indices_)),
      options_(indices_[0].options()),
      score_names_(rules::score_names(options_)),
      stride_(RuleStore::kRowHead + score_names_.size()),
      target_words_(all_target_words(indices_)),
      encoder_(target_words_),
      trie_(kMostNodes),
      rows_(size_t{kMostRules} * stride_),
      targets_(kMostTargetBytes),
      links_(kMostLinks),
      counts_(kMostRules) {
  trie_.append(Node{});  // the root has no rules
}

std::vector<WordId> OnDemandRules::first_words() const {
  std::vector<WordId> all;
  for (const BitextIndex& index : indices_) {
    const auto words = index.source().types().subspan(1);  // without kNull
    all.insert(all.end(), words.begin(), words.end());
  }
  std::ranges::sort(all);
  all.erase(std::ranges::unique(all).begin(), all.end());
  return all;
}

size_t OnDemandRules::index_bytes() const noexcept {
  size_t bytes = 0;
  for (const BitextIndex& index : indices_) bytes += index.size_bytes();
  return bytes;
}

void OnDemandRules::prepare(const std::vector<std::span<const WordId>>& sentences, int threads,
                            const StopFlag& stop) {
  const std::lock_guard preparing(preparing_);
  const std::vector<Task> tasks = missing(sentences);
  if (tasks.empty()) return;
  ThreadPool pool(static_cast<int>(std::min<size_t>(tasks.size(), std::max(1, threads))));
  while (samplers_.size() < static_cast<size_t>(pool.threads()))
    samplers_.push_back(std::make_unique<PhraseSampler>(indices_, bitext_, options_));
  pool.map_reduce(
      static_cast<int64_t>(tasks.size()), stop,
      [&](int64_t i, int worker) { return samplers_[worker]->sample(tasks[i].words); },
      [&](int64_t i, const SampledRules& rules) { add(tasks[i], rules); });
}

// The phrases of the sentences that occur in the bitext and are not known yet, each once, shorter
// ones before their extensions. Their nodes are going to be numbered in this order.
std::vector<OnDemandRules::Task> OnDemandRules::missing(
    const std::vector<std::span<const WordId>>& sentences) const {
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
        node = child(parent, words[end]);  // no other thread writes
        if (node != kTrieRoot) continue;
        const uint64_t key = edge(parent, words[end]);
        if (const TrieNode* found = fresh.find(key)) {
          node = *found;
          continue;
        }
        const auto phrase = words.subspan(begin, end + 1 - begin);
        if (!occurs(phrase)) break;
        node = nodes() + static_cast<TrieNode>(tasks.size());
        fresh[key] = node;
        tasks.push_back({phrase, parent});
      }
    }
  return tasks;
}

void OnDemandRules::add(const Task& task, const SampledRules& rules) {
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
  const std::unique_lock lock(mutex_);
  const auto node = static_cast<TrieNode>(trie_.size());
  trie_.append(Node{{begin, begin + count}, rules.source_count});
  edges_[edge(task.parent, task.words.back())] = node;
  rules_.store(begin + count, std::memory_order_release);
  trie_size_.store(node + 1, std::memory_order_release);
}

// Rules share their alignments, of which there are few.
uint32_t OnDemandRules::add_links(std::span<const RuleLink> links) {
  return interned_links(links, links_, links_by_hash_, [&](std::span<const RuleLink> fresh) {
    if (fresh.size() >= links_.most() - links_.size()) full();
    links_.append(RuleStore::list_head(fresh.size()));
    links_.append(fresh);
  });
}

}  // namespace demotic::rules
