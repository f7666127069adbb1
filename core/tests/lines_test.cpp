// Every rule of lines.h, and independence of how the bytes are split into chunks.
#include "demotic/base/lines.h"

#include <string>
#include <vector>

#include "demotic/base/errors.h"
#include "demotic/base/rng.h"
#include "test.h"

namespace test = demotic::test;
using namespace demotic::all;
using namespace std::string_literals;

namespace {

using Strings = std::vector<std::string>;

struct Outcome {
  Strings lines;
  LineNotices notices;
  int64_t seen = 0, refused_line = 0;
  std::string refusal;
};

Outcome parse(const std::vector<std::string_view>& chunks, LineOptions options) {
  LineParser parser("f", options);
  Outcome outcome;
  try {
    for (std::string_view chunk : chunks) parser.feed(chunk);
    parser.finish();
    const Lines lines = parser.take();
    for (size_t i = 0; i < lines.size(); ++i) outcome.lines.emplace_back(lines[i]);
  } catch (const FormatError& error) {
    outcome.refusal = error.fault().found;
    outcome.refused_line = error.fault().line;
  }
  outcome.notices = parser.notices();
  outcome.seen = parser.lines_seen();
  return outcome;
}

Outcome parse(std::string_view text, EncodingErrors policy = EncodingErrors::kRefuse,
              bool keep_tabs = false) {
  return parse(std::vector{text}, {policy, keep_tabs});
}

bool same(const Outcome& a, const Outcome& b) {
  const LineNotices &m = a.notices, &n = b.notices;
  return a.lines == b.lines && a.refusal == b.refusal && a.refused_line == b.refused_line &&
         a.seen == b.seen && m.byte_order_marks == n.byte_order_marks &&
         m.carriage_returns == n.carriage_returns && m.controls == n.controls &&
         m.replaced == n.replaced && m.skipped == n.skipped;
}

constexpr EncodingErrors kPolicies[] = {EncodingErrors::kRefuse, EncodingErrors::kReplace,
                                        EncodingErrors::kSkip};

// Text composed of the most troublesome parts.
std::string troubled_text(Rng& rng, size_t pieces) {
  static const Strings kPieces = {"a",        "bc ",          "\n",       "\n",          "\r",
                                  "\r\n",     "\t",           "\0"s,      " ",           "\xC2\x85",
                                  "\xC2\xA0", "\xEF\xBB\xBF", "\xE2\x80", "\xA8",        "\xC3",
                                  "\xA4",     "\xFF",         "\xF0\x9F", "\x98\x80",    "\xE3\x80",
                                  "\x80",     "\xED\xA0",     "\x7F",     "\xE4\xB8\xAD"};
  std::string text;
  for (size_t i = 0; i < pieces; ++i) text += kPieces[rng.below(kPieces.size())];
  return text;
}

}  // namespace

TEST_CASE("only a line feed ends a line, and the last line does not need one") {
  CHECK(parse("").lines == Strings{});
  CHECK(parse("\n").lines == Strings{""});
  CHECK(parse("a").lines == Strings{"a"});
  CHECK(parse("a\n").lines == Strings{"a"});
  CHECK((parse("a\n\nb").lines == Strings{"a", "", "b"}));
  CHECK((parse("a\n\n").lines == Strings{"a", ""}));
  CHECK(parse("a\vb\fc\x1C"
              "d\xC2\x85"
              "e\xE2\x80\xA8"
              "f\xE2\x80\xA9g\n")
            .lines == Strings{"a b c d e\xE2\x80\xA8"
                              "f\xE2\x80\xA9g"});
}

TEST_CASE("carriage returns before the end of a line are dropped, others become spaces") {
  const Outcome outcome = parse("a\r\nb\r\r\nc\rd\n\r\ne\r");
  CHECK((outcome.lines == Strings{"a", "b", "c d", "", "e"}));
  CHECK_EQ(outcome.notices.carriage_returns, 4);
  CHECK_EQ(outcome.notices.controls, 1);
}

TEST_CASE("a byte order mark at the start of a line is dropped, inside it is part of a word") {
  const std::string mark = "\xEF\xBB\xBF";
  const Outcome outcome = parse(mark + "a\n" + mark + "b" + mark + "c\n" + mark + mark);
  CHECK((outcome.lines == Strings{"a", "b" + mark + "c", mark}));
  CHECK_EQ(outcome.notices.byte_order_marks, 3);
  CHECK_EQ(outcome.notices.controls, 0);
}

TEST_CASE("exactly the listed characters become spaces") {
  const auto listed = [](int32_t code) {
    return code <= 0x1F || (code >= 0x7F && code <= 0x9F) || code == ' ';
  };
  for (int32_t code = 0; code < 0x10000; ++code) {
    if (code == '\n' || (code >= 0xD800 && code <= 0xDFFF)) continue;
    std::string bytes;
    if (code < 0x80) {
      bytes = {static_cast<char>(code)};
    } else if (code < 0x800) {
      bytes = {static_cast<char>(0xC0 | code >> 6), static_cast<char>(0x80 | (code & 63))};
    } else {
      bytes = {static_cast<char>(0xE0 | code >> 12), static_cast<char>(0x80 | (code >> 6 & 63)),
               static_cast<char>(0x80 | (code & 63))};
    }
    const Outcome outcome = parse("x" + bytes + "y\n");
    CHECK_EQ(outcome.lines.at(0), listed(code) ? "x y" : "x" + bytes + "y");
    CHECK_EQ(outcome.notices.controls, listed(code) && code != ' ' && code != '\t' ? 1 : 0);
  }
}

