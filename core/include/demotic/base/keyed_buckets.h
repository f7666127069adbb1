// Records in buckets by ranges of their keys, in insertion order within a bucket. A bucket that
// outgrows the cache is split, so that each can be sorted and read inside the cache whatever the
// number of records; records with equal keys share a bucket of any size.
//
// Adding costs a search among the buckets and one write; a record moves once for every factor of
// kWays by which the total outgrows a bucket. Records are written in whole cache lines that bypass
// the cache, since they are read only when their bucket is. In addition to the records, each bucket
// has a block that is half full on average. Not thread-safe.
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

// `Order` has key(record), a number. Records have 64 bytes or a smaller power of two.
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

  // Must be called before another thread continues to use it.
  void publish_writes() const noexcept { finish_streams(); }

  // Ends adding. Then the buckets, by ascending ranges of keys, can be read by any thread; some may
  // be empty.
  void finish_adding() {
    for (size_t i = 0; i < buckets_.size(); ++i) write_rest(i);
    publish_writes();
  }
  size_t buckets() const noexcept { return buckets_.size(); }
  View view(size_t at) const noexcept {
    const auto& blocks = blocks_[at];
    return {blocks.data(), blocks.size() * kBlock - (buckets_[at].end - buckets_[at].next)};
  }
  // Frees the memory of a bucket. Its range is kept, since later records may be distributed alike.
  void clear(size_t at) {
    size_ -= view(at).size();
    for (T* block : blocks_[at]) give_back(block);
    blocks_[at].clear();
    buckets_[at] = {};
  }

 private:
  static constexpr size_t kBucketBytes = size_t{1} << 19;  // half of a core's private cache
  static constexpr size_t kMaxBlocks = kBucketBytes / BlockPool::kBlockBytes;
  // Few, because each bucket writes to its own page, and a core's TLB holds only so many.
  static constexpr size_t kWays = 4;

  // Where the next record goes; separate from the rest, so that those of all buckets stay cached.
  struct Bucket {
    T* next = nullptr;
    T* end = nullptr;  // of the last block
  };
  // The records of a bucket that do not yet fill a cache line.
  struct alignas(kLineBytes) Line {
    std::array<T, kLine> records;
  };

  // The last bucket that starts at or before `key`.
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

  // The index of a record within its cache line.
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

  // Writes the cache line that is not full.
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

  // Splits a full bucket; a bucket with a single key just grows.
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

  // Up to kWays - 1 ascending keys above the start of the bucket that split it into similar parts.
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
  // Parallel arrays with one element per bucket.
  std::vector<uint64_t> begins_{0};  // lower bounds of the key ranges
  std::vector<Bucket> buckets_ = std::vector<Bucket>(1);
  std::vector<std::vector<T*>> blocks_ = std::vector<std::vector<T*>>(1);
  std::vector<size_t> limits_{kMaxBlocks};  // in blocks; higher if a single key has more
  std::vector<Line> lines_ = std::vector<Line>(1);
  size_t size_ = 0;
  std::shared_ptr<BlockPool> pool_;
};

}  // namespace demotic::base
