// Extended edit distance (Stanchev et al., 2019): characters of the reference covered by the
// hypothesis with long jumps at blanks, plus a penalty for visiting places twice or never.
// Columns: score of the best reference, 1.
#pragma once

#include <cmath>

#include "core/kernel.hpp"
#include "core/simd.hpp"

namespace nlg {

// How exactly: in whole numbers as defined, or as one of the tools does.
// kOfficial: EED.cpp (f944adc), in single precision; its running minimum is an integer, so that a
// later cell must undercut the truncated one, and the visits of the first cell are left out.
// kPython: eed_python beside it and torchmetrics: the definition in double precision, where rounding
// decides between equal minima.
enum class EedProfile { kFormula, kOfficial, kPython };

struct EedOptions {
  // Whole numbers of 1 / unit.
  int unit = 5, jump = 10, insertion = 5, deletion = 1, substitution = 5;
  double rho = 0.3;
  EedProfile profile = EedProfile::kFormula;
};

namespace detail {

constexpr u32 kEedLanes = 8;
typedef int EedLanes __attribute__((vector_size(4 * kEedLanes)));

inline EedLanes eed_load(const int* p) {
  EedLanes v;
  std::memcpy(&v, p, sizeof v);
  return v;
}

// One row of the matrix. A cell i holds its cost less i deletions, so that what deletions add is a
// running minimum: before[-1] is the cell left of before[0]; `slope` has i deletions for cell i.
// Writes the cells 1..n (n a multiple of the lanes), and returns the smallest cost and its first place.
template <class Lanes>
NLG_BODY void eed_row(const EedOptions& o, const int* hyp, u32 n, int ref, const int* before, int* after,
                      const int* slope, int* least, u32* place) {
  const Lanes zero = {}, big = zero + (1 << 29);
  const Lanes hit = zero - o.deletion, miss = hit + o.substitution;
  Lanes carry = zero + after[-1], best = big, best_at = zero, at = {1, 2, 3, 4, 5, 6, 7, 8};
  for (u32 i = 0; i < n; i += kEedLanes) {
    const Lanes same = eed_load(hyp + i) == zero + ref;
    const Lanes change = eed_load(before + i - 1) + (same ? hit : miss);
    const Lanes add = eed_load(before + i) + o.insertion;
    Lanes x = change < add ? change : add;
    Lanes y = __builtin_shufflevector(x, big, 8, 0, 1, 2, 3, 4, 5, 6);
    x = x < y ? x : y;
    y = __builtin_shufflevector(x, big, 8, 8, 0, 1, 2, 3, 4, 5);
    x = x < y ? x : y;
    y = __builtin_shufflevector(x, big, 8, 8, 8, 8, 0, 1, 2, 3);
    x = x < y ? x : y;
    x = x < carry ? x : carry;
    carry = __builtin_shufflevector(x, x, 7, 7, 7, 7, 7, 7, 7, 7);
    std::memcpy(after + i, &x, sizeof x);
    const Lanes cost = x + eed_load(slope + i);
    const Lanes lower = cost < best;
    best = lower ? cost : best;
    best_at = lower ? at : best_at;
    at += static_cast<int>(kEedLanes);
  }
  *least = after[-1];
  *place = 0;
  for (u32 k = 0; k < kEedLanes; ++k)
    if (best[k] < *least || (best[k] == *least && static_cast<u32>(best_at[k]) < *place))
      *least = best[k], *place = static_cast<u32>(best_at[k]);
}

NLG_BODY void eed_cap(int limit, u32 n, int* row, const int* slope) {
  for (u32 i = 0; i < n; ++i) row[i] = std::min(row[i], limit - slope[i]);
}

struct EedRows {
  const int* hyp;  // n characters, filled up with -1
  u32 n;
  const int* slope;
  int *before, *after;  // cells 1..n; cell 0 is at -1
  u32* visits;
};

// All rows; returns the row that is left in `rows.before`.
NLG_BODY void eed_matrix(const EedOptions& o, const std::vector<u32>& ref, u32 cells, EedRows& rows) {
  for (u32 character : ref) {
    if (rows.n > 256) checkpoint(rows.n / 4);
    int least;
    u32 place;
    rows.after[-1] = rows.before[-1] + o.unit;
    eed_row<EedLanes>(o, rows.hyp, rows.n, static_cast<int>(character), rows.before, rows.after, rows.slope, &least,
                      &place);
    ++rows.visits[std::min(place, cells)];
    if (character == ' ') {
      rows.after[-1] = std::min(rows.after[-1], least + o.jump);
      eed_cap(least + o.jump, rows.n, rows.after, rows.slope);
    }
    std::swap(rows.before, rows.after);
  }
}

inline void eed_matrix_base(const EedOptions& o, const std::vector<u32>& ref, u32 cells, EedRows& rows) {
  eed_matrix(o, ref, cells, rows);
}
NLG_AVX2 inline void eed_matrix_avx2(const EedOptions& o, const std::vector<u32>& ref, u32 cells, EedRows& rows) {
  eed_matrix(o, ref, cells, rows);
}

// The tools' arithmetic, bit for bit, on several rows at once: lane l is at column t - l of row l, so
// that the cells it needs of the row above are those that lane l - 1 had one and two steps ago.
constexpr u32 kEedGroups = 4;  // of lanes, at most

template <class Real>
struct EedTool {
  using Int = std::conditional_t<sizeof(Real) == 4, std::int32_t, std::int64_t>;
  static constexpr u32 kLanes = 32 / sizeof(Real), kMost = kEedGroups * kLanes;
  typedef Real Reals __attribute__((vector_size(32)));
  typedef Int Ints __attribute__((vector_size(32)));

