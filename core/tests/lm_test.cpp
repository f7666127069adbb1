// Language models under the sanitizers, from text to queries: the automaton, the chart, a file, a
// mixture and a batch score a sentence as the listed n-grams do.
#include <cmath>
#include <map>

#include "demotic/base/errors.h"
#include "demotic/base/rng.h"
#include "demotic/lm/arpa.h"
#include "demotic/lm/chart_state.h"
#include "demotic/lm/disk_estimate.h"
#include "demotic/lm/estimate.h"
#include "demotic/lm/language_model.h"
#include "demotic/lm/mix.h"
#include "demotic/lm/ngram_placement.h"
#include "demotic/lm/score_corpus.h"
#include "scratch.h"
#include "test.h"

namespace test = demotic::test;
using namespace demotic::all;
using test::Scratch;

namespace {

const StopFlag stop;
Progress progress;

using Sentence = std::vector<WordId>;

Vocabulary letters(int words) {
  VocabularyBuilder builder;
  for (int i = 0; i < words; ++i) builder.add(std::string(1, static_cast<char>('a' + i)));
  return builder.finish();
}

Sentence random_sentence(Rng& rng, uint64_t longest, uint64_t words) {
  Sentence result(rng.below(longest + 1));
  for (WordId& word : result)
    word = kReservedWords + static_cast<WordId>(rng.below(1 + rng.below(words)));
  return result;
}

Corpus corpus_of(const std::vector<Sentence>& sentences) {
  Csr<WordId> rows;
  for (const Sentence& sentence : sentences) {
    rows.values.insert(rows.values.end(), sentence.begin(), sentence.end());
    rows.end_row();
  }
  return Corpus(std::move(rows));
}

NgramModel estimated(Rng& rng, int order, int sentences = 40, int words = 8) {
  std::vector<Sentence> text{{kReservedWords}};  // at least one word
  for (int i = 0; i < sentences; ++i) text.push_back(random_sentence(rng, 9, words));
  const KneserNeyOptions options{.order = order, .prune = {0}, .discount_fallback = true};
  return estimate_kneser_ney(corpus_of(text), letters(words), options, stop, progress).ngrams;
}

// log10 of the listed n-grams by their words, and the definition of a back-off model over them.
struct Listed {
  std::map<Sentence, std::pair<float, float>> ngrams;  // probability, backoff
  size_t order;

  explicit Listed(const NgramModel& model) : order(model.orders.size()) {
    std::vector<Sentence> below{{}};
    for (size_t n = 0; n < order; ++n) {
      const NgramOrder& list = model.orders[n];
      std::vector<Sentence> here;
      for (size_t i = 0; i < list.size(); ++i) {
        here.push_back(n == 0 ? Sentence{} : below[list.context[i]]);
        here.back().push_back(list.word[i]);
        ngrams[here.back()] = {list.prob[i], list.backoff.empty() ? 0 : list.backoff[i]};
      }
      below = std::move(here);
    }
  }

  double log10(Sentence history, WordId word) const {
    if (history.size() >= order) history.erase(history.begin(), history.end() - (order - 1));
    Sentence ngram = history;
    ngram.push_back(word);
    if (const auto found = ngrams.find(ngram); found != ngrams.end()) return found->second.first;
    const auto context = ngrams.find(history);
    const double backoff = context == ngrams.end() ? 0 : context->second.second;
    return backoff + log10(Sentence(history.begin() + 1, history.end()), word);
  }
};

bool close(double a, double b) { return std::fabs(a - b) <= 1e-4 * (1 + std::fabs(b)); }

double scored(const LanguageModel& model, LmState state, const Sentence& words) {
  double sum = 0;
  for (const WordId word : words) sum += model.score(state, word, state);
  return sum;
}

// Any bracketing of words[begin, end) into pieces.
float chart(const LanguageModel& model, const Sentence& words, size_t begin, size_t end, Rng& rng,
            ChartState& state) {
  ChartScorer scorer(model);
  if (begin == 0) scorer.start();
  for (size_t at = begin; at < end;) {
    const size_t piece = 1 + rng.below(end - at);
    if (piece == 1 || at == 0) {  // <s> is not part of any piece
      scorer.terminal(words[at++]);
      continue;
    }
    if (piece == end - begin) continue;
    ChartState inner;
    const float score = chart(model, words, at, at + piece, rng, inner);
    scorer.nonterminal(inner, score);
    at += piece;
  }
  return scorer.finish(state);
}

constexpr std::string_view kSmall =
    "\\data\\\nngram 1=4\nngram 2=2\n\n\\1-grams:\n-1\t<unk>\n-99\t<s>\t-0.5\n-0.7\t</s>\n"
    "-0.4\ta\t-0.3\n\n\\2-grams:\n-0.2\t<s> a\n-0.1\ta </s>\n\n\\end\\\n";

NgramModel read_arpa(std::string_view text) {
  ArpaReader reader("small.arpa", false);
  for (const char& c : text) reader.feed({&c, 1});  // one byte per chunk
  return reader.finish();
}

std::string changed(std::string_view from, std::string_view to) {
  std::string text(kSmall);
  return text.replace(text.find(from), from.size(), to);
}

}  // namespace

