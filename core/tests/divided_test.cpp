// Work that several processes do together gives what one process does alone, under the sanitizers:
// aligners, extracted rules, counts of n-grams; with any division into parts.
#include <algorithm>

#include "demotic/align/trainer.h"
#include "demotic/base/errors.h"
#include "demotic/base/rng.h"
#include "demotic/lm/arpa.h"
#include "demotic/lm/disk_estimate.h"
#include "demotic/rules/divided_extraction.h"
#include "scratch.h"
#include "test.h"

namespace test = demotic::test;
using namespace demotic::all;

namespace {

const StopFlag stop;

Corpus random_corpus(Rng& rng, int64_t sentences, uint64_t longest, uint64_t words) {
  Csr<WordId> rows;
  for (int64_t k = 0; k < sentences; ++k) {
    for (uint64_t left = rng.below(longest); left > 0; --left)
      rows.values.push_back(kReservedWords + static_cast<WordId>(rng.below(words)));
    rows.end_row();
  }
  return Corpus(std::move(rows));
}

Alignments random_links(Rng& rng, const Corpus& source, const Corpus& target) {
  Alignments links;
  for (int64_t i = 0; i < source.size(); ++i) {
    const auto words = static_cast<int32_t>(source[i].size());
    for (int32_t k = 0; k < words && !target[i].empty(); ++k)
      if (rng.below(4))
        links.values.push_back({k, static_cast<int32_t>(rng.below(target[i].size()))});
    links.end_row();
  }
  return links;
}

// Boundaries of a random number of parts of `size` items.
std::vector<int64_t> random_parts(Rng& rng, int64_t size) {
  std::vector<int64_t> bounds{0, size};
  for (uint64_t more = rng.below(4); more > 0; --more)
    bounds.push_back(static_cast<int64_t>(rng.below(size + 1)));
  std::ranges::sort(bounds);
  return bounds;
}

bool same(const Aligner& a, const Aligner& b) {
  const auto equal = [](const BothWays& x, const BothWays& y) {
    return x.forward == y.forward && x.backward == y.backward;
  };
  return std::ranges::equal(a.lexicon.pairs, b.lexicon.pairs, equal) &&
         a.lexicon.forward_null == b.lexicon.forward_null &&
         a.lexicon.backward_null == b.lexicon.backward_null && a.tension == b.tension &&
         a.jumps[0].weights() == b.jumps[0].weights() &&
         a.jumps[1].weights() == b.jumps[1].weights();
}

}  // namespace

TEST_CASE("an aligner trained with posteriors of others") {
  Rng rng(1);
  for (int round = 0; round < 12; ++round) {
    const auto sentences = static_cast<int64_t>(rng.below(150));
    const uint64_t longest = 2 + rng.below(40), words = 1 + rng.below(100);
    const Corpus source = random_corpus(rng, sentences, longest, words);
    const Corpus target = random_corpus(rng, sentences, longest, words);
    TrainOptions options{.model = static_cast<AlignmentModel>(round % 3),
                         .iterations = 2,
                         .initial_iterations = 1,
                         .agree = rng.below(2) == 0};
    options.max_cells = static_cast<int64_t>(rng.below(2)) << 12;
    Progress progress;
    const Aligner alone = train_aligner(source, target, options, {}, 1, stop, progress);

    AlignerTrainer trainer(source, target, options, {}, 1 + round % 2, stop);
    ExpectationWorker worker(source, target, options);
    while (!trainer.done()) {
      worker.use(trainer.aligner(), trainer.model());
      const auto bounds = random_parts(rng, trainer.chunks());
      for (size_t k = 1; k < bounds.size(); ++k) {
        const std::string bytes = worker.posteriors(bounds[k - 1], bounds[k], stop);
        trainer.add(bounds[k - 1], bounds[k], bytes, stop);
      }
      if (trainer.chunks() > 0)
        CHECK_THROWS_AS(trainer.add(0, trainer.chunks(), {}, stop), FormatError);
      trainer.maximize(stop);
    }
    CHECK(same(trainer.finish(), alone));
  }
}

TEST_CASE("an aligner trained by one process per pass") {
  Rng rng(3);
  for (int round = 0; round < 12; ++round) {
    const Corpus source = random_corpus(rng, 40, 12, 30), target = random_corpus(rng, 40, 12, 30);
    const TrainOptions options{.model = static_cast<AlignmentModel>(round % 3),
                               .iterations = 3,
                               .initial_iterations = 2,
                               .agree = rng.below(2) == 0};
    AlignmentPriors priors;
    if (rng.below(2) == 0) priors.pairs = {{5, 6, 2.5}};
    Progress progress;
    const Aligner alone = train_aligner(source, target, options, priors, 1, stop, progress);

    AlignerTrainer first(source, target, options, priors, 1, stop);
    Aligner parameters = first.aligner();
    for (int32_t pass = 0; pass < first.passes(); ++pass) {
      AlignerTrainer trainer(source, target, options, priors, 1, stop);
      trainer.resume(parameters, pass);
      trainer.expect(stop, progress);
      trainer.maximize(stop);
      CHECK(trainer.done() == (pass + 1 == first.passes()));
      parameters = trainer.finish();
    }
    CHECK(same(parameters, alone));
    const Corpus other = random_corpus(rng, 41, 12, 30);
    CHECK_THROWS_AS(AlignerTrainer(other, other, options, {}, 1, stop).resume(alone, 1),
                    ModelError);
  }
}

