// An allocator for large arrays with random access: on 4 kB pages most such reads miss the TLB as
// well as the cache, on 2 MB pages hardly any. Asks the kernel for huge pages; without them the
// memory is ordinary.
#pragma once

#include <cstddef>
#include <limits>
#include <new>
#include <vector>

#if defined(__linux__)
#include <sys/mman.h>
#endif

#include "demotic/namespaces.h"

namespace demotic::base {

template <typename T>
struct HugePages {
  using value_type = T;
  static constexpr size_t kPage = size_t{2} << 20;

  HugePages() = default;
  template <typename U>
  HugePages(const HugePages<U>&) noexcept {}

  T* allocate(size_t count) {
    if (count > (std::numeric_limits<size_t>::max() - kPage) / sizeof(T))
      throw std::bad_array_new_length();
    const size_t bytes = count * sizeof(T);
    void* memory = ::operator new(bytes, alignment(bytes));
#if defined(__linux__) && defined(MADV_HUGEPAGE)
    if (bytes >= kPage) ::madvise(memory, bytes, MADV_HUGEPAGE);
#endif
    return static_cast<T*>(memory);
  }
  void deallocate(T* memory, size_t count) noexcept {
    ::operator delete(memory, alignment(count * sizeof(T)));
  }

  template <typename U>
  friend bool operator==(const HugePages&, const HugePages<U>&) noexcept {
    return true;
  }

 private:
  // Small arrays do not justify a huge page.
  static std::align_val_t alignment(size_t bytes) noexcept {
    return std::align_val_t{bytes < kPage ? alignof(T) : kPage};
  }
};

template <typename T>
using HugeVector = std::vector<T, HugePages<T>>;

}  // namespace demotic::base
