#include "edit/ter.hpp"
#include "bindings/bindings.hpp"

using namespace nlg;

// A file of its own: among other kernels the compiler inlines less of the search.
void bind_ter(nb::module_& m) {
  nb::class_<TerKernel, Kernel>(m, "Ter")
      .def(
          "__init__",
          [](TerKernel* self, int shift_size, int shift_distance, int candidates) {
            new (self) TerKernel({shift_size, shift_distance, candidates});
          },
          nb::kw_only(), "shift_size"_a, "shift_distance"_a, "candidates"_a);
}
