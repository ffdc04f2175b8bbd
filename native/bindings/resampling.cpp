#include <nanobind/stl/vector.h>

#include "bindings/arrays.hpp"
#include "stats/resample.hpp"
#include "stats/sums.hpp"
#include "stats/swaps.hpp"

using namespace nlg;

namespace {

using Rows = Matrix<double>;

void check_columns(const ColumnSums& sums, std::size_t columns) {
  if (sums.columns() != columns) throw nb::value_error("the columns do not fit each other");
}

ColumnSums sums_of_parts(const std::vector<std::vector<double>>& parts) {
  ColumnSums sums(parts.size());
  for (std::size_t c = 0; c < parts.size(); ++c)
    for (const double part : parts[c]) sums[c].add(part);
  return sums;
}

std::vector<std::vector<double>> parts_of(const ColumnSums& sums) {
  std::vector<std::vector<double>> parts;
  for (std::size_t c = 0; c < sums.columns(); ++c) parts.push_back(sums[c].parts());
  return parts;
}

auto rounded(const ColumnSums& sums) {
  std::vector<double> found;
  for (std::size_t c = 0; c < sums.columns(); ++c) found.push_back(sums[c].rounded());
  return released(std::move(found));
}

// `state` is of NumPy's generator, in words of 64 bits: the state and the increment, high words first.
auto bootstrap_py(const Rows& rows, const Column<u64>& state, std::size_t resamples) {
  if (state.size() != 4) throw nb::value_error("a state has four words");
  if (rows.shape(0) > 0xFFFFFFFFu) throw nb::value_error("too many rows to draw from");
  const auto word = [&](std::size_t i) { return static_cast<u128>(state.data()[i]) << 64 | state.data()[i + 1]; };
  std::vector<double> totals(resamples * rows.shape(1));
  {
    const nb::gil_scoped_release unlocked;
    bootstrap(WeightedRows(rows.data(), rows.shape(0), rows.shape(1)), Pcg64(word(0), word(2)), resamples,
              totals.data());
  }
  return released(std::move(totals), resamples, rows.shape(1));
}

auto poisson_totals_py(const Rows& rows, u64 first, u64 seed, std::size_t resamples) {
  std::vector<double> sums(resamples * rows.shape(1));
  {
    const nb::gil_scoped_release unlocked;
    add_poisson(rows.data(), rows.shape(0), rows.shape(1), first, seed, resamples, sums.data());
  }
  return released(std::move(sums), resamples, rows.shape(1));
}

// Of several tables, each on some thread.
nb::list picked_sums_py(const Picks& picks, const std::vector<Rows>& tables, unsigned threads) {
  std::vector<std::vector<double>> sums;
  for (const Rows& rows : tables) {
    if (rows.shape(0) != picks.size()) throw std::invalid_argument("as many rows as were picked from are needed");
    sums.emplace_back(picks.trials() * rows.shape(1));
  }
  {
    const nb::gil_scoped_release unlocked;
    parallel(tables.size(), threads, [&] {
      return [&](std::size_t first, std::size_t last) {
        for (std::size_t k = first; k < last; ++k)
          picks.sums(tables[k].data(), tables[k].shape(1), sums[k].data());
      };
    }, 1);
  }
  nb::list matrices;
  for (std::size_t k = 0; k < sums.size(); ++k)
    matrices.append(released(std::move(sums[k]), picks.trials(), tables[k].shape(1)));
  return matrices;
}

}  // namespace

void bind_resampling(nb::module_& m) {
  nb::class_<ColumnSums>(m, "ColumnSums")
      .def("__init__",
           [](ColumnSums* self, const std::vector<std::vector<double>>& parts) {
             new (self) ColumnSums(sums_of_parts(parts));
           },
           "parts"_a)
      .def("__getstate__", &parts_of)
      .def("__setstate__",
           [](ColumnSums& self, const std::vector<std::vector<double>>& parts) {
             new (&self) ColumnSums(sums_of_parts(parts));
           })
      .def("add",
           [](ColumnSums& self, const Rows& rows) {
             check_columns(self, rows.shape(1));
             self.add(rows.data(), rows.shape(0));
           },
           "rows"_a)
      .def("merge",
           [](ColumnSums& self, const ColumnSums& other) {
             check_columns(self, other.columns());
             if (&self == &other) throw nb::value_error("sums cannot be merged with themselves");
             for (std::size_t c = 0; c < self.columns(); ++c) self[c].add(other[c]);
           },
           "other"_a)
      .def("parts", &parts_of)
      .def("rounded", &rounded);
  m.def("bootstrap_totals", &bootstrap_py, "rows"_a, "state"_a, "resamples"_a);
  m.def("poisson_totals", &poisson_totals_py, "rows"_a, nb::kw_only(), "first"_a, "seed"_a, "resamples"_a);
  nb::class_<Picks>(m, "Picks")
      .def("__init__",
           [](Picks* self, const Column<u32>& words, std::size_t trials, std::size_t size) {
             new (self) Picks(words.data(), words.shape(0), trials, size);
           },
           "words"_a, "trials"_a, "size"_a)
      .def("sums", &picked_sums_py, "tables"_a, nb::kw_only(), "threads"_a);
}
