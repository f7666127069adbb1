// A large zeroed allocation that is returned to the system as soon as it is freed. Blocks that
// repeatedly grow by an eighth fragment the heap, which would cost half as much memory again. Uses
// 2 MB pages where the kernel offers them, see base/huge_pages.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>

#if defined(__linux__)
#include <sys/mman.h>
#endif

#include "demotic/namespaces.h"

namespace demotic::features {

class PageBuffer {
 public:
  PageBuffer() = default;
  explicit PageBuffer(size_t bytes) : memory_(allocate(bytes), Release(bytes)) {}

  std::byte* data() const noexcept { return memory_.get(); }
  size_t size() const noexcept { return memory_.get_deleter().bytes; }

 private:
  static constexpr std::align_val_t kLine{64};

#if defined(__linux__)
  static constexpr size_t kHuge = size_t{2} << 20;
  static bool uses_mmap(size_t bytes) noexcept { return bytes >= kHuge / 8; }
  static size_t rounded(size_t bytes) noexcept { return (bytes + 4095) & ~size_t{4095}; }

  // Maps more than requested and unmaps what lies before and after an aligned block.
  static std::byte* map(size_t bytes) {
    const size_t all = rounded(bytes) + kHuge;
    void* found = ::mmap(nullptr, all, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (found == MAP_FAILED) throw std::bad_alloc();
    auto* begin = static_cast<std::byte*>(found);
    const size_t before = -reinterpret_cast<uintptr_t>(begin) & (kHuge - 1);
    if (before > 0) ::munmap(begin, before);
    if (before < kHuge) ::munmap(begin + before + rounded(bytes), kHuge - before);
#if defined(MADV_HUGEPAGE)
    ::madvise(begin + before, rounded(bytes), MADV_HUGEPAGE);
#endif
    return begin + before;
  }
#endif

  static std::byte* allocate(size_t bytes) {
#if defined(__linux__)
    if (uses_mmap(bytes)) return map(bytes);
#endif
    void* memory = ::operator new(bytes, kLine);
    return static_cast<std::byte*>(std::memset(memory, 0, bytes));
  }

  struct Release {
    size_t bytes;
    Release() noexcept : bytes(0) {}
    explicit Release(size_t count) noexcept : bytes(count) {}
    void operator()(std::byte* memory) const noexcept {
#if defined(__linux__)
      if (uses_mmap(bytes)) {
        ::munmap(memory, rounded(bytes));
        return;
      }
#endif
      ::operator delete(memory, kLine);
    }
  };

  std::unique_ptr<std::byte, Release> memory_;
};

}  // namespace demotic::features
