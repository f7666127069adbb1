// An array that grows without moving: address space for its largest size is reserved at once, and
// the system provides memory as elements are added. Readers may therefore keep pointers while a
// writer appends, as long as they read only elements whose existence they learnt from the writer
// under a lock. One writer at a time.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <type_traits>

#include "demotic/namespaces.h"

namespace demotic::base {

// Reserved address space.
class ReservedMemory {
 public:
  // Throws std::bad_alloc.
  explicit ReservedMemory(size_t bytes);
  ~ReservedMemory();
  ReservedMemory(const ReservedMemory&) = delete;
  ReservedMemory& operator=(const ReservedMemory&) = delete;

  std::byte* data() const noexcept { return data_; }
  // Makes the first `bytes` bytes usable, which are 0 at first. Throws std::bad_alloc.
  void provide(size_t bytes);

 private:
  std::byte* data_ = nullptr;
  size_t reserved_, provided_ = 0;
};

template <typename T>
class GrowingArray {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  explicit GrowingArray(size_t most) : memory_(most * sizeof(T)), most_(most) {}

  const T* data() const noexcept { return reinterpret_cast<const T*>(memory_.data()); }
  size_t size() const noexcept { return size_; }
  size_t most() const noexcept { return most_; }
  const T& operator[](size_t i) const noexcept { return data()[i]; }

  // There must be room: size() + values.size() is at most most().
  void append(std::span<const T> values) {
    memory_.provide((size_ + values.size()) * sizeof(T));
    std::ranges::copy(values, reinterpret_cast<T*>(memory_.data()) + size_);
    size_ += values.size();
  }
  void append(const T& value) { append(std::span(&value, 1)); }

 private:
  ReservedMemory memory_;
  size_t most_, size_ = 0;
};

}  // namespace demotic::base
