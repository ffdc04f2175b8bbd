// General Text Matcher (Turian, Shen and Melamed, 2003), as its Java program 1.4 searches: the
// longest runs first. Columns: (sum of run^e)^(1/e), |h|, reference length, runs.
#pragma once

#include <cmath>

#include "kernel.hpp"

namespace nlg {

enum class GtmReferences {
  kJoint,  // runs from all references together, no more words than the mean reference has
  kBest    // each reference for itself
};

// A matching of a hypothesis with one or more references: runs of words, contiguous in both.
class GtmMatching {
 public:
  struct Run {
    u32 length, hyp, ref;  // ref counts on over the references
    // The longest first, then the last in the hypothesis, then the last in the references.
    bool operator<(const Run& o) const {
      return length != o.length ? length < o.length : hyp != o.hyp ? hyp < o.hyp : ref < o.ref;
    }
  };

  // Takes runs greedily until `limit` words are matched; the program counts fractions of a word
  // where the mean reference length does. Returns the sum of run lengths to the power of e.
  double match(Ids hyp, Ids refs, const u32* ends, u32 ref_count, double limit, double e) {
    find_runs(hyp, refs, ends, ref_count);
    hyp_used_.assign(hyp.size, 0);
    ref_used_.assign(refs.size, 0);
    taken_.clear();
    double sum = 0;
    while (limit > 0 && !heap_.empty()) {
      std::pop_heap(heap_.begin(), heap_.end());
      const Run run = heap_.back();
      heap_.pop_back();
      if (split(run)) continue;
      const double length = std::min<double>(run.length, limit);
      const auto whole = static_cast<u32>(std::ceil(length));
      std::fill_n(hyp_used_.begin() + run.hyp, whole, 1);
      std::fill_n(ref_used_.begin() + run.ref, whole, 1);
      taken_.push_back({whole, run.hyp, run.ref});
      limit -= length;
      sum += std::pow(length, e);
    }
    return sum;
  }
  const std::vector<Run>& taken() const { return taken_; }

 private:
  // Cells of the word-by-word table looked at for one segment: up to 2,048 words in each text are
  // matched exactly; of longer ones only the diagonals nearest to the middle one are searched.
  static constexpr u64 kMostCells = 1u << 22;

  void find_runs(Ids hyp, Ids refs, const u32* ends, u32 ref_count) {
    heap_.clear();
    const u64 cells = static_cast<u64>(hyp.size) * std::max(1u, refs.size);
    for (u32 r = 0; r < ref_count; ++r) {
      const u32 first = ends[r], size = ends[r + 1] - first;
      // Diagonal d: hypothesis word i meets reference word i + d.
      std::int64_t low = 1 - static_cast<std::int64_t>(hyp.size), high = size;
      if (cells > kMostCells) {
        const auto middle = (low + high) / 2, half = static_cast<std::int64_t>((high - low) * kMostCells / cells) / 2;
        low = middle - half, high = middle + half + 1;
      }
      for (std::int64_t d = low; d < high; ++d) {
        const auto begin = static_cast<u32>(std::max<std::int64_t>(0, -d));
        const auto end = static_cast<u32>(std::min<std::int64_t>(hyp.size, size - d));
        const u32* const other = refs.data + first + d;
        for (u32 i = begin; i < end; ++i) {
          if (hyp[i] != other[i]) continue;
          const u32 start = i;
          while (i < end && hyp[i] == other[i]) ++i;
          heap_.push_back({i - start, start, static_cast<u32>(first + d + start)});
        }
      }
    }
    std::make_heap(heap_.begin(), heap_.end());
  }

  // Whether words of the run are used by now; if so, its free pieces take its place.
  bool split(const Run& run) {
    u32 start = 0;
    bool any = false;
    const auto piece = [&](u32 end) {
      if (!any || end == start) return;
      heap_.push_back({end - start, run.hyp + start, run.ref + start});
      std::push_heap(heap_.begin(), heap_.end());
    };
    for (u32 k = 0; k < run.length; ++k) {
      if (!hyp_used_[run.hyp + k] && !ref_used_[run.ref + k]) continue;
      any = true;
      piece(k);
      start = k + 1;
    }
    piece(run.length);
    return any;
  }

  std::vector<Run> heap_, taken_;
  std::vector<u8> hyp_used_, ref_used_;
};

class GtmWorker final : public Worker {
 public:
  GtmWorker(double exponent, GtmReferences rule) : e_(exponent), rule_(rule) {}

  void row(const Segment& s, double* out) override {
    const double hyp_size = s.hyp().size;
    const u32 count = s.ref_count();
    out[0] = out[2] = out[3] = 0;
    out[1] = hyp_size;
    if (count == 0) return;
    if (rule_ == GtmReferences::kJoint) {
      const double mean = static_cast<double>(s.all_refs().size) / count;
      set(out, matching_.match(s.hyp(), s.all_refs(), s.ref_ends().data(), count, std::min(hyp_size, mean), e_), mean);
      return;
    }
    double best = -1;
    for (u32 r = 0; r < count; ++r) {
      const Ids ref = s.ref(r);
      const u32 ends[] = {0, ref.size};
      const double sum = matching_.match(s.hyp(), ref, ends, 1, std::min<double>(hyp_size, ref.size), e_);
      const double f = 2 * std::pow(sum, 1 / e_) / std::max(1.0, hyp_size + ref.size);
      if (f <= best) continue;
      best = f;
      set(out, sum, ref.size);
    }
  }

 private:
  void set(double* out, double sum, double ref_size) const {
    out[0] = std::pow(sum, 1 / e_);
    out[2] = ref_size;
    out[3] = static_cast<double>(matching_.taken().size());
  }
  double e_;
  GtmReferences rule_;
  GtmMatching matching_;
};

class GtmKernel final : public Kernel {
 public:
  GtmKernel(double exponent, GtmReferences rule) : e_(exponent), rule_(rule) {}
  std::size_t columns() const override { return 4; }
  std::unique_ptr<Worker> worker() const override { return std::make_unique<GtmWorker>(e_, rule_); }

 private:
  double e_;
  GtmReferences rule_;
};

}  // namespace nlg
