#include "demotic/rules/target_side.h"

#include <bit>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace demotic {
namespace {

constexpr int kMaxNumberBytes = 5;        // 35 bits: a float and the bit that says so need 33
constexpr float kMaxWholeCount = 1 << 24;  // above it a float32 is whole but not exact

void append_number(uint64_t value, std::vector<uint8_t>& out) {
  for (; value >= 0x80; value >>= 7) out.push_back(static_cast<uint8_t>(value | 0x80));
  out.push_back(static_cast<uint8_t>(value));
}

uint64_t count_code(float count) {
  if (count < kMaxWholeCount && count == std::floor(count)) return static_cast<uint64_t>(count) * 2;
  return uint64_t{std::bit_cast<uint32_t>(count)} * 2 + 1;
}

float decoded_count(uint64_t code) noexcept {
  if (code % 2 == 0) return static_cast<float>(code / 2);
  return std::bit_cast<float>(static_cast<uint32_t>(code / 2));
}

// False if the number does not end by `end` or in kMaxNumberBytes.
bool checked_number(const uint8_t*& at, const uint8_t* end, uint64_t& value) noexcept {
  value = 0;
  for (int i = 0; i < kMaxNumberBytes && at != end; ++i) {
    const uint8_t byte = *at++;
    value |= uint64_t{byte & 0x7fu} << (7 * i);
    if (byte < 0x80) return true;
  }
  return false;
}

bool valid_count(float count) noexcept { return count >= 0 && std::isfinite(count); }

}  // namespace

float TargetSide::count() const noexcept {
  const uint8_t* at = at_ + 1;
  for (size_t i = size(); i > 0; --i) read(at);
  return decoded_count(read(at));
}

void append_target(std::span<const Symbol> symbols, float count, std::vector<uint8_t>& out) {
  if (symbols.size() > kMaxTargetSymbols) throw std::invalid_argument("a target side too long");
  if (!valid_count(count)) throw std::invalid_argument("the count of a target side");
  out.push_back(static_cast<uint8_t>(symbols.size()));
  for (const Symbol symbol : symbols) {
    if (symbol < gap_symbol(kMaxGaps - 1)) throw std::invalid_argument("a gap too many");
    append_number(is_gap(symbol) ? gap_index(symbol) : uint64_t{kMaxGaps} + symbol, out);
  }
  append_number(count_code(count), out);
}

const uint8_t* checked_target(const uint8_t* at, const uint8_t* end) noexcept {
  constexpr uint64_t kMaxCode = uint64_t{std::numeric_limits<Symbol>::max()} + kMaxGaps;
  if (at == end) return nullptr;
  uint64_t code = 0;
  for (uint32_t left = *at++; left > 0; --left)
    if (!checked_number(at, end, code) || code > kMaxCode) return nullptr;
  if (!checked_number(at, end, code) || code >> 33 != 0) return nullptr;
  return valid_count(decoded_count(code)) ? at : nullptr;
}

}  // namespace demotic
