#include "demotic/base/container.h"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "demotic/base/checksum.h"
#include "demotic/base/errors.h"

#ifdef _WIN32
#include <io.h>
#include <process.h>
#else
#include <fcntl.h>
#include <unistd.h>
#endif

namespace demotic::base {

static_assert(std::endian::native == std::endian::little, "containers are mapped as they are");

namespace {

constexpr std::array<char, 8> kMagic = {'\x89', 'D', 'E', 'M', '\r', '\n', '\x1a', '\n'};
constexpr uint32_t kByteOrder = 0x0A0B0C0D;
constexpr uint64_t kAlignment = 64;

struct Header {
  std::array<char, 8> magic = kMagic;
  uint32_t byte_order = kByteOrder;
  uint32_t version = kContainerVersion;
  std::array<char, 16> kind{};
  uint32_t kind_version = 0;
  uint32_t section_count = 0;
  uint64_t table_offset = 0;
  uint64_t file_size = 0;
  uint32_t table_crc = 0;
  uint32_t crc = 0;  // of all fields before it
};
static_assert(sizeof(Header) == 64);

uint64_t aligned(uint64_t offset) { return (offset + kAlignment - 1) & ~(kAlignment - 1); }

std::array<char, 16> padded(std::string_view name) {
  if (name.empty() || name.size() > 16 || name.find('\0') != std::string_view::npos)
    throw std::invalid_argument("a container name must have 1 to 16 bytes, none of them zero");
  std::array<char, 16> result{};
  std::copy(name.begin(), name.end(), result.begin());
  return result;
}

std::string_view unpadded(const std::array<char, 16>& name) {
  return {name.data(),
          static_cast<size_t>(std::find(name.begin(), name.end(), '\0') - name.begin())};
}

std::string quoted(std::string_view text) { return "'" + std::string(text) + "'"; }

uint32_t header_crc(const Header& header) {
  return crc32c(std::as_bytes(std::span(&header, 1)).first(sizeof header - sizeof header.crc));
}

constexpr const char* kRebuild = "copy the file again or build it again";

[[noreturn]] void damaged(const std::string& path, std::string found) {
  throw FormatError({.path = path,
                     .found = std::move(found),
                     .expected = "an unmodified container",
                     .advice = kRebuild});
}

// The header, if `bytes` starts with a valid one of this version.
Header checked_header(const std::string& path, std::span<const std::byte> bytes) {
  Header header;
  if (bytes.size() < sizeof header ||
      std::memcmp(bytes.data(), kMagic.data(), kMagic.size()) != 0) {
    throw FormatError({.path = path,
                       .found = bytes.empty() ? "an empty file" : "another kind of file",
                       .expected = "a Demotic container",
                       .advice = "check the name of the file"});
  }
  std::memcpy(&header, bytes.data(), sizeof header);
  if (header_crc(header) != header.crc) damaged(path, "a damaged header");
  if (header.byte_order != kByteOrder) damaged(path, "another byte order");
  if (header.version != kContainerVersion) {
    throw ModelError({.path = path,
                      .found = "container version " + std::to_string(header.version),
                      .expected = "version " + std::to_string(kContainerVersion),
                      .advice = "build the file again with this version of Demotic"});
  }
  return header;
}

// The table, if it and all its offsets are valid: sections follow each other without gaps.
std::vector<ContainerSection> checked_table(const std::string& path,
                                            std::span<const std::byte> bytes,
                                            const Header& header) {
  if (header.file_size != bytes.size()) {
    damaged(path, std::to_string(bytes.size()) + " bytes where " +
                      std::to_string(header.file_size) + " were written");
  }
  const uint64_t table_size = uint64_t{header.section_count} * sizeof(ContainerSection);
  if (header.table_offset > bytes.size() || bytes.size() - header.table_offset != table_size)
    damaged(path, "a section table outside the file");
  const auto raw = bytes.subspan(header.table_offset);
  if (crc32c(raw) != header.table_crc) damaged(path, "a damaged section table");
  std::vector<ContainerSection> table(header.section_count);
  if (table_size > 0) std::memcpy(table.data(), raw.data(), table_size);

  uint64_t end = sizeof(Header);
  const auto require_zeros_until = [&](uint64_t next) {
    if (next < end || next > bytes.size()) damaged(path, "a section outside the file");
    const auto gap = bytes.subspan(end, next - end);
    if (!std::all_of(gap.begin(), gap.end(), [](std::byte b) { return b == std::byte{0}; }))
      damaged(path, "bytes between sections");
  };
  for (const ContainerSection& section : table) {
    if (section.offset != aligned(end)) damaged(path, "a misplaced section");
    require_zeros_until(section.offset);
    if (section.size > bytes.size() - section.offset) damaged(path, "a section outside the file");
    if (section.element_size == 0 || section.size % section.element_size != 0)
      damaged(path, "a section that ends within an element");
    end = section.offset + section.size;
  }
  if (header.table_offset != aligned(end)) damaged(path, "a misplaced section table");
  require_zeros_until(header.table_offset);
  return table;
}

}  // namespace

std::string_view ContainerSection::label() const noexcept { return unpadded(name); }

std::string Container::kind_of(const std::string& path) {
  const MappedFile file(path);
  return std::string(unpadded(checked_header(path, file.bytes()).kind));
}

Container::Container(const std::string& path, std::string_view kind, uint32_t kind_version)
    : path_(path), file_(path) {
  const Header header = checked_header(path, file_.bytes());
  table_ = checked_table(path, file_.bytes(), header);
  if (unpadded(header.kind) != kind) {
    throw ModelError({.path = path,
                      .found = "a container of kind " + quoted(unpadded(header.kind)),
                      .expected = "kind " + quoted(kind),
                      .advice = "check the name of the file"});
  }
  if (header.kind_version != kind_version) {
    throw ModelError({.path = path,
                      .found = quoted(kind) + " version " + std::to_string(header.kind_version),
                      .expected = "version " + std::to_string(kind_version),
                      .advice = "build the file again with this version of Demotic"});
  }
}

void Container::verify(const StopFlag& stop) const {
  constexpr size_t kStep = size_t{1} << 20;  // even a slow disk reads this in a few milliseconds
  for (const ContainerSection& section : table_) {
    auto rest = file_.bytes().subspan(section.offset, section.size);
    uint32_t crc = 0;
    while (!rest.empty()) {
      stop.check();
      const auto step = rest.first(std::min(kStep, rest.size()));
      crc = crc32c(step, crc);
      rest = rest.subspan(step.size());
    }
    if (crc != section.crc) damaged(path_, "a damaged section " + quoted(section.label()));
  }
}

bool Container::has(std::string_view section) const noexcept {
  return std::ranges::find(table_, section, &ContainerSection::label) != table_.end();
}

std::span<const std::byte> Container::raw(std::string_view name, size_t element_size) const {
  for (const ContainerSection& section : table_) {
    if (section.label() != name) continue;
    if (section.element_size != element_size) {
      throw ModelError({.path = path_,
                        .found = "section " + quoted(name) + " with elements of " +
                                 std::to_string(section.element_size) + " bytes",
                        .expected = std::to_string(element_size) + " bytes",
                        .advice = kRebuild});
    }
    return file_.bytes().subspan(section.offset, section.size);
  }
  throw ModelError({.path = path_,
                    .found = "no section " + quoted(name),
                    .expected = "one",
                    .advice = kRebuild});
}

ContainerWriter::ContainerWriter(std::string path, std::string_view kind, uint32_t kind_version)
    : path_(std::move(path)), kind_(padded(kind)), kind_version_(kind_version) {
#ifdef _WIN32
  const auto process = _getpid();
#else
  const auto process = ::getpid();
#endif
  // The address distinguishes the writers of one process.
  temporary_ = path_ + ".partial-" + std::to_string(process) + "-" +
               std::to_string(reinterpret_cast<uintptr_t>(this));
  errno = EINVAL;
  if (path_.find('\0') == std::string::npos) file_ = std::fopen(temporary_.c_str(), "wb");
  if (!file_) fail("the file cannot be created");
  const std::array<std::byte, sizeof(Header)> room{};
  write(room);
}

ContainerWriter::~ContainerWriter() { abandon(); }

void ContainerWriter::abandon() noexcept {
  if (!file_) return;
  std::fclose(std::exchange(file_, nullptr));
  std::remove(temporary_.c_str());
}

void ContainerWriter::begin_section(std::string_view name, size_t element_size) {
  require_open();
  if (element_size == 0) throw std::invalid_argument("the size of an element must not be 0");
  const auto label = padded(name);
  for (const ContainerSection& section : table_)
    if (section.name == label) throw std::invalid_argument("section written twice");
  end_section();
  table_.push_back({label, written_, 0, 0, static_cast<uint32_t>(element_size)});
}

void ContainerWriter::append_bytes(std::span<const std::byte> bytes) {
  require_open();
  if (table_.empty()) throw std::invalid_argument("append before begin_section");
  write(bytes);
  table_.back().size += bytes.size();
  table_.back().crc = crc32c(bytes, table_.back().crc);
}

void ContainerWriter::require_open() const {
  if (!file_) throw std::invalid_argument("the container is already finished or abandoned");
}

void ContainerWriter::end_section() {
  if (!table_.empty() && table_.back().size % table_.back().element_size != 0)
    throw std::invalid_argument("a section that ends within an element");
  const std::array<std::byte, kAlignment> zeros{};
  write(std::span(zeros).first(aligned(written_) - written_));
}

void ContainerWriter::commit() {
  require_open();
  end_section();
  Header header;
  header.kind = kind_;
  header.kind_version = kind_version_;
  header.section_count = static_cast<uint32_t>(table_.size());
  header.table_offset = written_;
  const auto table = std::as_bytes(std::span(table_));
  header.table_crc = crc32c(table);
  write(table);
  header.file_size = written_;
  header.crc = header_crc(header);
  if (std::fseek(file_, 0, SEEK_SET) != 0) fail("the file cannot be written");
  write(std::as_bytes(std::span(&header, 1)));
  if (std::fflush(file_) != 0) fail("the file cannot be written");
#ifdef _WIN32
  const bool durable = _commit(_fileno(file_)) == 0;
#else
  const bool durable = ::fsync(::fileno(file_)) == 0;
#endif
  if (!durable) fail("the file cannot be made durable");
  const bool closed = std::fclose(std::exchange(file_, nullptr)) == 0;
  std::error_code error;
  if (closed) std::filesystem::rename(temporary_, path_, error);
  if (!closed || error) {
    const int code = closed ? error.value() : errno;
    std::remove(temporary_.c_str());
    errno = code;
    fail("the finished file cannot be renamed");
  }
}

void ContainerWriter::write(std::span<const std::byte> bytes) {
  if (!bytes.empty() && std::fwrite(bytes.data(), 1, bytes.size(), file_) != bytes.size())
    fail("the file cannot be written");
  written_ += bytes.size();
}

// Abandons the file: after a failed write the position of the next byte is unknown.
void ContainerWriter::fail(const char* doing) {
  const int code = errno;
  std::string found = doing;
  std::error_code ignored;
  const auto folder = std::filesystem::path(path_).parent_path();
  const auto space = std::filesystem::space(folder.empty() ? "." : folder, ignored);
  if (code == ENOSPC && !ignored) {
    found += ": " + std::to_string(written_) + " bytes written, " +
             std::to_string(space.available) + " bytes free";
  }
  abandon();
  throw IoError({.path = path_, .found = found}, code);
}

}  // namespace demotic::base
