#include "demotic/base/job_queue.h"

#include <utility>

namespace demotic::base {

void JobQueue::submit(std::shared_ptr<Job> job) {
  {
    std::lock_guard lock(mutex_);
    turns_.push_back({std::move(job)});
  }
  changed_.notify_one();
}

std::optional<JobQueue::Task> JobQueue::work() {
  while (std::optional<Task> task = next()) {
    if (!task->job->is_native()) return task;
    try {
      task->job->run(task->number);
    } catch (...) {
      task->failure = std::current_exception();
    }
    finish(std::move(*task));
  }
  return std::nullopt;
}

std::optional<JobQueue::Task> JobQueue::next() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return !turns_.empty() || closed_; });
  if (turns_.empty()) return std::nullopt;
  Turn turn = std::move(turns_.front());
  turns_.pop_front();
  Task task{turn.job, turn.next++};
  if (turn.next < turn.job->tasks()) {
    turns_.push_back(std::move(turn));
    lock.unlock();
    changed_.notify_one();
  }
  return task;
}

void JobQueue::finish(Task task) {
  bool first;
  {
    std::lock_guard lock(mutex_);
    first = finished_.empty();
    finished_.push_back(std::move(task));
  }
  if (first) wake_();
}

std::vector<JobQueue::Task> JobQueue::finished() {
  std::lock_guard lock(mutex_);
  return std::exchange(finished_, {});
}

void JobQueue::close() {
  {
    std::lock_guard lock(mutex_);
    closed_ = true;
  }
  changed_.notify_all();
}

}  // namespace demotic::base
