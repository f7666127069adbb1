#include "demotic/text/segmenter_learning.h"

#include <cmath>
#include <stdexcept>

#include "demotic/base/thread_pool.h"
#include "segmenter_candidates.h"
#include "unit_trie.h"

namespace demotic::text {
namespace {

// Longer runs are split for learning: within this many units no product of scaled probabilities
// leaves the range of double.
constexpr int64_t kPiece = 48;
constexpr int64_t kBlock = 256;            // pieces per task of a thread
constexpr double kOne = int64_t{1} << 32;  // fixed point of expected counts
constexpr double kFloor = 0.1;             // count of a single unit that the model does not use
constexpr int kSteps = 2;                  // EM steps before each pruning
constexpr int kMaxRounds = 60;
constexpr size_t kPrunedPart = 4;  // at most a quarter of the words per round

// The runs in pieces of at most kPiece units.
std::vector<int64_t> piece_offsets(const Corpus& runs) {
  std::vector<int64_t> offsets{0};
  for (int64_t run = 0; run < runs.size(); ++run)
    for (int64_t end = runs.offsets()[run]; end < runs.offsets()[run + 1];) {
      end = std::min(end + kPiece, runs.offsets()[run + 1]);
      offsets.push_back(end);
    }
  return offsets;
}

// The probabilities of one step, multiplied by a scale per unit, so that the forward and backward
// values of a piece stay near 1.
struct Scaled {
  std::vector<double> probs;  // by node; 0: not a word
  double log_scale = 0;       // per unit
};

// Forward and backward values of one piece; scratch space of one thread.
class ForwardBackward {
 public:
  ForwardBackward(const UnitTrie& trie) : trie_(trie) {}

  // Adds the expected counts in fixed point; returns the log likelihood of the scaled model.
  double add(std::span<const WordId> units, const Scaled& model, std::vector<int64_t>& counts) {
    find_edges(units, model);
    const size_t n = units.size();
    forward_.assign(n + 1, 0);
    backward_.assign(n + 1, 0);
    forward_[0] = backward_[n] = 1;
    for (const Edge& edge : edges_) forward_[edge.end] += forward_[edge.begin] * edge.prob;
    for (size_t i = edges_.size(); i-- > 0;)
      backward_[edges_[i].begin] += edges_[i].prob * backward_[edges_[i].end];
    const double total = forward_[n];
    if (!(total > 0) || std::isinf(total) || std::isinf(backward_[0])) return 0;
    for (const Edge& edge : edges_) {
      const double share = forward_[edge.begin] * edge.prob * backward_[edge.end] / total;
      counts[edge.node] += std::llround(share * kOne);
    }
    return std::log(total);
  }

 private:
  struct Edge {
    int32_t begin, end, node;
    double prob;
  };

  // In the order of their starts, so that forward values are complete when they are used.
  void find_edges(std::span<const WordId> units, const Scaled& model) {
    edges_.clear();
    for (size_t begin = 0; begin < units.size(); ++begin) {
      int32_t node = UnitTrie::kRoot;
      for (size_t end = begin; end < units.size(); ++end) {
        node = trie_.child(node, static_cast<int32_t>(units[end]));
        if (node == UnitTrie::kMissing) break;
        if (model.probs[node] > 0)
          edges_.push_back({static_cast<int32_t>(begin), static_cast<int32_t>(end + 1), node,
                            model.probs[node]});
      }
    }
  }

  const UnitTrie& trie_;
  std::vector<Edge> edges_;
  std::vector<double> forward_, backward_;
};

// Text, candidates and the current model.
class Learner {
 public:
  Learner(const Corpus& runs, const UnitTrie& trie, ThreadPool& pool)
      : runs_(runs), trie_(trie), pool_(pool), pieces_(piece_offsets(runs)) {}

  std::vector<double> log_probs;  // by node; kNoWord: not a word

