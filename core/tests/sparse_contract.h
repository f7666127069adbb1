// What search with sparse features promises for both kinds. The test of a kind gives a `Made`
// model: a struct with `model`, `sparse` (its weights) and a constructor (seed, variant, folder,
// without).
#pragma once

#include <cmath>

#include "demotic/search/batch.h"
#include "demotic/search/kinds.h"
#include "scratch.h"
#include "small_models.h"
#include "small_sparse.h"
#include "test.h"

namespace demotic::test {

inline bool near(double a, double b) {
  return std::abs(a - b) <= 2e-4 * std::max(1.0, std::abs(b));
}

template <class Model>
std::vector<double> random_weights(Rng& rng, const Model& model) {
  std::vector<double> weights(model.features().size());
  for (double& weight : weights) weight = rng.uniform() - 0.3;
  weights[model.features().sparse()] = 0.5 + rng.uniform();
  return weights;
}

template <class Kind>
typename Kind::Limits narrow(Rng& rng) {
  typename Kind::Limits options;
  options.beam_size = static_cast<int32_t>(1 + rng.below(8));
  options.pop_limit = static_cast<int32_t>(1 + rng.below(20));
  options.rule_limit = 0;
  return options;
}

// All numbers of a search, to be compared bit by bit.
inline std::vector<float> numbers(const PhraseSearch& search) {
  std::vector<float> all{static_cast<float>(search.best())};
  for (const PhraseHypothesis& one : search.hypotheses())
    all.insert(all.end(), {one.score, one.total, static_cast<float>(one.parent()),
                           static_cast<float>(one.edge.option)});
  return all;
}
inline std::vector<float> numbers(const HieroSearch& search) {
  std::vector<float> all{static_cast<float>(search.best())};
  for (const HieroHypothesis& one : search.hypotheses())
    all.insert(all.end(),
               {one.score, static_cast<float>(one.edge.option),
                static_cast<float>(one.edge.tails[0]), static_cast<float>(one.edge.tails[1])});
  return all;
}

// The sparse value of a derivation is the sum over its keys.
template <class Kind, class Made>
void check_sparse_values() {
  const Scratch folder;
  Rng rng(2);
  for (uint64_t round = 0; round < 40; ++round) {
    const Made made(round, static_cast<int>(round % 4), folder);
    const std::vector<double> weights = random_weights(rng, made.model);
    typename Kind::Search search(made.model, weights, narrow<Kind>(rng));
    const SourceSentences source(made.model, {sentence(rng, 12)});
    search.run(source, 0, false, kNever);
    std::vector<uint32_t> nodes;
    derivation_of(search, search.best(), nodes);
    std::vector<FeatureKey> keys;
    std::vector<double> values(weights.size());
    for (const uint32_t node : nodes) {
      const typename Kind::Steps steps(made.model, search);
      steps.add_keys(search.hypotheses()[node].edge, node, keys);
      steps.add_features(search.hypotheses()[node].edge, node, values);
    }
    CHECK(near(made.sparse->sum(keys), values[made.model.features().sparse()]));
  }
}

// Leave-one-out equals a model without the held-out rules, with any number of threads.
template <class Kind, class Made>
void check_leave_one_out() {
  const Scratch folder;
  Rng rng(3);
  for (uint64_t round = 0; round < 40; ++round) {
    const auto pair = static_cast<int32_t>(rng.below(4));
    const auto variant = static_cast<int>(round % 4);
    const Made whole(round, variant, folder), reduced(round, variant, folder, pair);
    const std::vector<double> weights = random_weights(rng, whole.model);
    const typename Kind::Limits options = narrow<Kind>(rng);
    std::vector<std::string> lines;
    for (int i = 0; i < 8; ++i) lines.push_back(sentence(rng, static_cast<int>(rng.below(15))));
    const TrainingPairs same{{}, {}, std::vector<int32_t>(lines.size(), pair)};
    Progress progress;
    Searchers<Kind> some(whole.model, weights, options), few(reduced.model, weights, options);
    const SourceSentences source(whole.model, lines, same), plain(reduced.model, lines);
    // Sentences without held-out rules in between must not matter.
    translate(some, SourceSentences(whole.model, lines), 1, kNever, progress);
    const Translations left = translate(some, source, 1, kNever, progress);
    const Translations expected = translate(few, plain, 1, kNever, progress);
    const Translations three = translate(some, source, 3, kNever, progress);
    CHECK(left.text == expected.text);
    CHECK(left.scores == expected.scores);
    CHECK(left.scores == three.scores && left.text == three.text);
  }
}

// A search with changed weights equals a new search, bit by bit.
template <class Kind, class Made>
void check_reweighing() {
  const Scratch folder;
  Rng rng(5);
  for (uint64_t round = 0; round < 30; ++round) {
    const Made made(round, static_cast<int>(round % 4), folder);
    const typename Kind::Limits options = narrow<Kind>(rng);
    std::vector<std::string> lines;
    std::vector<int32_t> pairs;
    for (int i = 0; i < 6; ++i) {
      lines.push_back(sentence(rng, static_cast<int>(rng.below(12))) + (i % 2 ? "?" : ""));
      pairs.push_back(static_cast<int32_t>(rng.below(5)) - 1);
    }
    const SourceSentences source(made.model, lines, {{}, {}, pairs});
    typename Kind::Search kept(made.model, random_weights(rng, made.model), options);
    for (int epoch = 0; epoch < 3; ++epoch) {
      const std::vector<double> weights = random_weights(rng, made.model);
      made.sparse->reseed(rng.next());
      kept.reweigh(weights);
      typename Kind::Search fresh(made.model, weights, options);
      for (size_t i = 0; i < lines.size(); ++i) {
        kept.run(source, i, true, kNever);
        fresh.run(source, i, true, kNever);
        CHECK(numbers(kept) == numbers(fresh));
      }
    }
    CHECK_THROWS_AS(kept.reweigh(std::vector<double>(2)), std::invalid_argument);
  }
}

}  // namespace demotic::test
