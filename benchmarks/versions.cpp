// Runs search or MERT of one version of the core, for benchmarks/versions.py, which compiles it
// against the headers and the library of a checkout. Prints a line per run:
//
//   limit CPU-seconds score
//
//   versions phrase|hiero MODEL SOURCE LIMIT...     limits are pop limits, score is the mean score
//   versions mert POOL RESTARTS...                  score is the best score of all starts
#include <sys/resource.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "demotic/learn/mert.h"
#include "demotic/search/hiero_search.h"
#include "demotic/search/phrase_search.h"

#if __has_include("demotic/namespaces.h")
using namespace demotic::all;
#else
using namespace demotic;  // before the core had a namespace per folder
#endif

namespace {

const StopFlag kNever;

double cpu_seconds() {
  rusage used;
  getrusage(RUSAGE_SELF, &used);
  return double(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
         1e-6 * double(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
}

std::vector<std::string> lines_of(const std::string& path) {
  std::ifstream file(path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

template <typename T>
std::vector<T> numbers_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  std::vector<T> values(static_cast<size_t>(file.tellg()) / sizeof(T));
  file.seekg(0).read(reinterpret_cast<char*>(values.data()),
                     std::streamoff(sizeof(T) * values.size()));
  return values;
}

std::vector<double> weights_of(const std::string& path) {
  std::vector<double> weights;
  for (const std::string& line : lines_of(path))
    if (!line.starts_with('#')) weights.push_back(std::stod(line.substr(line.find('\t'))));
  return weights;
}

template <typename Search, typename Model, typename Options>
void search(const Model& model, const std::vector<double>& weights, const SourceSentences& source,
            Options options, int limit) {
  options.pop_limit = limit;
  options.beam_size = std::is_same_v<Search, PhraseSearch> ? std::max(limit, 200) : limit;
  const double begin = cpu_seconds();
  double sum = 0;
  Search search(model, weights, options);  // new: nothing is cached from an earlier run
  for (size_t i = 0; i < source.size(); ++i) {
    search.run(source, i, false, kNever);
    if (search.best() != UINT32_MAX) sum += search.hypotheses()[search.best()].score;
  }
  std::printf("%d %.4f %.6f\n", limit, cpu_seconds() - begin, sum / double(source.size()));
}

void mert_of_pool(const std::string& folder, int restarts) {
  const auto offsets = numbers_of<int64_t>(folder + "/offsets");
  const auto dense = numbers_of<float>(folder + "/dense");
  const auto statistics = numbers_of<int32_t>(folder + "/statistics");
  PoolView pool;
  pool.offsets = offsets, pool.dense = dense, pool.statistics = statistics;
  pool.dense_features = static_cast<int32_t>(int64_t(dense.size()) / offsets.back());
  pool.statistics_size = 9;
  const double begin = cpu_seconds();
  ThreadPool one(1);
  MertOptions options;
  options.restarts = restarts;
  const std::vector<double> weights(pool.dense_features, 1.0);
  const MertResult found = mert(CandidateLists(pool), {}, weights, options, one, kNever);
  std::printf("%d %.4f %.6f\n", restarts, cpu_seconds() - begin, std::ranges::max(found.scores));
}

}  // namespace

int main(int, char** arguments) {
  const std::string kind = arguments[1], folder = arguments[2];
  if (kind == "mert") {
    for (char** limit = arguments + 3; *limit; ++limit) mert_of_pool(folder, std::stoi(*limit));
    return 0;
  }
  RuleStore rules = RuleStore::open(folder + "/rules.bin", false, kNever);
  std::vector<LanguageModel> lms{LanguageModel::open(folder + "/lm-0.lm", false, kNever)};
  Vocabulary words = Vocabulary::open(folder + "/vocabulary.bin", false, kNever);
  const std::vector<double> weights = weights_of(folder + "/weights.tsv");
  const auto run = [&]<typename Search, typename Options>(const auto& model, Options options) {
    const SourceSentences source(model, lines_of(arguments[3]));
    for (char** limit = arguments + 4; *limit; ++limit)
      search<Search>(model, weights, source, options, std::stoi(*limit));
  };
  if (kind == "phrase")
    run.operator()<PhraseSearch>(PhraseModel(std::move(rules), std::move(lms), std::move(words)),
                                 PhraseSearchOptions());
  else
    run.operator()<HieroSearch>(HieroModel(std::move(rules), std::move(lms), std::move(words), {}),
                                HieroSearchOptions());
}
