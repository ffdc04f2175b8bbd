// Translation edit rate exactly as tercom (0.7.25 and its fork 0.10.0) searches: longest blocks first,
// no limit of candidates, a beam that follows costs, and its own idea of where a block lands.
// Columns: edits, mean reference length; insertions, deletions, substitutions, shifts and shifted
// words of the reference with the fewest edits.
#pragma once

#include "core/kernel.hpp"
#include "edit/shifts.hpp"

namespace nlg {

struct TercomOptions {
  int shift_size = 10, shift_distance = 50, beam = 20;
};

// Distance by columns over the hypothesis; cells more than `beam` above the cheapest match or
// substitution into their column are not continued. Ties prefer match or substitution, then words
// only the hypothesis has (kDelete), then words only the reference has (kInsert).
class TercomDistance {
 public:
  int distance(Ids hyp, Ids ref, int beam) { return run(hyp, ref, beam, false); }
  u64 cells() const { return cells_; }  // computed so far
  int trace(Ids hyp, Ids ref, int beam, std::vector<Edit>& edits) {
    const int distance = run(hyp, ref, beam, true);
    edits.clear();
    for (u32 j = hyp.size, i = ref.size; i > 0 || j > 0;) {
      const Edit op = j == 0 ? Edit::kInsert : ops_[offset_[j] + i - first_[j]];
      edits.push_back(op);
      j -= op != Edit::kInsert;
      i -= op != Edit::kDelete;
    }
    std::reverse(edits.begin(), edits.end());
    return distance;
  }

 private:
  static constexpr int kDead = 1 << 28;

  int run(Ids hyp, Ids ref, int beam, bool keep) {
    const u32 nr = ref.size;
    before_.resize(nr + 2);
    after_.resize(nr + 2);
    first_.assign(hyp.size + 1, 0);
    offset_.assign(hyp.size + 1, 0);
    ops_.clear();
    for (u32 i = 0; i <= nr; ++i) before_[i] = static_cast<int>(i);
    u32 low = 0, high = nr;  // living cells of the column before
    for (u32 j = 1; j <= hyp.size; ++j) {
      checkpoint(2 * (high - low + 1));
      int best = kDead;
      for (u32 i = low; i <= high && i < nr; ++i) best = std::min(best, before_[i] + (ref[i] != hyp[j - 1]));
      const int limit = j == hyp.size || best == kDead ? kDead : best + beam;
      u32 next_low = nr + 1, next_high = low;
      first_[j] = low;
      offset_[j] = ops_.size();
      int above = kDead;  // the cell before in this column, if it lives
      for (u32 i = low; i <= nr; ++i) {
        const bool diagonal = i > low && i - 1 <= high, same = diagonal && ref[i - 1] == hyp[j - 1];
        int cost = diagonal ? before_[i - 1] + !same : kDead;
        Edit op = same ? Edit::kMatch : Edit::kSubstitute;
        if (i <= high && before_[i] + 1 < cost) cost = before_[i] + 1, op = Edit::kDelete;
        if (above + 1 < cost) cost = above + 1, op = Edit::kInsert;
        if (cost >= kDead && i > high + 1) break;  // nothing reaches further
        const bool lives = cost <= limit && cost < kDead;
        if (lives) next_low = std::min(next_low, i), next_high = i;
        after_[i] = above = lives ? cost : kDead;
        if (keep) ops_.push_back(op);
      }
      cells_ += 1 + next_high - low;
      if (next_low > nr) return run(hyp, ref, kDead / 2, keep);  // the tool fails here
      low = next_low, high = next_high;
      before_.swap(after_);
    }
    return high == nr || hyp.size == 0 ? before_[nr] : run(hyp, ref, kDead / 2, keep);
  }

  u64 cells_ = 0;
  std::vector<int> before_, after_;
  std::vector<u32> first_;
  std::vector<std::size_t> offset_;
  std::vector<Edit> ops_;
};

class TercomSearch : ShiftSearch {
 public:
  explicit TercomSearch(TercomOptions options) : options_(options) {}

  struct Result {
    int edits, insertions, deletions, substitutions, shifts, shifted_words;
  };

  // `most`: effort after which no more shifts are tried.
  Result search(Ids hyp, Ids ref, u32 vocabulary, u64 most) {
    const int only_hyp = static_cast<int>(hyp.size), only_ref = static_cast<int>(ref.size);
    if (hyp.size == 0 || ref.size == 0) return {only_hyp + only_ref, only_hyp, only_ref, 0, 0, 0};
    start(hyp, ref, vocabulary);
    Result result{};
    most_ = most;
    for (;;) {
      measure_words<false>();
      const int distance = beam_.trace(words(), ref_, options_.beam, edits_);
      read_alignment();
      find_candidates();
      const Shift* best = best_candidate(distance);
      if (best == nullptr) {
        result.edits = distance + result.shifts;
        break;
      }
      ++result.shifts;
      result.shifted_words += best->length;
      shift_words(*best);
    }
    for (Edit edit : edits_) {
      result.insertions += edit == Edit::kDelete;
      result.deletions += edit == Edit::kInsert;
      result.substitutions += edit == Edit::kSubstitute;
    }
    return result;
  }

 private:
  static constexpr u32 kMostCandidates = 1u << 20;  // in one round

  void read_alignment() {
    aligned_.resize(nr());
    hyp_wrong_.assign(1, 0);
    ref_wrong_.assign(1, 0);
    int h = -1, r = -1;
    for (Edit edit : edits_) {
      const int wrong = edit != Edit::kMatch;
      if (edit != Edit::kInsert) ++h, hyp_wrong_.push_back(hyp_wrong_.back() + wrong);
      if (edit != Edit::kDelete) aligned_[++r] = h, ref_wrong_.push_back(ref_wrong_.back() + wrong);
    }
  }

