// CRC-32C (Castagnoli), the checksum of container sections; several GB/s with hardware support.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "demotic/namespaces.h"

namespace demotic::base {

// The checksum of `bytes` after data with checksum `crc`: crc32c(b, crc32c(a)) == crc32c(ab).
uint32_t crc32c(std::span<const std::byte> bytes, uint32_t crc = 0) noexcept;

}  // namespace demotic::base