  Real deletion, insertion, substitution;
  const Int* hyp;  // backwards, with kMost others on either side
  u32 cells;
  Real limit;  // of all cells of the row, by a jump
  Real* row;   // 0..cells, replaced by the last of the rows
  u32 places[kMost];

  // The last lane of `first`, and those of `others` but the last.
  static NLG_BODY Reals shifted(Reals first, Reals others) {
    if constexpr (kLanes == 8)
      return __builtin_shufflevector(first, others, 7, 8, 9, 10, 11, 12, 13, 14);
    else
      return __builtin_shufflevector(first, others, 3, 4, 5, 6);
  }
  static NLG_BODY Reals truncated(Reals x) {
    return __builtin_convertvector(__builtin_convertvector(x, Ints), Reals);
  }
};

// Rows for `count` characters of the reference. EED.cpp, which has floats, truncates each new minimum.
template <class Real, u32 kGroups>
NLG_BODY void eed_tool_rows(const u32* ref, u32 count, EedTool<Real>& rows) {
  using Tool = EedTool<Real>;
  using Reals = typename Tool::Reals;
  using Ints = typename Tool::Ints;
  constexpr u32 kLanes = Tool::kLanes;
  const Real infinity = std::numeric_limits<Real>::infinity();
  const Reals zero = {}, far = zero + infinity;
  const Reals deletion = zero + rows.deletion, insertion = zero + rows.insertion;
  const Reals substitution = zero + rows.substitution;
  const Real limit = rows.limit;
  const u32 columns = rows.cells, last = count - 1;
  Real* const row = rows.row;
  Ints character[kGroups], place[kGroups], at = {};
  Reals cells[kGroups], diagonal[kGroups], least[kGroups];
  for (u32 g = 0; g < kGroups; ++g) {
    for (u32 l = 0; l < kLanes; ++l) {
      const u32 k = g * kLanes + l;
      character[g][l] = k < count ? static_cast<int>(ref[k]) : -2;
    }
    place[g] = at, cells[g] = diagonal[g] = least[g] = far;
  }
  const auto step = [&](u32 t, auto edge) __attribute__((always_inline)) {
    Reals before = zero + (t <= columns ? std::min(row[t], limit) : infinity);
    for (u32 g = 0; g < kGroups; ++g) {
      const Reals up = Tool::shifted(before, cells[g]);
      Ints hyp;
      std::memcpy(&hyp, rows.hyp + columns - t + g * kLanes, sizeof hyp);
      const Reals change = diagonal[g] + (hyp == character[g] ? zero : substitution);
      const Reals add = up + insertion, leave = cells[g] + deletion;
      before = cells[g];
      Reals next = leave < change ? leave : change;
      next = add < next ? add : next;
      if (edge && t / kLanes == g) next[t % kLanes] = up[t % kLanes] + 1;  // the first column
      Ints lower = next < least[g];
      if (edge && t > columns)  // beyond the last column
        for (u32 l = 0; l < kLanes && g * kLanes + l < t - columns; ++l) lower[l] = 0;
      if constexpr (sizeof(Real) == 4)
        least[g] = lower ? Tool::truncated(next) : least[g];
      else
        least[g] = lower ? next : least[g];
      place[g] = lower ? at : place[g];
      diagonal[g] = up;
      cells[g] = next;
    }
    at += 1;
  };
  const u32 full = std::min(kGroups * kLanes, columns + 1);
  const auto save = [&](u32 t) __attribute__((always_inline)) { row[t - last] = cells[last / kLanes][last % kLanes]; };
  u32 t = 0;
  for (; t < full; ++t) {
    step(t, std::true_type());
    if (t >= last) save(t);
  }
  for (; t <= columns; ++t) {
    step(t, std::false_type());
    save(t);
  }
  for (; t <= columns + last; ++t) {
    step(t, std::true_type());
    if (t >= last) save(t);
  }
  for (u32 k = 0; k < count; ++k) rows.places[k] = static_cast<u32>(place[k / kLanes][k % kLanes]) - k;
}

template <class Real>
NLG_BODY void eed_tool_some_rows(const u32* ref, u32 count, EedTool<Real>& rows) {
  if (count <= EedTool<Real>::kLanes)
    eed_tool_rows<Real, 1>(ref, count, rows);
  else if (count <= 2 * EedTool<Real>::kLanes)
    eed_tool_rows<Real, 2>(ref, count, rows);
  else
    eed_tool_rows<Real, kEedGroups>(ref, count, rows);
}
template <class Real>
void eed_tool_rows_base(const u32* ref, u32 count, EedTool<Real>& rows) {
  eed_tool_some_rows(ref, count, rows);
}
template <class Real>
NLG_AVX2 void eed_tool_rows_avx2(const u32* ref, u32 count, EedTool<Real>& rows) {
  eed_tool_some_rows(ref, count, rows);
}

}  // namespace detail

class EedWorker final : public Worker {
 public:
  explicit EedWorker(const EedOptions& options) : o_(options), avx2_(NLG_HAS_AVX2()) {}

