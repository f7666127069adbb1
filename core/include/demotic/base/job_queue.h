// A queue of jobs for the threads of a server.
//
// A job has one or more tasks. Jobs take turns task by task, so that a short job does not wait for
// the end of a long one. Threads call `work`, which runs tasks until one comes that the caller has
// to run itself; so one set of threads does native work without ever leaving native code, and other
// work (in Python) in turn with it. Finished native tasks are collected by another thread, which is
// told by `wake` when there are some.
//
// Thread-safe. The order of tasks is that of submission, in turn; it does not depend on timing.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "demotic/namespaces.h"

namespace demotic::base {

class JobQueue {
 public:
  struct Job {
    virtual ~Job() = default;
    virtual int64_t tasks() const = 0;
    virtual bool is_native() const = 0;
    // Runs a native task. Called by several threads, with different tasks.
    virtual void run(int64_t task) = 0;
  };
  struct Task {
    std::shared_ptr<Job> job;
    int64_t number = 0;                    // from 0
    std::exception_ptr failure = nullptr;  // what a native task has thrown
  };

  // `wake` is called on a working thread when finished tasks wait to be collected, once until they
  // are. It must not block or throw.
  explicit JobQueue(std::function<void()> wake) : wake_(std::move(wake)) {}

  // The job must have tasks.
  void submit(std::shared_ptr<Job> job);

  // Runs native tasks and waits for more. Returns a task for the caller to run, or nothing if the
  // queue was closed and is empty.
  std::optional<Task> work();

  // The native tasks that have ended since the last call.
  std::vector<Task> finished();

  // Tasks that were submitted are still run; then all threads return from `work`.
  void close();

 private:
  std::optional<Task> next();
  void finish(Task task);

  const std::function<void()> wake_;
  std::mutex mutex_;
  std::condition_variable changed_;
  struct Turn {
    std::shared_ptr<Job> job;
    int64_t next = 0;  // the task that begins next
  };
  std::deque<Turn> turns_;  // jobs with tasks that have not begun
  std::vector<Task> finished_;
  bool closed_ = false;
};

}  // namespace demotic::base
