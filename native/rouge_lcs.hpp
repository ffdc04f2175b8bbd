// ROUGE-L and ROUGE-W: longest common subsequences, of whole texts or of lines.
#pragma once

#include "rouge.hpp"

namespace nlg {

// The longest common subsequence of two texts that end alike goes through these ends; marks them
// and takes them off.
inline u32 mark_common_end(Ids& ref, Ids& hyp, u8* hit) {
  u32 common = 0;
  while (ref.size > 0 && hyp.size > 0 && ref[ref.size - 1] == hyp[hyp.size - 1]) {
    --ref.size, --hyp.size, ++common;
    if (hit) hit[ref.size] = 1;
  }
  return common;
}

// Length and members of a longest common subsequence, bit-parallel (Hyyrö 2004): a zero at bit i
// of column j says that the subsequence of the reference up to i and the hypothesis up to j is
// longer than without reference word i.
class Lcs {
 public:
  void set_ref(Ids ref, u32 vocabulary) {
    masks_.build(ref, vocabulary);
    ref_ = ref;
  }

  u32 length(Ids hyp) {
    if (masks_.width() == 1) return narrow_length<u64>(hyp);
    if (masks_.width() == 2) return narrow_length<u128>(hyp);
    column_.assign(masks_.width(), ~0ull);
    for (u32 id : hyp)
      if (id != 0) advance(column_.data(), masks_[id]);
    return zeros(column_.data());
  }

  // Sets hit[i] for the reference words of one longest common subsequence: the one found from the
  // ends, where words that differ drop the reference's first if that loses nothing.
  void mark(Ids hyp, u8* hit) {
    Ids ref = ref_;
    mark_common_end(ref, hyp, hit);
    const std::size_t width = masks_.width();
    // Columns of one block are kept; of the blocks before it, only where they start.
    const u32 block = std::max<u32>(1, static_cast<u32>(std::min<std::size_t>(hyp.size, kKept / width)));
    starts_.assign(width, ~0ull);
    column_.assign(width, ~0ull);
    for (u32 j = 0; j < hyp.size; ++j) {
      advance(column_.data(), masks_[hyp[j]]);
      if ((j + 1) % block == 0) starts_.insert(starts_.end(), column_.begin(), column_.end());
    }
    kept_.resize((block + 1) * width);
    u32 i = ref.size;
    for (u32 first = hyp.size ? (hyp.size - 1) / block * block : 0, last = hyp.size; last > 0 && i > 0;
         last = first, first -= std::min(first, block)) {
      std::copy_n(starts_.begin() + first / block * width, width, kept_.begin());
      for (u32 j = first; j < last; ++j) {
        u64* const here = kept_.data() + (j - first + 1) * width;
        std::copy_n(here - width, width, here);
        advance(here, masks_[hyp[j]]);
      }
      for (u32 j = last; j > first && i > 0;) {
        if (ref[i - 1] == hyp[j - 1]) hit[--i] = 1, --j;
        else if (kept_[(j - first) * width + (i - 1) / 64] >> ((i - 1) % 64) & 1) --i;
        else --j;
      }
    }
  }

 private:
  static constexpr std::size_t kKept = 1u << 20;  // words of columns

  template <class Bits>
  u32 narrow_length(Ids hyp) const {
    Bits v = ~Bits{0};
    for (u32 id : hyp) {
      const Bits u = v & load_bits<Bits>(masks_[id]);
      v = (v + u) | (v - u);
    }
    u64 column[sizeof v / 8];
    std::memcpy(column, &v, sizeof v);
    return zeros(column);
  }
  void advance(u64* column, const u64* mask) const {
    u64 carry = 0;
    for (u32 k = 0; k < masks_.width(); ++k) {
      const u64 v = column[k], u = v & mask[k], sum = v + u, all = sum + carry;
      carry = (sum < v) | (all < sum);
      column[k] = all | (v - u);
    }
  }
  u32 zeros(const u64* column) const {
    u32 count = 0;
    for (u32 k = 0; k < masks_.width(); ++k) {
      const u32 bits = std::min(64u, ref_.size - 64 * k);
      count += static_cast<u32>(__builtin_popcountll(~column[k] & (bits == 64 ? ~0ull : (1ull << bits) - 1)));
    }
    return count;
  }

  PositionMasks masks_;
  Ids ref_{nullptr, 0};
  std::vector<u64> column_, starts_, kept_;
};

// Weighted longest common subsequence: a run of k words is worth k^weight.
class WeightedLcs {
 public:
  explicit WeightedLcs(double weight) : weight_(weight) {}

