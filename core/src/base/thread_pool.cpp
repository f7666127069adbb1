#include "demotic/base/thread_pool.h"

#include <algorithm>

namespace demotic::base {

ThreadPool::ThreadPool(int threads) : threads_(std::max(1, threads)) {}

ThreadPool::~ThreadPool() {
  {
    std::lock_guard lock(mutex_);
    ending_ = true;
  }
  wake_.notify_all();
  for (std::thread& worker : workers_) worker.join();
}

void ThreadPool::for_each(int64_t count, const StopFlag& stop, const Body& body) {
  body_ = &body;
  stop_ = &stop;
  count_ = count;
  next_ = 0;
  failed_item_ = INT64_MAX;
  failure_ = nullptr;
  if (threads_ > 1 && count > 1) {
    {
      std::lock_guard lock(mutex_);
      for (int worker = static_cast<int>(workers_.size()) + 1; worker < threads_; ++worker)
        workers_.emplace_back(&ThreadPool::serve, this, worker);
      busy_ = threads_ - 1;
      ++call_;
    }
    wake_.notify_all();
    work(0);
    std::unique_lock lock(mutex_);
    done_.wait(lock, [&] { return busy_ == 0; });
  } else {
    work(0);
  }
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
  stop.check();
}

void ThreadPool::work(int worker) {
  while (!failed() && !stop_->raised()) {
    const int64_t item = next_.fetch_add(1);
    if (item >= count_) return;
    try {
      (*body_)(item, worker);
    } catch (...) {
      fail(item);
    }
  }
}

void ThreadPool::serve(int worker) {
  uint64_t served = 0;
  for (;;) {
    {
      std::unique_lock lock(mutex_);
      wake_.wait(lock, [&] { return ending_ || call_ != served; });
      if (ending_) return;
      served = call_;
    }
    work(worker);
    std::lock_guard lock(mutex_);
    if (--busy_ == 0) done_.notify_one();
  }
}

// Items are claimed in order and those in progress are finished, so the lowest failing item is the
// same for any number of threads.
void ThreadPool::fail(int64_t item) noexcept {
  std::lock_guard lock(mutex_);
  if (item < failed_item_) {
    failed_item_ = item;
    failure_ = std::current_exception();
  }
}

bool ThreadPool::failed() const noexcept { return failed_item_ != INT64_MAX; }

}  // namespace demotic::base
