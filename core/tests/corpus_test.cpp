// Lines are encoded and decoded; the number of threads makes no difference; bad files are refused.
#include "demotic/text/corpus.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include "demotic/base/errors.h"
#include "demotic/base/rng.h"
#include "scratch.h"
#include "test.h"

namespace test = demotic::test;
using namespace demotic::all;
using test::Scratch;

namespace {

const StopFlag kGoOn;

Lines lines_of(const std::vector<std::string>& texts) {
  Lines lines;
  for (const std::string& text : texts) lines.append(text);
  return lines;
}

struct Built {
  Corpus corpus;
  Vocabulary vocabulary;
  int64_t capped;
};

Built build(const Lines& lines) {
  VocabularyBuilder words;
  CorpusBuilder builder(words);
  builder.add(lines, kGoOn);
  Corpus corpus = builder.finish();
  return {corpus, words.finish(), builder.capped_tokens()};
}

bool equal(const Corpus& a, const Corpus& b) {
  return std::ranges::equal(a.offsets(), b.offsets()) && std::ranges::equal(a.words(), b.words());
}

Lines random_lines(Rng& rng, int count) {
  Lines lines;
  for (int i = 0; i < count; ++i) {
    std::string line;
    for (uint64_t words = rng.below(8); words > 0; --words)
      line += (line.empty() ? "w" : " w") + std::to_string(rng.below(5000));
    lines.append(line);
  }
  return lines;
}

void check_forged(std::vector<int64_t> offsets, const std::vector<int32_t>& words) {
  Scratch scratch;
  ContainerWriter writer(scratch / "c", "corpus", 1);
  writer.section("offsets", std::span<const int64_t>(offsets));
  writer.section("words", std::span(words));
  writer.commit();
  CHECK_THROWS_AS(Corpus::open(scratch / "c", true, kGoOn), FormatError);
  CHECK_THROWS_AS(Corpus::open(scratch / "c", false, kGoOn), FormatError);
}

}  // namespace

TEST_CASE("tokens are separated by spaces") {
  const Built built = build(lines_of({"a b  a", "", "  ", " c "}));
  CHECK_EQ(built.corpus.size(), 4);
  CHECK((std::ranges::equal(built.corpus[0], std::vector<WordId>{3, 4, 3})));
  CHECK(built.corpus[1].empty() && built.corpus[2].empty());
  CHECK((std::ranges::equal(built.corpus[3], std::vector<WordId>{5})));
}

TEST_CASE("words spelled like reserved ones, and unusual spaces, are words") {
  const std::vector<std::string> texts = {"<s> a </s> <unk>", "&lt;unk&gt; <unk>",
                                          "\u200b \u00a0x"};
  const Built built = build(lines_of(texts));
  CHECK((std::ranges::equal(built.corpus.words(), std::vector<WordId>{3, 4, 5, 6, 7, 6, 8, 9})));
  const Lines decoded = decode(built.vocabulary, built.corpus, kGoOn);
  for (size_t i = 0; i < texts.size(); ++i) CHECK_EQ(decoded[i], texts[i]);
  CHECK(equal(encode(built.vocabulary, lines_of(texts), 1, kGoOn), built.corpus));
}

TEST_CASE("words that are not in the vocabulary are encoded as <unk>") {
  const Built built = build(lines_of({"a b"}));
  const Corpus corpus = encode(built.vocabulary, lines_of({"b x </s> <s> <unk> a"}), 1, kGoOn);
  CHECK((std::ranges::equal(corpus.words(), std::vector<WordId>{4, 0, 0, 0, 0, 3})));
}

TEST_CASE("encoding does not depend on the number of threads") {
  Rng rng(61);
  const Lines lines = random_lines(rng, 30000);
  const Built built = build(lines);
  for (int threads = 1; threads <= 8; ++threads)
    CHECK(equal(encode(built.vocabulary, lines, threads, kGoOn), built.corpus));
  CHECK_EQ(encode(built.vocabulary, Lines(), 4, kGoOn).size(), 0);
}

TEST_CASE("decoding restores the text, tokens joined by single spaces") {
  Rng rng(62);
  const Lines lines = random_lines(rng, 5000);
  const Built built = build(lines);
  const Lines decoded = decode(built.vocabulary, built.corpus, kGoOn);
  CHECK(decoded.bytes == lines.bytes);
  CHECK(decoded.offsets == lines.offsets);
  const Built spaced = build(lines_of({"  a   b "}));
  CHECK_EQ(decode(spaced.vocabulary, spaced.corpus, kGoOn)[0], "a b");
}

TEST_CASE("ids without a word cannot be decoded or counted") {
  const Built built = build(lines_of({"a b b"}));
  const Vocabulary small = VocabularyBuilder().finish();
  CHECK_THROWS_AS(decode(small, built.corpus, kGoOn), std::out_of_range);
  CHECK_THROWS_AS(count_words(built.corpus, 4), std::out_of_range);
  CHECK((count_words(built.corpus, 5) == std::vector<int64_t>{0, 0, 0, 1, 2}));
}

TEST_CASE("a token of more than 4 kB is truncated at a character and counted") {
  std::string token;
  while (token.size() < kMaxWordBytes + 1000) token += "\xE4\xB8\xAD";
  const std::string longest(kMaxWordBytes, 'x');
  const Built built = build(lines_of({token + " a", longest, longest + "y"}));
  CHECK_EQ(built.capped, 2);
  const std::string_view cut = built.vocabulary.word(built.corpus[0][0]);
  CHECK_EQ(cut.size(), kMaxWordBytes / 3 * 3);
  CHECK_EQ(cut, std::string_view(token).substr(0, cut.size()));
  CHECK_EQ(built.corpus[0].size(), 2u);
  CHECK_EQ(built.corpus[1][0], built.corpus[2][0]);
  const Corpus encoded = encode(built.vocabulary, lines_of({token}), 1, kGoOn);
  CHECK_EQ(encoded[0][0], built.corpus[0][0]);
}

TEST_CASE("a corpus comes back from its file") {
  Scratch scratch;
  Rng rng(63);
  const Built built = build(random_lines(rng, 1000));
  built.corpus.save(scratch / "c");
  const Corpus opened = Corpus::open(scratch / "c", true, kGoOn);
  CHECK(equal(opened, built.corpus));
  opened.save(scratch / "again");
  CHECK(test::read_file(scratch / "c") == test::read_file(scratch / "again"));
  Corpus().save(scratch / "empty");
  CHECK_EQ(Corpus::open(scratch / "empty", true, kGoOn).size(), 0);
}

TEST_CASE("offsets that do not fit the words are refused, from a file and from a caller") {
  check_forged({}, {3});
  check_forged({1, 1}, {3});
  check_forged({0, 2}, {3});
  check_forged({0, 5, 1}, {3});
  check_forged({0, -1, 1}, {3});
  check_forged({0, int64_t{1} << 62, 1}, {3});
  CHECK_THROWS_AS(Corpus(Csr<WordId>{{0, 2}, {3}}), std::invalid_argument);
}

TEST_CASE("encoding, building and decoding can be stopped") {
  StopFlag stop;
  stop.raise();
  const Lines lines = lines_of({"a"});
  const Built built = build(lines);
  VocabularyBuilder words;
  CorpusBuilder builder(words);
  CHECK_THROWS_AS(builder.add(lines, stop), Interrupted);
  CHECK_THROWS_AS(encode(built.vocabulary, lines, 2, stop), Interrupted);
  CHECK_THROWS_AS(decode(built.vocabulary, built.corpus, stop), Interrupted);
}