TEST_CASE("a tab becomes a space or is kept, and is not reported") {
  CHECK(parse("a\tb\n").lines == Strings{"a b"});
  CHECK(parse("a\tb\n", EncodingErrors::kRefuse, true).lines == Strings{"a\tb"});
  CHECK_EQ(parse("a\tb\n").notices.controls, 0);
}

TEST_CASE("malformed UTF-8 is refused with line and byte") {
  const Outcome outcome = parse("good\nab\xC3(\n");
  CHECK_EQ(outcome.refused_line, 2);
  CHECK_EQ(outcome.refusal, "byte 0xC3 at position 3, which is not UTF-8");
  CHECK_EQ(parse("\xFF").refusal, "byte 0xFF at position 1, which is not UTF-8");
}

TEST_CASE("malformed UTF-8 is replaced once for each maximal part") {
  const auto replaced = [](const std::string& text) {
    return parse(text, EncodingErrors::kReplace).lines.at(0);
  };
  const std::string mark = "\xEF\xBF\xBD";
  // The examples of the Unicode standard, tables 3-8 to 3-11.
  CHECK_EQ(replaced("\xC0\xAF\xE0\x80\xBF\xF0\x81\x82\x41"),
           mark + mark + mark + mark + mark + mark + mark + mark + "A");
  CHECK_EQ(replaced("\xED\xA0\x80\xED\xBF\xBF\xED\xAF\x41"),
           mark + mark + mark + mark + mark + mark + mark + mark + "A");
  CHECK_EQ(replaced("\xF4\x91\x92\x93\xFF\x41\x80\xBF\x42"),
           mark + mark + mark + mark + mark + "A" + mark + mark + "B");
  CHECK_EQ(replaced("\xE1\x80\xE2\xF0\x91\x92\xF1\xBF\x41"), mark + mark + mark + mark + "A");
  CHECK_EQ(parse("\xFF\xFF\n\xFF\nok\n", EncodingErrors::kReplace).notices.replaced, 2);
}

TEST_CASE("a skipped line becomes empty and keeps its number") {
  const Outcome outcome = parse(
      "a\nb\x01\xFF"
      "c\nd\n",
      EncodingErrors::kSkip);
  CHECK((outcome.lines == Strings{"a", "", "d"}));
  CHECK_EQ(outcome.notices.skipped, 1);
  CHECK_EQ(outcome.notices.controls, 0);
  CHECK_EQ(outcome.seen, 3);
}

TEST_CASE("every split in two, and byte by byte, gives the same") {
  Rng rng(41);
  for (int round = 0; round < 150; ++round) {
    const std::string text = troubled_text(rng, 2 + rng.below(14));
    const std::string_view view = text;
    for (EncodingErrors policy : kPolicies) {
      const LineOptions options{policy, round % 2 == 0};
      const Outcome whole = parse({view}, options);
      for (size_t cut = 0; cut <= view.size(); ++cut)
        CHECK(same(parse({view.substr(0, cut), view.substr(cut)}, options), whole));
      std::vector<std::string_view> bytes;
      for (size_t i = 0; i < view.size(); ++i) bytes.push_back(view.substr(i, 1));
      CHECK(same(parse(bytes, options), whole));
    }
  }
}

TEST_CASE("lines can be taken at any time") {
  LineParser parser("f", {});
  parser.feed("a\nb");
  CHECK_EQ(parser.take().size(), 1u);
  CHECK_EQ(parser.take().size(), 0u);
  parser.feed("c\nd\n");
  const Lines lines = parser.take();
  CHECK_EQ(lines.size(), 2u);
  CHECK_EQ(lines[0], "bc");
  parser.finish();
  CHECK_EQ(parser.take().size(), 0u);
  CHECK_EQ(parser.lines_seen(), 3);
}

TEST_CASE("a line of 16 MB is read, a longer one refused, whatever the chunks") {
  const std::string longest(kMaxLineBytes, 'x');
  CHECK_EQ(parse("a\n" + longest + "\n").lines.size(), 2u);
  CHECK_EQ(parse("a\n" + longest).lines.size(), 2u);
  for (const std::string& text : {"a\n" + longest + "x\n", "a\n" + longest + "x"}) {
    const std::string_view view = text;
    for (size_t cut : {size_t{1}, size_t{1000}, text.size() - 1, text.size()}) {
      const Outcome outcome = parse({view.substr(0, cut), view.substr(cut)}, {});
      CHECK_EQ(outcome.refused_line, 2);
      CHECK_EQ(outcome.refusal, "a line of more than 16 MB");
    }
  }
}
