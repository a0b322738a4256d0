// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/hash.h"
#include "core/base/name_pool.h"
#include "core/import/local_tables.h"
#include "tests/support/qt_text.h"

#include <QTest>

#include <functional>
#include <map>
#include <random>
#include <string>
#include <thread>
#include <vector>

using namespace ks;

namespace {

// What `use` says of the text as a token, with the padding tokens have.
std::uint32_t withToken(std::string text, const std::function<std::uint32_t(const Token &)> &use)
{
    const auto size = static_cast<std::uint32_t>(text.size());
    text.append(kPadding, '#');
    return use(Token{text.data(), size});
}

} // namespace

class TstNamePool : public QObject
{
    Q_OBJECT
private slots:
    void equalTextsHaveOneId()
    {
        const NameId mm = internName("tst aten::mm");
        QVERIFY(internName(std::string("tst aten::") + "mm") == mm);
        QVERIFY(internName("tst aten::mm ") != mm);
        QVERIFY(findName("tst aten::mm") == mm);
        QVERIFY(findName("tst never interned") == kNoName);
        QCOMPARE(q(nameText(mm)), QStringLiteral("tst aten::mm"));
        QVERIFY(nameText(kNoName).empty());
        QVERIFY(internName("") != kNoName);
        QVERIFY(nameText(internName("")).empty());
        const std::string withZero("a\0b", 3);
        QVERIFY(internName(withZero) != internName("a"));
        QCOMPARE(nameText(internName(withZero)).size(), std::size_t{3});
    }

    void textsStayWhereTheyAreWhileThePoolGrows()
    {
        const std::string_view early = nameText(internName("tst an early name"));
        const char *const data = early.data();
        std::vector<std::string> texts;
        for (int i = 0; i < 200'000; ++i)
            texts.push_back("tst name " + std::to_string(i));
        std::vector<std::string_view> views(texts.begin(), texts.end());
        std::vector<NameId> ids(views.size());
        internNames(views, ids);
        for (std::size_t i = 0; i < ids.size(); ++i) {
            QVERIFY(nameText(ids[i]) == texts[i]);
            QVERIFY(findName(texts[i]) == ids[i]);
        }
        QVERIFY(nameText(internName("tst an early name")).data() == data);
        const std::string huge(3'000'000, 'x'); // larger than a block of the arena
        QVERIFY(nameText(internName(huge)) == huge);
        QVERIFY(nameText(internName("tst behind the huge one")) == "tst behind the huge one");
    }

    void threadsAgree()
    {
        std::vector<std::vector<NameId>> ids(4);
        {
            std::vector<std::jthread> threads;
            for (auto &mine : ids) {
                threads.emplace_back([&mine] {
                    for (int i = 0; i < 20'000; ++i) {
                        mine.push_back(internName("tst shared " + std::to_string(i)));
                        if (nameText(mine.back()).empty())
                            mine.back() = kNoName;
                    }
                });
            }
        }
        for (const auto &other : ids)
            QVERIFY(other == ids.front());
        QVERIFY(ids.front().front() != kNoName);
    }

    void aWorkersPoolKeepsRawAndCleanText()
    {
        LocalPool pool;
        const auto intern = [&](std::string_view text) {
            return withToken(std::string(text), [&](const Token &token) { return pool.intern(token); });
        };
        const std::uint32_t plain = intern("plain");
        const std::uint32_t escaped = intern(R"(a\u0041)");
        const std::uint32_t broken = intern("\x01\xff");
        QCOMPARE(intern("plain"), plain);
        QVERIFY(intern("aA") != escaped);
        QCOMPARE(q(pool[escaped].text), QStringLiteral("aA"));
        QCOMPARE(int{pool[escaped].repairs}, 0);
        QCOMPARE(int{pool[broken].repairs}, int{LocalPool::kControls} | int{LocalPool::kBadUtf8});
        QVERIFY(pool.intern(Token{}) == intern(""));
        std::map<std::string, std::uint32_t> known;
        std::mt19937_64 random(5);
        for (int i = 0; i < 50'000; ++i) {
            const std::string text = std::string(random() % 40, 'x') + std::to_string(random() % 2'000);
            const auto [entry, isNew] = known.try_emplace(text, intern(text));
            QCOMPARE(intern(text), entry->second);
        }
        for (const auto &[text, id] : known)
            QVERIFY(pool[id].text == text);
    }

    void aSmallIdStandsForItself()
    {
        LocalIds ids;
        const auto idOf = [&](std::string_view text) {
            return withToken(std::string(text), [&](const Token &token) { return ids.idOf(token); });
        };
        QCOMPARE(idOf("0"), 0U);
        QCOMPARE(idOf("999999999"), 999'999'999U);
        QVERIFY((idOf("1000000000") & LocalIds::kInterned) != 0);
        QVERIFY((idOf("007") & LocalIds::kInterned) != 0 && idOf("007") != idOf("7"));
        QVERIFY(idOf("0xaf4f") == idOf("0xaf4f") && idOf("0xaf4f") != idOf("0xaf50"));
        QVERIFY((idOf("") & LocalIds::kInterned) != 0);
        QVERIFY(idOf("-1") != LocalIds::kNone);
    }

    void hashesDiffer()
    {
        std::map<std::uint64_t, int> seen;
        for (std::size_t length = 0; length < 64; ++length) {
            ++seen[hashBytes(std::string(length, '\0'))];
            ++seen[hashBytes(std::string(length, 'a'))];
        }
        QVERIFY(seen.size() >= 127); // the empty text is there twice
    }
};

QTEST_APPLESS_MAIN(TstNamePool)
#include "tst_name_pool.moc"
