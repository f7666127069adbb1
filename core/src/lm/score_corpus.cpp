#include "demotic/lm/score_corpus.h"

#include <algorithm>
#include <array>

#include "demotic/base/thread_pool.h"

namespace demotic::lm {
namespace {

constexpr int kLanes = 16;        // sentences processed at once
constexpr int64_t kChunk = 1024;  // sentences per task of a thread

// One sentence in progress: a word is being looked up in the context `state`.
struct Lane {
  int64_t sentence = -1;
  const WordId* at = nullptr;  // the next word of the corpus, after the current one
  const WordId* end = nullptr;
  uint64_t key = 0;  // of (state, word), prefetched
  LmState state;
  WordId word = 0;
  float backoff = 0;     // accumulated for the current word
  bool closing = false;  // the current word is </s>
  double sum = 0;
  int64_t unknown = 0;
  float* token = nullptr;
};

class ChunkScorer {
 public:
  ChunkScorer(const LanguageModel& model, const Corpus& corpus, std::span<const WordId> words,
              const CorpusScoring& options, CorpusScores& result)
      : model_(model), corpus_(corpus), words_(words), options_(options), result_(result) {}

  void run(int64_t begin, int64_t end) {
    next_ = begin;
    end_ = end;
    int active = 0;
    for (Lane& lane : lanes_) active += open(lane);
    while (active > 0)
      for (int i = 0; i < active;) {
        if (advance(lanes_[i])) {
          ++i;
        } else {
          std::swap(lanes_[i], lanes_[--active]);
        }
      }
  }

 private:
  // Opens the next sentence that has something to score; false if there is none.
  bool open(Lane& lane) {
    for (; next_ < end_; ++next_) {
      const std::span<const WordId> sentence = corpus_[next_];
      lane = Lane{};
      lane.sentence = next_;
      lane.at = sentence.data();
      lane.end = sentence.data() + sentence.size();
      if (options_.begin) lane.state = model_.begin_state();
      if (options_.tokens)
        lane.token = result_.tokens.data() + corpus_.offsets()[next_] + (options_.end ? next_ : 0);
      if (next_word(lane)) {
        fetch(lane);
        ++next_;
        return true;
      }
    }
    return false;
  }

  bool next_word(Lane& lane) {
    if (lane.at < lane.end) {
      lane.word = words_[*lane.at++];
      lane.unknown += lane.word == kUnknown;
    } else if (options_.end && !lane.closing) {
      lane.word = kSentenceEnd;
      lane.closing = true;
    } else {
      return false;
    }
    lane.backoff = 0;
    return true;
  }

  // Proceeds as far as memory has been prefetched: returns the n-gram, or null if more has to be
  // fetched first. Unigrams are few enough to be cached anyway.
  NgramSlot look(Lane& lane) const {
    bool fetched = true;
    while (lane.state.node != 0) {
      if (model_.may_precede(lane.state, lane.word)) {
        if (!fetched) return {};
        const NgramSlot found = model_.find(lane.state, lane.key);
        if (found.bucket) return found;
      }
      lane.state = model_.back_off(lane.state, lane.backoff);
      fetched = false;
      if (model_.length(lane.state) > 1) return {};
    }
    return model_.unigram(lane.word);
  }

  // False if the lane is finished.
  bool advance(Lane& lane) {
    const NgramSlot found = look(lane);
    if (found.bucket) {
      const int32_t length = model_.length(lane.state) + 1;
      const float prob = lane.backoff + model_.prob(length, found);
      lane.state = model_.after(length, found);
      lane.sum += prob;
      if (lane.token) *lane.token++ = prob;
      if (!next_word(lane)) {
        result_.log10[lane.sentence] = lane.sum;
        result_.unknown[lane.sentence] = lane.unknown;
        return open(lane);
      }
    }
    fetch(lane);
    return true;
  }

  void fetch(Lane& lane) const {
    if (lane.state.node == 0) return;
    model_.prefetch(lane.state);
    lane.key = model_.prefetch(lane.state, lane.word);
  }

  const LanguageModel& model_;
  const Corpus& corpus_;
  std::span<const WordId> words_;
  const CorpusScoring& options_;
  CorpusScores& result_;
  int64_t next_ = 0, end_ = 0;
  std::array<Lane, kLanes> lanes_;
};

void check_ids(const LanguageModel& model, const Corpus& corpus, std::span<const WordId> words) {
  const auto inside = [](std::span<const WordId> ids, size_t size) {
    return std::all_of(ids.begin(), ids.end(),
                       [&](WordId id) { return static_cast<uint32_t>(id) < size; });
  };
  if (!inside(words, model.vocabulary().size()))
    throw std::out_of_range("a word id beyond the model's vocabulary");
  if (!inside(corpus.words(), words.size()))
    throw std::out_of_range("a word id beyond the corpus' vocabulary");
}

}  // namespace

CorpusScores score_corpus(const LanguageModel& model, const Corpus& corpus,
                          std::span<const WordId> words, const CorpusScoring& options,
                          const StopFlag& stop, Progress& progress) {
  check_ids(model, corpus, words);
  CorpusScores result;
  result.log10.resize(corpus.size());
  result.unknown.resize(corpus.size());
  if (options.tokens)
    result.tokens.resize(corpus.words().size() + (options.end ? corpus.size() : 0));
  progress.expect(corpus.size());
  ThreadPool pool(options.threads);
  pool.for_each((corpus.size() + kChunk - 1) / kChunk, stop, [&](int64_t chunk, int) {
    const int64_t begin = chunk * kChunk, end = std::min(corpus.size(), begin + kChunk);
    ChunkScorer(model, corpus, words, options, result).run(begin, end);
    progress.advance(end - begin);
  });
  return result;
}

}  // namespace demotic::lm
