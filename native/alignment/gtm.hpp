// General Text Matcher (Turian, Shen and Melamed, 2003), as its Java program 1.4 searches: the
// longest runs first. Columns: (sum of run^e)^(1/e), |h|, reference length, runs.
#pragma once

#include <cmath>

#include "core/kernel.hpp"

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
      checkpoint(32 + run.length);
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
  // Pairs of equal words looked at for one segment. If there are more, only those are that lie
  // nearest to the middle diagonal: any 2,048 words in each text, and more of most, are exact.
  static constexpr u64 kMostPairs = 1u << 22;

  void find_runs(Ids hyp, Ids refs, const u32* ends, u32 ref_count) {
    list_words(refs);
    u64 pairs = 0;
    for (u32 id : hyp) pairs += count(id);
    heap_.clear();
    for (u32 r = 0; r < ref_count; ++r) {
      const std::int64_t first = ends[r], size = ends[r + 1] - ends[r];
      // Diagonal d: hypothesis word i meets reference word i + d.
      std::int64_t low = -static_cast<std::int64_t>(hyp.size), high = size;
      if (pairs > kMostPairs) {
        const auto middle = (low + high) / 2;
        const auto half = static_cast<std::int64_t>(static_cast<double>(high - low) * kMostPairs / pairs / 2);
        low = middle - half, high = middle + half;
      }
      for (u32 i = 0; i < hyp.size; ++i) {
        checkpoint(count(hyp[i]));
        if (count(hyp[i]) == 0) continue;
        const u32 *const begin = at_.data() + starts_[hyp[i]], *const end = at_.data() + starts_[hyp[i] + 1];
        const auto from = first + std::max<std::int64_t>(0, i + low), to = first + std::min(size, i + high);
        for (const u32* p = from == 0 ? begin : std::lower_bound(begin, end, from); p < end && *p < to; ++p) {
          const u32 j = *p;
          if (i > 0 && j > first && hyp[i - 1] == refs[j - 1]) continue;  // inside of a run
          u32 length = 1;
          while (i + length < hyp.size && j + length < first + size && hyp[i + length] == refs[j + length]) ++length;
          heap_.push_back({length, i, j});
        }
      }
    }
    std::make_heap(heap_.begin(), heap_.end());
  }

  // Where each word stands in the references: at_[starts_[id]..starts_[id + 1]).
  void list_words(Ids refs) {
    const u32 largest = refs.size ? *std::max_element(refs.begin(), refs.end()) : 0;
    starts_.assign(largest + 2, 0);
    for (u32 id : refs) ++starts_[id + 1];
    for (u32 id = 1; id < starts_.size(); ++id) starts_[id] += starts_[id - 1];
    next_ = starts_;
    at_.resize(refs.size);
    for (u32 j = 0; j < refs.size; ++j) at_[next_[refs[j]]++] = j;
  }
  u32 count(u32 id) const { return id == 0 || id + 1 >= starts_.size() ? 0 : starts_[id + 1] - starts_[id]; }

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
  std::vector<u32> starts_, next_, at_;
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
