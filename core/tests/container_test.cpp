// Containers are read back as written; any modification, truncation or addition is refused; a
// writer that does not finish leaves nothing.
#include "demotic/base/container.h"

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "demotic/base/errors.h"
#include "scratch.h"
#include "test.h"

#ifndef _WIN32
#include <sys/resource.h>

#include <csignal>
#endif

namespace test = demotic::test;
using namespace demotic::all;
using test::Scratch;

namespace {

const std::vector<int32_t> kNumbers = {1, -2, 3};
const std::string kText = "text of a section";

void write_small(const std::string& path) {
  ContainerWriter writer(path, "small", 3);
  writer.section("numbers", std::span(kNumbers));
  writer.section("empty", std::span<const double>());
  writer.section("text", std::span(kText));
  writer.commit();
}

// Opens and verifies; returns whether that was refused as damage.
bool refused(const std::string& path) {
  const StopFlag stop;
  try {
    Container(path, "small", 3).verify(stop);
  } catch (const FormatError&) {
    return true;
  } catch (const ModelError&) {
    return true;
  }
  return false;
}

}  // namespace

TEST_CASE("sections are read back, including empty ones, at multiples of 64") {
  Scratch scratch;
  write_small(scratch / "f");
  const Container container(scratch / "f", "small", 3);
  container.verify(StopFlag());
  CHECK(std::ranges::equal(container.section<int32_t>("numbers"), kNumbers));
  CHECK(std::ranges::equal(container.section<char>("text"), kText));
  CHECK(container.section<double>("empty").empty());
  CHECK_EQ(container.sections().size(), 3u);
  CHECK_EQ(container.size_bytes(), std::filesystem::file_size(scratch / "f"));
  for (const ContainerSection& section : container.sections()) CHECK_EQ(section.offset % 64, 0u);
  CHECK_EQ(scratch.entries(), 1u);
}

TEST_CASE("a container without sections is its header") {
  Scratch scratch;
  ContainerWriter(scratch / "f", "none", 1).commit();
  CHECK_EQ(Container(scratch / "f", "none", 1).sections().size(), 0u);
  CHECK_EQ(std::filesystem::file_size(scratch / "f"), 64u);
}

TEST_CASE("a section written in pieces equals one written at once") {
  Scratch scratch;
  write_small(scratch / "whole");
  ContainerWriter writer(scratch / "pieces", "small", 3);
  writer.begin_section("numbers", 4);
  for (const int32_t& number : kNumbers) writer.append(std::span(&number, 1));
  writer.begin_section("empty", 8);
  writer.begin_section("text", 1);
  for (const char& letter : kText) writer.append(std::span(&letter, 1));
  writer.commit();
  CHECK(test::read_file(scratch / "whole") == test::read_file(scratch / "pieces"));
}

TEST_CASE("names have 1 to 16 bytes, none of them zero, and occur once") {
  Scratch scratch;
  const std::string longest(16, 'n');
  ContainerWriter writer(scratch / "f", longest, 1);
  writer.begin_section(longest, 1);
  CHECK_THROWS_AS(writer.begin_section("", 1), std::invalid_argument);
  CHECK_THROWS_AS(writer.begin_section(longest + "n", 1), std::invalid_argument);
  CHECK_THROWS_AS(writer.begin_section(std::string_view("a\0b", 3), 1), std::invalid_argument);
  CHECK_THROWS_AS(writer.begin_section(longest, 1), std::invalid_argument);
  CHECK_THROWS_AS(ContainerWriter(scratch / "g", "", 1), std::invalid_argument);
  writer.commit();
  const Container container(scratch / "f", longest, 1);
  CHECK_EQ(container.sections()[0].label(), longest);
}

TEST_CASE("another kind, version, section or element size is a ModelError") {
  Scratch scratch;
  write_small(scratch / "f");
  CHECK_THROWS_AS(Container(scratch / "f", "large", 3), ModelError);
  CHECK_THROWS_AS(Container(scratch / "f", "small", 2), ModelError);
  const Container container(scratch / "f", "small", 3);
  CHECK_THROWS_AS(container.section<int32_t>("number"), ModelError);
  CHECK_THROWS_AS(container.section<int64_t>("numbers"), ModelError);
  CHECK_THROWS_AS(container.section<int8_t>("numbers"), ModelError);
}

TEST_CASE("what is not a container is refused") {
  Scratch scratch;
  CHECK_THROWS_AS(Container(scratch / "missing", "small", 3), IoError);
  CHECK_THROWS_AS(Container(scratch.folder().string(), "small", 3), IoError);
  for (const std::string& text : {std::string(), std::string("text"), std::string(1000, '\0')}) {
    test::write_file(scratch / "f", text);
    CHECK_THROWS_AS(Container(scratch / "f", "small", 3), FormatError);
  }
}

TEST_CASE("every change of a single byte is refused") {
  Scratch scratch;
  write_small(scratch / "f");
  const std::string sound = test::read_file(scratch / "f");
  std::fstream file(scratch / "f", std::ios::in | std::ios::out | std::ios::binary);
  const auto put = [&](size_t position, char byte) {
    file.seekp(static_cast<std::streamoff>(position));
    file.put(byte).flush();
  };
  for (size_t position = 0; position < sound.size(); ++position) {
    for (int change = 1; change < 256; ++change) {
      put(position, static_cast<char>(sound[position] ^ change));
      CHECK(refused(scratch / "f"));
    }
    put(position, sound[position]);
  }
  CHECK(!refused(scratch / "f"));
}

