// Distances between a hypothesis and one reference, for error_rate.hpp.
#pragma once

#include "text/characters.hpp"
#include "edit/error_rate.hpp"
#include "edit/levenshtein.hpp"
#include "ngram/ngram.hpp"

namespace nlg {

// WER: insertions, deletions and substitutions.
class WordDistance {
 public:
  static constexpr bool kWords = true;
  void start(const Segment&) {}
  Errors operator()(const Segment& s, u32 r) {
    const Ids hyp = s.hyp(), ref = s.ref(r);
    return {static_cast<double>(levenshtein_.distance(hyp, ref, s.vocabulary)), static_cast<double>(ref.size),
            static_cast<double>(hyp.size), 0};
  }

 private:
  Levenshtein levenshtein_;
};

// CER: the same of the characters between a text's first and last that is no white space.
class CharacterDistance {
 public:
  static constexpr bool kWords = false;
  void start(const Segment&) {}
  Errors operator()(const Segment& s, u32 r) {
    ids_.start();
    ids_.add_ref(stripped(s.ref_texts[r]));
    ids_.add_hyp(stripped(s.hyp_text));
    const Ids hyp = ids_.hyp(), ref = ids_.ref();
    return {static_cast<double>(levenshtein_.distance(hyp, ref, ids_.vocabulary())), static_cast<double>(ref.size),
            static_cast<double>(hyp.size), 0};
  }

 private:
  static Word stripped(std::string_view text) {
    const auto* s = reinterpret_cast<const u8*>(text.data());
    std::size_t first = text.size(), last = text.size();
    for (std::size_t i = 0; i < text.size();) {
      u32 length = 0;
      const bool blank = is_space(decode(s + i, length));
      if (!blank) first = std::min(first, i), last = i + length;
      i += length;
    }
    if (first == last) return {0, 0, text.data(), 0};
    return make_word(text.data() + first, static_cast<u32>(last - first));
  }

  CharacterIds ids_;
  Levenshtein levenshtein_;
};

// PER: what is left of the longer bag of m-grams after matching. Where one of the texts has no
// m-gram, its words are compared instead.
class BagDistance {
 public:
  static constexpr bool kWords = true;
  BagDistance(u32 order, bool start, bool end) : order_(order), start_(start), end_(end) {}

  void start(const Segment& s) {
    if (order_ == 1) return;
    frame(s);
    chain_.start({hyp_.data(), static_cast<u32>(hyp_.size())}, {refs_.data(), static_cast<u32>(refs_.size())}, ends_,
                 s.vocabulary + 2);
    for (u32 n = 1; n < order_; ++n) chain_.advance();
  }

  Errors operator()(const Segment& s, u32 r) {
    const u32 framed = start_ + end_;
    if (order_ == 1 || std::min(s.hyp().size, s.ref(r).size) + framed < order_)
      return errors(s.hyp(), s.ref(r), s.vocabulary, s.hyp().size, s.ref(r).size);
    const Ids hyp{chain_.hyp().data(), static_cast<u32>(chain_.hyp().size())};
    return errors(hyp, chain_.ref(r), chain_.size(), hyp.size + 1 - order_, chain_.ref(r).size + 1 - order_);
  }

 private:
  void frame(const Segment& s) {
    const u32 start = s.vocabulary + 1, end = s.vocabulary + 2;
    const auto append = [&](Ids words, std::vector<u32>& to) {
      if (start_) to.push_back(start);
      to.insert(to.end(), words.begin(), words.end());
      if (end_) to.push_back(end);
    };
    hyp_.clear();
    append(s.hyp(), hyp_);
    refs_.clear();
    ends_.assign(1, 0);
    for (u32 r = 0; r < s.ref_count(); ++r) {
      append(s.ref(r), refs_);
      ends_.push_back(static_cast<u32>(refs_.size()));
    }
  }

  Errors errors(Ids hyp, Ids ref, u32 vocabulary, u32 hyp_grams, u32 ref_grams) {
    count_.assign(vocabulary + 1, 0);
    for (u32 id : ref) ++count_[id];
    count_[0] = 0;
    u32 matches = 0;
    for (u32 id : hyp)
      if (count_[id] > 0) --count_[id], ++matches;
    return {static_cast<double>(std::max(hyp_grams, ref_grams) - matches), static_cast<double>(ref_grams),
            static_cast<double>(hyp_grams), static_cast<double>(matches)};
  }

  u32 order_;
  bool start_, end_;
  NgramChain chain_;
  std::vector<u32> hyp_, refs_, ends_, count_;
};

// CDER: the reference is covered from left to right; a jump to any place in the hypothesis costs 1.
//
// Because of the jumps no cell of a row is more than 1 above its minimum, so that a row is its
// minimum and the set of cells that have it; cell i is the place after i hypothesis words.
class CoverDistance {
 public:
  static constexpr bool kWords = true;
  void start(const Segment& s) {
    const Ids hyp = s.hyp();
    width_ = hyp.size / 64 + 1;
    here_.assign(width_, 0);
    first_.assign(s.vocabulary + 1, hyp.size);
    next_.resize(hyp.size);
    for (u32 i = hyp.size; i-- > 0; first_[hyp[i]] = i) next_[i] = first_[hyp[i]];
    first_[0] = hyp.size;
  }

  Errors operator()(const Segment& s, u32 r) {
    const u32 cells = s.hyp().size;
    least_.assign(width_, 0);
    followed_.resize(width_);
    least_[0] = 1;
    u32 minimum = 0, marked = 0;
    for (u32 word : s.ref(r)) {
      if (word != marked) mark(marked, false), mark(marked = word, true);
      if (!follow()) stay(), ++minimum;
      if (width_ > 16) checkpoint(2 * width_);
    }
    mark(marked, false);
    const u32 distance = minimum + !(least_[cells / 64] >> (cells % 64) & 1);
    return {static_cast<double>(distance), static_cast<double>(s.ref(r).size), static_cast<double>(cells), 0};
  }

 private:
  // Sets or clears, in here_, the cells right after an occurrence of the word.
  void mark(u32 word, bool set) {
    for (u32 i = first_[word]; i < next_.size(); i = next_[i])
      here_[(i + 1) / 64] = set ? here_[(i + 1) / 64] | 1ull << (i + 1) % 64 : 0;
  }

  // Cells that keep the minimum: the word matches, right after such a cell.
  bool follow() {
    u64 carry = 0, any = 0;
    for (u32 k = 0; k < width_; ++k) {
      followed_[k] = (least_[k] << 1 | carry) & here_[k];
      carry = least_[k] >> 63;
      any |= followed_[k];
    }
    if (any) least_.swap(followed_);
    return any != 0;
  }
  // If there is none, the minimum grows by 1: an edit at a cell that had it, or a match one above.
  void stay() {
    u64 carry = 0, above_carry = 0;
    for (u32 k = 0; k < width_; ++k) {
      const u64 least = least_[k], above = ~least;
      least_[k] = least | (least << 1 | carry) | ((above << 1 | above_carry) & here_[k]);
      carry = least >> 63;
      above_carry = above >> 63;
    }
  }

  u32 width_ = 1;
  std::vector<u32> first_, next_;
  std::vector<u64> here_, least_, followed_;
};

}  // namespace nlg
