// Processes many items (sentences) with several threads, such that the number of threads only
// affects the time.
//
// Items are claimed in order by idle threads. `for_each` lets each item write to its own slot;
// `map_reduce` passes the results to `reduce` in item order, one at a time, and holds back workers
// that run too far ahead, so that memory stays bounded. If items throw, in their own work or in
// `reduce`, the exception of the lowest item is rethrown, whatever the timing, and `reduce` is not
// called for later items. Raising the stop flag ends both with Interrupted after the items in
// progress; long items check the flag themselves.
//
// Threads start at the first call and end with the pool, which belongs to its creator: there is no
// global pool, so fork() and several models in one process are safe. One call at a time.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "demotic/base/stop.h"

namespace demotic::base {

class ThreadPool {
 public:
  explicit ThreadPool(int threads);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  int threads() const noexcept { return threads_; }

  // Calls body(item, worker) for every item in [0, count); worker in [0, threads()) identifies the
  // scratch space of the thread.
  using Body = std::function<void(int64_t item, int worker)>;
  void for_each(int64_t count, const StopFlag& stop, const Body& body);

  // Calls reduce(item, map(item, worker)) in item order.
  template <typename Map, typename Reduce>
  void map_reduce(int64_t count, const StopFlag& stop, Map&& map, Reduce&& reduce);

 private:
  void work(int worker);             // one thread's share of the current call
  void serve(int worker);            // main loop of a thread
  void fail(int64_t item) noexcept;  // called from a catch block
  bool failed() const noexcept;

  const int threads_;
  std::vector<std::thread> workers_;  // threads_ - 1 of them: the caller is worker 0
  std::mutex mutex_;
  std::condition_variable wake_, done_, window_open_;
  uint64_t call_ = 0;  // number of the current call
  int busy_ = 0;       // workers that have not finished it
  bool ending_ = false;

  // The current call.
  const Body* body_ = nullptr;
  const StopFlag* stop_ = nullptr;
  int64_t count_ = 0;
  std::atomic<int64_t> next_{0};
  std::atomic<int64_t> failed_item_{INT64_MAX};
  std::exception_ptr failure_;
};

template <typename Map, typename Reduce>
void ThreadPool::map_reduce(int64_t count, const StopFlag& stop, Map&& map, Reduce&& reduce) {
  using Result = decltype(map(int64_t{}, int{}));
  const int64_t window = 8 * int64_t{threads_};
  std::vector<std::optional<Result>> ring(window);
  std::mutex order;
  int64_t reduced = 0;  // items passed to `reduce` so far; guarded by `order`
  bool broken = false;  // `reduce` has thrown; guarded by `order`

  for_each(count, stop, [&](int64_t item, int worker) {
    {
      std::unique_lock lock(order);
      // The owner of item `reduced` never waits here, so there is always progress.
      while (item >= reduced + window && !failed() && !stop.raised())
        window_open_.wait_for(lock, std::chrono::milliseconds(20));
      if (item >= reduced + window) return;
    }
    std::optional<Result> result(map(item, worker));
    std::lock_guard lock(order);
    ring[item % window] = std::move(result);
    while (!broken && reduced < count && ring[reduced % window]) {
      Result next = std::move(*ring[reduced % window]);
      ring[reduced % window].reset();
      const int64_t ready = reduced++;
      try {
        reduce(ready, std::move(next));
      } catch (...) {  // the failure belongs to `ready`, not to this worker's own item
        broken = true;
        fail(ready);
      }
    }
    window_open_.notify_all();
  });
}

}  // namespace demotic::base