  // Expected counts by node, and the log likelihood.
  double expect(std::vector<double>& counts, const StopFlag& stop) {
    const Scaled model = scaled();
    const int64_t pieces = static_cast<int64_t>(pieces_.size()) - 1;
    const int64_t blocks = (pieces + kBlock - 1) / kBlock;
    std::vector<std::vector<int64_t>> sums(pool_.threads());
    std::vector<ForwardBackward> scratch(pool_.threads(), ForwardBackward(trie_));
    std::vector<double> likelihoods(blocks, 0);
    pool_.for_each(blocks, stop, [&](int64_t block, int worker) {
      if (sums[worker].empty()) sums[worker].assign(trie_.size(), 0);
      const int64_t end = std::min(pieces, (block + 1) * kBlock);
      for (int64_t piece = block * kBlock; piece < end; ++piece)
        likelihoods[block] += scratch[worker].add(units(piece), model, sums[worker]);
    });
    add_up(sums, counts);
    double likelihood = -model.log_scale * static_cast<double>(runs_.words().size());
    for (const double one : likelihoods) likelihood += one;
    mean_ = runs_.words().empty() ? 0 : likelihood / static_cast<double>(runs_.words().size());
    return likelihood;
  }

  // Maximum likelihood, except that single units keep a minimum count.
  void maximize(const std::vector<double>& counts) {
    double total = 0;
    for (int32_t node = 1; node < trie_.size(); ++node) total += floored(counts, node);
    for (int32_t node = 1; node < trie_.size(); ++node) {
      const double count = floored(counts, node);
      log_probs[node] = count > 0 ? std::log(count / total) : kNoWord;
    }
  }

  // The log probability of the best segmentation of a word's units into shorter words.
  double best_split(const std::vector<int32_t>& units) {
    const size_t n = units.size();
    best_.assign(n + 1, kNoWord);
    best_[0] = 0;
    for (size_t begin = 0; begin < n; ++begin) {
      int32_t node = UnitTrie::kRoot;
      for (size_t end = begin + 1; end <= n - (begin == 0); ++end) {
        node = trie_.child(node, units[end - 1]);
        if (node == UnitTrie::kMissing) break;
        best_[end] = std::max(best_[end], best_[begin] + log_probs[node]);
      }
    }
    return best_[n];
  }

 private:
  std::span<const WordId> units(int64_t piece) const {
    return runs_.words().subspan(pieces_[piece], pieces_[piece + 1] - pieces_[piece]);
  }

  Scaled scaled() const {
    Scaled model{std::vector<double>(trie_.size(), 0), -mean_};
    std::vector<int32_t> length(trie_.size(), 0);
    for (int32_t node = 1; node < trie_.size(); ++node) {
      length[node] = length[trie_.parent(node)] + 1;  // parents have lower indices
      if (log_probs[node] != kNoWord)
        model.probs[node] = std::exp(log_probs[node] + length[node] * model.log_scale);
    }
    return model;
  }

  void add_up(const std::vector<std::vector<int64_t>>& sums, std::vector<double>& counts) const {
    counts.assign(trie_.size(), 0);
    for (int32_t node = 0; node < trie_.size(); ++node) {
      int64_t total = 0;
      for (const std::vector<int64_t>& sum : sums) total += sum.empty() ? 0 : sum[node];
      counts[node] = static_cast<double>(total) / kOne;
    }
  }

  double floored(const std::vector<double>& counts, int32_t node) const {
    const bool single = trie_.parent(node) == UnitTrie::kRoot;
    if (log_probs[node] == kNoWord) return 0;
    return single ? std::max(counts[node], kFloor) : counts[node];
  }

  const Corpus& runs_;
  const UnitTrie& trie_;
  ThreadPool& pool_;
  std::vector<int64_t> pieces_;
  std::vector<double> best_;
  double mean_ = -6;  // log likelihood per unit; it only affects the range of numbers
};

// Prunes the least needed words, at most one in kPrunedPart. Returns false if there were none.
class Pruner {
 public:
  Pruner(const UnitTrie& trie, const SegmenterOptions& options, std::vector<double> spelling)
      : trie_(trie), options_(options), spelling_(std::move(spelling)) {}

  bool prune(Learner& learner, const std::vector<double>& counts, const StopFlag& stop) {
    std::vector<std::pair<double, int32_t>> failing;  // need (negative), node
    size_t words = 0;
    for (int32_t node = 1; node < trie_.size(); ++node) {
      if (trie_.parent(node) == UnitTrie::kRoot || learner.log_probs[node] == kNoWord) continue;
      stop.check();
      ++words;
      const double excess = need(learner, node, counts[node]);
      if (excess < 0) failing.emplace_back(excess, node);
    }
    std::sort(failing.begin(), failing.end());
    const size_t most = std::max<size_t>(1, words / kPrunedPart);
    if (failing.size() > most) failing.resize(most);
    for (const auto& [excess, node] : failing) learner.log_probs[node] = kNoWord;
    return !failing.empty();
  }

