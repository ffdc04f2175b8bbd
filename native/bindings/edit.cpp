#include "edit/inversion.hpp"
#include "edit/iter.hpp"
#include "edit/recognition.hpp"
#include "edit/string_accuracy.hpp"
#include "edit/tercom.hpp"
#include "edit/word_errors.hpp"
#include "bindings/bindings.hpp"

using namespace nlg;

namespace {

const Choices<ErrorChoice> kErrorChoices = {{"closest", ErrorChoice::kClosest},
                                            {"shortest", ErrorChoice::kShortest},
                                            {"average", ErrorChoice::kAverage},
                                            {"avg_nearest", ErrorChoice::kAvgNearest},
                                            {"best", ErrorChoice::kBest},
                                            {"nearest", ErrorChoice::kNearest},
                                            {"moses", ErrorChoice::kMoses}};

template <class Distance>
void bind_error_rate(nb::module_& m, const char* name) {
  using K = ErrorRateKernel<Distance>;
  nb::class_<K, Kernel>(m, name).def(
      "__init__",
      [](K* self, const std::string& ref_length) { new (self) K({}, parse(kErrorChoices, ref_length)); },
      nb::kw_only(), "ref_length"_a);
}

}  // namespace

void bind_edit(nb::module_& m) {
  nb::class_<TercomKernel, Kernel>(m, "Tercom")
      .def(
          "__init__",
          [](TercomKernel* self, int shift_size, int shift_distance, int beam) {
            new (self) TercomKernel({shift_size, shift_distance, beam});
          },
          nb::kw_only(), "shift_size"_a, "shift_distance"_a, "beam"_a);

  bind_error_rate<WordDistance>(m, "Wer");
  bind_error_rate<CoverDistance>(m, "Cder");
  bind_error_rate<CharacterDistance>(m, "Cer");
  nb::class_<RecognitionKernel, Kernel>(m, "Recognition").def(nb::init<bool>(), nb::kw_only(), "information"_a);
  using Per = ErrorRateKernel<BagDistance>;
  nb::class_<Per, Kernel>(m, "Per").def(
      "__init__",
      [](Per* self, u32 order, bool start, bool end, const std::string& ref_length) {
        if (order < 1) throw nb::value_error("order must be at least 1");
        new (self) Per({order, start, end}, parse(kErrorChoices, ref_length));
      },
      nb::kw_only(), "order"_a, "start"_a, "end"_a, "ref_length"_a);
  using Invwer = ErrorRateKernel<InversionDistance>;
  nb::class_<Invwer, Kernel>(m, "Invwer").def(
      "__init__",
      [](Invwer* self, u32 max_length, const std::string& ref_length) {
        if (max_length < 1 || max_length > InversionDistance::kLongest) throw nb::value_error("max_length must be 1..64");
        new (self) Invwer(InversionDistance(max_length), parse(kErrorChoices, ref_length));
      },
      nb::kw_only(), "max_length"_a, "ref_length"_a);
  using Iter = ErrorRateKernel<IterDistance>;
  nb::class_<Iter, Kernel>(m, "Iter").def(
      "__init__",
      [](Iter* self, double insertion, double deletion, double substitution, double stem, double shift, int shift_size,
         int shift_distance, int candidates, bool per_match, const std::string& ref_length) {
        new (self) Iter(IterDistance({insertion, deletion, substitution, stem, shift, shift_size, shift_distance,
                                      candidates, per_match}),
                        parse(kErrorChoices, ref_length));
      },
      nb::kw_only(), "insertion"_a, "deletion"_a, "substitution"_a, "stem"_a, "shift"_a, "shift_size"_a,
      "shift_distance"_a, "candidates"_a, "per_match"_a, "ref_length"_a);
  nb::class_<StringAccuracyKernel, Kernel>(m, "StringAccuracy")
      .def(nb::init<bool, bool>(), nb::kw_only(), "moves"_a, "substitutions"_a = true);
}
