// Error rates over the words of a reference: a distance to each reference, and a rule that says
// which distance and which length stand for the segment.
//
// Columns: distance, reference length, hypothesis length, matches (0 where the distance has none).
#pragma once

#include <cmath>

#include "core/kernel.hpp"

namespace nlg {

struct Errors {
  double distance = 0, length = 0, hyp_length = 0, matches = 0;
  double rate() const { return length > 0 ? distance / length : distance > 0 ? HUGE_VAL : 0; }
};

// The first four: the smallest distance over a length that follows a rule of its own. kBest: the
// smallest rate. kNearest: the smallest distance with that reference's length. kMoses: the choice of
// Moses' scorers (2025-02-03), which cast 1 - rate to an integer before they compare, so that the
// first reference nearly always stays.
enum class ErrorChoice { kClosest, kShortest, kAverage, kAvgNearest, kBest, kNearest, kMoses };

class ErrorRule {
 public:
  explicit ErrorRule(ErrorChoice choice) : choice_(choice) {}

  Errors operator()(const std::vector<Errors>& all) const {
    if (all.empty()) return {};
    Errors chosen = all[0];
    for (const Errors& e : all)
      if (better(e, chosen)) chosen = e;
    if (choice_ < ErrorChoice::kBest) chosen.length = length(all);
    return chosen;
  }

 private:
  bool better(const Errors& e, const Errors& than) const {
    switch (choice_) {
      case ErrorChoice::kBest: return e.rate() < than.rate() || (e.rate() == than.rate() && e.length < than.length);
      case ErrorChoice::kMoses: return truncated(e) > truncated(than);
      case ErrorChoice::kNearest:
        return e.distance < than.distance || (e.distance == than.distance && e.length > than.length);
      default: return e.distance < than.distance;
    }
  }
  static int truncated(const Errors& e) {
    if (e.length == 0) return 1;
    return static_cast<int>(1.0f - static_cast<float>(e.distance) / static_cast<float>(e.length));
  }

  // Of the references with the smallest key, the shortest; or the mean, where the rule says so.
  double length(const std::vector<Errors>& all) const {
    double least = HUGE_VAL, shortest = 0, sum = 0, count = 0;
    for (const Errors& e : all) {
      const double k = key(e);
      if (k < least) least = k, shortest = e.length, sum = count = 0;
      if (k == least) shortest = std::min(shortest, e.length), sum += e.length, ++count;
    }
    return choice_ == ErrorChoice::kAverage || choice_ == ErrorChoice::kAvgNearest ? sum / count : shortest;
  }
  double key(const Errors& e) const {
    switch (choice_) {
      case ErrorChoice::kClosest: return std::abs(e.length - e.hyp_length);
      case ErrorChoice::kShortest: return e.length;
      case ErrorChoice::kAvgNearest: return e.distance;
      default: return 0;
    }
  }
  ErrorChoice choice_;
};

// Distance has `void start(const Segment&)`, `Errors operator()(const Segment&, u32 reference)` and
// `kWords`, whether it compares words.
template <class Distance>
class ErrorRateWorker final : public Worker {
 public:
  ErrorRateWorker(const Distance& distance, ErrorChoice choice) : distance_(distance), rule_(choice) {}
  void row(const Segment& s, double* out) override {
    distance_.start(s);
    all_.clear();
    for (u32 r = 0; r < s.ref_count(); ++r) all_.push_back(distance_(s, r));
    const Errors e = all_.size() == 1 ? all_[0] : rule_(all_);
    out[0] = e.distance;
    out[1] = e.length;
    out[2] = e.hyp_length;
    out[3] = e.matches;
  }

 private:
  Distance distance_;
  ErrorRule rule_;
  std::vector<Errors> all_;
};

template <class Distance>
class ErrorRateKernel final : public Kernel {
 public:
  ErrorRateKernel(Distance distance, ErrorChoice choice) : distance_(std::move(distance)), choice_(choice) {}
  std::size_t columns() const override { return 4; }
  bool needs_words() const override { return Distance::kWords; }
  std::unique_ptr<Worker> worker() const override {
    return std::make_unique<ErrorRateWorker<Distance>>(distance_, choice_);
  }

 private:
  Distance distance_;
  ErrorChoice choice_;
};

}  // namespace nlg
