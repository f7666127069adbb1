// Sorts more records than fit in memory: a buffer is filled, sorted and written as a run; at the
// end the runs are merged. Data that fit in the buffer never touch the disk. The buffer is sorted
// bucket by bucket, each inside the cache, so that the cost per record does not depend on their
// number.
//
// Records are trivially copyable. `Order` defines the order: by order.key(record), a number, then,
// for equal keys, by order.less(a, b) if it exists, then in order of insertion; so the result does
// not depend on the buffer size. If it has order.combine(to, from), equal records (neither is less)
// become one, in every run and in the result. Runs are unnamed files (removed as soon as they are
// open), so that a killed program leaves nothing behind.
#pragma once

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <functional>
#include <memory>
#include <queue>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "demotic/base/errors.h"
#include "demotic/base/keyed_buckets.h"
#include "demotic/base/pipeline.h"
#include "demotic/base/radix_sort.h"
#include "demotic/base/stop.h"
#include "demotic/base/thread_pool.h"

namespace demotic::base {

// An unnamed temporary file in `folder`. Throws IoError.
class ScratchFile {
 public:
  explicit ScratchFile(const std::string& folder);
  void write(const void* data, size_t bytes);
  // Returns the number of bytes read at `offset`; less than `bytes` only at the end of the file.
  size_t read(void* data, size_t bytes, uint64_t offset);

 private:
  struct Close {
    std::string name;  // to be removed later, where an open file cannot be removed
    void operator()(std::FILE* file) const noexcept;
  };
  std::string folder_;
  std::unique_ptr<std::FILE, Close> file_;
};

template <typename T, typename Order>
class ExternalSorter {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  // An eighth of the memory is reserved for partly filled blocks and for the order of a bucket.
  // With a shared pool, another sorter can reuse the memory of records already drained here.
  // Further threads sort and merge while records are visited, one at a time and in order.
  ExternalSorter(size_t memory_bytes, std::string folder, Order order = {},
                 std::shared_ptr<BlockPool> pool = std::make_shared<BlockPool>(), int threads = 1)
      : capacity_(std::clamp<size_t>(memory_bytes / (sizeof(T) + sizeof(T) / 8), 1024, UINT32_MAX)),
        folder_(std::move(folder)),
        order_(order),
        buffer_(std::move(order), std::move(pool)),
        workers_(threads),
        scratch_(threads) {}

  void add(const T& record) {
    if (buffer_.size() == capacity_) spill();
    buffer_.add(record);
  }

  // Must be called before another thread continues to use it.
  void publish_writes() const noexcept { buffer_.publish_writes(); }

  // Called for every record. Not a template parameter: each visitor would compile sorting and
  // merging again, and the call costs nothing that can be measured beside the sorting of a record.
  using Visitor = std::function<void(const T&)>;

  // Calls visit(record) for all records in order; the sorter is empty afterwards.
  void drain(const StopFlag& stop, const Visitor& visit) {
    combining(visit, [&](const Visitor& combined) {
      if (runs_.empty()) {
        drain_buffer(stop, combined);
      } else {
        if (buffer_.size() > 0) spill(stop);
        if (workers_.threads() == 1) {
          merge(stop, combined);
        } else {
          pipelined<T>([&](auto&& emit) { merge(stop, emit); }, combined);
        }
      }
    });
    runs_.clear();
  }

 private:
  using View = typename KeyedBuckets<T, Order>::View;
  static constexpr bool kHasLess = requires(const Order& order, const T& a) { order.less(a, a); };
  static constexpr bool kCombines =
      requires(const Order& order, T& to, const T& from) { order.combine(to, from); };

  struct Run {
    ScratchFile file;
    uint64_t records;
  };

  // The position of the merge in one run.
  struct Cursor {
    Run* run;
    std::vector<T> block;
    size_t next = 0;
    uint64_t read = 0;

    // False at the end of the run.
    bool fill(size_t block_records) {
      if (next < block.size()) return true;
      if (read == run->records) return false;
      block.resize(std::min<uint64_t>(block_records, run->records - read));
      run->file.read(block.data(), block.size() * sizeof(T), read * sizeof(T));
      read += block.size();
      next = 0;
      return true;
    }
    const T& head() const { return block[next]; }
  };

