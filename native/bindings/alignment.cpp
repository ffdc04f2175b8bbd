#include <nanobind/stl/shared_ptr.h>

#include "alignment/gtm.hpp"
#include "alignment/meteor.hpp"
#include "bindings/models/pairs.hpp"

using namespace nlg;

namespace {

const Choices<GtmReferences> kGtmReferences = {{"joint", GtmReferences::kJoint}, {"best", GtmReferences::kBest}};
const Choices<Linking> kLinkings = {{"best", Linking::kBest}, {"last", Linking::kLast}};

using Triple = std::tuple<u32, u32, u32>;
using Run = std::tuple<u32, u32, u32, u32>;

// (hypothesis word, reference, word of it, length) of each run, the first taken first.
std::vector<Run> gtm_runs_py(std::vector<std::string> hyp, std::vector<std::vector<std::string>> refs) {
  std::vector<std::string> joined;
  std::vector<u32> ends{0};
  for (auto& ref : refs) {
    joined.insert(joined.end(), ref.begin(), ref.end());
    ends.push_back(static_cast<u32>(joined.size()));
  }
  if (refs.empty()) return {};
  const WordPair words(std::move(hyp), std::move(joined));
  const double mean = static_cast<double>(words.ref().size) / static_cast<double>(refs.size());
  GtmMatching matching;
  matching.match(words.hyp(), words.ref(), ends.data(), static_cast<u32>(refs.size()),
                 std::min<double>(words.hyp().size, mean), 1);
  std::vector<Run> runs;
  for (const auto& run : matching.taken()) {
    const auto r = static_cast<u32>(std::upper_bound(ends.begin(), ends.end(), run.ref) - ends.begin() - 1);
    runs.emplace_back(run.hyp, r, run.ref - ends[r], run.length);
  }
  return runs;
}

// (hypothesis word, reference word, stage) of each link.
std::vector<Triple> align_stages_py(std::vector<std::string> hyp, std::vector<std::string> ref, const Stages& stages,
                                    const std::string& linking) {
  check_present(stages);
  const WordPair words(std::move(hyp), std::move(ref));
  StagedAligner aligner(stages, parse(kLinkings, linking));
  const auto& links =
      aligner.align(words.hyp(), words.hyp_words.data(), words.ref(), words.ref_words.data(), words.vocabulary());
  std::vector<Triple> result;
  for (u32 i = 0; i < links.hyp.size(); ++i)
    if (links.hyp[i] != kUnlinked) result.emplace_back(i, links.hyp[i], links.stage[i]);
  return result;
}

}  // namespace

void bind_alignment(nb::module_& m) {
  nb::class_<GtmKernel, Kernel>(m, "Gtm")
      .def(
          "__init__",
          [](GtmKernel* self, double exponent, const std::string& references) {
            new (self) GtmKernel(exponent, parse(kGtmReferences, references));
          },
          nb::kw_only(), "exponent"_a, "references"_a);
  nb::class_<StageKind>(m, "Stage");
  nb::class_<ExactStage, StageKind>(m, "ExactStage")
      .def(nb::init<const std::vector<std::string>&>(), nb::kw_only(), "skip"_a);
  nb::class_<StemStage, StageKind>(m, "StemStage")
      .def(
          "__init__",
          [](StemStage* self, const std::string& dialect) { new (self) StemStage(parse(kStemmers, dialect)); },
          nb::kw_only(), "dialect"_a);
  nb::class_<PairStage, StageKind>(m, "PairStage")
      .def(nb::init<std::vector<std::pair<std::string, std::string>>>(), nb::kw_only(), "pairs"_a);
  nb::class_<WordSetStage, StageKind>(m, "WordSetStage")
      .def(
          "__init__",
          [](WordSetStage* self, std::shared_ptr<const Lexicon> lexicon, const std::string& hyp, const std::string& ref,
             const std::string& stemmer) {
            new (self)
                WordSetStage(std::move(lexicon), parse(kWordSets, hyp), parse(kWordSets, ref), parse(kStemmers, stemmer));
          },
          nb::kw_only(), "lexicon"_a, "hyp"_a, "ref"_a, "stemmer"_a);
  nb::class_<MeteorKernel, Kernel>(m, "Meteor")
      .def(
          "__init__",
          [](MeteorKernel* self, const Stages& stages, const std::string& linking, double alpha, double beta,
             double gamma) {
            check_present(stages);
            new (self) MeteorKernel({stages, parse(kLinkings, linking), alpha, beta, gamma});
          },
          nb::kw_only(), "stages"_a, "linking"_a, "alpha"_a, "beta"_a, "gamma"_a);
  m.def("align_stages", &align_stages_py, "hyp"_a, "ref"_a, "stages"_a, "linking"_a);
  m.def("gtm_runs", &gtm_runs_py, "hyp"_a, "refs"_a);
}
