// Query models that are built on disk are those that are built in memory, bit by bit.
#include "demotic/lm/disk_build.h"

#include <algorithm>
#include <filesystem>
#include <set>

#include "demotic/base/errors.h"
#include "demotic/base/rng.h"
#include "scratch.h"
#include "test.h"

namespace test = demotic::test;
using namespace demotic::all;
using test::Scratch;

namespace {

const StopFlag stop;
Progress progress;

struct Lists {
  std::vector<uint32_t> contexts;
  std::vector<WordId> words;
};

Lists random_lists(Rng& rng, uint64_t contexts, uint64_t words, size_t count) {
  std::vector<uint64_t> ngrams(count);
  for (uint64_t& ngram : ngrams) ngram = rng.below(contexts) << 32 | rng.below(words);
  std::sort(ngrams.begin(), ngrams.end());
  ngrams.erase(std::unique(ngrams.begin(), ngrams.end()), ngrams.end());
  Lists result;
  for (const uint64_t ngram : ngrams) {
    result.contexts.push_back(static_cast<uint32_t>(ngram >> 32));
    result.words.push_back(static_cast<WordId>(ngram));
  }
  return result;
}

// Whether both place the n-grams, which must be both or none, and in the same slots.
bool check_sweep(const Lists& lists, const NgramHash& hash, NgramLayout layout) {
  const size_t size = lists.words.size();
  std::vector<NgramBucket> wanted(hash.buckets()), found;
  std::vector<uint32_t> numbers(size), swept_numbers(size);
  const bool placed = place_ngrams(lists.contexts, lists.words, hash, wanted, numbers, layout);

  const NgramTable table(hash, {}, layout);
  std::vector<SweptNgram> ngrams(size);
  for (uint32_t i = 0; i < size; ++i)
    ngrams[i] = {.key = table.key(lists.contexts[i], lists.words[i]), .index = i, .data = {}};
  std::ranges::stable_sort(ngrams, {}, [&](const SweptNgram& one) { return hash.home(one.key); });
  NgramSweep sweep(
      hash, layout,
      [&](const SweptNgram& ngram, uint32_t number) { swept_numbers[ngram.index] = number; },
      [&](const NgramBucket& bucket) { found.push_back(bucket); });
  for (const SweptNgram& ngram : ngrams) sweep.add(ngram);
  CHECK_EQ(sweep.finish(), placed);
  if (!placed) return false;
  CHECK(swept_numbers == numbers);
  CHECK_EQ(found.size(), wanted.size());
  const NgramData none;
  for (size_t i = 0; i < size; ++i)  // place_ngrams writes nothing but keys
    layout.write(wanted[numbers[i] >> layout.lane_bits()],
                 numbers[i] & ((1u << layout.lane_bits()) - 1), none);
  const auto same = [](const NgramBucket& a, const NgramBucket& b) {
    return std::ranges::equal(a.cells, b.cells);
  };
  CHECK(std::ranges::equal(found, wanted, same));
  return true;
}

Vocabulary numbered_words(int words) {
  VocabularyBuilder names;
  for (int i = 0; i < words; ++i) names.add("w" + std::to_string(i));
  return names.finish();
}

void add_unigrams(DiskBuilder& builder, const std::vector<uint64_t>& counts) {
  builder.begin(counts);
  builder.section(1);
  for (uint32_t word = 0; word < counts[0]; ++word) builder.ngram({&word, 1}, -1, 0);
}

}  // namespace

TEST_CASE("a sweep fills the same table as placing in memory, or fails too") {
  Rng rng(3);
  const Codebook codebook;
  int failed = 0;
  for (const NgramLayout layout : {NgramLayout(), NgramLayout(&codebook)}) {
    for (const auto& [contexts, words, count] : {std::array<uint64_t, 3>{1, 1, 1},
                                                 {3, 2, 6},
                                                 {1000, 1000, 20000},
                                                 {1u << 20, 1u << 20, 50},  // most homes are empty
                                                 {7, 100000, 100000},
                                                 {100000, 7, 100000}}) {
      const Lists lists = random_lists(rng, contexts, words, count);
      const NgramHash hash =
          hash_for(lists.words.size(), contexts, static_cast<WordId>(words), 0, layout);
      CHECK(check_sweep(lists, hash, layout));
    }
    const Lists lists = random_lists(rng, 10000, 10000, 20000);
    for (const double full : {0.9, 0.95, 0.97, 0.98, 0.99, 1.0, 1.1}) {
      NgramHash hash = hash_for(lists.words.size(), 10000, 10000, 0, layout);
      hash.homes =
          static_cast<uint32_t>(static_cast<double>(lists.words.size()) / (layout.lanes() * full));
      hash.check_bits = hash.needed_bits();
      failed += !check_sweep(lists, hash, layout);
    }
  }
  CHECK(failed > 2 && failed < 12);
}

