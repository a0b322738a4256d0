// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/random_json.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

namespace ks {
namespace {

class Writer
{
public:
    Writer(std::mt19937_64 &random, const RandomJson &options)
        : m_random(random)
        , m_options(options)
    {}

    std::size_t below(std::size_t limit) { return m_random() % limit; }
    bool oneIn(std::size_t n) { return below(n) == 0; }

    std::string space()
    {
        if (m_options.isPlain || !oneIn(3))
            return {};
        std::string text;
        for (std::size_t count = oneIn(20) ? 90 : 1 + below(3); text.size() < count;)
            text += " \n\t\r"[below(4)];
        return text;
    }

    std::string string(std::string_view text)
    {
        std::string out = "\"";
        for (const char c : text) {
            if (c == '"' || c == '\\')
                out += '\\';
            if (!m_options.isPlain && oneIn(25) && c >= ' ' && c < 0x7f) {
                constexpr std::string_view kHex = "0123456789abcdef";
                if (c == '"' || c == '\\')
                    out.pop_back();
                out += "\\u00";
                out += kHex[static_cast<std::size_t>(c) >> 4U];
                out += oneIn(2) ? kHex[c & 15] : static_cast<char>(std::toupper(kHex[c & 15]));
            } else {
                out += c;
            }
        }
        return out + '"';
    }

    std::string name()
    {
        constexpr std::array<std::string_view, 12> kNames = {"aten::mm", "aten::addmm", "cudaLaunchKernel", "gemm<int, {}, []>", "nn.Module: Linear_0", "",
                                                             "a \"quoted\" name", "back\\slash", "tab", "\xe4\xbd\xa0\xe5\xa5\xbd", "},{\"ph\":\"X\"", "x"};
        std::string text(kNames[below(kNames.size())]);
        if (oneIn(4))
            text += std::to_string(below(50));
        if (oneIn(40))
            text += std::string(below(300), 'n');
        return text;
    }

