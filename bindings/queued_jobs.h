// Jobs of a queue that keep alive the Python objects they use. They are made and destroyed with the
// GIL held: the queue hands them back to Python in the end.
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "demotic/base/job_queue.h"
#include "demotic/search/batch.h"

namespace demotic::python {
using namespace all;

// What Python collects of a job.
class QueuedJob : public JobQueue::Job {
 public:
  explicit QueuedJob(nanobind::object owner) : owner_(std::move(owner)) {}
  const nanobind::object& owner() const noexcept { return owner_; }

 private:
  const nanobind::object owner_;
};

// Tasks that the threads run in Python.
class QueuedCalls final : public QueuedJob {
 public:
  QueuedCalls(nanobind::object owner, int64_t count) : QueuedJob(std::move(owner)), count_(count) {}
  int64_t tasks() const override { return count_; }
  bool is_native() const override { return false; }
  void run(int64_t) override {}

 private:
  const int64_t count_;
};

// The translation of sentences, one per task.
class QueuedTexts : public QueuedJob {
 public:
  QueuedTexts(nanobind::object owner, int64_t count)
      : QueuedJob(std::move(owner)), results_(static_cast<size_t>(count)) {}
  int64_t tasks() const override { return static_cast<int64_t>(results_.size()); }
  bool is_native() const override { return true; }
  void run(int64_t task) override { results_[task] = translated(task); }
  const std::string& result(int64_t task) const { return results_[task]; }

 private:
  virtual std::string translated(int64_t task) = 0;

  std::vector<std::string> results_;
};

template <typename Kind>
class QueuedSearches final : public QueuedTexts {
 public:
  // The objects are those of the references.
  struct Objects {
    nanobind::object searchers, source, stop;
  };
  QueuedSearches(nanobind::object owner, Objects objects)
      : QueuedTexts(std::move(owner), nanobind::cast<SourceSentences&>(objects.source).size()),
        objects_(std::move(objects)),
        searchers_(nanobind::cast<Searchers<Kind>&>(objects_.searchers)),
        source_(nanobind::cast<SourceSentences&>(objects_.source)),
        stop_(nanobind::cast<StopFlag&>(objects_.stop)) {}

 private:
  std::string translated(int64_t task) override {
    stop_.check();
    Progress progress;
    return translate(searchers_, SentenceRange(source_, task, task + 1), 1, stop_, progress)
        .text[0];
  }

  const Objects objects_;
  Searchers<Kind>& searchers_;
  const SourceSentences& source_;
  const StopFlag& stop_;
};

}  // namespace demotic::python
