// Runs long native work so that Ctrl-C ends it: the work runs on another thread with the GIL
// released, and the calling thread checks for signals twenty times per second and raises the stop
// flag when there is one. It also reports progress to the caller's function.
#pragma once

#include <nanobind/nanobind.h>

#include <chrono>
#include <future>
#include <optional>

#include "demotic/base/progress.h"
#include "demotic/base/stop.h"

namespace demotic::python {
using namespace all;

using ProgressCallback = std::optional<nanobind::object>;  // called as callback(done, total)

// work(const StopFlag&, Progress&) -> result; may touch Python only after acquiring the GIL. Call
// with the GIL held.
template <typename Work>
auto interruptible(Work&& work, const ProgressCallback& callback = std::nullopt) {
  StopFlag stop;
  Progress progress;
  auto result = std::async(std::launch::async, [&] { return work(stop, progress); });
  const auto finished = [&](std::chrono::milliseconds patience) {
    nanobind::gil_scoped_release release;
    return result.wait_for(patience) == std::future_status::ready;
  };
  try {
    while (!finished(std::chrono::milliseconds(50))) {
      if (PyErr_CheckSignals() != 0) throw nanobind::python_error();
      if (callback) (*callback)(progress.done(), progress.total());
    }
  } catch (...) {
    stop.raise();
    nanobind::gil_scoped_release release;
    result.wait();
    throw;
  }
  return result.get();
}

}  // namespace demotic::python
