// Records in buckets by ranges of their keys, in the order of arrival within a bucket. A bucket
// that grows beyond what the cache holds is split, so that each can be sorted and read inside the
// cache whatever the number of records; records with one key share a bucket of any size.
//
// Adding costs a search among the buckets and one write; a record moves once for every factor of
// kWays by which the whole outgrows a bucket. Besides the records there is room in one block, half
// full on average, for each bucket.
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

namespace demotic {

// `Order` has key(record), a number.
template <typename T, typename Order>
class KeyedBuckets {
  static_assert(std::is_trivially_copyable_v<T>);
  static constexpr size_t kBlock = BlockPool::kBlockBytes / sizeof(T);  // records
  static_assert(kBlock > 0);

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

  size_t size() const noexcept { return added_; }

  // The record is written some calls later, when its place has come into the cache.
  void add(const T& record) {
    if (added_ - written_ == kAhead) write_next();
    Waiting& waiting = waiting_[added_++ % kAhead];
    waiting = {record, find(order_.key(record))};
    const auto* place = reinterpret_cast<const char*>(buckets_[waiting.bucket].next);
    for (size_t byte = 0; byte < sizeof(T); byte += 64) __builtin_prefetch(place + byte, 1);
  }

  // visit(view) by rising ranges of keys; no view is empty. Nothing is left, and the room of each
  // bucket is given back after its visit. The ranges stay: what comes next may be spread alike.
  template <typename Visit>
  void drain(Visit&& visit) {
    while (written_ < added_) write_next();
    for (size_t i = 0; i < buckets_.size(); ++i) {
      if (const View records = view(i); records.size() > 0) visit(records);
      clear(i);
    }
    added_ = written_ = 0;
  }

 private:
  static constexpr size_t kBucketBytes = size_t{1} << 18;  // a quarter of a core's own cache
  static constexpr size_t kMaxBlocks = kBucketBytes / BlockPool::kBlockBytes;
  static constexpr size_t kWays = 16;
  static constexpr size_t kAhead = 8;

  // Where the next record goes: apart from the rest, so that those of all buckets are in the cache.
  struct Bucket {
    T* next = nullptr;
    T* end = nullptr;  // of the last block
  };
  struct Waiting {
    T record;
    size_t bucket;
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

  void write_next() {
    const Waiting& waiting = waiting_[written_ % kAhead];
    if (buckets_[waiting.bucket].next == buckets_[waiting.bucket].end) make_room(waiting.bucket);
    *buckets_[waiting.bucket].next++ = waiting.record;
    ++written_;
  }

  // In the bucket of the next waiting record, or in the one that it goes to after a split.
  void make_room(size_t at) {
    if (blocks_[at].size() >= limits_[at]) split(at);
    at = waiting_[written_ % kAhead].bucket;
    if (buckets_[at].next == buckets_[at].end) add_block(at);
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
    for (T* block : whole) {
      for (const T& record : std::span(block, kBlock)) {
        const size_t part = find(order_.key(record));
        if (buckets_[part].next == buckets_[part].end) add_block(part);
        *buckets_[part].next++ = record;
      }
      give_back(block);
    }
    for (size_t i = written_; i < added_; ++i) {
      Waiting& waiting = waiting_[i % kAhead];
      waiting.bucket = find(order_.key(waiting.record));
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

  std::array<Waiting, kAhead> waiting_;
  size_t added_ = 0, written_ = 0;  // records
  std::shared_ptr<BlockPool> pool_;
};

}  // namespace demotic
