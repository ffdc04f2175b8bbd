// What METEOR 1.5 has to know about a word, looked up once for each word a thread meets.
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "alignment/beam.hpp"
#include "text/lexicon.hpp"
#include "alignment/paraphrases.hpp"
#include "text/stem.hpp"

namespace nlg {

using WordList = std::unordered_set<std::string>;

enum class Module { kExact, kStem, kSynonym, kParaphrase };

// Content words, function words and, in METEOR++, copy words.
enum class WordClass : u8 { kContent, kFunction, kCopy };

struct MeteorWords {
  Stemmer stemmer = Stemmer::kSnowball;
  std::unordered_map<std::string, std::string> stems;  // in place of the stemmer, if there are any
  std::shared_ptr<const Lexicon> lexicon;              // or null
  WordSet synonyms = WordSet::kMeteor;
  std::shared_ptr<const Paraphrases> paraphrases;      // or null
  WordList function_words, copy_words;
  bool lonely_copies = false;  // words without a synonym are copy words
};

// Java's String.hashCode: METEOR 1.5 compares words and stems by it.
inline u32 java_hash(std::string_view text) {
  u32 h = 0;
  const auto* s = reinterpret_cast<const u8*>(text.data());
  for (std::size_t i = 0; i < text.size();) {
    u32 length;
    const u32 c = decode(s + i, length);
    i += length;
    if (c < 0x10000) h = 31 * h + c;
    else h = 31 * (31 * h + (0xD7C0 + (c >> 10))) + (0xDC00 | (c & 0x3FF));
  }
  return h;
}

class MeteorVocabulary {
 public:
  struct Entry {
    Word word;
    std::string text;
    u32 number;  // in the order in which words were met
    u32 key, stem;
    u32 length;  // in Java's characters
    u32 phrase_word = Paraphrases::kNone;
    WordClass kind = WordClass::kContent;
    std::vector<u32> synsets;
  };

  explicit MeteorVocabulary(const MeteorWords& words) : words_(words) { clear(); }

  const Entry& operator[](const Word& word) {
    std::size_t at = slot(word);
    if (slots_[at] != nullptr) return *slots_[at];
    if (2 * entries_.size() > slots_.size()) {
      slots_.assign(4 * slots_.size(), nullptr);
      for (Entry& entry : entries_) slots_[slot(entry.word)] = &entry;
      at = slot(word);
    }
    Entry& entry = entries_.emplace_back();
    entry.number = static_cast<u32>(entries_.size()) - 1;
    entry.text.assign(word.data, word.size);
    entry.word = word;
    entry.word.data = entry.text.data();
    look_up(entry);
    return *(slots_[at] = &entry);
  }
  std::size_t size() const { return entries_.size(); }
  // To be called between segments.
  void trim() {
    if (entries_.size() > kMost) clear();
  }

 private:
  static constexpr std::size_t kMost = 1u << 20;

  void clear() {
    entries_.clear();
    slots_.assign(1u << 10, nullptr);
  }
  std::size_t slot(const Word& word) const {
    std::size_t at = word.hash() & (slots_.size() - 1);
    while (slots_[at] != nullptr && !(slots_[at]->word == word)) at = (at + 1) & (slots_.size() - 1);
    return at;
  }

  void look_up(Entry& entry) {
    const std::string& text = entry.text;
    entry.key = java_hash(text);
    entry.length = 0;
    for (char c : text) entry.length += ((static_cast<u8>(c) & 0xC0) != 0x80) + (static_cast<u8>(c) >= 0xF0);
    if (words_.stems.empty()) {
      entry.stem = java_hash(buffer_.stem(words_.stemmer, text));
    } else {
      const auto known = words_.stems.find(text);
      entry.stem = known == words_.stems.end() ? entry.key : java_hash(known->second);
    }
    if (words_.lexicon) words_.lexicon->set_of(text, words_.synonyms, entry.synsets);
    if (words_.paraphrases) entry.phrase_word = words_.paraphrases->word(text);
    entry.kind = kind(text);
  }

  WordClass kind(const std::string& text) {
    const bool plain = std::all_of(text.begin(), text.end(), [](char c) { return static_cast<u8>(c) < 0x80 && !(c >= 'A' && c <= 'Z'); });
    std::string low = text;
    if (!plain) {
      const std::string padded = text + std::string(kPadding, '\0');
      low.resize(lower_bound_size(text.size()) + kPadding);
      low.resize(lower({padded.data(), text.size()}, low.data(), code_points_) - low.data());
    }
    if (words_.function_words.count(low)) return WordClass::kFunction;
    if (words_.copy_words.count(low)) return WordClass::kCopy;
    if (words_.lonely_copies && words_.lexicon && letters(low) && words_.lexicon->lonely(low)) return WordClass::kCopy;
    return WordClass::kContent;
  }
  static bool letters(const std::string& text) {
    u32 length;
    for (std::size_t i = 0; i < text.size(); i += length)
      if (properties(decode(reinterpret_cast<const u8*>(text.data()) + i, length)) & kAlnum) return true;
    return false;
  }

  const MeteorWords& words_;
  StemBuffer buffer_;
  std::vector<u32> code_points_;
  std::deque<Entry> entries_;
  std::vector<Entry*> slots_;
};

}  // namespace nlg
