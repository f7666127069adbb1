// CRC-32C against published values and against its definition, bit by bit.
#include "demotic/base/checksum.h"

#include <string>
#include <string_view>

#include "demotic/base/rng.h"
#include "test.h"

namespace test = demotic::test;
using namespace demotic::all;

namespace {

std::span<const std::byte> bytes_of(std::string_view text) {
  return std::as_bytes(std::span(text.data(), text.size()));
}

uint32_t by_definition(std::string_view text) {
  uint32_t crc = ~0u;
  for (char byte : text) {
    crc ^= static_cast<uint8_t>(byte);
    for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ (crc & 1 ? 0x82F63B78u : 0);
  }
  return ~crc;
}

std::string random_bytes(Rng& rng, size_t count) {
  std::string text(count, '\0');
  for (char& byte : text) byte = static_cast<char>(rng.next());
  return text;
}

}  // namespace

TEST_CASE("published values (RFC 3720, B.4)") {
  std::string ascending;
  for (int i = 0; i < 32; ++i) ascending.push_back(static_cast<char>(i));
  CHECK_EQ(crc32c(bytes_of("123456789")), 0xE3069283u);
  CHECK_EQ(crc32c(bytes_of(std::string(32, '\0'))), 0x8A9136AAu);
  CHECK_EQ(crc32c(bytes_of(std::string(32, '\xFF'))), 0x62A8AB43u);
  CHECK_EQ(crc32c(bytes_of(ascending)), 0x46DD794Eu);
  CHECK_EQ(crc32c({}), 0u);
}

TEST_CASE("every length and every alignment follow the definition") {
  Rng rng(51);
  const std::string text = random_bytes(rng, 80);
  for (size_t begin = 0; begin < 9; ++begin)
    for (size_t size = 0; size + begin <= text.size(); ++size) {
      const std::string_view part = std::string_view(text).substr(begin, size);
      CHECK_EQ(crc32c(bytes_of(part)), by_definition(part));
    }
}

TEST_CASE("the checksum of a whole can be computed from its parts") {
  Rng rng(52);
  const std::string text = random_bytes(rng, 200);
  const uint32_t whole = crc32c(bytes_of(text));
  for (size_t cut = 0; cut <= text.size(); ++cut) {
    const std::string_view view = text;
    CHECK_EQ(crc32c(bytes_of(view.substr(cut)), crc32c(bytes_of(view.substr(0, cut)))), whole);
  }
}
