// What METEOR 1.5 has to know about a word, looked up once for each word a thread meets.
#pragma once

#include <memory>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "beam.hpp"
#include "lexicon.hpp"
#include "paraphrases.hpp"
#include "stem.hpp"

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
    u32 key, stem;
    u32 length;  // in Java's characters
    u32 phrase_word = Paraphrases::kNone;
    WordClass kind = WordClass::kContent;
    u64 marks = 0;  // of the numbers: words without a common mark share none
    std::vector<u32> numbers;
  };

  explicit MeteorVocabulary(const MeteorWords& words) : words_(words) {}

  const Entry& operator[](const Word& word) {
    const std::string text(word.data, word.size);
    const auto found = entries_.find(text);
    return found != entries_.end() ? found->second : entries_.emplace(text, look_up(text)).first->second;
  }
  // To be called between segments.
  void trim() {
    if (entries_.size() > kMost) entries_.clear();
  }

 private:
  static constexpr std::size_t kMost = 1u << 20;

  Entry look_up(const std::string& text) {
    Entry entry;
    entry.key = java_hash(text);
    entry.length = 0;
    for (char c : text) entry.length += ((static_cast<u8>(c) & 0xC0) != 0x80) + (static_cast<u8>(c) >= 0xF0);
    if (words_.stems.empty()) {
      entry.stem = java_hash(buffer_.stem(words_.stemmer, text));
    } else {
      const auto known = words_.stems.find(text);
      entry.stem = known == words_.stems.end() ? entry.key : java_hash(known->second);
    }
    if (words_.lexicon) {
      words_.lexicon->set_of(text, words_.synonyms, entry.numbers);
      for (u32 number : entry.numbers) entry.marks |= 1ull << (number * 0x9E3779B1u >> 26);
    }
    if (words_.paraphrases) entry.phrase_word = words_.paraphrases->word(text);
    entry.kind = kind(text);
    return entry;
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
  std::unordered_map<std::string, Entry> entries_;
};

}  // namespace nlg
