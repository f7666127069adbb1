#include "demotic/lm/estimate.h"

#include <algorithm>

#include "demotic/lm/discounts.h"
#include "demotic/lm/ngram_counts.h"

namespace demotic::lm {
namespace {

using Counts = std::vector<uint32_t>;

// Adjusted counts of order n (from 1).
Counts adjusted_counts(const NgramCounts& counts, size_t n) {
  const CountedOrder& these = counts.orders[n - 1];
  Counts result;
  if (n == counts.orders.size()) {
    result = these.count;
  } else {
    result.assign(these.size(), 0);
    for (const uint32_t suffix : counts.orders[n].suffix) ++result[suffix];
    std::copy_n(these.count.begin(), these.begin_with_bos, result.begin());
  }
  if (n == 1) result[kUnknown] = result[kSentenceBegin] = 0;
  return result;
}

CountsOfCounts counts_of_counts(const Counts& adjusted) {
  CountsOfCounts result;
  for (const uint32_t count : adjusted) result.add(count);
  return result;
}

class Estimator {
 public:
  Estimator(NgramCounts counts, const KneserNeyOptions& options)
      : counts_(std::move(counts)), options_(options) {}

  KneserNeyModel run(const StopFlag& stop, Progress& progress) {
    result_.ngrams.vocabulary = counts_.vocabulary;
    for (size_t n = 1; n <= counts_.orders.size(); ++n) {
      stop.check();
      progress.advance();
      const Counts adjusted = adjusted_counts(counts_, n);
      const Discounts discounts =
          discounts_of(counts_of_counts(adjusted), static_cast<int>(n), options_, result_.report);
      result_.ngrams.orders.emplace_back();
      if (n == 1) {
        unigrams(adjusted, discounts);
      } else {
        higher(n, adjusted, discounts);
      }
    }
    for (size_t n = 1; n <= counts_.orders.size(); ++n) finish_order(n);
    return std::move(result_);
  }

 private:
  bool pruned(size_t n, size_t i) const {
    return counts_.orders[n - 1].count[i] <= threshold(options_, n);
  }

  void unigrams(const Counts& adjusted, const Discounts& discounts);
  void higher(size_t n, const Counts& adjusted, const Discounts& discounts);
  void finish_order(size_t n);

  NgramCounts counts_;
  const KneserNeyOptions& options_;
  KneserNeyModel result_;
  std::vector<uint32_t> kept_below_;  // index after pruning of each n-gram of the order below
};

// Probabilities, not logarithms, here and in `higher`; `finish_order` converts them.
void Estimator::unigrams(const Counts& adjusted, const Discounts& discounts) {
  std::vector<float>& prob = result_.ngrams.orders[0].prob;
  prob = unigram_probabilities(adjusted, discounts);
  if (counts_.orders.size() > 1) result_.ngrams.orders[0].backoff.assign(prob.size(), 1.0f);
}

void Estimator::higher(size_t n, const Counts& adjusted, const Discounts& discounts) {
  const CountedOrder& these = counts_.orders[n - 1];
  NgramOrder& below = result_.ngrams.orders[n - 2];
  NgramOrder& result = result_.ngrams.orders[n - 1];
  result.prob.resize(these.size());
  if (n < counts_.orders.size()) result.backoff.assign(these.size(), 1.0f);
  for (size_t begin = 0, end = 0; begin < these.size(); begin = end) {
    const uint32_t context = these.context[begin];
    ContextSums sums;
    for (; end < these.size() && these.context[end] == context; ++end)
      sums.add(adjusted[end], pruned(n, end), discounts);
    const double backoff = sums.backoff();
    below.backoff[context] = static_cast<float>(backoff);
    for (size_t i = begin; i < end; ++i) {
      const double own = sums.own(adjusted[i], discounts);
      result.prob[i] = static_cast<float>(own + backoff * below.prob[these.suffix[i]]);
    }
  }
}

// Removes pruned n-grams and converts probabilities to logarithms. Contexts and suffixes of kept
// n-grams are kept too, because they occur at least as often and have lower thresholds.
void Estimator::finish_order(size_t n) {
  CountedOrder& from = counts_.orders[n - 1];
  NgramOrder& to = result_.ngrams.orders[n - 1];
  const bool has_backoff = n < counts_.orders.size();
  std::vector<uint32_t> kept(from.size());
  size_t size = 0;
  for (size_t i = 0; i < from.size(); ++i) {
    if (n > 1 && pruned(n, i)) continue;
    kept[i] = static_cast<uint32_t>(size);
    from.word[size] = from.word[i];
    to.prob[size] = log_probability(to.prob[i]);
    if (has_backoff) to.backoff[size] = logarithm(to.backoff[i]);
    if (n > 1) {
      from.context[size] = kept_below_[from.context[i]];
      from.suffix[size] = kept_below_[from.suffix[i]];
    }
    ++size;
  }
  to.prob.resize(size);
  if (has_backoff) to.backoff.resize(size);
  from.word.resize(size);
  to.word = std::move(from.word);
  if (n > 1) {
    from.context.resize(size);
    from.suffix.resize(size);
    to.context = std::move(from.context);
    to.suffix = std::move(from.suffix);
  }
  kept_below_ = std::move(kept);
  if (n == 1) to.prob[kSentenceBegin] = kNeverLog10;
}

}  // namespace

KneserNeyModel estimate_kneser_ney(const Corpus& corpus, const Vocabulary& vocabulary,
                                   const KneserNeyOptions& options, const StopFlag& stop,
                                   Progress& progress) {
  check(options);
  progress.expect(2 * options.order - 1);
  NgramCounts counts = count_ngrams(corpus, vocabulary, options.order, stop, progress);
  return Estimator(std::move(counts), options).run(stop, progress);
}

}  // namespace demotic::lm