TEST_CASE("queries agree with the listed n-grams, including unknown words") {
  Rng rng(1);
  for (int order = 1; order <= 5; ++order) {
    const NgramModel ngrams = estimated(rng, order);
    const Listed listed(ngrams);
    const LanguageModel model = LanguageModel::build(ngrams, stop);
    CHECK_EQ(model.order(), order);
    for (int round = 0; round < 200; ++round) {
      Sentence words = random_sentence(rng, 12, 8), history{kSentenceBegin};
      for (WordId& word : words) word = rng.below(8) == 0 ? kUnknown : word;
      words.push_back(kSentenceEnd);
      LmState state = model.begin_state();
      for (const WordId word : words) {
        CHECK(close(model.score_log10(state, word, state), listed.log10(history, word)));
        history.push_back(word);
      }
    }
  }
}

TEST_CASE("every context sums to one") {
  Rng rng(2);
  for (int order = 1; order <= 4; ++order) {
    const LanguageModel model = LanguageModel::build(estimated(rng, order), stop);
    LmState state = model.begin_state(), ignored;
    for (int round = 0; round < 50; ++round) {
      double sum = 0;
      for (WordId word = 0; word < model.vocabulary().size(); ++word)
        if (word != kSentenceBegin) sum += std::exp(model.score(state, word, ignored));
      CHECK(std::fabs(sum - 1) < 1e-4);
      model.score(state, kReservedWords + static_cast<WordId>(rng.below(8)), state);
    }
  }
}

TEST_CASE("equal states have equal futures, and a state keeps no unnecessary context") {
  Rng rng(3);
  const NgramModel ngrams = estimated(rng, 4);
  const Listed listed(ngrams);
  const LanguageModel model = LanguageModel::build(ngrams, stop);
  std::map<uint32_t, Sentence> seen;  // one history of each state
  size_t shared = 0;
  for (int round = 0; round < 400; ++round) {
    Sentence history = random_sentence(rng, 9, 8);
    LmState state = model.empty_state();
    scored(model, state, history);
    for (const WordId word : history) model.score(state, word, state);
    CHECK(model.has(state));
    CHECK(model.length(state) < model.order());
    const auto [first, is_new] = seen.emplace(state.node, history);
    shared += !is_new && first->second != history;
    const Sentence future = random_sentence(rng, 6, 8);
    double sum = 0;
    for (const WordId word : future) {
      sum += listed.log10(first->second, word);
      first->second.push_back(word);
    }
    first->second.resize(first->second.size() - future.size());
    CHECK(close(scored(model, state, future) / kLn10, sum));
  }
  CHECK(shared > 50);
}

TEST_CASE("a chart scores a sentence like a left-to-right pass, whatever the bracketing") {
  Rng rng(4);
  for (int order = 1; order <= 5; ++order) {
    const LanguageModel model = LanguageModel::build(estimated(rng, order), stop);
    for (int round = 0; round < 300; ++round) {
      Sentence words = random_sentence(rng, 10, 8);
      words.push_back(kSentenceEnd);
      ChartState state;
      const float score = chart(model, words, 0, words.size(), rng, state);
      CHECK(close(score, scored(model, model.begin_state(), words)));
    }
  }
}

