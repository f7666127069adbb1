// The parts of phrase search, each against its plain definition.
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "demotic/search/batch.h"
#include "demotic/search/coverage.h"
#include "demotic/search/future_costs.h"
#include "demotic/search/phrase_search.h"
#include "scratch.h"
#include "small_models.h"
#include "test.h"

namespace test = demotic::test;
using namespace demotic::all;
using namespace demotic::test;

namespace {

PhraseModel model(uint64_t seed, int language_models, const Scratch& folder) {
  Rng rng(seed);
  std::vector<LanguageModel> lms;
  for (int i = 0; i < language_models; ++i) lms.push_back(bigrams(rng));
  return PhraseModel(rules(rng, folder / "rules"), std::move(lms), words());
}

// A set of words in its plainest representation.
using Plain = std::vector<bool>;

Plain plain(const CoverageTable& table, CoverageId id, int32_t length) {
  Plain covered(length);
  for (int32_t i = 0; i < length; ++i) covered[i] = table.covers(id, i);
  return covered;
}

}  // namespace

TEST_CASE("coverage: sets of any width contain what was added, and equal sets share an id") {
  Rng rng(1);
  for (int round = 0; round < 60; ++round) {
    const auto length = static_cast<int32_t>(1 + rng.below(round < 30 ? 20 : 300));
    const bool windowed = rng.below(2);
    const auto reach = windowed ? static_cast<int32_t>(rng.below(140)) : length;
    CoverageTable table;
    table.reset(length, reach);
    std::map<Plain, CoverageId> known{{Plain(length), table.empty()}};
    for (int walk = 0; walk < 20; ++walk) {
      CoverageId id = table.empty();
      Plain covered(length);
      while (std::ranges::count(covered, false) > 0) {
        const auto first =
            static_cast<int32_t>(std::ranges::find(covered, false) - covered.begin());
        CHECK_EQ(table.first_open(id), first);
        auto begin = rng.below(3) ? first + static_cast<int32_t>(rng.below(reach + 1)) : first;
        if (begin >= length || covered[begin]) begin = first;
        const auto gap = std::find(covered.begin() + begin, covered.end(), true) - covered.begin();
        CHECK_EQ(table.next_covered(id, begin), gap);
        auto end = std::min<int32_t>(gap, begin + 1 + static_cast<int32_t>(rng.below(9)));
        // What the gap test allows: no phrase ends more than `reach` words after the first gap.
        if (begin > first) end = std::min(end, first + reach);
        if (end <= begin) begin = first, end = first + 1;
        std::fill(covered.begin() + begin, covered.begin() + end, true);
        id = table.with(id, begin, end);
        CHECK(plain(table, id, length) == covered);
        CHECK_EQ(known.try_emplace(covered, id).first->second, id);
      }
      CHECK_EQ(table.first_open(id), length);
    }
    std::set<CoverageId> ids;
    for (const auto& [covered, id] : known) ids.insert(id);
    CHECK_EQ(ids.size(), known.size());
  }
}

TEST_CASE("coverage: jumps that remain are those of a walk over all uncovered words") {
  Rng rng(5);
  for (int round = 0; round < 300; ++round) {
    const auto length = static_cast<int32_t>(1 + rng.below(round % 2 ? 12 : 90));
    const bool windowed = rng.below(2);
    const auto reach = windowed ? static_cast<int32_t>(rng.below(64)) : length;
    CoverageTable table;
    table.reset(length, reach);
    CoverageId id = table.empty();
    int32_t last = 0;
    for (;;) {
      const int32_t first = table.first_open(id);
      // Nothing more is covered, or a phrase in any gap that the window allows.
      std::vector<std::pair<int32_t, int32_t>> spans{{last, last}};
      for (int32_t begin = first; begin < length; ++begin)
        for (int32_t end = begin + 1; end <= std::min(length, begin + 4); ++end) {
          if (table.covers(id, end - 1)) break;
          if (begin == first || end <= first + reach) spans.push_back({begin, end});
        }
      for (const auto& [begin, end] : spans) {
        Jumps expected;
        int32_t at = end;
        for (int32_t word = 0; word < length; ++word) {
          if (table.covers(id, word) || (begin <= word && word < end)) continue;
          expected.count += word != at;
          expected.distance += std::abs(word - at);
          at = word + 1;
        }
        const Jumps jumps = table.jumps_after(id, begin, end);
        CHECK_EQ(jumps.count, expected.count);
        CHECK_EQ(jumps.distance, expected.distance);
      }
      if (spans.size() == 1) break;
      const auto [begin, end] = spans[1 + rng.below(spans.size() - 1)];
      id = table.with(id, begin, end);
      last = end;
    }
  }
}

