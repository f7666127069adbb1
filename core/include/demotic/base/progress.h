// Progress of long work: written by the workers, read by the display.
#pragma once

#include <atomic>
#include <cstdint>

#include "demotic/namespaces.h"

namespace demotic::base {

class Progress {
 public:
  void expect(int64_t total) noexcept { total_.store(total, std::memory_order_relaxed); }
  void advance(int64_t steps = 1) noexcept { done_.fetch_add(steps, std::memory_order_relaxed); }
  int64_t done() const noexcept { return done_.load(std::memory_order_relaxed); }
  int64_t total() const noexcept { return total_.load(std::memory_order_relaxed); }

 private:
  std::atomic<int64_t> done_{0}, total_{0};
};

}  // namespace demotic::base
