// ITER: TER with a cheaper substitution by a word of the same stem and a cost for every kind of edit,
// for error_rate.hpp. Shifts are searched as for TER, over words of equal stems.
#pragma once

#include <unordered_map>

#include "edit/error_rate.hpp"
#include "edit/shifts.hpp"
#include "text/stem.hpp"

namespace nlg {

struct IterOptions {
  double insertion = 1, deletion = 1, substitution = 1, stem = 0.5, shift = 1;
  int shift_size = 10, shift_distance = 50, candidates = 1000;
  bool per_match = true;  // length = cost + exact matches, in place of reference words
};

class IterDistance {
 public:
  static constexpr bool kWords = true;
  explicit IterDistance(const IterOptions& options) : o_(options) {}

  void start(const Segment& s) {
    stem_ids_.clear();
    hyp_.clear();
    for (u32 i = 0; i < s.hyp().size; ++i) hyp_.push_back({s.hyp()[i], stem(s.hyp_words()[i])});
  }

  Errors operator()(const Segment& s, u32 r) {
    std::vector<Token> ref;
    for (u32 j = 0; j < s.ref(r).size; ++j) ref.push_back({s.ref(r)[j], stem(s.ref_words(r)[j])});
    const std::size_t pieces = std::max(hyp_.size(), ref.size()) / kPiece + 1;
    const double most = kCells / static_cast<double>(pieces * s.ref_count());
    double cost = 0, matches = 0;
    for (std::size_t p = 0; p < pieces; ++p) {
      const auto piece = [&](const std::vector<Token>& all, std::vector<Token>& out) {
        out.assign(all.begin() + all.size() * p / pieces, all.begin() + all.size() * (p + 1) / pieces);
      };
      piece(hyp_, words_);
      piece(ref, ref_);
      cost += search(most);
      matches += exact_matches();
    }
    const double length = o_.per_match ? cost + matches : static_cast<double>(ref.size());
    return {cost, length, static_cast<double>(hyp_.size()), matches};
  }

 private:
  struct Token {
    u32 word, stem;  // word 0 is in no reference
  };
  static constexpr std::size_t kPiece = 4096;  // longer texts are compared in pieces of so many words
  static constexpr double kCells = 5e8;        // of the matrices of shifted texts, for all pieces and references

  static bool same(const Token& a, const Token& b) { return a.word != 0 && a.word == b.word; }
  int nh() const { return static_cast<int>(words_.size()); }
  int nr() const { return static_cast<int>(ref_.size()); }

  u32 stem(const Word& word) {
    const auto text = buffer_.stem(Stemmer::kMartin, {word.data, word.size});
    return stem_ids_.emplace(std::string(text), static_cast<u32>(stem_ids_.size())).first->second;
  }

  u32 exact_matches() const {
    u32 matches = 0, h = 0, r = 0;
    for (Edit edit : edits_) {
      matches += edit == Edit::kMatch && same(words_[h], ref_[r]);
      h += edit != Edit::kInsert;
      r += edit != Edit::kDelete;
    }
    return matches;
  }

  // Total cost of the greedy search; leaves the words as shifted and their edits. No more than `most`
  // cells are computed for shifts.
  double search(double most) {
    double shifts = 0;
    int tried = 0;
    for (;;) {
      const double cost = distance(words_, true);
      read_alignment();
      const double affordable = most / (static_cast<double>(nh()) * nr() + 1);
      find_candidates(std::min(o_.candidates - tried, static_cast<int>(std::min(affordable, 1e9))));
      tried += static_cast<int>(candidates_.size());
      most -= static_cast<double>(candidates_.size()) * nh() * nr();
      if (candidates_.empty() || tried >= o_.candidates) return cost + shifts;
      const Shift* best = nullptr;
      double best_gain = 0;
      for (const Shift& shift : candidates_) {
        apply(shift);
        const double gain = cost - distance(shifted_, false);
        if (gain < o_.shift || gain <= 0) continue;
        const bool better = best == nullptr || gain > best_gain ||
                            (gain == best_gain && (shift.length != best->length   ? shift.length > best->length
                                                   : shift.start != best->start ? shift.start < best->start
                                                                                : shift.target < best->target));
        if (better) best = &shift, best_gain = gain;
      }
      if (best == nullptr) return cost + shifts;
      apply(*best);
      words_.swap(shifted_);
      shifts += o_.shift;
    }
  }

