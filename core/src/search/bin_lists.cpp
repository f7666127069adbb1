#include "demotic/search/candidates.h"
#include "demotic/search/for_each_sentence.h"
#include "demotic/search/phrase_derivation.h"

namespace demotic::search {
namespace {

// The lists of one sentence.
class BinReader {
 public:
  BinReader(const PhraseModel& model, PhraseSearch& search, std::span<const WordId> source,
            const BinOptions& options)
      : model_(model),
        search_(search),
        source_(source),
        options_(options),
        width_(model.features().size()) {}

  SearchedCandidates read(int32_t sentence) {
    const auto bins = search_.bins();
    values_.assign(search_.hypotheses().size() * width_, 0);
    for (size_t bin = 1; bin < bins.size(); ++bin) {
      for (uint32_t i = bins[bin].begin; i < bins[bin].alive; ++i) add(i, bin + 1 == bins.size());
      lists_.sentence.push_back(sentence);
      lists_.bin.push_back(static_cast<int32_t>(bin));
      lists_.covered.push_back(static_cast<int32_t>(bin));
      lists_.offsets.push_back(static_cast<int64_t>(lists_.scores.size()));
    }
    return std::move(lists_);
  }

 private:
  void add(uint32_t number, bool complete) {
    const Hypothesis& hypothesis = search_.hypotheses()[number];
    const std::span<double> own = row(number), before = row(hypothesis.parent);
    std::copy(before.begin(), before.end(), own.begin());
    add_features(model_, search_, search_.hypotheses()[hypothesis.parent], hypothesis.option, own);
    features_.assign(own.begin(), own.end());
    if (complete && options_.future_features)
      add_end_features(model_, search_, hypothesis, features_);
    derivation_of(search_, number, chain_);
    for (const uint32_t i : chain_)
      append_words(model_, search_, search_.hypotheses()[i].option, source_, lists_.words.values);
    if (!complete) add_future(search_.groups()[hypothesis.group].coverage);
    lists_.words.end_row();
    lists_.features.insert(lists_.features.end(), features_.begin(), features_.end());
    lists_.scores.push_back(options_.future_features ? hypothesis.total : hypothesis.score);
  }

  // The best monotone translations of the open spans, from left to right.
  void add_future(CoverageId coverage) {
    const CoverageTable& table = search_.coverage();
    for (int32_t begin = table.first_open(coverage); begin < search_.length();) {
      if (table.covers(coverage, begin)) {
        ++begin;
        continue;
      }
      const int32_t end = table.next_covered(coverage, begin);
      while (begin < end) {
        const int32_t next = begin + search_.future_costs().first_phrase(begin, end);
        add_best_option(begin, next);
        begin = next;
      }
    }
  }

  void add_best_option(int32_t begin, int32_t end) {
    for (const PhraseSpan& span : search_.phrase_options().starting_at(begin)) {
      if (span.end != end) continue;
      if (options_.potential)
        append_words(model_, search_, span.first, source_, lists_.words.values);
      if (options_.future_features) add_local_features(model_, search_, span.first, features_);
    }
  }

  std::span<double> row(uint32_t hypothesis) noexcept {
    return std::span(values_).subspan(hypothesis * width_, width_);
  }

  const PhraseModel& model_;
  PhraseSearch& search_;
  std::span<const WordId> source_;
  const BinOptions& options_;
  const size_t width_;
  std::vector<double> values_;    // features of the hypotheses, a row each
  std::vector<double> features_;  // of the candidate
  std::vector<uint32_t> chain_;
  SearchedCandidates lists_;
};

}  // namespace

SearchedCandidates bin_lists(const PhraseModel& model, const PhraseSearchOptions& options,
                             const SearchBatch& batch, const BinOptions& bins, const StopFlag& stop,
                             Progress& progress) {
  SearchedCandidates all;
  for_each_sentence<PhraseSearch>(
      model, options, batch, false, stop, progress,
      [&](PhraseSearch& done, int64_t sentence) {
        return BinReader(model, done, batch.source[sentence], bins)
            .read(static_cast<int32_t>(sentence));
      },
      [&](int64_t, SearchedCandidates&& lists) { append(all, lists); });
  return all;
}

}  // namespace demotic::search
