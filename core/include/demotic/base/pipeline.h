// Two steps of work at the same time: one thread makes items, another one uses them in the same
// order. The maker waits when it is a few blocks ahead, so that memory stays bounded.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "demotic/namespaces.h"

namespace demotic::base {

// Blocks of items on their way from one thread to another.
template <typename T>
class BlockQueue {
 public:
  static constexpr size_t kBlock = 4096;  // items
  struct Closed {};                       // thrown by `put` if nobody takes blocks any more

  void put(std::vector<T>&& block) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return closed_ || blocks_.size() < kAhead; });
    if (closed_) throw Closed();
    blocks_.push_back(std::move(block));
    changed_.notify_all();
  }
  // The next block; empty at the end.
  std::vector<T> take() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return closed_ || !blocks_.empty(); });
    if (blocks_.empty()) return {};
    std::vector<T> block = std::move(blocks_.front());
    blocks_.pop_front();
    changed_.notify_all();
    return block;
  }
  void close() {
    std::lock_guard lock(mutex_);
    closed_ = true;
    changed_.notify_all();
  }

 private:
  static constexpr size_t kAhead = 4;  // blocks

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::vector<T>> blocks_;
  bool closed_ = false;
};

// Calls make(emit) in a thread of its own, which calls emit(item), and use(item) in this one. An
// exception of either ends both and is thrown here.
template <typename T, typename Make, typename Use>
void pipelined(Make&& make, Use&& use) {
  BlockQueue<T> queue;
  std::exception_ptr failure;
  std::thread maker([&] {
    try {
      std::vector<T> block;
      make([&](const T& item) {
        block.push_back(item);
        if (block.size() == queue.kBlock) queue.put(std::exchange(block, {}));
      });
      if (!block.empty()) queue.put(std::move(block));
    } catch (const typename BlockQueue<T>::Closed&) {  // `use` has failed
    } catch (...) {
      failure = std::current_exception();
    }
    queue.close();
  });
  try {
    for (auto block = queue.take(); !block.empty(); block = queue.take())
      for (const T& item : block) use(item);
  } catch (...) {
    queue.close();
    maker.join();
    throw;
  }
  maker.join();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace demotic::base
