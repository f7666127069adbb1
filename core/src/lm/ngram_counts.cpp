#include "demotic/lm/ngram_counts.h"

#include <algorithm>
#include <limits>

#include "demotic/base/errors.h"
#include "demotic/base/portable.h"

namespace demotic::lm {
namespace {

constexpr size_t kCountsAhead = 16;  // prefetch distance

// A position in the text <s> ... </s> <s> ... </s>.
struct Place {
  uint32_t word;
  uint32_t ngram;  // the n-gram of the current order that ends here
};

// A word and its position, packed into one sortable number.
using Occurrence = uint64_t;
Occurrence occurrence(uint32_t word, uint32_t place) { return uint64_t{word} << 32 | place; }
uint32_t word_of(Occurrence o) { return static_cast<uint32_t>(o >> 32); }
uint32_t place_of(Occurrence o) { return static_cast<uint32_t>(o); }

// Sorts by word, stable (by position). Digits of 11 bits, lowest first.
void radix_sort(std::vector<Occurrence>& items, std::vector<Occurrence>& scratch, uint32_t words) {
  constexpr int kBits = 11;
  scratch.resize(items.size());
  for (int shift = 32; shift < 64 && (uint64_t{words} << 32 >> shift) > 0; shift += kBits) {
    uint32_t counts[1 << kBits] = {};
    const auto digit = [&](Occurrence o) { return (o >> shift) & ((1u << kBits) - 1); };
    for (const Occurrence o : items) ++counts[digit(o)];
    uint32_t at = 0;
    for (uint32_t& count : counts) at += std::exchange(count, at);
    for (const Occurrence o : items) scratch[counts[digit(o)]++] = o;
    items.swap(scratch);
  }
}

void insertion_sort(std::vector<Occurrence>& items) {
  for (size_t i = 1; i < items.size(); ++i) {
    const Occurrence o = items[i];
    size_t j = i;
    for (; j > 0 && items[j - 1] > o; --j) items[j] = items[j - 1];
    items[j] = o;
  }
}

class Counter {
 public:
  Counter(const Corpus& corpus, const Vocabulary& vocabulary) {
    renumber(corpus, vocabulary);
    lay_out(corpus);
    count_unigrams();
  }

  void count_next_order(bool last, const StopFlag& stop);
  NgramCounts finish() { return std::move(result_); }

 private:
  void renumber(const Corpus& corpus, const Vocabulary& vocabulary);
  void lay_out(const Corpus& corpus);
  void count_unigrams();
  void gather(size_t begin, size_t end);
  void emit_group(uint32_t context, bool last, CountedOrder& to);

