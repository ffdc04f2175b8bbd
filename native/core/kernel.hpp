// A kernel turns a segment into one row of sufficient statistics; `compute_rows` runs kernels over
// a batch. Rows depend on nothing but their segment, so threads and blocks never change them.
#pragma once

#include <atomic>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>

#include "core/checkpoint.hpp"
#include "core/segment.hpp"

namespace nlg {

// One thread's buffers and the computation itself.
struct Worker {
  virtual ~Worker() = default;
  virtual void row(const Segment& segment, double* out) = 0;
};

struct Kernel {
  virtual ~Kernel() = default;
  virtual std::size_t columns() const = 0;
  virtual bool needs_words() const { return true; }
  virtual bool needs_spelling() const { return true; }  // looks into words; if not, reading is faster
  virtual std::unique_ptr<Worker> worker() const = 0;
};

// The threads of one `parallel`: the first failure stops them all, and the caller throws it.
class Team {
 public:
  // each() on the calling thread and, as far as they can be made, on others beside it.
  template <class Each>
  void run(std::size_t threads, Each&& each) {
    std::vector<std::thread> helpers;
    try {
      helpers.reserve(threads - 1);
      while (helpers.size() + 1 < threads) {
        const std::lock_guard lock(lock_);
        helpers.emplace_back([&] { help(each); });
        ++busy_;
      }
    } catch (...) {  // the system gives no more threads; those there are do all the work
    }
    lead(each);
    for (auto& helper : helpers) helper.join();
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  template <class Each>
  void help(Each& each) {
    detail::watch.stop = &stop_;
    detail::watch.helper = true;
    attempt(each, false);
    const std::lock_guard lock(lock_);
    if (--busy_ == 0) done_.notify_one();
  }

  // Works, then waits for the others, all the while open to signals.
  template <class Each>
  void lead(Each& each) {
    const auto* const outer = detail::watch.stop;
    detail::watch.stop = &stop_;
    attempt(each, true);
    attempt([&] {
      std::unique_lock lock(lock_);
      while (!done_.wait_for(lock, kPatience, [&] { return busy_ == 0; })) {
        lock.unlock();
        look_up();
        lock.lock();
      }
    }, true);
    detail::watch.stop = outer;
  }

  template <class Each>
  void attempt(Each&& each, bool leading) {
    try {
      each();
    } catch (const Stopped&) {
    } catch (...) {
      const std::lock_guard lock(lock_);
      if (!failure_ || leading) failure_ = std::current_exception();  // an interrupt is never lost
      stop_ = true;
    }
  }

  std::atomic<bool> stop_{false};
  std::exception_ptr failure_;
  std::mutex lock_;
  std::condition_variable done_;
  std::size_t busy_ = 0;
};

constexpr unsigned kMostThreads = 1024;

// body(first, last) over chunks of [0, size), each chunk on some thread; make_body() once a thread.
template <class MakeBody>
void parallel(std::size_t size, unsigned threads, MakeBody&& make_body, std::size_t chunk = 128) {
  if (size == 0) return;
  std::atomic<std::size_t> next{0};
  const auto most = static_cast<unsigned>(std::min<std::size_t>(kMostThreads, (size + chunk - 1) / chunk));
  Team().run(std::clamp(threads, 1u, most), [&] {
    auto body = make_body();
    for (std::size_t first; (first = next.fetch_add(chunk)) < size;) {
      look_up();
      body(first, std::min(size, first + chunk));
    }
  });
}

// outputs[k] has room for size * kernels[k]->columns() numbers.
inline void compute_rows(const Batch& batch, const Preparation& preparation, const std::vector<const Kernel*>& kernels,
                         const std::vector<double*>& outputs, unsigned threads) {
  bool words = false, spelling = false;
  for (const Kernel* kernel : kernels) words |= kernel->needs_words(), spelling |= kernel->needs_spelling();
  parallel(batch.hyps.size(), threads, [&] {
    std::vector<std::unique_ptr<Worker>> workers;
    for (const Kernel* kernel : kernels) workers.push_back(kernel->worker());
    return [&, workers = std::move(workers), reader = SegmentReader(batch, preparation, words, spelling)](
               std::size_t first, std::size_t last) mutable {
      for (std::size_t i = first; i < last; ++i) {
        const Segment& segment = reader.read(i);
        for (std::size_t k = 0; k < workers.size(); ++k)
          workers[k]->row(segment, outputs[k] + i * kernels[k]->columns());
        checkpoint(64 * kernels.size() + segment.hyp_text.size());
      }
    };
  });
}

}  // namespace nlg
