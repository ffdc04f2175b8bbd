// A paraphrase table in METEOR's format: lines of a probability, a phrase and a paraphrase of it.
#pragma once

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

#include "words.hpp"

namespace nlg {

// Words and phrases are numbered from 0. A phrase has paraphrases in the order of the file.
class Paraphrases {
 public:
  static constexpr u32 kNone = ~0u;

  // Takes the next piece of the file; lines may go on in the next one.
  void read(std::string_view piece) {
    while (!piece.empty()) {
      const std::size_t end = piece.find('\n');
      rest_.append(piece.substr(0, end));
      if (end == std::string_view::npos) return;
      piece.remove_prefix(end + 1);
      take_line();
      rest_.clear();
    }
  }
  // Has to be called after the last piece.
  void finish() {
    if (!rest_.empty()) take_line();
    starts_.assign(phrases() + 1, 0);
    for (const auto& [phrase, other] : pairs_) ++starts_[phrase + 1];
    for (std::size_t k = 1; k < starts_.size(); ++k) starts_[k] += starts_[k - 1];
    others_.resize(pairs_.size());
    std::vector<u32> next(starts_.begin(), starts_.end() - 1);
    for (const auto& [phrase, other] : pairs_) others_[next[phrase]++] = other;
    pairs_ = {};
    rest_ = {};
  }

  u64 size() const { return others_.size(); }
  u32 phrases() const { return static_cast<u32>(phrase_starts_.size()) - 1; }
  bool complete() const { return line_ % 3 == 0; }

  u32 word(std::string_view text) const {
    const u32 at = word_slots_[word_slot(text)];
    return at == kNone ? kNone : at;
  }
  // The most words of a phrase that starts with this one.
  u32 longest(u32 word) const { return word == kNone ? 0 : longest_[word]; }
  u32 phrase(const u32* words, u32 size) const { return phrase_slots_[phrase_slot(words, size)]; }
  std::pair<const u32*, const u32*> of(u32 phrase) const {
    return {others_.data() + starts_[phrase], others_.data() + starts_[phrase + 1]};
  }

 private:
  void take_line() {
    switch (line_++ % 3) {
      case 0: return;  // METEOR does not look at probabilities either
      case 1:
        if (line_ > 2 && rest_ == last_) return;  // most phrases have many paraphrases
        last_ = rest_;
        phrase_ = add_phrase(rest_);
        return;
      default:
        const u32 other = add_phrase(rest_);
        if (phrase_ != kNone && other != kNone) pairs_.emplace_back(phrase_, other);
    }
  }

  u32 add_phrase(std::string_view text) {
    words_of_line_.clear();
    for (std::size_t i = 0; i < text.size();) {
      while (i < text.size() && blank(text[i])) ++i;
      const std::size_t start = i;
      while (i < text.size() && !blank(text[i])) ++i;
      if (i > start) words_of_line_.push_back(add_word(text.substr(start, i - start)));
    }
    const auto size = static_cast<u32>(words_of_line_.size());
    if (size == 0) return kNone;
    u32& slot = phrase_slots_[phrase_slot(words_of_line_.data(), size)];
    if (slot != kNone) return slot;
    const u32 number = slot = phrases();
    phrase_words_.insert(phrase_words_.end(), words_of_line_.begin(), words_of_line_.end());
    phrase_starts_.push_back(static_cast<u32>(phrase_words_.size()));
    u8& longest = longest_[words_of_line_[0]];
    longest = static_cast<u8>(std::max<u32>(longest, std::min<u32>(size, 255)));
    if (2 * phrases() > phrase_slots_.size()) {
      phrase_slots_.assign(4 * phrase_slots_.size(), kNone);
      for (u32 p = 0; p < phrases(); ++p)
        phrase_slots_[phrase_slot(phrase_words_.data() + phrase_starts_[p], phrase_starts_[p + 1] - phrase_starts_[p])] = p;
    }
    return number;
  }

  u32 add_word(std::string_view text) {
    u32& slot = word_slots_[word_slot(text)];
    if (slot != kNone) return slot;
    const u32 number = slot = static_cast<u32>(word_starts_.size()) - 1;
    letters_.append(text);
    word_starts_.push_back(static_cast<u32>(letters_.size()));
    longest_.push_back(0);
    if (2 * word_starts_.size() > word_slots_.size()) {
      word_slots_.assign(4 * word_slots_.size(), kNone);
      for (u32 w = 0; w + 1 < word_starts_.size(); ++w) word_slots_[word_slot(letters(w))] = w;
    }
    return number;
  }

  static bool blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\f'; }
  std::string_view letters(u32 w) const {
    return {letters_.data() + word_starts_[w], word_starts_[w + 1] - word_starts_[w]};
  }
  std::size_t word_slot(std::string_view text) const {
    std::size_t at = std::hash<std::string_view>{}(text) & (word_slots_.size() - 1);
    while (word_slots_[at] != kNone && letters(word_slots_[at]) != text) at = (at + 1) & (word_slots_.size() - 1);
    return at;
  }
  std::size_t phrase_slot(const u32* words, u32 size) const {
    u64 h = size;
    for (u32 k = 0; k < size; ++k) h = (h ^ words[k]) * 0x9E3779B97F4A7C15ull, h ^= h >> 29;
    std::size_t at = h & (phrase_slots_.size() - 1);
    for (;; at = (at + 1) & (phrase_slots_.size() - 1)) {
      const u32 p = phrase_slots_[at];
      if (p == kNone) return at;
      const u32* const start = phrase_words_.data() + phrase_starts_[p];
      if (phrase_starts_[p + 1] - phrase_starts_[p] == size && std::equal(words, words + size, start)) return at;
    }
  }

  std::string letters_;
  std::vector<u32> word_starts_{0}, word_slots_ = std::vector<u32>(1u << 12, kNone);
  std::vector<u8> longest_;
  std::vector<u32> phrase_words_, phrase_starts_{0}, phrase_slots_ = std::vector<u32>(1u << 12, kNone);
  std::vector<u32> starts_, others_;

  // While the file is read.
  u64 line_ = 0;
  std::string rest_, last_;
  u32 phrase_ = kNone;
  std::vector<u32> words_of_line_;
  std::vector<std::pair<u32, u32>> pairs_;
};

}  // namespace nlg
