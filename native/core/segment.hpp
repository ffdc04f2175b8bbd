// One segment as the kernels see it: texts after case folding, words as small integers.
#pragma once

#include <algorithm>
#include <optional>

#include "text/stem.hpp"
#include "text/tokenize.hpp"

namespace nlg {

// A hypothesis column and its references; those of segment i are [ref_starts[i], ref_starts[i + 1]).
struct Batch {
  const Texts& hyps;
  const Texts& refs;
  const std::int64_t* ref_starts;
  const double* ref_weights;  // one per reference, or null
};

// What is read of a text, and what becomes of its words.
struct Reading {
  bool lines = false;     // lines are tokenised one by one, and kernels see where they end
  u32 max_words = 0;      // white-space separated; 0: no limit
  u32 max_bytes = 0;      // line ends not counted; 0: no limit
  bool restart = false;   // see SegmentReader::split_restarting
  std::shared_ptr<const WordRules> rules;  // or null
};

struct Preparation {
  Tokenizer tokenizer = Tokenizer::kSpace;
  bool lowercase = false;
  Reading reading;
};

struct Ids {
  const u32* data;
  u32 size;
  u32 operator[](std::size_t i) const { return data[i]; }
  const u32* begin() const { return data; }
  const u32* end() const { return data + size; }
};

template <class F>
inline void for_lines(std::string_view text, F&& on_line) {
  for (;;) {
    const std::size_t end = text.find('\n');
    on_line(text.substr(0, end));
    if (end == std::string_view::npos) return;
    text.remove_prefix(end + 1);
  }
}

// The text up to its n-th word or byte. For ROUGE-1.5.5, white space at the start of a line makes
// an empty word that counts, if others follow in the line.
inline std::string_view limited(std::string_view text, u32 words, u32 bytes, bool count_empty) {
  const auto* s = reinterpret_cast<const u8*>(text.data());
  u32 left = words ? words : bytes;
  for (std::size_t i = 0; i < text.size();) {
    if (s[i] == '\n') {
      ++i;
    } else if (bytes) {
      const u32 length = utf8_length(s[i]);
      if (length > left) return text.substr(0, i);
      left -= length;
      i += length;
    } else {
      const bool line_start = i == 0 || s[i - 1] == '\n';
      const std::size_t before = i;
      while (i < text.size() && s[i] != '\n' && is_ascii_space(s[i])) ++i;
      if (i == text.size() || s[i] == '\n') continue;
      if (count_empty && line_start && i > before && --left == 0) return text.substr(0, before);
      while (i < text.size() && !is_ascii_space(s[i])) ++i;
      if (--left == 0) return text.substr(0, i);
    }
    if (left == 0) return text.substr(0, i);
  }
  return text;
}

class Segment {
 public:
  std::string_view hyp_text;
  std::vector<std::string_view> ref_texts;
  const double* ref_weights = nullptr;

  // Words of the references are numbered 1..vocabulary; a hypothesis word in none of them is 0.
  u32 vocabulary = 0;
  u32 longest_ref = 0;
  Ids hyp() const { return {hyp_ids_.data(), static_cast<u32>(hyp_ids_.size())}; }
  u32 ref_count() const { return static_cast<u32>(ref_texts.size()); }
  Ids ref(std::size_t r) const { return {ref_ids_.data() + ref_ends_[r], ref_ends_[r + 1] - ref_ends_[r]}; }
  const std::vector<u32>& ref_ends() const { return ref_ends_; }  // starts with 0
  // The words themselves, for kernels that look into them.
  const Word* hyp_words() const { return hyp_words_; }
  const Word* ref_words(std::size_t r) const { return ref_words_ + ref_ends_[r]; }
  // Where lines end, as positions among the text's words; only if lines are read.
  Ids hyp_lines() const { return {hyp_lines_.data(), static_cast<u32>(hyp_lines_.size())}; }
  Ids ref_lines(std::size_t r) const {
    return {ref_lines_.data() + ref_line_ends_[r], ref_line_ends_[r + 1] - ref_line_ends_[r]};
  }
  Ids all_refs() const { return {ref_ids_.data(), static_cast<u32>(ref_ids_.size())}; }

