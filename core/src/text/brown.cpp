#include "demotic/text/brown.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "brown_window.h"
#include "demotic/base/csr.h"
#include "demotic/base/errors.h"

namespace demotic::text {
namespace {

constexpr int64_t kSentencesPerCheck = 4096;  // sentences between two checks of the stop flag

void check(const BrownOptions& options) {
  if (options.classes < 1) throw std::invalid_argument("classes must be at least 1");
  if (options.min_count < 1) throw std::invalid_argument("min_count must be at least 1");
  if (options.max_words < 0) throw std::invalid_argument("max_words must not be negative");
}

// The words that get a class, the most frequent first.
std::vector<WordId> rank_words(std::span<const int64_t> counts, const BrownOptions& options) {
  std::vector<WordId> ranked;
  for (WordId id = kReservedWords; id < static_cast<WordId>(counts.size()); ++id)
    if (counts[id] >= options.min_count) ranked.push_back(id);
  std::ranges::stable_sort(ranked, std::ranges::greater{}, [&](WordId id) { return counts[id]; });
  if (options.max_words > 0 && static_cast<int64_t>(ranked.size()) > options.max_words)
    ranked.resize(options.max_words);
  return ranked;
}

// Every bigram is stored with the later of its two words, which is when both are in the window.
struct Neighbours {
  Csr<int32_t> after;   // row: rank; values: ranks that follow it and were not inserted later
  Csr<int32_t> before;  // ranks that precede it and were inserted earlier
  std::vector<std::array<uint32_t, 2>> totals;  // by rank: bigrams it begins, bigrams it ends
  int64_t pairs = 0;
};

template <typename Visit>
void for_each_pair(const Corpus& corpus, std::span<const int32_t> rank_of, const StopFlag& stop,
                   Visit&& visit) {
  for (int64_t i = 0; i < corpus.size(); ++i) {
    if (i % kSentencesPerCheck == 0) stop.check();
    int32_t left = -1;
    for (const WordId id : corpus[i]) {
      const int32_t right = rank_of[id];
      if (left >= 0 && right >= 0) visit(left, right);
      left = right;
    }
  }
}

// Turns the number of values of each row into its offset; the rows are then filled from there.
void make_rows(Csr<int32_t>& csr) {
  int64_t begin = 0;
  for (int64_t& offset : csr.offsets) begin += std::exchange(offset, begin);
  csr.values.resize(begin);
}

Neighbours find_neighbours(const Corpus& corpus, std::span<const int32_t> rank_of, size_t ranks,
                           const StopFlag& stop) {
  Neighbours result;
  result.totals.resize(ranks);
  result.after.offsets.assign(ranks + 1, 0);
  result.before.offsets.assign(ranks + 1, 0);
  for_each_pair(corpus, rank_of, stop, [&](int32_t left, int32_t right) {
    ++result.totals[left][0];
    ++result.totals[right][1];
    ++result.pairs;
    ++(right <= left ? result.after.offsets[left] : result.before.offsets[right]);
  });
  if (result.pairs > UINT32_MAX) {
    throw ModelError({.found = std::to_string(result.pairs) + " bigrams",
                      .expected = "at most 4294967295",
                      .advice = "cluster a part of the text"});
  }
  make_rows(result.after);
  make_rows(result.before);
  std::vector<int64_t> after_end = result.after.offsets, before_end = result.before.offsets;
  for_each_pair(corpus, rank_of, stop, [&](int32_t left, int32_t right) {
    if (right <= left) {
      result.after.values[after_end[left]++] = right;
    } else {
      result.before.values[before_end[right]++] = left;
    }
  });
  return result;
}

// The bit strings of the classes (identified by their labels) in the tree of the last merges: at
// every merge the kept class goes to the left (0), the other to the right (1).
std::vector<std::pair<std::string, int32_t>> leaves(std::span<const BrownWindow::Merge> tree_merges,
                                                    int32_t root) {
  std::vector<std::pair<std::string, int32_t>> result{{"", root}};
  for (auto merge = tree_merges.rbegin(); merge != tree_merges.rend(); ++merge) {
    const auto node =
        std::ranges::find(result, merge->kept, &std::pair<std::string, int32_t>::second);
    const std::string path = node->first;
    node->first = path + '0';
    result.emplace_back(path + '1', merge->gone);
  }
  std::ranges::sort(result);
  return result;
}

// The history of one clustering in ranks: `label` is the class of each rank after the last
// insertion, identified by its lowest rank.
struct History {
  std::vector<BrownWindow::Merge> merges;
  std::vector<int32_t> label;
  int32_t classes;
  double information;
};

History cluster(const Neighbours& near, int32_t classes, const StopFlag& stop, Progress& progress) {
  const auto ranks = static_cast<int32_t>(near.totals.size());
  History history{{}, std::vector<int32_t>(ranks), std::min(classes, ranks), 0};
  progress.expect(ranks + history.classes - 1);
  const FixedLogs logs(near.pairs);
  BrownWindow window(std::min(history.classes + 1, ranks), ranks, logs, stop);
  for (int32_t rank = 0; rank < ranks; ++rank, progress.advance()) {
    stop.check();
    window.insert(rank, near.after[rank], near.before[rank], near.totals[rank]);
    if (window.live() > history.classes) history.merges.push_back(window.merge_best());
  }
  if (near.pairs > 0) history.information = window.information(near.pairs);
  for (int32_t rank = 0; rank < ranks; ++rank) history.label[rank] = window.label_of(rank);
  for (; window.live() > 1; progress.advance()) {
    stop.check();
    history.merges.push_back(window.merge_best());
  }
  return history;
}

}  // namespace

BrownClusters brown_clusters(const Corpus& corpus, WordId words, const BrownOptions& options,
                             const StopFlag& stop, Progress& progress) {
  check(options);
  BrownClusters result;
  result.counts = count_words(corpus, words);
  result.word_class.assign(words, kNoClass);
  const std::vector<WordId> ranked = rank_words(result.counts, options);
  if (ranked.empty()) return result;
  std::vector<int32_t> rank_of(words, -1);
  for (size_t rank = 0; rank < ranked.size(); ++rank)
    rank_of[ranked[rank]] = static_cast<int32_t>(rank);

  const Neighbours near = find_neighbours(corpus, rank_of, ranked.size(), stop);
  const auto classes = static_cast<int32_t>(std::min<int64_t>(options.classes, INT32_MAX));
  const History history = cluster(near, classes, stop, progress);
  result.pairs = near.pairs;
  result.information = history.information;
  std::vector<int32_t> class_of_label(ranked.size(), kNoClass);
  for (auto& [bits, label] : leaves(std::span(history.merges).last(history.classes - 1), 0)) {
    class_of_label[label] = static_cast<int32_t>(result.bits.size());
    result.bits.push_back(std::move(bits));
  }
  for (size_t rank = 0; rank < ranked.size(); ++rank)
    result.word_class[ranked[rank]] = class_of_label[history.label[rank]];
  const double pairs = static_cast<double>(std::max<int64_t>(near.pairs, 1));
  for (const BrownWindow::Merge& merge : history.merges)
    result.merges.push_back({ranked[merge.kept], ranked[merge.gone], merge.loss / pairs});
  return result;
}

}  // namespace demotic::text
