#include "demotic/learn/merged_lists.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "demotic/base/hash.h"

namespace demotic::learn {
namespace {

// The lists that belong to each merged list, in their order.
struct Members {
  std::vector<int64_t> offsets, lists;

  Members(std::span<const int64_t> places, int64_t count)
      : offsets(count + 1, 0), lists(places.size()) {
    for (const int64_t place : places) ++offsets[place + 1];
    for (int64_t i = 0; i < count; ++i) offsets[i + 1] += offsets[i];
    std::vector<int64_t> next(offsets.begin(), offsets.end() - 1);
    for (size_t l = 0; l < places.size(); ++l) lists[next[places[l]]++] = static_cast<int64_t>(l);
  }

  std::span<const int64_t> operator[](int64_t place) const {
    return std::span(lists).subspan(offsets[place], offsets[place + 1] - offsets[place]);
  }
};

// A set of hashes, open addressing; the table is cleared for every list, not allocated.
class HashSet {
 public:
  void clear(int64_t most) {
    mask_ = std::bit_ceil(static_cast<uint64_t>(2 * most + 1)) - 1;
    table_.assign(mask_ + 1, 0);
    has_zero_ = false;
  }
  // False if it was there.
  bool insert(uint64_t hash) {
    if (hash == 0) return !std::exchange(has_zero_, true);  // 0 marks empty places
    uint64_t at = hash & mask_;
    while (table_[at] != 0 && table_[at] != hash) at = (at + 1) & mask_;
    if (table_[at] == hash) return false;
    table_[at] = hash;
    return true;
  }

 private:
  std::vector<uint64_t> table_;
  uint64_t mask_ = 0;
  bool has_zero_ = false;
};

}  // namespace

MergedLists merge_lists(std::span<const int64_t> offsets, std::span<const int64_t> places,
                        int64_t lists, std::span<const uint64_t> hashes, int64_t limit) {
  const Members members(places, lists);
  MergedLists merged;
  merged.kept.reserve(hashes.size());
  HashSet known;
  for (int64_t place = 0; place < lists; ++place) {
    int64_t most = 0;
    for (const int64_t l : members[place]) most += offsets[l + 1] - offsets[l];
    known.clear(most);
    const auto begin = static_cast<int64_t>(merged.kept.size());
    for (const int64_t l : members[place])
      for (int64_t i = offsets[l]; i < offsets[l + 1]; ++i)
        if (known.insert(hashes[i])) merged.kept.push_back(i);
    const auto first = merged.kept.begin() + begin;
    const int64_t count = merged.kept.end() - first;
    if (limit > 0 && count > limit) merged.kept.erase(first, first + (count - limit));
    merged.counts.push_back(static_cast<int64_t>(merged.kept.size()) - begin);
  }
  return merged;
}

std::vector<uint64_t> hash_rows(std::span<const float> values, int32_t width) {
  const auto bits = [](float value) {
    return uint64_t{std::bit_cast<uint32_t>(value + 0.0F)};  // -0 + 0 is 0
  };
  std::vector<uint64_t> hashes;
  hashes.reserve(width == 0 ? 0 : values.size() / width);
  for (const float* row = values.data(); row != values.data() + values.size(); row += width) {
    uint64_t hash = 0x9e3779b97f4a7c15u;
    for (int32_t f = 0; f + 1 < width; f += 2)
      hash = mix64(hash ^ (bits(row[f]) << 32 | bits(row[f + 1])));
    hashes.push_back(width % 2 == 0 ? hash : mix64(hash ^ bits(row[width - 1])));
  }
  return hashes;
}

}  // namespace demotic::learn
