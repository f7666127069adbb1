#include "demotic/rules/target_side.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace demotic::rules {
namespace {

constexpr int kMaxNumberBytes = 5;         // 35 bits: a float and its flag bit need 33
constexpr float kMaxWholeCount = 1 << 24;  // above it a float32 is an integer but not exact

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
  if (*at_ >> 4 != kFollows) return static_cast<float>(*at_ >> 4);
  const uint8_t* at = symbols();
  for (size_t i = size(); i > 0; --i) read(at);
  return decoded_count(read(at));
}

TargetEncoder::TargetEncoder(std::span<const WordId> words) {
  for (size_t i = 0; i < words.size(); ++i) {
    const auto word = static_cast<size_t>(words[i]);
    if (word >= codes_.size()) codes_.resize(word + 1, 0);
    if (std::exchange(codes_[word], static_cast<uint32_t>(i + kMaxGaps)) != 0)
      throw std::invalid_argument("duplicate target word");
  }
}

uint64_t TargetEncoder::code(Symbol symbol) const {
  if (is_gap(symbol)) {
    if (gap_index(symbol) >= kMaxGaps) throw std::invalid_argument("too many gaps");
    return gap_index(symbol);
  }
  const auto word = static_cast<size_t>(symbol);
  if (word >= codes_.size() || codes_[word] == 0)
    throw std::invalid_argument("a word that is not in the list of target words");
  return codes_[word];
}

void TargetEncoder::append(std::span<const Symbol> symbols, float count,
                           std::vector<uint8_t>& out) const {
  if (symbols.size() > kMaxTargetSymbols) throw std::invalid_argument("target side too long");
  if (!valid_count(count)) throw std::invalid_argument("invalid count of a target side");
  constexpr uint8_t kFollows = TargetSide::kFollows;
  const bool long_size = symbols.size() >= kFollows;
  const bool long_count = count >= kFollows || count != std::floor(count);
  out.push_back(static_cast<uint8_t>((long_size ? kFollows : symbols.size()) |
                                     (long_count ? kFollows : static_cast<int>(count)) << 4));
  if (long_size) out.push_back(static_cast<uint8_t>(symbols.size()));
  for (const Symbol symbol : symbols) append_number(code(symbol), out);
  if (long_count) append_number(count_code(count), out);
}

std::vector<WordId> frequent_first(std::span<const Symbol> symbols) {
  std::vector<uint64_t> counts;
  for (const Symbol symbol : symbols) {
    if (is_gap(symbol)) continue;
    if (static_cast<size_t>(symbol) >= counts.size()) counts.resize(symbol + 1, 0);
    ++counts[symbol];
  }
  std::vector<WordId> words;
  for (size_t word = 0; word < counts.size(); ++word)
    if (counts[word] > 0) words.push_back(static_cast<WordId>(word));
  std::stable_sort(words.begin(), words.end(),
                   [&](WordId a, WordId b) { return counts[a] > counts[b]; });
  return words;
}

const uint8_t* checked_target(const uint8_t* at, const uint8_t* end, size_t words) noexcept {
  if (at == end) return nullptr;
  const bool long_count = *at >> 4 == TargetSide::kFollows;
  uint32_t left = *at++ & TargetSide::kFollows;
  if (left == TargetSide::kFollows) {
    if (at == end) return nullptr;
    left = *at++;
  }
  uint64_t code = 0;
  for (; left > 0; --left)
    if (!checked_number(at, end, code) || code >= words + kMaxGaps) return nullptr;
  if (!long_count) return at;
  if (!checked_number(at, end, code) || code >> 33 != 0) return nullptr;
  return valid_count(decoded_count(code)) ? at : nullptr;
}

}  // namespace demotic::rules