  void row(const Segment& s, double* out) override {
    read(s.hyp_text, hyp_);
    out[0] = s.ref_count() > 0 || hyp_.empty() ? 0 : 1;
    out[1] = 1;
    for (u32 r = 0; r < s.ref_count(); ++r) {
      read(s.ref_texts[r], ref_);
      const double score = o_.profile == EedProfile::kFormula    ? formula()
                           : o_.profile == EedProfile::kOfficial ? as_tool<float>()
                                                                 : as_tool<double>();
      out[0] = r == 0 ? score : std::min(out[0], score);
    }
  }

 private:
  // The characters between two blanks.
  static void read(std::string_view text, std::vector<u32>& out) {
    decode_all(text, out);
    out.insert(out.begin(), ' ');
    out.push_back(' ');
  }
  static bool blank(const std::vector<u32>& text) { return std::all_of(text.begin(), text.end(), is_space); }

  double formula() {
    if (blank(hyp_) || blank(ref_)) return blank(hyp_) != blank(ref_);
    const u32 cells = static_cast<u32>(hyp_.size());
    const u32 n = (cells + detail::kEedLanes - 1) / detail::kEedLanes * detail::kEedLanes;
    characters_.assign(n, -1);
    std::copy(hyp_.begin(), hyp_.end(), characters_.begin());
    slope_.resize(n);
    first_.resize(n + detail::kEedLanes);
    second_.resize(n + detail::kEedLanes);
    detail::EedRows rows{characters_.data(), n, slope_.data(), &first_[detail::kEedLanes], &second_[detail::kEedLanes],
                         nullptr};
    rows.before[-1] = 0;
    for (u32 i = 0; i < n; ++i) {
      slope_[i] = static_cast<int>(i + 1) * o_.deletion;
      rows.before[i] = o_.unit - slope_[i];
    }
    visits_.assign(cells + 1, 0);
    rows.visits = visits_.data();
    (avx2_ ? detail::eed_matrix_avx2 : detail::eed_matrix_base)(o_, ref_, cells, rows);
    double coverage = 0;
    for (u32 count : visits_) coverage += count > 0 ? count - 1 : 1;
    coverage *= o_.rho;
    const double cost = static_cast<double>(rows.before[cells - 1] + slope_[cells - 1]) / o_.unit;
    return std::min(1.0, (cost + coverage) / (static_cast<double>(ref_.size()) + coverage));
  }

