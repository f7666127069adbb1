#include "demotic/text/suffix_array.h"

#include <algorithm>
#include <utility>

#include "demotic/base/errors.h"
#include "demotic/base/portable.h"

namespace demotic::text {
namespace {

constexpr uint32_t kEmpty = UINT32_MAX;
constexpr uint32_t kAhead = 48;            // entries whose words are prefetched
constexpr uint32_t kCheckEvery = 1 << 20;  // entries between looks at the stop flag

// Suffixes are of type S (smaller than the next one) or L (larger). The leftmost suffix of a run of
// S ones is LMS. If the LMS suffixes are sorted, two scans of the array sort all others; and if
// they are only in the order of their first words, the scans sort the substrings between them.
// These are numbered by rank, and the text of their numbers, at most half as long, is sorted by the
// same algorithm. Types are not stored: reading two adjacent words, which are in one cache line, is
// cheaper than reading a bit elsewhere.
class Sorter {
 public:
  Sorter(std::span<const uint32_t> text, uint32_t words, const StopFlag& stop)
      : text_(text), size_(static_cast<uint32_t>(text.size())), words_(words), stop_(stop) {}

  HugeVector<uint32_t> sort() {
    sorted_.resize(size_);
    if (size_ < 2) return std::move(sorted_);  // {} or {0}
    HugeVector<uint32_t> lms = find_buckets();
    induce(lms);
    if (lms.empty()) return std::move(sorted_);
    order(lms);
    induce(lms);
    return std::move(sorted_);
  }

 private:
  // In the bucket of a word, the suffixes that begin with it, L comes before S. Returns the LMS
  // suffixes in the order of the text.
  HugeVector<uint32_t> find_buckets() {
    begins_.assign(words_ + 1, 0);
    first_smaller_.assign(words_, 0);
    HugeVector<uint32_t> lms;
    lms.reserve(size_ / 2);  // the most there can be; memory is used only as far as it is filled
    bool smaller = false;    // whether suffix i is of type S
    for (uint32_t i = size_; i-- > 0;) {
      const bool next_is_smaller = smaller;
      smaller = i + 1 < size_ && (text_[i] == text_[i + 1] ? smaller : text_[i] < text_[i + 1]);
      if (next_is_smaller && !smaller) lms.push_back(i + 1);
      ++begins_[text_[i] + 1];
      first_smaller_[text_[i]] += !smaller;
    }
    for (uint32_t word = 0; word < words_; ++word) {
      begins_[word + 1] += begins_[word];
      first_smaller_[word] += begins_[word];
    }
    std::ranges::reverse(lms);
    return lms;
  }

  // Whether there is a suffix, and one before it in the text.
  static bool has_one_before(uint32_t suffix) { return suffix - 1 < kEmpty - 1; }

  // Calls visit(i, suffix before sorted_[i]) for every i with one, in the given order.
  template <bool kForwards, typename Visit>
  void scan(Visit&& visit) {
    for (uint32_t k = 0; k < size_; ++k) {
      if (k % kCheckEvery == 0) stop_.check();
      const uint32_t i = kForwards ? k : size_ - 1 - k;
      const uint32_t ahead = kForwards ? i + kAhead : i - kAhead;  // wraps around to no index
      if (ahead < size_ && has_one_before(sorted_[ahead]))
        prefetch_line(&text_[sorted_[ahead] - 1]);
      if (has_one_before(sorted_[i])) visit(i, sorted_[i] - 1);
    }
  }

  void induce(const HugeVector<uint32_t>& lms) {
    std::ranges::fill(sorted_, kEmpty);
    next_.assign(first_smaller_.begin(), first_smaller_.end());
    for (const uint32_t suffix : lms) sorted_[next_[text_[suffix]]++] = suffix;
    next_.assign(begins_.begin(), begins_.end() - 1);
    sorted_[next_[text_[size_ - 1]]++] = size_ - 1;
    // If the words are equal, the suffix after is an L: before an LMS one there is another word.
    scan<true>([&](uint32_t, uint32_t suffix) {
      const uint32_t word = text_[suffix];
      if (word >= text_[suffix + 1]) sorted_[next_[word]++] = suffix;
    });
    next_.assign(begins_.begin() + 1, begins_.end());
    // If the words are equal, the suffix after is an S if it is in the part that has been filled.
    scan<false>([&](uint32_t i, uint32_t suffix) {
      const uint32_t word = text_[suffix], after = text_[suffix + 1];
      if (word < after || (word == after && next_[word] <= i)) sorted_[--next_[word]] = suffix;
    });
  }

  // Sorts LMS suffixes, which are in the order of the text, after their substrings were sorted.
  void order(HugeVector<uint32_t>& lms) {
    const HugeVector<uint32_t> reduced = ranks(lms);
    const uint32_t most = *std::ranges::max_element(reduced);
    HugeVector<uint32_t> ordered = Sorter(reduced, most + 1, stop_).sort();
    for (uint32_t& suffix : ordered) suffix = lms[suffix];
    lms = std::move(ordered);
  }

  // The rank of the substring from each LMS suffix up to the next, inclusive.
  HugeVector<uint32_t> ranks(const HugeVector<uint32_t>& lms) const {
    const auto count = static_cast<uint32_t>(lms.size());
    // LMS suffixes are never adjacent, so that half of a position identifies one. These are the
    // lengths at first. The last substring, which ends with the text, is unique: 0.
    HugeVector<uint32_t> by_half(size_ / 2 + 1);
    for (uint32_t i = 0; i + 1 < count; ++i) by_half[lms[i] / 2] = lms[i + 1] - lms[i] + 1;
    const HugeVector<uint32_t> sorted = sorted_lms(count);
    for (uint32_t i = 0, rank = 0, length = 0; i < count; ++i) {
      if (i + kAhead < count) {
        prefetch_line(&text_[sorted[i + kAhead]]);
        prefetch_for_writing(&by_half[sorted[i + kAhead] / 2]);
      }
      uint32_t& own = by_half[sorted[i] / 2];
      const uint32_t length_before = std::exchange(length, own);
      if (i > 0 &&
          !(length > 0 && length == length_before &&
            std::equal(&text_[sorted[i]], &text_[sorted[i]] + length, &text_[sorted[i - 1]])))
        ++rank;
      own = rank;
    }
    HugeVector<uint32_t> found(count);
    for (uint32_t i = 0; i < count; ++i) found[i] = by_half[lms[i] / 2];
    return found;
  }

  // In the order of all suffixes: those of type S before which there is a larger word.
  HugeVector<uint32_t> sorted_lms(uint32_t count) const {
    HugeVector<uint32_t> found;
    found.reserve(count);
    for (uint32_t word = 0; word < words_; ++word)
      for (uint32_t i = first_smaller_[word]; i < begins_[word + 1]; ++i) {
        const uint32_t ahead = i + kAhead;
        if (ahead < size_ && sorted_[ahead] > 0) prefetch_line(&text_[sorted_[ahead] - 1]);
        const uint32_t suffix = sorted_[i];
        if (suffix > 0 && text_[suffix - 1] > word) found.push_back(suffix);
      }
    return found;
  }

  std::span<const uint32_t> text_;
  uint32_t size_, words_;
  const StopFlag& stop_;
  std::vector<uint32_t> begins_, first_smaller_, next_;  // by word
  HugeVector<uint32_t> sorted_;
};

}  // namespace

HugeVector<uint32_t> suffix_array(std::span<const WordId> text, WordId words,
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
