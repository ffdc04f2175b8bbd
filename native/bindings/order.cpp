#include "order/impact.hpp"
#include "core/joined.hpp"
#include "order/order.hpp"
#include "bindings/models/pairs.hpp"

using namespace nlg;

namespace {

const Choices<OrderMeasure> kOrderMeasures = {{"kendall", OrderMeasure::kKendall},
                                         {"spearman", OrderMeasure::kSpearman},
                                         {"hamming", OrderMeasure::kHamming}};

const Choices<Contexts> kContexts = {
    {"one", Contexts::kOne}, {"ribes", Contexts::kRibes}, {"nltk", Contexts::kNltk}};

Links word_order_py(std::vector<std::string> hyp, std::vector<std::string> ref, const std::string& contexts) {
  const WordPair words(std::move(hyp), std::move(ref));
  WordOrder order(parse(kContexts, contexts));
  Links links;
  for (const auto& p : order.align(words.hyp(), words.ref(), words.vocabulary())) links.emplace_back(p.hyp, p.ref);
  return links;
}

}  // namespace

void bind_order(nb::module_& m) {
  nb::class_<OrderKernel, Kernel>(m, "WordOrder")
      .def(
          "__init__",
          [](OrderKernel* self, const std::string& measure, const std::string& contexts, double order, double precision,
             double recall, double f, double brevity, double beta, bool bend, bool skip_empty, bool distance) {
            new (self) OrderKernel({parse(kOrderMeasures, measure), parse(kContexts, contexts), order, precision, recall, f,
                                    brevity, beta, bend, skip_empty, distance});
          },
          nb::kw_only(), "measure"_a, "contexts"_a, "order"_a, "precision"_a, "recall"_a, "f"_a, "brevity"_a, "beta"_a,
          "bend"_a, "skip_empty"_a, "distance"_a);
  nb::class_<ImpactKernel, Kernel>(m, "Impact").def(nb::init<double, double>(), nb::kw_only(), "alpha"_a, "beta"_a);
  nb::class_<JoinedKernel, Kernel>(m, "Joined")
      .def(
          "__init__",
          [](JoinedKernel* self, std::vector<const Kernel*> kernels) {
            check_present(kernels);
            new (self) JoinedKernel(std::move(kernels));
          },
          nb::keep_alive<1, 2>(), "kernels"_a);
  m.def("word_order", &word_order_py, "hyp"_a, "ref"_a, "contexts"_a);
}
