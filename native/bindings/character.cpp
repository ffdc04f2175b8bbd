#include "edit/character.hpp"
#include "ngram/chrf.hpp"
#include "edit/eed.hpp"
#include "bindings/bindings.hpp"

using namespace nlg;

namespace {
const Choices<EedProfile> kEedProfiles = {{"formula", EedProfile::kFormula},
                                          {"official", EedProfile::kOfficial},
                                          {"python", EedProfile::kPython}};
}

void bind_character(nb::module_& m) {
  nb::class_<ChrfKernel, Kernel>(m, "Chrf")
      .def(
          "__init__",
          [](ChrfKernel* self, u32 char_order, u32 word_order, double beta, bool whitespace, bool eps_smoothing) {
            if (char_order + word_order == 0 || std::max(char_order, word_order) > ChrfWorker::kMaxOrder)
              throw nb::value_error("orders must be 0..32 and not both 0");
            new (self) ChrfKernel({char_order, word_order, beta, whitespace, eps_smoothing});
          },
          nb::kw_only(), "char_order"_a, "word_order"_a, "beta"_a, "whitespace"_a, "eps_smoothing"_a);
  nb::class_<EedKernel, Kernel>(m, "Eed")
      .def(
          "__init__",
          [](EedKernel* self, int unit, int jump, int insertion, int deletion, int substitution, double rho,
             const std::string& profile) {
            new (self) EedKernel(
                {unit, jump, insertion, deletion, substitution, rho, parse(kEedProfiles, profile)});
          },
          nb::kw_only(), "unit"_a, "jump"_a, "insertion"_a, "deletion"_a, "substitution"_a, "rho"_a, "profile"_a);
  nb::class_<CharacterKernel, Kernel>(m, "Character")
      .def(
          "__init__", [](CharacterKernel* self, bool clip, u64 steps) { new (self) CharacterKernel({clip, steps}); },
          nb::kw_only(), "clip"_a, "steps"_a);
}
