// Scores of all spans of a sentence by the gaps between words at their ends, and what is best by them.
#pragma once

#include <array>

#include "structure/cky.hpp"
#include "vectors/floats.hpp"

namespace nlg {

// score(i, j) = W · max(0, left[i] + right[j]) + b, for each label.
class SpanScores {
 public:
  static constexpr std::size_t kTile = 16;  // labels are filled up with some that are never best

  SpanScores(const float* weight, const float* bias, std::size_t labels, std::size_t width)
      : width_(width), labels_((labels + kTile - 1) / kTile * kTile), linear_(filled(weight, bias, labels)) {}

  std::size_t width() const { return width_; }
  std::size_t labels() const { return labels_; }

  // left, right: [n + 1, width]; scores: [spans, labels].
  void operator()(const float* left, const float* right, std::size_t n, std::vector<float>& scores) const {
    thread_local std::vector<float> hidden;
    hidden.resize(kRows * width_);
    scores.resize(spans_of(n) * labels_);
    std::size_t done = 0, rows = 0;
    const auto flush = [&] {
      linear_(float_kernels(), hidden.data(), rows, scores.data() + done * labels_);
      done += rows;
      rows = 0;
    };
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = i + 1; j <= n; ++j) {
        const float *a = left + i * width_, *b = right + j * width_;
        float* row = hidden.data() + rows * width_;
        for (std::size_t k = 0; k < width_; ++k) row[k] = std::max(0.f, a[k] + b[k]);
        if (++rows == kRows) flush();
      }
    flush();
  }

 private:
  static constexpr std::size_t kRows = 120;

  Linear filled(const float* weight, const float* bias, std::size_t labels) const {
    std::vector<float> w(labels_ * width_, 0.f), b(labels_, -1e30f);
    std::copy(weight, weight + labels * width_, w.begin());
    std::copy(bias, bias + labels, b.begin());
    return Linear(w.data(), b.data(), labels_, width_);
  }

  std::size_t width_, labels_;
  Linear linear_;
};

// The arguments of one predicate: spans without overlap that are best by their labels, of which 0 is
// none. One is the predicate's own, labelled `verb`.
inline std::vector<std::array<std::int32_t, 3>> best_arguments(const std::vector<float>& scores, std::size_t labels,
                                                               std::size_t n, std::size_t predicate,
                                                               std::size_t verb) {
  constexpr double kSure = 1e6;  // more than all other spans together
  thread_local std::vector<double> values;
  thread_local std::vector<std::size_t> best;
  thread_local std::vector<std::uint8_t> chosen;
  values.resize(spans_of(n));
  best.resize(spans_of(n));
  chosen.resize(spans_of(n));
  for (std::size_t i = 0, span = 0; i < n; ++i)
    for (std::size_t j = i + 1; j <= n; ++j, ++span) {
      const float* row = scores.data() + span * labels;
      const bool own = i <= predicate && predicate < j;
      std::size_t label = own ? verb : verb == 1 ? 2 : 1;
      if (!own)
        for (std::size_t l = label + 1; l < labels; ++l)
          if (l != verb && row[l] > row[label]) label = l;
      best[span] = label;
      values[span] = static_cast<double>(row[label]) - row[0] + (own ? kSure : 0);
    }
  best_disjoint(values.data(), n, chosen.data());
  std::vector<std::array<std::int32_t, 3>> found;
  for (std::size_t i = 0, span = 0; i < n; ++i)
    for (std::size_t j = i + 1; j <= n; ++j, ++span)
      if (chosen[span])
        found.push_back({static_cast<std::int32_t>(i), static_cast<std::int32_t>(j), static_cast<std::int32_t>(best[span])});
  return found;
}

}  // namespace nlg
