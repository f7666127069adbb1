#include "demotic/text/corpus.h"

#include <algorithm>

#include "demotic/base/errors.h"
#include "demotic/base/thread_pool.h"
#include "demotic/base/utf8.h"

namespace demotic::text {
namespace {

constexpr std::string_view kCorpusKind = "corpus";
constexpr uint32_t kCorpusVersion = 1;
constexpr int64_t kSentencesPerTask = 4096;  // sentences per task of a thread

// Calls visit(token) for all tokens between spaces.
template <typename Visit>
void for_each_token(std::string_view line, Visit&& visit) {
  size_t begin = 0;
  while ((begin = line.find_first_not_of(' ', begin)) != std::string_view::npos) {
    const size_t end = std::min(line.find(' ', begin), line.size());
    visit(line.substr(begin, end - begin));
    begin = end;
  }
}

}  // namespace

Corpus::Corpus(Csr<WordId> sentences) {
  if (!well_formed(sentences.view())) throw std::invalid_argument("offsets do not fit the words");
  auto owned = std::make_shared<Csr<WordId>>(std::move(sentences));
  sentences_ = owned->view();
  owner_ = owned;
}

void Corpus::save(const std::string& path) const {
  ContainerWriter writer(path, kCorpusKind, kCorpusVersion);
  writer.section("offsets", sentences_.offsets);
  writer.section("words", sentences_.values);
  writer.commit();
}

Corpus Corpus::open(const std::string& path, bool verify, const StopFlag& stop) {
  auto container = std::make_shared<Container>(path, kCorpusKind, kCorpusVersion);
  if (verify) container->verify(stop);
  Corpus result;
  result.sentences_ = {container->section<int64_t>("offsets"), container->section<WordId>("words")};
  result.owner_ = container;
  if (!well_formed(result.sentences_)) {
    throw FormatError({.path = path,
                       .found = "sentence offsets that do not fit the words",
                       .expected = "a corpus",
                       .advice = "build the file again"});
  }
  return result;
}

void CorpusBuilder::add(const Lines& lines, const StopFlag& stop) {
  for (size_t i = 0; i < lines.size(); ++i) {
    stop.check();
    for_each_token(lines[i], [&](std::string_view token) {
      capped_ += token.size() > kMaxWordBytes;
      sentences_.values.push_back(vocabulary_.add(utf8_prefix(token, kMaxWordBytes)));
    });
    sentences_.end_row();
  }
}

Corpus CorpusBuilder::finish() { return Corpus(std::exchange(sentences_, {})); }

Corpus encode(const Vocabulary& vocabulary, const Lines& lines, int threads, const StopFlag& stop) {
  const int64_t count = static_cast<int64_t>(lines.size());
  Csr<WordId> result;
  ThreadPool pool(threads);
  const auto encode_chunk = [&](int64_t chunk, int) {
    Csr<WordId> part;
    for (int64_t i = chunk * kSentencesPerTask;
         i < std::min(count, (chunk + 1) * kSentencesPerTask); ++i) {
      stop.check();
      for_each_token(lines[i], [&](std::string_view token) {
        part.values.push_back(vocabulary.find(utf8_prefix(token, kMaxWordBytes)));
      });
      part.end_row();
    }
    return part;
  };
  pool.map_reduce((count + kSentencesPerTask - 1) / kSentencesPerTask, stop, encode_chunk,
                  [&](int64_t, Csr<WordId> part) {
                    const int64_t before = result.offsets.back();
                    result.values.insert(result.values.end(), part.values.begin(),
                                         part.values.end());
                    for (size_t i = 1; i < part.offsets.size(); ++i)
                      result.offsets.push_back(before + part.offsets[i]);
                  });
  return Corpus(std::move(result));
}

Lines decode(const Vocabulary& vocabulary, const Corpus& corpus, const StopFlag& stop) {
  Lines lines;
  for (int64_t i = 0; i < corpus.size(); ++i) {
    stop.check();
    bool first = true;
    for (const WordId id : corpus[i]) {
      if (!std::exchange(first, false)) lines.bytes.push_back(' ');
      lines.bytes.append(vocabulary.word(id));
    }
    lines.append({});
  }
  return lines;
}

std::vector<int64_t> count_words(const Corpus& corpus, WordId words) {
  std::vector<int64_t> counts(words, 0);
  for (const WordId id : corpus.words()) {
    if (id < 0 || id >= words) throw std::out_of_range("a word id beyond the vocabulary");
    ++counts[id];
  }
  return counts;
}

}  // namespace demotic::text
