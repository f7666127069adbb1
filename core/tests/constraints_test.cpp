#include "demotic/search/constraints.h"

#include <stdexcept>

#include "demotic/search/order_gate.h"
#include "test.h"

namespace demotic::test {
using namespace all;
namespace {

using Kind = ConstraintKind;

// Targets are numbers of words.
SentenceConstraints made(std::vector<ConstraintText> texts, std::vector<std::vector<WordId>> words,
                         int32_t length = 6) {
  Csr<WordId> targets;
  for (const auto& one : words) {
    targets.values.insert(targets.values.end(), one.begin(), one.end());
    targets.end_row();
  }
  return SentenceConstraints(texts, std::move(targets), length);
}

bool applies(const SentenceConstraints& constraints, RuleWords words,
             std::vector<Symbol> target = {}, bool reordered = false) {
  TargetChecks checks;
  return constraints.may_apply(words, checks) && constraints.fulfils(target, reordered, checks);
}

TEST_CASE("numbers of given options are no rules, copies or glue") {
  for (const uint32_t number : {0u, 1u, kMaxGivenOptions - 1})
    for (const uint32_t words : {0u, 1u, kMaxGivenWords}) {
      const RuleId rule = given_rule(number, words);
      CHECK(is_given(rule) && !is_stored(rule) && !is_copy(rule) && !is_glue(rule));
      CHECK_EQ(given_number(rule), number);
      CHECK_EQ(given_words(rule), static_cast<int32_t>(words));
      CHECK_EQ(stored_rule(rule), kNoRule);
    }
  for (const RuleId rule : {kNoRule, kKnownCopied, kGlueFirst, kGlueNext, RuleId{0}, kMaxRules})
    CHECK(!is_given(rule));
}

TEST_CASE("no rule has a word of an exclusive span") {
  const auto constraints = made({{Kind::kExclusive, 2, 4, {"x"}, {0}}}, {{7}});
  CHECK(applies(constraints, {{0, 2}}));
  CHECK(!applies(constraints, {{1, 3}}));
  CHECK(!applies(constraints, {{2, 4}}, {7}));
  CHECK(applies(constraints, {{1, 5}, {{{2, 4}}}}));
  CHECK(!applies(constraints, {{1, 5}, {{{3, 4}}}}));
  CHECK(!constraints.may_copy(3));
  CHECK(constraints.may_copy(4));
}

TEST_CASE("rules contain a target, or lack it") {
  const auto constraints =
      made({{Kind::kContaining, 0, 2, {"x", "y"}, {0, 0}}, {Kind::kForbidden, 4, 5, {"z"}, {0}}},
           {{7, 8}, {9}, {6}});
  CHECK(applies(constraints, {{0, 2}}, {1, 7, 8}));
  CHECK(applies(constraints, {{0, 3}}, {9}));
  CHECK(!applies(constraints, {{0, 2}}, {7, 1, 8}));
  CHECK(!applies(constraints, {{0, 1}}, {9}));
  CHECK(!applies(constraints, {{4, 6}}, {1, 6}));
  CHECK(applies(constraints, {{4, 6}}, {1}));
  CHECK(applies(constraints, {{2, 4}}, {6}));
}

TEST_CASE("only a rule that keeps the order of its gaps crosses a wall") {
  const auto constraints = made({{Kind::kWall, 3, 3, {}, {}}}, {});
  CHECK(applies(constraints, {{0, 3}}));
  CHECK(!applies(constraints, {{2, 4}}));
  CHECK(applies(constraints, {{0, 6}, {{{0, 3}, {3, 6}}}}));
  CHECK(!applies(constraints, {{0, 6}, {{{0, 3}, {3, 6}}}}, {}, true));
  CHECK(!applies(constraints, {{0, 6}, {{{1, 6}}}}));
}

TEST_CASE("a zone is inside of a gap, of a phrase, or has the rule inside") {
  const auto constraints = made({{Kind::kZone, 2, 4, {}, {}}}, {});
  CHECK(applies(constraints, {{2, 3}}));
  CHECK(applies(constraints, {{1, 5}}));
  CHECK(!applies(constraints, {{1, 3}}));
  CHECK(applies(constraints, {{1, 5}, {{{2, 4}}}}));
  CHECK(!applies(constraints, {{1, 5}, {{{4, 5}}}}));
}

TEST_CASE("walls of a zone hold inside of it") {
  const auto constraints = made(
      {{Kind::kZone, 1, 4, {}, {}}, {Kind::kWall, 2, 2, {}, {}}, {Kind::kWall, 0, 0, {}, {}}}, {});
  CHECK_EQ(constraints.walls().size(), size_t{1});
  CHECK_EQ(constraints.walls()[0].begin, 1);
  CHECK_EQ(constraints.walls()[0].end, 4);
}

TEST_CASE("the gate opens when all before is covered") {
  const auto constraints = made({{Kind::kZone, 2, 4, {}, {}}, {Kind::kWall, 4, 4, {}, {}}}, {});
  CoverageTable table;
  table.reset(6, 6);
  OrderGate gate;
  gate.enter(constraints, table, table.empty(), 6);
  CHECK(gate.allows(0, 1) && gate.allows(2, 3) && gate.allows(1, 4));
  CHECK(!gate.allows(4, 5));
  gate.enter(constraints, table, table.empty(), 3);
  CHECK(!gate.allows(2, 3));
  gate.enter(constraints, table, table.with(table.empty(), 2, 3), 6);
  CHECK(gate.allows(3, 4) && !gate.allows(0, 1));
  gate.enter(constraints, table, table.with(table.empty(), 0, 4), 6);
  CHECK(gate.allows(4, 6));
}

TEST_CASE("constraints outside of the sentence are refused") {
  const auto refused = [](ConstraintText one, std::vector<std::vector<WordId>> words) {
    try {
      made({one}, words);
    } catch (const std::invalid_argument&) {
      return true;
    }
    return false;
  };
  CHECK(refused({Kind::kExclusive, 5, 7, {"x"}, {0}}, {{1}}));
  CHECK(refused({Kind::kExclusive, -1, 1, {"x"}, {0}}, {{1}}));
  CHECK(refused({Kind::kExclusive, 2, 2, {"x"}, {0}}, {{1}}));
  CHECK(refused({Kind::kWall, 1, 2, {}, {}}, {}));
  CHECK(refused({Kind::kExclusive, 0, 1, {"x"}, {}}, {{1}}));
  CHECK(refused({Kind::kExclusive, 0, 1, {"x"}, {0}}, {std::vector<WordId>(256, 1)}));
  CHECK(refused({Kind::kExclusive, 0, 1, {""}, {0}}, {{}}));
}

}  // namespace
}  // namespace demotic::test
