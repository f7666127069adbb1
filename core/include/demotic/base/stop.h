// A flag that asks long native work to stop. Every loop over sentences, classes or sections calls
// `check` at least every few milliseconds; the owner of the flag (a binding that polls for Ctrl-C,
// a server with a deadline) raises it. Thread-safe; checking costs one relaxed load.
#pragma once

#include <atomic>

#include "demotic/base/errors.h"

namespace demotic::base {

class StopFlag {
 public:
  void raise() noexcept { raised_.store(true, std::memory_order_relaxed); }
  bool raised() const noexcept { return raised_.load(std::memory_order_relaxed); }
  void check() const {
    if (raised()) throw Interrupted();
  }

 private:
  std::atomic<bool> raised_{false};
};

}  // namespace demotic::base