// The keys of all n-grams are in the lower half of the range, which has too few slots at first.
TEST_CASE("a table that is too small is built again") {
  constexpr size_t kNgrams = 1000;
  const Vocabulary vocabulary = numbered_words(1000);
  const WordId words = vocabulary.size();
  const NgramHash hash = hash_for(kNgrams, static_cast<uint64_t>(words), words, 0);
  const NgramTable table(hash, {});
  Rng rng(4);
  std::set<std::array<uint32_t, 2>> bigrams;
  while (bigrams.size() < kNgrams) {
    const auto first = static_cast<uint32_t>(rng.below(words));
    const auto second = static_cast<uint32_t>(rng.below(words));
    if (table.key(first, static_cast<WordId>(second)) >> 63 == 0) bigrams.insert({first, second});
  }

  const Scratch scratch;
  const DiskOptions disk{.memory = 1, .folder = scratch / ""};
  const std::string found = scratch / "found.lm", wanted = scratch / "wanted.lm";
  DiskBuilder builder(vocabulary, found, false, disk, stop, progress);
  NgramBuilder lists(vocabulary, 2);
  add_unigrams(builder, {static_cast<uint64_t>(words), kNgrams});
  std::ranges::fill(lists.unigrams().prob, -1.0f);
  builder.section(2);
  for (const auto& [first, second] : bigrams) {
    builder.ngram(std::array{first, second}, -0.5f, 0);
    lists.add(std::array{static_cast<WordId>(first), static_cast<WordId>(second)}, -0.5f, 0);
  }
  builder.finish();
  const LanguageModel model = LanguageModel::build(lists.finish(), stop);
  model.save(wanted);
  CHECK(model.size_bytes() > (unigram_buckets(words) + hash.buckets()) * sizeof(NgramBucket));
  CHECK(test::read_file(found) == test::read_file(wanted));
}

TEST_CASE("a file of records is read in order, any number of times") {
  const Scratch scratch;
  for (const uint32_t size : {0u, 1u, 4096u, 10000u}) {
    RecordFile<uint32_t> file(scratch / "");
    for (uint32_t i = 0; i < size; ++i) file.add(i * 3);
    for (int round = 0; round < 2; ++round) {
      file.rewind();
      CHECK_EQ(file.size(), size);
      uint32_t count = 0;
      while (const uint32_t* record = file.next(stop)) CHECK_EQ(*record, 3 * count++);
      CHECK_EQ(count, size);
      file.rewind();
      for (uint32_t i = 0; i < size; i += 1 + i / 2)
        for (int again = 0; again < 2; ++again) CHECK_EQ(file.at(i, stop), 3 * i);
      CHECK_THROWS_AS(file.at(size, stop), std::out_of_range);
    }
  }
}

TEST_CASE("bins of values in ascending order") {
  const auto means_of = [](const std::vector<float>& values) {
    std::vector<float> means(4, 7.0f);
    BinMeans bins(values.size(), means);
    for (const float value : values) bins.add(value);
    bins.finish();
    return means;
  };
  CHECK((means_of({}) == std::vector<float>{7, 7, 7, 7}));
  CHECK((means_of({1, 1, 2}) == std::vector<float>{1, 2, 2, 2}));
  CHECK((means_of({1, 1, 1, 1, 2, 3, 4, 4}) == std::vector<float>{1, 2, 3, 4}));
  CHECK((means_of({1, 2, 3, 4, 5, 6}) == std::vector<float>{1, 2.5, 4, 5.5}));
}

TEST_CASE("an interrupted build leaves no file, nor does one of too many n-grams") {
  const Scratch scratch;
  const Vocabulary vocabulary = numbered_words(100);
  const DiskOptions disk{.memory = 1, .folder = scratch / ""};
  StopFlag raised;
  const std::string path = scratch / "x.lm";
  {
    DiskBuilder builder(vocabulary, path, false, disk, raised, progress);
    add_unigrams(builder, {static_cast<uint64_t>(vocabulary.size()), 0});
    builder.section(2);
    raised.raise();
    CHECK_THROWS_AS(builder.finish(), Interrupted);
  }
  CHECK_THROWS_AS(
      DiskBuilder(vocabulary, path, false, disk, stop, progress).begin({103, uint64_t{1} << 31}),
      ModelError);
  CHECK(std::filesystem::is_empty(scratch.folder()));
}
