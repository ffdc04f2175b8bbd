#include "../ter.hpp"
#include "bindings.hpp"

using namespace nlg;

void bind_edit(nb::module_& m) {
  nb::class_<TerKernel, Kernel>(m, "Ter")
      .def(
          "__init__",
          [](TerKernel* self, int shift_size, int shift_distance, int candidates) {
            new (self) TerKernel({shift_size, shift_distance, candidates});
          },
          nb::kw_only(), "shift_size"_a, "shift_distance"_a, "candidates"_a);
}