 private:
  friend class SegmentReader;
  std::vector<u32> hyp_ids_, ref_ids_, ref_ends_;
  std::vector<u32> hyp_lines_, ref_lines_, ref_line_ends_;
  const Word *hyp_words_ = nullptr, *ref_words_ = nullptr;
};

// Reads segments one after the other into the same buffers.
class SegmentReader {
 public:
  // `words`: words are numbered; `stems`: the stems themselves are wanted, too.
  SegmentReader(const Batch& batch, const Preparation& preparation, bool words, bool stems)
      : batch_(batch), preparation_(preparation), words_wanted_(words), stems_wanted_(stems) {
    if (preparation.reading.rules) stems_.emplace(preparation.reading.rules);
  }

  const Segment& read(std::size_t i) {
    scratch_.clear();
    const auto first = static_cast<std::size_t>(batch_.ref_starts[i]);
    const auto last = static_cast<std::size_t>(batch_.ref_starts[i + 1]);
    segment_.hyp_text = prepare(batch_.hyps[i]);
    segment_.ref_texts.resize(last - first);
    for (std::size_t r = first; r < last; ++r) segment_.ref_texts[r - first] = prepare(batch_.refs[r]);
    segment_.ref_weights = batch_.ref_weights ? batch_.ref_weights + first : nullptr;
    if (words_wanted_) number_words();
    return segment_;
  }

 private:
  std::string_view prepare(std::string_view text) {
    const Reading& reading = preparation_.reading;
    if ((reading.max_words || reading.max_bytes) && !reading.restart)
      text = limited(text, reading.max_words, reading.max_bytes, preparation_.tokenizer == Tokenizer::kRouge155);
    if (!preparation_.lowercase) return text;
    std::string& out = scratch_.take();
    out.resize(lower_bound_size(text.size()) + kPadding);
    const char* end = lower(text, out.data(), scratch_.code_points);
    return {out.data(), static_cast<std::size_t>(end - out.data())};
  }

  // ROUGE-1.5.5 with a limit in bytes starts to count again with every line when it reads texts
  // for ROUGE-L and W: all lines before the first that is too long by itself, and that one's start.
  // What it clips matches with is read properly, and is given to the kernel as one more line.
  template <class F>
  static void split_restarting(std::string_view text, u32 limit, F&& on_line) {
    bool done = false;
    for_lines(text, [&](std::string_view line) {
      if (!done) on_line(line.substr(0, limit));
      done |= line.size() >= limit;
    });
  }

  // The words of a text; the ends of its lines, counted in words, are appended to `lines`.
  Word* tokenize_into(std::string_view text, Word* out, std::vector<u32>& lines) {
    const Reading& reading = preparation_.reading;
    if (!reading.lines) return tokenize(preparation_.tokenizer, text, scratch_, out);
    const Word* const first = out;
    const auto add = [&](std::string_view line) {
      out = tokenize(preparation_.tokenizer, line, scratch_, out);
      lines.push_back(static_cast<u32>(out - first));
    };
    if (reading.restart) {
      split_restarting(text, reading.max_bytes, add);
      add(limited(text, 0, reading.max_bytes, false));
    } else {
      for_lines(text, add);
    }
    return out;
  }

  void number_words() {
    std::size_t room = max_words(segment_.hyp_text.size());
    for (auto text : segment_.ref_texts) room += max_words(text.size());
    if (preparation_.reading.restart) room *= 2;
    if (buffer_.size() < room) buffer_.resize(2 * room);

    Word* out = buffer_.data();
    auto& ends = segment_.ref_ends_;
    ends.assign(1, 0);
    segment_.ref_line_ends_.assign(1, 0);
    segment_.ref_lines_.clear();
    segment_.hyp_lines_.clear();
    for (auto text : segment_.ref_texts) {
      out = tokenize_into(text, out, segment_.ref_lines_);
      ends.push_back(static_cast<u32>(out - buffer_.data()));
      segment_.ref_line_ends_.push_back(static_cast<u32>(segment_.ref_lines_.size()));
    }
    const Word* const hyp_end = tokenize_into(segment_.hyp_text, out, segment_.hyp_lines_);

    segment_.ref_words_ = buffer_.data();
    segment_.hyp_words_ = out;
    segment_.ref_ids_.resize(ends.back());
    segment_.hyp_ids_.resize(hyp_end - out);
    if (stems_) {
      number_stems(out);
    } else {
      interner_.reset(ends.back());
      for (u32 k = 0; k < ends.back(); ++k) segment_.ref_ids_[k] = interner_.add(buffer_[k]);
      for (std::size_t k = 0; k < segment_.hyp_ids_.size(); ++k) segment_.hyp_ids_[k] = interner_.find(out[k]);
      segment_.vocabulary = interner_.size();
    }
    segment_.longest_ref = 0;
    for (std::size_t r = 0; r + 1 < ends.size(); ++r)
      segment_.longest_ref = std::max(segment_.longest_ref, ends[r + 1] - ends[r]);
  }

