#include "demotic/base/checksum.h"

#include <array>
#include <cstring>

#if defined(__SSE4_2__)
#include <nmmintrin.h>
#elif defined(__ARM_FEATURE_CRC32)
#include <arm_acle.h>
#endif

namespace demotic::base {
namespace {

#if defined(__SSE4_2__)
uint32_t step8(uint32_t crc, uint64_t word) noexcept {
  return static_cast<uint32_t>(_mm_crc32_u64(crc, word));
}
uint32_t step1(uint32_t crc, uint8_t byte) noexcept { return _mm_crc32_u8(crc, byte); }
#elif defined(__ARM_FEATURE_CRC32)
uint32_t step8(uint32_t crc, uint64_t word) noexcept { return __crc32cd(crc, word); }
uint32_t step1(uint32_t crc, uint8_t byte) noexcept { return __crc32cb(crc, byte); }
#else
constexpr std::array<uint32_t, 256> kTable = [] {
  std::array<uint32_t, 256> table{};
  for (uint32_t i = 0; i < 256; ++i) {
    uint32_t crc = i;
    for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ (crc & 1 ? 0x82F63B78u : 0);
    table[i] = crc;
  }
  return table;
}();
uint32_t step1(uint32_t crc, uint8_t byte) noexcept {
  return crc >> 8 ^ kTable[(crc ^ byte) & 255];
}
uint32_t step8(uint32_t crc, uint64_t word) noexcept {
  unsigned char bytes[8];
  std::memcpy(bytes, &word, 8);
  for (unsigned char byte : bytes) crc = step1(crc, byte);
  return crc;
}
#endif

}  // namespace

uint32_t crc32c(std::span<const std::byte> bytes, uint32_t crc) noexcept {
  crc = ~crc;
  const std::byte* p = bytes.data();
  size_t left = bytes.size();
  for (; left >= 8; p += 8, left -= 8) {
    uint64_t word;
    std::memcpy(&word, p, 8);
    crc = step8(crc, word);
  }
  for (; left > 0; ++p, --left) crc = step1(crc, static_cast<uint8_t>(*p));
  return ~crc;
}

}  // namespace demotic::base
