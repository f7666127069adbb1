// Builds the automaton from n-gram lists.
#include "demotic/base/errors.h"
#include "demotic/base/huge_pages.h"
#include "demotic/lm/language_model.h"

namespace demotic::lm {

struct LanguageModel::Arrays {
  std::vector<uint64_t> counts;
  std::vector<NgramHash> hashes;
  std::vector<NgramBucket, HugePages<NgramBucket>> buckets;
};

class LanguageModelBuilder {
 public:
  explicit LanguageModelBuilder(const NgramModel& ngrams)
      : ngrams_(ngrams), number_bits_(state_number_bits(ngrams.order())) {}
  LanguageModel run(const StopFlag& stop);

 private:
  std::vector<bool> contexts_of(size_t n) const;
  std::vector<bool> extended_to_left(size_t n) const;
  void add_unigrams();
  void add_order(size_t n);
  std::span<NgramBucket> place(size_t n, std::span<const uint32_t> contexts);
  void fill(size_t n, std::span<NgramBucket> buckets);
  void mark_followed(size_t n);

  const NgramModel& ngrams_;
  const uint32_t number_bits_;
  LanguageModel::Arrays arrays_;
  // For the order below the current one: the slot of each n-gram, and the state after it.
  std::vector<uint32_t> numbers_, states_;
  std::vector<uint32_t> new_numbers_;
  size_t below_ = 0, here_ = 0;  // first buckets of the order below and of the current order
};

// An n-gram is a state if it is a context of others or has a backoff weight (KenLM's rule).
std::vector<bool> LanguageModelBuilder::contexts_of(size_t n) const {
  const NgramOrder& list = ngrams_.orders[n - 1];
  std::vector<bool> result(list.size(), false);
  if (n == ngrams_.orders.size()) return result;
  for (size_t i = 0; i < list.size(); ++i) result[i] = list.backoff[i] != 0;
  for (const uint32_t context : ngrams_.orders[n].context) result[context] = true;
  return result;
}

std::vector<bool> LanguageModelBuilder::extended_to_left(size_t n) const {
  std::vector<bool> result(ngrams_.orders[n - 1].size(), false);
  if (n < ngrams_.orders.size())
    for (const uint32_t suffix : ngrams_.orders[n].suffix) result[suffix] = true;
  return result;
}

float stored(float log10, bool extends_left) noexcept {
  return extends_left ? -std::fabs(log10) : std::fabs(log10);
}

void LanguageModelBuilder::add_unigrams() {
  const size_t words = ngrams_.orders[0].size();
  arrays_.buckets.resize(unigram_buckets(static_cast<WordId>(words)));
  for (uint32_t i = 0; i < words; ++i) {
    new_numbers_.push_back(i);
    arrays_.buckets[i / NgramBucket::kSlots].check[i % NgramBucket::kSlots] = NgramBucket::kUsed;
  }
  fill(1, arrays_.buckets);
  numbers_.swap(new_numbers_);
}

std::span<NgramBucket> LanguageModelBuilder::place(size_t n, std::span<const uint32_t> contexts) {
  const NgramOrder& list = ngrams_.orders[n - 1];
  const uint64_t below =
      n == 2 ? ngrams_.orders[0].size() : arrays_.hashes.back().buckets() * NgramBucket::kSlots;
  new_numbers_.resize(list.size());
  for (int attempt = 0;; ++attempt) {
    const NgramHash hash = hash_for(list.size(), below, ngrams_.vocabulary.size(), attempt);
    if (hash.buckets() * NgramBucket::kSlots > uint64_t{1} << number_bits_)
      throw ModelError({.found = std::to_string(list.size()) + " n-grams of one order",
                        .expected = "fewer than " + std::to_string(uint64_t{1} << number_bits_),
                        .advice = "prune the model"});
    arrays_.buckets.resize(here_);
    arrays_.buckets.resize(here_ + hash.buckets());
    const auto buckets = std::span(arrays_.buckets).subspan(here_);
    if (!place_ngrams(contexts, list.word, hash, buckets, new_numbers_)) continue;
    arrays_.hashes.push_back(hash);
    return buckets;
  }
}

void LanguageModelBuilder::fill(size_t n, std::span<NgramBucket> buckets) {
  const NgramOrder& list = ngrams_.orders[n - 1];
  const std::vector<bool> contexts = contexts_of(n), extended = extended_to_left(n);
  std::vector<uint32_t> states(list.size());
  for (size_t i = 0; i < list.size(); ++i) {
    NgramBucket& bucket = buckets[new_numbers_[i] / NgramBucket::kSlots];
    const uint32_t lane = new_numbers_[i] % NgramBucket::kSlots;
    if (contexts[i]) bucket.check[lane] |= NgramBucket::kContext;
    bucket.prob[lane] = stored(list.prob[i], extended[i]);
    bucket.backoff[lane] = list.backoff.empty() ? 0.0f : list.backoff[i];
    bucket.suffix[lane] = n == 1 ? 0 : states_[list.suffix[i]];
    states[i] = contexts[i] ? static_cast<uint32_t>(n) << number_bits_ | new_numbers_[i]
                            : bucket.suffix[lane];
  }
  states_ = std::move(states);
}

// Marks in the contexts of order n - 1 the words that follow them.
void LanguageModelBuilder::mark_followed(size_t n) {
  const NgramOrder& list = ngrams_.orders[n - 1];
  const auto buckets = std::span(arrays_.buckets).subspan(below_);
  const NgramTable table = n == 2 ? NgramTable(std::span<const NgramBucket>(buckets))
                                  : NgramTable(arrays_.hashes[n - 3], buckets);
  for (size_t i = 0; i < list.size(); ++i) {
    const uint32_t number = numbers_[list.context[i]];
    buckets[number / NgramBucket::kSlots].check[number % NgramBucket::kSlots] |=
        table.filter_bit(list.word[i]);
  }
}

void LanguageModelBuilder::add_order(size_t n) {
  const NgramOrder& list = ngrams_.orders[n - 1];
  std::vector<uint32_t> contexts(list.size());
  for (size_t i = 0; i < list.size(); ++i) contexts[i] = numbers_[list.context[i]];
  here_ = arrays_.buckets.size();
  fill(n, place(n, contexts));
  mark_followed(n);
  below_ = here_;
  numbers_.swap(new_numbers_);
}

LanguageModel LanguageModelBuilder::run(const StopFlag& stop) {
  for (const NgramOrder& list : ngrams_.orders) arrays_.counts.push_back(list.size());
  add_unigrams();
  for (size_t n = 2; n <= ngrams_.orders.size(); ++n) {
    stop.check();
    add_order(n);
  }
  auto owned = std::make_shared<LanguageModel::Arrays>(std::move(arrays_));
  LanguageModel result;
  result.vocabulary_ = ngrams_.vocabulary;
  result.counts_ = owned->counts;
  result.hashes_ = owned->hashes;
  result.buckets_ = owned->buckets;
  result.owner_ = owned;
  result.lay_tables();
  return result;
}

LanguageModel LanguageModel::build(const NgramModel& ngrams, const StopFlag& stop) {
  return LanguageModelBuilder(ngrams).run(stop);
}

}  // namespace demotic::lm
