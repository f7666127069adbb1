// A bump allocator for data that live as long as one sentence: allocation is an addition, release
// is `reset`, and the memory is kept for the next sentence. Holds only trivially destructible
// types. Not thread-safe; use one arena per thread.
#pragma once

#include <cstddef>
#include <memory>
#include <new>
#include <span>
#include <type_traits>
#include <vector>

#include "demotic/namespaces.h"

namespace demotic::base {

class Arena {
 public:
  explicit Arena(size_t block_bytes = size_t{1} << 20) : block_bytes_(block_bytes) {}

  // Uninitialised space for `count` values, valid until `reset`.
  template <typename T>
  std::span<T> allocate(size_t count) {
    static_assert(std::is_trivially_destructible_v<T>, "an arena never runs destructors");
    static_assert(alignof(T) <= alignof(std::max_align_t));
    if (count > kMaxBytes / sizeof(T)) throw std::bad_array_new_length();
    return {static_cast<T*>(raw(count * sizeof(T), alignof(T))), count};
  }

  // Releases everything but keeps the blocks.
  void reset() noexcept {
    block_ = 0;
    used_ = 0;
  }

  size_t reserved_bytes() const noexcept {
    size_t total = 0;
    for (const Block& block : blocks_) total += block.size;
    return total;
  }

 private:
  // The sum of two such numbers does not overflow.
  static constexpr size_t kMaxBytes = static_cast<size_t>(-1) / 4;

  struct Block {
    std::unique_ptr<std::byte[]> bytes;
    size_t size;
  };

  void* raw(size_t bytes, size_t alignment) {
    for (; block_ < blocks_.size(); ++block_, used_ = 0) {
      const size_t start = (used_ + alignment - 1) & ~(alignment - 1);
      if (start + bytes <= blocks_[block_].size) {
        used_ = start + bytes;
        return blocks_[block_].bytes.get() + start;
      }
    }
    const size_t size = bytes > block_bytes_ ? bytes : block_bytes_;
    blocks_.push_back({std::unique_ptr<std::byte[]>(new std::byte[size]), size});
    used_ = bytes;
    return blocks_.back().bytes.get();
  }

  size_t block_bytes_;
  std::vector<Block> blocks_;
  size_t block_ = 0;  // the block being filled
  size_t used_ = 0;   // bytes used of it
};

}  // namespace demotic::base
