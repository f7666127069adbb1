#include "demotic/learn/update_rule.h"

#include <cmath>

#include "demotic/metrics/sentence_bleu.h"
#include "test.h"

namespace demotic::test {
using namespace all;
namespace {

BinPair pair(double gold, double bad, bool holds = true) { return {gold, bad, holds}; }

TEST_CASE("max-violation chooses the bin with the largest difference") {
  const std::vector<BinPair> bins{pair(0, kNoScore), pair(1, 3), pair(1, 6), pair(9, 2)};
  const ChosenBin chosen = choose_bin(UpdateRule::kMaxViolation, bins, 1);
  CHECK_EQ(chosen.bin, 2);
  CHECK_EQ(chosen.violation, 5.0);
  CHECK(chosen.valid && chosen.updates);
}

TEST_CASE("ties go to the last bin, and a difference of zero is a violation") {
  const std::vector<BinPair> bins{pair(kNoScore, 1), pair(2, 2), pair(5, 5), pair(kNoScore, 9)};
  const ChosenBin chosen = choose_bin(UpdateRule::kMaxViolation, bins, 1);
  CHECK_EQ(chosen.bin, 2);
  CHECK(chosen.valid && chosen.updates);
}

TEST_CASE("no update if gold wins in every bin") {
  const std::vector<BinPair> bins{pair(2, 1), pair(3, 2.5)};
  const ChosenBin chosen = choose_bin(UpdateRule::kMaxViolation, bins, 1);
  CHECK_EQ(chosen.bin, 1);
  CHECK(!chosen.valid && !chosen.updates);
}

TEST_CASE("standard update accepts invalid updates, skip does not") {
  const std::vector<BinPair> bins{pair(0, 9), pair(3, 2)};
  const ChosenBin standard = choose_bin(UpdateRule::kStandard, bins, 1);
  CHECK_EQ(standard.bin, 1);
  CHECK(!standard.valid && standard.updates);
  CHECK(!choose_bin(UpdateRule::kSkip, bins, 1).updates);
}

TEST_CASE("no update without a bin that has both") {
  const std::vector<BinPair> bins{pair(0, kNoScore), pair(kNoScore, 2)};
  for (const UpdateRule rule :
       {UpdateRule::kMaxViolation, UpdateRule::kEarly, UpdateRule::kStandard, UpdateRule::kSkip}) {
    CHECK_EQ(choose_bin(rule, bins, 1).bin, -1);
    CHECK_EQ(choose_bin(rule, {}, 1).bin, -1);
  }
}

TEST_CASE("early update waits for as many bins as the longest phrase has words") {
  // Bin 2 is skipped by a phrase; from bin 4 on no gold survives, and bin 5 is the first with both.
  const std::vector<BinPair> bins{
      pair(0, kNoScore),        pair(1, 2),        pair(1, 2, false), pair(1, 2),
      pair(kNoScore, 2, false), pair(1, 2, false), pair(1, 2, false)};
  CHECK_EQ(choose_bin(UpdateRule::kEarly, bins, 2).bin, 5);
  CHECK_EQ(choose_bin(UpdateRule::kEarly, bins, 1).bin, 2);
  // Too few bins without gold before the end: the last bin is chosen.
  CHECK_EQ(choose_bin(UpdateRule::kEarly, bins, 4).bin, 6);
}

TEST_CASE("differences count the keys of both sides") {
  std::vector<FeatureKey> gold{7, 3, 7, 9}, bad{3, 9, 9, 1};
  std::vector<KeyDelta> difference;
  count_difference(gold, bad, difference);
  CHECK_EQ(difference.size(), size_t{3});
  CHECK_EQ(difference[0].key, FeatureKey{1});
  CHECK_EQ(difference[0].delta, -1.0f);
  CHECK_EQ(difference[1].key, FeatureKey{7});
  CHECK_EQ(difference[1].delta, 2.0f);
  CHECK_EQ(difference[2].key, FeatureKey{9});
  CHECK_EQ(difference[2].delta, -1.0f);
}

TEST_CASE("sentence BLEU is 1 for the reference and 0 for an empty output") {
  SentenceBleu bleu;
  const std::vector<int32_t> reference{1, 2, 3, 2, 3};
  bleu.set_reference(reference);
  CHECK_EQ(bleu(reference), 1.0);
  CHECK_EQ(bleu({}), 0.0);
  CHECK_EQ(bleu(std::vector<int32_t>{8, 9}), 0.0);
  // Too short, with one repeated word too many: matches 2 of 3, 1 of 2 and none.
  const double expected = std::pow(2.0 / 3 * (1.0 + 1) / (2 + 1) * (0.0 + 1) / (1 + 1) * 1, 0.25) *
                          std::exp(1 - 5.0 / 3);
  CHECK(std::abs(bleu(std::vector<int32_t>{1, 1, 2}) - expected) < 1e-12);
}

}  // namespace
}  // namespace demotic::test
