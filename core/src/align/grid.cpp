#include "demotic/align/grid.h"

#include "demotic/base/clones.h"
#include "demotic/base/lanes.h"

namespace demotic::align {

DEMOTIC_CLONES
double model1_posteriors(const Grid& grid, double null_probability) {
  const auto prior = static_cast<float>((1 - null_probability) / grid.columns);
  const auto null = static_cast<float>(null_probability);
  LogSum log_likelihood;
  for (int32_t r = 0; r < grid.rows; ++r) {
    float* links = grid.row(r);
    Floats lanes{};
    for (int32_t c = 0; c < grid.stride; c += kLanes) lanes += lanes_at(links + c);
    const float total = prior * sum_lanes(lanes) + null * grid.empty[r];
    const float scale = prior / total;
    for (int32_t c = 0; c < grid.stride; c += kLanes) lanes_at(links + c) *= scale;
    grid.empty[r] *= null / total;
    log_likelihood.add(total);
  }
  return log_likelihood.total();
}

void best_columns(const Grid& posteriors, int32_t* columns) {
  for (int32_t r = 0; r < posteriors.rows; ++r) {
    const float* links = posteriors.row(r);
    float best = posteriors.empty[r];
    columns[r] = kNoLink;
    for (int32_t c = 0; c < posteriors.columns; ++c) {
      if (links[c] > best) {
        best = links[c];
        columns[r] = c;
      }
    }
  }
}

}  // namespace demotic::align
