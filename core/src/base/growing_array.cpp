#include "demotic/base/growing_array.h"

#include <new>

#ifdef _WIN32
#ifndef NOMINMAX
#define NOMINMAX  // std::min, not the macro of windows.h
#endif
#include <windows.h>
#else
#include <sys/mman.h>
#endif

namespace demotic::base {

#ifdef _WIN32

ReservedMemory::ReservedMemory(size_t bytes) : reserved_(bytes) {
  data_ = static_cast<std::byte*>(VirtualAlloc(nullptr, bytes, MEM_RESERVE, PAGE_NOACCESS));
  if (!data_) throw std::bad_alloc();
}

ReservedMemory::~ReservedMemory() { VirtualFree(data_, 0, MEM_RELEASE); }

void ReservedMemory::provide(size_t bytes) {
  constexpr size_t kStep = size_t{1} << 20;
  if (bytes <= provided_) return;
  const size_t more = std::min(reserved_, (bytes + kStep - 1) / kStep * kStep) - provided_;
  if (!VirtualAlloc(data_ + provided_, more, MEM_COMMIT, PAGE_READWRITE)) throw std::bad_alloc();
  provided_ += more;
}

#else

#ifndef MAP_NORESERVE
#define MAP_NORESERVE 0
#endif

ReservedMemory::ReservedMemory(size_t bytes) : reserved_(bytes) {
  void* memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  data_ = static_cast<std::byte*>(memory);
}

ReservedMemory::~ReservedMemory() { ::munmap(data_, reserved_); }

// Pages are provided by the kernel when they are first written.
void ReservedMemory::provide(size_t bytes) { provided_ = std::max(provided_, bytes); }

#endif

}  // namespace demotic::base
