// Structural distortion, fine (Chiang, Marton & Resnik 2008, section 4): one feature per order and
// size of a gap, and one per order for all sizes, which fires together with it.
#pragma once

#include "demotic/features/sparse_family.h"
#include "demotic/rules/gap_reordering.h"

namespace demotic::features {

class DistortionFamily final : public SparseFamily {
 public:
  uint64_t values() const noexcept override { return 2 * kSizes; }
  std::string name(uint64_t value) const override {
    const uint64_t size = value % kSizes;
    const std::string text = size == 0             ? "*"
                             : size == kMaxGapSize ? ">=" + std::to_string(size)
                                                   : std::to_string(size);
    return (value < kSizes ? "distortion.in_order=" : "distortion.reordered=") + text;
  }
  uint8_t groups() const noexcept override { return kGaps; }

  void add_gap_values(bool reordered, int32_t size, std::vector<uint64_t>& values) const override {
    const uint64_t first = reordered ? kSizes : 0;
    values.push_back(first);
    values.push_back(first + static_cast<uint64_t>(size));
  }

 private:
  static constexpr uint64_t kSizes = kMaxGapSize + 1;  // 0 stands for all sizes
};

}  // namespace demotic::features
