// METEOR (Banerjee and Lavie, 2005): links found in stages, then chunks. Columns, for the best
// reference: links, chunks, |h|, |r|, score, 1.
#pragma once

#include <cmath>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "core/kernel.hpp"
#include "text/lexicon.hpp"
#include "alignment/matching.hpp"
#include "text/stem.hpp"

namespace nlg {

// The words of a pair of texts, and which of them earlier stages have linked.
struct StageInput {
  Ids hyp, ref;  // equal words of the two texts have equal numbers; a hypothesis word may have 0
  const Word *hyp_words, *ref_words;
  u32 vocabulary;
  const LinkedWords& links;
};

// One way to tell that words correspond, on one thread.
class MatchStage {
 public:
  virtual ~MatchStage() = default;
  // Numbers or pairs free words; `out` is empty.
  virtual void offer(const StageInput& in, Candidates& out) = 0;

 protected:
  // of_ref(j) and then of_hyp(i) for every free word.
  template <class R, class H>
  static void number(const StageInput& in, Candidates& out, R&& of_ref, H&& of_hyp) {
    out.ref_class.resize(in.ref.size);
    out.hyp_class.resize(in.hyp.size);
    for (u32 j = 0; j < in.ref.size; ++j) out.ref_class[j] = in.links.ref[j] == kUnlinked ? of_ref(j) : 0;
    for (u32 i = 0; i < in.hyp.size; ++i) out.hyp_class[i] = in.links.hyp[i] == kUnlinked ? of_hyp(i) : 0;
  }
};

// A configured stage, shared by threads.
class StageKind {
 public:
  virtual ~StageKind() = default;
  virtual std::unique_ptr<MatchStage> make() const = 0;
};

// The same word; words of a given list are left alone.
class ExactStage final : public StageKind {
 public:
  explicit ExactStage(const std::vector<std::string>& except) : except_(except.begin(), except.end()) {}
  std::unique_ptr<MatchStage> make() const override { return std::make_unique<Exact>(except_); }

 private:
  using List = std::unordered_set<std::string>;
  class Exact final : public MatchStage {
   public:
    explicit Exact(const List& except) : except_(except) {}
    void offer(const StageInput& in, Candidates& out) override {
      out.classes = in.vocabulary;
      if (except_.empty()) return number(in, out, [&](u32 j) { return in.ref[j]; }, [&](u32 i) { return in.hyp[i]; });
      number(in, out, [&](u32 j) { return counts(in.ref_words[j]) ? in.ref[j] : 0; }, [&](u32 i) { return in.hyp[i]; });
    }

   private:
    bool counts(const Word& word) const { return except_.count(std::string(word.data, word.size)) == 0; }
    const List& except_;
  };
  List except_;
};

// The same stem.
class StemStage final : public StageKind {
 public:
  explicit StemStage(Stemmer stemmer) : stemmer_(stemmer) {}
  std::unique_ptr<MatchStage> make() const override { return std::make_unique<Stem>(stemmer_); }

 private:
  class Stem final : public MatchStage {
   public:
    explicit Stem(Stemmer stemmer) : cache_(stemmer) {}
    void offer(const StageInput& in, Candidates& out) override {
      cache_.trim();
      for (u32 id : met_) class_[id] = 0;
      met_.clear();
      // Stemming never changes a word's first letter; Snowball drops an apostrophe before it.
      std::fill(std::begin(initials_), std::end(initials_), 0);
      bool any = false;
      for (u32 j = 0; j < in.ref.size; ++j) initials_[initial(in.ref_words[j])] |= in.links.ref[j] == kUnlinked;
      for (u32 i = 0; i < in.hyp.size; ++i)
        if (in.links.hyp[i] == kUnlinked) any |= (initials_[initial(in.hyp_words[i])] |= 2) == 3;
      if (!any) return;
      const auto of_ref = [&](u32 j) -> u32 {
        if (initials_[initial(in.ref_words[j])] != 3) return 0;
        const u32 id = cache_.id(in.ref_words[j]);
        if (id >= class_.size()) class_.resize(2 * id + 64, 0);
        if (class_[id] == 0) {
          met_.push_back(id);
          class_[id] = static_cast<u32>(met_.size());
        }
        return class_[id];
      };
      any = false;
      const auto of_hyp = [&](u32 i) -> u32 {
        if (initials_[initial(in.hyp_words[i])] != 3) return 0;
        const u32 id = cache_.id(in.hyp_words[i]);
        const u32 number = id < class_.size() ? class_[id] : 0;
        any |= number != 0;
        return number;
      };
      number(in, out, of_ref, of_hyp);
      out.classes = static_cast<u32>(met_.size());
      if (!any) out.clear();
    }