 private:
  // Nats that the word saves in the whole text beyond its cost; negative if it is not needed.
  double need(Learner& learner, int32_t node, double count) const {
    const std::vector<int32_t> units = trie_.path(node);
    const double gain = learner.log_probs[node] - learner.best_split(units);
    double cost = 0;
    for (const int32_t unit : units) cost += spelling_[unit];
    return std::min(count * gain - options_.cost * cost, count * (gain - options_.min_gain));
  }

  const UnitTrie& trie_;
  const SegmenterOptions& options_;
  std::vector<double> spelling_;  // by unit: nats
};

// Nats to spell a unit in the dictionary, by its relative frequency.
std::vector<double> spelling_costs(const Candidates& found, WordId units) {
  double total = 0;
  for (WordId unit = 0; unit < units; ++unit) total += static_cast<double>(found.counts[1 + unit]);
  std::vector<double> costs(units, 0);
  for (WordId unit = 0; unit < units; ++unit)
    if (found.counts[1 + unit] > 0)
      costs[unit] = std::log(total / static_cast<double>(found.counts[1 + unit]));
  return costs;
}

void check(const SegmenterOptions& options) {
  if (options.max_units < 1 || options.max_units > 64 || options.min_count < 1 ||
      !(options.min_gain >= 0) || !(options.cost >= 0))
    throw std::invalid_argument("segmenter options out of range");
}

LearntWords words_of(const UnitTrie& trie, const std::vector<double>& log_probs) {
  LearntWords learnt;
  for (int32_t node = 1; node < trie.size(); ++node) {
    if (log_probs[node] == kNoWord) continue;
    for (const int32_t unit : trie.path(node)) learnt.words.values.push_back(unit);
    learnt.words.end_row();
    learnt.log_probs.push_back(log_probs[node]);
  }
  return learnt;
}

}  // namespace

LearntWords learn_segmenter(const Corpus& runs, WordId units, const SegmenterOptions& options,
                            int threads, const StopFlag& stop, Progress& progress) {
  check(options);
  const Candidates found = find_candidates(runs, units, options, stop);
  ThreadPool pool(threads);
  Learner learner(runs, found.trie, pool);
  std::vector<double> counts(found.counts.begin(), found.counts.end());
  learner.log_probs.assign(found.trie.size(), kNoWord);
  for (int32_t node = 1; node < found.trie.size(); ++node)
    if (counts[node] > 0) learner.log_probs[node] = 0;
  learner.maximize(counts);
  Pruner pruner(found.trie, options, spelling_costs(found, units));
  progress.expect(kMaxRounds);
  for (int round = 0; round < kMaxRounds; ++round) {
    for (int step = 0; step < kSteps; ++step) {
      learner.expect(counts, stop);
      learner.maximize(counts);
    }
    progress.advance();
    if (!pruner.prune(learner, counts, stop)) break;
  }
  learner.expect(counts, stop);
  learner.maximize(counts);
  return words_of(found.trie, learner.log_probs);
}

Expectations expected_counts(const Corpus& runs, const LearntWords& model, int threads,
                             const StopFlag& stop) {
  UnitTrie trie;
  std::vector<int32_t> nodes;
  for (size_t word = 0; word < model.words.size(); ++word) {
    int32_t node = UnitTrie::kRoot;
    for (const WordId unit : model.words[word])
      node = trie.child_or_add(node, static_cast<int32_t>(unit));
    nodes.push_back(node);
  }
  ThreadPool pool(threads);
  Learner learner(runs, trie, pool);
  learner.log_probs.assign(trie.size(), kNoWord);
  for (size_t word = 0; word < nodes.size(); ++word)
    learner.log_probs[nodes[word]] = model.log_probs[word];
  std::vector<double> counts;
  Expectations result;
  result.log_likelihood = learner.expect(counts, stop);
  for (const int32_t node : nodes) result.counts.push_back(counts[node]);
  return result;
}

}  // namespace demotic::text
