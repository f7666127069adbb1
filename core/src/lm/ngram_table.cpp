#include "demotic/lm/ngram_table.h"

#include <algorithm>
#include <cmath>

namespace demotic {
namespace {

constexpr double kLoad = 0.85;
constexpr uint32_t kSpare = 64;      // buckets after the last home
constexpr uint32_t kFilterBits = 1;  // at least this many for the filter of words
constexpr size_t kAhead = 16;        // how many n-grams ahead memory is fetched

// The inverse of an odd number modulo 2^64, by Newton's iteration.
uint64_t inverse(uint64_t odd) noexcept {
  uint64_t x = odd;
  for (int i = 0; i < 6; ++i) x *= 2 - odd * x;
  return x;
}

uint32_t bits_for(uint64_t values) noexcept {
  return static_cast<uint32_t>(std::bit_width(std::max<uint64_t>(values, 2) - 1));
}

uint64_t mask_of(uint32_t bits) noexcept { return ~uint64_t{0} >> (64 - bits); }

}  // namespace

uint64_t NgramHash::buckets() const noexcept { return uint64_t{homes} + kSpare; }

// A search meets n-grams whose homes are at most `reach` away on either side. At least two bits:
// they choose the slot that remembers what has passed.
uint32_t NgramHash::needed_bits() const noexcept {
  const double home_size = std::ldexp(1.0, static_cast<int>(key_bits)) / homes + 1;
  const double keys = std::ceil((2.0 * reach + 2) * home_size);
  const int needed = std::max(2, static_cast<int>(std::ceil(std::log2(keys))));
  return std::min(static_cast<uint32_t>(needed), key_bits);
}

NgramHash hash_for(uint64_t ngrams, uint64_t contexts, WordId words, int attempt) {
  NgramHash hash;
  hash.word_bits = bits_for(words);
  hash.key_bits = hash.word_bits + bits_for(contexts);
  const double room = static_cast<double>(ngrams) / (NgramBucket::kSlots * kLoad);
  hash.homes = static_cast<uint32_t>(std::ceil(std::max(1.0, room * std::pow(1.25, attempt))));
  return hash;
}

bool place_ngrams(std::span<const uint32_t> contexts, std::span<const WordId> words,
                  NgramHash& hash, std::span<NgramBucket> buckets, std::span<uint32_t> numbers) {
  hash.check_bits = std::min(hash.key_bits, NgramBucket::kFilterEnd - kFilterBits);
  const uint64_t multiplier = hash.multiplier(), mask = mask_of(hash.key_bits);
  const auto key_of = [&](size_t i) {
    const uint64_t plain =
        uint64_t{contexts[i]} << hash.word_bits | static_cast<uint32_t>(words[i]);
    return (plain * multiplier) & mask;
  };
  const auto home_of = [&](uint64_t key) {
    return static_cast<uint64_t>(static_cast<unsigned __int128>(key) * hash.homes >> hash.key_bits);
  };
  for (size_t i = 0; i < contexts.size(); ++i) {
    if (i + kAhead < contexts.size()) __builtin_prefetch(&buckets[home_of(key_of(i + kAhead))], 1);
    const uint64_t key = key_of(i), home = home_of(key);
    const auto low = static_cast<uint32_t>(key);
    uint64_t at = home;
    uint32_t lane = 0;
    for (;; ++at) {
      if (at == buckets.size()) return false;
      for (lane = 0; lane < NgramBucket::kSlots && (buckets[at].check[lane] & NgramBucket::kUsed);)
        ++lane;
      if (lane < NgramBucket::kSlots) break;
      buckets[at].check[low % NgramBucket::kSlots] |= NgramBucket::kPassed;
    }
    buckets[at].check[lane] |=
        NgramBucket::kUsed | (low & static_cast<uint32_t>(mask_of(hash.check_bits)));
    numbers[i] = static_cast<uint32_t>(at * NgramBucket::kSlots + lane);
    hash.reach = std::max(hash.reach, static_cast<uint32_t>(at - home));
  }
  const uint32_t stored = hash.check_bits;
  hash.check_bits = hash.needed_bits();
  if (hash.check_bits > stored) return false;
  // What is not needed makes room for the filter.
  const auto unneeded = static_cast<uint32_t>(mask_of(stored) & ~mask_of(hash.check_bits));
  for (NgramBucket& bucket : buckets)
    for (uint32_t& check : bucket.check) check &= ~unneeded;
  return true;
}

std::pair<uint32_t, WordId> NgramTable::ngram(uint32_t number) const noexcept {
  // The home lies at most `reach` before the bucket: the first key with such a home, and the stored
  // low bits, give the key.
  const uint64_t bucket = number / NgramBucket::kSlots;
  const uint64_t first_home = bucket > hash_.reach ? bucket - hash_.reach : 0;
  const auto first_key = static_cast<uint64_t>(
      (static_cast<unsigned __int128>(first_home) << hash_.key_bits) / hash_.homes);
  const NgramSlot slot = at(number);
  const uint64_t low_mask = mask_of(hash_.check_bits);
  const uint64_t distance = (slot.bucket->check[slot.lane] - first_key) & low_mask;
  const uint64_t plain =
      ((first_key + distance) * inverse(hash_.multiplier())) & mask_of(hash_.key_bits);
  return {static_cast<uint32_t>(plain >> hash_.word_bits),
          static_cast<WordId>(plain & mask_of(hash_.word_bits))};
}

bool NgramTable::sound(uint64_t size, uint64_t contexts, WordId words) const noexcept {
  if (size != hash_.buckets() || hash_.homes == 0 || hash_.reach >= size ||
      hash_.word_bits != bits_for(words) ||
      hash_.key_bits != hash_.word_bits + bits_for(contexts) || hash_.key_bits > 64 ||
      hash_.check_bits != hash_.needed_bits() ||
      hash_.check_bits > NgramBucket::kFilterEnd - kFilterBits)
    return false;
  for (const uint32_t check : buckets_[size - 1].check)
    if (check & NgramBucket::kPassed) return false;
  return true;
}

}  // namespace demotic