   private:
    static u8 initial(const Word& word) {
      return static_cast<u8>(word.data[*word.data == '\'' && word.size > 1]);
    }

    u8 initials_[256];  // which of the texts have free words with this first byte
    StemCache cache_;
    std::vector<u32> class_, met_;  // number of each stem in this pair of texts
  };
  Stemmer stemmer_;
};

// Pairs of words from a table, in either order. Unlike classes, they need not be transitive.
class PairStage final : public StageKind {
 public:
  using Table = std::unordered_map<std::string_view, std::vector<std::string_view>>;

  explicit PairStage(std::vector<std::pair<std::string, std::string>> pairs) : pairs_(std::move(pairs)) {
    for (const auto& [a, b] : pairs_) {
      table_[a].push_back(b);
      if (a != b) table_[b].push_back(a);
    }
  }
  std::unique_ptr<MatchStage> make() const override { return std::make_unique<Pairs>(table_); }

 private:
  class Pairs final : public MatchStage {
   public:
    explicit Pairs(const Table& table) : table_(table) {}
    void offer(const StageInput& in, Candidates& out) override {
      refs_.clear();
      for (u32 j = 0; j < in.ref.size; ++j)
        if (in.links.ref[j] == kUnlinked) refs_[text(in.ref_words[j])].push_back(j);
      for (u32 i = 0; i < in.hyp.size; ++i) {
        const auto known = table_.find(text(in.hyp_words[i]));
        if (in.links.hyp[i] != kUnlinked || known == table_.end()) continue;
        for (const auto other : known->second)
          if (const auto found = refs_.find(other); found != refs_.end())
            for (u32 j : found->second) out.pairs.emplace_back(i, j);
      }
    }

   private:
    static std::string_view text(const Word& word) { return {word.data, word.size}; }
    const Table& table_;
    std::unordered_map<std::string_view, std::vector<u32>> refs_;
  };
  std::vector<std::pair<std::string, std::string>> pairs_;
  Table table_;
};

// Words that share a synset, or a base form; or a hypothesis word with one of its synsets' words.
// What is looked up may be their stems.
class WordSetStage final : public StageKind {
 public:
  WordSetStage(std::shared_ptr<const Lexicon> lexicon, WordSet hyp, WordSet ref, Stemmer stemmer)
      : lexicon_(std::move(lexicon)), hyp_(hyp), ref_(ref), stemmer_(stemmer) {}
  std::unique_ptr<MatchStage> make() const override { return std::make_unique<Sets>(*lexicon_, hyp_, ref_, stemmer_); }

 private:
  class Sets final : public MatchStage {
   public:
    Sets(const Lexicon& lexicon, WordSet hyp, WordSet ref, Stemmer stemmer)
        : hyp_{lexicon, hyp, stemmer}, ref_{lexicon, ref, stemmer}, own_(hyp == WordSet::kNltk) {}
    void offer(const StageInput& in, Candidates& out) override {
      hyp_.trim();
      ref_.trim();
      Cache& of_ref = hyp_.kind == ref_.kind ? hyp_ : ref_;
      refs_.clear();
      for (u32 j = 0; j < in.ref.size; ++j)
        if (in.links.ref[j] == kUnlinked) refs_.emplace_back(j, &of_ref.numbers(in.ref_words[j]));
      for (u32 i = 0; i < in.hyp.size; ++i) {
        if (in.links.hyp[i] != kUnlinked) continue;
        const auto& mine = hyp_.numbers(in.hyp_words[i]);
        for (const auto& [j, others] : refs_)
          if (share(mine, *others) || (own_ && in.hyp[i] == in.ref[j])) out.pairs.emplace_back(i, j);
      }
    }

