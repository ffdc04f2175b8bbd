// Texts compared by the vectors of their words: averages, extrema and greedy matching.
#pragma once

#include "vectors/transport.hpp"

namespace nlg {

// kMaxMin and kAll: RUBER's, the largest and the least numbers of each dimension one after the other,
// and for kAll their means.
enum class Pooling { kAverage, kExtrema, kToolExtrema, kMaxMin, kAll };

// Numbers of a pooled vector for each dimension.
inline std::size_t pooled_parts(Pooling pooling) { return pooling == Pooling::kAll ? 3 : pooling == Pooling::kMaxMin ? 2 : 1; }

// The lanes of a dot product are the same whatever the processor.
inline double dot(const double* a, const double* b, std::size_t size) {
  double sums[4] = {0, 0, 0, 0};
  std::size_t k = 0;
  for (; k + 4 <= size; k += 4)
    for (std::size_t lane = 0; lane < 4; ++lane) sums[lane] += a[k + lane] * b[k + lane];
  for (; k < size; ++k) sums[0] += a[k] * b[k];
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

// Words of one text, as rows of points; negative ones are left out.
struct PointWords {
  const std::int32_t* data;
  std::size_t size;
  const std::int32_t* begin() const { return data; }
  const std::int32_t* end() const { return data + size; }
};

// One vector for a text; a text without words that count has `empty` in every place, and if that is
// no number, false is returned.
inline bool pool(const Points& points, PointWords words, Pooling pooling, double empty, double* out) {
  const std::size_t width = points.width;
  std::vector<double> least(width, 0), most(width, 0), sum(width, 0);
  std::size_t count = 0;
  for (const std::int32_t word : words) {
    if (word < 0) continue;
    checkpoint(width);
    const float* const point = points[word];
    for (std::size_t k = 0; k < width; ++k) {
      sum[k] += point[k];
      if (pooling == Pooling::kAverage) continue;
      least[k] = count ? std::min<double>(least[k], point[k]) : point[k];
      most[k] = count ? std::max<double>(most[k], point[k]) : point[k];
    }
    ++count;
  }
  if (count == 0 && !std::isnan(empty)) {
    std::fill_n(out, width * pooled_parts(pooling), empty);
    return true;
  }
  for (std::size_t k = 0; k < width; ++k) {
    switch (pooling) {
      case Pooling::kAverage: out[k] = sum[k]; break;
      case Pooling::kAll: out[2 * width + k] = count ? sum[k] / static_cast<double>(count) : 0; [[fallthrough]];
      case Pooling::kMaxMin: out[k] = most[k], out[width + k] = least[k]; break;
      default: {
        // nlg-eval takes the least where it is 0, though the most is farther from it.
        const bool farther = most[k] > std::abs(least[k]) && !(pooling == Pooling::kToolExtrema && least[k] == 0);
        out[k] = farther ? most[k] : least[k];
      }
    }
  }
  return count > 0;
}

// The cosine of two vectors; 0 if one has no direction.
inline double cosine(const double* a, const double* b, std::size_t size) {
  const double norms = std::sqrt(dot(a, a, size)) * std::sqrt(dot(b, b, size));
  return norms > 0 ? std::clamp(dot(a, b, size) / norms, -1.0, 1.0) : 0;
}

// Points of length 1, in double precision; those without a direction stay 0.
inline std::vector<double> unit_points(const Points& points, std::size_t count) {
  std::vector<double> unit(count * points.width);
  for (std::size_t i = 0; i < count; ++i) {
    checkpoint(points.width);
    double* const row = unit.data() + i * points.width;
    std::copy(points[i], points[i] + points.width, row);
    const double norm = std::sqrt(dot(row, row, points.width));
    if (norm > 0)
      for (std::size_t k = 0; k < points.width; ++k) row[k] /= norm;
  }
  return unit;
}

// The best cosine of each word of either text to a word of the other.
class GreedyMatching {
 public:
  GreedyMatching(const std::vector<double>& unit, std::size_t width) : unit_(unit), width_(width) {}

  // Means over the words of hyp and of ref; NaN if a text has none that counts.
  std::pair<double, double> operator()(PointWords hyp, PointWords ref) {
    best_.assign(ref.size, -2);
    double hyp_sum = 0, ref_sum = 0;
    std::size_t hyp_count = 0, ref_count = 0;
    for (const std::int32_t x : hyp) {
      if (x < 0) continue;
      double best = -2;
      for (std::size_t j = 0; j < ref.size; ++j) {
        const std::int32_t y = ref.data[j];
        if (y < 0) continue;
        const double similarity = std::clamp(dot(&unit_[x * width_], &unit_[y * width_], width_), -1.0, 1.0);
        best = std::max(best, similarity);
        best_[j] = std::max(best_[j], similarity);
      }
      checkpoint(ref.size * width_ / 4);
      hyp_sum += best;
      ++hyp_count;
    }
    for (std::size_t j = 0; j < ref.size; ++j)
      if (ref.data[j] >= 0) ref_sum += best_[j], ++ref_count;
    if (hyp_count == 0 || ref_count == 0) return {kUndefined, kUndefined};
    return {hyp_sum / static_cast<double>(hyp_count), ref_sum / static_cast<double>(ref_count)};
  }

 private:
  static constexpr double kUndefined = std::numeric_limits<double>::quiet_NaN();
  const std::vector<double>& unit_;
  std::size_t width_;
  std::vector<double> best_;
};

}  // namespace nlg
