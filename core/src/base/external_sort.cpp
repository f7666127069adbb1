#include "demotic/base/external_sort.h"

#include <atomic>
#include <filesystem>

#ifdef _WIN32
#include <process.h>
#else
#include <unistd.h>
#endif

namespace demotic::base {
namespace {

[[noreturn]] void fail(const std::string& folder, const char* what) {
  const int code = errno;
  std::error_code ignored;
  const auto space = std::filesystem::space(folder, ignored);
  std::string found = what;
  if (code == ENOSPC && !ignored) found += ": " + std::to_string(space.available) + " bytes free";
  throw IoError({.path = folder, .found = found}, code);
}

std::string scratch_name(const std::string& folder) {
  static std::atomic<uint64_t> number{0};
#ifdef _WIN32
  const int process = _getpid();
#else
  const int process = ::getpid();
#endif
  const std::string name =
      ".scratch-" + std::to_string(process) + "-" + std::to_string(number.fetch_add(1));
  return (std::filesystem::path(folder) / name).string();
}

}  // namespace

ScratchFile::ScratchFile(const std::string& folder) : folder_(folder) {
  const std::string name = scratch_name(folder);
  std::FILE* file = std::fopen(name.c_str(), "wb+");
  if (!file) fail(folder_, "a scratch file cannot be created");
#ifdef _WIN32
  file_ = {file, Close{name}};
#else
  std::remove(name.c_str());
  file_ = {file, Close{}};
#endif
}

void ScratchFile::Close::operator()(std::FILE* file) const noexcept {
  std::fclose(file);
  if (!name.empty()) std::remove(name.c_str());
}

void ScratchFile::write(const void* data, size_t bytes) {
  if (bytes == 0) return;  // `data` may be null
  if (std::fwrite(data, 1, bytes, file_.get()) != bytes || std::fflush(file_.get()) != 0)
    fail(folder_, "a scratch file cannot be written");
}

size_t ScratchFile::read(void* data, size_t bytes, uint64_t offset) {
#ifdef _WIN32
  const bool placed = _fseeki64(file_.get(), static_cast<int64_t>(offset), SEEK_SET) == 0;
#else
  const bool placed = ::fseeko(file_.get(), static_cast<off_t>(offset), SEEK_SET) == 0;
#endif
  const size_t got = placed ? std::fread(data, 1, bytes, file_.get()) : 0;
  if (!placed || std::ferror(file_.get())) fail(folder_, "a scratch file cannot be read");
  return got;
}

}  // namespace demotic::base
