// A paraphrase table in METEOR's format: lines of a probability, a phrase and a paraphrase of it.
#pragma once

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

#include "core/checkpoint.hpp"
#include "core/segment.hpp"

namespace nlg {

// Words are numbered from 0, phrases by the places of their records. A phrase has its paraphrases in
// the order of the file.
class Paraphrases {
 public:
  static constexpr u32 kNone = ~0u;
  // Words that may be a phrase.
  struct Candidate {
    u64 hash;
    u32 start, size;
  };

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
  // Has to be called after the last piece. What belongs to a phrase is put side by side, because
  // most of the time goes into fetching it from memory.
  void finish() {
    if (!rest_.empty()) take_line();
    std::vector<u32> counts(phrases() + 1, 0), records(phrases());
    for (const auto& [phrase, other] : pairs_) ++counts[phrase];
    std::size_t end = 0;
    for (u32 p = 0; p < phrases(); ++p) {
      records[p] = static_cast<u32>(end);
      end += 2 + words_of(p).size + counts[p];
    }
    if (end > kNone) throw std::length_error("a paraphrase table of this size is not supported");
    records_.resize(end);
    std::vector<u32> next(phrases());
    for (u32 p = 0; p < phrases(); ++p) {
      const Ids words = words_of(p);
      u32* const record = records_.data() + records[p];
      record[0] = words.size;
      std::copy(words.begin(), words.end(), record + 2);
      record[1] = counts[p];
      next[p] = records[p] + 2 + words.size;
    }
    for (const auto& [phrase, other] : pairs_) records_[next[phrase]++] = records[other];
    size_ = pairs_.size();
    mark_beginnings();
    for (u32& slot : phrase_slots_)
      if (slot != kNone) slot = records[slot];
    phrase_words_ = {}, phrase_starts_ = {}, pairs_ = {}, rest_ = {};
  }

  u64 size() const { return size_; }
  bool complete() const { return line_ % 3 == 0; }

  u32 word(std::string_view text) const {
    const u32 at = word_slots_[word_slot(text)];
    return at == kNone ? kNone : at;
  }
  // Calls `on_phrase(phrase, start, size)` for all phrases of a text, in the order of their starts
  // and lengths.
  template <class F>
  void each_phrase(const std::vector<u32>& words, std::vector<Candidate>& candidates, F&& on_phrase) const {
    candidates.clear();
    const auto n = static_cast<u32>(words.size());
    for (u32 start = 0; start < n; ++start) {
      u64 hash = 0;
      for (u32 k = start; k < n && words[k] != kNone; ++k) {
        hash = longer(hash, words[k]);
        const u32 mark = mark_of(hash);
        if (mark & kPhrase) {
          __builtin_prefetch(&phrase_slots_[hash & (phrase_slots_.size() - 1)]);
          candidates.push_back({hash, start, k + 1 - start});
        }
        if (!(mark & kBeginning)) break;
      }
    }
    for (const Candidate& c : candidates) {
      const u32 first = phrase_slots_[c.hash & (phrase_slots_.size() - 1)];
      if (first != kNone) __builtin_prefetch(&records_[first]);
    }
    for (const Candidate& c : candidates) {
      const u32* const from = words.data() + c.start;
      for (std::size_t at = c.hash;; ++at) {
        const u32 phrase = phrase_slots_[at & (phrase_slots_.size() - 1)];
        if (phrase == kNone) break;
        const u32* const record = records_.data() + phrase;
        if (record[0] != c.size || !std::equal(from, from + c.size, record + 2)) continue;
        on_phrase(phrase, c.start, c.size);
        break;
      }
    }
  }
  // The paraphrases of a phrase.
  Ids of(u32 phrase) const {
    const u32* const record = records_.data() + phrase;
    return {record + 2 + record[0], record[1]};
  }

 private:
  void take_line() {
    checkpoint(64);
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
  static u64 longer(u64 hash, u32 word) {
    hash = (hash ^ word) * 0x9E3779B97F4A7C15ull;
    return hash ^ hash >> 29;
  }
  static u64 hash(const u32* words, u32 size) {
    u64 found = 0;
    for (u32 k = 0; k < size; ++k) found = longer(found, words[k]);
    return found;
  }
  // While the file is read, slots have numbers of phrases.
  u32 phrases() const { return static_cast<u32>(phrase_starts_.size()) - 1; }
  Ids words_of(u32 p) const { return {phrase_words_.data() + phrase_starts_[p], phrase_starts_[p + 1] - phrase_starts_[p]}; }
  std::size_t phrase_slot(const u32* words, u32 size) const {
    u64 hash = 0;
    for (u32 k = 0; k < size; ++k) hash = longer(hash, words[k]);
    std::size_t at = hash & (phrase_slots_.size() - 1);
    for (;; at = (at + 1) & (phrase_slots_.size() - 1)) {
      if (phrase_slots_[at] == kNone) return at;
      const Ids known = words_of(phrase_slots_[at]);
      if (known.size == size && std::equal(words, words + size, known.data)) return at;
    }
  }

  // Most words begin no phrase, or none longer: two bits for each hash tell this.
  static constexpr u32 kPhrase = 1, kBeginning = 2;
  u32 mark_of(u64 hash) const {
    const u64 place = hash >> 32 & (4 * marks_.size() - 1);
    return marks_[place / 4] >> 2 * (place % 4);
  }
  void mark_beginnings() {
    std::size_t size = 1u << 10;
    while (size < phrases()) size *= 2;
    marks_.assign(size, 0);
    for (u32 p = 0; p < phrases(); ++p) {
      u64 hash = 0;
      const Ids words = words_of(p);
      for (u32 k = 0; k < words.size; ++k) {
        hash = longer(hash, words[k]);
        const u64 place = hash >> 32 & (4 * marks_.size() - 1);
        marks_[place / 4] |= static_cast<u8>((k + 1 == words.size ? kPhrase : kBeginning) << 2 * (place % 4));
      }
    }
  }

  std::string letters_;
  std::vector<u32> word_starts_{0}, word_slots_ = std::vector<u32>(1u << 12, kNone);
  std::vector<u32> phrase_slots_ = std::vector<u32>(1u << 12, kNone);
  std::vector<u32> records_;  // of each phrase: numbers of words and of paraphrases, these words, these records
  std::vector<u8> marks_;
  u64 size_ = 0;

  // While the file is read.
  u64 line_ = 0;
  std::string rest_, last_;
  u32 phrase_ = kNone;
  std::vector<u32> words_of_line_;
  std::vector<u32> phrase_words_, phrase_starts_{0};
  std::vector<std::pair<u32, u32>> pairs_;
};

}  // namespace nlg
