#include <nanobind/stl/optional.h>

#include "ngram/rouge_lcs.hpp"
#include "ngram/rouge_skip.hpp"
#include "bindings/bindings.hpp"

using namespace nlg;

namespace {

const Choices<RougeOptions::References> kRougeReferences = {
    {"average", RougeOptions::References::kAverage},
    {"best", RougeOptions::References::kBest},
    {"jackknife", RougeOptions::References::kJackknife},
    {"jackknife-average", RougeOptions::References::kJackknifeAverage},
    {"separate", RougeOptions::References::kSeparate}};
const Choices<RougeOptions::Measure> kRougeMeasures = {{"precision", RougeOptions::kPrecision},
                                                  {"recall", RougeOptions::kRecall},
                                                  {"f", RougeOptions::kF}};

}  // namespace

void bind_rouge(nb::module_& m) {
  nb::class_<RougeOptions>(m, "RougeOptions")
      .def(
          "__init__",
          [](RougeOptions* self, const std::string& references, const std::string& best_by, double alpha, bool rounded,
             u32 evaluations) {
            new (self) RougeOptions{parse(kRougeReferences, references), parse(kRougeMeasures, best_by), alpha, rounded, evaluations};
          },
          nb::kw_only(), "references"_a, "best_by"_a, "alpha"_a, "rounded"_a, "evaluations"_a);
  nb::class_<RougeNKernel, Kernel>(m, "RougeN")
      .def(
          "__init__",
          [](RougeNKernel* self, const RougeOptions& options, u32 order) {
            if (order < 1 || order > kMaxOrder) throw nb::value_error("order must be 1..9");
            new (self) RougeNKernel(options, order);
          },
          "options"_a, nb::kw_only(), "order"_a);
  nb::class_<RougeLKernel, Kernel>(m, "RougeL")
      .def(
          "__init__",
          [](RougeLKernel* self, const RougeOptions& options, bool lines, bool restart) {
            new (self) RougeLKernel(options, {lines, restart});
          },
          "options"_a, nb::kw_only(), "lines"_a, "restart"_a);
  nb::class_<RougeWKernel, Kernel>(m, "RougeW")
      .def(
          "__init__",
          [](RougeWKernel* self, const RougeOptions& options, bool lines, bool restart, double weight) {
            new (self) RougeWKernel(options, {lines, restart}, weight);
          },
          "options"_a, nb::kw_only(), "lines"_a, "restart"_a, "weight"_a);
  nb::class_<RougeSKernel, Kernel>(m, "RougeS")
      .def(
          "__init__",
          [](RougeSKernel* self, const RougeOptions& options, std::optional<u32> gap, bool unigrams, bool drop_last) {
            new (self) RougeSKernel(options, {gap.value_or(~0u), unigrams, drop_last});
          },
          "options"_a, nb::kw_only(), "gap"_a.none(), "unigrams"_a, "drop_last"_a);
}
