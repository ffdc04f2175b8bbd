#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/vector.h>

#include "ngram/parent.hpp"
#include "bindings/bindings.hpp"

using namespace nlg;

void bind_grounded(nb::module_& m) {
  nb::class_<Cooccurrence>(m, "Cooccurrence")
      .def(
          "__init__",
          [](Cooccurrence* self, const Texts& keys, const std::vector<double>& counts) {
            if (keys.size() != counts.size()) throw nb::value_error("one count per key expected");
            if (!std::all_of(counts.begin(), counts.end(), [](double count) { return count >= 0 && std::isfinite(count); }))
              throw nb::value_error("counts must be finite and not negative");
            new (self) Cooccurrence();
            for (std::size_t i = 0; i < counts.size(); ++i)
              if (!keys[i].empty()) self->add(keys[i], counts[i]);
          },
          "keys"_a, "counts"_a);
  nb::class_<ParentKernel, Kernel>(m, "Parent")
      .def(
          "__init__",
          [](ParentKernel* self, u32 order, double smoothing, double lambda_weight,
             std::shared_ptr<const Cooccurrence> model) {
            if (order < 1 || order > kMaxOrder) throw nb::value_error("order must be 1..9");
            new (self) ParentKernel({order, smoothing, lambda_weight}, std::move(model));
          },
          nb::kw_only(), "order"_a, "smoothing"_a, "lambda_weight"_a, "model"_a.none());
}
