// A trie over symbols (unit ids or code points): every path from the root is a substring, and some
// of them are words with a log probability.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "demotic/base/flat_map.h"

namespace demotic::text {

inline constexpr double kNoWord = -std::numeric_limits<double>::infinity();

class UnitTrie {
 public:
  static constexpr int32_t kRoot = 0;
  static constexpr int32_t kMissing = -1;

  UnitTrie() { add_node(kMissing, 0); }

  int32_t size() const noexcept { return static_cast<int32_t>(parent_.size()); }
  int32_t parent(int32_t node) const noexcept { return parent_[node]; }
  int32_t symbol(int32_t node) const noexcept { return symbol_[node]; }

  int32_t child(int32_t node, int32_t symbol) const noexcept {
    const int32_t* found = children_.find(key(node, symbol));
    return found == nullptr ? kMissing : *found;
  }

  int32_t child_or_add(int32_t node, int32_t symbol) {
    const auto [place, fresh] = children_.insert(key(node, symbol));
    if (!fresh) return place;
    place = size();
    add_node(node, symbol);
    return size() - 1;
  }

  // The symbols on the path to `node`.
  std::vector<int32_t> path(int32_t node) const {
    std::vector<int32_t> symbols;
    for (; node != kRoot; node = parent_[node]) symbols.push_back(symbol_[node]);
    std::reverse(symbols.begin(), symbols.end());
    return symbols;
  }

 private:
  static uint64_t key(int32_t node, int32_t symbol) noexcept {
    return static_cast<uint64_t>(static_cast<uint32_t>(node)) << 32 | static_cast<uint32_t>(symbol);
  }
  void add_node(int32_t parent, int32_t symbol) {
    parent_.push_back(parent);
    symbol_.push_back(symbol);
  }

  FlatMap<uint64_t, int32_t> children_;
  std::vector<int32_t> parent_, symbol_;
};

}  // namespace demotic::text