TEST_CASE("the two pieces of every split together score like the whole") {
  Rng rng(5);
  const LanguageModel model = LanguageModel::build(estimated(rng, 4), stop);
  for (int round = 0; round < 100; ++round) {
    const Sentence words = random_sentence(rng, 9, 8);
    ChartScorer whole(model);
    for (const WordId word : words) whole.terminal(word);
    ChartState expected;
    const float total = whole.finish(expected);
    for (size_t split = 0; split <= words.size(); ++split) {
      ChartScorer sides[2] = {ChartScorer(model), ChartScorer(model)}, both(model);
      for (size_t i = 0; i < words.size(); ++i) sides[i >= split].terminal(words[i]);
      ChartState found;
      for (ChartScorer& side : sides) {
        ChartState piece;
        const float score = side.finish(piece);
        both.nonterminal(piece, score);
      }
      CHECK(close(both.finish(found), total));
      CHECK(found == expected);
      CHECK_EQ(found.hash(), expected.hash());
    }
  }
}

TEST_CASE("an ARPA file is read as it is written") {
  const LanguageModel model = LanguageModel::build(read_arpa(kSmall), stop);
  CHECK_EQ(model.order(), 2);
  const WordId a = model.vocabulary().find("a");
  LmState state = model.begin_state();
  CHECK(close(model.score_log10(state, a, state), -0.2));
  CHECK(close(model.score_log10(state, a, state), -0.3 - 0.4));
  CHECK(close(model.score_log10(state, kSentenceEnd, state), -0.1));
  CHECK(close(model.score_log10(state, model.vocabulary().find("zzz"), state), -1));
}

TEST_CASE("a damaged ARPA file is refused") {
  const std::pair<std::string_view, std::string_view> damages[] = {
      {"-0.4\ta", "0.4\ta"},           {"-0.4\ta", "nan\ta"},           {"-0.4\ta", "word\ta"},
      {"ngram 1=4", "ngram 1=5"},      {"ngram 2=2", "ngram 2=1"},      {"ngram 2=2", "ngram 2=3"},
      {"-0.2\t<s> a", "-0.2\t<s> b"},  {"-0.1\ta </s>", "-0.2\t<s> a"}, {"\n\\end\\\n", "\n"},
      {"\\2-grams:", "\\3-grams:"},    {"-0.7\t</s>", "-0.7\tb"},       {"\\data\\", "data"},
      {"-0.2\t<s> a", "-0.2\t<s> a b"}};
  CHECK_EQ(read_arpa(kSmall).order(), 2);
  for (const auto& [from, to] : damages) CHECK_THROWS_AS(read_arpa(changed(from, to)), FormatError);
  for (size_t size = 0; size + 1 < kSmall.size() - 1; ++size)
    CHECK_THROWS_AS(read_arpa(kSmall.substr(0, size)), FormatError);
}

TEST_CASE("a model is the same after saving, opening and listing") {
  Rng rng(6);
  Scratch scratch;
  for (int order = 1; order <= 5; ++order) {
    const LanguageModel model = LanguageModel::build(estimated(rng, order), stop);
    model.save(scratch / "model.lm");
    const LanguageModel opened = LanguageModel::open(scratch / "model.lm", true, stop);
    const LanguageModel again = LanguageModel::build(opened.ngrams(stop), stop);
    for (int round = 0; round < 50; ++round) {
      const Sentence words = random_sentence(rng, 10, 8);
      const double expected = scored(model, model.begin_state(), words);
      CHECK_EQ(scored(opened, opened.begin_state(), words), expected);
      CHECK_EQ(scored(again, again.begin_state(), words), expected);
    }
  }
}