TEST_CASE("every truncation and every addition is refused") {
  Scratch scratch;
  write_small(scratch / "f");
  const std::string sound = test::read_file(scratch / "f");
  for (size_t size = 0; size < sound.size(); ++size) {
    test::write_file(scratch / "g", sound.substr(0, size));
    CHECK(refused(scratch / "g"));
  }
  for (size_t more : {1u, 7u, 40u, 64u, 4096u}) {
    test::write_file(scratch / "g", sound + std::string(more, '\0'));
    CHECK(refused(scratch / "g"));
    test::write_file(scratch / "g", sound + sound.substr(0, more));
    CHECK(refused(scratch / "g"));
  }
}

TEST_CASE("without commit nothing is left, and an existing file is kept") {
  Scratch scratch;
  {
    ContainerWriter writer(scratch / "f", "small", 3);
    writer.section("numbers", std::span(kNumbers));
    CHECK_EQ(scratch.entries(), 1u);
  }
  CHECK_EQ(scratch.entries(), 0u);
  write_small(scratch / "f");
  const std::string before = test::read_file(scratch / "f");
  {
    ContainerWriter writer(scratch / "f", "small", 4);
    writer.section("other", std::span(kNumbers));
  }
  CHECK(test::read_file(scratch / "f") == before);
  CHECK_EQ(scratch.entries(), 1u);
}

TEST_CASE("a commit replaces an existing file; readers of the old file keep it") {
  Scratch scratch;
  write_small(scratch / "f");
  const Container old(scratch / "f", "small", 3);
  ContainerWriter(scratch / "f", "small", 4).commit();
  CHECK_EQ(Container(scratch / "f", "small", 4).sections().size(), 0u);
  old.verify(StopFlag());
  CHECK(std::ranges::equal(old.section<int32_t>("numbers"), kNumbers));
}

TEST_CASE("two writers of one name do not disturb each other; the last commit wins") {
  Scratch scratch;
  auto one = std::make_unique<ContainerWriter>(scratch / "f", "small", 1);
  ContainerWriter two(scratch / "f", "small", 2);
  two.section("text", std::span(kText));
  one->section("numbers", std::span(kNumbers));
  one->commit();
  two.commit();
  one.reset();
  const Container container(scratch / "f", "small", 2);
  container.verify(StopFlag());
  CHECK(std::ranges::equal(container.section<char>("text"), kText));
  CHECK_EQ(scratch.entries(), 1u);
}

TEST_CASE("a writer is used in order: sections first, commit once, whole elements") {
  Scratch scratch;
  ContainerWriter writer(scratch / "f", "small", 3);
  CHECK_THROWS_AS(writer.append(std::span(kText)), std::invalid_argument);
  CHECK_THROWS_AS(writer.begin_section("none", 0), std::invalid_argument);
  writer.begin_section("halves", 8);
  writer.append(std::span(kText).first(12));
  CHECK_THROWS_AS(writer.commit(), std::invalid_argument);
  CHECK_THROWS_AS(writer.begin_section("next", 1), std::invalid_argument);
  writer.append(std::span(kText).first(4));
  writer.commit();
  CHECK_EQ(Container(scratch / "f", "small", 3).section<int64_t>("halves").size(), 2u);
  CHECK_THROWS_AS(writer.commit(), std::invalid_argument);
  CHECK_THROWS_AS(writer.append(std::span(kText)), std::invalid_argument);
  CHECK_THROWS_AS(writer.begin_section("next", 1), std::invalid_argument);
}

TEST_CASE("a folder that is not there is an IoError with the reason") {
  Scratch scratch;
  const std::string path = scratch / "no/such/f";
  try {
    ContainerWriter writer(path, "small", 3);
    CHECK(!"a writer without a folder");
  } catch (const IoError& error) {
    CHECK_EQ(error.code(), ENOENT);
    CHECK_EQ(error.fault().path, path);
  }
}

TEST_CASE("a name taken by a folder is refused and nothing is left") {
  Scratch scratch;
  std::filesystem::create_directory(scratch / "f");
  ContainerWriter writer(scratch / "f", "small", 3);
  CHECK_THROWS_AS(writer.commit(), IoError);
  CHECK_EQ(scratch.entries(), 1u);
}

#ifndef _WIN32
TEST_CASE("a write that fails ends the writer and keeps the existing file") {
  Scratch scratch;
  write_small(scratch / "f");
  const std::string before = test::read_file(scratch / "f");
  rlimit usual{};
  ::getrlimit(RLIMIT_FSIZE, &usual);
  const auto previous = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit tight{100, usual.rlim_max};  // maximum file size in bytes, to simulate a full disk
  ::setrlimit(RLIMIT_FSIZE, &tight);
  ContainerWriter large(scratch / "f", "small", 4), small(scratch / "f", "small", 4);
  large.begin_section("large", 1);
  CHECK_THROWS_AS(large.append(std::span<const char>(std::vector<char>(1 << 20))), IoError);
  small.section("text", std::span(kText));
  small.section("more", std::span(kText));
  CHECK_THROWS_AS(small.commit(), IoError);
  ::setrlimit(RLIMIT_FSIZE, &usual);
  std::signal(SIGXFSZ, previous);
  CHECK_THROWS_AS(large.commit(), std::invalid_argument);
  CHECK_THROWS_AS(small.commit(), std::invalid_argument);
  CHECK(test::read_file(scratch / "f") == before);
  CHECK_EQ(scratch.entries(), 1u);
}
#endif

TEST_CASE("verification can be stopped") {
  Scratch scratch;
  write_small(scratch / "f");
  StopFlag stop;
  stop.raise();
  CHECK_THROWS_AS(Container(scratch / "f", "small", 3).verify(stop), Interrupted);
}
