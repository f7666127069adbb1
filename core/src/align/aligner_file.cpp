// An aligner as a container of kind "aligner", version 1.
#include <algorithm>
#include <cmath>

#include "demotic/align/aligner.h"
#include "demotic/base/container.h"

namespace demotic::align {
namespace {

constexpr uint32_t kVersion = 1;

// The scalars of an aligner.
struct Header {
  double null_probability, jump_uniform;
  double tension[2];
  int64_t max_length, used, empty, too_long;
  int32_t model, target_words;
};
static_assert(sizeof(Header) == 72);

void require(bool good, const std::string& path, const char* found) {
  if (!good) {
    throw FormatError({.path = path,
                       .found = found,
                       .expected = "an aligner written by this program",
                       .advice = "train it again"});
  }
}

template <typename T, typename Memory = std::allocator<T>>
std::vector<T, Memory> copy(const Container& file, std::string_view name) {
  const auto values = file.section<T>(name);
  return {values.begin(), values.end()};
}

bool probability(float value) { return value > 0 && value <= 1.0001f; }

void check_tables(const Aligner& aligner, const std::string& path) {
  const PairTable& table = aligner.table;
  const Lexicon& lexicon = aligner.lexicon;
  require(well_formed(table.rows.view()), path, "inconsistent rows of the pair table");
  for (const WordId word : table.rows.values)
    require(word >= 0 && word < table.target_words, path, "a target word id out of range");
  for (size_t row = 0; row < table.rows.size(); ++row) {
    const auto targets = table.rows[row];
    for (size_t k = 1; k < targets.size(); ++k)
      require(targets[k - 1] < targets[k], path, "a row of the pair table out of order");
  }
  require(lexicon.pairs.size() == table.size() + 1 &&
              lexicon.forward_null.size() == static_cast<size_t>(table.target_words) &&
              lexicon.backward_null.size() == table.rows.size(),
          path, "tables of different sizes");
  for (const BothWays& pair : lexicon.pairs)
    require(probability(pair.forward) && probability(pair.backward), path,
            "a translation probability outside (0, 1]");
  for (const auto* table_of_null : {&lexicon.forward_null, &lexicon.backward_null})
    for (const float value : *table_of_null)
      require(probability(value), path, "a probability of the empty word outside (0, 1]");
}

void check_header(const Header& header, const std::string& path) {
  const auto share = [](double value) { return value >= 0 && value < 1; };
  require(header.model >= 0 && header.model <= static_cast<int32_t>(AlignmentModel::kHmm), path,
          "an unknown model");
  require(share(header.null_probability) && share(header.jump_uniform), path,
          "a share outside [0, 1)");
  require(header.tension[0] > 0 && header.tension[1] > 0 && std::isfinite(header.tension[0]) &&
              std::isfinite(header.tension[1]),
          path, "a tension that is not positive");
  require(header.max_length > 0 && header.max_length <= 100'000, path, "an impossible length");
  require(header.target_words >= 0, path, "a negative number of words");
}

void write_words(ContainerWriter& file, const Vocabulary& vocabulary) {
  std::vector<int64_t> end_of_word;
  file.begin_section("words", 1);
  for (WordId id = kReservedWords; id < vocabulary.size(); ++id) {
    const std::string_view word = vocabulary.word(id);
    file.append(std::span(word.data(), word.size()));
    end_of_word.push_back((end_of_word.empty() ? 0 : end_of_word.back()) +
                          static_cast<int64_t>(word.size()));
  }
  file.section("word_ends", std::span<const int64_t>(end_of_word));
}

Vocabulary read_words(const Container& file) {
  const auto letters = file.section<char>("words");
  VocabularyBuilder builder;
  int64_t begin = 0;
  for (const int64_t end : file.section<int64_t>("word_ends")) {
    require(begin < end && end <= static_cast<int64_t>(letters.size()), file.path(),
            "inconsistent words");
    const WordId expected = builder.size();
    const WordId id = builder.add({letters.data() + begin, static_cast<size_t>(end - begin)});
    require(id == expected, file.path(), "a word twice");
    begin = end;
  }
  return builder.finish();
}

Aligner read_aligner(const Container& file) {
  const std::string& path = file.path();
  const auto headers = file.section<Header>("header");
  require(headers.size() == 1, path, "no header");
  const Header& header = headers.front();
  check_header(header, path);
  Aligner aligner{
      .model = static_cast<AlignmentModel>(header.model),
      .null_probability = header.null_probability,
      .max_length = header.max_length,
      .tension = {header.tension[0], header.tension[1]},
      .jumps = {},
      .table = {{copy<int64_t>(file, "rows"), copy<WordId>(file, "targets")}, header.target_words},
      .lexicon = {copy<BothWays, HugePages<BothWays>>(file, "pairs"), copy<float>(file, "null"),
                  copy<float>(file, "null_back")},
      .passes = {},
      .used = header.used,
      .empty = header.empty,
      .too_long = header.too_long};
  check_tables(aligner, path);
  for (const char* name : {"jumps", "jumps_back"}) {
    std::vector<double> weights = copy<double>(file, name);
    bool good = weights.size() % 2 == 1;
    for (const double weight : weights) good = good && weight > 0 && std::isfinite(weight);
    require(good, path, "invalid jump weights");
    aligner.jumps.emplace_back(std::move(weights), header.jump_uniform);
  }
  return aligner;
}

}  // namespace

void save_aligner(const Aligner& aligner, const Vocabulary& vocabulary, const std::string& path) {
  ContainerWriter file(path, "aligner", kVersion);
  const Header header{.null_probability = aligner.null_probability,
                      .jump_uniform = aligner.jumps.front().uniform(),
                      .tension = {aligner.tension[0], aligner.tension[1]},
                      .max_length = aligner.max_length,
                      .used = aligner.used,
                      .empty = aligner.empty,
                      .too_long = aligner.too_long,
                      .model = static_cast<int32_t>(aligner.model),
                      .target_words = aligner.table.target_words};
  file.section("header", std::span(&header, 1));
  file.section("jumps", std::span<const double>(aligner.jumps[0].weights()));
  file.section("jumps_back", std::span<const double>(aligner.jumps[1].weights()));
  file.section("rows", std::span<const int64_t>(aligner.table.rows.offsets));
  file.section("targets", std::span<const WordId>(aligner.table.rows.values));
  file.section("pairs", std::span<const BothWays>(aligner.lexicon.pairs));
  file.section("null", std::span<const float>(aligner.lexicon.forward_null));
  file.section("null_back", std::span<const float>(aligner.lexicon.backward_null));
  write_words(file, vocabulary);
  file.commit();
}

AlignerFile AlignerFile::open(const std::string& path, bool verify, const StopFlag& stop) {
  const Container file(path, "aligner", kVersion);
  if (verify) file.verify(stop);
  AlignerFile result{read_aligner(file), read_words(file)};
  const PairTable& table = result.aligner.table;
  require(std::max(table.source_words(), table.target_words) <= result.vocabulary.size(), path,
          "tables with more words than the vocabulary");
  return result;
}

}  // namespace demotic::align
