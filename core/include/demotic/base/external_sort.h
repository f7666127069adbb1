// Sorts more records than fit in memory: a buffer is filled, sorted and written as a run; at the
// end the runs are merged. What fits in the buffer never touches the disk.
//
// Records are trivially copyable. `Less` must be a total order wherever the order matters to the
// caller: the result is then the same for any buffer size. Runs are files without a name (removed
// as soon as they are open), so that a killed program leaves nothing behind.
#pragma once

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <memory>
#include <queue>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "demotic/base/errors.h"
#include "demotic/base/stop.h"

namespace demotic {

// A file without a name in `folder`. Throws IoError.
class ScratchFile {
 public:
  explicit ScratchFile(const std::string& folder);
  void write(const void* data, size_t bytes);
  // The number of bytes read at `offset`, less than `bytes` only at the end.
  size_t read(void* data, size_t bytes, uint64_t offset);

 private:
  struct Close {
    std::string name;  // to be removed where an open file cannot be
    void operator()(std::FILE* file) const noexcept;
  };
  std::string folder_;
  std::unique_ptr<std::FILE, Close> file_;
};

template <typename T, typename Less>
class ExternalSorter {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  ExternalSorter(size_t memory_bytes, std::string folder, Less less = {})
      : capacity_(std::max<size_t>(1024, memory_bytes / sizeof(T))),
        folder_(std::move(folder)),
        less_(std::move(less)) {}

  void add(const T& record) {
    if (buffer_.size() == capacity_) spill();
    buffer_.push_back(record);
  }

  // Calls visit(record) for all records in order; the sorter is empty afterwards.
  template <typename Visit>
  void drain(const StopFlag& stop, Visit&& visit) {
    std::sort(buffer_.begin(), buffer_.end(), less_);
    if (runs_.empty()) {
      for (const T& record : buffer_) visit(record);
    } else {
      merge(stop, visit);
    }
    buffer_ = {};
    runs_.clear();
  }

 private:
  struct Run {
    ScratchFile file;
    uint64_t records;
  };

  // Where the merge stands in one run (or in the buffer, which is the last run).
  struct Cursor {
    Run* run;
    std::vector<T> block;
    size_t next = 0;
    uint64_t read = 0;

    // False at the end of the run.
    bool fill(size_t block_records) {
      if (next < block.size()) return true;
      if (!run || read == run->records) return false;
      block.resize(std::min<uint64_t>(block_records, run->records - read));
      run->file.read(block.data(), block.size() * sizeof(T), read * sizeof(T));
      read += block.size();
      next = 0;
      return true;
    }
    const T& head() const { return block[next]; }
  };

  void spill() {
    std::sort(buffer_.begin(), buffer_.end(), less_);
    runs_.push_back({ScratchFile(folder_), buffer_.size()});
    runs_.back().file.write(buffer_.data(), buffer_.size() * sizeof(T));
    buffer_.clear();
  }

  template <typename Visit>
  void merge(const StopFlag& stop, Visit&& visit) {
    const size_t block = std::max<size_t>(64, capacity_ / (4 * (runs_.size() + 1)));
    std::vector<Cursor> cursors;
    for (Run& run : runs_) cursors.push_back({&run, {}});
    cursors.push_back({nullptr, std::move(buffer_)});
    const auto later = [&](size_t a, size_t b) {
      if (less_(cursors[b].head(), cursors[a].head())) return true;
      return !less_(cursors[a].head(), cursors[b].head()) && b < a;  // equal: the earlier run
    };
    std::priority_queue<size_t, std::vector<size_t>, decltype(later)> heads(later);
    for (size_t i = 0; i < cursors.size(); ++i)
      if (cursors[i].fill(block)) heads.push(i);
    for (uint64_t visited = 0; !heads.empty(); ++visited) {
      if (visited % 65536 == 0) stop.check();
      const size_t i = heads.top();
      heads.pop();
      visit(cursors[i].head());
      ++cursors[i].next;
      if (cursors[i].fill(block)) heads.push(i);
    }
  }

  size_t capacity_;
  std::string folder_;
  Less less_;
  std::vector<T> buffer_;
  std::vector<Run> runs_;
};

}  // namespace demotic