  double worth(u32 run) {
    while (worth_.size() <= run) worth_.push_back(std::pow(static_cast<double>(worth_.size()), weight_));
    return worth_[run];
  }

  double value(Ids ref, Ids hyp, u32 vocabulary) {
    const u32 shorter = std::min(ref.size, hyp.size), common = mark_common_end(ref, hyp, nullptr);
    worth(shorter + 1);
    in_hyp_.build(hyp, vocabulary);
    run_rows(ref, hyp, 0, ref.size, nullptr);
    const u32 run = ref.size == 0 ? 0 : runs_[hyp.size];
    const double sum = common == 0 ? row_[hyp.size] : row_[hyp.size] + worth_[run + common] - worth_[run];
    return std::min(sum, worth_[shorter]);  // rounding must not lead beyond what is possible
  }

  // As Lcs::mark.
  void mark(Ids ref, Ids hyp, u32 vocabulary, u8* hit) {
    mark_common_end(ref, hyp, hit);
    worth(std::min(ref.size, hyp.size) + 1);
    in_hyp_.build(hyp, vocabulary);
    const std::size_t columns = hyp.size + 1;
    // Moves of one block of rows are kept; of the blocks before it, only where they start.
    const u32 block = std::max<u32>(1, static_cast<u32>(std::min<std::size_t>(ref.size, kKept / columns)));
    starts_.clear();
    run_starts_.clear();
    for (u32 i = 0; i < ref.size; i += block) {
      if (i > 0) {
        starts_.insert(starts_.end(), row_.begin(), row_.end());
        run_starts_.insert(run_starts_.end(), runs_.begin(), runs_.end());
      }
      run_rows(ref, hyp, i, std::min(ref.size, i + block), &moves_);
    }
    u32 j = hyp.size;
    for (u32 last = ref.size, first = ref.size ? (last - 1) / block * block : 0; last > 0 && j > 0;
         last = first, first -= std::min(first, block)) {
      const bool restored = last != ref.size;  // the moves of the last block are still there
      if (first > 0) {
        if (restored) row_.assign(starts_.end() - columns, starts_.end());
        if (restored) runs_.assign(run_starts_.end() - columns, run_starts_.end());
        starts_.resize(starts_.size() - columns);
        run_starts_.resize(run_starts_.size() - columns);
      }
      if (restored) run_rows(ref, hyp, first, last, &moves_);
      for (u32 i = last; i > first && j > 0;) {
        const Move move = moves_[(i - 1 - first) * columns + j];
        if (move == kMatch) hit[--i] = 1, --j;
        else if (move == kUp) --i;
        else --j;
      }
    }
  }

 private:
  static constexpr std::size_t kKept = 1u << 24;  // moves
  enum Move : u8 { kUp, kLeft, kMatch };

  // Rows first..last of the table, each from the one before: row_ has the values, runs_ the lengths
  // of the runs that end in matches. Between matches, a row is the running maximum.
  void run_rows(Ids ref, Ids hyp, u32 first, u32 last, std::vector<Move>* moves) {
    const std::size_t columns = hyp.size + 1;
    if (first == 0) row_.assign(columns, 0), runs_.assign(columns, 0);
    if (moves) moves->resize((last - first) * columns);
    for (u32 i = first; i < last; ++i) {
      Move* const here = moves ? moves->data() + (i - first) * columns : nullptr;
      const Ids matches = in_hyp_[ref[i]];
      const Ids before = i > 0 ? in_hyp_[ref[i - 1]] : Ids{nullptr, 0};
      gained_.resize(matches.size);
      for (u32 k = 0; k < matches.size; ++k) {
        const u32 run = runs_[matches[k]];  // of the cell up and to the left
        gained_[k] = {row_[matches[k]] + worth_[run + 1] - worth_[run], run + 1};
      }
      for (u32 j : before) runs_[j + 1] = 0;
      double left = 0;
      u32 j = 1;
      for (u32 k = 0; k < matches.size; ++k) {
        left = here ? fill<true>(j, matches[k] + 1, left, here) : fill<false>(j, matches[k] + 1, left, here);
        j = matches[k] + 1;
        left = row_[j] = gained_[k].first;
        runs_[j] = gained_[k].second;
        if (here) here[j] = kMatch;
        ++j;
      }
      here ? fill<true>(j, columns, left, here) : fill<false>(j, columns, left, here);
    }
  }