TEST_CASE("future costs: the best of all segmentations, for every span in the window") {
  const Scratch folder;
  Rng rng(2);
  for (uint64_t round = 0; round < 20; ++round) {
    const PhraseModel phrases = model(round, 1, folder);
    const std::vector<double> weights = {0.5, 0.7, -0.3, 0.2, 0.4, 0.1};
    CHECK_EQ(phrases.features().size(), weights.size());
    const PhraseSearchOptions limits;
    PhraseTranslationOptions options(phrases, weights, limits);
    const auto length = static_cast<int32_t>(rng.below(12));
    const SourceSentences source(phrases, {sentence(rng, length)});
    options.build(source, 0);
    std::map<std::pair<int32_t, int32_t>, double> best;
    for (int32_t end = 0; end <= length; ++end)
      for (int32_t begin = end; begin >= 0; --begin) {
        double& here = best[{begin, end}] = begin == end ? 0 : -INFINITY;
        if (begin == end) continue;
        for (const PhraseSpan& span : options.starting_at(begin))
          for (uint32_t i = span.first; i < span.first + span.count && span.end <= end; ++i)
            here = std::max(here, options[i].estimate + best[{span.end, end}]);
      }
    for (const int32_t window : {0, 3, length}) {
      FutureCosts costs;
      costs.build(options, length, window);
      for (const auto& [span, score] : best) {
        const auto [begin, end] = span;
        if (end - begin > window && end < length) continue;
        CHECK(std::abs(costs(begin, end) - score) <= 1e-4 * std::max(1.0, -score));
      }
    }
  }
}

TEST_CASE("language model queries: a phrase scores as its words do one by one") {
  const Scratch folder;
  Rng rng(3);
  for (const int count : {0, 1, 2, 4}) {
    const PhraseModel phrases = model(10 + count, count, folder);
    const auto lms = phrases.language_models();
    std::vector<double> weights;
    for (int i = 0; i < count; ++i) weights.push_back(rng.uniform() - 0.3);
    PhraseLm queries(phrases, weights);
    for (int round = 0; round < 200; ++round) {
      queries.new_sentence();
      queries.forget(0);
      uint32_t state = queries.begin();
      std::vector<LmState> states;
      for (const LanguageModel& lm : lms) states.push_back(lm.begin_state());
      for (int step = 0; step < 4; ++step) {
        const auto length = static_cast<uint32_t>(rng.below(4));
        std::vector<WordId> text, mapped;
        for (uint32_t i = 0; i < length; ++i)
          text.push_back(rng.below(9) ? kReservedWords + static_cast<WordId>(rng.below(kWords))
                                      : kUnknown);
        for (int i = 0; i < count; ++i)
          for (const WordId word : text) mapped.push_back(phrases.lm_word(i, word));
        const LmPhrase phrase = queries.prepare(mapped, length);
        double walked = 0, alone = 0;
        std::vector<double> by_model(count), values(count);
        for (int i = 0; i < count; ++i) {
          LmState nothing = lms[i].empty_state();
          for (uint32_t k = 0; k < length; ++k) {
            by_model[i] += lms[i].score(states[i], mapped[i * length + k], states[i]);
            alone += weights[i] * lms[i].score(nothing, mapped[i * length + k], nothing);
          }
          walked += weights[i] * by_model[i];
        }
        uint32_t next = 0;
        CHECK(std::abs(queries.context_free(phrase) - alone) < 1e-4);
        CHECK(std::abs(queries.extend(state, phrase, next) - walked) < 1e-4);
        CHECK_EQ(queries.add_values(state, phrase, values), next);
        for (int i = 0; i < count; ++i) CHECK(std::abs(values[i] - by_model[i]) < 1e-4);
        state = next;
      }
      double end = 0;
      for (int i = 0; i < count; ++i) {
        LmState after;
        end += weights[i] * lms[i].score(states[i], kSentenceEnd, after);
      }
      CHECK(std::abs(queries.end(state) - end) < 1e-4);
    }
  }
}

TEST_CASE("phrase search: well-formed bins for any options, lengths and numbers of threads") {
  const Scratch folder;
  Rng rng(4);
  const PhraseModel phrases = model(7, 2, folder);
  const std::vector<double> weights = {0.5, 0.7, 0.1, -0.3, 0.2, 0.1, 0.1};
  std::vector<std::string> lines = {"", "z", "a z z b"};
  for (const int length : {1, 5, 30, 70, 200}) lines.push_back(sentence(rng, length));
  const SourceSentences source(phrases, lines);
  for (const int32_t limit : {-1, 0, 4, 80})
    for (const bool gap_test : {true, false}) {
      PhraseSearchOptions options;
      options.beam_size = 10;
      options.pop_limit = 20;
      options.distortion_limit = limit;
      options.gap_test = gap_test;
      Progress progress, again;
      Searchers<PhraseKind> searchers(phrases, weights, options);
      const auto one = translate(searchers, source, 1, kNever, progress);
      const auto four = translate(searchers, source, 4, kNever, again);
      CHECK(one.text == four.text);
      CHECK(one.scores == four.scores);
      for (size_t i = 0; i < lines.size(); ++i) {
        size_t covered = 0;
        for (const auto& step : one.steps[i]) covered += step.end - step.begin;
        CHECK_EQ(covered, source[i].size());
      }
      Progress third;
      const auto records = record_searches<PhraseKind>(phrases, options, {source, weights, 2},
                                                       {RecordKind::kBins}, kNever, third);
      for (size_t i = 0; i < lines.size(); ++i)
        CHECK(std::abs(records[i].node_score.back() - one.scores[i]) <=
              1e-4 * std::max(1.0, std::abs(one.scores[i])));
    }
}