  // Calls run(visitor) with a visitor of sorted records that passes them on to `visit`, equal ones
  // combined.
  template <typename Run>
  void combining(const Visitor& visit, Run&& run) {
    if constexpr (!kCombines) {
      run(visit);
    } else {
      T last{};
      bool any = false;
      run(Visitor([&](const T& record) {
        if (any && order_.key(last) == order_.key(record) && !order_.less(last, record)) {
          order_.combine(last, record);
          return;
        }
        if (any) visit(last);
        last = record;
        any = true;
      }));
      if (any) visit(last);
    }
  }

  using Items = std::vector<KeyedIndex>;

  void drain_buffer(const StopFlag& stop, const Visitor& visit) {
    buffer_.finish_adding();
    workers_.map_reduce(
        static_cast<int64_t>(buffer_.buckets()), stop,
        [&](int64_t at, int worker) { return sorted(buffer_.view(at), scratch_[worker]); },
        [&](int64_t at, const Items& items) {
          const View bucket = buffer_.view(at);
          for (const KeyedIndex& item : items) visit(bucket[item.index]);
          buffer_.clear(at);
          finish_streams();  // another thread may continue what `visit` has written
        });
  }

  // Records are large, so only their indices are sorted.
  Items sorted(const View& bucket, Items& scratch) const {
    Items items(bucket.size());
    for (size_t i = 0; i < items.size(); ++i)
      items[i] = {order_.key(bucket[i]), static_cast<uint32_t>(i)};
    radix_sort(items, scratch);
    if constexpr (kHasLess) sort_equal_keys(bucket, items);
    return items;
  }

  void sort_equal_keys(const View& bucket, Items& items) const {
    const auto less = [&](const KeyedIndex& a, const KeyedIndex& b) {
      if (order_.less(bucket[a.index], bucket[b.index])) return true;
      return a.index < b.index && !order_.less(bucket[b.index], bucket[a.index]);
    };
    for (size_t begin = 0, end = 0; begin < items.size(); begin = end) {
      while (end < items.size() && items[end].key == items[begin].key) ++end;
      if (end - begin > 1) std::sort(items.begin() + begin, items.begin() + end, less);
    }
  }

  void spill(const StopFlag& stop = {}) {
    runs_.push_back({ScratchFile(folder_), 0});
    std::vector<T> block;
    const auto flush = [&] {
      runs_.back().file.write(block.data(), block.size() * sizeof(T));
      runs_.back().records += block.size();
      block.clear();
    };
    combining(
        [&](const T& record) {
          block.push_back(record);
          if (block.size() == 4096) flush();
        },
        [&](const Visitor& combined) { drain_buffer(stop, combined); });
    flush();
  }

  void merge(const StopFlag& stop, const Visitor& visit) {
    // The memory of the buffer is still reserved, so the blocks of all runs are a small share of
    // it.
    const size_t block = std::max<size_t>(64, capacity_ / 8 / runs_.size());
    std::vector<Cursor> cursors;
    for (Run& run : runs_) cursors.push_back({&run, {}});
    const auto later = [&](size_t a, size_t b) {
      const T &x = cursors[a].head(), &y = cursors[b].head();
      const uint64_t p = order_.key(x), q = order_.key(y);
      if (p != q) return p > q;
      if constexpr (kHasLess) {
        if (order_.less(y, x)) return true;
        if (order_.less(x, y)) return false;
      }
      return b < a;  // equal keys: the earlier run first
    };
    std::priority_queue<size_t, std::vector<size_t>, decltype(later)> heads(later);
    for (size_t i = 0; i < cursors.size(); ++i)
      if (cursors[i].fill(block)) heads.push(i);
    for (uint64_t visited = 0; !heads.empty(); ++visited) {
      if (visited % 65536 == 0) stop.check();
      const size_t i = heads.top();
      heads.pop();
      visit(cursors[i].head());
      ++cursors[i].next;
      if (cursors[i].fill(block)) heads.push(i);
    }
  }

  size_t capacity_;
  std::string folder_;
  Order order_;
  KeyedBuckets<T, Order> buffer_;
  ThreadPool workers_;
  std::vector<Items> scratch_;  // by worker
  std::vector<Run> runs_;
};

}  // namespace demotic::base
