#include <nanobind/stl/shared_ptr.h>

#include "../gtm.hpp"
#include "../meteor.hpp"
#include "pairs.hpp"

using namespace nlg;

namespace {

const Choices<GtmReferences> kReferences = {{"joint", GtmReferences::kJoint}, {"best", GtmReferences::kBest}};

const Choices<Stemmer> kStemmers = {{"porter", Stemmer::kPorter},
                                    {"martin-porter", Stemmer::kMartin},
                                    {"nltk-porter", Stemmer::kNltk},
                                    {"rouge155-porter", Stemmer::kRouge155}};
const Choices<Linking> kLinkings = {{"best", Linking::kBest}, {"last", Linking::kLast}};

using Run = std::tuple<u32, u32, u32>;

std::vector<Run> gtm_runs_py(std::vector<std::string> hyp, std::vector<std::string> ref) {
  const WordPair words(std::move(hyp), std::move(ref));
  GtmMatching matching;
  const u32 ends[] = {0, words.ref().size};
  matching.match(words.hyp(), words.ref(), ends, 1, std::min(words.hyp().size, words.ref().size), 1);
  std::vector<Run> runs;
  for (const auto& run : matching.taken()) runs.emplace_back(run.hyp, run.ref, run.length);
  return runs;
}

// (hypothesis word, reference word, stage) of each link.
std::vector<Run> align_stages_py(std::vector<std::string> hyp, std::vector<std::string> ref, const Stages& stages,
                                 const std::string& linking) {
  const WordPair words(std::move(hyp), std::move(ref));
  StagedAligner aligner(stages, parse(kLinkings, linking));
  const auto& links =
      aligner.align(words.hyp(), words.hyp_words.data(), words.ref(), words.ref_words.data(), words.vocabulary());
  std::vector<Run> result;
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
            new (self) GtmKernel(exponent, parse(kReferences, references));
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
  nb::class_<MeteorKernel, Kernel>(m, "Meteor")
      .def(
          "__init__",
          [](MeteorKernel* self, const Stages& stages, const std::string& linking, double alpha, double beta,
             double gamma) {
            new (self) MeteorKernel({stages, parse(kLinkings, linking), alpha, beta, gamma});
          },
          nb::kw_only(), "stages"_a, "linking"_a, "alpha"_a, "beta"_a, "gamma"_a);
  m.def("align_stages", &align_stages_py, "hyp"_a, "ref"_a, "stages"_a, "linking"_a);
  m.def("gtm_runs", &gtm_runs_py, "hyp"_a, "ref"_a);
}
