#include "demotic/lm/estimate.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>

#include "demotic/base/errors.h"
#include "demotic/lm/ngram_counts.h"

namespace demotic::lm {
namespace {

constexpr std::array<double, 3> kFallbackDiscounts = {0.5, 1.0, 1.5};

using Counts = std::vector<uint32_t>;

void check(const KneserNeyOptions& options) {
  if (options.order < 1 || options.order > kMaxLmOrder)
    throw std::invalid_argument("order must be 1 to " + std::to_string(kMaxLmOrder));
  const auto& prune = options.prune;
  if (prune.empty() || prune.front() != 0)
    throw std::invalid_argument("prune: the first threshold must be 0; unigrams are kept");
  if (prune.size() > static_cast<size_t>(options.order))
    throw std::invalid_argument("prune: more thresholds than orders");
  if (!std::is_sorted(prune.begin(), prune.end()))
    throw std::invalid_argument("prune: thresholds must not decrease from one order to the next");
}

int64_t threshold(const KneserNeyOptions& options, size_t order) {
  return options.prune[std::min(order, options.prune.size()) - 1];
}

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

struct Discounts {
  std::array<double, 4> of{};  // for adjusted counts 0, 1, 2 and 3 or more
  double operator()(uint32_t count) const noexcept { return of[std::min(count, 3u)]; }
};

// Equation 26 of Chen & Goodman 1998; empty if the discounts are not between 0 and the count.
std::optional<Discounts> closed_form(const Counts& adjusted) {
  std::array<double, 5> n{};
  for (const uint32_t count : adjusted)
    if (count < n.size()) ++n[count];
  if (n[1] == 0 || n[2] == 0 || n[3] == 0) return std::nullopt;
  Discounts result;
  const double y = n[1] / (n[1] + 2 * n[2]);
  for (int j = 1; j <= 3; ++j) {
    result.of[j] = j - (j + 1) * y * n[j + 1] / n[j];
    if (result.of[j] < 0 || result.of[j] > j) return std::nullopt;
  }
  return result;
}

Discounts discounts_of(const Counts& adjusted, int order, const KneserNeyOptions& options,
                       KneserNeyReport& report) {
  auto result = closed_form(adjusted);
  if (!result) {
    if (!options.discount_fallback) {
      throw ModelError({.found = "too few " + std::to_string(order) +
                                 "-grams seen once, twice or three times to estimate discounts",
                        .expected = "natural text of more than a few hundred words",
                        .advice = "allow the fallback discounts 0.5, 1 and 1.5"});
    }
    report.fallback_orders.push_back(order);
    result = Discounts{{0, kFallbackDiscounts[0], kFallbackDiscounts[1], kFallbackDiscounts[2]}};
  }
  report.discounts.push_back({result->of[1], result->of[2], result->of[3]});
  return *result;
}

// Discounts may be zero, and then the backoff mass may be zero too.
float logarithm(float value) { return std::max(kNeverLog10, std::log10(value)); }

// The mass that one context gives to its words, and the rest for backing off.
struct ContextSums {
  double denominator = 0, kept = 0;

  void add(uint32_t adjusted, bool pruned, const Discounts& discounts) {
    denominator += adjusted;
    kept += pruned ? adjusted : discounts(adjusted);
  }
  double backoff() const { return kept / denominator; }
};

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
          discounts_of(adjusted, static_cast<int>(n), options_, result_.report);
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
  ContextSums sums;
  for (const uint32_t count : adjusted) sums.add(count, false, discounts);
  const double uniform = sums.backoff() / static_cast<double>(adjusted.size() - 1);
  std::vector<float>& prob = result_.ngrams.orders[0].prob;
  for (const uint32_t count : adjusted)
    prob.push_back(static_cast<float>((count - discounts(count)) / sums.denominator + uniform));
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
      const double own = (adjusted[i] - discounts(adjusted[i])) / sums.denominator;
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
    // Rounding may put the probability of a certain word slightly above 1.
    to.prob[size] = std::min(0.0f, logarithm(to.prob[i]));
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