  template <bool kept>
  double fill(std::size_t j, std::size_t end, double left, Move* moves) {
    for (; j < end; ++j) {
      const double up = row_[j];
      if (kept) moves[j] = up >= left ? kUp : kLeft;
      left = up >= left ? up : left;
      row_[j] = left;
    }
    return left;
  }

  double weight_;
  std::vector<double> worth_, row_, starts_;
  std::vector<u32> runs_, run_starts_;
  std::vector<std::pair<double, u32>> gained_;
  std::vector<Move> moves_;
  Positions in_hyp_;
};

// Lines of the reference against lines of the hypothesis: a reference word is hit if it is in the
// subsequence with any line, and counts while neither text has run out of it.
class UnionLcs {
 public:
  // mark(ref_line, hyp_line, is_first, hit) sets hit[i] for words of the reference's line; then
  // on_line(hit) is called with 1 for hits that count and 2 for those that may not.
  // `restart`: the last line is not one, but the words that limit the hits.
  template <class Mark, class OnLine>
  void match(const Segment& s, u32 r, bool restart, Mark&& mark, OnLine&& on_line) {
    const Ids hyp = s.hyp(), ref = s.ref(r), hyp_lines = s.hyp_lines(), ref_lines = s.ref_lines(r);
    const u32 real_hyp_lines = hyp_lines.size - restart, real_ref_lines = ref_lines.size - restart;
    in_hyp_.assign(s.vocabulary + 1, 0);
    in_ref_.assign(s.vocabulary + 1, 0);
    for (u32 i = restart ? start(hyp_lines, real_hyp_lines) : 0; i < hyp.size; ++i) ++in_hyp_[hyp[i]];
    for (u32 i = restart ? start(ref_lines, real_ref_lines) : 0; i < ref.size; ++i) ++in_ref_[ref[i]];
    positions_.build({hyp.data, start(hyp_lines, real_hyp_lines)}, s.vocabulary);
    line_of_.resize(hyp.size);
    for (u32 b = 0; b < real_hyp_lines; ++b)
      std::fill(line_of_.begin() + start(hyp_lines, b), line_of_.begin() + hyp_lines[b], b);
    done_.assign(real_hyp_lines, ~0u);
    for (u32 a = 0; a < real_ref_lines; ++a) {
      const Ids line = part(ref, ref_lines, a);
      hit_.assign(line.size, 0);
      // Only lines that share a word can add a hit, and only as long as one is missing.
      u32 missing = line.size;
      bool fresh = true;
      for (u32 i = 0; i < line.size && missing > 0; ++i) {
        for (u32 position : positions_[line[i]]) {
          const u32 b = line_of_[position];
          if (done_[b] == a) continue;
          done_[b] = a;
          mark(line, part(hyp, hyp_lines, b), fresh, hit_.data());
          fresh = false;
          missing = static_cast<u32>(std::count(hit_.begin(), hit_.end(), 0));
          if (missing == 0) break;
        }
      }
      for (u32 i = 0; i < line.size; ++i) {
        if (hit_[i] == 0) continue;
        if (in_hyp_[line[i]] > 0 && in_ref_[line[i]] > 0) --in_hyp_[line[i]], --in_ref_[line[i]];
        else hit_[i] = 2;
      }
      on_line(hit_);
    }
  }

  static u32 start(Ids lines, u32 line) { return line == 0 ? 0 : lines[line - 1]; }

 private:
  static Ids part(Ids text, Ids lines, u32 line) {
    const u32 first = start(lines, line);
    return {text.data + first, lines[line] - first};
  }
  Positions positions_;
  std::vector<u32> in_hyp_, in_ref_, line_of_, done_;
  std::vector<u8> hit_;
};

struct LcsOptions {
  bool lines = false;    // compare lines, not whole texts
  bool restart = false;  // see SegmentReader::split_restarting
};

// How many words of a text count for its length: with `restart`, those of the last line.
inline double counted_words(Ids text, Ids lines, bool restart) {
  return restart ? text.size - UnionLcs::start(lines, lines.size - 1) : text.size;
}
// How many words are compared: with `restart`, all but those of the last line.
inline double compared_words(Ids text, Ids lines, bool restart) {
  return restart ? UnionLcs::start(lines, lines.size - 1) : text.size;
}

class RougeLWorker final : public RougeWorker {
 public:
  RougeLWorker(const RougeOptions& options, LcsOptions lcs) : RougeWorker(options), lcs_options_(lcs) {}

