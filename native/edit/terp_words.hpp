// What TERp has to know of words and phrases: stems, synonyms, stop words, paraphrases.
#pragma once

#include <memory>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "text/lexicon.hpp"
#include "text/stem.hpp"

namespace nlg {

// A table of phrases of references, and what may stand for them in a hypothesis, with a probability.
class TerpPhrases {
 public:
  static constexpr u32 kNone = ~0u;
  struct Entry {
    std::vector<u32> hyp;  // words, by number
    double probability;
    u32 number;  // of the entry
  };

  void add(const std::vector<std::string>& ref, const std::vector<std::string>& hyp, double probability) {
    std::vector<u32> key = numbers(ref), words = numbers(hyp);
    u32& longest = longest_[key[0]];
    longest = std::max(longest, static_cast<u32>(key.size()));
    phrases_[std::move(key)].push_back({std::move(words), probability, size_++});
  }
  u32 size() const { return size_; }
  u32 word(const std::string& text) const {
    const auto found = words_.find(text);
    return found == words_.end() ? kNone : found->second;
  }
  const std::string& text(u32 word) const { return *texts_[word]; }

  // Calls found(size, entries) for every phrase of the table that starts at `first`.
  template <class F>
  void each(const std::vector<u32>& words, std::size_t first, F&& found) const {
    if (words[first] == kNone) return;
    const std::size_t most = std::min<std::size_t>(longest_[words[first]], words.size() - first);
    std::vector<u32> key;
    for (std::size_t size = 1; size <= most && words[first + size - 1] != kNone; ++size) {
      key.push_back(words[first + size - 1]);
      if (const auto phrase = phrases_.find(key); phrase != phrases_.end()) found(size, phrase->second);
    }
  }

 private:
  struct Hash {
    std::size_t operator()(const std::vector<u32>& words) const {
      u64 h = 0;
      for (u32 w : words) h = (h ^ w) * 0x9E3779B97F4A7C15ull, h ^= h >> 29;
      return h;
    }
  };
  std::vector<u32> numbers(const std::vector<std::string>& words) {
    std::vector<u32> result;
    for (const std::string& word : words) {
      const auto [at, added] = words_.emplace(word, static_cast<u32>(texts_.size()));
      if (added) texts_.push_back(&at->first), longest_.push_back(0);
      result.push_back(at->second);
    }
    return result;
  }

  u32 size_ = 0;
  std::unordered_map<std::string, u32> words_;
  std::vector<const std::string*> texts_;
  std::vector<u32> longest_;  // of the phrases that start with a word
  std::unordered_map<std::vector<u32>, std::vector<Entry>, Hash> phrases_;
};

struct TerpLexicon {
  bool stems = true;
  std::shared_ptr<const Lexicon> synonyms;     // or null
  std::shared_ptr<const TerpPhrases> phrases;  // or null
  std::unordered_set<std::string> stop_words;  // not moved without others
};

struct TerpWord {
  u32 stem = 0;
  bool stop = false;
  u32 in_table = TerpPhrases::kNone;
  std::vector<u32> synsets;
  u32 number = 0;  // in the pair of texts that was numbered last, if `round` is its round
  u64 round = 0;
};

// Words that a thread has met.
class TerpVocabulary {
 public:
  explicit TerpVocabulary(const TerpLexicon& lexicon) : lexicon_(lexicon) {}

  TerpWord& operator[](std::string_view word) {
    text_.assign(word);
    const auto [at, added] = words_.try_emplace(text_);
    TerpWord& entry = at->second;
    if (!added) return entry;
    const std::string_view stem = lexicon_.stems ? buffer_.stem(Stemmer::kMartin, text_) : std::string_view(text_);
    entry.stem = stems_.emplace(std::string(stem), static_cast<u32>(stems_.size())).first->second;
    entry.stop = lexicon_.stop_words.count(text_) > 0;
    if (lexicon_.phrases) entry.in_table = lexicon_.phrases->word(text_);
    if (lexicon_.synonyms) lexicon_.synonyms->set_of(text_, WordSet::kJaws, entry.synsets);
    return entry;
  }
  u64 next_round() { return ++round_; }
  // To be called between segments.
  void trim() {
    if (words_.size() > kMost) words_.clear(), stems_.clear();
  }

 private:
  static constexpr std::size_t kMost = 1u << 18;
  const TerpLexicon& lexicon_;
  u64 round_ = 0;
  std::string text_;
  StemBuffer buffer_;
  std::unordered_map<std::string, TerpWord> words_;
  std::unordered_map<std::string, u32> stems_;
};

}  // namespace nlg