TEST_CASE("rules extracted, counted and scored by others") {
  Rng rng(2);
  const test::Scratch folder;
  for (int round = 0; round < 16; ++round) {
    const auto sentences = static_cast<int64_t>(rng.below(300));
    const Corpus source = random_corpus(rng, sentences, 12, 9);
    const Corpus target = random_corpus(rng, sentences, 12, 9);
    const Alignments first = random_links(rng, source, target);
    const Alignments second = random_links(rng, source, target);
    const AlignedBitext bitext{source, target, {&first, &second}};
    const LexicalTable lexicon = LexicalTable::count(bitext, stop);
    ExtractOptions options;
    options.kind = round % 2 == 0 ? RuleKind::kPhrase : RuleKind::kHiero;
    if (rng.below(2) == 0) options.significance = -0.01;
    if (rng.below(2) == 0) options.smoothing = Smoothing::kKneserNey;
    options.memory = rng.below(2) == 0 ? 1 : int64_t{1} << 20;
    Progress progress;
    const std::string one = folder / "one", two = folder / "two", part = folder / "part";
    const auto report = extract_rules(bitext, lexicon, one, options, stop, progress);

    ExtractionWorker worker(bitext, options, stop);
    const auto parts = static_cast<int32_t>(1 + rng.below(5));
    const auto shards = random_parts(rng, bitext.rows());
    std::vector<std::string> found(parts);
    DistortionCounts distortion;
    int64_t occurrences = 0;
    std::vector<uint64_t> sample;
    for (size_t k = 1; k < shards.size(); ++k) {
      const ExtractedShard shard = worker.extract(shards[k - 1], shards[k], parts, stop);
      for (int32_t p = 0; p < parts; ++p) {
        const auto& part_of_shard = shard.parts[p];
        found[p].append(reinterpret_cast<const char*>(part_of_shard.data()),
                        part_of_shard.size() * sizeof(Occurrence));
        occurrences += static_cast<int64_t>(part_of_shard.size());
      }
      for (size_t row = 0; row < 2; ++row)
        for (size_t size = 0; size < distortion.counts[row].size(); ++size)
          distortion.counts[row][size] += shard.distortion.counts[row][size];
      sample.insert(sample.end(), shard.sample.begin(), shard.sample.end());
    }
    const auto bounds = source_bounds(sample, static_cast<int32_t>(1 + rng.below(9)));
    ExtractionDriver driver(source, target, two, options);
    std::vector<std::string> counted(bounds.size() + 1);
    std::vector<uint64_t> place{0};
    RuleTallies tallies{};
    for (const std::string& bytes : found) {
      test::write_file(part, bytes);
      const CountedPart one_part = worker.count(part, folder / "", bounds, stop);
      driver.add_targets(one_part.targets);
      place.push_back(place.back() + one_part.targets.size());
      for (size_t k = 0; k < counted.size(); ++k) counted[k] += one_part.sources[k];
      for (size_t k = 0; k < tallies.size(); ++k) tallies[k] += one_part.tallies[k];
    }
    place.pop_back();
    for (const std::string& bytes : counted) {
      test::write_file(part, bytes);
      driver.add(worker.score({part, folder / "", place, tallies}, stop));
    }
    const auto divided = driver.finish(occurrences, distortion);
    CHECK(test::read_file(one) == test::read_file(two));
    CHECK_EQ(divided.rules, report.rules);
    CHECK_EQ(divided.removed, report.removed);
    CHECK_EQ(divided.occurrences, report.occurrences);
    CHECK(divided.distortion.counts == report.distortion.counts);
  }
}

TEST_CASE("n-grams counted by others") {
  Rng rng(3);
  const test::Scratch folder;
  VocabularyBuilder names;
  for (int i = 0; i < 30; ++i) names.add("word " + std::to_string(i));
  const Vocabulary vocabulary = names.finish();
  for (const int order : {2, 4, 6}) {
    const Corpus text = random_corpus(rng, 200, 10, 30);
    const DiskOptions disk{.memory = 1, .folder = folder / ""};
    const auto written = [&](DiskEstimator& estimator) {
      std::string arpa;
      Progress progress;
      const ArpaText::Sink sink = [&](std::string&& piece) { arpa += piece; };
      ArpaText text_of(vocabulary, sink, 1, stop);
      estimator.finish(vocabulary, text_of, stop, progress);
      return arpa;
    };
    const auto alone = DiskEstimator::make({.order = order}, disk);
    alone->add(text, stop);

    std::vector<uint32_t> tokens;
    for (int64_t i = 0; i < text.size(); ++i) {
      tokens.push_back(kSentenceBegin);
      tokens.insert(tokens.end(), text[i].begin(), text[i].end());
      tokens.push_back(kSentenceEnd);
    }
    test::write_file(folder / "tokens", {reinterpret_cast<const char*>(tokens.data()),
                                         tokens.size() * sizeof(uint32_t)});
    const auto divided = DiskEstimator::make({.order = order}, disk);
    const auto bounds = random_parts(rng, vocabulary.size());
    for (size_t k = 1; k < bounds.size(); ++k) {
      const std::string path = folder / ("part-" + std::to_string(k));
      count_ngram_part({folder / "tokens", order, static_cast<uint32_t>(bounds[k - 1]),
                        static_cast<uint32_t>(bounds[k])},
                       disk, path, stop);
      divided->add_counted(path);
    }
    CHECK(written(*divided) == written(*alone));
  }
}
