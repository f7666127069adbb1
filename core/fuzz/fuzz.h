// The interface of a fuzz target: seeds, which are generated and not stored, and the function that
// libFuzzer (or replay.cpp) calls with bytes. A target traps if a guarantee is violated.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#ifdef _WIN32
#include <process.h>
#else
#include <unistd.h>
#endif

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace demotic::fuzz {

std::vector<std::string> seeds();

inline void require(bool promise) {
  if (!promise) __builtin_trap();
}

// A file of this process that holds what was written to it last.
class OneFile {
 public:
  OneFile() {
#ifdef _WIN32
    const auto process = _getpid();
#else
    const auto process = ::getpid();
#endif
    // In memory if possible, because a container is synced to disk before it is renamed.
    const std::filesystem::path memory = "/dev/shm";
    path_ = (std::filesystem::exists(memory) ? memory : std::filesystem::temp_directory_path()) /
            ("demotic-fuzz-" + std::to_string(process) + "-" +
             std::to_string(reinterpret_cast<uintptr_t>(this)));
  }
  ~OneFile() {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
  }
  OneFile(const OneFile&) = delete;
  OneFile& operator=(const OneFile&) = delete;

  std::string path() const { return path_.string(); }
  void write(std::string_view bytes) const {
    std::ofstream(path_, std::ios::binary | std::ios::trunc)
        .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  }
  std::string read() const {
    std::ifstream file(path_, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

 private:
  std::filesystem::path path_;
};

}  // namespace demotic::fuzz
