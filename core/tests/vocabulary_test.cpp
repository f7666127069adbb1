// Words and ids agree, in memory and from a file; inconsistent arrays are refused even if their
// checksums are valid.
#include "demotic/text/vocabulary.h"

#include <algorithm>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "demotic/base/errors.h"
#include "demotic/base/hash.h"
#include "scratch.h"
#include "test.h"

namespace test = demotic::test;
using namespace demotic::all;
using test::Scratch;

namespace {

Vocabulary made_of(const std::vector<std::string>& words) {
  VocabularyBuilder builder;
  for (const std::string& word : words) builder.add(word);
  return builder.finish();
}

// The arrays of a vocabulary file, to be modified and written with valid checksums.
struct Arrays {
  std::string bytes;
  std::vector<int64_t> offsets;
  std::vector<uint32_t> slots;

  explicit Arrays(const std::string& path) {
    const Container file(path, "vocabulary", 1);
    const auto b = file.section<char>("bytes");
    const auto o = file.section<int64_t>("offsets");
    const auto s = file.section<uint32_t>("slots");
    bytes.assign(b.begin(), b.end());
    offsets.assign(o.begin(), o.end());
    slots.assign(s.begin(), s.end());
  }
  void write(const std::string& path) const {
    ContainerWriter writer(path, "vocabulary", 1);
    writer.section("bytes", std::span(bytes));
    writer.section("offsets", std::span(offsets));
    writer.section("slots", std::span(slots));
    writer.commit();
  }
};

// A file modified by `change` must be refused, whether it is verified or not.
void check_refused(const std::function<void(Arrays&)>& change) {
  Scratch scratch;
  made_of({"one", "two", "three"}).save(scratch / "sound");
  Arrays arrays(scratch / "sound");
  change(arrays);
  arrays.write(scratch / "forged");
  for (bool verify : {true, false})
    CHECK_THROWS_AS(Vocabulary::open(scratch / "forged", verify, StopFlag()), FormatError);
}

}  // namespace

TEST_CASE("the reserved words have their ids, others follow in order of appearance") {
  VocabularyBuilder builder;
  CHECK_EQ(builder.size(), kReservedWords);
  CHECK_EQ(builder.add("b"), 3);
  CHECK_EQ(builder.add("a"), 4);
  CHECK_EQ(builder.add("b"), 3);
  const Vocabulary vocabulary = builder.finish();
  CHECK_EQ(vocabulary.size(), 5);
  CHECK_EQ(vocabulary.word(kUnknown), "<unk>");
  CHECK_EQ(vocabulary.word(kSentenceBegin), "<s>");
  CHECK_EQ(vocabulary.word(kSentenceEnd), "</s>");
  CHECK_EQ(vocabulary.find("a"), 4);
  CHECK_EQ(vocabulary.find("c"), kUnknown);
  CHECK_EQ(vocabulary.word(3), "b");
}

TEST_CASE("no text can produce the reserved words") {
  const std::vector<std::string> names = {"<unk>", "<s>", "</s>"};
  const Vocabulary without = made_of({"a"});
  for (const std::string& name : names) CHECK_EQ(without.find(name), kUnknown);
  Scratch scratch;
  made_of(names).save(scratch / "v");
  const Vocabulary vocabulary = Vocabulary::open(scratch / "v", true, StopFlag());
  CHECK_EQ(vocabulary.size(), 6);
  for (WordId i = 0; i < 3; ++i) {
    CHECK_EQ(vocabulary.find(names[i]), i + kReservedWords);
    CHECK_EQ(vocabulary.word(i + kReservedWords), names[i]);
  }
}

TEST_CASE("the ids of another vocabulary's words; reserved ones are the same") {
  const std::vector<WordId> map = made_of({"b", "<s>", "a"}).map(made_of({"<s>", "c", "b"}));
  CHECK((map == std::vector<WordId>{0, 1, 2, 4, 0, 3}));
}

TEST_CASE("ids without a word are out of range") {
  const Vocabulary vocabulary = made_of({"a"});
  CHECK_THROWS_AS(vocabulary.word(-1), std::out_of_range);
  CHECK_THROWS_AS(vocabulary.word(4), std::out_of_range);
}

TEST_CASE("a builder starts again after finish") {
  VocabularyBuilder builder;
  builder.add("a");
  const Vocabulary first = builder.finish();
  CHECK_EQ(builder.size(), kReservedWords);
  CHECK_EQ(builder.add("b"), 3);
  CHECK_EQ(first.find("a"), 3);
  CHECK_EQ(builder.finish().find("a"), kUnknown);
}

TEST_CASE("any bytes are a word: none, a zero, a space, a prefix of another word") {
  const std::vector<std::string> words = {"", std::string("\0", 1), " ", "word", "wor", "words"};
  Scratch scratch;
  made_of(words).save(scratch / "v");
  const Vocabulary vocabulary = Vocabulary::open(scratch / "v", true, StopFlag());
  for (size_t i = 0; i < words.size(); ++i) {
    CHECK_EQ(vocabulary.find(words[i]), static_cast<WordId>(i) + kReservedWords);
    CHECK_EQ(vocabulary.word(static_cast<WordId>(i) + kReservedWords), words[i]);
  }
}

