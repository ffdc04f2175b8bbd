#include "vectors/transport.hpp"

#include "bindings/arrays.hpp"

using namespace nlg;

namespace {

using Masses = Column<double>;

// A batch of problems. Masses of each side are taken in proportion to their sum; zeros may occur.
nb::tuple transport_py(const Masses& left, const Starts& left_starts, const Masses& right, const Starts& right_starts,
                       const Masses& costs, bool flows, unsigned threads) {
  check_starts(left_starts, left.size());
  check_starts(right_starts, right.size());
  if (left_starts.size() != right_starts.size()) throw nb::value_error("as many problems on the right as on the left");
  const std::size_t problems = left_starts.size() - 1;
  std::vector<std::size_t> at(problems + 1, 0);
  const std::int64_t *l = left_starts.data(), *r = right_starts.data();
  for (std::size_t p = 0; p < problems; ++p)
    at[p + 1] = at[p] + static_cast<std::size_t>((l[p + 1] - l[p]) * (r[p + 1] - r[p]));
  if (at[problems] != costs.size()) throw nb::value_error("a cost for every pair of masses expected");
  const auto bad = [](const Masses& column) {
    return std::any_of(column.data(), column.data() + column.size(), [](double x) { return !(x >= 0 && std::isfinite(x)); });
  };
  if (bad(left) || bad(right)) throw nb::value_error("masses must be finite and not negative");
  for (std::size_t k = 0; k < costs.size(); ++k)
    if (!std::isfinite(costs.data()[k])) throw nb::value_error("costs must be finite");
  std::vector<double> totals(problems), moved(flows ? costs.size() : 0);
  {
    const nb::gil_scoped_release unlocked;
    parallel(problems, threads, [&] {
      return [&, solver = Transport(), a = std::vector<double>(), b = std::vector<double>(), c = std::vector<double>(),
              rows = std::vector<u32>(), columns = std::vector<u32>()](std::size_t first, std::size_t last) mutable {
        const auto take = [](const double* masses, std::size_t size, double scale, auto& kept, auto& places) {
          kept.clear(), places.clear();
          for (std::size_t i = 0; i < size; ++i)
            if (masses[i] > 0) kept.push_back(masses[i] * scale), places.push_back(static_cast<u32>(i));
        };
        for (std::size_t p = first; p < last; ++p) {
          const std::size_t n = l[p + 1] - l[p], m = r[p + 1] - r[p];
          const double *x = left.data() + l[p], *y = right.data() + r[p], *given = costs.data() + at[p];
          const double sum_x = std::accumulate(x, x + n, 0.0), sum_y = std::accumulate(y, y + m, 0.0);
          if (sum_x == 0 || sum_y == 0) {
            totals[p] = std::numeric_limits<double>::quiet_NaN();
            continue;
          }
          // Sums that differ are made equal by whole factors, so that whole numbers stay whole.
          const bool equal = std::abs(sum_x - sum_y) <= 1e-12 * sum_x;
          const double all = equal ? sum_x : sum_x * sum_y;
          take(x, n, equal ? 1 : sum_y, a, rows);
          take(y, m, equal ? 1 : sum_x, b, columns);
          const double* kept = given;
          if (a.size() < n || b.size() < m) {  // a long text's costs are not copied without need
            c.clear();
            c.reserve(a.size() * b.size());
            for (const u32 i : rows)
              for (const u32 j : columns) c.push_back(given[i * m + j]);
            kept = c.data();
          }
          totals[p] = solver.solve(a.size(), b.size(), kept, a.data(), b.data()) / all;
          if (flows)
            solver.flows([&](u32 i, u32 j, double mass) { moved[at[p] + rows[i] * m + columns[j]] = mass / all; });
        }
      };
    }, 4);
  }
  return nb::make_tuple(released(std::move(totals)), released(std::move(moved)));
}

}  // namespace

void bind_transport(nb::module_& m) {
  m.def("transport", &transport_py, "left"_a, "left_starts"_a, "right"_a, "right_starts"_a, "costs"_a, nb::kw_only(),
        "flows"_a, "threads"_a);
}
