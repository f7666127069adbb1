#include <nanobind/nanobind.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "demotic/base/thread_pool.h"
#include "demotic/learn/feature_groups.h"
#include "demotic/learn/line_search.h"
#include "demotic/learn/margin.h"
#include "demotic/learn/merged_lists.h"
#include "demotic/learn/mert.h"
#include "demotic/learn/pairs.h"
#include "demotic/learn/ramp.h"
#include "demotic/learn/smo.h"
#include "held_form.h"
#include "held_hypergraph.h"
#include "interruptible.h"
#include "options.h"

namespace nb = nanobind;

namespace demotic::python {
using namespace all;
namespace {

template <typename T>
using Matrix = nb::ndarray<const T, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

void require(bool holds, const char* what) {
  if (!holds) throw std::invalid_argument(what);
}

// The lists of a pool over NumPy arrays, which it keeps alive.
class HeldLists {
 public:
  HeldLists(ArrayArgument<int64_t> offsets, const Matrix<float>& dense, Matrix<int32_t> statistics,
            ArrayArgument<int64_t> part_offsets, ArrayArgument<int32_t> parts,
            ArrayArgument<int64_t> feature_offsets, ArrayArgument<int32_t> features,
            ArrayArgument<double> values, int32_t sparse_features,
            ArrayArgument<double> list_weights)
      : offsets_(std::move(offsets)),
        statistics_(std::move(statistics)),
        part_offsets_(std::move(part_offsets)),
        parts_(std::move(parts)),
        feature_offsets_(std::move(feature_offsets)),
        features_(std::move(features)),
        values_(std::move(values)),
        list_weights_(std::move(list_weights)),
        lists_(PoolView{.offsets = span_of(offsets_),
                        .dense = {dense.data(), dense.size()},
                        .statistics = {statistics_.data(), statistics_.size()},
                        .dense_features = static_cast<int32_t>(dense.shape(1)),
                        .statistics_size = static_cast<int32_t>(statistics_.shape(1)),
                        .parts = {span_of(part_offsets_), span_of(parts_)},
                        .part_features = {span_of(feature_offsets_), span_of(features_)},
                        .part_values = span_of(values_),
                        .sparse_features = sparse_features,
                        .list_weights = span_of(list_weights_)}) {}

  const CandidateLists& lists() const { return lists_; }

  std::span<const double> checked(const ArrayArgument<double>& weights) const {
    require(weights.size() == static_cast<size_t>(lists_.features()),
            "expected one weight per feature of the candidates");
    for (const double weight : span_of(weights))
      require(std::isfinite(weight), "a weight is not finite");
    return span_of(weights);
  }

  MetricForm checked(const HeldForm& form) const {
    require(fits(form.form(), lists_.statistics_size()), "the statistics do not fit the metric");
    return form.form();
  }

