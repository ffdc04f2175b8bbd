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
    const bool truncates = o_.profile == EedProfile::kOfficial;
    const std::size_t cells = hyp_.size();
    const auto cost = [&](int units) { return static_cast<Real>(static_cast<double>(units) / o_.unit); };
    const Real deletion = cost(o_.deletion), insertion = cost(o_.insertion), substitution = cost(o_.substitution);
    std::vector<Real> row(cells + 1, 1), next(cells + 1);
    row[0] = 0;
    visits_.assign(cells + 1, 0);
    for (u32 character : ref_) {
      checkpoint(cells);
      next[0] = row[0] + 1;
      Real minimum = truncates ? std::trunc(next[0]) : next[0];
      std::size_t place = 0;
      for (std::size_t i = 1; i <= cells; ++i) {
        const Real change = row[i - 1] + (hyp_[i - 1] == character ? 0 : substitution);
        next[i] = std::min(std::min(next[i - 1] + deletion, change), row[i] + insertion);
        if (next[i] < minimum) place = i, minimum = truncates ? std::trunc(next[i]) : next[i];
      }
      ++visits_[place];
      if (character == ' ') {
        const Real limit = cost(o_.jump) + next[place];
        for (Real& cell : next) cell = std::min(cell, limit);
      }
      row.swap(next);
    }
    Real coverage = 0;
    for (std::size_t i = truncates; i <= cells; ++i) coverage += static_cast<Real>(visits_[i] > 0 ? visits_[i] - 1 : 1);
    coverage *= static_cast<Real>(o_.rho);
    return std::min(1.0, static_cast<double>((row[cells] + coverage) / (static_cast<Real>(ref_.size()) + coverage)));
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
