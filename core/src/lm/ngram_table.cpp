#include "demotic/lm/ngram_table.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "demotic/base/errors.h"
#include "demotic/base/portable.h"

namespace demotic::lm {
namespace {

constexpr int kMaxCheckBits =
    NgramBucket::kFilterEnd - 1;  // leaves at least one bit for the filter

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

// The smallest key at or after `home`, for keys of `bits` bits.
uint64_t first_key(uint64_t home, uint32_t bits, uint32_t homes) noexcept {
  return divide_scaled_up(home, bits, homes);
}

}  // namespace

void NgramLayout::write(NgramBucket& bucket, uint32_t lane, const NgramData& data) const noexcept {
  if (!codebook_) {
    const float prob = std::fabs(data.prob);
    bucket.cells[4 + lane] = std::bit_cast<uint32_t>(data.extends_left ? -prob : prob);
    bucket.cells[8 + lane] = std::bit_cast<uint32_t>(data.backoff);
    bucket.cells[12 + lane] = data.suffix;
    return;
  }
  const uint32_t codes = codebook_->prob_code(data.prob) | codebook_->backoff_code(data.backoff)
                                                               << 8;
  bucket.cells[6 + lane] = data.suffix;
  bucket.cells[12 + lane / 2] |= codes << (lane % 2 * 16);
  bucket.cells[15] |= uint32_t{data.extends_left} << lane;
}

// At least two bits: they choose the slot that records that a key is displaced.
uint32_t NgramHash::needed_bits() const noexcept {
  const uint64_t keys_per_home = first_key(1, key_bits, homes);
  return std::min(std::max(2u, bits_for(keys_per_home)), key_bits);
}

NgramHash hash_for(uint64_t ngrams, uint64_t contexts, WordId words, int attempt,
                   NgramLayout layout) {
  NgramHash hash;
  hash.word_bits = bits_for(words);
  hash.key_bits = hash.word_bits + bits_for(contexts);
  const double room = static_cast<double>(ngrams) / (layout.lanes() * layout.load());
  // Few n-grams over many words need extra homes, so that the stored bits suffice for their keys.
  const double least = std::ldexp(1.0, static_cast<int>(hash.key_bits) - kMaxCheckBits);
  const double homes = std::ceil(std::max({1.0, least, room * std::pow(1.25, attempt)}));
  hash.homes = static_cast<uint32_t>(std::min(homes, 0x1p31));
  hash.check_bits = hash.needed_bits();
  return hash;
}

void check_numbers(const NgramHash& hash, NgramLayout layout, uint64_t ngrams,
                   uint32_t number_bits) {
  const uint64_t limit = uint64_t{1} << number_bits;
  if (hash.buckets() << layout.lane_bits() > limit)
    throw ModelError({.found = std::to_string(ngrams) + " n-grams of one order",
                      .expected = "fewer than " + std::to_string(limit),
                      .advice = "prune the model"});
}

std::pair<uint64_t, uint64_t> NgramTable::ngram(uint32_t number) const noexcept {
  const NgramSlot slot = at(number);
  const uint32_t stored = slot.bucket->cells[slot.lane], check = stored & check_mask_;
  const uint64_t bucket = number >> layout_.lane_bits();
  const uint64_t home =
      stored & NgramBucket::kDisplaced ? bucket - NgramHash::distance(check) : bucket;
  // The key is the first key of the home plus the stored low bits.
  const uint64_t first = first_key(home, hash_.key_bits, hash_.homes);
  const uint64_t key = first + ((check - first) & check_mask_);
  const uint64_t plain = (key * inverse(hash_.multiplier())) & mask_of(hash_.key_bits);
  return {plain >> hash_.word_bits, plain & mask_of(hash_.word_bits)};
}

bool NgramTable::sound(uint64_t size, uint64_t contexts, WordId words) const noexcept {
  return size == hash_.buckets() && hash_.homes > 0 && hash_.word_bits == bits_for(words) &&
         hash_.key_bits == hash_.word_bits + bits_for(contexts) && hash_.key_bits <= 64 &&
         hash_.check_bits == hash_.needed_bits() && hash_.check_bits <= uint32_t{kMaxCheckBits};
}

}  // namespace demotic::lm
