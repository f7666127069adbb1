// Alignments of rules, each stored once: its number of links as a list head, then the links.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string_view>

#include "demotic/base/flat_map.h"
#include "demotic/base/hash.h"
#include "demotic/rules/rule_store.h"

namespace demotic::rules {

// The place of `links` in `lists`; append(links) appends them if they are new.
template <typename Lists, typename Append>
uint32_t interned_links(std::span<const RuleLink> links, const Lists& lists,
                        FlatMap<uint64_t, uint32_t>& by_hash, Append&& append) {
  const std::string_view bytes(reinterpret_cast<const char*>(links.data()), links.size_bytes());
  // If two different link lists have the same hash, the next hash is tried.
  for (uint64_t hash = hash_bytes(bytes);; hash = mix64(hash + 1)) {
    const auto [place, fresh] = by_hash.insert(hash);
    if (fresh) {
      place = static_cast<uint32_t>(lists.size());
      append(links);
      return place;
    }
    const RuleLink* head = lists.data() + place;
    if (std::ranges::equal(std::span(head + 1, RuleStore::list_size(*head)), links)) return place;
  }
}

}  // namespace demotic::rules
