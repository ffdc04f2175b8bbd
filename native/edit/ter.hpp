// Translation edit rate: block shifts chosen greedily, then Levenshtein distance; tercom's search
// as sacreBLEU 2.6 implements it. Statistics: fewest edits over the references, mean reference length.
#pragma once

#include "core/kernel.hpp"
#include "ngram/reflength.hpp"
#include "edit/shifts.hpp"

namespace nlg {

struct TerLimits {
  int shift_size = 10, shift_distance = 50, candidates = 1000;
};

class TerSearch : ShiftSearch {
 public:
  explicit TerSearch(TerLimits limits) : limits_(limits) {}

  int edits(Ids hyp, Ids ref, u32 vocabulary) {
    if (ref.size == 0) return static_cast<int>(hyp.size);
    if (hyp.size == 0) return static_cast<int>(ref.size);
    start(hyp, ref, vocabulary);
    shifts_.clear();
    // Below this distance every optimal path stays inside the beam, so that the exact distance is
    // also the beam's.
    safe_ = 46 - std::abs(static_cast<int>(ref.size) - static_cast<int>(hyp.size));
    int checked = 0;
    for (int shifts = 0;; ++shifts) {
      const int exact = measure_words<true>();
      if (exact == least_distance_ && exact < safe_) return shifts + exact;
      const int distance = align(exact);
      checked += find_candidates(limits_.candidates - checked);
      // Where the limit is reached, the round's best shift is dropped.
      if (checked >= limits_.candidates || candidates_.empty()) return shifts + distance;
      const Shift* best = best_candidate(distance, exact);
      if (best == nullptr) return shifts + distance;
      shifts_.push_back(*best);
      shift_words(*best);
    }
  }

  // Of the last search between texts with words: the shifts, and the edits after them.
  const std::vector<Shift>& shifts() const { return shifts_; }
  const std::vector<Edit>& script() {
    align(measure_words<true>());
    return edits_;
  }

 private:
  // Which words are in error and where each reference word is aligned; returns the beam's distance.
  int align(int distance) {
    if (distance >= safe_) distance = beam_.trace(words(), ref_, edits_);
    else follow_columns(distance);
    read_alignment();
    return distance;
  }

  void follow_columns(int d) {
    const u32 width = masks_.width();
    const std::size_t column = 2 * width;
    edits_.clear();
    for (int i = nh(), j = nr(); i > 0 || j > 0;) {
      if (i == 0 || j == 0) {
        edits_.push_back(i == 0 ? Edit::kInsert : Edit::kDelete);
        i == 0 ? --j : --i;
        continue;
      }
      const u32 block = (j - 1) / 64, bit = (j - 1) % 64;
      const auto at = [&](const std::vector<u64>& v, int row, u32 half) {
        return static_cast<int>(v[row * column + half * width + block] >> bit & 1);
      };
      const int above = d - at(growth_, i, 0) + at(growth_, i, 1);
      const int diagonal = above - at(columns_, i - 1, 0) + at(columns_, i - 1, 1);
      const bool same = masks_[words_[i - 1]][block] >> bit & 1;
      if (diagonal + !same == d) {
        edits_.push_back(same ? Edit::kMatch : Edit::kSubstitute);
        d = diagonal, --i, --j;
      } else if (above + 1 == d) {
        edits_.push_back(Edit::kDelete);
        d = above, --i;
      } else {
        edits_.push_back(Edit::kInsert);
        --d, --j;
      }
    }
    std::reverse(edits_.begin(), edits_.end());
  }

  void read_alignment() {
    aligned_.resize(nr());
    hyp_errors_.assign(1, 0);
    ref_errors_.assign(1, 0);
    int h = -1, r = -1;
    for (Edit op : edits_) {
      const int error = op != Edit::kMatch;
      if (op != Edit::kInsert) ++h, hyp_errors_.push_back(hyp_errors_.back() + error);
      if (op != Edit::kDelete) aligned_[++r] = h, ref_errors_.push_back(ref_errors_.back() + error);
    }
  }

