#include "demotic/search/candidates.h"

#include <algorithm>

#include "demotic/base/hash.h"
#include "demotic/forest/distinct.h"
#include "demotic/forest/features.h"
#include "demotic/forest/yields.h"
#include "demotic/search/for_each_sentence.h"
#include "demotic/search/potential.h"

namespace demotic::search {
namespace {

template <typename T>
void extend(std::vector<T>& values, const std::vector<T>& more) {
  values.insert(values.end(), more.begin(), more.end());
}

// Lists the parts of candidates, with the keys of those that are used.
template <typename Steps>
class PartLister {
 public:
  PartLister(const StepParts<Steps>& parts, SearchedCandidates& lists)
      : parts_(parts), lists_(lists), listed_(parts.size(), -1) {}

  // Adds a part of the current candidate.
  void add(int32_t part) {
    if (static_cast<size_t>(part) >= listed_.size()) listed_.resize(parts_.size(), -1);
    if (listed_[part] < 0) {
      listed_[part] = static_cast<int32_t>(lists_.part_keys.size());
      parts_.add_keys(part, lists_.part_keys.values, lists_.part_values);
      lists_.part_keys.end_row();
    }
    lists_.parts.values.push_back(listed_[part]);
  }
  void end_candidate() {
    std::sort(lists_.parts.values.begin() + lists_.parts.offsets.back(), lists_.parts.values.end());
    lists_.parts.end_row();
  }

 private:
  const StepParts<Steps>& parts_;
  SearchedCandidates& lists_;
  std::vector<int32_t> listed_;  // by part: its row in the lists; -1 if it has none
};

// The k-best derivations of a sentence, as edges of its record.
SearchedCandidates kbest_of(const SearchRecord& record, std::span<const double> weights,
                            const KBestOptions& kbest, const StopFlag& stop, Csr<int32_t>& edges) {
  const HypergraphView graph{record.edge_offsets, record.tail_offsets, record.tails};
  const FeatureRows rows{record.feature_ids.view(), record.feature_values};
  const std::vector<double> scores = row_scores(rows, weights);
  const TargetSides targets = record.edge_target.view();
  Derivations found = kbest.distinct ? distinct_kbest(graph, scores, targets, graph.root(), kbest.k,
                                                      kbest.max_examined, stop)
                                           .derivations
                                     : forest::kbest(graph, scores, graph.root(), kbest.k, stop);
  SearchedCandidates list;
  list.words = yields(graph, found.edges.view(), targets);
  const FeatureTable sums = sum_rows(found.edges.view(), rows);
  list.features.assign(found.scores.size() * weights.size(), 0);
  for (size_t i = 0; i < found.scores.size(); ++i)
    for (int64_t j = sums.ids.offsets[i]; j < sums.ids.offsets[i + 1]; ++j)
      list.features[i * weights.size() + sums.ids.values[j]] = sums.values[j];
  list.scores = std::move(found.scores);
  edges = std::move(found.edges);
  return list;
}

// Reads the lists of the bins of a sentence.
template <typename Kind>
class BinReader {
 public:
  using Search = typename Kind::Search;

  // `parts` may be null.
  BinReader(const typename Kind::Steps& steps, const BinOptions& options,
            StepParts<typename Kind::Steps>* parts)
      : steps_(steps),
        search_(steps.search()),
        options_(options),
        parts_(parts),
        potential_(steps),
        width_(steps.features()) {
    if (parts) lister_.emplace(*parts, lists_);
  }

  SearchedCandidates read(int32_t sentence) {
    const uint32_t goal = search_.goal_bin();
    if (goal == kNone || Search::is_start(search_.bins()[goal].first)) return {};
    add_values();
    for (uint32_t b = 0; b < search_.bins().size(); ++b)
      if (b != goal && !Search::is_start(search_.bins()[b].first)) add_list(sentence, b);
    add_list(sentence, goal);
    return std::move(lists_);
  }

 private:
  // Features of all hypotheses; tails come before heads.
  void add_values() {
    values_.assign(search_.hypotheses().size() * width_, 0);
    for (const auto& bin : search_.bins())
      for (uint32_t i = bin.first; i < bin.alive; ++i) {
        if (Search::is_start(i)) continue;
        const auto& edge = search_.hypotheses()[i].edge;
        for (const uint32_t tail : edge.tails)
          if (!Search::is_start(tail))
            for (size_t f = 0; f < width_; ++f) row(i)[f] += row(tail)[f];
        steps_.add_features(edge, i, row(i));
      }
  }

  void add_list(int32_t sentence, uint32_t b) {
    const Bin& bin = search_.bins()[b];
    if (bin.count() == 0) return;
    for (uint32_t i = bin.first; i < bin.alive; ++i) add(b, i);
    lists_.sentence.push_back(sentence);
    lists_.bin.push_back(search_.bin_key(b));
    lists_.covered.push_back(search_.covered(b));
    lists_.offsets.push_back(static_cast<int64_t>(lists_.scores.size()));
  }

  void add(uint32_t b, uint32_t hypothesis) {
    const bool complete = b == search_.goal_bin();
    features_.assign(row(hypothesis).begin(), row(hypothesis).end());
    if (options_.future_features) add_future(complete, hypothesis);
    if (options_.potential && !complete)
      potential_.find(b, hypothesis, around_);
    else
      around_.clear();
    extend(lists_.words.values, around_.before);
    append_yield(steps_, hypothesis, lists_.words.values);
    extend(lists_.words.values, around_.after);
    lists_.words.end_row();
    extend(lists_.features, features_);
    lists_.scores.push_back(options_.future_features ? search_.total(hypothesis)
                                                     : search_.hypotheses()[hypothesis].score);
    if (parts_) list_parts(hypothesis);
  }

