// The hash tables of a language model, one per order: from (context, word) to the data of that
// n-gram.
//
// A bucket is one cache line with four n-grams, or six if their probabilities are quantised; an
// n-gram is in its home bucket or in one other shortly after it, and never moves, so its slot also
// identifies it. A key has as many bits as
// contexts and words need and is multiplied by an odd number modulo that many bits, a bijection;
// its high part selects the home bucket, and of the rest as many low bits are stored as distinguish
// the keys of one home. These also determine the other bucket, and one bit tells which of the two
// this is. So keys are compared exactly: no two n-grams are ever confused.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "demotic/base/portable.h"
#include "demotic/lm/codebook.h"
#include "demotic/text/vocabulary.h"

namespace demotic::lm {

// One n-gram after the other in each of several arrays, by lane:
//
//   exact      4 checks, 4 probabilities, 4 backoffs, 4 suffixes
//   quantised  6 checks, 6 suffixes, 6 pairs of codes (16 bits), 6 bits of the left extensions
struct alignas(64) NgramBucket {
  uint32_t cells[16];

  // A check: the key's low bits; above them a filter of the words that follow the n-gram; then
  // flags:
  static constexpr uint32_t kFilterEnd = 28;
  static constexpr uint32_t kDisplaced = 1u << 28;  // the n-gram is not in its home bucket
  static constexpr uint32_t kContext = 1u << 29;    // the n-gram is a state
  static constexpr uint32_t kHasDisplaced =
      1u << 30;  // a key with this home and two low bits is displaced
  static constexpr uint32_t kUsed = 1u << 31;
  static constexpr uint32_t kDisplacedFlags = 4;  // lanes that have kHasDisplaced
};
static_assert(sizeof(NgramBucket) == 64);

// What is stored of an n-gram besides its key.
struct NgramData {
  float prob = 0, backoff = 0;  // log10
  bool extends_left = false;    // some n-gram extends it to the left
  uint32_t suffix = 0;          // the state after the n-gram without its first word
};

// How the n-grams of a table are stored in its buckets.
class NgramLayout {
 public:
  NgramLayout() = default;
  // Exact without a codebook.
  explicit NgramLayout(const Codebook* codebook) noexcept : codebook_(codebook) {}

  bool quantized() const noexcept { return codebook_; }
  uint32_t lanes() const noexcept { return codebook_ ? 6 : 4; }
  // N-gram i is in lane i % 2^lane_bits of its bucket; some numbers have no lane.
  uint32_t lane_bits() const noexcept { return codebook_ ? 3 : 2; }
  double load() const noexcept { return codebook_ ? 0.92 : 0.85; }  // share of used lanes

  float prob(const NgramBucket& bucket, uint32_t lane) const noexcept {
    if (!codebook_) return -std::fabs(std::bit_cast<float>(bucket.cells[4 + lane]));
    return codebook_->prob[codes(bucket, lane) & 255];
  }
  float backoff(const NgramBucket& bucket, uint32_t lane) const noexcept {
    if (!codebook_) return std::bit_cast<float>(bucket.cells[8 + lane]);
    return codebook_->backoff[codes(bucket, lane) >> 8];
  }
  bool extends_left(const NgramBucket& bucket, uint32_t lane) const noexcept {
    return codebook_ ? bucket.cells[15] >> lane & 1 : bucket.cells[4 + lane] >> 31;
  }
  uint32_t suffix(const NgramBucket& bucket, uint32_t lane) const noexcept {
    return bucket.cells[(codebook_ ? 6 : 12) + lane];
  }
  // The nearest codes are stored, if it is quantised. The lane must be empty but for its check.
  void write(NgramBucket& bucket, uint32_t lane, const NgramData& data) const noexcept;

 private:
  static uint32_t codes(const NgramBucket& bucket, uint32_t lane) noexcept {
    return bucket.cells[12 + lane / 2] >> (lane % 2 * 16) & 0xffff;
  }
  const Codebook* codebook_ = nullptr;
};

// The mapping from keys to buckets; stored with the table.
struct NgramHash {
  uint32_t key_bits = 2;  // of context and word together
  uint32_t word_bits = 1;
  uint32_t homes = 1;       // number of home buckets; a few more follow for displaced n-grams
  uint32_t check_bits = 2;  // number of stored bits of the key