  NgramCounts result_;
  std::vector<uint32_t> new_id_;
  std::vector<Place> text_;
  std::vector<uint32_t> ends_;       // end positions of n-grams, sorted by n-gram
  std::vector<uint32_t> next_ends_;  // the same for the next order
  std::vector<Occurrence> group_, scratch_;
};

// Renumbers the words that occur, in the order of their old ids.
void Counter::renumber(const Corpus& corpus, const Vocabulary& vocabulary) {
  const std::vector<int64_t> counts = count_words(corpus, vocabulary.size());
  for (WordId id = 0; id < kReservedWords; ++id) {
    if (counts[id] == 0) continue;
    throw ModelError(
        {.found = std::to_string(counts[id]) + " tokens that are not in the vocabulary",
         .expected = "text encoded with a vocabulary of all its words",
         .advice = "give the text itself, not text encoded for another model"});
  }
  VocabularyBuilder builder;
  new_id_.resize(counts.size());
  for (WordId id = kReservedWords; id < vocabulary.size(); ++id)
    if (counts[id] > 0) new_id_[id] = static_cast<uint32_t>(builder.add(vocabulary.word(id)));
  result_.vocabulary = builder.finish();
}

void Counter::lay_out(const Corpus& corpus) {
  const size_t size = corpus.words().size() + 2 * static_cast<size_t>(corpus.size());
  if (corpus.size() == 0)
    throw ModelError({.found = "no text", .expected = "at least one sentence"});
  if (size >= std::numeric_limits<uint32_t>::max())
    throw ModelError({.found = std::to_string(size) + " tokens",
                      .expected = "fewer than 4294967295",
                      .advice = "estimate it on disk: demotic lm --memory 8G"});
  text_.reserve(size);
  for (int64_t i = 0; i < corpus.size(); ++i) {
    text_.push_back({kSentenceBegin, kSentenceBegin});
    for (const WordId word : corpus[i]) text_.push_back({new_id_[word], new_id_[word]});
    text_.push_back({kSentenceEnd, kSentenceEnd});
  }
}

void Counter::count_unigrams() {
  CountedOrder unigrams;
  unigrams.count.resize(result_.vocabulary.size());
  for (const Place& place : text_) ++unigrams.count[place.word];
  std::vector<uint32_t> at(unigrams.count.size());
  uint32_t sum = 0;
  for (size_t i = 0; i < at.size(); ++i) {
    unigrams.word.push_back(static_cast<WordId>(i));
    at[i] = sum;
    sum += unigrams.count[i];
  }
  ends_.resize(text_.size());
  for (size_t i = 0; i < text_.size(); ++i) ends_[at[text_[i].word]++] = static_cast<uint32_t>(i);
  // <unk>, without occurrences, comes before it; only the index of <s> is used below.
  unigrams.begin_with_bos = kSentenceBegin + 1;
  result_.orders.push_back(std::move(unigrams));
}

// The words to the right of ends_[begin, end), sorted.
void Counter::gather(size_t begin, size_t end) {
  group_.clear();
  for (size_t i = begin; i < end; ++i) {
    if (i + kCountsAhead < ends_.size()) prefetch_for_writing(&text_[ends_[i + kCountsAhead]] + 1);
    const uint32_t place = ends_[i] + 1;
    group_.push_back(occurrence(text_[place].word, place));
  }
  if (group_.size() < 24) {
    insertion_sort(group_);
  } else if (group_.size() < 2048) {
    std::sort(group_.begin(), group_.end());
  } else {
    radix_sort(group_, scratch_, static_cast<uint32_t>(result_.vocabulary.size()));
  }
}

// Emits the n-grams with one context. The index of the n-gram replaces that of its suffix, which is
// not needed any more.
void Counter::emit_group(uint32_t context, bool last, CountedOrder& to) {
  for (size_t i = 0; i < group_.size();) {
    const uint32_t word = word_of(group_[i]);
    const auto index = static_cast<uint32_t>(to.size());
    to.context.push_back(context);
    to.suffix.push_back(text_[place_of(group_[i])].ngram);
    to.word.push_back(static_cast<WordId>(word));
    const size_t first = i;
    for (; i < group_.size() && word_of(group_[i]) == word; ++i) {
      if (last) continue;
      text_[place_of(group_[i])].ngram = index;
      next_ends_.push_back(place_of(group_[i]));
    }
    to.count.push_back(static_cast<uint32_t>(i - first));
  }
}

void Counter::count_next_order(bool last, const StopFlag& stop) {
  const CountedOrder& from = result_.orders.back();
  CountedOrder to;
  next_ends_.clear();
  if (!last) next_ends_.reserve(ends_.size());
  size_t begin = 0;
  for (uint32_t context = 0; context < from.size(); ++context) {
    if (context % 65536 == 0) stop.check();
    const size_t end = begin + from.count[context];
    if (from.word[context] != kSentenceEnd) {
      gather(begin, end);
      emit_group(context, last, to);
    }
    if (context + 1 == from.begin_with_bos) to.begin_with_bos = to.size();
    begin = end;
  }
  ends_.swap(next_ends_);
  result_.orders.push_back(std::move(to));
}

}  // namespace

NgramCounts count_ngrams(const Corpus& corpus, const Vocabulary& vocabulary, int order,
                         const StopFlag& stop, Progress& progress) {
  Counter counter(corpus, vocabulary);
  for (int n = 2; n <= order; ++n) {
    progress.advance();
    counter.count_next_order(n == order, stop);
  }
  return counter.finish();
}

}  // namespace demotic::lm
