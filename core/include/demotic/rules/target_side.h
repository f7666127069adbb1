// A target side as it stands in a rule store: one byte says how many symbols follow, then come the
// symbols, then the count of the target side, all but the first as numbers of variable length
// (seven bits a byte, the lowest first; the high bit says that another byte follows).
//
// A word is coded as its id + kMaxGaps and a gap as its index. A count that is a whole number is
// coded as twice itself, any other as twice the bits of its float32 plus one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <vector>

#include "demotic/rules/symbols.h"

namespace demotic {

inline constexpr size_t kMaxTargetSymbols = 255;

// A view of the bytes of one target side; a range of symbols that are decoded on the way. Nothing
// is checked here: see `checked_target`. One or two nanoseconds a symbol.
class TargetSide {
 public:
  class Iterator {
   public:
    using value_type = Symbol;
    using difference_type = std::ptrdiff_t;

    Iterator() = default;
    Iterator(const uint8_t* at, uint32_t left) noexcept : at_(at), left_(left) {}
    Symbol operator*() const noexcept {
      const uint8_t* at = at_;
      return symbol(read(at));
    }
    Iterator& operator++() noexcept {
      read(at_);
      --left_;
      return *this;
    }
    Iterator operator++(int) noexcept {
      const Iterator before = *this;
      ++*this;
      return before;
    }
    friend bool operator==(const Iterator& a, const Iterator& b) noexcept {
      return a.left_ == b.left_;
    }
    friend bool operator==(const Iterator& a, std::default_sentinel_t) noexcept {
      return a.left_ == 0;
    }

   private:
    const uint8_t* at_ = nullptr;
    uint32_t left_ = 0;
  };

  explicit TargetSide(const uint8_t* at) noexcept : at_(at) {}

  size_t size() const noexcept { return *at_; }
  bool empty() const noexcept { return *at_ == 0; }
  Iterator begin() const noexcept { return {at_ + 1, *at_}; }
  std::default_sentinel_t end() const noexcept { return {}; }

  // Replaces the contents of `out`.
  void copy(std::vector<Symbol>& out) const {
    out.resize(size());
    const uint8_t* at = at_ + 1;
    for (Symbol& value : out) value = symbol(read(at));
  }

  // How often the target side was counted, all its rules together, removed ones too.
  float count() const noexcept;

 private:
  static Symbol symbol(uint64_t code) noexcept {
    return code < kMaxGaps ? gap_symbol(static_cast<int32_t>(code))
                           : static_cast<Symbol>(code - kMaxGaps);
  }
  static uint64_t read(const uint8_t*& at) noexcept {
    uint64_t value = *at & 0x7fu;
    for (int shift = 7; *at++ >= 0x80; shift += 7) value |= uint64_t{*at & 0x7fu} << shift;
    return value;
  }

  const uint8_t* at_;
};

// Appends the bytes of a target side. Throws std::invalid_argument for more than kMaxTargetSymbols
// symbols, a gap past kMaxGaps and a count that is negative or not finite.
void append_target(std::span<const Symbol> symbols, float count, std::vector<uint8_t>& out);

// Where the target side that begins at `at` ends, or nullptr if it is not one or does not end by
// `end`.
const uint8_t* checked_target(const uint8_t* at, const uint8_t* end) noexcept;

}  // namespace demotic
