#include "demotic/forest/gain_rescore.h"

#include <algorithm>
#include <array>

#include "demotic/forest/semiring.h"
#include "demotic/metrics/metric_form.h"

namespace demotic::forest {
namespace {

constexpr int32_t kGainOrder = 4;
constexpr int32_t kGainEnd = kGainOrder - 1;  // boundary words that an n-gram can reach
constexpr int32_t kColumns = 2 * kGainOrder + 1;
constexpr MetricForm kBleu{};  // reference lengths in words

// A derivation as seen from above. Short ones have fewer boundary words.
struct Chosen {
  double value = kNoScore;  // the criterion of the choice
  double score = 0;         // of the model
  double gain = 0;          // B less B(nothing)
  int64_t length = 0;
  std::array<double, kGainOrder> matches{};
  std::array<int32_t, kGainEnd> left{}, right{};

  int32_t end_words() const { return static_cast<int32_t>(std::min<int64_t>(length, kGainEnd)); }
};

// A word and the tail it belongs to; kOwnWord for the edge itself.
struct OwnedWord {
  int32_t word, owner;
};
constexpr int32_t kOwnWord = -1;
constexpr int32_t kHole = -1;  // stands for the inner words of a tail

class Rescoring {
 public:
  Rescoring(const HypergraphView& graph, const TargetSides& targets,
            const ReferenceNgramsView& references, const GainContext& context, double source_length)
      : graph_(graph),
        targets_(targets),
        references_(references),
        context_(context),
        source_length_(std::max(source_length, 1.0)),
        nodes_(graph.nodes()),
        nothing_(context.background_source * score_of(kBleu, context.background)) {}

  // Returns the gain of an edge; its head keeps it if it is the best so far.
  double add(int32_t head, int32_t edge, double score, double covered) {
    Chosen found;
    found.score = score;
    double below = 0;
    for (const int32_t tail : graph_.tails_of(edge)) {
      if (nodes_[tail].value == kNoScore) return 0;
      found.score += nodes_[tail].score;
      below += nodes_[tail].gain;
      for (int32_t n = 0; n < kGainOrder; ++n) found.matches[n] += nodes_[tail].matches[n];
    }
    if (found.score == kNoScore) return 0;
    lay_out(edge, found);
    count(found);
    take_ends(found);
    found.gain = gain_of(found, covered);
    found.value = context_.score_factor * found.score + context_.gain_factor * found.gain;
    const double added = found.gain - below;
    if (found.value > nodes_[head].value) nodes_[head] = found;
    return added;
  }

 private:
  // The words of the edge and the boundary words of its tails, in order.
  void lay_out(int32_t edge, Chosen& found) {
    places_.clear();
    for (const Symbol symbol : targets_[edge]) {
      if (is_gap(symbol)) {
        const int32_t owner = gap_index(symbol);
        const Chosen& tail = nodes_[graph_.tails_of(edge)[owner]];
        const int32_t words = tail.end_words();
        for (int32_t i = 0; i < words; ++i) places_.push_back({tail.left[i], owner});
        found.length += tail.length;
        if (tail.length <= kGainEnd) continue;
        places_.push_back({kHole, owner});
        for (int32_t i = 0; i < words; ++i) places_.push_back({tail.right[i], owner});
      } else {
        places_.push_back({symbol, kOwnWord});
        ++found.length;
      }
    }
  }

  // Counts matches of n-grams that are not inside one tail; those were counted there.
  void count(Chosen& found) const {
    for (size_t begin = 0; begin < places_.size(); ++begin) {
      const int32_t owner = places_[begin].owner;
      const size_t end = std::min(places_.size(), begin + kGainOrder);
      int32_t node = 0;
      bool own = owner == kOwnWord;
      for (size_t i = begin; i < end && places_[i].word != kHole; ++i) {
        own |= places_[i].owner != owner;
        node = references_.find(node, places_[i].word);
        if (node == 0) break;
        if (own) found.matches[i - begin] += 1;
      }
    }
  }

  // A hole has enough words on either side for both boundaries.
  void take_ends(Chosen& found) const {
    const int32_t words = found.end_words();
    for (int32_t i = 0; i < words; ++i) {
      found.left[i] = places_[i].word;
      found.right[i] = places_[places_.size() - words + i].word;
    }
  }

  double gain_of(const Chosen& found, double covered) const {
    std::array<double, kColumns> sums;
    std::copy_n(context_.background.begin(), kColumns, sums.begin());
    for (int32_t n = 0; n < kGainOrder; ++n) {
      sums[n] += found.matches[n];
      sums[kGainOrder + n] += static_cast<double>(std::max<int64_t>(0, found.length - n));
    }
    sums[kColumns - 1] += context_.reference_length * covered / source_length_;
    const double scale = context_.background_source + covered;
    return scale * score_of(kBleu, sums) - nothing_;
  }

  HypergraphView graph_;
  TargetSides targets_;
  ReferenceNgramsView references_;
  const GainContext& context_;
  double source_length_;
  std::vector<Chosen> nodes_;
  std::vector<OwnedWord> places_;
  double nothing_;
};

}  // namespace

std::vector<double> gain_rescore(const HypergraphView& graph, const TargetSides& targets,
                                 std::span<const double> scores, std::span<const int32_t> covered,
                                 const ReferenceNgramsView& references, const GainContext& context,
                                 const StopFlag& stop) {
  std::vector<double> gains(graph.edges());
  Rescoring nodes(graph, targets, references, context, covered[graph.root()]);
  for (int32_t node = 0; node < graph.nodes(); ++node) {
    stop.check();
    for (const int32_t edge : graph.incoming(node))
      gains[edge] = nodes.add(node, edge, scores[edge], covered[node]);
  }
  return gains;
}

}  // namespace demotic::forest
