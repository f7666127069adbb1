// Target sides are decoded as they were encoded, and a rule store is refused whenever its arrays
// are inconsistent, even with valid checksums.
#include "demotic/rules/rule_store.h"

#include <functional>
#include <vector>

#include "demotic/base/container.h"
#include "demotic/base/errors.h"
#include "demotic/base/rng.h"
#include "demotic/rules/rule_store_writer.h"
#include "scratch.h"
#include "test.h"

namespace test = demotic::test;
using namespace demotic::all;

namespace {

using Bytes = std::vector<uint8_t>;

const std::vector<WordId> kTargetWords = {300, 7, 8, 9};

// Five rules: of "5" (two), "5 6 5", "7 X" and "X 5"; "5 6" has none.
void write_small(const std::string& path) {
  RuleStoreWriter writer(path, {"one", "two"}, {"X", "S"}, kTargetWords);
  const uint32_t plain = writer.add_target(std::vector<Symbol>{300, 7}, 2);
  const uint32_t gap = writer.add_target(std::vector<Symbol>{8, gap_symbol(0)}, 0.5f);
  const std::vector<RuleLink> links = {{0, 0}}, more = {{0, 0}, {1, 1}};
  const auto add = [&](uint32_t target, std::span<const RuleLink> list, float score) {
    const std::vector<float> scores = {score, -score};
    writer.add_rule({target, list, 1, 42, kLabelX, scores});
  };
  writer.begin_source(std::vector<Symbol>{gap_symbol(kLabelX), 5}, 1);
  add(gap, more, -1);
  writer.begin_source(std::vector<Symbol>{5}, 3);
  add(plain, links, -2);
  add(gap, links, -3);
  writer.begin_source(std::vector<Symbol>{5, 6, 5}, 1);
  add(plain, more, -4);
  writer.begin_source(std::vector<Symbol>{7, gap_symbol(kLabelX)}, 1);
  add(plain, links, -5);
  writer.commit();
}

Bytes section_bytes(const std::string& file, const ContainerSection& section) {
  return {file.begin() + static_cast<ptrdiff_t>(section.offset),
          file.begin() + static_cast<ptrdiff_t>(section.offset + section.size)};
}

// A copy with valid checksums in which `change` was applied to the bytes of one section.
void forge(const std::string& from, const std::string& to, std::string_view name,
           const std::function<void(Bytes&)>& change) {
  const Container original(from, "rules", 2);
  const std::string file = test::read_file(from);
  ContainerWriter writer(to, "rules", 2);
  for (const ContainerSection& section : original.sections()) {
    Bytes bytes = section_bytes(file, section);
    if (section.label() == name) change(bytes);
    writer.begin_section(section.label(), section.element_size);
    writer.append(std::span<const uint8_t>(bytes));
  }
  writer.commit();
}

// Visits everything that a decoder or an export reads; the sanitizers check the accesses.
uint64_t visit_all(const RuleStore& store) {
  uint64_t sum = 0;
  std::vector<Symbol> target;
  for (TrieNode node = 0; node < store.nodes(); ++node) {
    const RuleRange range = store.rules(node);
    for (const StoredNode& child : store.children(node)) sum += store.child(node, child.symbol);
    for (RuleId rule = range.begin; rule < range.end; ++rule) {
      store.target(rule, target);
      for (const RuleLink link : store.links(rule)) sum += target.at(link.target);
      for (const float score : store.scores(rule)) sum += score > 0;
      sum += store.occurrences(rule) + store.only_sentence(rule) + store.lhs(rule);
      sum += store.target_count(rule) > 1;
    }
    sum += store.source_count(node) > 1;
  }
  std::vector<RuleMatch> matches;
  store.match(std::vector<WordId>{5, 6, 5, 7, 0, 1 << 30}, matches);
  return sum + matches.size();
}

bool refused(const std::string& path) {
  try {
    visit_all(RuleStore::open(path, true, StopFlag()));
  } catch (const FormatError&) {
    return true;
  }
  return false;
}

}  // namespace

TEST_CASE("target sides are decoded as encoded") {
  std::vector<WordId> words;
  for (WordId word = 0; word < 20000; ++word) words.push_back(19999 - word);
  const TargetEncoder encoder(words);
  Rng rng(5);
  for (const size_t size :
       {size_t{0}, size_t{1}, size_t{14}, size_t{15}, size_t{16}, size_t{255}}) {
    for (const float count : {0.0f, 1.0f, 14.0f, 15.0f, 0.25f, 1e7f, 3e9f, 1e30f}) {
      std::vector<Symbol> symbols;
      for (size_t i = 0; i < size; ++i)
        symbols.push_back(static_cast<Symbol>(rng.below(20002)) - kMaxGaps);
      Bytes bytes = {99};
      encoder.append(symbols, count, bytes);
      const uint8_t* begin = bytes.data() + 1;
      const uint8_t* end = bytes.data() + bytes.size();
      const TargetSide side(begin, words.data());
      std::vector<Symbol> copy = {1, 2, 3}, walked;
      side.copy(copy);
      for (const Symbol symbol : side) walked.push_back(symbol);
      CHECK(copy == symbols);
      CHECK(walked == symbols);
      CHECK_EQ(side.size(), size);
      CHECK_EQ(side.count(), count);
      CHECK(checked_target(begin, end, words.size()) == end);
      for (const uint8_t* cut = begin; cut != end; ++cut)
        CHECK(checked_target(begin, cut, words.size()) == nullptr);
    }
  }
}

