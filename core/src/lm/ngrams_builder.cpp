#include <algorithm>

#include "demotic/lm/ngrams.h"

namespace demotic::lm {
namespace {

uint64_t key(uint32_t context, WordId word) noexcept {
  return uint64_t{context} << 32 | static_cast<uint32_t>(word);
}

}  // namespace

NgramBuilder::NgramBuilder(Vocabulary vocabulary, int order, std::span<const uint64_t> expected)
    : index_(order - 1) {
  // The number announced by a file is a hint and must not exhaust memory.
  constexpr uint64_t kHint = uint64_t{1} << 20;
  for (size_t n = 2; n <= expected.size(); ++n)
    index_[n - 2] = Index(std::min(expected[n - 1], kHint));
  model_.vocabulary = std::move(vocabulary);
  model_.orders.resize(order);
  NgramOrder& unigrams = model_.orders[0];
  const WordId words = model_.vocabulary.size();
  for (WordId word = 0; word < words; ++word) unigrams.word.push_back(word);
  unigrams.prob.resize(words, kNeverLog10);
  if (order > 1) unigrams.backoff.resize(words, 0.0f);
}

uint32_t NgramBuilder::child(int order, uint32_t context, WordId word) const noexcept {
  if (order == 1) return static_cast<uint32_t>(word);
  const uint32_t* found = index_[order - 2].find(key(context, word));
  return found ? *found : kNone;
}

// Files are mostly sorted: the n-gram is usually found soon after the last one of its order.
uint32_t NgramBuilder::child_after(int order, uint32_t last, uint32_t context, WordId word) const {
  constexpr uint32_t kLookAhead = 4;
  const NgramOrder& list = model_.orders[order - 1];
  if (order > 1)
    for (uint32_t i = last + 1; i < std::min<size_t>(list.size(), size_t{last} + 1 + kLookAhead);
         ++i)
      if (list.context[i] == context && list.word[i] == word) return i;
  return child(order, context, word);
}

// The index of the n-gram `words`, or kNone; walks only the part that differs from the last query.
uint32_t NgramBuilder::locate(std::span<const WordId> words) {
  size_t same = 0;
  while (same < std::min(words.size(), known_) && words[same] == last_words_[same]) ++same;
  for (known_ = same; known_ < words.size(); ++known_) {
    const uint32_t context = known_ == 0 ? 0 : last_path_[known_ - 1];
    const uint32_t at =
        child_after(static_cast<int>(known_) + 1, last_path_[known_], context, words[known_]);
    if (at == kNone) return kNone;
    last_words_[known_] = words[known_];
    last_path_[known_] = at;
  }
  return last_path_[words.size() - 1];
}

// Appends the n-gram unless it exists; returns its index, and whether it is new.
std::pair<uint32_t, bool> NgramBuilder::append(int order, uint32_t context, WordId word) {
  NgramOrder& list = model_.orders[order - 1];
  const auto [at, fresh] = index_[order - 2].insert(key(context, word));
  if (!fresh) return {at, false};
  at = static_cast<uint32_t>(list.size());
  list.context.push_back(context);
  list.suffix.push_back(suffix_of(order, context, word));
  list.word.push_back(word);
  list.prob.push_back(0.0f);
  if (order < model_.order()) list.backoff.push_back(0.0f);
  return {at, true};
}

// The suffix of the n-gram (context, word), added if it is missing. Its context is the suffix of
// `context`, which exists because every n-gram here was added with its suffixes.
uint32_t NgramBuilder::suffix_of(int order, uint32_t context, WordId word) {
  if (order == 2) return static_cast<uint32_t>(word);
  const uint32_t shorter = model_.orders[order - 2].suffix[context];
  const auto [at, fresh] = append(order - 1, shorter, word);
  if (fresh) {
    NgramOrder& list = model_.orders[order - 2];
    const NgramOrder& below = model_.orders[order - 3];
    list.prob[at] = below.prob[list.suffix[at]] + below.backoff[shorter];
  }
  return at;
}

NgramBuilder::Outcome NgramBuilder::add(std::span<const WordId> words, float prob, float backoff) {
  const int order = static_cast<int>(words.size());
  const uint32_t context = locate(words.first(words.size() - 1));
  if (context == kNone) return Outcome::kNoContext;
  const auto [at, fresh] = append(order, context, words.back());
  if (!fresh) return Outcome::kDuplicate;
  NgramOrder& list = model_.orders[order - 1];
  list.prob[at] = prob;
  if (order < model_.order()) list.backoff[at] = backoff;
  return Outcome::kAdded;
}

NgramModel NgramBuilder::finish() {
  index_.clear();
  return std::move(model_);
}

}  // namespace demotic::lm
