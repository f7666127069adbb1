#include "demotic/text/suffix_array.h"

#include <algorithm>
#include <numeric>

#include "demotic/base/errors.h"
#include "demotic/base/portable.h"

namespace demotic::text {
namespace {

constexpr uint32_t kEmpty = UINT32_MAX;
constexpr uint32_t kAhead = 24;            // entries whose words are prefetched
constexpr uint32_t kCheckEvery = 1 << 20;  // entries between looks at the stop flag

// Suffixes are of type S (smaller than the next one) or L (larger). The leftmost suffix of a run of
// S ones is LMS. If the LMS suffixes are sorted, two scans of the array sort all others; and if
// they are only in the order of their first words, the scans sort the substrings between them.
// These are numbered by rank, and the text of their numbers, at most half as long, is sorted by the
// same algorithm.
class Sorter {
 public:
  Sorter(std::span<const uint32_t> text, uint32_t words, const StopFlag& stop)
      : text_(text), size_(static_cast<uint32_t>(text.size())), words_(words), stop_(stop) {}

  std::vector<uint32_t> sort() {
    sorted_.resize(size_);
    if (size_ < 2) return std::move(sorted_);  // {} or {0}
    find_types();
    find_buckets();
    std::vector<uint32_t> lms;
    for (uint32_t i = 1; i < size_; ++i)
      if (is_lms(i)) lms.push_back(i);
    induce(lms);
    if (lms.empty()) return std::move(sorted_);
    order(lms);
    induce(lms);
    return std::move(sorted_);
  }

 private:
  bool is_lms(uint32_t i) const { return i > 0 && i < size_ && smaller_[i] && !smaller_[i - 1]; }

  void find_types() {
    smaller_.assign(size_, false);
    for (uint32_t i = size_ - 1; i-- > 0;)
      smaller_[i] = text_[i] == text_[i + 1] ? smaller_[i + 1] : text_[i] < text_[i + 1];
  }

  // In the bucket of a word, the suffixes that begin with it, L comes before S.
  void find_buckets() {
    begins_.assign(words_ + 1, 0);
    first_smaller_.assign(words_, 0);
    for (uint32_t i = 0; i < size_; ++i) {
      ++begins_[text_[i] + 1];
      first_smaller_[text_[i]] += !smaller_[i];
    }
    for (uint32_t word = 0; word < words_; ++word) {
      begins_[word + 1] += begins_[word];
      first_smaller_[word] += begins_[word];
    }
  }

  // Calls visit(suffix before sorted_[i]) for every i with one, in the given order.
  template <bool kForwards, typename Visit>
  void scan(Visit&& visit) {
    for (uint32_t k = 0; k < size_; ++k) {
      if (k % kCheckEvery == 0) stop_.check();
      const uint32_t i = kForwards ? k : size_ - 1 - k;
      const uint32_t ahead = kForwards ? i + kAhead : i - kAhead;  // wraps around to no index
      if (ahead < size_ && sorted_[ahead] != kEmpty && sorted_[ahead] > 0)
        prefetch_line(&text_[sorted_[ahead] - 1]);
      const uint32_t suffix = sorted_[i];
      if (suffix != kEmpty && suffix > 0) visit(suffix - 1);
    }
  }

  void induce(const std::vector<uint32_t>& lms) {
    std::ranges::fill(sorted_, kEmpty);
    next_.assign(first_smaller_.begin(), first_smaller_.end());
    for (const uint32_t suffix : lms) sorted_[next_[text_[suffix]]++] = suffix;
    next_.assign(begins_.begin(), begins_.end() - 1);
    sorted_[next_[text_[size_ - 1]]++] = size_ - 1;
    scan<true>([&](uint32_t suffix) {
      if (!smaller_[suffix]) sorted_[next_[text_[suffix]]++] = suffix;
    });
    next_.assign(begins_.begin() + 1, begins_.end());
    scan<false>([&](uint32_t suffix) {
      if (smaller_[suffix]) sorted_[--next_[text_[suffix]]] = suffix;
    });
  }

  // Sorts LMS suffixes, which are in the order of the text, after their substrings were sorted.
  void order(std::vector<uint32_t>& lms) {
    const auto count = static_cast<uint32_t>(lms.size());
    std::vector<uint32_t> by_substring;
    by_substring.reserve(count);
    for (const uint32_t suffix : sorted_)
      if (is_lms(suffix)) by_substring.push_back(suffix);
    // LMS suffixes are never adjacent, so that half of a position identifies one.
    std::vector<uint32_t> ranks(size_ / 2 + 1, kEmpty);
    uint32_t rank = 0;
    for (uint32_t i = 0; i < count; ++i) {
      if (i > 0 && !same_substring(by_substring[i - 1], by_substring[i])) ++rank;
      ranks[by_substring[i] / 2] = rank;
    }
    std::vector<uint32_t> reduced(count);
    for (uint32_t i = 0; i < count; ++i) reduced[i] = ranks[lms[i] / 2];
    ranks = {};
    const auto order = Sorter(reduced, rank + 1, stop_).sort();
    for (uint32_t i = 0; i < count; ++i) by_substring[i] = lms[order[i]];
    lms = std::move(by_substring);
  }

  // Up to the next LMS suffix, inclusive. The last substring ends with the text and is unique.
  bool same_substring(uint32_t a, uint32_t b) const {
    for (uint32_t k = 0;; ++k) {
      if (a + k == size_ || b + k == size_ || text_[a + k] != text_[b + k]) return false;
      if (k == 0) continue;
      const bool ends = is_lms(a + k);
      if (ends != is_lms(b + k)) return false;
      if (ends) return true;
    }
  }

  std::span<const uint32_t> text_;
  uint32_t size_, words_;
  const StopFlag& stop_;
  std::vector<bool> smaller_;                            // whether a suffix is of type S
  std::vector<uint32_t> begins_, first_smaller_, next_;  // by word
  std::vector<uint32_t> sorted_;
};

}  // namespace

std::vector<uint32_t> suffix_array(std::span<const WordId> text, WordId words,
                                   const StopFlag& stop) {
  if (text.size() >= kEmpty)
    throw ModelError({.found = "a text of " + std::to_string(text.size()) + " words",
                      .expected = "fewer than 2^32 - 1 words for an index",
                      .advice = "divide the text into several models"});
  // Word ids are not negative, so that their bits are the same numbers.
  const auto* numbers = reinterpret_cast<const uint32_t*>(text.data());
  return Sorter({numbers, text.size()}, static_cast<uint32_t>(words), stop).sort();
}

}  // namespace demotic::text
