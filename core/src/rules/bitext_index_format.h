// Constants shared by reader and writer of indexed bitexts.
#pragma once

#include <cstdint>
#include <string_view>

#include "demotic/namespaces.h"

namespace demotic::rules {

inline constexpr std::string_view kIndexKind = "bitext-index";
inline constexpr uint32_t kIndexVersion = 3;

}  // namespace demotic::rules
