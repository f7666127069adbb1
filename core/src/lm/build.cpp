// From n-gram lists to the automaton.
#include <limits>
#include <tuple>

#include "demotic/base/errors.h"
#include "demotic/lm/language_model.h"

namespace demotic {

struct LanguageModel::Arrays {
  std::vector<uint64_t> counts;
  std::vector<uint32_t> first_node;
  std::vector<Unigram> unigrams;
  std::vector<Node> nodes;
  std::vector<ArcBucket> buckets;
};

class LanguageModelBuilder {
 public:
  explicit LanguageModelBuilder(const NgramModel& ngrams) : ngrams_(ngrams) {}
  LanguageModel run(const StopFlag& stop);

 private:
  void number_nodes();
  void fill_nodes();
  void fill_unigrams();
  std::vector<Arc> collect_arcs(const StopFlag& stop) const;
  float stored(size_t n, size_t i) const noexcept;

  const NgramModel& ngrams_;
  LanguageModel::Arrays arrays_;
  // By order and n-gram: its own node, or that of its longest suffix with one; whether something
  // extends it to the left.
  std::vector<std::vector<uint32_t>> state_after_;
  std::vector<std::vector<bool>> own_node_, extends_left_;
};

// An n-gram is a state if it is a context of others or has a backoff weight (KenLM's rule).
void LanguageModelBuilder::number_nodes() {
  const size_t order = ngrams_.orders.size();
  state_after_.resize(order);
  own_node_.resize(order);
  extends_left_.resize(order);
  uint64_t nodes = 1;
  arrays_.first_node = {0};
  for (size_t n = 1; n <= order; ++n) {
    const NgramOrder& list = ngrams_.orders[n - 1];
    arrays_.counts.push_back(list.size());
    arrays_.first_node.push_back(static_cast<uint32_t>(nodes));
    extends_left_[n - 1].resize(list.size());
    if (n == order) break;
    own_node_[n - 1].resize(list.size());
    for (size_t i = 0; i < list.size(); ++i) own_node_[n - 1][i] = list.backoff[i] != 0;
    for (const uint32_t context : ngrams_.orders[n].context) own_node_[n - 1][context] = true;
    for (const uint32_t suffix : ngrams_.orders[n].suffix) extends_left_[n - 1][suffix] = true;
    state_after_[n - 1].resize(list.size());
    for (size_t i = 0; i < list.size(); ++i) {
      if (nodes >= std::numeric_limits<uint32_t>::max())
        throw ModelError({.found = "more than 4294967294 contexts", .expected = "fewer"});
      state_after_[n - 1][i] = own_node_[n - 1][i] ? static_cast<uint32_t>(nodes++)
                               : n == 1            ? 0
                                                   : state_after_[n - 2][list.suffix[i]];
    }
  }
  arrays_.first_node.back() = static_cast<uint32_t>(nodes);
  arrays_.nodes.resize(nodes);
}

void LanguageModelBuilder::fill_nodes() {
  arrays_.nodes[0] = {0.0f, 0};
  for (size_t n = 1; n < ngrams_.orders.size(); ++n) {
    const NgramOrder& list = ngrams_.orders[n - 1];
    for (size_t i = 0; i < list.size(); ++i) {
      if (!own_node_[n - 1][i]) continue;
      const uint32_t suffix = n == 1 ? 0 : state_after_[n - 2][list.suffix[i]];
      arrays_.nodes[state_after_[n - 1][i]] = {list.backoff[i], suffix};
    }
  }
}

float LanguageModelBuilder::stored(size_t n, size_t i) const noexcept {
  const float magnitude = std::fabs(ngrams_.orders[n - 1].prob[i]);
  return extends_left_[n - 1][i] ? -magnitude : magnitude;
}

void LanguageModelBuilder::fill_unigrams() {
  const NgramOrder& list = ngrams_.orders[0];
  for (size_t i = 0; i < list.size(); ++i)
    arrays_.unigrams.push_back({stored(1, i), ngrams_.order() == 1 ? 0 : state_after_[0][i]});
}

std::vector<Arc> LanguageModelBuilder::collect_arcs(const StopFlag& stop) const {
  std::vector<Arc> arcs;
  size_t size = 0;
  for (size_t n = 2; n <= ngrams_.orders.size(); ++n) size += ngrams_.orders[n - 1].size();
  arcs.reserve(size);
  for (size_t n = 2; n <= ngrams_.orders.size(); ++n) {
    stop.check();
    const NgramOrder& list = ngrams_.orders[n - 1];
    const bool highest = n == ngrams_.orders.size();
    for (size_t i = 0; i < list.size(); ++i) {
      const uint32_t next = highest ? state_after_[n - 2][list.suffix[i]] : state_after_[n - 1][i];
      arcs.push_back({state_after_[n - 2][list.context[i]], list.word[i], stored(n, i), next});
    }
  }
  return arcs;
}

LanguageModel LanguageModelBuilder::run(const StopFlag& stop) {
  number_nodes();
  stop.check();
  fill_nodes();
  fill_unigrams();
  const auto words = ngrams_.vocabulary.size();
  ArcHash hash;
  std::tie(hash, arrays_.buckets) =
      build_arc_table(collect_arcs(stop), static_cast<uint32_t>(arrays_.nodes.size()), words);
  auto owned = std::make_shared<LanguageModel::Arrays>(std::move(arrays_));
  LanguageModel result;
  result.vocabulary_ = ngrams_.vocabulary;
  result.counts_ = owned->counts;
  result.first_node_ = owned->first_node;
  result.unigrams_ = owned->unigrams;
  result.nodes_ = owned->nodes;
  result.arcs_ = ArcTable(hash, owned->buckets);
  result.owner_ = owned;
  return result;
}

LanguageModel LanguageModel::build(const NgramModel& ngrams, const StopFlag& stop) {
  return LanguageModelBuilder(ngrams).run(stop);
}

}  // namespace demotic
