// Builds the automaton from n-gram lists.
#include "demotic/base/huge_pages.h"
#include "demotic/lm/language_model.h"
#include "demotic/lm/ngram_placement.h"

namespace demotic::lm {

struct LanguageModel::Arrays {
  std::vector<uint64_t> counts;
  std::vector<NgramHash> hashes;
  HugeVector<NgramBucket> buckets;
  std::vector<Codebook> codebooks;
};

class LanguageModelBuilder {
 public:
  LanguageModelBuilder(const NgramModel& ngrams, bool quantized)
      : ngrams_(ngrams), number_bits_(state_number_bits(ngrams.order())) {
    for (size_t n = 2; quantized && n <= ngrams.orders.size(); ++n)
      arrays_.codebooks.push_back(codebook_of(ngrams.orders[n - 1]));
  }
  LanguageModel run(const StopFlag& stop);

 private:
  std::vector<bool> contexts_of(size_t n) const;
  std::vector<bool> extended_to_left(size_t n) const;
  void add_unigrams();
  void add_order(size_t n);
  std::span<NgramBucket> place(size_t n, std::span<const uint32_t> contexts);
  void fill(size_t n, std::span<NgramBucket> buckets);
  void mark_followed(size_t n);
  // Unigrams are not quantised.
  NgramLayout layout(size_t n) const noexcept {
    return NgramLayout(n == 1 || arrays_.codebooks.empty() ? nullptr : &arrays_.codebooks[n - 2]);
  }

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

void LanguageModelBuilder::add_unigrams() {
  const size_t words = ngrams_.orders[0].size();
  arrays_.buckets.resize(unigram_buckets(static_cast<WordId>(words)));
  for (uint32_t i = 0; i < words; ++i) {
    new_numbers_.push_back(i);
    arrays_.buckets[i / 4].cells[i % 4] = NgramBucket::kUsed;
  }
  fill(1, arrays_.buckets);
  numbers_.swap(new_numbers_);
}

std::span<NgramBucket> LanguageModelBuilder::place(size_t n, std::span<const uint32_t> contexts) {
  const NgramOrder& list = ngrams_.orders[n - 1];
  const uint64_t below = n == 2 ? ngrams_.orders[0].size()
                                : arrays_.hashes.back().buckets() << layout(n - 1).lane_bits();
  new_numbers_.resize(list.size());
  for (int attempt = 0;; ++attempt) {
    const NgramHash hash =
        hash_for(list.size(), below, ngrams_.vocabulary.size(), attempt, layout(n));
    check_numbers(hash, layout(n), list.size(), number_bits_);
    arrays_.buckets.resize(here_);
    arrays_.buckets.resize(here_ + hash.buckets());
    const auto buckets = std::span(arrays_.buckets).subspan(here_);
    if (!place_ngrams(contexts, list.word, hash, buckets, new_numbers_, layout(n))) continue;
    arrays_.hashes.push_back(hash);
    return buckets;
  }
}

void LanguageModelBuilder::fill(size_t n, std::span<NgramBucket> buckets) {
  const NgramOrder& list = ngrams_.orders[n - 1];
  const std::vector<bool> contexts = contexts_of(n), extended = extended_to_left(n);
  std::vector<uint32_t> states(list.size());
  const NgramLayout layout = this->layout(n);
  const uint32_t lane_mask = (1u << layout.lane_bits()) - 1;
  for (size_t i = 0; i < list.size(); ++i) {
    NgramBucket& bucket = buckets[new_numbers_[i] >> layout.lane_bits()];
    const uint32_t lane = new_numbers_[i] & lane_mask;
    if (contexts[i]) bucket.cells[lane] |= NgramBucket::kContext;
    const uint32_t suffix = n == 1 ? 0 : states_[list.suffix[i]];
    layout.write(bucket, lane,
                 {.prob = list.prob[i],
                  .backoff = list.backoff.empty() ? 0.0f : list.backoff[i],
                  .extends_left = extended[i],
                  .suffix = suffix});
    states[i] = contexts[i] ? static_cast<uint32_t>(n) << number_bits_ | new_numbers_[i] : suffix;
  }
  states_ = std::move(states);
}

// Marks in the contexts of order n - 1 the words that follow them.
void LanguageModelBuilder::mark_followed(size_t n) {
  const NgramOrder& list = ngrams_.orders[n - 1];
  const auto buckets = std::span(arrays_.buckets).subspan(below_);
  const NgramTable table = n == 2 ? NgramTable(std::span<const NgramBucket>(buckets))
                                  : NgramTable(arrays_.hashes[n - 3], buckets, layout(n - 1));
  for (size_t i = 0; i < list.size(); ++i) {
    const NgramSlot slot = table.at(numbers_[list.context[i]]);
    buckets[static_cast<size_t>(slot.bucket - buckets.data())].cells[slot.lane] |=
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
  result.codebooks_ = owned->codebooks;
  result.owner_ = owned;
  result.lay_tables();
  return result;
}

LanguageModel LanguageModel::build(const NgramModel& ngrams, const StopFlag& stop, bool quantized) {
  return LanguageModelBuilder(ngrams, quantized).run(stop);
}

}  // namespace demotic::lm
