// Arrays as bytes, one after another, each with its size, for another process with the same
// program.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "demotic/base/errors.h"

namespace demotic::rules {

[[noreturn]] inline void refuse_part(const char* expected, const std::string& path = {}) {
  throw FormatError({.path = path, .found = "a damaged part of rules", .expected = expected});
}

template <typename T>
void append_array(std::string& out, std::span<const T> values) {
  static_assert(std::is_trivially_copyable_v<T>);
  const uint64_t size = values.size();
  out.append(reinterpret_cast<const char*>(&size), sizeof(size));
  out.append(reinterpret_cast<const char*>(values.data()), values.size_bytes());
}

// Throws FormatError for what does not fit into the bytes.
class PartReader {
 public:
  PartReader(std::span<const char> bytes, const char* expected)
      : rest_(bytes), expected_(expected) {}

  bool done() const noexcept { return rest_.empty(); }
  std::span<const char> rest() const noexcept { return rest_; }
  template <typename T>
  std::vector<T> array() {
    const auto size = number();
    if (size > rest_.size() / sizeof(T)) refuse_part(expected_);
    std::vector<T> values(size);
    take(values.data(), size * sizeof(T));
    return values;
  }
  uint64_t number() {
    uint64_t value = 0;
    if (rest_.size() < sizeof(value)) refuse_part(expected_);
    take(&value, sizeof(value));
    return value;
  }

 private:
  void take(void* to, size_t bytes) {
    if (bytes > 0) std::memcpy(to, rest_.data(), bytes);
    rest_ = rest_.subspan(bytes);
  }

  std::span<const char> rest_;
  const char* expected_;
};

}  // namespace demotic::rules