  // Ties prefer match or substitution, then deletion of a hypothesis word, then its insertion.
  double distance(const std::vector<Token>& words, bool trace) {
    const std::size_t width = ref_.size() + 1;
    row_.resize(width);
    if (trace) ops_.resize((words.size() + 1) * width);
    for (std::size_t j = 0; j < width; ++j) row_[j] = static_cast<double>(j) * o_.deletion;
    for (std::size_t i = 1; i <= words.size(); ++i) {
      checkpoint(2 * width);
      double diagonal = row_[0];
      row_[0] += o_.insertion;
      if (trace) ops_[i * width] = Edit::kDelete;
      for (std::size_t j = 1; j < width; ++j) {
        const bool alike = words[i - 1].stem == ref_[j - 1].stem;
        const double change = diagonal + (same(words[i - 1], ref_[j - 1]) ? 0 : alike ? o_.stem : o_.substitution);
        const double drop = row_[j] + o_.insertion, add = row_[j - 1] + o_.deletion;
        diagonal = row_[j];
        row_[j] = std::min(change, std::min(drop, add));
        if (trace)
          ops_[i * width + j] = row_[j] == change ? (alike ? Edit::kMatch : Edit::kSubstitute)
                                : row_[j] == drop ? Edit::kDelete
                                                  : Edit::kInsert;
      }
    }
    if (trace) follow(words.size(), width);
    return row_[width - 1];
  }

  void follow(std::size_t i, std::size_t width) {
    edits_.clear();
    for (std::size_t j = width - 1; i > 0 || j > 0;) {
      const Edit op = i == 0 ? Edit::kInsert : ops_[i * width + j];
      edits_.push_back(op);
      i -= op != Edit::kInsert;
      j -= op != Edit::kDelete;
    }
    std::reverse(edits_.begin(), edits_.end());
  }

  void read_alignment() {
    aligned_.resize(ref_.size());
    hyp_errors_.assign(1, 0);
    ref_errors_.assign(1, 0);
    int h = -1, r = -1;
    for (Edit op : edits_) {
      const int error = op != Edit::kMatch;
      if (op != Edit::kInsert) ++h, hyp_errors_.push_back(hyp_errors_.back() + error);
      if (op != Edit::kDelete) aligned_[++r] = h, ref_errors_.push_back(ref_errors_.back() + error);
    }
  }

  void find_candidates(int room) {
    candidates_.clear();
    if (room <= 0) return;
    for (int start = 0; start < nh(); ++start) {
      const int last = std::min(nr() - 1, start + o_.shift_distance);
      for (int match = std::max(0, start - o_.shift_distance); match <= last; ++match) {
        for (int length = 1; length <= o_.shift_size && start + length <= nh() && match + length <= nr(); ++length) {
          if (words_[start + length - 1].stem != ref_[match + length - 1].stem) break;
          const bool inside = start <= aligned_[match] && aligned_[match] < start + length;
          if (hyp_errors_[start + length] == hyp_errors_[start] || ref_errors_[match + length] == ref_errors_[match] ||
              inside)
            continue;
          for (int r = match - 1, previous = -1; r < match + length; ++r) {
            const int target = r < 0 ? 0 : aligned_[r] + 1;
            if (target != previous) candidates_.push_back({start, length, target});
            previous = target;
          }
          if (static_cast<int>(candidates_.size()) >= room) return;
        }
      }
    }
  }

  void apply(const Shift& s) {
    const int stop = std::min(nh(), s.target > s.start + s.length ? s.target : s.start + s.length);
    shifted_ = words_;
    const auto at = [&](int i) { return shifted_.begin() + i; };
    if (s.target < s.start) std::rotate(at(s.target), at(s.start), at(s.start + s.length));
    else std::rotate(at(s.start), at(s.start + s.length), at(stop));
  }

  IterOptions o_;
  StemBuffer buffer_;
  std::unordered_map<std::string, u32> stem_ids_;
  std::vector<Token> hyp_, words_, shifted_, ref_;
  std::vector<double> row_;
  std::vector<Edit> ops_, edits_;
  std::vector<int> aligned_, hyp_errors_, ref_errors_;
  std::vector<Shift> candidates_;
};

}  // namespace nlg
