#include "demotic/base/mapped_file.h"

#include "demotic/base/errors.h"

#ifdef _WIN32
#ifndef NOMINMAX
#define NOMINMAX  // std::min, not the macro of windows.h
#endif
#include <windows.h>

#include <filesystem>
#else
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#endif

namespace demotic::base {

#ifdef _WIN32

MappedFile::MappedFile(const std::string& path) {
  const auto fail = [&] {
    throw IoError({.path = path, .found = "the file cannot be opened"},
                  static_cast<int>(GetLastError()));
  };
  const auto wide = std::filesystem::u8path(path).wstring();
  const HANDLE file = CreateFileW(wide.c_str(), GENERIC_READ, FILE_SHARE_READ | FILE_SHARE_DELETE,
                                  nullptr, OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL, nullptr);
  if (file == INVALID_HANDLE_VALUE) fail();
  LARGE_INTEGER size;
  GetFileSizeEx(file, &size);
  size_ = static_cast<size_t>(size.QuadPart);
  const HANDLE mapping =
      size_ ? CreateFileMappingW(file, nullptr, PAGE_READONLY, 0, 0, nullptr) : nullptr;
  if (mapping)
    data_ = static_cast<const std::byte*>(MapViewOfFile(mapping, FILE_MAP_READ, 0, 0, 0));
  if (mapping) CloseHandle(mapping);
  CloseHandle(file);
  if (size_ && !data_) fail();
}

MappedFile::~MappedFile() {
  if (data_) UnmapViewOfFile(data_);
}

#else

MappedFile::MappedFile(const std::string& path) {
  const auto fail = [&](int code) {
    throw IoError({.path = path, .found = "the file cannot be opened"}, code);
  };
  if (path.find('\0') != std::string::npos) fail(EINVAL);
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) fail(errno);
  struct stat status{};
  const bool known = ::fstat(file, &status) == 0;
  const bool regular = known && S_ISREG(status.st_mode);
  if (regular && status.st_size > 0) {
    size_ = static_cast<size_t>(status.st_size);
    void* address = ::mmap(nullptr, size_, PROT_READ, MAP_SHARED, file, 0);
    if (address != MAP_FAILED) data_ = static_cast<const std::byte*>(address);
  }
  const int code = errno;
  ::close(file);
  if (known && !regular) fail(EINVAL);
  if (!known || (size_ > 0 && !data_)) fail(code);
}

MappedFile::~MappedFile() {
  if (data_) ::munmap(const_cast<std::byte*>(data_), size_);
}

#endif

}  // namespace demotic::base
