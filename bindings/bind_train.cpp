#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/vector.h>

#include "arrays.h"
#include "demotic/learn/trainer.h"
#include "demotic/learn/update_bytes.h"
#include "interruptible.h"
#include "options.h"

namespace nb = nanobind;

namespace demotic::python {
using namespace all;
namespace {

using Order = nb::ndarray<const int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Values = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

std::span<const double> span_of(const Values& values) { return {values.data(), values.size()}; }

auto copied(std::span<const double> values) {
  return own_array(std::vector<double>(values.begin(), values.end()));
}

void check_sentence(const SourceSentences& source, int64_t sentence) {
  if (sentence < 0 || sentence >= static_cast<int64_t>(source.size()))
    throw std::out_of_range("no such sentence");
}

using RuleFunction = nb::typed<nb::callable, int32_t(nb::object, nb::object, nb::object, int32_t)>;

// choose(gold, bad, holds_gold, window) -> bin; native threads call it with the GIL. The last owner
// of the function is an options object in Python, so it is released with the GIL held.
std::shared_ptr<const CustomRule> custom_rule(RuleFunction choose) {
  return std::make_shared<const CustomRule>(
      [choose = std::move(choose)](std::span<const BinPair> bins, int32_t window) {
        const nb::gil_scoped_acquire gil;
        std::vector<double> gold, bad;
        std::vector<uint8_t> holds_gold;
        for (const BinPair& bin : bins) {
          gold.push_back(bin.gold);
          bad.push_back(bin.bad);
          holds_gold.push_back(bin.holds_gold ? 1 : 0);
        }
        const nb::object found =
            choose(nb::cast(own_array(std::move(gold))), nb::cast(own_array(std::move(bad))),
                   nb::cast(own_array(std::move(holds_gold))), window);
        int32_t bin = 0;
        if (!nb::try_cast(found, bin))
          throw std::invalid_argument("the update rule did not return an integer");
        return bin;
      });
}

void bind_options(nb::module_& m) {
  nb::enum_<UpdateRule>(m, "UpdateRule", "Which bin of a search is updated on.")
      .value("max_violation", UpdateRule::kMaxViolation)
      .value("early", UpdateRule::kEarly)
      .value("standard", UpdateRule::kStandard)
      .value("skip", UpdateRule::kSkip)
      .value("local", UpdateRule::kLocal);
  bind_struct<ViolationOptions, 1>(
      m, "ViolationOptions", std::pair{"rule", &ViolationOptions::rule},
      std::pair{"by_score", &ViolationOptions::by_score},
      std::pair{"dead_ends_bad", &ViolationOptions::dead_ends_bad},
      std::pair{"depth", &ViolationOptions::depth}, std::pair{"kbest", &ViolationOptions::kbest},
      std::pair{"gain_scale", &ViolationOptions::gain_scale})
      .def(
          "choose_by",
          [](ViolationOptions& self, RuleFunction choose) {
            self.custom_rule = custom_rule(std::move(choose));
          },
          nb::arg("choose"),
          "Sets a function to use instead of `rule`: choose(gold, bad, holds_gold, window) returns "
          "the bin to update on, or -1.");
  bind_struct<TrainerOptions>(
      m, "TrainerOptions", std::pair{"violations", &TrainerOptions::violations},
      std::pair{"batch", &TrainerOptions::batch}, std::pair{"sum", &TrainerOptions::sum},
      std::pair{"rates", &TrainerOptions::rates},
      std::pair{"sparse_rate", &TrainerOptions::sparse_rate},
      std::pair{"threads", &TrainerOptions::threads});
  nb::class_<TrainingCounts>(m, "TrainingCounts", "Counts over the sentences of a run.")
      .def(
          "__init__",
          [](TrainingCounts* self, size_t features) {
            new (self) TrainingCounts{.squares = std::vector<double>(features, 0)};
          },
          nb::arg("features"))
      .def_ro("sentences", &TrainingCounts::sentences)
      .def_ro("updates", &TrainingCounts::updates)
      .def_ro("invalid", &TrainingCounts::invalid)
      .def_ro("correct", &TrainingCounts::correct)
      .def_ro("unpaired", &TrainingCounts::unpaired)
      .def_ro("violation", &TrainingCounts::violation)
      .def_ro("keys", &TrainingCounts::keys)
      .def_ro("squares", &TrainingCounts::squares);
}

nb::dict as_dict(const SentenceViolations& seen) {
  nb::list bins, sparse;
  for (const BinPair& one : seen.bins)
    bins.append(nb::make_tuple(one.gold, one.bad, one.holds_gold));
  for (const KeyDelta& one : seen.update.sparse) sparse.append(nb::make_tuple(one.key, one.delta));
  nb::dict result;
  result["bins"] = bins;
  result["correct"] = seen.update.correct;
  result["bin"] = seen.update.chosen.bin;
  result["violation"] = seen.update.chosen.violation;
  result["valid"] = seen.update.chosen.valid;
  result["updates"] = seen.update.chosen.updates;
  result["dense"] = seen.update.dense;
  result["sparse"] = sparse;
  return result;
}

template <typename Kind>
void bind_trainer(nb::module_& m, const char* name) {
  using Self = Trainer<Kind>;
  nb::class_<Self>(m, name, "A violation-fixing perceptron over minibatches.")
      .def(
          "__init__",
          [](Self* self, const typename Kind::Model& model, std::shared_ptr<SparseTable> table,
             const typename Kind::Limits& search, const TrainerOptions& options,
             const Values& weights) {
            new (self) Self(model, std::move(table), search, options, span_of(weights));
          },
          nb::arg("model"), nb::arg("table").none(), nb::arg("search"), nb::arg("options"),
          nb::arg("weights").noconvert(), nb::keep_alive<1, 2>())
      .def(
          "run",
          [](Self& self, const SourceSentences& source, const GoldForests& gold, const Order& order,
             const ProgressCallback& progress) {
            for (size_t i = 0; i < order.size(); ++i) check_sentence(source, order(i));
            return interruptible(
                [&](const StopFlag& stop, Progress& counter) {
                  return self.run(source, gold, {order.data(), order.size()}, stop, counter);
                },
                progress);
          },
          nb::arg("source"), nb::arg("gold"), nb::arg("order").noconvert(),
          nb::arg("progress").none())
      .def(
          "find",
          [](Self& self, const SourceSentences& source, const GoldForests& gold,
             const Order& batch) {
            for (size_t i = 0; i < batch.size(); ++i) check_sentence(source, batch(i));
            const std::string bytes = interruptible([&](const StopFlag& stop, Progress& counter) {
              const std::span<const int64_t> sentences{batch.data(), batch.size()};
              return to_bytes(self.find(source, gold, sentences, stop, counter));
            });
            return nb::bytes(bytes.data(), bytes.size());
          },
          nb::arg("source"), nb::arg("gold"), nb::arg("batch").noconvert(),
          "The updates of some sentences as bytes; weights do not change.")
      .def(
          "apply",
          [](Self& self, const nb::bytes& updates, TrainingCounts& counts) {
            const std::string_view bytes(static_cast<const char*>(updates.data()), updates.size());
            self.apply(updates_from(bytes, self.weights().size()), counts);
          },
          nb::arg("updates"), nb::arg("counts"),
          "Changes the weights by the updates of a batch, and adds to the counts.")
      .def(
          "inspect",
          [](Self& self, const SourceSentences& source, const GoldForests& gold, int64_t sentence,
             const ProgressCallback& progress) {
            check_sentence(source, sentence);
            return as_dict(
                interruptible([&](const StopFlag& stop,
                                  Progress&) { return self.inspect(source, gold, sentence, stop); },
                              progress));
          },
          nb::arg("source"), nb::arg("gold"), nb::arg("sentence"),
          nb::arg("progress").none() = nb::none(),
          nb::sig("def inspect(self, source: SourceSentences, gold: GoldForests, sentence: int, "
                  "progress: object | None = None) -> dict[str, object]"),
          "The bins of one sentence and the update it would cause; weights do not change.")
      .def_prop_ro(
          "weights", [](const Self& self) { return copied(self.weights()); },
          nb::rv_policy::automatic)
      .def_prop_ro(
          "averaged", [](const Self& self) { return own_array(self.averaged()); },
          nb::rv_policy::automatic)
      .def_prop_ro(
          "sums", [](const Self& self) { return copied(self.sums()); }, nb::rv_policy::automatic)
      .def_prop_ro("steps", &Self::steps)
      .def(
          "restore",
          [](Self& self, const Values& weights, const Values& sums, int64_t steps) {
            self.restore(span_of(weights), span_of(sums), steps);
          },
          nb::arg("weights").noconvert(), nb::arg("sums").noconvert(), nb::arg("steps"));
}

}  // namespace

void bind_train(nb::module_& m) {
  bind_options(m);
  bind_trainer<PhraseTraining>(m, "PhraseTrainer");
  bind_trainer<HieroTraining>(m, "HieroTrainer");
}

}  // namespace demotic::python
