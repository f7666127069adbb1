#include <algorithm>

#include "demotic/lm/ngrams.h"

namespace demotic {
namespace {

uint64_t key(uint32_t context, WordId word) noexcept {
  return uint64_t{context} << 32 | static_cast<uint32_t>(word);
}

}  // namespace

NgramBuilder::NgramBuilder(Vocabulary vocabulary, int order) : index_(order - 1) {
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

// The index of the n-gram `words`, or kNone; walks only where it differs from the last one asked.
uint32_t NgramBuilder::locate(std::span<const WordId> words) noexcept {
  size_t same = 0;
  while (same < std::min(words.size(), last_words_.size()) && words[same] == last_words_[same])
    ++same;
  last_words_.assign(words.begin(), words.end());
  last_path_.resize(same);
  for (size_t i = same; i < words.size(); ++i) {
    const uint32_t at = child(static_cast<int>(i) + 1, i == 0 ? 0 : last_path_.back(), words[i]);
    if (at == kNone) {
      last_words_.resize(i);
      return kNone;
    }
    last_path_.push_back(at);
  }
  return last_path_.back();
}

uint32_t NgramBuilder::append(int order, uint32_t context, WordId word, float prob) {
  NgramOrder& list = model_.orders[order - 1];
  const auto at = static_cast<uint32_t>(list.size());
  // Before the n-gram itself, for this may add to the orders below.
  const uint32_t suffix = suffix_of(order, context, word);
  list.context.push_back(context);
  list.suffix.push_back(suffix);
  list.word.push_back(word);
  list.prob.push_back(prob);
  if (order < model_.order()) list.backoff.push_back(0.0f);
  index_[order - 2][key(context, word)] = at;
  return at;
}

// The suffix of the n-gram (context, word). Its own context is the suffix of `context`, which is
// there because every n-gram here came with its suffixes.
uint32_t NgramBuilder::suffix_of(int order, uint32_t context, WordId word) {
  if (order == 2) return static_cast<uint32_t>(word);
  const uint32_t shorter = model_.orders[order - 2].suffix[context];
  const uint32_t found = child(order - 1, shorter, word);
  if (found != kNone) return found;
  const uint32_t below = suffix_of(order - 1, shorter, word);
  const float prob =
      model_.orders[order - 3].prob[below] + model_.orders[order - 3].backoff[shorter];
  return append(order - 1, shorter, word, prob);
}

NgramBuilder::Outcome NgramBuilder::add(std::span<const WordId> words, float prob, float backoff) {
  const int order = static_cast<int>(words.size());
  const uint32_t context = locate(words.first(words.size() - 1));
  if (context == kNone) return Outcome::kNoContext;
  if (child(order, context, words.back()) != kNone) return Outcome::kDuplicate;
  const uint32_t at = append(order, context, words.back(), prob);
  if (order < model_.order()) model_.orders[order - 1].backoff[at] = backoff;
  return Outcome::kAdded;
}

NgramModel NgramBuilder::finish() {
  index_.clear();
  return std::move(model_);
}

}  // namespace demotic
