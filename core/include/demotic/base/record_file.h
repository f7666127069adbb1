// A sequential file of records that is written once from the beginning, then read from the
// beginning, any number of times. Unnamed, so that a killed program leaves nothing behind.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "demotic/base/external_sort.h"
#include "demotic/base/stop.h"

namespace demotic::base {

// Throws IoError. Not thread-safe.
template <typename T>
class RecordFile {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  explicit RecordFile(const std::string& folder) : file_(std::make_unique<ScratchFile>(folder)) {}

  void add(const T& record) {
    block_.push_back(record);
    if (block_.size() == kBlock) flush();
  }
  // Ends writing, or starts reading again.
  void rewind() {
    if (!written_) flush();
    written_ = true;
    block_.clear();
    read_ = next_ = 0;
  }
  uint64_t size() const noexcept { return size_; }

  // The next record; nullptr at the end. Valid until the next call. Checks `stop` once per block.
  const T* next(const StopFlag& stop) {
    if (next_ == block_.size() && !read(stop)) return nullptr;
    return &block_[next_++];
  }
  // Record i; since the last call of `rewind`, i must not descend. Throws std::out_of_range.
  const T& at(uint64_t i, const StopFlag& stop) {
    while (read_ <= i)
      if (!read(stop)) throw std::out_of_range("record after the end of a file");
    next_ = i + block_.size() - read_;
    return block_[next_++];
  }

 private:
  static constexpr size_t kBlock = 4096;

  void flush() {
    file_->write(block_.data(), block_.size() * sizeof(T));
    size_ += block_.size();
    block_.clear();
  }
  // The next block; false at the end.
  bool read(const StopFlag& stop) {
    stop.check();
    block_.resize(std::min<uint64_t>(kBlock, size_ - read_));
    next_ = 0;
    if (block_.empty()) return false;
    file_->read(block_.data(), block_.size() * sizeof(T), read_ * sizeof(T));
    read_ += block_.size();
    return true;
  }

  std::unique_ptr<ScratchFile> file_;
  std::vector<T> block_;
  uint64_t size_ = 0, read_ = 0;
  size_t next_ = 0;
  bool written_ = false;
};

}  // namespace demotic::base
