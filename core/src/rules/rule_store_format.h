// Constants shared by reader and writer of rule stores.
#pragma once

#include <cstdint>
#include <string_view>

#include "demotic/namespaces.h"

namespace demotic::rules {

inline constexpr std::string_view kRulesKind = "rules";
inline constexpr uint32_t kRulesVersion = 2;

}  // namespace demotic::rules
