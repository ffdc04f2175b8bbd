// The counts behind the measures of speech recognition (Morris et al., 2004), of the alignment that
// jiwer looks at: of the cheapest ones, the one rapidfuzz (3.x) traces back.
// Columns: hits, substitutions, insertions (words only h has), deletions (words only r has).
#pragma once

#include "edit/edit.hpp"
#include "core/kernel.hpp"
#include "edit/levenshtein.hpp"

namespace nlg {

// Traced back from the end of what is left between common ends: words only the reference has are
// preferred to words only the hypothesis has, and these to substitutions. As in rapidfuzz, texts
// whose matrix is large are first cut where the two halves of the hypothesis meet most cheaply, at
// the leftmost such place of the reference: memory stays linear.
class RecognitionAlignment {
 public:
  // Calls report(edit) for each step, from the start to the end.
  template <class F>
  void align(Ids hyp, Ids ref, u32 vocabulary, F&& report) {
    align(hyp, ref, vocabulary, std::max(hyp.size, ref.size), report);
  }

 private:
  template <class F>
  void align(Ids hyp, Ids ref, u32 vocabulary, u32 most, F&& report) {
    u32 prefix = 0, suffix = 0;
    const u32 shorter = std::min(hyp.size, ref.size);
    while (prefix < shorter && hyp[prefix] == ref[prefix]) ++prefix;
    while (suffix < shorter - prefix && hyp[hyp.size - 1 - suffix] == ref[ref.size - 1 - suffix]) ++suffix;
    for (u32 k = 0; k < prefix; ++k) report(Edit::kMatch);
    middle(inside(hyp, prefix, hyp.size - suffix), inside(ref, prefix, ref.size - suffix), vocabulary, most, report);
    for (u32 k = 0; k < suffix; ++k) report(Edit::kMatch);
  }

  static Ids inside(Ids text, u32 first, u32 last) { return {text.data + first, last - first}; }

  template <class F>
  void middle(Ids hyp, Ids ref, u32 vocabulary, u32 most, F&& report) {
    most = std::min(most, std::max(hyp.size, ref.size));
    const u64 band = std::min<u64>(ref.size, 2ull * most + 1);
    if (2 * band * hyp.size / 8 < kMatrixBytes || ref.size < 65 || hyp.size < 10) {
      trace(hyp, ref, vocabulary, report);
      return;
    }
    const u32 half = hyp.size / 2;
    const Ids first = inside(hyp, 0, half), second = inside(hyp, half, hyp.size);
    last_column(first, ref, vocabulary, left_);
    reversed(second, hyp_backwards_);
    reversed(ref, ref_backwards_);
    last_column(ids(hyp_backwards_), ids(ref_backwards_), vocabulary, right_);
    u32 cut = 0;
    for (u32 j = 1; j <= ref.size; ++j)
      if (left_[j] + right_[ref.size - j] < left_[cut] + right_[ref.size - cut]) cut = j;
    const u32 left = left_[cut], right = right_[ref.size - cut];
    align(first, inside(ref, 0, cut), vocabulary, left, report);
    align(second, inside(ref, cut, ref.size), vocabulary, right, report);
  }

  static Ids ids(const std::vector<u32>& v) { return {v.data(), static_cast<u32>(v.size())}; }
  static void reversed(Ids text, std::vector<u32>& out) {
    out.assign(text.begin(), text.end());
    std::reverse(out.begin(), out.end());
  }

  // Distances of the whole hypothesis to the reference's first 0, 1, 2, ... words.
  void last_column(Ids hyp, Ids ref, u32 vocabulary, std::vector<u32>& column) {
    column.assign(ref.size + 1, hyp.size);
    levenshtein_.sweep(hyp, ref, vocabulary, [&](u32 block, u32 i, u64 vp, u64 vn) {
      if (i + 1 < hyp.size) return;
      for (u32 j = 64 * block; j < std::min(64 * block + 64, ref.size); ++j)
        column[j + 1] = column[j] + static_cast<u32>(vp >> j % 64 & 1) - static_cast<u32>(vn >> j % 64 & 1);
    });
  }

  template <class F>
  void trace(Ids hyp, Ids ref, u32 vocabulary, F&& report) {
    const u32 width = (ref.size + 63) / 64;
    grows_.resize(static_cast<std::size_t>(hyp.size) * width);
    falls_.resize(grows_.size());
    levenshtein_.sweep(hyp, ref, vocabulary, [&](u32 block, u32 i, u64 vp, u64 vn) {
      grows_[static_cast<std::size_t>(i) * width + block] = vp;
      falls_[static_cast<std::size_t>(i) * width + block] = vn;
    });
    const auto bit = [&](const std::vector<u64>& matrix, u32 i, u32 j) {
      return matrix[static_cast<std::size_t>(i) * width + j / 64] >> j % 64 & 1;
    };
    steps_.clear();
    u32 i = hyp.size, j = ref.size;
    while (i > 0 && j > 0) {
      Edit edit = Edit::kInsert;
      if (!bit(grows_, i - 1, j - 1)) {
        --i;
        if (i > 0 && bit(falls_, i - 1, j - 1)) edit = Edit::kDelete;
        else edit = hyp[i] == ref[j - 1] ? Edit::kMatch : Edit::kSubstitute;
      }
      j -= edit != Edit::kDelete;
      steps_.push_back(edit);
    }
    steps_.insert(steps_.end(), j, Edit::kInsert);
    steps_.insert(steps_.end(), i, Edit::kDelete);
    for (auto step = steps_.rbegin(); step != steps_.rend(); ++step) report(*step);
  }

  static constexpr u64 kMatrixBytes = 1 << 20;

  Levenshtein levenshtein_;
  std::vector<u64> grows_, falls_;  // [i][block]: where the distance grows or falls along the reference
  std::vector<u32> left_, right_, hyp_backwards_, ref_backwards_;
  std::vector<Edit> steps_;
};

class RecognitionWorker final : public Worker {
 public:
  explicit RecognitionWorker(bool information) : information_(information) {}

  // The reference with the lowest match error rate, or with the most information preserved.
  void row(const Segment& s, double* out) override {
    std::fill_n(out, 4, 0);
    double best = 0;
    for (u32 r = 0; r < s.ref_count(); ++r) {
      double counts[4] = {};
      alignment_.align(s.hyp(), s.ref(r), s.vocabulary, [&](Edit edit) { ++counts[column(edit)]; });
      const double value = information_ ? preserved(s.hyp().size, s.ref(r).size, counts[0]) : matched(counts);
      if (r == 0 || value > best) best = value, std::copy_n(counts, 4, out);
    }
  }

 private:
  static int column(Edit edit) {
    switch (edit) {
      case Edit::kMatch: return 0;
      case Edit::kSubstitute: return 1;
      case Edit::kDelete: return 2;
      default: return 3;
    }
  }
  static double matched(const double* counts) {
    const double all = counts[0] + counts[1] + counts[2] + counts[3];
    return all > 0 ? counts[0] / all : 1;
  }
  static double preserved(u32 hyp, u32 ref, double hits) {
    if (hyp == 0 || ref == 0) return hyp == ref;
    return hits / ref * (hits / hyp);
  }

  bool information_;
  RecognitionAlignment alignment_;
};

class RecognitionKernel final : public Kernel {
 public:
  explicit RecognitionKernel(bool information) : information_(information) {}
  std::size_t columns() const override { return 4; }
  bool needs_spelling() const override { return false; }
  std::unique_ptr<Worker> worker() const override { return std::make_unique<RecognitionWorker>(information_); }

 private:
  bool information_;
};

}  // namespace nlg
