// CharacTER (Wang et al., 2016), as CharacTER.py (c4b25cb) has it: words are shifted while their edit
// distance falls, then characters are compared; every shifted phrase costs its mean word length.
// Columns: score of the best reference, 1.
#pragma once

#include "text/characters.hpp"
#include "core/kernel.hpp"
#include "edit/levenshtein.hpp"
#include "edit/shifts.hpp"

namespace nlg {

struct CharacterOptions {
  bool clip = true;          // scores of at most 1
  u64 steps = 1'000'000'000;  // effort for all references, in 64 comparisons of words
};

class CharacterSearch : ShiftSearch {
 public:
  explicit CharacterSearch(const CharacterOptions& options) : options_(options) {}

  // `most`: effort after which no more shifts are tried.
  double score(const Segment& s, u32 r, u64 most) {
    const Ids hyp = s.hyp(), ref = s.ref(r);
    if (hyp.size == 0 || ref.size == 0) return hyp.size != ref.size;
    if (std::equal(hyp.begin(), hyp.end(), ref.begin(), ref.end())) return 0;
    words_of_hyp_ = s.hyp_words();
    ranked_ = false;
    places_.resize(hyp.size);
    for (u32 i = 0; i < hyp.size; ++i) places_[i] = i;
    start(hyp, ref, s.vocabulary);
    shift(most);

    characters_.start();
    for (u32 j = 0; j < ref.size; ++j) characters_.add_ref(s.ref_words(r)[j]);
    for (u32 place : places_) characters_.add_hyp(words_of_hyp_[place]);
    const u32 distance = levenshtein_.distance(characters_.hyp(), characters_.ref(), characters_.vocabulary());
    const double score = (distance + shift_cost()) / characters_.hyp().size;
    return options_.clip ? std::min(1.0, score) : score;
  }

 private:
  static constexpr std::size_t kMostCandidates = 1u << 20;  // in one round

  // Shifts while that helps and the effort allows.
  void shift(u64 most) {
    while (steps_ <= most) {
      const int distance = measure_words<false>();
      if (distance == least_distance_) return;
      find_candidates();
      measure_candidates(most);
      const Shift* best = best_candidate(distance);
      if (best == nullptr) return;
      places_ = best_places_;
      shift_words(*best);
    }
  }

  // From every word to every other place where the reference has it, with all that follows alike.
  // The place is counted without the block.
  void find_candidates() {
    candidates_.clear();
    same_until_.assign(nh() + nr(), 0);
    for (int i = 0; i < nh(); ++i) {
      for (int j = first_[words_[i]]; j < nr(); j = next_[j]) {
        checkpoint(8);
        if (i == j) continue;
        // What follows alike is found once for all words of it.
        int& end = same_until_[nh() + j - i];
        if (end <= j)
          for (end = j + 1; i + end - j < nh() && end < nr() && words_[i + end - j] == ref_[end];) ++end;
        const int length = end - j, place = std::min(j, nh() - length);
        if (place != i) candidates_.push_back({i, length, place < i ? place : place + length});
        if (candidates_.size() == kMostCandidates) return;
      }
    }
  }

  // The shift with the largest gain; of equal ones that with the largest list of words, as texts.
  const Shift* best_candidate(int distance) {
    const Shift* best = nullptr;
    for (std::size_t c = 0; c < candidates_.size(); ++c) {
      if (shifted_distance_[c] > distance || (best == nullptr && shifted_distance_[c] == distance)) continue;
      if (shifted_distance_[c] == distance && !larger(candidates_[c])) continue;
      if (shifted_distance_[c] < distance) {
        distance = shifted_distance_[c];
        shift_places(candidates_[c], best_places_);
      } else {
        best_places_.swap(shifted_places_);
      }
      best = &candidates_[c];
    }
    return best;
  }

  void shift_places(const Shift& shift, std::vector<u32>& to) const {
    to.resize(places_.size());
    apply(shift, places_.data(), to.data());
  }

  // Whether the shift gives a larger list than best_places_; leaves it in shifted_places_.
  bool larger(const Shift& shift) {
    checkpoint(places_.size());
    rank_words();
    shift_places(shift, shifted_places_);
    for (std::size_t i = 0; i < places_.size(); ++i) {
      const u32 a = rank_[shifted_places_[i]], b = rank_[best_places_[i]];
      if (a != b) return a > b;
    }
    return false;
  }

  void rank_words() {
    if (ranked_) return;
    ranked_ = true;
    const auto text = [&](u32 i) { return std::string_view(words_of_hyp_[i].data, words_of_hyp_[i].size); };
    sorted_ = places_;
    std::sort(sorted_.begin(), sorted_.end(), [&](u32 a, u32 b) { return text(a) < text(b); });
    rank_.resize(sorted_.size());
    u32 rank = 0;
    for (std::size_t k = 0; k < sorted_.size(); ++k) {
      if (k > 0 && !(words_of_hyp_[sorted_[k]] == words_of_hyp_[sorted_[k - 1]])) ++rank;
      rank_[sorted_[k]] = rank;
    }
  }

  // Mean word length of every phrase that is found further right than it was.
  double shift_cost() const {
    const int n = nh();
    const auto same = [&](int original, int now) { return words_of_hyp_[original] == words_of_hyp_[places_[now]]; };
    double cost = 0;
    for (int i = 0; i < n; ++i) {
      if (places_[i] == static_cast<u32>(i) || same(i, i)) continue;
      int now = i + 1;
      while (now < n && !same(i, now)) ++now;
      if (now == n) continue;
      int length = 1;
      while (now + length < n && same(i + length, now + length)) ++length;
      u32 characters = 0;
      for (int k = i; k < i + length; ++k) characters += count_characters(words_of_hyp_[k]);
      cost += static_cast<double>(characters) / length;
      i += length - 1;
    }
    return cost;
  }
  static u32 count_characters(const Word& word) {
    u32 count = 0;
    for (u32 k = 0; k < word.size; ++k) count += (static_cast<u8>(word.data[k]) & 0xC0) != 0x80;
    return count;
  }

  CharacterOptions options_;
  const Word* words_of_hyp_ = nullptr;
  bool ranked_ = false;
  CharacterIds characters_;
  Levenshtein levenshtein_;
  std::vector<int> same_until_;  // on each diagonal
  std::vector<u32> places_, shifted_places_, best_places_, rank_, sorted_;
};

class CharacterWorker final : public Worker {
 public:
  explicit CharacterWorker(const CharacterOptions& options) : options_(options), search_(options) {}
  void row(const Segment& s, double* out) override {
    out[0] = s.hyp().size > 0;
    out[1] = 1;
    for (u32 r = 0; r < s.ref_count(); ++r) {
      const double score = search_.score(s, r, options_.steps / s.ref_count());
      out[0] = r == 0 ? score : std::min(out[0], score);
    }
  }

 private:
  CharacterOptions options_;
  CharacterSearch search_;
};

class CharacterKernel final : public Kernel {
 public:
  explicit CharacterKernel(const CharacterOptions& options) : options_(options) {}
  std::size_t columns() const override { return 2; }
  std::unique_ptr<Worker> worker() const override { return std::make_unique<CharacterWorker>(options_); }

 private:
  CharacterOptions options_;
};

}  // namespace nlg
