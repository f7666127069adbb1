// Records in buckets by ranges of their keys, in the order of arrival within a bucket. A bucket
// that grows beyond what the cache holds is split, so that each can be sorted and read inside the
// cache whatever the number of records; records with one key share a bucket of any size.
//
// Adding costs a search among the buckets and one write; a record moves once for every factor of
// kWays by which the whole outgrows a bucket. Records fill whole lines of the cache, which are
// written past it: they come back when their bucket is read. Besides the records there is room in
// one block, half full on average, for each bucket. Not thread-safe.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "demotic/base/block_pool.h"
#include "demotic/base/stream_store.h"

namespace demotic::base {

// `Order` has key(record), a number. Records have 64 bytes or a power of two below.
template <typename T, typename Order>
class KeyedBuckets {
  static_assert(std::is_trivially_copyable_v<T> && kLineBytes % sizeof(T) == 0);
  static constexpr size_t kBlock = BlockPool::kBlockBytes / sizeof(T);  // records
  static constexpr size_t kLine = kLineBytes / sizeof(T);

 public:
  // The records of one bucket.
  class View {
   public:
    View(const T* const* blocks, size_t size) noexcept : blocks_(blocks), size_(size) {}
    size_t size() const noexcept { return size_; }
    const T& operator[](size_t i) const noexcept { return blocks_[i / kBlock][i % kBlock]; }

   private:
    const T* const* blocks_;
    size_t size_;
  };

  KeyedBuckets(Order order, std::shared_ptr<BlockPool> pool)
      : order_(std::move(order)), pool_(std::move(pool)) {}
  ~KeyedBuckets() {
    for (size_t i = 0; i < buckets_.size(); ++i) clear(i);
  }
  KeyedBuckets(const KeyedBuckets&) = delete;
  KeyedBuckets& operator=(const KeyedBuckets&) = delete;

  size_t size() const noexcept { return size_; }

  void add(const T& record) {
    const uint64_t key = order_.key(record);
    size_t at = find(key);
    if (full(at) && blocks_[at].size() >= limits_[at]) {
      split(at);
      at = find(key);
    }
    write(at, record);
    ++size_;
  }

  // To be called before another thread goes on with it.
  void hand_over() const noexcept { finish_streams(); }

  // visit(view) by rising ranges of keys; no view is empty. Nothing is left, and the room of each
  // bucket is given back after its visit. The ranges stay: what comes next may be spread alike.
  template <typename Visit>
  void drain(Visit&& visit) {
    for (size_t i = 0; i < buckets_.size(); ++i) {
      write_rest(i);
      if (const View records = view(i); records.size() > 0) visit(records);
      clear(i);
    }
    size_ = 0;
  }

 private:
  static constexpr size_t kBucketBytes = size_t{1} << 19;  // half of a core's own cache
  static constexpr size_t kMaxBlocks = kBucketBytes / BlockPool::kBlockBytes;
  // Few: each bucket writes to a page of its own, and a core knows only so many at once.
  static constexpr size_t kWays = 4;

  // Where the next record goes: apart from the rest, so that those of all buckets are in the cache.
  struct Bucket {
    T* next = nullptr;
    T* end = nullptr;  // of the last block
  };
  // The records of a bucket that do not fill a line yet.
  struct alignas(kLineBytes) Line {
    std::array<T, kLine> records;
  };

  View view(size_t at) const noexcept {
    const auto& blocks = blocks_[at];
    return {blocks.data(), blocks.size() * kBlock - (buckets_[at].end - buckets_[at].next)};
  }

  // The last bucket that begins at or before `key`.
  size_t find(uint64_t key) const noexcept {
    const uint64_t* at = begins_.data();
    for (size_t left = begins_.size(); left > 1;) {
      const size_t half = left / 2;
      at = at[half] <= key ? at + half : at;
      left -= half;
    }
    return static_cast<size_t>(at - begins_.data());
  }

  bool full(size_t at) const noexcept { return buckets_[at].next == buckets_[at].end; }

  // Its place within its line.
  static size_t in_line(const T* record) noexcept {
    return reinterpret_cast<uintptr_t>(record) / sizeof(T) % kLine;
  }

  void write(size_t at, const T& record) {
    if (full(at)) add_block(at);
    T* place = buckets_[at].next++;
    if constexpr (kLine == 1) return stream_line(place, &record);
    const size_t i = in_line(place);
    Line& line = lines_[at];
    line.records[i] = record;
    if (i + 1 == kLine) stream_line(place - i, &line);
  }

  // The line that is not full.
  void write_rest(size_t at) {
    if (full(at)) return;
    T* end = buckets_[at].next;
    const size_t rest = in_line(end);
    std::copy_n(lines_[at].records.begin(), rest, end - rest);
  }

  void add_block(size_t at) {
    T* block = reinterpret_cast<T*>(pool_->take());
    blocks_[at].push_back(block);
    buckets_[at] = {block, block + kBlock};
  }

  void give_back(T* block) { pool_->give(reinterpret_cast<std::byte*>(block)); }

  void clear(size_t at) {
    for (T* block : blocks_[at]) give_back(block);
    blocks_[at].clear();
    buckets_[at] = {};
  }

  // A full bucket; one that holds a single key may only grow.
  void split(size_t at) {
    const std::vector<uint64_t> cuts = quantiles(at);
    if (cuts.empty()) {
      limits_[at] *= 2;
      return;
    }
    const std::vector<T*> whole = std::exchange(blocks_[at], {});
    buckets_[at] = {};
    limits_[at] = kMaxBlocks;
    begins_.insert(begins_.begin() + at + 1, cuts.begin(), cuts.end());
    buckets_.insert(buckets_.begin() + at + 1, cuts.size(), Bucket{});
    blocks_.insert(blocks_.begin() + at + 1, cuts.size(), {});
    limits_.insert(limits_.begin() + at + 1, cuts.size(), kMaxBlocks);
    lines_.insert(lines_.begin() + at + 1, cuts.size(), {});
    for (T* block : whole) {
      for (const T& record : std::span(block, kBlock)) write(find(order_.key(record)), record);
      give_back(block);
    }
  }

  // Up to kWays - 1 rising keys above the begin of the bucket that cut it into about equal parts.
  std::vector<uint64_t> quantiles(size_t at) const {
    constexpr size_t kSamples = 16 * kWays;
    const View records = view(at);
    std::vector<uint64_t> keys(kSamples);
    for (size_t i = 0; i < kSamples; ++i)
      keys[i] = order_.key(records[i * records.size() / kSamples]);
    std::sort(keys.begin(), keys.end());
    std::vector<uint64_t> cuts;
    for (size_t i = kSamples / kWays; i < kSamples; i += kSamples / kWays)
      if (keys[i] > (cuts.empty() ? begins_[at] : cuts.back())) cuts.push_back(keys[i]);
    return cuts;
  }

  Order order_;
  // One of each for a bucket.
  std::vector<uint64_t> begins_{0};  // of the ranges of keys
  std::vector<Bucket> buckets_ = std::vector<Bucket>(1);
  std::vector<std::vector<T*>> blocks_ = std::vector<std::vector<T*>>(1);
  std::vector<size_t> limits_{kMaxBlocks};  // blocks; more where one key has as many
  std::vector<Line> lines_ = std::vector<Line>(1);
  size_t size_ = 0;
  std::shared_ptr<BlockPool> pool_;
};

}  // namespace demotic::base
