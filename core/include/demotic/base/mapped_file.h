// A file mapped for reading: opening takes constant time, and processes that open the same file
// share its pages. The file must not be truncated while it is mapped; our own writers never modify
// a file in place but rename a new one over it.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <utility>

#include "demotic/namespaces.h"

namespace demotic::base {

class MappedFile {
 public:
  // Throws IoError.
  explicit MappedFile(const std::string& path);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  std::span<const std::byte> bytes() const noexcept { return {data_, size_}; }

 private:
  const std::byte* data_ = nullptr;
  size_t size_ = 0;
};

}  // namespace demotic::base