 protected:
  RougeCounts count(const Segment& s, u32 r) override {
    const Ids hyp = s.hyp(), ref = s.ref(r);
    const bool one_line = s.hyp_lines().size == 1 && s.ref_lines(r).size == 1;
    if (!lcs_options_.lines || one_line) {
      if (hyp.size == 0 || ref.size == 0) return {0, double(ref.size), double(hyp.size)};
      lcs_.set_ref(ref, s.vocabulary);
      return {double(lcs_.length(hyp)), double(ref.size), double(hyp.size)};
    }
    double hits = 0;
    const auto mark = [&](Ids ref_line, Ids hyp_line, bool first, u8* hit) {
      if (first) lcs_.set_ref(ref_line, s.vocabulary);
      lcs_.mark(hyp_line, hit);
    };
    union_.match(s, r, lcs_options_.restart, mark,
                 [&](const std::vector<u8>& hit) { hits += std::count(hit.begin(), hit.end(), 1); });
    return {hits, compared_words(ref, s.ref_lines(r), lcs_options_.restart),
            counted_words(hyp, s.hyp_lines(), lcs_options_.restart)};
  }
  double official_recall(u32 r) const override { return ratio(counts_[r].hits, counts_[r].ref); }

 private:
  LcsOptions lcs_options_;
  Lcs lcs_;
  UnionLcs union_;
};

class RougeWWorker final : public RougeWorker {
 public:
  RougeWWorker(const RougeOptions& options, LcsOptions lcs, double weight)
      : RougeWorker(options), lcs_options_(lcs), weight_(weight), lcs_(weight) {}

 protected:
  void start(const Segment& s) override { bases_.resize(s.ref_count()); }

  RougeCounts count(const Segment& s, u32 r) override {
    const Ids hyp = s.hyp(), ref = s.ref(r);
    if (!lcs_options_.lines) return {lcs_.value(ref, hyp, s.vocabulary), lcs_.worth(ref.size), lcs_.worth(hyp.size)};
    double hits = 0, base = 0;
    const auto mark = [&](Ids ref_line, Ids hyp_line, bool, u8* hit) {
      lcs_.mark(ref_line, hyp_line, s.vocabulary, hit);
    };
    union_.match(s, r, lcs_options_.restart, mark, [&](const std::vector<u8>& hit) {
      base += lcs_.worth(static_cast<u32>(hit.size()));
      // A hit that may not count neither extends a run nor ends it, so that a run may go on in the
      // next one, or be lost with the line (ROUGE-1.5.5).
      u32 run = 0;
      for (std::size_t i = 0; i < hit.size(); ++i) {
        if (hit[i] != 1) continue;
        ++run;
        if (i + 1 < hit.size() && hit[i + 1] != 0) continue;
        hits += lcs_.worth(run);
        run = 0;
      }
    });
    bases_[r] = base;
    const double words = counted_words(hyp, s.hyp_lines(), lcs_options_.restart);
    // ROUGE-1.5.5 raises the reference's base, already a sum of weighted lengths, once more.
    return {hits, options_.rounded ? std::pow(base, weight_) : base, lcs_.worth(static_cast<u32>(words))};
  }

  double ratio(double hits, double base) const override { return base > 0 ? std::pow(hits / base, 1 / weight_) : 0; }
  double official_recall(u32 r) const override { return ratio(counts_[r].hits, bases_[r]); }

 private:
  LcsOptions lcs_options_;
  double weight_;
  WeightedLcs lcs_;
  UnionLcs union_;
  std::vector<double> bases_;
};

class RougeLKernel final : public RougeKernel {
 public:
  RougeLKernel(const RougeOptions& options, LcsOptions lcs) : RougeKernel(options), lcs_(lcs) {}
  std::unique_ptr<Worker> worker() const override { return std::make_unique<RougeLWorker>(options_, lcs_); }

 private:
  LcsOptions lcs_;
};

class RougeWKernel final : public RougeKernel {
 public:
  RougeWKernel(const RougeOptions& options, LcsOptions lcs, double weight)
      : RougeKernel(options), lcs_(lcs), weight_(weight) {}
  std::unique_ptr<Worker> worker() const override { return std::make_unique<RougeWWorker>(options_, lcs_, weight_); }

 private:
  LcsOptions lcs_;
  double weight_;
};

}  // namespace nlg
