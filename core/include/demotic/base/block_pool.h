// Memory blocks of one size, allocated and freed in any order, on huge pages. Users of a pool share
// its memory: blocks freed by one are reused by another. Not thread-safe.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "demotic/base/huge_pages.h"

namespace demotic::base {

class BlockPool {
 public:
  static constexpr size_t kBlockBytes = 8192;

  std::byte* take() {
    if (free_.empty()) {
      slabs_.emplace_back(HugePages<std::byte>().allocate(kSlabBytes));
      for (size_t end = kSlabBytes; end > 0; end -= kBlockBytes)
        free_.push_back(slabs_.back().get() + end - kBlockBytes);
    }
    std::byte* block = free_.back();
    free_.pop_back();
    return block;
  }

  void give(std::byte* block) { free_.push_back(block); }

 private:
  static constexpr size_t kSlabBytes = 2 * HugePages<std::byte>::kPage;

  struct Release {
    void operator()(std::byte* slab) const noexcept {
      HugePages<std::byte>().deallocate(slab, kSlabBytes);
    }
  };

  std::vector<std::unique_ptr<std::byte[], Release>> slabs_;
  std::vector<std::byte*> free_;
};

}  // namespace demotic::base