  // Numbers stems instead of words, and closes the gaps that stop words leave. Words are looked up
  // among the segment's own first, which are in cache, and only once each among all stems.
  void number_stems(Word* hyp) {
    auto& refs = segment_.ref_ids_;
    auto& hyps = segment_.hyp_ids_;
    interner_.reset(static_cast<u32>(refs.size() + hyps.size()));
    for (std::size_t k = 0; k < refs.size(); ++k) refs[k] = interner_.add(buffer_[k]);
    const u32 in_refs = interner_.size();
    for (std::size_t k = 0; k < hyps.size(); ++k) hyps[k] = interner_.add(hyp[k]);

    const u32 words = interner_.size();
    stems_->trim();
    stem_of_.resize(words + 1);
    number_of_.resize(words + 1);
    hashed_.resize(words + 1);
    for (u32 w = 1; w <= words; ++w) hashed_[w] = stems_->prefetch(interner_.word(w));
    for (u32 w = 1; w <= words; ++w) stem_of_[w] = stems_->id(interner_.word(w), hashed_[w]);
    if (seen_.size() < stems_->stems()) seen_.resize(2 * stems_->stems(), {0, 0});
    ++generation_;
    u32 numbered = 0;
    bool dropped = false;
    for (u32 w = 1; w <= words; ++w) {
      if (stem_of_[w] == StemCache::kDropped) {
        dropped = true;
        continue;
      }
      auto& [generation, number] = seen_[stem_of_[w]];
      if (w <= in_refs && generation != generation_) generation = generation_, number = ++numbered;
      number_of_[w] = generation == generation_ ? number : 0;
    }
    segment_.vocabulary = numbered;
    if (dropped) drop();
    if (stems_wanted_) {
      for (std::size_t k = 0; k < refs.size(); ++k) buffer_[k] = stems_->stem(stem_of_[refs[k]]);
      for (std::size_t k = 0; k < hyps.size(); ++k) hyp[k] = stems_->stem(stem_of_[hyps[k]]);
    }
    for (u32& id : refs) id = number_of_[id];
    for (u32& id : hyps) id = number_of_[id];
  }

  // Takes the stop words out of all texts.
  void drop() {
    auto& ends = segment_.ref_ends_;
    const auto& line_ends = segment_.ref_line_ends_;
    u32 to = 0;
    for (std::size_t r = 0, from = 0; r + 1 < ends.size(); ++r) {
      const u32 end = ends[r + 1];
      ends[r] = to;
      u32* const lines = segment_.ref_lines_.data();
      to = drop_from(segment_.ref_ids_.data(), from, end, to, lines + line_ends[r], lines + line_ends[r + 1]);
      from = end;
    }
    ends.back() = to;
    segment_.ref_ids_.resize(to);
    u32* const lines = segment_.hyp_lines_.data();
    auto& hyps = segment_.hyp_ids_;
    hyps.resize(drop_from(hyps.data(), 0, hyps.size(), 0, lines, lines + segment_.hyp_lines_.size()));
  }

  // Moves the words of ids[from, end) that stay to `to`, and corrects the line ends.
  u32 drop_from(u32* ids, std::size_t from, std::size_t end, u32 to, u32* line, const u32* last_line) const {
    const u32 start = to;
    for (std::size_t k = from;; ++k) {
      for (; line < last_line && *line == k - from; ++line) *line = to - start;
      if (k == end) return to;
      if (stem_of_[ids[k]] != StemCache::kDropped) ids[to++] = ids[k];
    }
  }

  const Batch batch_;
  const Preparation& preparation_;
  bool words_wanted_, stems_wanted_;
  Segment segment_;
  Scratch scratch_;
  Interner interner_;
  std::vector<Word> buffer_;
  std::optional<StemCache> stems_;
  std::vector<u64> hashed_;                // by the segment's number of a word
  std::vector<u32> stem_of_, number_of_;   // so, too
  std::vector<std::pair<u32, u32>> seen_;  // by stem: the segment that saw it last, its number there
  u32 generation_ = 0;
};

}  // namespace nlg
