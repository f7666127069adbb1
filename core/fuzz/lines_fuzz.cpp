// Arbitrary bytes through the line parser, whole and in chunks: the lines are the same, all of them
// clean UTF-8. The first byte of the input chooses the options, the second the chunks.
#include "demotic/base/errors.h"
#include "demotic/base/lines.h"
#include "demotic/base/utf8.h"
#include "fuzz.h"

namespace demotic::fuzz {
using namespace all;
namespace {

struct Outcome {
  Lines lines;
  std::string refusal;
};

Outcome parse(std::string_view text, size_t step, LineOptions options) {
  LineParser parser("input", options);
  try {
    for (; !text.empty(); text.remove_prefix(std::min(step, text.size())))
      parser.feed(text.substr(0, step));
    parser.finish();
  } catch (const FormatError& error) {
    return {{}, error.fault().found + " in line " + std::to_string(error.fault().line)};
  }
  return {parser.take(), {}};
}

void require_clean(std::string_view line, bool tabs) {
  while (!line.empty()) {
    const Utf8Char c = utf8_front(line);
    require(c.code >= 0x20 || (tabs && c.code == '\t'));
    require(!(c.code >= 0x7F && c.code <= 0x9F));
    line.remove_prefix(c.size);
  }
}

}  // namespace

std::vector<std::string> seeds() {
  return {
      std::string("\0\1plain text\nand more\n", 23),
      "\4\2carriage\r\nreturns\r\r\n\xEF\xBB\xBFmark\xEF\xBB\xBF\t tab\n",
      "\1\3bad \xC3( \xE2\x80 \xED\xA0\x80 \xF4\x90\x80\x80 \xFF\n\xF0\x9F\x98\x80 good",
      "\2\5bad \xFF\nspaces \xC2\xA0\xE3\x80\x80\xE2\x80\xA8\xC2\x85\x7F\n\n\nend",
  };
}

}  // namespace demotic::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace demotic::fuzz;
  using namespace demotic::all;
  if (size < 2) return 0;
  const LineOptions options{static_cast<EncodingErrors>(data[0] % 3), (data[0] & 4) != 0};
  const std::string_view text(reinterpret_cast<const char*>(data + 2), size - 2);
  const Outcome whole = parse(text, text.size() + 1, options);
  const Outcome cut = parse(text, data[1] % 16 + 1, options);
  require(whole.refusal == cut.refusal);
  require(whole.lines.bytes == cut.lines.bytes && whole.lines.offsets == cut.lines.offsets);
  require(whole.refusal.empty() || options.encoding_errors == EncodingErrors::kRefuse);
  for (size_t i = 0; i < whole.lines.size(); ++i) require_clean(whole.lines[i], options.keep_tabs);
  return 0;
}