  static constexpr uint32_t kMaxDistance = 64;  // maximum distance between home and other bucket
  uint64_t buckets() const noexcept { return uint64_t{homes} + kMaxDistance; }
  // The number of low bits of the key that distinguish the keys of one home.
  uint32_t needed_bits() const noexcept;
  uint64_t multiplier() const noexcept {
    return (0x9e3779b97f4a7c15u >> (64 - key_bits)) | 1;  // 2^key_bits / golden ratio
  }
  uint32_t check_mask() const noexcept { return (1u << check_bits) - 1; }
  // The distance between the home and the other bucket of a key with these low bits.
  static uint32_t distance(uint32_t check) noexcept { return 1 + (check * 0x9e3779b9u >> 26); }

  // Of a key that is shifted as in NgramTable: its stored bits, its home and its other bucket.
  uint32_t check(uint64_t key) const noexcept {
    return static_cast<uint32_t>(key >> (64 - key_bits)) & check_mask();
  }
  uint64_t home(uint64_t key) const noexcept { return multiply_high(key, homes); }
  uint64_t other(uint64_t key) const noexcept { return home(key) + distance(check(key)); }
};
static_assert(sizeof(NgramHash) == 16);

// The position of an n-gram; null if it was not found.
struct NgramSlot {
  const NgramBucket* bucket = nullptr;
  uint32_t lane = 0;
};

// A view; the memory belongs to the model. Safe to share between threads.
class NgramTable {
 public:
  NgramTable() = default;
  NgramTable(const NgramHash& hash, std::span<const NgramBucket> buckets,
             NgramLayout layout = {}) noexcept
      : buckets_(buckets.data()),
        layout_(layout),
        multiplier_(hash.multiplier() << (64 - hash.key_bits)),
        homes_(hash.homes),
        word_bits_(hash.word_bits),
        key_shift_(64 - hash.key_bits),
        check_mask_(hash.check_mask()),
        filter_begin_(hash.check_bits),
        hash_(hash) {}

  // Unigrams need no search: word i is in slot i. Only `at` and the filter apply to them.
  explicit NgramTable(std::span<const NgramBucket> unigrams) noexcept : buckets_(unigrams.data()) {}

  // The key, shifted so that its low end is at bit 64 - key_bits.
  uint64_t key(uint32_t context, WordId word) const noexcept {
    return (uint64_t{context} << word_bits_ | static_cast<uint32_t>(word)) * multiplier_;
  }
  void prefetch(uint64_t key) const noexcept { prefetch_line(home(key)); }
  // Prefetches the other bucket of the key, for callers that wait for each result.
  void prefetch_other(uint64_t key) const noexcept {
    const uint32_t check = static_cast<uint32_t>(key >> key_shift_) & check_mask_;
    prefetch_line(home(key) + NgramHash::distance(check));
  }
  NgramSlot find(uint64_t key) const noexcept {
    const uint32_t check = static_cast<uint32_t>(key >> key_shift_) & check_mask_;
    const NgramBucket* bucket = home(key);
    uint32_t hits = matches(*bucket, check | NgramBucket::kUsed);
    if (!hits) {
      if (!(bucket->cells[check % NgramBucket::kDisplacedFlags] & NgramBucket::kHasDisplaced))
        return {};
      bucket += NgramHash::distance(check);
      hits = matches(*bucket, check | NgramBucket::kUsed | NgramBucket::kDisplaced);
      if (!hits) return {};
    }
    return {bucket, static_cast<uint32_t>(std::countr_zero(hits))};
  }
  // The index of a slot, and the inverse.
  uint32_t number(NgramSlot slot) const noexcept {
    return static_cast<uint32_t>(slot.bucket - buckets_) << layout_.lane_bits() | slot.lane;
  }
  NgramSlot at(uint32_t number) const noexcept {
    const uint32_t bits = layout_.lane_bits();
    return {buckets_ + (number >> bits), number & ((1u << bits) - 1)};
  }
  // False only if the word never follows this n-gram; may be true even if it does not.
  bool may_precede(NgramSlot slot, WordId word) const noexcept {
    return slot.bucket->cells[slot.lane] & filter_bit(word);
  }
  uint32_t filter_bit(WordId word) const noexcept {
    const uint64_t mixed = static_cast<uint32_t>(word) * 0x9e3779b9u;
    return 1u << (filter_begin_ + (mixed * (NgramBucket::kFilterEnd - filter_begin_) >> 32));
  }