TEST_CASE("target sides that cannot be encoded are refused") {
  const TargetEncoder encoder(kTargetWords);
  Bytes out;
  CHECK_THROWS_AS(encoder.append(std::vector<Symbol>{10}, 1, out), std::invalid_argument);
  CHECK_THROWS_AS(encoder.append(std::vector<Symbol>{1 << 30}, 1, out), std::invalid_argument);
  CHECK_THROWS_AS(encoder.append(std::vector<Symbol>{gap_symbol(2)}, 1, out),
                  std::invalid_argument);
  CHECK_THROWS_AS(encoder.append(std::vector<Symbol>(256, 7), 1, out), std::invalid_argument);
  CHECK_THROWS_AS(encoder.append(std::vector<Symbol>{7}, -1, out), std::invalid_argument);
  CHECK_THROWS_AS(encoder.append(std::vector<Symbol>{7}, 1 / 0.0f, out), std::invalid_argument);
  CHECK_THROWS_AS(TargetEncoder(std::vector<WordId>{3, 3}), std::invalid_argument);
}

TEST_CASE("malformed target sides are detected") {
  const auto sound = [](const Bytes& bytes) {
    return checked_target(bytes.data(), bytes.data() + bytes.size(), 4) ==
           bytes.data() + bytes.size();
  };
  CHECK(sound({0x11, 5}));                                 // one symbol, the last word
  CHECK(!sound({0x11, 6}));                                // a word past the list
  CHECK(!sound({0x11, 0x85}));                             // an incomplete number
  CHECK(!sound({0x11, 0x80, 0x80, 0x80, 0x80, 0x80, 0}));  // a number with too many bytes
  CHECK(!sound({0x1f}));                                   // no size
  CHECK(!sound({0xf0}));                                   // no count
  CHECK(!sound({0xf0, 0x81, 0x80, 0x80, 0xfc, 0x0f}));     // an infinite count
  CHECK(!sound({0xf0, 0x81, 0x80, 0x80, 0xfc, 0x1b}));     // a negative one
  CHECK(!sound({0xf0, 0xff, 0xff, 0xff, 0xff, 0x7f}));     // too large a number
}

TEST_CASE("words are sorted by descending frequency") {
  const std::vector<Symbol> text = {4, 9, gap_symbol(0), 4, 2, 9, 4, 7};
  CHECK(frequent_first(text) == (std::vector<WordId>{4, 9, 2, 7}));
}

TEST_CASE("a rule store returns what was written") {
  const test::Scratch folder;
  const std::string path = folder / "rules";
  write_small(path);
  const RuleStore store = RuleStore::open(path, true, StopFlag());
  CHECK_EQ(store.size(), RuleId{5});
  const TrieNode five = store.child(kTrieRoot, 5), six = store.child(five, 6);
  CHECK_EQ(store.rules(five).begin, RuleId{1});
  CHECK_EQ(store.rules(five).size(), 2u);
  CHECK_EQ(store.rules(six).size(), 0u);
  CHECK_EQ(store.rules(store.child(six, 5)).begin, RuleId{3});
  CHECK_EQ(store.source_count(five), 3.0f);
  CHECK_EQ(store.source_count(six), 0.0f);
  CHECK_EQ(store.rules(kTrieRoot).size(), 0u);
  CHECK_EQ(store.target_count(0), 0.5f);
  CHECK_EQ(store.links(3).size(), size_t{2});
  CHECK_EQ(store.scores(2)[1], 3.0f);
  std::vector<Symbol> target;
  store.target(1, target);
  CHECK(target == (std::vector<Symbol>{300, 7}));
  RuleStoreWriter empty(folder / "empty", {}, {"X"}, {});
  empty.commit();
  const RuleStore none = RuleStore::open(folder / "empty", true, StopFlag());
  CHECK_EQ(none.size(), RuleId{0});
  CHECK_EQ(visit_all(none), uint64_t{0});
}

TEST_CASE("a source side without rules is refused") {
  const test::Scratch folder;
  RuleStoreWriter writer(folder / "rules", {}, {"X"}, kTargetWords);
  writer.begin_source(std::vector<Symbol>{5}, 1);
  CHECK_THROWS_AS(writer.begin_source(std::vector<Symbol>{6}, 1), std::invalid_argument);
}