  void list_parts(uint32_t hypothesis) {
    derivation_of(search_, hypothesis, nodes_);
    own_parts_.clear();
    for (const uint32_t node : nodes_)
      parts_->append(search_.hypotheses()[node].edge, node, own_parts_);
    for (const int32_t part : own_parts_) lister_->add(part);
    lister_->end_candidate();
  }

  void add_future(bool complete, uint32_t hypothesis) {
    if (complete)
      steps_.add_end_features(hypothesis, features_);
    else
      potential_.add_future_features(hypothesis, features_);
  }

  std::span<double> row(uint32_t hypothesis) noexcept {
    return std::span(values_).subspan(hypothesis * width_, width_);
  }

  const typename Kind::Steps& steps_;
  Search& search_;
  const BinOptions& options_;
  StepParts<typename Kind::Steps>* parts_;
  std::optional<PartLister<typename Kind::Steps>> lister_;
  typename Kind::Potential potential_;
  const size_t width_;
  std::vector<double> values_;    // features of the hypotheses, one row each
  std::vector<double> features_;  // of the candidate
  std::vector<uint32_t> nodes_;   // of its derivation
  std::vector<int32_t> own_parts_;
  Surroundings around_;
  SearchedCandidates lists_;
};

// The k-best list and the bins of a searched sentence.
template <typename Kind>
CandidateLists lists_of(const typename Kind::Steps& steps, int32_t sentence,
                        std::span<const double> weights, const ListOptions& options,
                        const StopFlag& stop) {
  CandidateLists lists;
  StepParts<typename Kind::Steps> parts(steps);
  auto* const wanted = options.parts ? &parts : nullptr;
  if (options.kbest) {
    const SearchRecord record = record_of<Kind>(steps, RecordKind::kForest, wanted);
    Csr<int32_t> edges;
    SearchedCandidates& list = lists.kbest = kbest_of(record, weights, *options.kbest, stop, edges);
    list.sentence.push_back(sentence);
    list.bin.push_back(-1);
    list.covered.push_back(steps.search().length());
    list.offsets.push_back(static_cast<int64_t>(list.scores.size()));
    PartLister lister(parts, list);
    for (size_t i = 0; wanted && i < edges.size(); ++i) {
      for (const int32_t edge : edges[i])
        for (const int32_t part : record.edge_parts[edge]) lister.add(part);
      lister.end_candidate();
    }
  }
  if (options.bins) lists.bins = BinReader<Kind>(steps, *options.bins, wanted).read(sentence);
  return lists;
}

}  // namespace

void append(SearchedCandidates& lists, const SearchedCandidates& more) {
  const int64_t begin = lists.offsets.back();
  for (size_t i = 1; i < more.offsets.size(); ++i) lists.offsets.push_back(begin + more.offsets[i]);
  extend(lists.sentence, more.sentence);
  extend(lists.bin, more.bin);
  extend(lists.covered, more.covered);
  append(lists.words, more.words);
  extend(lists.features, more.features);
  extend(lists.scores, more.scores);
  const auto known = static_cast<int32_t>(lists.part_keys.size());
  const size_t first = lists.parts.values.size();
  append(lists.parts, more.parts);
  for (size_t i = first; i < lists.parts.values.size(); ++i) lists.parts.values[i] += known;
  append(lists.part_keys, more.part_keys);
  extend(lists.part_values, more.part_values);
}

std::vector<std::string> texts(const SearchedCandidates& candidates,
                               const SourceSentences& source) {
  std::vector<std::string> all;
  all.reserve(candidates.words.size());
  for (size_t i = 0; i < candidates.words.size(); ++i)
    all.push_back(source.spelled(candidates.words[i]));
  return all;
}

std::vector<uint64_t> hashes(const SearchedCandidates& candidates) {
  std::vector<uint64_t> all(candidates.words.size(), 0);
  for (size_t i = 0; i < all.size(); ++i)
    for (const WordId word : candidates.words[i])
      all[i] = mix64(all[i] + static_cast<uint32_t>(word) + 1);
  return all;
}

template <typename Kind>
CandidateLists candidate_lists(const typename Kind::Model& model,
                               const typename Kind::Limits& limits, const SearchBatch& batch,
                               const ListOptions& options, const StopFlag& stop,
                               Progress& progress) {
  CandidateLists all;
  for_each_sentence<Kind>(
      model, limits, batch, options.kbest.has_value(), stop, progress,
      [&](typename Kind::Search& search, int64_t sentence) {
        return lists_of<Kind>(typename Kind::Steps(model, search), static_cast<int32_t>(sentence),
                              batch.weights, options, stop);
      },
      [&](int64_t, CandidateLists&& lists) {
        append(all.kbest, lists.kbest);
        append(all.bins, lists.bins);
      });
  return all;
}

template CandidateLists candidate_lists<PhraseKind>(const PhraseModel&, const PhraseSearchOptions&,
                                                    const SearchBatch&, const ListOptions&,
                                                    const StopFlag&, Progress&);
template CandidateLists candidate_lists<HieroKind>(const HieroModel&, const HieroSearchOptions&,
                                                   const SearchBatch&, const ListOptions&,
                                                   const StopFlag&, Progress&);

}  // namespace demotic::search
