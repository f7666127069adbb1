// Arbitrary arrays with valid checksums as vocabulary and corpus files: refused, or safe to use.
// The first bytes of the input determine the sizes of the arrays.
#include <cstring>

#include "demotic/base/errors.h"
#include "demotic/base/hash.h"
#include "demotic/text/corpus.h"
#include "demotic/text/vocabulary.h"
#include "fuzz.h"

namespace demotic::fuzz {
using namespace all;
namespace {

const StopFlag kGoOn;

// Takes an array from the front of the input: two bytes give its size in bytes.
class Pieces {
 public:
  explicit Pieces(std::string_view bytes) : rest_(bytes) {}
  template <typename T>
  std::vector<T> next() {
    size_t size = 0;
    for (int i = 0; i < 2 && !rest_.empty(); ++i, rest_.remove_prefix(1))
      size = size << 8 | static_cast<uint8_t>(rest_[0]);
    size = std::min(size, rest_.size()) / sizeof(T);
    std::vector<T> result(size);
    if (size > 0) std::memcpy(result.data(), rest_.data(), size * sizeof(T));
    rest_.remove_prefix(size * sizeof(T));
    return result;
  }

 private:
  std::string_view rest_;
};

template <typename T>
std::string piece(std::span<const T> values) {
  const size_t size = values.size() * sizeof(T);
  std::string result = {static_cast<char>(size >> 8), static_cast<char>(size)};
  return result.append(reinterpret_cast<const char*>(values.data()), size);
}

void use_vocabulary(const std::string& path, bool verify) {
  const Vocabulary vocabulary = Vocabulary::open(path, verify, kGoOn);
  vocabulary.find("a word that is not there");
  for (WordId id = 0; id < vocabulary.size(); ++id)
    require(vocabulary.find(vocabulary.word(id)) < vocabulary.size());
}

void use_corpus(const std::string& path, bool verify) {
  const Corpus corpus = Corpus::open(path, verify, kGoOn);
  size_t words = 0;
  for (int64_t i = 0; i < corpus.size(); ++i) words += corpus[i].size();
  require(words == corpus.words().size());
  try {
    decode(VocabularyBuilder().finish(), corpus, kGoOn);
    count_words(corpus, 100);
  } catch (const std::out_of_range&) {
    return;  // ids without a word
  }
}

template <typename Use>
void refused_or_used(const std::string& path, Use&& use) {
  for (bool verify : {false, true}) {
    try {
      use(path, verify);
    } catch (const Error&) {
      continue;
    }
  }
}

void try_vocabulary(const OneFile& file, Pieces pieces) {
  ContainerWriter writer(file.path(), "vocabulary", 1);
  writer.section<char>("bytes", pieces.next<char>());
  writer.section<int64_t>("offsets", pieces.next<int64_t>());
  writer.section<uint32_t>("slots", pieces.next<uint32_t>());
  writer.commit();
  refused_or_used(file.path(), use_vocabulary);
}

void try_corpus(const OneFile& file, Pieces pieces) {
  ContainerWriter writer(file.path(), "corpus", 1);
  writer.section<int64_t>("offsets", pieces.next<int64_t>());
  writer.section<WordId>("words", pieces.next<WordId>());
  writer.commit();
  refused_or_used(file.path(), use_corpus);
}

}  // namespace

std::vector<std::string> seeds() {
  const std::string names = "<unk><s></s>word";
  const std::vector<int64_t> ends = {0, 5, 8, 12, 16};
  const std::vector<int64_t> sentences = {0, 2, 2, 3};
  const std::vector<WordId> words = {0, 2, 1};
  std::vector<uint32_t> slots(8);
  for (uint32_t id = 0; id + 1 < ends.size(); ++id) {
    const auto word = std::string_view(names).substr(ends[id], ends[id + 1] - ends[id]);
    size_t slot = hash_bytes(word) % 8;
    while (slots[slot] != 0) slot = (slot + 1) % 8;
    slots[slot] = id + 1;
  }
  const std::string vocabulary = piece(std::span<const char>(names)) +
                                 piece(std::span<const int64_t>(ends)) +
                                 piece(std::span<const uint32_t>(slots));
  const std::string corpus =
      piece(std::span<const int64_t>(sentences)) + piece(std::span<const WordId>(words));
  return {"v" + vocabulary, "c" + corpus};
}

}  // namespace demotic::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace demotic::fuzz;
  using namespace demotic::all;
  if (size == 0) return 0;
  static const OneFile file;
  const Pieces pieces({reinterpret_cast<const char*>(data + 1), size - 1});
  data[0] == 'c' ? try_corpus(file, pieces) : try_vocabulary(file, pieces);
  return 0;
}
