// Arbitrary bytes as a container file: refused, or every section can be read. With an odd first
// byte the checksums of header and table are corrected first, so that the code behind them is
// reached.
#include <cstring>

#include "demotic/base/checksum.h"
#include "demotic/base/container.h"
#include "demotic/base/errors.h"
#include "fuzz.h"

namespace demotic::fuzz {
using namespace all;
namespace {

// Offsets of the numbers in the header (container.cpp).
constexpr size_t kHeader = 64, kTableOffset = 40, kFileSize = 48, kTableCrc = 56, kHeaderCrc = 60;

template <typename T>
void put(std::string& bytes, size_t at, T value) {
  std::memcpy(bytes.data() + at, &value, sizeof value);
}

uint32_t checksum(std::string_view bytes) {
  return crc32c(std::as_bytes(std::span(bytes.data(), bytes.size())));
}

void repair(std::string& bytes) {
  if (bytes.size() < kHeader) return;
  uint64_t table = 0;
  std::memcpy(&table, bytes.data() + kTableOffset, sizeof table);
  put<uint64_t>(bytes, kFileSize, bytes.size());
  if (table <= bytes.size()) put(bytes, kTableCrc, checksum(std::string_view(bytes).substr(table)));
  put(bytes, kHeaderCrc, checksum(std::string_view(bytes).substr(0, kHeaderCrc)));
}

std::string made(int sections) {
  const OneFile file;
  ContainerWriter writer(file.path(), "fuzz", 1);
  const std::string text = "some bytes of text";
  for (int i = 0; i < sections; ++i)
    writer.section("s" + std::to_string(i), std::span(text).first(7 * i));
  writer.commit();
  return file.read();
}

}  // namespace

std::vector<std::string> seeds() {
  std::vector<std::string> result;
  for (int sections : {0, 1, 3})
    for (const char* choice : {"0", "1"}) result.push_back(choice + made(sections));
  return result;
}

}  // namespace demotic::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace demotic::fuzz;
  using namespace demotic::all;
  if (size == 0) return 0;
  static const OneFile file;
  std::string bytes(reinterpret_cast<const char*>(data + 1), size - 1);
  if (data[0] % 2 == 1) repair(bytes);
  file.write(bytes);
  try {
    const Container container(file.path(), "fuzz", 1);
    for (const ContainerSection& section : container.sections())
      require(section.offset + section.size <= bytes.size());
    container.verify(StopFlag());
    for (const ContainerSection& section : container.sections()) {
      if (section.element_size != 1) continue;
      const auto text = container.section<char>(section.label());
      checksum({text.data(), text.size()});
    }
  } catch (const Error&) {
    return 0;  // refused
  }
  return 0;
}
