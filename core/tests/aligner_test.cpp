// Aligners of random texts under the sanitizers: any lengths, any settings; links stay inside their
// sentences, posteriors are probabilities, and the number of threads makes no difference.
#include "demotic/align/aligner.h"

#include <algorithm>

#include "demotic/base/rng.h"
#include "test.h"

namespace test = demotic::test;
using namespace demotic::all;

namespace {

Corpus random_corpus(Rng& rng, int64_t sentences, uint64_t longest, uint64_t words) {
  Csr<WordId> rows;
  for (int64_t k = 0; k < sentences; ++k) {
    const uint64_t length = rng.below(longest);
    for (uint64_t i = 0; i < length; ++i)
      rows.values.push_back(kReservedWords + static_cast<WordId>(rng.below(words)));
    rows.end_row();
  }
  return Corpus(std::move(rows));
}

TrainOptions random_options(Rng& rng) {
  TrainOptions options;
  options.model = static_cast<AlignmentModel>(rng.below(3));
  options.initial_model = static_cast<AlignmentModel>(rng.below(2));
  options.iterations = 2;
  options.initial_iterations = static_cast<int32_t>(rng.below(3));
  options.alpha = rng.below(2) == 0 ? 0 : 0.01;
  options.agree = rng.below(2) == 0;
  options.l0 = rng.below(4) == 0;
  options.max_jump = 1 + static_cast<int32_t>(rng.below(12));
  options.max_length = 1 + static_cast<int64_t>(rng.below(60));
  options.max_cells = static_cast<int64_t>(rng.below(2)) << 12;
  return options;
}

void check_posteriors(const Aligner& aligner, const Corpus& source, const Corpus& target) {
  for (int64_t k = 0; k < source.size(); ++k) {
    const LinkPosteriors found = link_posteriors(aligner, source[k], target[k]);
    CHECK_EQ(found.forward.size(), source[k].size() * target[k].size());
    for (const auto* way : {&found.forward, &found.backward})
      CHECK(std::all_of(way->begin(), way->end(), [](float p) { return p >= 0 && p <= 1.001f; }));
  }
}

}  // namespace

TEST_CASE("random texts and settings") {
  Rng rng(1);
  const StopFlag stop;
  Progress progress;
  for (int round = 0; round < 60; ++round) {
    const auto sentences = static_cast<int64_t>(rng.below(40));
    const uint64_t longest = 2 + rng.below(70), words = 1 + rng.below(200);
    const Corpus source = random_corpus(rng, sentences, longest, words);
    const Corpus target = random_corpus(rng, sentences, longest, words);
    const TrainOptions options = random_options(rng);
    const Aligner aligner = train_aligner(source, target, options, {}, 1, stop, progress);
    const Aligner threaded = train_aligner(source, target, options, {}, 3, stop, progress);
    const DecodeOptions decode{static_cast<Symmetrization>(rng.below(7)),
                               rng.below(2) == 0 ? 0 : 0.3};
    const AlignResult links = align_corpus(aligner, source, target, decode, 1, stop, progress);
    const AlignResult same = align_corpus(threaded, source, target, decode, 2, stop, progress);
    CHECK(links.links.values == same.links.values);
    CHECK_EQ(links.links.size(), static_cast<size_t>(sentences));
    for (int64_t k = 0; k < sentences; ++k) {
      for (const Link link : links.links[k]) {
        CHECK(link.source >= 0 && link.source < static_cast<int32_t>(source[k].size()));
        CHECK(link.target >= 0 && link.target < static_cast<int32_t>(target[k].size()));
      }
    }
    check_posteriors(aligner, source, target);
  }
}
