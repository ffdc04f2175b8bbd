// ROUGE-L and ROUGE-W: longest common subsequences, of whole texts or of lines.
#pragma once

#include "ngram/lcs.hpp"
#include "ngram/rouge.hpp"

namespace nlg {

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