TEST_CASE("a file with a changed byte is refused") {
  Rng rng(7);
  Scratch scratch;
  const LanguageModel model = LanguageModel::build(estimated(rng, 3), stop);
  model.save(scratch / "model.lm");
  const std::string bytes = test::read_file(scratch / "model.lm");
  for (int round = 0; round < 200; ++round) {
    std::string damaged = bytes;
    damaged[rng.below(damaged.size())] ^= static_cast<char>(1 + rng.below(255));
    test::write_file(scratch / "damaged.lm", damaged);
    CHECK_THROWS_AS(LanguageModel::open(scratch / "damaged.lm", true, stop), Error);
  }
}

void check_tables(NgramLayout layout) {
  Rng rng(8);
  for (const auto& [contexts, words, count] : {std::array<uint64_t, 3>{1, 1, 1},
                                               {3, 2, 6},
                                               {1000, 1000, 20000},
                                               {1u << 20, 1u << 20, 50},
                                               {7, 100000, 100000},
                                               {100000, 7, 300000}}) {
    std::map<uint64_t, uint32_t> number_of;
    std::vector<uint32_t> context_list;
    std::vector<WordId> word_list;
    while (word_list.size() < count && number_of.size() < contexts * words) {
      const uint64_t context = rng.below(contexts), word = rng.below(words);
      if (!number_of.emplace(context << 32 | word, 0).second) continue;
      context_list.push_back(static_cast<uint32_t>(context));
      word_list.push_back(static_cast<WordId>(word));
    }
    std::vector<uint32_t> numbers(word_list.size());
    std::vector<NgramBucket> buckets;
    NgramHash hash;
    for (int attempt = 0; attempt < 10; ++attempt) {
      hash = hash_for(word_list.size(), contexts, static_cast<WordId>(words), attempt, layout);
      buckets.assign(hash.buckets(), NgramBucket{});
      if (place_ngrams(context_list, word_list, hash, buckets, numbers, layout)) break;
      CHECK(attempt < 2);
    }
    const NgramTable table(hash, buckets, layout);
    CHECK(table.sound(buckets.size(), contexts, static_cast<WordId>(words)));
    for (size_t i = 0; i < numbers.size(); ++i) {
      const NgramSlot found = table.find(table.key(context_list[i], word_list[i]));
      CHECK(found.bucket && table.number(found) == numbers[i]);
      const auto [context, word] = table.ngram(numbers[i]);
      CHECK_EQ(context, context_list[i]);
      CHECK_EQ(word, word_list[i]);
    }
    for (int round = 0; round < 2000; ++round) {
      const uint64_t context = rng.below(contexts), word = rng.below(words);
      const bool there = number_of.contains(context << 32 | word);
      const uint64_t key = table.key(static_cast<uint32_t>(context), static_cast<WordId>(word));
      CHECK_EQ(table.find(key).bucket != nullptr, there);
    }
  }
}

TEST_CASE("tables store n-grams of any shape and return them") { check_tables(NgramLayout()); }

TEST_CASE("so do tables of quantised n-grams") {
  const Codebook codebook;
  check_tables(NgramLayout(&codebook));
}

TEST_CASE("a layout returns what was written to it") {
  Rng rng(12);
  Codebook codebook;
  for (size_t i = 0; i < Codebook::kSize; ++i) {
    codebook.prob[i] = static_cast<float>(i) - 300;
    codebook.backoff[i] = i == 0 ? 0 : static_cast<float>(i) / 64 - 3.9f;
  }
  for (const NgramLayout layout : {NgramLayout(), NgramLayout(&codebook)}) {
    NgramBucket bucket{};
    std::vector<NgramData> written;
    for (uint32_t lane = 0; lane < layout.lanes(); ++lane) {
      written.push_back({.prob = codebook.prob[rng.below(256)],
                         .backoff = codebook.backoff[rng.below(256)],
                         .extends_left = rng.below(2) == 1,
                         .suffix = static_cast<uint32_t>(rng.next())});
      layout.write(bucket, lane, written.back());
    }
    for (uint32_t lane = 0; lane < layout.lanes(); ++lane) {
      CHECK_EQ(bucket.cells[lane], 0u);
      CHECK_EQ(layout.prob(bucket, lane), written[lane].prob);
      CHECK_EQ(layout.backoff(bucket, lane), written[lane].backoff);
      CHECK_EQ(layout.extends_left(bucket, lane), written[lane].extends_left);
      CHECK_EQ(layout.suffix(bucket, lane), written[lane].suffix);
    }
  }
}

