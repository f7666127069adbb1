#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "arrays.h"
#include "demotic/align/aligner.h"
#include "demotic/align/sparse_prior.h"
#include "interruptible.h"
#include "options.h"

namespace nb = nanobind;

namespace demotic::python {
using namespace all;
namespace {

using LinkArray = nb::ndarray<nb::numpy, const int32_t, nb::shape<-1, 2>>;
using ProbabilityArray = nb::ndarray<nb::numpy, const float, nb::shape<-1, 2>>;
using FloatMatrix = nb::ndarray<nb::numpy, float, nb::ndim<2>>;
using LinkLists = std::vector<std::vector<std::pair<int32_t, int32_t>>>;

Alignments from_lists(const LinkLists& lists) {
  Alignments result;
  for (const auto& row : lists) {
    std::vector<Link> links;
    for (const auto& [source, target] : row) {
      if (source < 0 || target < 0) throw std::invalid_argument("positions must be at least 0");
      links.push_back({source, target});
    }
    std::sort(links.begin(), links.end());
    links.erase(std::unique(links.begin(), links.end()), links.end());
    result.values.insert(result.values.end(), links.begin(), links.end());
    result.end_row();
  }
  return result;
}

nb::typed<nb::list, nb::typed<nb::tuple, int, int>> row_of(const Alignments& self, int64_t index) {
  const auto size = static_cast<int64_t>(self.size());
  if (index < 0) index += size;
  if (index < 0 || index >= size) throw std::out_of_range("no such sentence pair");
  nb::typed<nb::list, nb::typed<nb::tuple, int, int>> result;
  for (const Link link : self[index]) result.append(nb::make_tuple(link.source, link.target));
  return result;
}

void bind_alignments(nb::module_& m) {
  nb::class_<Alignments>(m, "Alignments",
                         "Links (source, target) of sentence pairs in flat arrays; immutable.")
      .def_static("from_lists", &from_lists, nb::arg("lists"))
      .def_static("parse", &parse_links, nb::arg("lines"), nb::arg("name"),
                  "From lines like '0-0 1-2'.")
      .def_static(
          "from_arrays",
          [](const ArrayArgument<int64_t>& offsets,
             const nb::ndarray<const int32_t, nb::shape<-1, 2>, nb::c_contig, nb::device::cpu>&
                 links) {
            Alignments result;
            const auto* first = reinterpret_cast<const Link*>(links.data());
            result.values.assign(first, first + links.shape(0));
            const auto rows = span_of(offsets);
            result.offsets.assign(rows.begin(), rows.end());
            if (!well_formed(result.view())) throw std::invalid_argument("offsets do not fit");
            return result;
          },
          nb::arg("offsets").noconvert(), nb::arg("links").noconvert(), "Copies the arrays.")
      .def("format", &format_links, "Lines like '0-0 1-2'.")
      .def("__len__", &Alignments::size)
      .def("__getitem__", &row_of, nb::arg("index"))
      .def(
          "__eq__",
          [](const Alignments& self, const Alignments& other) {
            return self.offsets == other.offsets && self.values == other.values;
          },
          nb::arg("other"), nb::sig("def __eq__(self, other: object, /) -> bool"))
      .def("__repr__",
           [](const Alignments& self) {
             return "Alignments(" + std::to_string(self.size()) + " pairs, " +
                    std::to_string(self.values.size()) + " links)";
           })
      .def_prop_ro(
          "offsets",
          [](nb::handle self) {
            return view_array<int64_t>(nb::cast<const Alignments&>(self).offsets, self);
          },
          "Offset of the links of each pair, plus one at the end.")
      .def_prop_ro(
          "links",
          [](nb::handle self) {
            const auto& values = nb::cast<const Alignments&>(self).values;
            return LinkArray(values.data(), {values.size(), 2}, self);
          },
          "All links, one row each.");
  static_assert(sizeof(Link) == 2 * sizeof(int32_t));
}

void bind_options(nb::module_& m) {
  nb::enum_<AlignmentModel>(m, "AlignmentModel")
      .value("ibm1", AlignmentModel::kIbm1)
      .value("diagonal", AlignmentModel::kDiagonal)
      .value("hmm", AlignmentModel::kHmm);
  nb::enum_<Symmetrization>(m, "Symmetrization")
      .value("forward", Symmetrization::kForward)
      .value("backward", Symmetrization::kBackward)
      .value("intersection", Symmetrization::kIntersection)
      .value("union", Symmetrization::kUnion)
      .value("gd", Symmetrization::kGrowDiag)
      .value("gdf", Symmetrization::kGrowDiagFinal)
      .value("gdfa", Symmetrization::kGrowDiagFinalAnd);
  bind_struct<TrainOptions>(
      m, "TrainOptions", std::pair{"model", &TrainOptions::model},
      std::pair{"initial_model", &TrainOptions::initial_model},
      std::pair{"iterations", &TrainOptions::iterations},
      std::pair{"initial_iterations", &TrainOptions::initial_iterations},
      std::pair{"null_probability", &TrainOptions::null_probability},
      std::pair{"alpha", &TrainOptions::alpha}, std::pair{"agree", &TrainOptions::agree},
      std::pair{"l0", &TrainOptions::l0}, std::pair{"l0_alpha", &TrainOptions::l0_alpha},
      std::pair{"l0_beta", &TrainOptions::l0_beta}, std::pair{"tension", &TrainOptions::tension},
      std::pair{"optimize_tension", &TrainOptions::optimize_tension},
      std::pair{"max_jump", &TrainOptions::max_jump},
      std::pair{"jump_uniform", &TrainOptions::jump_uniform},
      std::pair{"max_length", &TrainOptions::max_length},
      std::pair{"max_cells", &TrainOptions::max_cells}, std::pair{"memory", &TrainOptions::memory});
}

AlignmentPriors make_priors(const std::vector<std::tuple<WordId, WordId, double>>& pairs,
                            std::vector<double> forward_jumps, std::vector<double> backward_jumps) {
  AlignmentPriors result{{}, {std::move(forward_jumps), std::move(backward_jumps)}};
  for (const auto& [source, target, count] : pairs) result.pairs.push_back({source, target, count});
  return result;
}

void bind_priors(nb::module_& m) {
  nb::class_<AlignmentPriors>(m, "AlignmentPriors", "Pseudo-counts that training starts from.")
      .def(nb::init<>())
      .def_static("of", &make_priors, nb::arg("pairs"), nb::arg("forward_jumps"),
                  nb::arg("backward_jumps"));
}

FloatMatrix matrix(std::vector<float>&& values, size_t rows, size_t columns) {
  auto* held = new std::vector<float>(std::move(values));
  nb::capsule owner(held, [](void* p) noexcept { delete static_cast<std::vector<float>*>(p); });
  return {held->data(), {rows, columns}, owner};
}

std::span<const WordId> sentence(const Corpus& corpus, int64_t index) {
  if (index < 0 || index >= corpus.size()) throw std::out_of_range("no such sentence");
  return corpus[index];
}

void bind_aligner(nb::module_& m) {
  nb::class_<Aligner>(m, "NativeAligner", "A trained word aligner; immutable.")
      .def_ro("model", &Aligner::model)
      .def_ro("used", &Aligner::used)
      .def_ro("empty", &Aligner::empty)
      .def_ro("too_long", &Aligner::too_long)
      .def_ro("max_length", &Aligner::max_length)
      .def_ro("null_probability", &Aligner::null_probability)
      .def_prop_ro("tension",
                   [](const Aligner& self) {
                     return std::vector<double>(self.tension.begin(), self.tension.end());
                   })
      .def_prop_ro("pairs", [](const Aligner& self) { return self.table.size(); })
      .def_prop_ro("log_likelihoods",
                   [](const Aligner& self) {
                     std::vector<std::pair<double, double>> result;
                     for (const PassReport& pass : self.passes)
                       result.emplace_back(pass.log_likelihood[0], pass.log_likelihood[1]);
                     return result;
                   })
      .def(
          "jumps",
          [](const Aligner& self, bool backward) { return self.jumps[backward ? 1 : 0].weights(); },
          nb::arg("backward"),
          "Weights of jump widths, from the widest backward to the widest forward.")
      .def(
          "translation",
          [](const Aligner& self, WordId source, WordId target) {
            PairIndex cell;
            PairFinder(self.table).find({&source, 1}, {&target, 1}, &cell);
            const BothWays pair = self.lexicon.pairs[cell];
            return std::pair(pair.forward, pair.backward);
          },
          nb::arg("source"), nb::arg("target"), "p(target | source) and p(source | target).")
      .def_prop_ro(
          "row_offsets",
          [](nb::handle self) {
            return view_array<int64_t>(nb::cast<const Aligner&>(self).table.rows.offsets, self);
          },
          "Offset of each source word's pairs, plus one at the end.")
      .def_prop_ro(
          "row_targets",
          [](nb::handle self) {
            return view_array<WordId>(nb::cast<const Aligner&>(self).table.rows.values, self);
          },
          "The target word of each pair.")
      .def_prop_ro(
          "probabilities",
          [](nb::handle self) {
            const auto& lexicon = nb::cast<const Aligner&>(self).lexicon;
            static_assert(sizeof(BothWays) == 2 * sizeof(float));
            return ProbabilityArray(&lexicon.pairs.front().forward, {lexicon.pairs.size() - 1, 2},
                                    self);
          },
          "p(target | source) and p(source | target) of each pair.")
      .def_prop_ro("forward_null",
                   [](nb::handle self) {
                     return view_array<float>(nb::cast<const Aligner&>(self).lexicon.forward_null,
                                              self);
                   })
      .def_prop_ro("backward_null",
                   [](nb::handle self) {
                     return view_array<float>(nb::cast<const Aligner&>(self).lexicon.backward_null,
                                              self);
                   })
      .def(
          "align",
          [](const Aligner& self, const Corpus& source, const Corpus& target, Symmetrization kind,
             double threshold, int threads, const ProgressCallback& progress) {
            AlignResult result = interruptible(
                [&](const StopFlag& stop, Progress& count) {
                  return align_corpus(self, source, target, {kind, threshold}, threads, stop,
                                      count);
                },
                progress);
            return std::pair(std::move(result.links), result.cut);
          },
          nb::arg("source"), nb::arg("target"), nb::arg("symmetrization"), nb::arg("threshold"),
          nb::arg("threads"), nb::arg("progress").none())
      .def(
          "posteriors",
          [](const Aligner& self, const Corpus& source, const Corpus& target, int64_t index) {
            const auto s = sentence(source, index), t = sentence(target, index);
            LinkPosteriors found = link_posteriors(self, s, t);
            return nb::make_tuple(matrix(std::move(found.forward), s.size(), t.size()),
                                  matrix(std::move(found.backward), s.size(), t.size()),
                                  found.log_likelihood[0], found.log_likelihood[1]);
          },
          nb::arg("source"), nb::arg("target"), nb::arg("index"),
          nb::sig("def posteriors(self, source: Corpus, target: Corpus, index: int) -> "
                  "tuple[NDArray[numpy.float32], NDArray[numpy.float32], float, float]"),
          "p(link) and log-likelihood of one pair, forward and backward.");

  nb::class_<AlignerFile>(m, "AlignerFile", "An aligner with its vocabulary.")
      .def(nb::init<Aligner, Vocabulary>(), nb::arg("aligner"), nb::arg("vocabulary"))
      .def_static(
          "open",
          [](const std::string& path, bool verify) {
            return interruptible([&](const StopFlag& stop, Progress&) {
              return AlignerFile::open(path, verify, stop);
            });
          },
          nb::arg("path"), nb::arg("verify"))
      .def("save", &AlignerFile::save, nb::arg("path"), nb::call_guard<nb::gil_scoped_release>())
      .def_ro("aligner", &AlignerFile::aligner)
      .def_ro("vocabulary", &AlignerFile::vocabulary);
}

}  // namespace

void bind_align(nb::module_& m) {
  bind_alignments(m);
  bind_options(m);
  bind_priors(m);
  bind_aligner(m);
  m.def(
      "train_aligner",
      [](const Corpus& source, const Corpus& target, const TrainOptions& options,
         const AlignmentPriors& priors, int threads, const ProgressCallback& progress) {
        return interruptible(
            [&](const StopFlag& stop, Progress& count) {
              return train_aligner(source, target, options, priors, threads, stop, count);
            },
            progress);
      },
      nb::arg("source"), nb::arg("target"), nb::arg("options"), nb::arg("priors"),
      nb::arg("threads"), nb::arg("progress").none());
  m.def(
      "symmetrize",
      [](Symmetrization kind, const Alignments& forward, const Alignments& backward) {
        return symmetrize(kind, forward, backward);
      },
      nb::arg("kind"), nb::arg("forward"), nb::arg("backward"),
      nb::call_guard<nb::gil_scoped_release>());
  m.def("exp_digamma", &exp_digamma, nb::arg("x"));
  m.def(
      "sparse_maximize",
      [](const std::vector<double>& counts, std::vector<double> probabilities, double alpha,
         double beta) {
        if (counts.size() != probabilities.size())
          throw std::invalid_argument("counts and probabilities differ in length");
        const SparsePrior prior{alpha, beta};
        sparse_maximize(counts, prior, probabilities);
        return std::pair(probabilities, sparse_objective(counts, probabilities, prior));
      },
      nb::arg("counts"), nb::arg("probabilities"), nb::arg("alpha"), nb::arg("beta"),
      "The M-step of one word under the l0 prior, and the value of its objective.");
}

}  // namespace demotic::python