    std::string time()
    {
        std::string text = std::to_string(below(100'000));
        if (oneIn(3))
            return text;
        text += '.' + std::to_string(1000 + below(1000)).substr(1);
        return !m_options.isPlain && oneIn(20) ? '"' + text + '"' : text;
    }

    std::string scalar()
    {
        switch (below(8)) {
        case 0: return "null";
        case 1: return oneIn(2) ? "true" : "false";
        case 2: return "-" + std::to_string(below(1000)) + ".5e-3";
        case 3: return string(name());
        case 4: return "18446744073709551615";
        default: return std::to_string(below(1'000'000));
        }
    }

    std::string value(int depth)
    {
        if (depth > 4 || !oneIn(3))
            return scalar();
        const bool isArray = oneIn(2);
        std::string out = isArray ? "[" : "{";
        for (std::size_t i = 0, count = below(5); i < count; ++i) {
            out += (i == 0 ? "" : ",") + space();
            if (!isArray)
                out += string("k" + std::to_string(i)) + space() + ':' + space();
            out += value(depth + 1) + space();
        }
        return out + (isArray ? ']' : '}');
    }

    std::string args(char phase)
    {
        std::vector<std::pair<std::string, std::string>> members;
        const auto number = [&] { return std::to_string(below(12)); };
        const auto maybe = [&](std::string_view key, std::string text, std::size_t odds) {
            if (oneIn(odds))
                members.emplace_back(key, std::move(text));
        };
        if (phase == 'C') {
            for (std::size_t i = 0, count = below(4); i < count; ++i)
                members.emplace_back(i == 0 ? "" : "s" + std::to_string(i), oneIn(5) ? string("N/A") : std::to_string(below(100)) + ".25");
        } else if (phase == 'M') {
            maybe("name", string("thread " + number()), 2);
            maybe("labels", string("GPU " + number()), 3);
            maybe("sort_index", number(), 2);
        } else {
            maybe("correlation", oneIn(6) ? "9223372036854775809" : number(), 2);
            maybe(oneIn(5) ? "external id" : "External id", number(), 2);
            maybe("Python id", number(), 4);
            maybe("Python parent id", oneIn(4) ? "null" : number(), 4);
            maybe("Sequence number", number(), 4);
            maybe("Fwd thread id", number(), 4);
            maybe("device", number(), 4);
            maybe("stream", oneIn(5) ? string(number()) : number(), 4);
            maybe("finished", oneIn(2) ? "false" : "true", 20);
            maybe("Input Dims", "[[8,4],[4,2],[]]", 5);
            maybe("Bytes", "-1" + number(), phase == 'i' ? 2 : 10);
            maybe("Addr", "139900000000000", 6);
            maybe("Device Type", number(), 6);
            maybe("Device Id", "-1", 6);
            maybe("Total Allocated", number(), 6);
            maybe("Ev Idx", number(), 6);
        }
        for (std::size_t i = 0, count = below(3); i < count; ++i)
            members.emplace_back("free " + std::to_string(i), value(0));
        if (m_options.hasNestedRecords && oneIn(3))
            members.emplace_back("records", nestedRecords());
        return object(std::move(members));
    }

    std::string nestedRecords()
    {
        std::string out = "[";
        for (std::size_t i = 0, count = 1 + below(6); i < count; ++i)
            out += (i == 0 ? "" : ",") + space() + R"({"ph":"X","name":"not an event","ts":)" + time() + R"(,"dur":1,"pid":1,"tid":1,"args":{"x":[{},{"ph":"X"}]}})";
        return out + ']';
    }

    std::string object(std::vector<std::pair<std::string, std::string>> members)
    {
        if (!m_options.isPlain)
            std::shuffle(members.begin(), members.end(), m_random);
        std::string out = "{";
        for (std::size_t i = 0; i < members.size(); ++i)
            out += (i == 0 ? "" : ",") + space() + string(members[i].first) + space() + ':' + space() + members[i].second + space();
        return out + space() + '}';
    }

    std::string record()
    {
        if (m_options.hasForeignElements && oneIn(60)) {
            const std::string element = value(0);
            return element.starts_with('{') ? "[" + element + "]" : element;
        }
        constexpr std::string_view kPhases = "XXXXXXXXXXXXXBEBEiiCMstfbenSFIRTpDPNO";
        const char phase = kPhases[below(kPhases.size())];
        std::vector<std::pair<std::string, std::string>> members;
        if (!m_options.hasForeignElements || !oneIn(60))
            members.emplace_back("ph", string(std::string(1, phase)));
        constexpr std::array<std::string_view, 8> kCategories = {"cpu_op", "user_annotation", "python_function", "cuda_runtime", "kernel", "gpu_memcpy", "ac2g", "fwdbwd"};
        if (!oneIn(10))
            members.emplace_back("cat", string(kCategories[below(kCategories.size())]));
        if (phase == 'M') {
            constexpr std::array<std::string_view, 6> kRows = {"process_name", "thread_name", "process_labels", "process_sort_index", "thread_sort_index", "other"};
            members.emplace_back("name", string(kRows[below(kRows.size())]));
        } else if (!oneIn(12)) {
            members.emplace_back("name", string(phase == 'i' && oneIn(2) ? (oneIn(4) ? "[OutOfMemory]" : "[memory]") : name()));
        }
        const std::string thread = std::to_string(below(static_cast<std::size_t>(m_options.threads)));
        if (!oneIn(20))
            members.emplace_back("pid", oneIn(5) ? string("rank " + thread) : oneIn(5) ? string(thread) : thread);
        if (!oneIn(20))
            members.emplace_back("tid", oneIn(5) ? string("stream " + thread) : thread);
        if (!oneIn(30))
            members.emplace_back("ts", oneIn(40) ? "null" : time());
        if (phase == 'X' && !oneIn(20))
            members.emplace_back("dur", oneIn(30) ? "-5" : oneIn(8) ? "0" : std::to_string(below(500)) + ".250");
        addLinks(members, phase);
        if (!oneIn(5))
            members.emplace_back("args", args(phase));
        else if (oneIn(3))
            members.emplace_back("args", oneIn(3) ? "[" + value(0) + "]" : scalar());
        if (oneIn(10))
            members.emplace_back("tts", value(0));
        return object(std::move(members));
    }

    void addLinks(std::vector<std::pair<std::string, std::string>> &members, char phase)
    {
        const std::string id = oneIn(3) ? string("0x" + std::to_string(below(8))) : std::to_string(below(8));
        if (std::string_view("stfbenSFTp").find(phase) != std::string_view::npos && !oneIn(10)) {
            if (oneIn(6))
                members.emplace_back("id2", "{" + space() + string(oneIn(2) ? "local" : "global") + ":" + id + "}");
            else
                members.emplace_back("id", id);
        }
        if (phase == 'f' && !oneIn(3))
            members.emplace_back("bp", string("e"));
        if (phase == 'i' || phase == 'I')
            members.emplace_back("s", string(std::string(1, "tpg"[below(3)])));
        if (phase == 'X' && oneIn(20)) {
            members.emplace_back("bind_id", id);
            members.emplace_back(oneIn(2) ? "flow_in" : "flow_out", oneIn(4) ? "false" : "true");
        }
    }

    std::string damaged(std::string record)
    {
        switch (below(6)) {
        case 0: record.erase(below(record.size()), 1 + below(4)); break;
        case 1: record.insert(below(record.size()), 1, '"'); break;
        case 2: record.resize(below(record.size())); break;
        case 3: record.insert(below(record.size()), 1, "{}[],:"[below(6)]); break;
        case 4: record[below(record.size())] = static_cast<char>(below(256)); break;
        default: record.insert(below(record.size()), "\n\x01"); break;
        }
        return record;
    }

private:
    std::mt19937_64 &m_random;
    const RandomJson &m_options;
};

} // namespace

std::string json(std::string_view text)
{
    std::string out(text);
    std::replace(out.begin(), out.end(), '\'', '"');
    return out;
}

std::string randomRecord(std::mt19937_64 &random, const RandomJson &options)
{
    return Writer(random, options).record();
}

std::string randomTraceJson(std::mt19937_64 &random, const RandomJson &options)
{
    Writer writer(random, options);
    std::string out;
    if (!options.isArray) {
        out = "{" + writer.space();
        if (options.hasKeysAround)
            out += R"("schemaVersion":1,"deviceProperties":[{"id":0,"name":"G"},{"id":1,"name":"H"}],"distributedInfo":{"rank":1,"world_size":2},)";
        out += writer.space() + "\"traceEvents\"" + writer.space() + ':' + writer.space();
    }
    out += '[' + writer.space();
    const std::size_t huge = options.records / 2;
    for (std::size_t i = 0; i < options.records; ++i) {
        out += (i == 0 ? "" : ",") + (options.isPlain ? std::string("\n") : writer.space());
        std::string record = writer.record();
        if (options.hugeBytes != 0 && i == huge)
            record = R"({"ph":"X","name":"huge","ts":1,"dur":2,"pid":1,"tid":1,"args":{"long":")" + std::string(options.hugeBytes, 'h') + "\"}}";
        if (options.damageEvery != 0 && writer.oneIn(static_cast<std::size_t>(options.damageEvery)))
            record = writer.damaged(std::move(record));
        out += record + writer.space();
    }
    out += ']';
    if (!options.isArray)
        out += (options.hasKeysAround ? R"(,"traceName":"t.json","baseTimeNanoseconds":1751410836000000000)" : "") + writer.space() + '}';
    return out + writer.space();
}

} // namespace ks
