#include "../gtm.hpp"
#include "pairs.hpp"

using namespace nlg;

namespace {

const Choices<GtmReferences> kReferences = {{"joint", GtmReferences::kJoint}, {"best", GtmReferences::kBest}};

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

}  // namespace

void bind_alignment(nb::module_& m) {
  nb::class_<GtmKernel, Kernel>(m, "Gtm")
      .def(
          "__init__",
          [](GtmKernel* self, double exponent, const std::string& references) {
            new (self) GtmKernel(exponent, parse(kReferences, references));
          },
          nb::kw_only(), "exponent"_a, "references"_a);
  m.def("gtm_runs", &gtm_runs_py, "hyp"_a, "ref"_a);
}
