// A target side as it stands in a rule store. The first byte holds its number of symbols (low four
// bits) and its count (high four), each if it is a whole number below 15, else 15. Then come the
// number of symbols as a byte, if it was 15, the symbols, and the count, if it was 15.
//
// Symbols are numbers of variable length: seven bits a byte, the lowest first; the high bit says
// that another byte follows. A gap is its index; a word is kMaxGaps + its place in the store's list
// of target words, in which frequent ones come first. A count is twice itself if it is whole, else
// twice the bits of its float32 plus one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <vector>

#include "demotic/rules/symbols.h"

namespace demotic::rules {

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
    Iterator(const uint8_t* at, const WordId* words, uint32_t left) noexcept
        : at_(at), words_(words), left_(left) {}
    Symbol operator*() const noexcept {
      const uint8_t* at = at_;
      return symbol(read(at), words_);
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
    const WordId* words_ = nullptr;
    uint32_t left_ = 0;
  };

  // `words` is the list of target words.
  TargetSide(const uint8_t* at, const WordId* words) noexcept : at_(at), words_(words) {}

  size_t size() const noexcept { return long_size() ? at_[1] : *at_ & kFollows; }
  bool empty() const noexcept { return size() == 0; }
  Iterator begin() const noexcept { return {symbols(), words_, static_cast<uint32_t>(size())}; }
  std::default_sentinel_t end() const noexcept { return {}; }

  // Replaces the contents of `out`.
  void copy(std::vector<Symbol>& out) const {
    out.resize(size());
    const uint8_t* at = symbols();
    for (Symbol& value : out) value = symbol(read(at), words_);
  }

  // How often the target side was counted, all its rules together, removed ones too.
  float count() const noexcept;

  static constexpr uint8_t kFollows = 15;  // in place of a number that is coded later

 private:
  bool long_size() const noexcept { return (*at_ & kFollows) == kFollows; }
  const uint8_t* symbols() const noexcept { return at_ + 1 + long_size(); }
  static Symbol symbol(uint64_t code, const WordId* words) noexcept {
    return code < kMaxGaps ? gap_symbol(static_cast<int32_t>(code)) : words[code - kMaxGaps];
  }
  static uint64_t read(const uint8_t*& at) noexcept {
    uint64_t value = *at & 0x7fu;
    for (int shift = 7; *at++ >= 0x80; shift += 7) value |= uint64_t{*at & 0x7fu} << shift;
    return value;
  }

  const uint8_t* at_;
  const WordId* words_;
};

// Writes target sides with a list of words that they may hold.
class TargetEncoder {
 public:
  // Throws std::invalid_argument if a word is there twice.
  explicit TargetEncoder(std::span<const WordId> words);

  // Appends the bytes of a target side. Throws std::invalid_argument for more than
  // kMaxTargetSymbols symbols, a gap past kMaxGaps, a word that is not in the list, and a count
  // that is negative or not finite.
  void append(std::span<const Symbol> symbols, float count, std::vector<uint8_t>& out) const;

 private:
  uint64_t code(Symbol symbol) const;

  std::vector<uint32_t> codes_;  // by word; 0 for none
};

// The different words among `symbols`, by falling frequency, then by id.
std::vector<WordId> frequent_first(std::span<const Symbol> symbols);

// Where the target side that begins at `at` ends, or nullptr if it is not one, holds a word past
// `words`, or does not end by `end`.
const uint8_t* checked_target(const uint8_t* at, const uint8_t* end, size_t words) noexcept;

}  // namespace demotic::rules