TEST_CASE("300,000 words keep their ids while the table grows and from a file") {
  constexpr WordId kWords = 300000;
  VocabularyBuilder builder;
  for (WordId i = 0; i < kWords; ++i)
    CHECK_EQ(builder.add("w" + std::to_string(i)), i + kReservedWords);
  const Vocabulary built = builder.finish();
  Scratch scratch;
  built.save(scratch / "v");
  const Vocabulary opened = Vocabulary::open(scratch / "v", true, StopFlag());
  CHECK_EQ(opened.size(), kWords + kReservedWords);
  for (WordId i = 0; i < kWords; ++i) {
    const std::string word = "w" + std::to_string(i);
    CHECK_EQ(built.find(word), i + kReservedWords);
    CHECK_EQ(opened.find(word), i + kReservedWords);
    CHECK_EQ(opened.word(i + kReservedWords), word);
  }
  CHECK_EQ(opened.find("w" + std::to_string(kWords)), kUnknown);
  opened.save(scratch / "again");
  CHECK(test::read_file(scratch / "v") == test::read_file(scratch / "again"));
}

TEST_CASE("a vocabulary stays valid after its file was removed") {
  Scratch scratch;
  made_of({"a"}).save(scratch / "v");
  const Vocabulary vocabulary = Vocabulary::open(scratch / "v", false, StopFlag());
  std::filesystem::remove(scratch / "v");
  CHECK_EQ(vocabulary.find("a"), 3);
}

TEST_CASE("offsets that do not fit the words are refused") {
  check_refused([](Arrays& arrays) { arrays.offsets[0] = 1; });
  check_refused([](Arrays& arrays) { arrays.offsets[4] = -1; });
  check_refused([](Arrays& arrays) { arrays.offsets[4] = 1 << 30; });
  check_refused([](Arrays& arrays) { ++arrays.offsets.back(); });
  check_refused([](Arrays& arrays) { arrays.offsets.clear(); });
  check_refused([](Arrays& arrays) { arrays.offsets.pop_back(); });
  check_refused([](Arrays& arrays) { arrays.bytes.pop_back(); });
}

TEST_CASE("reserved words that are missing or others are refused") {
  check_refused([](Arrays& arrays) { arrays.bytes[1] = 'x'; });
  check_refused([](Arrays& arrays) {
    arrays.offsets = {0, 0, 0};
    arrays.bytes.clear();
    arrays.slots = {1, 2, 0, 0};
  });
}

TEST_CASE("tables that would never end a search, or point outside, are refused") {
  check_refused([](Arrays& arrays) { arrays.slots.assign(8, 1); });
  check_refused([](Arrays& arrays) {
    for (uint32_t& slot : arrays.slots) slot = 1;
  });
  check_refused([](Arrays& arrays) { arrays.slots.clear(); });
  check_refused([](Arrays& arrays) { arrays.slots.pop_back(); });
  check_refused([](Arrays& arrays) {
    for (uint32_t& slot : arrays.slots)
      if (slot == 6) slot = 7;
  });
  check_refused([](Arrays& arrays) {
    for (uint32_t& slot : arrays.slots)
      if (slot == 6) slot = 0xFFFFFFFFu;
  });
  check_refused([](Arrays& arrays) {
    for (uint32_t& slot : arrays.slots)
      if (slot == 6) slot = 0;
  });
}

TEST_CASE("a table that lists a word twice and misses another is refused") {
  check_refused([](Arrays& arrays) {
    for (uint32_t& slot : arrays.slots)
      if (slot == 6) slot = 5;
  });
}

TEST_CASE("a table in another order loses words, but has no other effect") {
  Scratch scratch;
  made_of({"one", "two", "three"}).save(scratch / "sound");
  Arrays arrays(scratch / "sound");
  std::rotate(arrays.slots.begin(), arrays.slots.begin() + 1, arrays.slots.end());
  arrays.write(scratch / "forged");
  const Vocabulary vocabulary = Vocabulary::open(scratch / "forged", true, StopFlag());
  for (WordId id = 0; id < vocabulary.size(); ++id) {
    const WordId found = vocabulary.find(vocabulary.word(id));
    CHECK(found == id || found == kUnknown);
  }
}

TEST_CASE("another kind of container is not a vocabulary") {
  Scratch scratch;
  ContainerWriter(scratch / "v", "corpus", 1).commit();
  CHECK_THROWS_AS(Vocabulary::open(scratch / "v", true, StopFlag()), ModelError);
  ContainerWriter(scratch / "v", "vocabulary", 1).commit();
  CHECK_THROWS_AS(Vocabulary::open(scratch / "v", true, StopFlag()), ModelError);
}

TEST_CASE("the hash is part of the format and never changes") {
  CHECK_EQ(hash_bytes(""), mix64(0x9e3779b97f4a7c15u));
  const std::string ascending = "abcdefgh";
  CHECK_EQ(hash_bytes(ascending), mix64(mix64(8 + 0x9e3779b97f4a7c15u) ^ 0x6867666564636261u));
  CHECK(hash_bytes("a") != hash_bytes(std::string("a\0", 2)));
  CHECK_EQ(mix64(1), 4324205816119988925u);
}
