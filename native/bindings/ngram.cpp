#include <nanobind/stl/shared_ptr.h>

#include "ngram/beer.hpp"
#include "ngram/bleu.hpp"
#include "ngram/nist.hpp"
#include "bindings/bindings.hpp"

using namespace nlg;

namespace {
const Choices<RefLength> kRefLengths = {{"closest", RefLength::kClosest},
                                        {"shortest", RefLength::kShortest},
                                        {"average", RefLength::kAverage},
                                        {"avg_nearest", RefLength::kAvgNearest},
                                        {"best", RefLength::kBest}};
}

void bind_ngram(nb::module_& m) {
  nb::class_<BleuKernel, Kernel>(m, "Bleu")
      .def(
          "__init__",
          [](BleuKernel* self, u32 order, const std::string& ref_length, bool start, bool end, bool weighted) {
            if (order < 1 || order > kMaxOrder) throw nb::value_error("order must be 1..9");
            new (self) BleuKernel(order, parse(kRefLengths, ref_length), {start, end}, weighted);
          },
          nb::kw_only(), "order"_a, "ref_length"_a, "start"_a, "end"_a, "weighted"_a);
  nb::class_<NistKernel, Kernel>(m, "Nist")
      .def(
          "__init__",
          [](NistKernel* self, std::shared_ptr<Frequencies> frequencies, u32 order, const std::string& ref_length,
             bool zero_is_nothing, bool start, bool end, u64 enclosing) {
            if (order < 1 || order > kMaxOrder) throw nb::value_error("order must be 1..9");
            new (self) NistKernel(std::move(frequencies), order, parse(kRefLengths, ref_length), zero_is_nothing,
                                  {start, end, enclosing});
          },
          "frequencies"_a, nb::kw_only(), "order"_a, "ref_length"_a, "zero_is_nothing"_a, "start"_a = false,
          "end"_a = false, "enclosing"_a = 0);
  nb::class_<NltkNistKernel, Kernel>(m, "NltkNist")
      .def(
          "__init__",
          [](NltkNistKernel* self, std::shared_ptr<Frequencies> frequencies, u32 order) {
            if (order < 1 || order > kMaxOrder) throw nb::value_error("order must be 1..9");
            new (self) NltkNistKernel(std::move(frequencies), order);
          },
          "frequencies"_a, nb::kw_only(), "order"_a);
  nb::class_<BeerKernel, Kernel>(m, "Beer").def(nb::init<>());
}
