// SPDX-License-Identifier: GPL-3.0-or-later
// A place for one piece of long work. A new run cancels the old one; what the work returns arrives on the thread of the slot, or
// not at all (cancelled, replaced, slot deleted). This is the only place where exceptions of core are caught.
//
//     m_job.run([path](const Progress &progress) { return importTrace(path, progress); },   // on a worker
//               [this](std::shared_ptr<const Trace> trace) { … },                           // here
//               [this](const JobError &error) { … });                                       // here
//
// The work must own what it uses (capture by value); the other two may capture the owner of the slot.
#pragma once

#include "core/base/progress.h"

#include <QObject>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>

class QThreadPool;

namespace ks {

struct JobError
{
    enum class Kind : std::uint8_t { Failed, SourceChanged };
    Kind kind = Kind::Failed;
    std::string message;                     // English, one sentence
    std::optional<std::uint64_t> byteOffset; // of an ImportError
};

class JobSlot : public QObject
{
    Q_OBJECT
public:
    explicit JobSlot(QObject *parent = nullptr, QThreadPool *pool = nullptr); // none: jobPool()
    ~JobSlot() override;                                                       // cancels

    template<typename Work, typename Done, typename Failed>
    void run(Work work, Done onDone, Failed onError)
    {
        using Result = std::invoke_result_t<Work &, const Progress &>;
        if constexpr (std::is_void_v<Result>) {
            start(std::move(work), std::move(onDone), std::move(onError));
        } else {
            auto result = std::make_shared<std::optional<Result>>();
            start([work = std::move(work), result](const Progress &progress) mutable { result->emplace(work(progress)); },
                  [onDone = std::move(onDone), result]() mutable { onDone(std::move(**result)); }, std::move(onError));
        }
    }

    void cancel(); // neither onDone nor onError will be called
    bool isRunning() const { return m_current != nullptr; }
    ProgressReport progress() const { return m_progress; } // the newest that was signalled

signals:
    void runningChanged();
    void progressChanged(); // at most every 50 ms

private:
    struct Job;
    using Work = std::function<void(const Progress &)>;

    void start(Work work, std::function<void()> onDone, std::function<void(const JobError &)> onError);
    void drop();
    void deliver(const std::shared_ptr<Job> &job);

    QThreadPool *m_pool;
    std::shared_ptr<Job> m_current;
    std::function<void()> m_onDone;
    std::function<void(const JobError &)> m_onError;
    ProgressReport m_progress;
};

} // namespace ks