   private:
    // The sets of words seen before.
    struct Cache {
      static constexpr std::size_t kMost = 1u << 20;
      const Lexicon& lexicon;
      WordSet kind;
      Stemmer stemmer;
      StemBuffer buffer{};
      std::unordered_map<std::string, std::vector<u32>> known{};
      void trim() {
        if (known.size() > kMost) known.clear();
      }
      const std::vector<u32>& numbers(const Word& word) {
        const auto [found, fresh] = known.try_emplace(std::string(word.data, word.size));
        if (fresh) lexicon.set_of(buffer.stem(stemmer, found->first), kind, found->second);
        return found->second;
      }
    };
    static bool share(const std::vector<u32>& a, const std::vector<u32>& b) {
      for (auto x = a.begin(), y = b.begin(); x != a.end() && y != b.end();) {
        if (*x == *y) return true;
        if (*x < *y) ++x;
        else ++y;
      }
      return false;
    }
    Cache hyp_, ref_;
    bool own_;  // every word is a synonym of itself
    std::vector<std::pair<u32, const std::vector<u32>*>> refs_;
  };
  std::shared_ptr<const Lexicon> lexicon_;
  WordSet hyp_, ref_;
  Stemmer stemmer_;
};

using Stages = std::vector<std::shared_ptr<const StageKind>>;

enum class Linking { kBest, kLast };

// Runs the stages over a pair of texts.
class StagedAligner {
 public:
  StagedAligner(const Stages& stages, Linking linking) : linking_(linking) {
    for (const auto& kind : stages) stages_.push_back(kind->make());
  }

  const LinkedWords& align(Ids hyp, const Word* hyp_words, Ids ref, const Word* ref_words, u32 vocabulary) {
    links_.clear(hyp.size, ref.size);
    const StageInput input{hyp, ref, hyp_words, ref_words, vocabulary, links_};
    for (u32 k = 0; k < stages_.size(); ++k) {
      candidates_.clear();
      stages_[k]->offer(input, candidates_);
      if (linking_ == Linking::kBest) best_.run(candidates_, k, links_);
      else last_.run(candidates_, k, links_);
    }
    return links_;
  }

 private:
  Linking linking_;
  std::vector<std::unique_ptr<MatchStage>> stages_;
  Candidates candidates_;
  LinkedWords links_;
  BestLinks best_;
  LastLinks last_;
};

struct MeteorConfig {
  Stages stages;
  Linking linking;
  double alpha, beta, gamma;
};

class MeteorWorker final : public Worker {
 public:
  explicit MeteorWorker(const MeteorConfig& config) : config_(config), aligner_(config.stages, config.linking) {}

  void row(const Segment& s, double* out) override {
    const Ids hyp = s.hyp();
    std::fill_n(out, 6, 0.0);
    out[2] = hyp.size;
    out[5] = 1;
    double best = -1;
    for (u32 r = 0; r < s.ref_count(); ++r) {
      const Ids ref = s.ref(r);
      if (ref.size == 0) continue;
      const auto& links = aligner_.align(hyp, s.hyp_words(), ref, s.ref_words(r), s.vocabulary);
      const auto linked =
          static_cast<double>(hyp.size - std::count(links.hyp.begin(), links.hyp.end(), kUnlinked));
      const double chunks = links.chunks();
      const double value = score(linked, chunks, hyp.size, ref.size);
      if (value <= best) continue;
      best = value;
      out[0] = linked, out[1] = chunks, out[3] = ref.size, out[4] = value;
    }
  }

 private:
  double score(double linked, double chunks, double hyp_size, double ref_size) const {
    if (linked == 0) return 0;
    const double precision = linked / hyp_size, recall = linked / ref_size;
    const double mean = precision * recall / (config_.alpha * precision + (1 - config_.alpha) * recall);
    return mean * (1 - config_.gamma * std::pow(chunks / linked, config_.beta));
  }
  MeteorConfig config_;
  StagedAligner aligner_;
};

class MeteorKernel final : public Kernel {
 public:
  explicit MeteorKernel(MeteorConfig config) : config_(std::move(config)) {}
  std::size_t columns() const override { return 6; }
  std::unique_ptr<Worker> worker() const override { return std::make_unique<MeteorWorker>(config_); }

 private:
  MeteorConfig config_;
};

}  // namespace nlg