TEST_CASE("the first version of rule stores is refused by name") {
  const test::Scratch folder;
  ContainerWriter(folder / "rules", "rules", 1).commit();
  try {
    RuleStore::open(folder / "rules", true, StopFlag());
    CHECK(false);
  } catch (const ModelError& error) {
    CHECK_EQ(error.fault().found, "'rules' version 1");
    CHECK_EQ(error.fault().expected, "version 2");
    CHECK(!error.fault().advice.empty());
  }
}

TEST_CASE("inconsistent arrays are refused") {
  const test::Scratch folder;
  const std::string good = folder / "good", forged = folder / "forged";
  write_small(good);
  CHECK(!refused(good));
  const auto set = [](size_t at, uint32_t value) {
    return [=](Bytes& bytes) {
      for (int i = 0; i < 4; ++i) bytes.at(4 * at + i) = static_cast<uint8_t>(value >> 8 * i);
    };
  };
  const auto refuses = [&](const char* section, const std::function<void(Bytes&)>& change) {
    forge(good, forged, section, change);
    return refused(forged);
  };
  constexpr uint32_t kLast = RuleStore::kLastOfNode;
  CHECK(refuses("rules", set(0, 1)));            // a target inside another
  CHECK(refuses("rules", set(0, 1u << 31)));     // a target past the end
  CHECK(refuses("rules", set(1, kLast | 1)));    // an alignment inside another
  CHECK(refuses("rules", set(1, kLast | 900)));  // an alignment past the end
  CHECK(refuses("rules", set(2, 1u << 31)));     // minus 2^31 occurrences
  CHECK(refuses("rules", set(16, 0)));           // a last rule that is not marked
  CHECK(refuses("rules", set(21, 0)));           // the very last one
  CHECK(refuses("rules", [](Bytes& b) { b.erase(b.end() - 4, b.end()); }));
  CHECK(refuses("nodes", set(1, 2)));           // the root's children
  CHECK(refuses("nodes", set(3 * 2 + 2, 4)));   // rules of a node after its children's
  CHECK(refuses("nodes", set(3 * 2, 7)));       // children that are not sorted
  CHECK(refuses("nodes", set(3 * 4 + 1, 99)));  // children past the end
  CHECK(refuses("nodes", [](Bytes& b) { b.erase(b.end() - 12, b.end()); }));
  CHECK(refuses("first_words", set(5, 1)));   // another word's node
  CHECK(refuses("first_words", set(5, 0)));   // a node that cannot be found
  CHECK(refuses("first_words", set(5, 77)));  // a node past the end
  CHECK(refuses("targets", [](Bytes& b) { b[0] = 0x21; }));
  CHECK(refuses("targets", [](Bytes& b) { b.pop_back(); }));
  CHECK(refuses("target_words", [](Bytes& b) { b.erase(b.end() - 8, b.end()); }));
  CHECK(refuses("target_words", set(0, UINT32_MAX)));
  CHECK(refuses("links", [](Bytes& b) { b[0] = 9; }));  // a list past the end
  CHECK(refuses("links", [](Bytes& b) { b[2] = 3; }));  // a link past the source side
  CHECK(refuses("links", [](Bytes& b) { b[3] = 2; }));  // a link past the target side
  CHECK(refuses("lhs", [](Bytes& b) { b.assign(2, 0); }));
  CHECK(refuses("lhs", [](Bytes& b) { b.assign(10, 2); }));
  CHECK(refuses("counts", [](Bytes& b) { b.assign(4, 0); }));
  CHECK(refuses("source_counts", [](Bytes& b) { b.assign(4, 0); }));
  CHECK(refuses("labels", [](Bytes& b) { b.clear(); }));
  CHECK(refuses("score_names", [](Bytes& b) { b.push_back('\n'); }));
}

TEST_CASE("nothing outside a rule store is read, whatever its bytes") {
  const test::Scratch folder;
  const std::string good = folder / "good", forged = folder / "forged";
  write_small(good);
  Rng rng(11);
  int refusals = 0;
  const std::vector<const char*> sections = {"rules", "nodes",        "first_words",  "targets",
                                             "links", "target_words", "source_counts"};
  for (int round = 0; round < 400; ++round) {
    forge(good, forged, sections[round % sections.size()], [&](Bytes& bytes) {
      for (int i = rng.below(2) ? 1 : 3; i > 0 && !bytes.empty(); --i)
        bytes[rng.below(bytes.size())] = static_cast<uint8_t>(rng.below(2) ? rng.below(256) : 255);
    });
    refusals += refused(forged);
  }
  CHECK(refusals > 130);
  CHECK(refusals < 400);  // the others are valid but different, such as another word
}
