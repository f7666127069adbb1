// Hash functions for our tables: the same bits on every machine and in every run, because they are
// part of files (the vocabulary's table is used as it was written).
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

#include "demotic/namespaces.h"

namespace demotic::base {

// A bijection on 64 bits whose every output bit depends on every input bit (Moremur constants).
constexpr uint64_t mix64(uint64_t x) noexcept {
  x ^= x >> 27;
  x *= 0x3c79ac492ba7b653u;
  x ^= x >> 33;
  x *= 0x1c69b3f74ac4ae35u;
  return x ^ (x >> 27);
}

// Processes eight bytes per step, read as little-endian on every machine.
inline uint64_t hash_bytes(std::string_view bytes) noexcept {
  uint64_t hash = mix64(bytes.size() + 0x9e3779b97f4a7c15u);
  const char* p = bytes.data();
  size_t left = bytes.size();
  auto load = [](const char* from, size_t n) {
    unsigned char buffer[8] = {};
    std::memcpy(buffer, from, n);
    uint64_t value = 0;
    for (int i = 7; i >= 0; --i) value = value << 8 | buffer[i];
    return value;
  };
  for (; left >= 8; p += 8, left -= 8) hash = mix64(hash ^ load(p, 8));
  if (left > 0) hash = mix64(hash ^ load(p, left));
  return hash;
}

}  // namespace demotic::base
