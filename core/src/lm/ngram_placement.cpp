#include "demotic/lm/ngram_placement.h"

#include "demotic/base/radix_sort.h"

namespace demotic::lm {
namespace {

constexpr size_t kAhead = 16;  // prefetch distance in n-grams

struct ListedNgrams {
  std::span<const uint32_t> contexts;
  std::span<const WordId> words;
  NgramTable table;
  std::span<uint32_t> numbers;

  uint64_t key(size_t i) const noexcept { return table.key(contexts[i], words[i]); }
  void placed(uint32_t i, uint32_t slot) noexcept { numbers[i] = slot; }
};

bool find_slots(const ListedNgrams& ngrams, NgramLayout layout) {
  const NgramHash& hash = ngrams.table.hash();
  NgramPlacement placement(hash, layout, hash.buckets(), ngrams);
  const size_t size = ngrams.words.size();
  std::vector<KeyedIndex> homeless;
  for (uint32_t i = 0; i < size; ++i) {
    if (i + kAhead < size) placement.prefetch(ngrams.key(i + kAhead));
    if (!placement.put_home(i)) homeless.push_back({hash.home(ngrams.key(i)), i});
  }
  radix_sort(homeless);
  for (const KeyedIndex& ngram : homeless)
    if (!placement.displace(ngram.index)) return false;
  return true;
}

}  // namespace

bool place_ngrams(std::span<const uint32_t> contexts, std::span<const WordId> words,
                  const NgramHash& hash, std::span<NgramBucket> buckets,
                  std::span<uint32_t> numbers, NgramLayout layout) {
  const ListedNgrams ngrams{contexts, words, NgramTable(hash, buckets, layout), numbers};
  if (!find_slots(ngrams, layout)) return false;
  const uint32_t lane_mask = (1u << layout.lane_bits()) - 1;
  for (size_t i = 0; i < words.size(); ++i) {
    const uint64_t key = ngrams.key(i);
    write_key(hash, key, buckets[numbers[i] >> layout.lane_bits()], numbers[i] & lane_mask,
              buckets[hash.home(key)]);
  }
  return true;
}

}  // namespace demotic::lm
