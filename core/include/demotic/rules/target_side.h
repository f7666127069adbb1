// The encoding of a target side in a rule store. The first byte holds its number of symbols (low
// four bits) and its count (high four), each if it is an integer below 15, else 15. Then follow the
// number of symbols as a byte, if it was 15, the symbols, and the count, if it was 15.
//
// Symbols are variable-length integers: seven bits per byte, the lowest first; the high bit means
// that another byte follows. A gap is its index; a word is kMaxGaps + its index in the store's list
// of target words, in which frequent ones come first. A count is stored as twice its value if it is
// an integer, else as twice the bits of its float32 plus one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <vector>

#include "demotic/rules/symbols.h"

namespace demotic::rules {

inline constexpr size_t kMaxTargetSymbols = 255;

// A view of the bytes of one target side; a range of symbols that are decoded on the fly. Nothing
// is checked here: see `checked_target`. One or two nanoseconds per symbol.
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

  // The count of the target side over all its rules, including removed ones.
  float count() const noexcept;

  static constexpr uint8_t kFollows = 15;  // marks a number that is encoded later

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

// Encodes target sides with a list of words that they may contain.
class TargetEncoder {
 public:
  // Throws std::invalid_argument for a duplicate word.
  explicit TargetEncoder(std::span<const WordId> words);

  // Appends the encoding of a target side. Throws std::invalid_argument for more than
  // kMaxTargetSymbols symbols, a gap past kMaxGaps, a word that is not in the list, and a count
  // that is negative or not finite.
  void append(std::span<const Symbol> symbols, float count, std::vector<uint8_t>& out) const;

 private:
  uint64_t code(Symbol symbol) const;

  std::vector<uint32_t> codes_;  // by word; 0 for none
};

// The distinct words among `symbols`, by falling frequency, then by id.
std::vector<WordId> frequent_first(std::span<const Symbol> symbols);

// The end of the target side that begins at `at`, or nullptr if it is malformed, contains a word
// past `words`, or does not end by `end`.
const uint8_t* checked_target(const uint8_t* at, const uint8_t* end, size_t words) noexcept;

}  // namespace demotic::rules