  // Lists the shifts worth trying, in sacreBLEU's order, until `room` is used up; returns how many.
  int find_candidates(int room) {
    candidates_.clear();
    for (int start = 0; start < nh(); ++start) {
      for (int match = first_[words_[start]]; match < nr(); match = next_[match]) {
        if (std::abs(match - start) > limits_.shift_distance) continue;
        for (int length = 1; length <= limits_.shift_size; ++length) {
          if (start + length > nh() || match + length > nr() || words_[start + length - 1] != ref_[match + length - 1])
            break;
          const bool hyp_wrong = hyp_errors_[start + length] > hyp_errors_[start];
          const bool ref_wrong = ref_errors_[match + length] > ref_errors_[match];
          const bool inside = start <= aligned_[match] && aligned_[match] < start + length;
          if (!hyp_wrong || !ref_wrong || inside) continue;
          int previous = -1;
          for (int r = match - 1; r < match + length && r < nr(); ++r) {
            const int target = r < 0 ? 0 : aligned_[r] + 1;
            if (target != previous) candidates_.push_back({start, length, target});
            previous = target;
          }
          if (static_cast<int>(candidates_.size()) >= room) return static_cast<int>(candidates_.size());
        }
      }
    }
    return static_cast<int>(candidates_.size());
  }

  // The candidate with the largest gain (then longest, leftmost, leftmost target), if any gains.
  const Shift* best_candidate(int distance, int exact) {
    // A shift saves at most twice its length: where all versions leave the beam, its distance is all
    // that counts.
    int longest = 0;
    for (const Shift& shift : candidates_) longest = std::max(longest, shift.length);
    const bool beam_only = exact - 2 * longest >= safe_;
    if (!beam_only) measure_candidates();
    const Shift* best = nullptr;
    int best_gain = 0;
    for (std::size_t c = 0; c < candidates_.size(); ++c) {
      const Shift& shift = candidates_[c];
      const int shifted = beam_only || shifted_distance_[c] >= safe_ ? beam_distance(shift, exact) : shifted_distance_[c];
      const int gain = distance - shifted;
      const bool better =
          gain != best_gain || best == nullptr
              ? gain > best_gain
              : shift.length != best->length   ? shift.length > best->length
                : shift.start != best->start ? shift.start < best->start
                                             : shift.target < best->target;
      if (better) best = &shift, best_gain = gain;
    }
    return best;
  }

  int beam_distance(const Shift& shift, int exact) {
    apply(shift, words_.data(), shifted_.data());
    const Ids shifted{shifted_.data(), static_cast<u32>(shifted_.size())};
    if (exact < safe_) return beam_.distance(shifted, ref_);  // `align` has not traced the words
    return beam_.changed(shifted, ref_, shift.first_changed(), shift.end_changed());
  }

  TerLimits limits_;
  int safe_ = 0;
  BeamDistance beam_;
  std::vector<int> aligned_, hyp_errors_, ref_errors_;
  std::vector<Edit> edits_;
  std::vector<Shift> shifts_;
};

class TerWorker final : public Worker {
 public:
  explicit TerWorker(TerLimits limits) : search_(limits) {}
  void row(const Segment& s, double* out) override {
    int fewest = 0;
    double length = 0;
    // No order of the words needs fewer edits than there are words without a partner: references
    // that cannot win are not searched.
    order_.clear();
    for (u32 r = 0; r < s.ref_count(); ++r) {
      length += s.ref(r).size;
      order_.emplace_back(s.ref_count() > 1 ? unmatched_(s, r) : 0, r);
    }
    std::sort(order_.begin(), order_.end());
    for (std::size_t k = 0; k < order_.size(); ++k) {
      const auto [at_least, r] = order_[k];
      if (k > 0 && at_least >= fewest) break;
      const int edits = search_.edits(s.hyp(), s.ref(r), s.vocabulary);
      fewest = k == 0 ? edits : std::min(fewest, edits);
    }
    out[0] = fewest;
    out[1] = s.ref_count() ? length / s.ref_count() : 0;
  }

 private:
  TerSearch search_;
  UnmatchedWords unmatched_;
  std::vector<std::pair<int, u32>> order_;
};

class TerKernel final : public Kernel {
 public:
  explicit TerKernel(TerLimits limits) : limits_(limits) {}
  std::size_t columns() const override { return 2; }
  std::unique_ptr<Worker> worker() const override { return std::make_unique<TerWorker>(limits_); }

 private:
  TerLimits limits_;
};

}  // namespace nlg
