// CRC-32C (Castagnoli), the checksum of container sections; a few GB/s where the processor has
// the instruction.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "demotic/namespaces.h"

namespace demotic::base {

// Of `bytes` following data whose checksum is `crc`: crc32c(b, crc32c(a)) == crc32c(ab).
uint32_t crc32c(std::span<const std::byte> bytes, uint32_t crc = 0) noexcept;

}  // namespace demotic::base