TEST_CASE("a mixture is between its parts and sums to one") {
  Rng rng(9);
  const LanguageModel first = LanguageModel::build(estimated(rng, 3), stop);
  const LanguageModel second = LanguageModel::build(estimated(rng, 2), stop);
  const LanguageModel mixed = LanguageModel::build(mix(first, second, 0.3, stop), stop);
  LmState state = mixed.begin_state(), ignored;
  for (int round = 0; round < 30; ++round) {
    double sum = 0;
    for (WordId word = 0; word < mixed.vocabulary().size(); ++word)
      if (word != kSentenceBegin) sum += std::exp(mixed.score(state, word, ignored));
    CHECK(std::fabs(sum - 1) < 1e-3);
    mixed.score(state, kReservedWords + static_cast<WordId>(rng.below(8)), state);
  }
  for (const char* name : {"a", "b"}) {
    const auto after_begin = [&](const LanguageModel& model) {
      return std::exp(model.score(model.begin_state(), model.vocabulary().find(name), ignored));
    };
    CHECK(close(after_begin(mixed), 0.3 * after_begin(first) + 0.7 * after_begin(second)));
  }
}

TEST_CASE("estimation on disk stops while it writes the last n-grams") {
  constexpr int kWords = 3000;
  VocabularyBuilder names;
  for (int i = 0; i < kWords; ++i) names.add("a long word with the number " + std::to_string(i));
  Rng rng(11);
  std::vector<Sentence> text(100);
  for (Sentence& sentence : text)
    for (int i = 0; i < 1000; ++i)
      sentence.push_back(kReservedWords + static_cast<WordId>(rng.below(kWords)));
  const Scratch scratch;
  const auto estimator = DiskEstimator::make({.order = 2, .prune = {0}, .discount_fallback = true},
                                             {.folder = scratch / ""});
  StopFlag raised;
  estimator->add(corpus_of(text), raised);
  int pieces = 0;
  const ArpaText::Sink sink = [&](std::string&&) {
    ++pieces;
    raised.raise();
  };
  const Vocabulary vocabulary = names.finish();
  ArpaText arpa(vocabulary, sink, 1, raised);
  CHECK_THROWS_AS(estimator->finish(vocabulary, arpa, raised, progress), Interrupted);
  CHECK_EQ(pieces, 1);
}

TEST_CASE("a whole text in one call scores like its words one by one") {
  Rng rng(10);
  for (const int order : {1, 3, 5}) {
    const LanguageModel model = LanguageModel::build(estimated(rng, order), stop);
    std::vector<Sentence> text;
    for (int i = 0; i < 1500; ++i) text.push_back(random_sentence(rng, 6, 8));  // some are empty
    std::vector<WordId> words(kReservedWords + 8);
    for (size_t i = 0; i < words.size(); ++i) words[i] = i % 5 == 4 ? kUnknown : WordId(i);
    const Corpus corpus = corpus_of(text);
    for (const CorpusScoring options :
         {CorpusScoring{true, true, true, 2}, {false, false, true, 1}}) {
      const CorpusScores found = score_corpus(model, corpus, words, options, stop, progress);
      size_t token = 0;
      for (size_t k = 0; k < text.size(); ++k) {
        LmState state = options.begin ? model.begin_state() : model.empty_state();
        double sum = 0;
        Sentence mapped;
        for (const WordId word : text[k]) mapped.push_back(words[word]);
        if (options.end) mapped.push_back(kSentenceEnd);
        for (const WordId word : mapped) {
          const float log10 = model.score_log10(state, word, state);
          CHECK_EQ(found.tokens[token++], log10);
          sum += log10;
        }
        CHECK_EQ(found.log10[k], sum);
      }
      CHECK_EQ(token, found.tokens.size());
    }
    CHECK_THROWS_AS(score_corpus(model, corpus, std::span(words).first(4), {}, stop, progress),
                    std::out_of_range);
  }
}
