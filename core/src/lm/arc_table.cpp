#include "demotic/lm/arc_table.h"

#include <algorithm>
#include <limits>
#include <optional>

namespace demotic {
namespace {

constexpr double kLoad = 0.85;
constexpr uint32_t kSpare = 64;  // buckets after the last home
constexpr size_t kAhead = 16;    // how many arcs ahead memory is fetched

// The inverse of an odd number modulo 2^64, by Newton's iteration.
constexpr uint64_t inverse(uint64_t odd) {
  uint64_t x = odd;
  for (int i = 0; i < 6; ++i) x *= 2 - odd * x;
  return x;
}

uint32_t bits_for(uint64_t values) {
  return std::max(1, static_cast<int>(std::bit_width(std::max<uint64_t>(values, 2) - 1)));
}

// Places every arc, or says that one fell off the end.
bool place(std::span<const Arc> arcs, ArcHash& hash, std::vector<ArcBucket>& buckets) {
  for (size_t i = 0; i < arcs.size(); ++i) {
    if (i + kAhead < arcs.size()) {
      const Arc& later = arcs[i + kAhead];
      __builtin_prefetch(&buckets[hash.home(hash.scramble(later.state, later.word))], 1);
    }
    const uint64_t scrambled = hash.scramble(arcs[i].state, arcs[i].word);
    const uint64_t home = hash.home(scrambled);
    uint64_t at = home;
    while (at < buckets.size() && buckets[at].used == ArcBucket::kArcs) buckets[at++].passed = 1;
    if (at == buckets.size()) return false;
    ArcBucket& bucket = buckets[at];
    bucket.check[bucket.used] = static_cast<uint32_t>(scrambled);
    bucket.prob[bucket.used] = arcs[i].prob;
    bucket.next[bucket.used] = arcs[i].next;
    ++bucket.used;
    hash.reach = std::max(hash.reach, static_cast<uint32_t>(at - home));
  }
  return true;
}

}  // namespace

std::pair<uint32_t, WordId> ArcHash::unscramble(uint64_t x) const noexcept {
  const uint32_t half = (key_bits + 1) / 2;
  x = (x * inverse(kSecond)) & mask();
  x ^= x >> half;
  x = (x * inverse(kFirst)) & mask();
  x ^= x >> half;
  return {static_cast<uint32_t>(x >> word_bits),
          static_cast<WordId>(x & ((uint64_t{1} << word_bits) - 1))};
}

// A search meets arcs whose homes are at most `reach` away on either side.
bool ArcHash::exact() const noexcept {
  if (key_bits <= 32) return true;
  const double home_size = std::ldexp(1.0, static_cast<int>(key_bits)) / homes;
  return (2.0 * reach + 2) * (home_size + 1) < 4294967296.0;
}

std::pair<ArcHash, std::vector<ArcBucket>> build_arc_table(std::span<const Arc> arcs,
                                                           uint32_t states, WordId words) {
  ArcHash hash;
  hash.word_bits = bits_for(words);
  hash.key_bits = hash.word_bits + bits_for(states);
  double homes = std::max(1.0, std::ceil(arcs.size() / (ArcBucket::kArcs * kLoad)));
  for (;; homes = std::ceil(homes * 1.25)) {
    hash.homes = static_cast<uint32_t>(homes);
    hash.reach = 0;
    std::vector<ArcBucket> buckets(size_t{hash.homes} + kSpare);
    if (place(arcs, hash, buckets) && hash.exact()) return {hash, std::move(buckets)};
  }
}

std::vector<Arc> ArcTable::arcs() const {
  std::vector<Arc> result;
  for (size_t at = 0; at < buckets_.size(); ++at) {
    // The home of this bucket's arcs lies at most `reach` before it; the first scrambled key with
    // such a home, and the stored low bits, give the key.
    const uint64_t first_home = at > hash_.reach ? at - hash_.reach : 0;
    const auto start = static_cast<uint64_t>(
        (static_cast<unsigned __int128>(first_home) << hash_.key_bits) / hash_.homes);
    for (uint32_t i = 0; i < buckets_[at].used; ++i) {
      const uint32_t low = buckets_[at].check[i] - static_cast<uint32_t>(start);
      const auto [state, word] = hash_.unscramble((start + low) & hash_.mask());
      result.push_back({state, word, buckets_[at].prob[i], buckets_[at].next[i]});
    }
  }
  return result;
}

bool ArcTable::sound(uint32_t states, WordId words) const noexcept {
  if (hash_.word_bits != bits_for(words) || hash_.homes == 0 || !hash_.exact() ||
      hash_.key_bits != hash_.word_bits + bits_for(states) ||
      buckets_.size() != size_t{hash_.homes} + kSpare || hash_.reach >= buckets_.size() ||
      buckets_.back().passed)
    return false;
  for (const ArcBucket& bucket : buckets_) {
    if (bucket.used > ArcBucket::kArcs || bucket.passed > 1) return false;
    for (uint32_t i = 0; i < bucket.used; ++i)
      if (bucket.next[i] >= states || !std::isfinite(bucket.prob[i])) return false;
  }
  return true;
}

}  // namespace demotic