  // Shifts in the order in which tercom tries them: longest blocks first.
  void find_candidates() {
    candidates_.clear();
    if (options_.shift_distance <= 0) return;
    if (by_length_.size() < words_.size()) by_length_.resize(std::min<std::size_t>(options_.shift_size, words_.size()));
    for (auto& shifts : by_length_) shifts.clear();
    found_ = 0;
    for (int first = 0; first < nh() && room(); ++first) {
      // Places aligned near enough, where the reference has the word.
      matches_.clear();
      const std::int64_t nearest = static_cast<std::int64_t>(first) - options_.shift_distance, farthest = static_cast<std::int64_t>(first) + options_.shift_distance;
      const auto from = std::lower_bound(aligned_.begin(), aligned_.end(), nearest);
      for (auto m = static_cast<int>(from - aligned_.begin()); m < nr() && aligned_[m] <= farthest; ++m)
        if (ref_[m] == words_[first]) matches_.push_back(m);
      checkpoint(8 + 8 * matches_.size());
      grow_block(first);
    }
    for (auto shifts = by_length_.rbegin(); shifts != by_length_.rend(); ++shifts)
      candidates_.insert(candidates_.end(), shifts->begin(), shifts->end());
  }
  bool room() const { return found_ < kMostCandidates && steps_ <= most_; }

  // All blocks that start here; matches_ are the places where the reference has the block.
  void grow_block(int first) {
    for (int length = 1; length <= options_.shift_size && first + length <= nh() && room(); ++length) {
      steps_ += matches_.size();
      const auto ends = [&](int m) { return m + length > nr() || ref_[m + length - 1] != words_[first + length - 1]; };
      matches_.erase(std::remove_if(matches_.begin(), matches_.end(), ends), matches_.end());
      if (matches_.empty()) return;
      if (hyp_wrong_[first + length] == hyp_wrong_[first]) continue;
      bool movable = false;
      for (int m : matches_) {
        const int to = aligned_[m];
        if (to >= first && to < first + length) continue;
        movable = true;
        if (ref_wrong_[m + length] > ref_wrong_[m]) add_targets(first, length, m);
      }
      if (!movable) return;
    }
  }

  void add_targets(int first, int length, int match) {
    for (int r = match - 1; r < match + length; ++r) {
      const int after = r < 0 ? -1 : aligned_[r];
      if (r >= 0 && (after == first || (r != match && after == aligned_[match]))) continue;
      // A block told to land inside itself moves right by as many words.
      const int place = after < first             ? after + 1
                        : after >= first + length ? after + 1 - length
                                                  : std::min(after, nh() - length);
      ++found_;
      by_length_[length - 1].push_back({first, length, place <= first ? place : place + length});
    }
  }

  // tercom's choice: the first shift that does not cost more than it saves, then every one that
  // saves more, until what is saved cannot be exceeded by blocks of the length reached.
  const Shift* best_candidate(int distance) {
    measure_candidates(most_);
    const Shift* best = nullptr;
    int total = distance;  // with the best shift's cost
    for (std::size_t c = 0; c < candidates_.size() && steps_ <= most_; ++c) {
      const Shift& shift = candidates_[c];
      const int saved = distance - total, most = 2 * shift.length;
      if (saved > most || (best != nullptr && saved == most)) break;
      const int shifted = shifted_distance(c) + 1;
      if (shifted < total || (best == nullptr && shifted == total)) best = &shift, total = shifted;
    }
    return best;
  }

  // Within the beam's width every path stays inside the beam.
  int shifted_distance(std::size_t c) {
    if (shifted_distance_[c] <= options_.beam) return shifted_distance_[c];
    apply(candidates_[c], words_.data(), shifted_.data());
    const u64 before = beam_.cells();
    const int distance = beam_.distance({shifted_.data(), static_cast<u32>(shifted_.size())}, ref_, options_.beam);
    steps_ += beam_.cells() - before;
    return distance;
  }

  TercomOptions options_;
  u64 most_ = 0;
  u32 found_ = 0;  // candidates in this round
  TercomDistance beam_;
  std::vector<Edit> edits_;
  std::vector<int> aligned_, hyp_wrong_, ref_wrong_, matches_;
  std::vector<std::vector<Shift>> by_length_;
};

class TercomWorker final : public Worker {
 public:
  explicit TercomWorker(TercomOptions options) : search_(options) {}
  void row(const Segment& s, double* out) override {
    std::fill_n(out, 7, 0);
    double length = 0;
    for (u32 r = 0; r < s.ref_count(); ++r) {
      const auto found = search_.search(s.hyp(), s.ref(r), s.vocabulary, kSteps / s.ref_count());
      length += s.ref(r).size;
      if (r > 0 && found.edits >= out[0]) continue;
      out[0] = found.edits;
      out[2] = found.insertions, out[3] = found.deletions, out[4] = found.substitutions;
      out[5] = found.shifts, out[6] = found.shifted_words;
    }
    out[1] = s.ref_count() ? length / s.ref_count() : 0;
  }

 private:
  // Effort for all references, in 64 comparisons of words or one cell of the beam, after which no more
  // shifts are tried; tercom has no such limit.
  static constexpr u64 kSteps = 250'000'000;
  TercomSearch search_;
};

class TercomKernel final : public Kernel {
 public:
  explicit TercomKernel(TercomOptions options) : options_(options) {}
  std::size_t columns() const override { return 7; }
  std::unique_ptr<Worker> worker() const override { return std::make_unique<TercomWorker>(options_); }

 private:
  TercomOptions options_;
};

}  // namespace nlg
