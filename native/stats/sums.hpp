// Exactly rounded sums of columns, whatever the order of the rows.
#pragma once

#include <cmath>
#include <vector>

#include "core/checkpoint.hpp"

namespace nlg {

// Keeps the exact sum as numbers whose bits do not overlap, smallest first (Shewchuk 1997).
class ExactSum {
 public:
  void add(double x) {
    std::size_t kept = 0;
    for (double y : parts_) {
      const double sum = x + y, back = sum - x;
      const double error = (x - (sum - back)) + (y - back);
      if (error != 0) parts_[kept++] = error;
      x = sum;
    }
    parts_.resize(kept);
    parts_.push_back(x);
  }

  double rounded() const {
    std::size_t n = parts_.size();
    if (n == 0) return 0;
    double sum = parts_[--n], error = 0;
    while (n > 0 && error == 0) {
      const double before = sum, part = parts_[--n];
      sum = before + part;
      error = part - (sum - before);
    }
    // Half-way: the parts that are left decide.
    if (n > 0 && (error < 0) == (parts_[n - 1] < 0) && error != 0) {
      const double twice = 2 * error, up = sum + twice;
      if (twice == up - sum) return up;
    }
    return sum;
  }

 private:
  std::vector<double> parts_;
};

// Columns of whole numbers below 2^51 are summed as they are; so are those that are not finite.
inline void column_sums(const double* rows, std::size_t size, std::size_t columns, double* sums) {
  constexpr std::size_t kTogether = 16;  // columns whose sums fit the registers
  for (std::size_t first = 0; first < columns; first += kTogether) {
    const std::size_t count = columns - first < kTogether ? columns - first : kTogether;
    double sum[kTogether] = {}, most[kTogether] = {}, fraction[kTogether] = {};
    for (std::size_t i = 0; i < size; ++i) {
      if (i % 4096 == 0) checkpoint(4096 * count);
      const double* const row = rows + i * columns + first;
      for (std::size_t c = 0; c < count; ++c) {
        const double x = row[c], whole = (x + 0x1.8p52) - 0x1.8p52;
        fraction[c] += std::fabs(x - whole);
        sum[c] += x;
        most[c] += std::fabs(x);
      }
    }
    for (std::size_t c = 0; c < count; ++c) {
      sums[first + c] = sum[c];
      if ((fraction[c] == 0 && most[c] < 0x1p51) || !std::isfinite(most[c])) continue;
      ExactSum exact;
      for (std::size_t i = 0; i < size; ++i) {
        checkpoint(8);
        exact.add(rows[i * columns + first + c]);
      }
      sums[first + c] = exact.rounded();
    }
  }
}

}  // namespace nlg