  float prob(NgramSlot slot) const noexcept { return layout_.prob(*slot.bucket, slot.lane); }
  float backoff(NgramSlot slot) const noexcept { return layout_.backoff(*slot.bucket, slot.lane); }
  uint32_t suffix(NgramSlot slot) const noexcept { return layout_.suffix(*slot.bucket, slot.lane); }
  bool extends_left(NgramSlot slot) const noexcept {
    return layout_.extends_left(*slot.bucket, slot.lane);
  }

  const NgramHash& hash() const noexcept { return hash_; }
  // One more than the highest index of a slot.
  uint64_t slots() const noexcept { return hash_.buckets() << layout_.lane_bits(); }
  bool used(uint32_t number) const noexcept { return flag(number, NgramBucket::kUsed); }
  bool is_context(uint32_t number) const noexcept { return flag(number, NgramBucket::kContext); }
  // The context index and the word of the n-gram in a used slot: the inverse of `key`. For a slot
  // that no key leads to, as in damaged files, the numbers are arbitrary.
  std::pair<uint64_t, uint64_t> ngram(uint32_t number) const noexcept;
  // Whether searches stay inside `size` buckets, for `words` words and `contexts` contexts.
  bool sound(uint64_t size, uint64_t contexts, WordId words) const noexcept;

 private:
  bool flag(uint32_t number, uint32_t which) const noexcept {
    const NgramSlot slot = at(number);
    return slot.lane < layout_.lanes() && slot.bucket->cells[slot.lane] & which;
  }
  const NgramBucket* home(uint64_t key) const noexcept {
    return buckets_ + multiply_high(key, homes_);
  }
  // A bit per slot whose key is the wanted one.
  uint32_t matches(const NgramBucket& bucket, uint32_t wanted) const noexcept {
    const uint32_t compared = check_mask_ | NgramBucket::kUsed | NgramBucket::kDisplaced;
#if defined(__SSE2__)
    const auto four = [&](const uint32_t* from) {
      const __m128i checks = _mm_load_si128(reinterpret_cast<const __m128i*>(from));
      const __m128i keys = _mm_and_si128(checks, _mm_set1_epi32(static_cast<int>(compared)));
      const __m128i equal = _mm_cmpeq_epi32(keys, _mm_set1_epi32(static_cast<int>(wanted)));
      return static_cast<uint32_t>(_mm_movemask_ps(_mm_castsi128_ps(equal)));
    };
    const uint32_t first = four(bucket.cells);
    return layout_.quantized() ? first | (four(bucket.cells + 4) & 3) << 4 : first;
#else
    uint32_t hits = 0;
    for (uint32_t i = 0; i < layout_.lanes(); ++i)
      hits |= static_cast<uint32_t>((bucket.cells[i] & compared) == wanted) << i;
    return hits;
#endif
  }

  const NgramBucket* buckets_ = nullptr;
  NgramLayout layout_;
  uint64_t multiplier_ = 0;
  uint64_t homes_ = 1;
  uint32_t word_bits_ = 1, key_shift_ = 0, check_mask_ = 0, filter_begin_ = 0;
  NgramHash hash_;
};

// A hash with room for `ngrams` n-grams; `attempt` counts previous tables that were too small.
NgramHash hash_for(uint64_t ngrams, uint64_t contexts, WordId words, int attempt,
                   NgramLayout layout = {});

// Throws ModelError if the slots of a table for `ngrams` n-grams exceed `number_bits` bits.
void check_numbers(const NgramHash& hash, NgramLayout layout, uint64_t ngrams,
                   uint32_t number_bits);

}  // namespace demotic::lm