 private:
  ArrayArgument<int64_t> offsets_;
  Matrix<int32_t> statistics_;
  ArrayArgument<int64_t> part_offsets_;
  ArrayArgument<int32_t> parts_;
  ArrayArgument<int64_t> feature_offsets_;
  ArrayArgument<int32_t> features_;
  ArrayArgument<double> values_, list_weights_;
  CandidateLists lists_;
};

void bind_forms(nb::module_& m) {
  nb::enum_<MetricKind>(m, "MetricKind",
                        "The formulas that compute a score from summed statistics.")
      .value("bleu", MetricKind::bleu)
      .value("ratio", MetricKind::ratio)
      .value("chrf", MetricKind::chrf)
      .value("ter_bleu", MetricKind::ter_bleu);
  nb::class_<HeldForm>(m, "MetricForm", "How a score is computed from summed statistics.")
      .def(
          "__init__",
          [](HeldForm* self, MetricKind kind, double length_scale, double ter_length_scale,
             double beta, double list_length) {
            new (self) HeldForm(MetricForm{.kind = kind,
                                           .length_scale = length_scale,
                                           .ter_length_scale = ter_length_scale,
                                           .beta = beta,
                                           .list_length = list_length});
          },
          nb::arg("kind"), nb::arg("length_scale") = 1.0, nb::arg("ter_length_scale") = 1.0,
          nb::arg("beta") = 2.0, nb::arg("list_length") = 1.0)
      .def_static(
          "of_rows",
          [](nb::typed<nb::callable, nb::object(nb::object)> scores,
             ArrayArgument<double> background, double list_length) {
            return new HeldForm(std::move(scores), span_of(background), list_length);
          },
          nb::arg("scores"), nb::arg("background").noconvert(), nb::arg("list_length"),
          "With a function from a flat array of sums to one score per row, higher is better. "
          "Rows are as long as `background`, the initial statistics of gains in context.");
}

void bind_lists(nb::module_& m) {
  nb::class_<HeldLists>(m, "CandidateLists",
                        "The lists of a pool, in the layout of the native loops.")
      .def(
          nb::init<ArrayArgument<int64_t>, const Matrix<float>&, Matrix<int32_t>,
                   ArrayArgument<int64_t>, ArrayArgument<int32_t>, ArrayArgument<int64_t>,
                   ArrayArgument<int32_t>, ArrayArgument<double>, int32_t, ArrayArgument<double>>(),
          nb::arg("offsets").noconvert(), nb::arg("dense").noconvert(),
          nb::arg("statistics").noconvert(), nb::arg("part_offsets").noconvert(),
          nb::arg("parts").noconvert(), nb::arg("feature_offsets").noconvert(),
          nb::arg("features").noconvert(), nb::arg("values").noconvert(),
          nb::arg("sparse_features"), nb::arg("list_weights").noconvert(),
          "Copies `dense` and keeps references to the other arrays, which must not change. "
          "Sparse features: the parts of each candidate, and features and values of each part; "
          "without values all are 1.")
      .def(
          "best_statistics",
          [](const HeldLists& self, ArrayArgument<double> weights) {
            const auto given = self.checked(weights);
            return own_array(released([&] { return best_statistics(self.lists(), given); }));
          },
          nb::arg("weights").noconvert(),
          "Statistics summed over the best candidates under the weights.")
      .def(
          "mean_spread",
          [](const HeldLists& self, ArrayArgument<double> weights) {
            const auto given = self.checked(weights);
            return released([&] { return mean_spread(self.lists(), given); });
          },
          nb::arg("weights").noconvert(),
          "The mean difference between the highest and the lowest score of a list.")
      .def(
          "line_search",
          [](const HeldLists& self, const HeldForm& held, ArrayArgument<double> weights,
             ArrayArgument<double> direction) {
            const MetricForm form = self.checked(held);
            const auto given = self.checked(weights);
            const CandidateLists& lists = self.lists();
            require(direction.size() == static_cast<size_t>(lists.dense_features()),
                    "expected a direction with one value per dense feature");
            const LinePoint found = interruptible([&](const StopFlag& stop, Progress&) {
              std::vector<double> scores(lists.candidates());
              CandidateLists::PartSums sums;
              for (int64_t list = 0; list < lists.size(); ++list)
                lists.score(list, given, scores.data() + lists.first(list), sums);
              return LineSearch(lists, form).along(scores, span_of(direction), stop);
            });
            return std::make_tuple(found.step, found.score);
          },
          nb::arg("form"), nb::arg("weights").noconvert(), nb::arg("direction").noconvert(),
          "The best step along the direction, and the score there.");
}

void bind_groups(nb::module_& m) {
  m.def(
      "group_features",
      [](ArrayArgument<int64_t> offsets, ArrayArgument<int32_t> ids, ArrayArgument<double> values,
         int32_t features) {
        const CsrView<int32_t> rows{span_of(offsets), span_of(ids)};
        require(well_formed(rows) && (values.size() == 0 || values.size() == ids.size()),
                "inconsistent offsets, ids and values of features");
        for (const int32_t id : rows.values)
          require(id >= 0 && id < features, "a sparse feature id is out of range");
        FeatureGroups groups =
            released([&] { return group_features(rows, span_of(values), features); });
        return std::make_tuple(
            own_array(std::move(groups.group_of)), own_array(std::move(groups.sizes)),
            own_array(std::move(groups.part_groups.offsets)),
            own_array(std::move(groups.part_groups.values)), own_array(std::move(groups.values)));
      },
      nb::arg("offsets").noconvert(), nb::arg("ids").noconvert(), nb::arg("values").noconvert(),
      nb::arg("features"),
      "The group of each feature (-1: none), the size of each group, and offsets, groups and "
      "values of each part; see learn/feature_groups.h.");
}

void bind_merging(nb::module_& m) {
  m.def(
      "merge_lists",
      [](ArrayArgument<int64_t> offsets, ArrayArgument<int64_t> places, int64_t lists,
         ArrayArgument<uint64_t> hashes, int64_t limit) {
        const std::span<const int64_t> ends = span_of(offsets), at = span_of(places);
        require(ends.size() == at.size() + 1 && ends.front() == 0 && std::ranges::is_sorted(ends) &&
                    ends.back() == static_cast<int64_t>(hashes.size()),
                "inconsistent offsets, places and hashes of lists");
        for (const int64_t place : at)
          require(place >= 0 && place < lists, "the place of a list is out of range");
        MergedLists merged =
            released([&] { return merge_lists(ends, at, lists, span_of(hashes), limit); });
        return std::make_tuple(own_array(std::move(merged.kept)),
                               own_array(std::move(merged.counts)));
      },
      nb::arg("offsets").noconvert(), nb::arg("places").noconvert(), nb::arg("lists"),
      nb::arg("hashes").noconvert(), nb::arg("limit"),
      "The candidates that remain, and their number per list; see learn/merged_lists.h.");
  m.def(
      "hash_rows",
      [](const Matrix<float>& values) {
        const auto width = static_cast<int32_t>(values.shape(1));
        return own_array(width == 0 ? std::vector<uint64_t>(values.shape(0)) : released([&] {
          return hash_rows({values.data(), values.size()}, width);
        }));
      },
      nb::arg("values").noconvert(), "A hash of every row; 0 and -0 are the same.");
}

void bind_mert(nb::module_& m) {
  bind_struct<MertOptions>(
      m, "MertOptions", std::pair{"restarts", &MertOptions::restarts},
      std::pair{"random_directions", &MertOptions::random_directions},
      std::pair{"passes", &MertOptions::passes}, std::pair{"tolerance", &MertOptions::tolerance},
      std::pair{"seed", &MertOptions::seed}, std::pair{"round", &MertOptions::round});
  m.def(
      "mert",
      [](const HeldLists& lists, const HeldForm& held, ArrayArgument<double> weights,
         const MertOptions& options, int threads) {
        const MetricForm form = lists.checked(held);
        const auto given = lists.checked(weights);
        MertResult result = interruptible([&](const StopFlag& stop, Progress&) {
          ThreadPool pool(threads);
          return mert(lists.lists(), form, given, options, pool, stop);
        });
        return std::make_tuple(own_array(std::move(result.weights)),
                               own_array(std::move(result.scores)), result.searches);
      },
      nb::arg("lists"), nb::arg("form"), nb::arg("weights").noconvert(), nb::arg("options"),
      nb::arg("threads"), "Weights, the score of every start, and the number of line searches.");
}

void bind_margin(nb::module_& m) {
  nb::enum_<GainScale>(m, "GainScale", "How a gain in context is scaled.")
      .value("corpus", GainScale::corpus)
      .value("sentence", GainScale::sentence)
      .value("length", GainScale::length);
  nb::enum_<MarginScheme>(m, "MarginScheme", "How the shards combine.")
      .value("mixing", MarginScheme::mixing)
      .value("independent", MarginScheme::independent)
      .value("minibatch", MarginScheme::minibatch)
      .value("shared", MarginScheme::shared);
  bind_struct<MarginOptions>(
      m, "MarginOptions", std::pair{"step", &MarginOptions::step},
      std::pair{"bound_step", &MarginOptions::bound_step},
      std::pair{"bound", &MarginOptions::bound},
      std::pair{"cutting_plane", &MarginOptions::cutting_plane},
      std::pair{"tolerance", &MarginOptions::tolerance}, std::pair{"steps", &MarginOptions::steps},
      std::pair{"decay", &MarginOptions::decay},
      std::pair{"gain_scale", &MarginOptions::gain_scale},
      std::pair{"hope_background", &MarginOptions::hope_background},
      std::pair{"running_average", &MarginOptions::running_average},
      std::pair{"keep_best", &MarginOptions::keep_best},
      std::pair{"sweeps", &MarginOptions::sweeps}, std::pair{"shards", &MarginOptions::shards},
      std::pair{"scheme", &MarginOptions::scheme}, std::pair{"seed", &MarginOptions::seed});
  nb::class_<MarginSweep>(m, "MarginSweep", "Figures of one sweep over the lists.")
      .def_ro("score", &MarginSweep::score)
      .def_ro("spread_mean", &MarginSweep::spread_mean)
      .def_ro("spread_deviation", &MarginSweep::spread_deviation)
      .def_ro("updates", &MarginSweep::updates);
  m.def(
      "learn_margins",
      [](const HeldLists& lists, const HeldForm& held, ArrayArgument<double> weights,
         const MarginOptions& options, int threads) {
        const MetricForm form = lists.checked(held);
        const auto given = lists.checked(weights);
        MarginResult result = interruptible([&](const StopFlag& stop, Progress&) {
          ThreadPool pool(threads);
          return learn_margins(lists.lists(), form, given, options, pool, stop);
        });
        return std::make_tuple(own_array(std::move(result.weights)), std::move(result.sweeps),
                               result.kept, result.overflowed);
      },
      nb::arg("lists"), nb::arg("form"), nb::arg("weights").noconvert(), nb::arg("options"),
      nb::arg("threads"), "Weights, the sweeps, the one kept, and whether weights overflowed.");
}

void bind_solvers(nb::module_& m) {
  m.def(
      "smo",
      [](Matrix<double> products, ArrayArgument<double> linear, ArrayArgument<int32_t> blocks,
         ArrayArgument<double> start, double tolerance, int32_t steps) {
        const size_t size = linear.size();
        require(products.shape(0) == size && products.shape(1) == size && blocks.size() == size &&
                    start.size() == size,
                "expected one row and one column of products per element");
        int32_t count = 0;
        for (const int32_t block : span_of(blocks)) {
          require(block >= 0 && block < static_cast<int32_t>(size),
                  "a block number is out of range");
          count = std::max(count, block + 1);
        }
        std::vector<double> mass(start.data(), start.data() + size);
        const int32_t taken =
            smo({{products.data(), products.size()}, span_of(linear), span_of(blocks), count},
                tolerance, steps, mass);
        return std::make_tuple(own_array(std::move(mass)), taken);
      },
      nb::arg("products").noconvert(), nb::arg("linear").noconvert(), nb::arg("blocks").noconvert(),
      nb::arg("start").noconvert(), nb::arg("tolerance"), nb::arg("steps"),
      "The solution of the dual, and the number of steps; see learn/smo.h.");
  bind_struct<RampOptions>(m, "RampOptions", std::pair{"rounds", &RampOptions::rounds},
                           std::pair{"passes", &RampOptions::passes},
                           std::pair{"scale", &RampOptions::scale},
                           std::pair{"rate", &RampOptions::rate},
                           std::pair{"regularization", &RampOptions::regularization});
  m.def(
      "learn_ramp",
      [](const HeldLists& lists, ArrayArgument<double> gains, ArrayArgument<double> weights,
         const RampOptions& options) {
        const auto given = lists.checked(weights);
        require(gains.size() == static_cast<size_t>(lists.lists().candidates()),
                "expected one gain per candidate");
        return own_array(interruptible([&](const StopFlag& stop, Progress&) {
          return learn_ramp(lists.lists(), span_of(gains), given, options, stop);
        }));
      },
      nb::arg("lists"), nb::arg("gains").noconvert(), nb::arg("weights").noconvert(),
      nb::arg("options"));
}

void bind_pairs(nb::module_& m) {
  bind_struct<PairOptions>(
      m, "PairOptions", std::pair{"draws", &PairOptions::draws},
      std::pair{"kept", &PairOptions::kept}, std::pair{"threshold", &PairOptions::threshold},
      std::pair{"seed", &PairOptions::seed}, std::pair{"round", &PairOptions::round});
  m.def(
      "sample_pairs",
      [](ArrayArgument<int64_t> offsets, ArrayArgument<double> gains, const PairOptions& options,
         int threads) {
        require(well_formed(CsrView<double>{span_of(offsets), span_of(gains)}),
                "the offsets do not fit the gains");
        CandidatePairs pairs = interruptible([&](const StopFlag& stop, Progress&) {
          ThreadPool pool(threads);
          return sample_pairs(span_of(offsets), span_of(gains), options, pool, stop);
        });
        return std::make_tuple(own_array(std::move(pairs.better)),
                               own_array(std::move(pairs.worse)));
      },
      nb::arg("offsets").noconvert(), nb::arg("gains").noconvert(), nb::arg("options"),
      nb::arg("threads"), "The better and the worse candidate of each pair.");
}

}  // namespace

void bind_learn(nb::module_& m) {
  bind_forms(m);
  bind_lists(m);
  bind_groups(m);
  bind_merging(m);
  bind_mert(m);
  bind_margin(m);
  bind_solvers(m);
  bind_pairs(m);
}

}  // namespace demotic::python
