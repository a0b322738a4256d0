// SPDX-License-Identifier: GPL-3.0-or-later
// Tells the thread sanitizer about the ways in which work changes threads through Qt. Debian's Qt is not
// instrumented, so its queues look like no synchronisation at all. Linked into the tests of the preset tsan only: these
// definitions stand before those of libQt6Core. Each hand-over orders what came before it and what follows it, no more.
#include <QMetaObject>
#include <QObject>
#include <QRunnable>
#include <QThreadPool>

#include <dlfcn.h>
#include <sanitizer/tsan_interface.h>

#include <cstdlib>
#include <functional>
#include <utility>

namespace {

class PooledWork : public QRunnable
{
public:
    PooledWork(QThreadPool *pool, std::function<void()> work)
        : m_pool(pool)
        , m_work(std::move(work))
    {
        __tsan_release(this);
    }
    ~PooledWork() override { __tsan_acquire(this); }
    void run() override
    {
        __tsan_acquire(this);
        m_work();
        m_work = {};
        __tsan_release(m_pool); // for waitForDone()
        __tsan_release(this);
    }

private:
    QThreadPool *m_pool;
    std::function<void()> m_work;
};

// Stands for another slot object; whoever calls or destroys it has seen what its sender did.
class PostedCall : public QtPrivate::QSlotObjectBase
{
public:
    explicit PostedCall(QtPrivate::QSlotObjectBase *call)
        : QSlotObjectBase(&PostedCall::handle)
        , m_call(call)
    {
        __tsan_release(this);
    }

private:
    static void handle(int which, QSlotObjectBase *base, QObject *receiver, void **args, bool *)
    {
        __tsan_acquire(base);
        auto *self = static_cast<PostedCall *>(base);
        if (which == Call) {
            self->m_call->call(receiver, args);
            __tsan_release(base);
        } else if (which == Destroy) {
            self->m_call->destroyIfLastRef();
            delete self;
        }
    }

    QtPrivate::QSlotObjectBase *m_call;
};

// The function of that name in libQt6Core; a member function takes its object first.
template<typename Function>
Function original(const char *name)
{
    void *found = dlsym(RTLD_NEXT, name);
    if (!found)
        std::abort();
    return reinterpret_cast<Function>(found);
}

} // namespace

void QThreadPool::start(std::function<void()> work, int priority)
{
    start(new PooledWork(this, std::move(work)), priority);
}

bool QThreadPool::waitForDone(int msecs)
{
    static const auto real = original<bool (*)(QThreadPool *, int)>("_ZN11QThreadPool11waitForDoneEi");
    const bool done = real(this, msecs);
    __tsan_acquire(this);
    return done;
}

bool QMetaObject::invokeMethodImpl(QObject *object, QtPrivate::QSlotObjectBase *slot, Qt::ConnectionType type, void *ret)
{
    static const auto real = original<bool (*)(QObject *, QtPrivate::QSlotObjectBase *, Qt::ConnectionType, void *)>(
        "_ZN11QMetaObject16invokeMethodImplEP7QObjectPN9QtPrivate15QSlotObjectBaseEN2Qt14ConnectionTypeEPv");
    return real(object, new PostedCall(slot), type, ret);
}
