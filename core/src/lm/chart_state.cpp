#include "demotic/lm/chart_state.h"

#include "demotic/base/hash.h"

namespace demotic::lm {

uint64_t ChartState::hash() const noexcept {
  uint64_t hash = mix64(uint64_t{right.node} << 8 | static_cast<uint64_t>(length) << 1 | full);
  for (int32_t i = 0; i < length; ++i) hash = mix64(hash ^ static_cast<uint32_t>(left[i].word));
  return hash;
}

}  // namespace demotic::lm
