#include "hiero_sections.h"

#include <optional>

#include "demotic/base/external_sort.h"
#include "demotic/rules/hiero_extract.h"
#include "demotic/rules/target_totals.h"
#include "occurrence_counter.h"
#include "row_extraction.h"
#include "rule_table_builder.h"

namespace demotic::rules {
namespace {

constexpr size_t kPiece = size_t{1} << 16;  // entries written at once
constexpr int64_t kRowsPerTask = 64;

// Rules of a target side are adjacent, and so are those with one source side.
struct ByTarget {
  uint64_t key(const HashedRule& rule) const noexcept { return rule.target; }
  bool less(const HashedRule& a, const HashedRule& b) const noexcept { return a.source < b.source; }
};

// Adds up the rules of one target side, rounded as a table rounds them.
class SideTotal {
 public:
  explicit SideTotal(const HashedRule& first) : last_(first) {}

  bool has(const HashedRule& rule) const noexcept { return rule.target == last_.target; }
  void add(const HashedRule& rule) noexcept {
    if (rule.source != last_.source) end_rule();
    last_ = rule;
    count_ += rule.count;
  }
  // After the last rule: the total, or 0 if there is only one, whose total whoever has it knows.
  float end() noexcept {
    end_rule();
    return rules_ < 2 ? 0 : static_cast<float>(total_);
  }
  uint64_t hash() const noexcept { return last_.target; }

 private:
  void end_rule() noexcept {
    total_ += static_cast<float>(count_);
    count_ = 0;
    ++rules_;
  }

  HashedRule last_;
  double count_ = 0, total_ = 0;
  int64_t rules_ = 0;
};

class TargetSides {
 public:
  TargetSides(const HieroSource& source, int threads)
      : source_(source),
        rules_(SortSpace(source.options, source.bitext, {}).memory, folder_of(source.path), {},
               std::make_shared<BlockPool>(), threads) {}

  void add(std::span<const HashedRule> found) {
    for (const HashedRule& rule : found) rules_.add(rule);
    added_ += static_cast<int64_t>(found.size());
    rules_.publish_writes();
  }

  void write(ContainerWriter& writer) {
    TargetTotalsWriter totals(added_ / 2);
    std::vector<TargetTotals::Entry> entries;
    const auto flush = [&] {
      writer.append(std::span<const TargetTotals::Entry>(entries));
      entries.clear();
    };
    writer.begin_section("target_totals", sizeof(TargetTotals::Entry));
    std::optional<SideTotal> side;
    const auto end_side = [&] {
      if (!side) return;
      const float total = side->end();
      if (total > 0) entries.push_back(totals.add(side->hash(), total));
      if (entries.size() >= kPiece) flush();
    };
    rules_.drain(source_.stop, [&](const HashedRule& rule) {
      if (!side || !side->has(rule)) {
        end_side();
        side.emplace(rule);
      }
      side->add(rule);
    });
    end_side();
    flush();
    writer.section("target_buckets", totals.begins());
  }

 private:
  const HieroSource& source_;
  ExternalSorter<HashedRule, ByTarget> rules_;
  int64_t added_ = 0;
};

void count_rules(const HieroSource& source, int64_t counted, ThreadPool& pool,
                 TargetSides& targets) {
  const int64_t rows = source.bitext.size(), pairs = source.bitext.pairs();
  // They are spread evenly over the text.
  const auto is_counted = [&](int64_t row) {
    const int64_t pair = row % pairs;
    return pair * counted / pairs != (pair + 1) * counted / pairs;
  };
  std::vector<HieroExtractor> extractors(pool.threads(), HieroExtractor(source.options.hiero));
  pool.map_reduce((rows + kRowsPerTask - 1) / kRowsPerTask, source.stop,
                  [&](int64_t task, int worker) {
                    std::vector<HashedRule> found;
                    const int64_t end = std::min(rows, (task + 1) * kRowsPerTask);
                    for (int64_t row = task * kRowsPerTask; row < end; ++row) {
                      source.stop.check();
                      extractors[worker].count(source.bitext, static_cast<int32_t>(row),
                                               is_counted(row), found);
                    }
                    return found;
                  },
                  [&](int64_t, const std::vector<HashedRule>& found) { targets.add(found); });
}

// How gaps are reordered in the rules of the first pairs.
DistortionCounts count_gaps(const HieroSource& source, ThreadPool& pool) {
  RowExtraction rows(source.bitext, source.options, pool);
  const int64_t pairs = source.bitext.pairs(), limit = source.options.distortion_sentences;
  const int64_t first = limit == 0 ? pairs : std::min(pairs, limit);
  Progress unseen;
  for (int64_t begin = 0; begin < source.bitext.size(); begin += pairs)  // of a set of links
    rows.run(begin, begin + first, source.stop, unseen, [](std::span<const Occurrence>) {});
  return rows.distortion();
}

}  // namespace

DistortionCounts write_hiero_sections(const HieroSource& source, ThreadPool& pool,
                                      ContainerWriter& writer) {
  const int64_t pairs = source.bitext.pairs();
  const int64_t counted = source.counted_pairs == 0 ? pairs : std::min(pairs, source.counted_pairs);
  TargetSides targets(source, pool.threads());
  count_rules(source, counted, pool, targets);
  targets.write(writer);
  writer.section("counted_pairs", std::span(&counted, 1));
  return count_gaps(source, pool);
}

}  // namespace demotic::rules
