#include "ngram/frequency.hpp"

#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/tuple.h>

#include "ngram/cider.hpp"
#include "ngram/overlap.hpp"
#include "vectors/yisi.hpp"
#include "bindings/arrays.hpp"

using namespace nlg;

namespace {

using Counts = Column<u32>;
using State = std::tuple<Column<u64>, Counts, u64, u64>;

const Choices<CountUnit> kUnits = {
    {"token", CountUnit::kToken}, {"reference", CountUnit::kReference}, {"segment", CountUnit::kSegment}};
const Choices<OverlapMeasure> kOverlapMeasures = {{"overlap", OverlapMeasure::kOverlap},
                                           {"precision", OverlapMeasure::kPrecision},
                                           {"recall", OverlapMeasure::kRecall},
                                           {"asiya-recall", OverlapMeasure::kAsiyaRecall}};

u32 checked_order(u32 order) {
  if (order < 1 || order > kMaxOrder) throw nb::value_error("orders must be 1..9");
  return order;
}

std::shared_ptr<Frequencies> count(const Texts& refs, const Starts& starts, const std::string& tokenizer,
                                   bool lowercase, const Reading* reading, u32 order, const std::string& unit,
                                   u32 least) {
  if (starts.size() == 0) throw nb::value_error("ref_starts is empty");
  check_references(starts, starts.size() - 1, refs.size());
  checked_order(order);
  const Preparation preparation{parse(kTokenizers, tokenizer), lowercase, reading ? *reading : Reading{}};
  const CountUnit counted = parse(kUnits, unit);
  const nb::gil_scoped_release unlocked;
  const Batch batch{refs, refs, starts.data(), nullptr};
  return std::make_shared<Frequencies>(
      Frequencies::count(batch, starts.size() - 1, preparation, order, counted, least));
}

std::shared_ptr<Frequencies> given(const Texts& ngrams, const Counts& counts, u64 documents) {
  if (counts.size() != ngrams.size()) throw nb::value_error("one count per n-gram expected");
  return std::make_shared<Frequencies>(Frequencies::given(ngrams, counts.data(), documents));
}

nb::tuple entries(const Frequencies& self) {
  std::vector<u64> grams;
  std::vector<u32> counts;
  self.each([&](u64 gram, u32 count) {
    grams.push_back(gram);
    counts.push_back(count);
  });
  return nb::make_tuple(released(std::move(grams)), released(std::move(counts)));
}

nb::tuple state(const Frequencies& self) {
  const nb::tuple kept = entries(self);
  return nb::make_tuple(kept[0], kept[1], self.words(), self.documents());
}

void set_state(Frequencies& self, const State& state) {
  const auto& [grams, counts, words, documents] = state;
  if (grams.size() != counts.size()) throw nb::value_error("one count per n-gram expected");
  new (&self) Frequencies(Frequencies::restored(grams.data(), counts.data(), grams.size(), words, documents));
}

}  // namespace

void bind_frequency(nb::module_& m) {
  nb::class_<Frequencies>(m, "Frequencies")
      .def_static("count", &count, "refs"_a, "ref_starts"_a, "tokenizer"_a, "lowercase"_a,
                  "reading"_a.none(), nb::kw_only(), "order"_a,
                  "unit"_a, "least"_a)
      .def_static("given", &given, "ngrams"_a, "counts"_a, nb::kw_only(), "documents"_a)
      .def("__getstate__", &state)
      .def("__setstate__", &set_state)
      .def("__len__", &Frequencies::size)
      .def("entries", &entries)
      .def("merge",
           [](Frequencies& self, const Frequencies& other) {
             if (&self == &other) throw nb::value_error("frequencies cannot be merged with themselves");
             const nb::gil_scoped_release unlocked;
             self.merge(other);
           },
           "other"_a)
      .def("at_least",
           [](const Frequencies& self, u32 least) { return std::make_shared<Frequencies>(self.at_least(least)); },
           "least"_a)
      .def_prop_ro("nbytes", &Frequencies::bytes)
      .def_prop_ro("words", &Frequencies::words)
      .def_prop_ro("documents", &Frequencies::documents);
  nb::class_<CiderKernel, Kernel>(m, "Cider")
      .def(
          "__init__",
          [](CiderKernel* self, std::shared_ptr<Frequencies> frequencies, u32 order, bool clipped, double sigma) {
            new (self) CiderKernel(std::move(frequencies), {checked_order(order), clipped, sigma});
          },
          "frequencies"_a, nb::kw_only(), "order"_a, "clipped"_a, "sigma"_a);
  nb::class_<YisiKernel, Kernel>(m, "Yisi")
      .def(
          "__init__",
          [](YisiKernel* self, std::shared_ptr<Frequencies> frequencies, u32 order, double alpha, bool substring,
             bool idf, bool tool) {
            new (self) YisiKernel(std::move(frequencies), {checked_order(order), alpha, substring, idf, tool});
          },
          "frequencies"_a, nb::kw_only(), "order"_a, "alpha"_a, "substring"_a, "idf"_a, "tool"_a);
  nb::class_<GleuKernel, Kernel>(m, "Gleu")
      .def(
          "__init__",
          [](GleuKernel* self, u32 least, u32 most) {
            new (self) GleuKernel(checked_order(least), checked_order(most));
          },
          nb::kw_only(), "least"_a, "most"_a);
  nb::class_<NgramCountsKernel, Kernel>(m, "NgramCounts")
      .def(
          "__init__",
          [](NgramCountsKernel* self, u32 order) { new (self) NgramCountsKernel(checked_order(order)); },
          nb::kw_only(), "order"_a);
  nb::class_<OverlapKernel, Kernel>(m, "Overlap")
      .def(
          "__init__",
          [](OverlapKernel* self, const std::string& measure) {
            new (self) OverlapKernel(parse(kOverlapMeasures, measure));
          },
          nb::kw_only(), "measure"_a);
}