  template <class Real>
  double as_tool() {
    using Rows = detail::EedTool<Real>;
    const u32 cells = static_cast<u32>(hyp_.size());
    const auto cost = [&](int units) { return static_cast<Real>(static_cast<double>(units) / o_.unit); };
    std::vector<typename Rows::Int> backwards(cells + 2 * Rows::kMost, -1);
    std::copy(hyp_.rbegin(), hyp_.rend(), backwards.begin() + Rows::kMost);
    std::vector<Real> row(cells + 1, 1);
    row[0] = 0;
    Rows rows{cost(o_.deletion), cost(o_.insertion), cost(o_.substitution), &backwards[Rows::kMost], cells,
              std::numeric_limits<Real>::infinity(), row.data(), {}};
    visits_.assign(cells + 1, 0);
    // Rows up to a blank at once: what follows may jump to the best place of the blank's row.
    for (u32 begin = 0, end; begin < ref_.size(); begin = end) {
      end = begin;
      while (end < ref_.size() && end < begin + Rows::kMost && (end == begin || ref_[end - 1] != ' ')) ++end;
      checkpoint(static_cast<std::size_t>(cells) * (end - begin) / 2);
      (avx2_ ? detail::eed_tool_rows_avx2<Real> : detail::eed_tool_rows_base<Real>)(&ref_[begin], end - begin, rows);
      for (u32 k = 0; k < end - begin; ++k) ++visits_[rows.places[k]];
      rows.limit = ref_[end - 1] == ' ' ? cost(o_.jump) + row[rows.places[end - begin - 1]]
                                        : std::numeric_limits<Real>::infinity();
    }
    Real coverage = 0;
    // EED.cpp leaves the first cell out.
    for (u32 i = o_.profile == EedProfile::kOfficial; i <= cells; ++i)
      coverage += static_cast<Real>(visits_[i] > 0 ? visits_[i] - 1 : 1);
    coverage *= static_cast<Real>(o_.rho);
    const Real reached = std::min(row[cells], rows.limit);
    return std::min(1.0, static_cast<double>((reached + coverage) / (static_cast<Real>(ref_.size()) + coverage)));
  }

  EedOptions o_;
  bool avx2_;
  std::vector<u32> hyp_, ref_, visits_;
  std::vector<int> characters_, slope_, first_, second_;
};

class EedKernel final : public Kernel {
 public:
  explicit EedKernel(const EedOptions& options) : options_(options) {}
  std::size_t columns() const override { return 2; }
  bool needs_words() const override { return false; }
  std::unique_ptr<Worker> worker() const override { return std::make_unique<EedWorker>(options_); }

 private:
  EedOptions options_;
};

}  // namespace nlg
