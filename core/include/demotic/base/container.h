// The file format of every binary part of a model: named sections of plain arrays, mapped and used
// in place. Little-endian; version 1:
//
//   header   64 bytes   magic, byte-order mark, container version, kind, version of the kind,
//                       number of sections, offset of the table, file size, CRCs of table and
//                       header
//   sections            in order, each at the next multiple of 64, zeros between them
//   table               40 bytes per section: name, offset, size, CRC-32C, size of an element
//
// Every byte is either covered by a checksum or must be zero, so that every modification is
// detected. Opening always checks header, table, every offset and the zeros between sections, at a
// cost independent of the size; `verify` checks the sections' checksums, at several GB/s. A reader
// of a kind still checks the offsets inside its own sections: a checksum shows that a file is
// unmodified, not that its writer can be trusted.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "demotic/base/mapped_file.h"
#include "demotic/base/stop.h"

namespace demotic::base {

inline constexpr uint32_t kContainerVersion = 1;

struct ContainerSection {
  std::array<char, 16> name{};  // zero-padded
  uint64_t offset = 0;
  uint64_t size = 0;  // bytes
  uint32_t crc = 0;
  uint32_t element_size = 0;

  std::string_view label() const noexcept;
};
static_assert(sizeof(ContainerSection) == 40);

// Immutable; spans stay valid as long as the container lives. Safe to read from several threads.
class Container {
 public:
  // Throws IoError, FormatError (not a container, damaged) or ModelError (another kind or version).
  Container(const std::string& path, std::string_view kind, uint32_t kind_version);

  // The kind of a container. Throws IoError, FormatError.
  static std::string kind_of(const std::string& path);

  // Throws FormatError if the bytes of a section do not match its checksum.
  void verify(const StopFlag& stop) const;

  bool has(std::string_view section) const noexcept;
  // Throws ModelError if there is no such section or its elements have another size.
  template <typename T>
  std::span<const T> section(std::string_view name) const {
    static_assert(std::is_trivially_copyable_v<T> && alignof(T) <= 64);
    const std::span<const std::byte> bytes = raw(name, sizeof(T));
    return {reinterpret_cast<const T*>(bytes.data()), bytes.size() / sizeof(T)};
  }

  const std::string& path() const noexcept { return path_; }
  size_t size_bytes() const noexcept { return file_.bytes().size(); }
  std::span<const ContainerSection> sections() const noexcept { return table_; }

 private:
  std::span<const std::byte> raw(std::string_view name, size_t element_size) const;

  std::string path_;
  MappedFile file_;
  std::vector<ContainerSection> table_;
};

// Writes under a temporary name next to `path`; `commit` makes the file durable and renames it.
// Without `commit` nothing is left behind. Throws IoError, and std::invalid_argument for a name
// that is empty, too long or used twice, for a section that ends within an element, and for any
// call after `commit` or after an IoError, since the incomplete file is already removed.
class ContainerWriter {
 public:
  ContainerWriter(std::string path, std::string_view kind, uint32_t kind_version);
  ~ContainerWriter();
  ContainerWriter(const ContainerWriter&) = delete;
  ContainerWriter& operator=(const ContainerWriter&) = delete;

  // A whole section; or begin_section, any number of appends, and the next section.
  template <typename T>
  void section(std::string_view name, std::span<const T> values) {
    begin_section(name, sizeof(T));
    append(values);
  }
  void begin_section(std::string_view name, size_t element_size);
  template <typename T>
  void append(std::span<const T> values) {
    static_assert(std::is_trivially_copyable_v<T>);
    append_bytes(std::as_bytes(values));
  }
  void commit();

 private:
  void append_bytes(std::span<const std::byte> bytes);
  void end_section();
  void require_open() const;
  void write(std::span<const std::byte> bytes);
  void abandon() noexcept;
  [[noreturn]] void fail(const char* doing);

  std::string path_, temporary_;
  std::array<char, 16> kind_{};
  uint32_t kind_version_;
  std::FILE* file_ = nullptr;
  uint64_t written_ = 0;
  std::vector<ContainerSection> table_;
};

}  // namespace demotic::base
