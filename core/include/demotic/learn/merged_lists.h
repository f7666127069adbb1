// Which candidates remain when the lists of several pools are merged: those with the same key
// become one list, without duplicates, in the order of the pools.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "demotic/namespaces.h"

namespace demotic::learn {

struct MergedLists {
  std::vector<int64_t> kept;    // candidates, list by list
  std::vector<int64_t> counts;  // how many each merged list keeps
};

// Candidates [offsets[l], offsets[l + 1]) belong to merged list places[l], which is less than
// `lists`. Candidates of a list are equal if their hashes are; the first is kept. A list with more
// than `limit` different candidates keeps the last of them; 0 for no limit.
MergedLists merge_lists(std::span<const int64_t> offsets, std::span<const int64_t> places,
                        int64_t lists, std::span<const uint64_t> hashes, int64_t limit);

// A hash of each row of `width` numbers; 0 and -0 are the same.
std::vector<uint64_t> hash_rows(std::span<const float> values, int32_t width);

}  // namespace demotic::learn
